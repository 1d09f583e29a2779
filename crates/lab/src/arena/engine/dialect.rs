//! UCCI and UCI from the host's side: writes commands, parses `bestmove` and `info` lines.
//!
//! The options that an engine announces, and the check of settings against them. An engine that ignores or changes a
//! setting would not play as the tournament specifies.

use super::{EngineScore, MoveChoice, MoveRequest};
use crate::arena::spec::{Budget, EngineProtocol, RankBase};
use chuhe_engine::score::{self, Score};
use chuhe_support::language::tr;
use std::fmt::Write;
use std::time::Duration;
use thiserror::Error;
use xiangqi::{Color, Move};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove {
    pub choice: MoveChoice,
    pub draw: bool,
    /// The expected reply.
    pub expects: Option<Move>,
}

impl BestMove {
    const RESIGNATION: BestMove = BestMove { choice: MoveChoice::Resign, draw: false, expects: None };
}

/// Protocol details of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineDialect {
    pub protocol: EngineProtocol,
    pub ranks: RankBase,
    /// Whether times are in milliseconds (UCI always, UCCI after `usemillisec`).
    pub milliseconds: bool,
}

impl EngineDialect {
    /// The `setoption` command; buttons have no value.
    pub fn setoption_command(&self, name: &str, value: Option<&str>) -> String {
        match (self.protocol, value) {
            (EngineProtocol::Ucci, None) => format!("setoption {name}\n"),
            (EngineProtocol::Ucci, Some(value)) => format!("setoption {name} {value}\n"),
            (EngineProtocol::Uci, None) => format!("setoption name {name}\n"),
            (EngineProtocol::Uci, Some(value)) => format!("setoption name {name} value {value}\n"),
        }
    }

    /// The `position` and `go` commands, with the banned moves.
    pub fn position_and_go(&self, request: &MoveRequest) -> String {
        let mut text = String::with_capacity(256 + 8 * request.moves.len());
        text.push_str("position fen ");
        text.push_str(request.last_capture_fen);
        self.push_moves(&mut text, " moves", request.moves);
        text.push('\n');
        match self.protocol {
            EngineProtocol::Ucci => {
                if !request.banned.is_empty() {
                    self.push_moves(&mut text, "banmoves", request.banned);
                    text.push('\n');
                }
                self.go_ucci(request, &mut text);
            }
            EngineProtocol::Uci => {
                self.go_uci(request, &mut text);
                if !request.banned.is_empty() {
                    // UCI has no `banmoves`; `searchmoves` lists all other moves.
                    let mut others = request.position.legal_moves().to_vec();
                    others.retain(|mv| !request.banned.contains(mv));
                    self.push_moves(&mut text, " searchmoves", &others);
                }
            }
        }
        text.push('\n');
        text
    }

    /// A word with moves behind it; nothing without moves.
    fn push_moves(&self, text: &mut String, word: &str, moves: &[Move]) {
        text.push_str(if moves.is_empty() { "" } else { word });
        for &mv in moves {
            text.push(' ');
            self.ranks.push_move(text, mv);
        }
    }

    fn go_ucci(&self, request: &MoveRequest, text: &mut String) {
        text.push_str("go");
        if request.pondering {
            text.push_str(" ponder");
        } else if request.draw_offered {
            text.push_str(" draw");
        }
        let unit = |time: Duration| if self.milliseconds { time.as_millis() } else { time.as_secs().into() };
        let _ = match request.budget {
            Budget::Nodes(nodes) => write!(text, " nodes {nodes}"),
            Budget::Depth(depth) => write!(text, " depth {depth}"),
            // UCCI has no `movetime`; hosts send this instead.
            Budget::MoveTime(time) => write!(text, " time {} movestogo 1", unit(time)),
            Budget::Clock(_) => {
                for (side, prefix) in [(request.side(), ""), (!request.side(), "opp")] {
                    let Some(clock) = request.clocks[side] else { continue };
                    let _ = write!(text, " {prefix}time {}", unit(clock.left));
                    let _ = match clock.moves_to_go {
                        Some(moves) => write!(text, " {prefix}movestogo {moves}"),
                        None => write!(text, " {prefix}increment {}", unit(clock.increment)),
                    };
                }
                Ok(())
            }
        };
    }

