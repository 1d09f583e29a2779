//! UCCI 3.0: the Universal Chinese Chess Interface.

use super::dialect::{self, Answer, Dialect, Gesture, View};
use super::options::{Column, Kind, OptionSpec, TABLE};
use crate::search::{Bound, Info};
use crate::types::Move;
use std::time::Duration;

/// The dialect that XQWizard and the leagues speak.
pub struct Ucci;

impl Dialect for Ucci {
    fn column(&self) -> Column {
        Column::Ucci
    }

    fn greeting(&self) -> Vec<String> {
        let mut lines = vec![
            format!("id name {}", dialect::NAME),
            format!("id version {}", dialect::VERSION),
            format!("id copyright 2026 {}, MIT license", dialect::AUTHOR),
            format!("id author {}", dialect::AUTHOR),
            String::from("id user everybody"),
        ];
        lines.extend(TABLE.iter().filter_map(declare));
        lines.push(String::from("ucciok"));
        lines
    }

    fn time_unit(&self, milliseconds: bool) -> Duration {
        if milliseconds { Duration::from_millis(1) } else { Duration::from_secs(1) }
    }

    /// UCCI knows no bounds: a score that is one is shown to debuggers only, as a remark.
    fn info(&self, info: &Info, view: &View) -> Vec<String> {
        let (depth, score) = (info.depth, info.score);
        let word = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("fails high"),
            Bound::Upper => Some("fails low"),
        };
        if let Some(word) = word {
            if !view.debug {
                return Vec::new();
            }
            return vec![self.message(&format!("depth {depth} {word} at {score}{}", dialect::line(info.pv)))];
        }
        let which = if view.multi_pv { format!(" multipv {}", info.multipv) } else { String::new() };
        let pv = if info.pv.is_empty() { String::new() } else { format!(" pv{}", dialect::line(info.pv)) };
        let mut lines =
            vec![self.totals(info.time, info.nodes), format!("info depth {depth}{which} score {score}{pv}")];
        if view.debug {
            let (seldepth, hashfull) = (info.seldepth, info.hashfull);
            let nps = super::uci::per_second(info.nodes, info.time);
            let hits = info.table_hits;
            lines.push(
                self.message(&format!("seldepth {seldepth} hashfull {hashfull} tbhits {hits} nps {nps}")),
            );
        }
        lines
    }

    fn totals(&self, time: Duration, nodes: u64) -> String {
        format!("info time {} nodes {nodes}", time.as_millis())
    }

    fn current_move(&self, _depth: u32, mv: Move, _number: usize) -> String {
        format!("info currmove {mv}")
    }

    fn message(&self, text: &str) -> String {
        format!("info message {text}")
    }

    fn best_move(&self, answer: &Answer) -> String {
        let Some(best) = answer.best else { return String::from("nobestmove") };
        let ponder = answer.ponder.map_or(String::new(), |mv| format!(" ponder {mv}"));
        let gesture = match answer.gesture {
            Gesture::None => "",
            Gesture::Draw => " draw",
            Gesture::Resign => " resign",
        };
        format!("bestmove {best}{ponder}{gesture}")
    }

    fn nothing_to_stop(&self) -> String {
        String::from("nobestmove")
    }

    fn goodbye(&self) -> Option<&'static str> {
        Some("bye")
    }

    fn has_gestures(&self) -> bool {
        true
    }

    fn evaluates_at_depth_zero(&self) -> bool {
        true
    }
}

/// The line that declares an option.
fn declare(option: &OptionSpec) -> Option<String> {
    let name = option.ucci?;
    Some(match option.kind {
        Kind::Check { default, .. } => format!("option {name} type check default {default}"),
        Kind::Spin { default, min, max, .. } => {
            format!("option {name} type spin min {min} max {max} default {default}")
        }
        Kind::Combo { choices, .. } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option {name} type combo{vars} default {}", choices[0])
        }
        Kind::Text { .. } => format!("option {name} type string"),
        Kind::Button { .. } => format!("option {name} type button"),
    })
}
