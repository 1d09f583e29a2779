//! UCI, as xiangqi interfaces speak it: the variant is named xiangqi, scores are centipawns.

use super::dialect::Protocol;
use super::dialect::{self, Dialect, InfoStyle, ScoreType, SearchAnswer, nodes_per_second};
use super::options::{OptionKind, OptionSpec, all_options};
use chuhe_engine::nnue::WinRate;
use chuhe_engine::score::{Score, is_mate, mate_plies};
use chuhe_engine::search::{Bound, Info};
use std::time::Duration;
use xiangqi::Move;
use xiangqi_record::RankBase;

/// The dialect of chess interfaces that also play xiangqi.
pub struct Uci;

impl Dialect for Uci {
    fn column(&self) -> Protocol {
        Protocol::Uci
    }

    fn greeting(&self) -> Vec<String> {
        let mut lines =
            vec![format!("id name {} {}", dialect::NAME, dialect::VERSION), format!("id author {}", dialect::AUTHOR)];
        lines.extend(all_options().filter_map(option_line));
        lines.push(String::from("uciok"));
        lines
    }

    fn time_unit(&self, _milliseconds: bool) -> Duration {
        Duration::from_millis(1)
    }

    fn info(&self, info: &Info, style: &InfoStyle) -> Vec<String> {
        if info.bound != Bound::Exact && !style.bounds {
            return Vec::new();
        }
        let (depth, seldepth, which) = (info.depth, info.seldepth, info.multipv);
        let score = format_score(info.score, style);
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = if style.wdl { format_wdl(info.score, &style.rate) } else { String::new() };
        let (nodes, time, hashfull) = (info.nodes, info.time.as_millis(), info.hashfull);
        let (nps, hits) = (nodes_per_second(info.nodes, info.time), info.tablebase_hits);
        let pv = dialect::format_moves("pv", info.pv, style.ranks);
        vec![format!(
            "info depth {depth} seldepth {seldepth} multipv {which} score {score}{bound}{wdl} \
             nodes {nodes} nps {nps} hashfull {hashfull} tbhits {hits} time {time}{pv}"
        )]
    }

    fn search_totals(&self, time: Duration, nodes: u64) -> String {
        format!("info nodes {nodes} nps {} time {}", nodes_per_second(nodes, time), time.as_millis())
    }

    fn current_move(&self, depth: u32, mv: Move, number: usize, ranks: RankBase) -> String {
        format!("info depth {depth} currmove {} currmovenumber {number}", ranks.format_move(mv))
    }

    fn message(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn best_move(&self, answer: &SearchAnswer, ranks: RankBase) -> String {
        match answer.best {
            Some(best) => dialect::format_best_move(best, answer, ranks),
            None => String::from("bestmove (none)"),
        }
    }

    /// Many hosts send `stop` before each position, whether a search runs or not.
    fn idle_stop_reply(&self) -> Option<&'static str> {
        None
    }

    fn refused_go_reply(&self) -> &'static str {
        "bestmove 0000"
    }

    fn quit_reply(&self) -> Option<&'static str> {
        None
    }

    fn supports_draw_and_resign(&self) -> bool {
        false
    }

    fn evaluates_at_depth_zero(&self) -> bool {
        false
    }
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

/// The chances to win, draw and lose, in thousandths.
fn format_wdl(score: Score, rate: &WinRate) -> String {
    let [win, draw, loss] = rate.wdl_per_mille(score);
    format!(" wdl {win} {draw} {loss}")
}

/// The declaration of an option.
fn option_line(option: &OptionSpec) -> Option<String> {
    let name = option.uci?;
    Some(match option.kind {
        OptionKind::Check { default, .. } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { default, min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { choices, .. } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {}{vars}", choices[0])
        }
        OptionKind::Text { default: "", .. } => format!("option name {name} type string default <empty>"),
        OptionKind::Text { default, .. } => format!("option name {name} type string default {default}"),
        OptionKind::Button { .. } => format!("option name {name} type button"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dialect::tests::info_with;
    use crate::protocol::ucci_output::Ucci;
    use chuhe_engine::score::{MATE, mate_in, mated_in};

    #[test]
    fn bounds_are_marked_in_uci_and_messages_in_ucci() {
        let (plain, debug) = (InfoStyle::default(), InfoStyle { debug: true, ..InfoStyle::default() });
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
        for dialect in [&Uci as &dyn Dialect, &Ucci] {
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
            assert!(Uci.info(&info, &InfoStyle::default())[0].contains(here), "{value}");
            assert!(Ucci.info(&info, &InfoStyle::default())[0].contains(&format!("{there} nodes ")), "{value}");
        }
    }
}