    fn go_uci(&self, request: &MoveRequest, text: &mut String) {
        text.push_str(if request.pondering { "go ponder" } else { "go" });
        let _ = match request.budget {
            Budget::Nodes(nodes) => write!(text, " nodes {nodes}"),
            Budget::Depth(depth) => write!(text, " depth {depth}"),
            Budget::MoveTime(time) => write!(text, " movetime {}", time.as_millis()),
            Budget::Clock(_) => {
                for (side, letter) in [(Color::Red, 'w'), (Color::Black, 'b')] {
                    // An opponent without a clock gets the engine's own time.
                    let clock = request.clocks[side].or(request.clocks[!side]).unwrap_or_default();
                    let _ = write!(text, " {letter}time {}", clock.left.as_millis());
                    let _ = write!(text, " {letter}inc {}", clock.increment.as_millis());
                }
                match request.clocks[request.side()].and_then(|clock| clock.moves_to_go) {
                    Some(moves) => write!(text, " movestogo {moves}"),
                    None => Ok(()),
                }
            }
        };
    }

    /// The command after the expected move was played.
    pub fn ponderhit_command(&self, request: &MoveRequest) -> &'static str {
        match self.protocol {
            EngineProtocol::Ucci if request.draw_offered => "ponderhit draw\n",
            _ => "ponderhit\n",
        }
    }

    /// Parses `bestmove …` or `nobestmove`. `None` for other lines, an error for a malformed answer.
    pub fn parse_best_move<'a>(&self, line: &'a str) -> Option<Result<BestMove, &'a str>> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "nobestmove" => return Some(Ok(BestMove::RESIGNATION)),
            "bestmove" => {}
            _ => return None,
        }
        let Some(word) = words.next() else { return Some(Err(line)) };
        // Answers of engines without a legal move; treated as resignation.
        if matches!(word, "(none)" | "none" | "0000" | "a0a0" | "resign") {
            return Some(Ok(BestMove::RESIGNATION));
        }
        let Some(mv) = self.ranks.parse_move(word) else { return Some(Err(line)) };
        let rest: Vec<&str> = words.collect();
        if rest.contains(&"resign") {
            return Some(Ok(BestMove::RESIGNATION));
        }
        let after_ponder = rest.iter().skip_while(|word| **word != "ponder").nth(1);
        let expects = after_ponder.and_then(|word| self.ranks.parse_move(word));
        Some(Ok(BestMove { choice: MoveChoice::Move(mv), draw: rest.contains(&"draw"), expects }))
    }
}

/// Parses depth, nodes and score of an `info` line of either protocol.
pub fn parse_info(line: &str) -> EngineScore {
    let mut engine_score = EngineScore::default();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => engine_score.depth = words.next().and_then(|text| text.parse().ok()).unwrap_or(0),
            "nodes" => engine_score.nodes = words.next().and_then(|text| text.parse().ok()).unwrap_or(0),
            "score" => engine_score.score = parse_score(&mut words),
            "pv" | "string" | "message" => break,
            _ => {}
        }
    }
    engine_score
}

/// `score 12`, `score cp 12`, `score mate -3`.
fn parse_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Score> {
    match words.next()? {
        "cp" => words.next()?.parse().ok(),
        "mate" => {
            let moves: i32 = words.next()?.parse().ok()?;
            let plies = (moves.unsigned_abs().min(500) as i32 * 2 - i32::from(moves > 0)).max(0) as usize;
            Some(if moves > 0 { score::mate_in(plies) } else { score::mated_in(plies) })
        }
        plain => plain.parse().ok(),
    }
}

/// An announced option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    pub name: String,
    kind: EngineOptionKind,
}

