//! The two dialects, UCCI and UCI: what the engine sends, in the words of each.

use chuhe_engine::nnue::WinRate;
use chuhe_engine::score::{Score, hundredths, is_mate, mate_plies};
use chuhe_engine::search::{Bound, HashProbe, Info};
use chuhe_study::player::DrawOrResign;
use std::time::Duration;
use xiangqi::Move;
use xiangqi_record::RankBase;

/// The engine's name for hosts.
pub const NAME: &str = "Chuhe";
/// The version, with the commit that was built, if known.
pub const VERSION: &str = env!("CHUHE_VERSION");
pub const AUTHOR: &str = "the Chuhe authors";

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

/// The protocol, and the column of its option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The Universal Chinese Chess Interface 3.0, of XQWizard and the engine leagues.
    Ucci,
    /// UCI, as chess interfaces speak it that also play xiangqi: the variant is named xiangqi, scores are centipawns.
    Uci,
}

use Dialect::{Ucci, Uci};

impl Dialect {
    pub fn other(self) -> Dialect {
        if self == Ucci { Uci } else { Ucci }
    }

    /// The lines that introduce the engine, with these declarations of options, up to `ucciok` or `uciok`.
    pub fn greeting(self, options: impl Iterator<Item = String>) -> Vec<String> {
        let mut lines = match self {
            Ucci => vec![
                format!("id name {NAME}"),
                format!("id version {VERSION}"),
                format!("id copyright 2026 {AUTHOR}, MIT license"),
                format!("id author {AUTHOR}"),
                String::from("id user everybody"),
            ],
            Uci => vec![format!("id name {NAME} {VERSION}"), format!("id author {AUTHOR}")],
        };
        lines.extend(options);
        lines.push(String::from(if self == Ucci { "ucciok" } else { "uciok" }));
        lines
    }

    /// The unit of the times of UCCI's clock (`time`, `increment`, `opptime` …).
    pub fn time_unit(self, milliseconds: bool) -> Duration {
        if milliseconds || self == Uci { Duration::from_millis(1) } else { Duration::from_secs(1) }
    }

    /// The `info` lines of a search.
    pub fn info(self, info: &Info, style: &InfoStyle) -> Vec<String> {
        match self {
            _ if info.bound != Bound::Exact && !style.bounds => Vec::new(),
            Ucci => self.ucci_info(info, style),
            Uci => vec![uci_info(info, style)],
        }
    }

    /// One line with everything, in the order of today's engines. Time and nodes in a line of their own, as the protocol
    /// has them, would be shown twice by hosts that read both; such a line stands alone before the answer.
    ///
    /// UCCI has no bounds: a score that is a bound is sent as a message, in debug mode only.
    fn ucci_info(self, info: &Info, style: &InfoStyle) -> Vec<String> {
        let (depth, score, pv) = (info.depth, hundredths(info.score), format_moves("pv", info.pv, style.ranks));
        let word = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("fails high"),
            Bound::Upper => Some("fails low"),
        };
        if let Some(word) = word {
            let line = || self.message(&format!("depth {depth} {word} at {score}{pv}"));
            return style.debug.then(line).into_iter().collect();
        }
        let which = if style.multi_pv { format!(" multipv {}", info.multipv) } else { String::new() };
        let (nodes, time, nps) = (info.nodes, info.time.as_millis(), nodes_per_second(info.nodes, info.time));
        let mut lines =
            vec![format!("info depth {depth}{which} score {score} nodes {nodes} nps {nps} time {time}{pv}")];
        if style.debug {
            let (seldepth, hashfull, hits) = (info.seldepth, info.hashfull, info.tablebase_hits);
            lines.push(self.message(&format!("seldepth {seldepth} hashfull {hashfull} tbhits {hits}")));
        }
        lines
    }

    /// The totals at the end of a search.
    pub fn search_totals(self, time: Duration, nodes: u64) -> String {
        let milliseconds = time.as_millis();
        match self {
            Ucci => format!("info time {milliseconds} nodes {nodes}"),
            Uci => format!("info nodes {nodes} nps {} time {milliseconds}", nodes_per_second(nodes, time)),
        }
    }

    /// The root move that is being searched.
    pub fn current_move(self, depth: u32, mv: Move, number: usize, ranks: RankBase) -> String {
        let mv = ranks.format_move(mv);
        match self {
            Ucci => format!("info currmove {mv}"),
            Uci => format!("info depth {depth} currmove {mv} currmovenumber {number}"),
        }
    }

    /// A message for people. `Session::send_message` makes it ASCII.
    pub fn message(self, text: &str) -> String {
        match self {
            Ucci => format!("info message {text}"),
            Uci => format!("info string {text}"),
        }
    }

    /// The `bestmove` line: the move, the expected reply, and what UCCI has besides.
    pub fn best_move(self, answer: &SearchAnswer, ranks: RankBase) -> String {
        let Some(best) = answer.best else {
            return String::from(if self == Ucci { "nobestmove" } else { "bestmove (none)" });
        };
        let ponder = format_moves("ponder", answer.ponder.as_slice(), ranks);
        let suffix = match answer.draw_or_resign {
            DrawOrResign::Draw if self == Ucci => " draw",
            DrawOrResign::Resign if self == Ucci => " resign",
            _ => "",
        };
        format!("bestmove {}{ponder}{suffix}", ranks.format_move(best))
    }

    /// The answer to `stop` when nothing runs, if one is expected. Many hosts of UCI send `stop` before each position,
    /// whether a search runs or not.
    pub fn idle_stop_reply(self) -> Option<&'static str> {
        (self == Ucci).then_some("nobestmove")
    }

    /// The answer to `quit`.
    pub fn quit_reply(self) -> Option<&'static str> {
        (self == Ucci).then_some("bye")
    }

    /// The answer to a `go` without a position to search.
    pub fn refused_go_reply(self) -> &'static str {
        if self == Ucci { "nobestmove" } else { "bestmove 0000" }
    }
}

