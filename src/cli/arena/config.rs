//! A tournament in a TOML file.
//!
//! ```toml
//! games = 20                # any long option of `chuhe arena`
//! tc = "10+0.1"
//! sprt = { elo0 = 0, elo1 = 5 }
//! gauntlet = true
//!
//! [[engine]]                # any key of --engine
//! name = "fairy"
//! cmd = "fairy-stockfish"  # or ["/My Engines/fairy", "--quiet"], word by word
//! arg = ["bench"]
//! option = { UCI_Variant = "xiangqi" }
//! ```
//!
//! The file is turned into the words of a command line and read by its reader, so that both know the same.

use super::args::ArenaArgs;
use crate::arena::parse::{EngineBuilder, SpecError, bad};
use crate::arena::settings::{SettingsError, scalar};
use crate::arena::spec::EngineSpec;
use crate::files::At;
use clap::{Args, FromArgMatches};
use std::path::Path;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// What is wrong with a configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// It cannot be read, is not TOML, or holds an engine that makes no sense.
    #[error(transparent)]
    File(#[from] SettingsError),
    /// An option that the command line would not take either.
    #[error("{file}: {message}")]
    Option {
        /// The file.
        file: String,
        /// What the command line says about it.
        message: String,
    },
}

/// Reads a configuration.
pub fn read(path: &Path) -> Result<ArenaArgs, ConfigError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).at(path).map_err(SettingsError::from)?;
    let table = DeTable::parse(&text).at(path).map_err(SettingsError::from)?;
    let (words, engines) = translate(table.get_ref()).at(path).map_err(SettingsError::from)?;
    let command = ArenaArgs::augment_args(clap::Command::new("configuration").no_binary_name(true));
    let option = |error: clap::Error| {
        // The first line says what is wrong; the rest is about the usage of a command.
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or("").trim_start_matches("error: ").to_string();
        ConfigError::Option { file: file.clone(), message }
    };
    let matches = command.try_get_matches_from(words).map_err(option)?;
    let args = ArenaArgs::from_arg_matches(&matches).map_err(option)?;
    Ok(ArenaArgs { engines, ..args })
}

fn translate(table: &DeTable) -> Result<(Vec<String>, Vec<EngineSpec>), SpecError> {
    let mut words = Vec::new();
    let mut engines = Vec::new();
    for (key, value) in table {
        let key: &str = key.get_ref();
        match (key, value.get_ref()) {
            ("engine", DeValue::Array(tables)) => {
                for value in tables.iter() {
                    let DeValue::Table(table) = value.get_ref() else {
                        return Err(bad(key, value.get_ref().type_str(), "a table"));
                    };
                    engines.push(engine(table)?);
                }
            }
            ("engine" | "config", other) => return Err(bad(key, other.type_str(), "[[engine]] tables")),
            (_, DeValue::Boolean(false)) => {}
            (_, DeValue::Boolean(true)) => words.push(format!("--{key}")),
            (_, DeValue::Array(values)) => {
                for value in values.iter() {
                    words.push(format!("--{key}={}", scalar(key, value.get_ref())?));
                }
            }
            (_, DeValue::Table(table)) => {
                let pair = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
                    let key: &std::borrow::Cow<str> = key.get_ref();
                    Ok(format!("{key}={}", scalar(key, value.get_ref())?))
                };
                let pairs: Vec<String> = table.iter().map(pair).collect::<Result<_, SpecError>>()?;
                words.push(format!("--{key}={}", pairs.join(",")));
            }
            (_, value) => words.push(format!("--{key}={}", scalar(key, value)?)),
        }
    }
    Ok((words, engines))
}

fn engine(table: &DeTable) -> Result<EngineSpec, SpecError> {
    let mut builder = EngineBuilder::default();
    for (key, value) in table {
        let key: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Array(words) if key == "cmd" => {
                let words = words.iter().map(|word| scalar(key, word.get_ref()));
                builder.set_words(words.collect::<Result<_, _>>()?);
            }
            DeValue::Array(values) => {
                for value in values.iter() {
                    builder.set(key, &scalar(key, value.get_ref())?)?;
                }
            }
            DeValue::Table(options) if key == "option" => {
                for (name, value) in options {
                    let name: &str = name.get_ref();
                    builder.set(&format!("option.{name}"), &scalar(name, value.get_ref())?)?;
                }
            }
            value => builder.set(key, &scalar(key, value)?)?,
        }
    }
    builder.build()
}
