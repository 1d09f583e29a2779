//! What an option is: its names, its type, its bounds, and how a value becomes a setting.

use super::option_error::OptionError;
use super::settings::Settings;
use super::splitting;
use std::path::PathBuf;

/// One option. A dialect in which it has no name does not know it.
pub struct OptionSpec {
    /// Its name in UCCI: one word in lower case.
    pub ucci: Option<&'static str>,
    /// Its name in UCI.
    pub uci: Option<&'static str>,
    /// Its type, default, bounds and effect.
    pub kind: Kind,
    /// What it does, for people.
    pub doc: &'static str,
}

/// The types of both protocols.
pub enum Kind {
    Check {
        default: bool,
        /// How to set it.
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        /// How to set it.
        set: fn(&mut Settings, i64),
    },
    /// One of several words. As shipped, it is the first: some hosts take that for granted.
    Combo {
        choices: &'static [&'static str],
        /// How to set it, by index.
        set: fn(&mut Settings, usize),
    },
    /// Any text; empty as shipped.
    Text {
        /// How to set it.
        set: fn(&mut Settings, PathBuf),
    },
    Button {
        press: fn(&mut Settings),
    },
}

/// Which column of names counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Ucci,
    Uci,
}

impl Column {
    pub fn other(self) -> Column {
        match self {
            Column::Ucci => Column::Uci,
            Column::Uci => Column::Ucci,
        }
    }
}

impl OptionSpec {
    /// Its name in a dialect.
    pub fn name(&self, column: Column) -> Option<&'static str> {
        match column {
            Column::Ucci => self.ucci,
            Column::Uci => self.uci,
        }
    }

    /// Reads a value and applies it. A button takes none.
    pub fn set(&self, name: &str, value: &[u8], settings: &mut Settings) -> Result<(), OptionError> {
        let text = splitting::text(value.trim_ascii()).into_owned();
        let bad = || (name.to_string(), splitting::clip(&text));
        match self.kind {
            Kind::Check { set, .. } => match text.to_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => set(settings, true),
                "false" | "off" | "no" | "0" => set(settings, false),
                _ => {
                    let (name, value) = bad();
                    return Err(OptionError::NotACheck { name, value });
                }
            },
            Kind::Spin { min, max, set, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let (name, value) = bad();
                set(settings, number.ok_or(OptionError::NotInRange { name, value, min, max })?);
            }
            Kind::Combo { choices, set, .. } => {
                let chosen = choices.iter().position(|choice| choice.eq_ignore_ascii_case(&text));
                let (name, value) = bad();
                set(settings, chosen.ok_or(OptionError::NoChoice { name, value, choices })?);
            }
            Kind::Text { set } => set(settings, splitting::path(value.trim_ascii())),
            Kind::Button { press } => press(settings),
        }
        Ok(())
    }

    /// Sets it as it is shipped.
    pub fn apply_default(&self, settings: &mut Settings) {
        match self.kind {
            Kind::Check { default, set } => set(settings, default),
            Kind::Spin { default, set, .. } => set(settings, default),
            Kind::Combo { set, .. } => set(settings, 0),
            Kind::Text { set } => set(settings, PathBuf::new()),
            Kind::Button { .. } => {}
        }
    }
}
