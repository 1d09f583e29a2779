//! UCI, as xiangqi interfaces speak it: the variant named xiangqi, scores in centipawns.

use super::dialect::{self, Answer, Dialect, View, per_second};
use super::options::{Column, Kind, OptionSpec, TABLE};
use chuhe_engine::nnue::WinRate;
use chuhe_engine::search::{Bound, Info};
use chuhe_engine::types::Move;
use chuhe_engine::types::score::{Score, is_mate, mate_plies};
use chuhe_toolkit::record::Ranks;
use std::time::Duration;

/// The dialect of chess interfaces that also play xiangqi.
pub struct Uci;

impl Dialect for Uci {
    fn column(&self) -> Column {
        Column::Uci
    }

    fn greeting(&self) -> Vec<String> {
        let mut lines = vec![
            format!("id name {} {}", dialect::NAME, dialect::VERSION),
            format!("id author {}", dialect::AUTHOR),
        ];
        lines.extend(TABLE.iter().filter_map(declare));
        lines.push(String::from("uciok"));
        lines
    }

    fn time_unit(&self, _milliseconds: bool) -> Duration {
        Duration::from_millis(1)
    }

    fn info(&self, info: &Info, view: &View) -> Vec<String> {
        let (depth, seldepth, which) = (info.depth, info.seldepth, info.multipv);
        let score = score(info.score, &view.rate);
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = if view.wdl { wdl(info.score, &view.rate) } else { String::new() };
        let (nodes, time, hashfull) = (info.nodes, info.time.as_millis(), info.hashfull);
        let (nps, hits) = (per_second(info.nodes, info.time), info.table_hits);
        let pv = dialect::line("pv", info.pv, view.ranks);
        vec![format!(
            "info depth {depth} seldepth {seldepth} multipv {which} score {score}{bound}{wdl} \
             nodes {nodes} nps {nps} hashfull {hashfull} tbhits {hits} time {time}{pv}"
        )]
    }

    fn totals(&self, time: Duration, nodes: u64) -> String {
        format!("info nodes {nodes} nps {} time {}", per_second(nodes, time), time.as_millis())
    }

    fn current_move(&self, depth: u32, mv: Move, number: usize, ranks: Ranks) -> String {
        format!("info depth {depth} currmove {} currmovenumber {number}", ranks.write(mv))
    }

    fn message(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn best_move(&self, answer: &Answer, ranks: Ranks) -> String {
        match answer.best {
            Some(best) => dialect::best_and_reply(best, answer, ranks),
            None => String::from("bestmove (none)"),
        }
    }

    /// Many hosts stop before each position, whether anything runs or not.
    fn nothing_to_stop(&self) -> Option<&'static str> {
        None
    }

    fn goodbye(&self) -> Option<&'static str> {
        None
    }

    fn has_gestures(&self) -> bool {
        false
    }

    fn evaluates_at_depth_zero(&self) -> bool {
        false
    }
}

/// `cp` and a number of centipawns, or `mate` and a number of moves.
fn score(score: Score, rate: &WinRate) -> String {
    match mate_plies(score) {
        None => format!("cp {}", rate.centipawns(score)),
        Some(plies) if is_mate(score) && plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", plies / 2),
    }
}

/// The chances to win, draw and lose, in thousandths.
fn wdl(score: Score, rate: &WinRate) -> String {
    let [win, draw, loss] = rate.per_mille(score);
    format!(" wdl {win} {draw} {loss}")
}

/// The line that declares an option.
fn declare(option: &OptionSpec) -> Option<String> {
    let name = option.uci?;
    Some(match option.kind {
        Kind::Check { default, .. } => format!("option name {name} type check default {default}"),
        Kind::Spin { default, min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        Kind::Combo { choices, .. } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {}{vars}", choices[0])
        }
        Kind::Text { .. } => format!("option name {name} type string default <empty>"),
        Kind::Button { .. } => format!("option name {name} type button"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dialect::tests::info_with;
    use crate::protocol::ucci::Ucci;
    use chuhe_engine::types::score::{MATE, mate_in, mated_in};

    #[test]
    fn bounds_are_marked_here_and_shown_to_debuggers_there() {
        let (plain, debug) = (View::default(), View { debug: true, ..View::default() });
        for (bound, here, there) in
            [(Bound::Lower, " lowerbound ", "fails high"), (Bound::Upper, " upperbound ", "fails low")]
        {
            let info = info_with(25, bound);
            assert!(Uci.info(&info, &plain)[0].contains(here));
            assert!(Ucci.info(&info, &plain).is_empty());
            assert!(Ucci.info(&info, &debug)[0].contains(there));
        }
        assert!(!Uci.info(&info_with(25, Bound::Exact), &plain)[0].contains("bound"));
    }

    #[test]
    fn mates_are_plies_there_and_moves_here() {
        for (value, here, there) in [
            (mate_in(1), " score mate 1 ", " score 29999"),
            (mate_in(4), " score mate 2 ", " score 29996"),
            (-MATE, " score mate 0 ", " score -30000"),
            (mated_in(2), " score mate -1 ", " score -29998"),
            (28_990, " score cp 28990 ", " score 28990"),
        ] {
            let info = info_with(value, Bound::Exact);
            assert!(Uci.info(&info, &View::default())[0].contains(here), "{value}");
            assert!(Ucci.info(&info, &View::default())[1].contains(&format!("{there} nodes ")), "{value}");
        }
    }
}
