//! UCI, as xiangqi interfaces speak it: ranks 0 to 9, the variant named xiangqi.

use super::dialect::{self, Answer, Dialect, View};
use super::options::{Column, Kind, OptionSpec, TABLE};
use crate::search::{Bound, Info};
use crate::types::Move;
use crate::types::score::{Score, is_mate, mate_plies};
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
        let score = score(info.score);
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = if view.wdl { wdl(info.score) } else { String::new() };
        let (nodes, time, hashfull) = (info.nodes, info.time.as_millis(), info.hashfull);
        let (nps, hits) = (per_second(info.nodes, info.time), info.table_hits);
        let pv = if info.pv.is_empty() { String::new() } else { format!(" pv{}", dialect::line(info.pv)) };
        vec![format!(
            "info depth {depth} seldepth {seldepth} multipv {which} score {score}{bound}{wdl} \
             nodes {nodes} nps {nps} hashfull {hashfull} tbhits {hits} time {time}{pv}"
        )]
    }

    fn totals(&self, time: Duration, nodes: u64) -> String {
        format!("info nodes {nodes} nps {} time {}", per_second(nodes, time), time.as_millis())
    }

    fn current_move(&self, depth: u32, mv: Move, number: usize) -> String {
        format!("info depth {depth} currmove {mv} currmovenumber {number}")
    }

    fn message(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn best_move(&self, answer: &Answer) -> String {
        let Some(best) = answer.best else { return String::from("bestmove (none)") };
        let ponder = answer.ponder.map_or(String::new(), |mv| format!(" ponder {mv}"));
        format!("bestmove {best}{ponder}")
    }

    fn nothing_to_stop(&self) -> String {
        self.message("stop: no search is running")
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

/// Nodes per second.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let milliseconds = (time.as_millis() as u64).max(1);
    nodes.saturating_mul(1000) / milliseconds
}

/// `cp` and a plain number, or `mate` and a number of moves.
fn score(score: Score) -> String {
    match mate_plies(score) {
        None => format!("cp {score}"),
        Some(plies) if is_mate(score) && plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", plies / 2),
    }
}

/// Chances to win, draw and lose, in thousandths: two logistic curves, one for each side's win.
///
/// The side to move wins half of its games at a lead of one minor piece, and nearly all at two.
fn wdl(score: Score) -> String {
    let chance = |lead: Score| 1.0 / (1.0 + (-(f64::from(lead) - 100.0) / 35.0).exp());
    let (win, loss) = ((1000.0 * chance(score)) as u32, (1000.0 * chance(-score)) as u32);
    format!(" wdl {win} {} {loss}", 1000 - win - loss)
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
    use crate::types::score::{MATE, mate_in, mated_in};

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
            assert!(Ucci.info(&info, &View::default())[1].ends_with(there), "{value}");
        }
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let wins = |score: Score| -> u32 {
            let text = wdl(score);
            let chances: Vec<u32> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{text}");
            chances[0]
        };
        let all: Vec<u32> = (-30..=30).map(|step| wins(step * 1000)).collect();
        assert!(all.is_sorted());
        assert!(wins(0) < 100 && wins(100) == 500 && wins(300) > 990);
    }
}