/// The type of an option with its allowed values.
#[derive(Clone, PartialEq, Eq, Debug)]
enum EngineOptionKind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    /// A string, or an unknown type.
    Any,
}

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionMismatch {
    /// There is no such option.
    #[error("{}", tr!("it has no option '{name}', but {known}", name, known))]
    Unknown {
        name: String,
        /// The announced names.
        known: String,
    },
    /// The option does not take this value.
    #[error("{}", tr!("its option {name} cannot be '{value}': expected {wanted}", name, value, wanted))]
    Value { name: String, value: String, wanted: String },
}

impl EngineOption {
    /// Parses `option name Hash type spin default 16 min 1 max 1024`, without `name` in UCCI.
    pub fn parse(line: &str, protocol: EngineProtocol) -> Option<EngineOption> {
        let text = line.strip_prefix("option")?.trim_start();
        let text = match protocol {
            EngineProtocol::Uci => text.strip_prefix("name ")?,
            EngineProtocol::Ucci => text,
        };
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let mut words = rest.split_whitespace().peekable();
        let kind = words.next().unwrap_or("").to_ascii_lowercase();
        let (mut min, mut max, mut choices) = (i64::MIN, i64::MAX, Vec::new());
        while let Some(key) = words.next() {
            let mut value = Vec::new();
            while let Some(word) = words.next_if(|word| !matches!(*word, "min" | "max" | "var" | "default")) {
                value.push(word);
            }
            let value = value.join(" ");
            match key {
                "min" => min = value.parse().unwrap_or(min),
                "max" => max = value.parse().unwrap_or(max),
                "var" => choices.push(value),
                _ => {}
            }
        }
        let kind = match kind.as_str() {
            "check" => EngineOptionKind::Check,
            "spin" => EngineOptionKind::Spin { min, max },
            "combo" if !choices.is_empty() => EngineOptionKind::Combo(choices),
            "button" => EngineOptionKind::Button,
            _ => EngineOptionKind::Any,
        };
        Some(EngineOption { name: name.trim().to_string(), kind })
    }

    /// The choices of a combo option; empty for other types.
    pub fn choices(&self) -> &[String] {
        match &self.kind {
            EngineOptionKind::Combo(choices) => choices,
            _ => &[],
        }
    }

    fn check_value(&self, value: &str) -> Result<(), String> {
        let fits = match &self.kind {
            EngineOptionKind::Check => matches!(value, "true" | "false"),
            EngineOptionKind::Spin { min, max } => value.parse().is_ok_and(|value: i64| (*min..=*max).contains(&value)),
            EngineOptionKind::Combo(choices) => choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            EngineOptionKind::Button => value.is_empty(),
            EngineOptionKind::Any => true,
        };
        let wanted = || match &self.kind {
            EngineOptionKind::Check => tr!("true or false"),
            EngineOptionKind::Spin { min: i64::MIN, max: i64::MAX } => tr!("a whole number"),
            EngineOptionKind::Spin { min, max } => tr!("a whole number from {min} to {max}", min, max),
            EngineOptionKind::Combo(choices) => tr!("one of {choices}", choices = choices.join(", ")),
            EngineOptionKind::Button => tr!("nothing, for it is a button"),
            EngineOptionKind::Any => tr!("anything"),
        };
        if fits { Ok(()) } else { Err(wanted()) }
    }
}

/// Finds an option by name, ignoring case.
pub fn find_option<'a>(announced: &'a [EngineOption], name: &str) -> Option<&'a EngineOption> {
    announced.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Checks settings against the announced options.
pub fn check_settings(announced: &[EngineOption], settings: &[(String, String)]) -> Result<(), OptionMismatch> {
    for (name, value) in settings {
        let option = find_option(announced, name).ok_or_else(|| OptionMismatch::Unknown {
            name: name.clone(),
            known: match announced {
                [] => tr!("announces none"),
                all => all.iter().map(|option| option.name.as_str()).collect::<Vec<_>>().join(", "),
            },
        })?;
        option.check_value(value).map_err(|wanted| OptionMismatch::Value {
            name: option.name.clone(),
            value: value.clone(),
            wanted,
        })?;
    }
    Ok(())
}
