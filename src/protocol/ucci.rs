//! UCCI 3.0: the Universal Chinese Chess Interface.

use super::dialect::{self, Answer, Dialect, View, per_second};
use super::options::{Column, Kind, OptionSpec, TABLE};
use chuhe_engine::search::{Bound, Info};
use chuhe_engine::types::Move;
use chuhe_engine::types::score::hundredths;
use chuhe_toolkit::player::Gesture;
use chuhe_toolkit::record::Ranks;
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

    /// Two lines: what the protocol says of time and nodes, and all of it once more beside the score and the variation,
    /// in the order in which engines of today say it. Some hosts read the one, some the other.
    ///
    /// UCCI knows no bounds: a score that is one is shown to debuggers only, as a remark.
    fn info(&self, info: &Info, view: &View) -> Vec<String> {
        let (depth, score, ranks) = (info.depth, hundredths(info.score), view.ranks);
        let word = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("fails high"),
            Bound::Upper => Some("fails low"),
        };
        if let Some(word) = word {
            if !view.debug {
                return Vec::new();
            }
            let pv = dialect::line("pv", info.pv, ranks);
            return vec![self.message(&format!("depth {depth} {word} at {score}{pv}"))];
        }
        let which = if view.multi_pv { format!(" multipv {}", info.multipv) } else { String::new() };
        let (nodes, time, nps) = (info.nodes, info.time.as_millis(), per_second(info.nodes, info.time));
        let pv = dialect::line("pv", info.pv, ranks);
        let mut lines = vec![
            self.totals(info.time, info.nodes),
            format!("info depth {depth}{which} score {score} nodes {nodes} nps {nps} time {time}{pv}"),
        ];
        if view.debug {
            let (seldepth, hashfull, hits) = (info.seldepth, info.hashfull, info.table_hits);
            lines.push(self.message(&format!("seldepth {seldepth} hashfull {hashfull} tbhits {hits}")));
        }
        lines
    }

    fn totals(&self, time: Duration, nodes: u64) -> String {
        format!("info time {} nodes {nodes}", time.as_millis())
    }

    fn current_move(&self, _depth: u32, mv: Move, _number: usize, ranks: Ranks) -> String {
        format!("info currmove {}", ranks.write(mv))
    }

    fn message(&self, text: &str) -> String {
        format!("info message {text}")
    }

    fn best_move(&self, answer: &Answer, ranks: Ranks) -> String {
        let Some(best) = answer.best else { return String::from("nobestmove") };
        let gesture = match answer.gesture {
            Gesture::None => "",
            Gesture::Draw => " draw",
            Gesture::Resign => " resign",
        };
        dialect::best_and_reply(best, answer, ranks) + gesture
    }

    fn nothing_to_stop(&self) -> Option<&'static str> {
        Some("nobestmove")
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
            // The default first, as in UCI: one host reads spins word by word, and the others take both orders.
            format!("option {name} type spin default {default} min {min} max {max}")
        }
        Kind::Combo { choices, .. } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option {name} type combo{vars} default {}", choices[0])
        }
        Kind::Text { .. } => format!("option {name} type string"),
        Kind::Button { .. } => format!("option {name} type button"),
    })
}
