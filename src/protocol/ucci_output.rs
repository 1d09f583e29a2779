//! UCCI 3.0: the Universal Chinese Chess Interface.

use super::dialect::Protocol;
use super::dialect::{self, Dialect, InfoStyle, SearchAnswer, nodes_per_second};
use super::options::{OptionKind, OptionSpec, all_options};
use chuhe_engine::score::hundredths;
use chuhe_engine::search::{Bound, Info};
use chuhe_study::player::DrawOrResign;
use std::time::Duration;
use xiangqi::Move;
use xiangqi_record::RankBase;

/// The dialect of XQWizard and the engine leagues.
pub struct Ucci;

impl Dialect for Ucci {
    fn column(&self) -> Protocol {
        Protocol::Ucci
    }

    fn greeting(&self) -> Vec<String> {
        let mut lines = vec![
            format!("id name {}", dialect::NAME),
            format!("id version {}", dialect::VERSION),
            format!("id copyright 2026 {}, MIT license", dialect::AUTHOR),
            format!("id author {}", dialect::AUTHOR),
            String::from("id user everybody"),
        ];
        lines.extend(all_options().filter_map(option_line));
        lines.push(String::from("ucciok"));
        lines
    }

    fn time_unit(&self, milliseconds: bool) -> Duration {
        if milliseconds { Duration::from_millis(1) } else { Duration::from_secs(1) }
    }

    /// One line with everything, in the order of today's engines. Time and nodes in a line of their own, as the protocol
    /// has them, would be shown twice by hosts that read both; such a line stands alone before the answer.
    ///
    /// UCCI has no bounds: a score that is a bound is sent as a message, in debug mode only.
    fn info(&self, info: &Info, style: &InfoStyle) -> Vec<String> {
        let (depth, score, ranks) = (info.depth, hundredths(info.score), style.ranks);
        let word = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("fails high"),
            Bound::Upper => Some("fails low"),
        };
        if let Some(word) = word {
            if !style.debug || !style.bounds {
                return Vec::new();
            }
            let pv = dialect::format_moves("pv", info.pv, ranks);
            return vec![self.message(&format!("depth {depth} {word} at {score}{pv}"))];
        }
        let which = if style.multi_pv { format!(" multipv {}", info.multipv) } else { String::new() };
        let (nodes, time, nps) = (info.nodes, info.time.as_millis(), nodes_per_second(info.nodes, info.time));
        let pv = dialect::format_moves("pv", info.pv, ranks);
        let mut lines =
            vec![format!("info depth {depth}{which} score {score} nodes {nodes} nps {nps} time {time}{pv}")];
        if style.debug {
            let (seldepth, hashfull, hits) = (info.seldepth, info.hashfull, info.tablebase_hits);
            lines.push(self.message(&format!("seldepth {seldepth} hashfull {hashfull} tbhits {hits}")));
        }
        lines
    }

    fn search_totals(&self, time: Duration, nodes: u64) -> String {
        format!("info time {} nodes {nodes}", time.as_millis())
    }

    fn current_move(&self, _depth: u32, mv: Move, _number: usize, ranks: RankBase) -> String {
        format!("info currmove {}", ranks.format_move(mv))
    }

    fn message(&self, text: &str) -> String {
        format!("info message {text}")
    }

    fn best_move(&self, answer: &SearchAnswer, ranks: RankBase) -> String {
        let Some(best) = answer.best else { return String::from("nobestmove") };
        let suffix = match answer.draw_or_resign {
            DrawOrResign::None => "",
            DrawOrResign::Draw => " draw",
            DrawOrResign::Resign => " resign",
        };
        dialect::format_best_move(best, answer, ranks) + suffix
    }

    fn idle_stop_reply(&self) -> Option<&'static str> {
        Some("nobestmove")
    }

    fn refused_go_reply(&self) -> &'static str {
        "nobestmove"
    }

    fn quit_reply(&self) -> Option<&'static str> {
        Some("bye")
    }

    fn supports_draw_and_resign(&self) -> bool {
        true
    }

    fn evaluates_at_depth_zero(&self) -> bool {
        true
    }
}

/// The declaration of an option.
fn option_line(option: &OptionSpec) -> Option<String> {
    let name = option.ucci?;
    Some(match option.kind {
        OptionKind::Check { default, .. } => format!("option {name} type check default {default}"),
        OptionKind::Spin { default, min, max, .. } => {
            // The default first, as in UCI: one host parses spins word by word, the others accept both orders.
            format!("option {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { choices, .. } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option {name} type combo{vars} default {}", choices[0])
        }
        OptionKind::Text { .. } => format!("option {name} type string"),
        OptionKind::Button { .. } => format!("option {name} type button"),
    })
}
