//! The interface of the two dialects, UCCI and UCI: what the engine sends, in the words of each.

use chuhe_engine::nnue::WinRate;
use chuhe_engine::score::hundredths;
use chuhe_engine::search::{HashProbe, Info};
use chuhe_study::player::DrawOrResign;
use std::time::Duration;
use xiangqi::Move;
use xiangqi_record::RankBase;

/// The engine's name for hosts.
pub const NAME: &str = "Chuhe";
/// The version, with the commit that was built, if known.
pub const VERSION: &str = env!("CHUHE_VERSION");
pub const AUTHOR: &str = "the Chuhe authors";

/// The protocol, and the column of its option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Ucci,
    Uci,
}

impl Protocol {
    pub fn other(self) -> Protocol {
        match self {
            Protocol::Ucci => Protocol::Uci,
            Protocol::Uci => Protocol::Ucci,
        }
    }
}

/// The answer to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The best move; `None` if there is none.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The draw offer or resignation that goes with the move.
    pub draw_or_resign: DrawOrResign,
}

/// The unit of a score in UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ScoreType {
    /// 100 is a score from which half of the games are won.
    #[default]
    Centipawns,
    /// The difference in Elo that scores as well.
    Elo,
    /// The search's own.
    Raw,
}

/// How to print search info, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfoStyle {
    /// How ranks are counted in moves.
    pub ranks: RankBase,
    /// The win rate model, at the material of the root position.
    pub rate: WinRate,
    /// MultiPV is above 1.
    pub multi_pv: bool,
    /// Print the chances to win, draw and lose.
    pub wdl: bool,
    pub score_type: ScoreType,
    /// Print scores that are bounds.
    pub bounds: bool,
    pub debug: bool,
}

impl Default for InfoStyle {
    fn default() -> InfoStyle {
        InfoStyle {
            ranks: RankBase::default(),
            rate: WinRate::default(),
            multi_pv: false,
            wdl: false,
            score_type: ScoreType::default(),
            bounds: true,
            debug: false,
        }
    }
}

/// What differs between the protocols.
pub trait Dialect: Sync {
    /// Its column of the option table.
    fn column(&self) -> Protocol;
    /// The lines that introduce the engine, up to `ucciok` or `uciok`.
    fn greeting(&self) -> Vec<String>;
    /// The unit of the times of UCCI's clock (`time`, `increment`, `opptime` …).
    fn time_unit(&self, milliseconds: bool) -> Duration;
    /// The `info` lines of a search.
    fn info(&self, info: &Info, style: &InfoStyle) -> Vec<String>;
    /// The totals at the end of a search.
    fn search_totals(&self, time: Duration, nodes: u64) -> String;
    /// The root move that is being searched.
    fn current_move(&self, depth: u32, mv: Move, number: usize, ranks: RankBase) -> String;
    /// A message for people. `Session::send_message` makes it ASCII.
    fn message(&self, text: &str) -> String;
    /// The `bestmove` line.
    fn best_move(&self, answer: &SearchAnswer, ranks: RankBase) -> String;
    /// The answer to `stop` when nothing runs, if one is expected.
    fn idle_stop_reply(&self) -> Option<&'static str>;
    /// The answer to `quit`.
    fn quit_reply(&self) -> Option<&'static str>;
    /// The answer to a `go` without a position to search.
    fn refused_go_reply(&self) -> &'static str;
    /// Whether the dialect has draw offers and resignation.
    fn supports_draw_and_resign(&self) -> bool;
    /// Whether `go depth 0` asks for the static evaluation instead of a move.
    fn evaluates_at_depth_zero(&self) -> bool;
}

/// The answer to `probe`.
pub fn pop_hash(fact: Option<HashProbe>, ranks: RankBase) -> String {
    use chuhe_engine::search::Bound::{Exact, Lower, Upper};
    let mut text = String::from("pophash");
    let Some(fact) = fact else { return text };
    let score = hundredths(fact.score);
    if let Some(best) = fact.best {
        text += " bestmove ";
        ranks.push_move(&mut text, best);
    }
    if matches!(fact.bound, Lower | Exact) {
        text += &format!(" lowerbound {score} depth {}", fact.depth);
    }
    if matches!(fact.bound, Upper | Exact) {
        text += &format!(" upperbound {score} depth {}", fact.depth);
    }
    text
}

/// A word and the moves after it, a blank before each; empty if there are none.
pub fn format_moves(word: &str, moves: &[Move], ranks: RankBase) -> String {
    let mut text = String::new();
    for (index, &mv) in moves.iter().enumerate() {
        if index == 0 {
            text.push(' ');
            text.push_str(word);
        }
        text.push(' ');
        ranks.push_move(&mut text, mv);
    }
    text
}

/// The `bestmove` line: the move, and the expected reply.
pub fn format_best_move(best: Move, answer: &SearchAnswer, ranks: RankBase) -> String {
    let ponder = format_moves("ponder", answer.ponder.as_slice(), ranks);
    format!("bestmove {}{ponder}", ranks.format_move(best))
}

pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let milliseconds = (time.as_millis() as u64).max(1);
    nodes.saturating_mul(1000) / milliseconds
}

#[cfg(test)]
pub mod tests {
    use chuhe_engine::score::Score;
    use chuhe_engine::search::{Bound, Info};
    use std::time::Duration;

    /// Info about an iteration with this score.
    pub fn info_with(score: Score, bound: Bound) -> Info<'static> {
        let mut info = Info::without_search(score, &[]);
        (info.depth, info.seldepth, info.bound, info.hashfull) = (9, 12, bound, 1);
        (info.nodes, info.time) = (1000, Duration::from_millis(10));
        info
    }
}