fn uci_info(info: &Info, style: &InfoStyle) -> String {
    let (depth, seldepth, which) = (info.depth, info.seldepth, info.multipv);
    let score = format_score(info.score, style);
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    // The chances to win, draw and lose, in thousandths.
    let chances = style.wdl.then(|| style.rate.wdl_per_mille(info.score));
    let wdl = chances.map_or_else(String::new, |[win, draw, loss]| format!(" wdl {win} {draw} {loss}"));
    let (nodes, time, hashfull) = (info.nodes, info.time.as_millis(), info.hashfull);
    let (nps, hits) = (nodes_per_second(info.nodes, info.time), info.tablebase_hits);
    let pv = format_moves("pv", info.pv, style.ranks);
    format!(
        "info depth {depth} seldepth {seldepth} multipv {which} score {score}{bound}{wdl} \
         nodes {nodes} nps {nps} hashfull {hashfull} tbhits {hits} time {time}{pv}"
    )
}

/// `cp` and a number in the unit that the host asked for, or `mate` and a number of moves.
fn format_score(score: Score, style: &InfoStyle) -> String {
    match mate_plies(score) {
        None => {
            let number = match style.score_type {
                ScoreType::Centipawns => style.rate.centipawns(score),
                ScoreType::Elo => style.rate.elo(score),
                ScoreType::Raw => score,
            };
            format!("cp {number}")
        }
        Some(plies) if is_mate(score) && plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", plies / 2),
    }
}

/// The answer to `probe`.
pub fn pop_hash(fact: Option<HashProbe>, ranks: RankBase) -> String {
    let Some(fact) = fact else { return String::from("pophash") };
    let (score, depth) = (hundredths(fact.score), fact.depth);
    let mut text = String::from("pophash") + &format_moves("bestmove", fact.best.as_slice(), ranks);
    if fact.bound != Bound::Upper {
        text += &format!(" lowerbound {score} depth {depth}");
    }
    if fact.bound != Bound::Lower {
        text += &format!(" upperbound {score} depth {depth}");
    }
    text
}

/// A word and the moves after it, a blank before each; empty if there are none.
fn format_moves(word: &str, moves: &[Move], ranks: RankBase) -> String {
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

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let milliseconds = (time.as_millis() as u64).max(1);
    nodes.saturating_mul(1000) / milliseconds
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::score::{MATE, mate_in, mated_in};

    fn style() -> InfoStyle {
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

    /// Info about an iteration with this score.
    fn info_with(score: Score, bound: Bound) -> Info<'static> {
        let mut info = Info::without_search(score, &[]);
        (info.depth, info.seldepth, info.bound, info.hashfull) = (9, 12, bound, 1);
        (info.nodes, info.time) = (1000, Duration::from_millis(10));
        info
    }

    #[test]
    fn bounds_are_marked_in_uci_and_messages_in_ucci() {
        let (plain, debug) = (style(), InfoStyle { debug: true, ..style() });
        for (bound, here, there) in
            [(Bound::Lower, " lowerbound ", "fails high"), (Bound::Upper, " upperbound ", "fails low")]
        {
            let info = info_with(25, bound);
            assert!(Uci.info(&info, &plain)[0].contains(here));
            assert!(Ucci.info(&info, &plain).is_empty());
            assert!(Ucci.info(&info, &debug)[0].contains(there));
        }
        assert!(!Uci.info(&info_with(25, Bound::Exact), &plain)[0].contains("bound"));
        let without = InfoStyle { bounds: false, ..debug };
        for dialect in [Uci, Ucci] {
            assert!(dialect.info(&info_with(25, Bound::Lower), &without).is_empty());
            assert!(!dialect.info(&info_with(25, Bound::Exact), &without).is_empty());
        }
    }

    #[test]
    fn mates_are_moves_in_uci_and_plies_in_ucci() {
        for (value, here, there) in [
            (mate_in(1), " score mate 1 ", " score 29999"),
            (mate_in(4), " score mate 2 ", " score 29996"),
            (-MATE, " score mate 0 ", " score -30000"),
            (mated_in(2), " score mate -1 ", " score -29998"),
            (28_990, " score cp 28990 ", " score 28990"),
        ] {
            let info = info_with(value, Bound::Exact);
            assert!(Uci.info(&info, &style())[0].contains(here), "{value}");
            assert!(Ucci.info(&info, &style())[0].contains(&format!("{there} nodes ")), "{value}");
        }
    }
}
