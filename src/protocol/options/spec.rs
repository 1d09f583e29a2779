//! An option: its names in both dialects, its type and bounds, and how a value is parsed and applied to the settings.

use super::settings::Settings;
use crate::protocol::dialect::Dialect;
#[cfg(not(target_family = "wasm"))]
use crate::protocol::paths::path_from_bytes;
use crate::protocol::words;
use chuhe_support::language::tr;
use std::path::PathBuf;
use thiserror::Error;

/// Without files a path is only sent back.
#[cfg(target_family = "wasm")]
fn path_from_bytes(value: &[u8], _: &mut bool) -> PathBuf {
    String::from_utf8_lossy(value).into_owned().into()
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("{}", tr!("setoption: the option's name is missing"))]
    NoName,
    #[error("{}", tr!("option {name}: '{value}' is neither true nor false", name, value))]
    NotACheck { name: String, value: String },
    #[error("{}", tr!("option {name}: '{value}' is not a number from {min} to {max}", name, value, min, max))]
    NotInRange { name: String, value: String, min: i64, max: i64 },
    #[error("{}", tr!("option {name}: '{value}' is none of {choices}", name, value, choices = choices.join(", ")))]
    NoChoice { name: String, value: String, choices: &'static [&'static str] },
}

/// An option. It does not exist in a dialect in which it has no name.
pub struct OptionSpec {
    /// Its name in UCCI: one word in lower case.
    pub ucci: Option<&'static str>,
    /// Its name in UCI.
    pub uci: Option<&'static str>,
    /// Its type, default, bounds and effect.
    pub kind: OptionKind,
    /// The description for users.
    pub doc: &'static str,
}

/// The option types of both protocols.
pub enum OptionKind {
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Settings, i64),
    },
    /// One of several words. The first is the default: some hosts assume so.
    Combo {
        choices: &'static [&'static str],
        /// Sets the option, by index.
        set: fn(&mut Settings, usize),
    },
    /// Any text.
    Text {
        default: &'static str,
        set: fn(&mut Settings, PathBuf),
    },
    Button {
        press: fn(&mut Settings),
    },
}

pub(super) const fn check(default: bool, set: fn(&mut Settings, bool)) -> OptionKind {
    OptionKind::Check { default, set }
}

pub(super) const fn spin(default: i64, [min, max]: [i64; 2], set: fn(&mut Settings, i64)) -> OptionKind {
    OptionKind::Spin { default, min, max, set }
}

pub(super) const fn combo(choices: &'static [&'static str], set: fn(&mut Settings, usize)) -> OptionKind {
    OptionKind::Combo { choices, set }
}

pub(super) const fn text(default: &'static str, set: fn(&mut Settings, PathBuf)) -> OptionKind {
    OptionKind::Text { default, set }
}

pub(super) const fn button(press: fn(&mut Settings)) -> OptionKind {
    OptionKind::Button { press }
}

impl OptionSpec {
    /// Its name in a dialect.
    pub fn name_in(&self, column: Dialect) -> Option<&'static str> {
        match column {
            Dialect::Ucci => self.ucci,
            Dialect::Uci => self.uci,
        }
    }

    /// Its declaration for hosts.
    pub fn declaration(&self, dialect: Dialect) -> Option<String> {
        let name = self.name_in(dialect)?;
        let kind = match self.kind {
            OptionKind::Check { default, .. } => format!("check default {default}"),
            // The default first, as in UCI: one host parses spins word by word, the others accept both orders.
            OptionKind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
            OptionKind::Combo { choices, .. } => {
                let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                match dialect {
                    Dialect::Ucci => format!("combo{vars} default {}", choices[0]),
                    Dialect::Uci => format!("combo default {}{vars}", choices[0]),
                }
            }
            OptionKind::Text { .. } if dialect == Dialect::Ucci => String::from("string"),
            OptionKind::Text { default: "", .. } => String::from("string default <empty>"),
            OptionKind::Text { default, .. } => format!("string default {default}"),
            OptionKind::Button { .. } => String::from("button"),
        };
        Some(match dialect {
            Dialect::Ucci => format!("option {name} type {kind}"),
            Dialect::Uci => format!("option name {name} type {kind}"),
        })
    }

    /// Parses a value and applies it. A button takes none.
    pub fn set(&self, name: &str, value: &[u8], settings: &mut Settings) -> Result<(), OptionError> {
        let text = words::word_text(value.trim_ascii());
        let (name, value_text) = (name.to_string(), words::shortened(&text));
        match self.kind {
            OptionKind::Check { set, .. } => match text.to_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => set(settings, true),
                "false" | "off" | "no" | "0" => set(settings, false),
                _ => return Err(OptionError::NotACheck { name, value: value_text }),
            },
            OptionKind::Spin { min, max, set, .. } => {
                match text.parse().ok().filter(|number| (min..=max).contains(number)) {
                    Some(number) => set(settings, number),
                    None => return Err(OptionError::NotInRange { name, value: value_text, min, max }),
                }
            }
            OptionKind::Combo { choices, set } => {
                match choices.iter().position(|choice| choice.eq_ignore_ascii_case(&text)) {
                    Some(chosen) => set(settings, chosen),
                    None => return Err(OptionError::NoChoice { name, value: value_text, choices }),
                }
            }
            OptionKind::Text { set, .. } => {
                let path = path_from_bytes(value.trim_ascii(), &mut settings.host_sends_gbk);
                set(settings, path);
            }
            OptionKind::Button { press } => press(settings),
        }
        Ok(())
    }

    /// Sets the default.
    pub fn apply_default(&self, settings: &mut Settings) {
        match self.kind {
            OptionKind::Check { default, set } => set(settings, default),
            OptionKind::Spin { default, set, .. } => set(settings, default),
            OptionKind::Combo { set, .. } => set(settings, 0),
            OptionKind::Text { default, set } => set(settings, PathBuf::from(default)),
            OptionKind::Button { .. } => {}
        }
    }
}
