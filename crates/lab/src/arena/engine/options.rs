//! The options that an engine announces, and the check of settings against them. An engine that ignores or changes a
//! setting would not play as the tournament specifies.

use crate::arena::spec::EngineProtocol;
use chuhe_support::language::tr;
use thiserror::Error;

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
pub fn find<'a>(announced: &'a [EngineOption], name: &str) -> Option<&'a EngineOption> {
    announced.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Checks settings against the announced options.
pub fn check_settings(announced: &[EngineOption], settings: &[(String, String)]) -> Result<(), OptionMismatch> {
    for (name, value) in settings {
        let option = find(announced, name).ok_or_else(|| OptionMismatch::Unknown {
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
