//! Reads a tournament from a TOML file.
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
//! The file is turned into words of a command line; those that the command line itself does not set are added to it.

use super::args::ArenaArgs;
use crate::cli::clap_errors;
use chuhe_lab::arena::parse::{EngineSettingsError, EngineSpecBuilder, SpecError, bad_value, read_toml, toml_scalar};
use chuhe_lab::arena::spec::EngineSpec;
use chuhe_support::files::{At, read_text};
use chuhe_support::language::{phrase, tr};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id};
use std::ffi::OsString;
use std::path::Path;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// What is wrong with a configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error(transparent)]
    File(#[from] EngineSettingsError),
    #[error("{}", tr!("{file}: {message}", file, message))]
    Option { file: String, message: String },
}

/// An option of the file: its long name, and the equivalent word of the command line.
type ConfigOption = (String, String);

/// The options of the command line, merged with those of their configuration file if they name one. `program` parses
/// them.
pub fn merge_config(args: ArenaArgs, program: Command, mut words: Vec<OsString>) -> Result<ArenaArgs, ConfigError> {
    let Some(path) = &args.tournament.config else { return Ok(args) };
    let (options, engines) = read(path)?;
    let refusal = |error: clap::Error| {
        let file = path.display().to_string();
        ConfigError::Option { file, message: clap_errors::problem(&error) }
    };
    let of_arena = |words: Vec<OsString>| -> Result<ArgMatches, ConfigError> {
        let mut matches = program.clone().try_get_matches_from(words).map_err(refusal)?;
        Ok(matches.remove_subcommand().map(|(_, matches)| matches).unwrap_or_default())
    };
    let given = of_arena(words.clone())?;
    let own = ArenaArgs::augment_args(Command::new("configuration").no_binary_name(true));
    // Parsed alone first, so that errors in the file are not reported as errors of the command line.
    own.clone().try_get_matches_from(options.iter().map(|(_, word)| word)).map_err(refusal)?;
    let left_open = |(key, _): &ConfigOption| is_unset(&own, &given, key);
    words.extend(options.into_iter().filter(left_open).map(|(_, word)| word.into()));
    let mut all = ArenaArgs::from_arg_matches(&of_arena(words)?).map_err(refusal)?;
    all.tournament.engines.extend(engines);
    Ok(all)
}

/// Whether the command line sets neither this option nor one that replaces it.
fn is_unset(own: &Command, given: &ArgMatches, key: &str) -> bool {
    let is_given = |id: &Id| given.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let Some(arg) = own.get_arguments().find(|arg| arg.get_long() == Some(key)) else { return true };
    let adds = matches!(arg.get_action(), ArgAction::Append);
    let groups = own.get_groups().filter(|group| !ArgGroup::clone(group).is_multiple());
    let mut instead = groups.filter(|group| group.get_args().any(|id| id == arg.get_id()));
    (adds || !is_given(arg.get_id())) && !instead.any(|group| group.get_args().any(is_given))
}

fn read(path: &Path) -> Result<(Vec<ConfigOption>, Vec<EngineSpec>), ConfigError> {
    let text = read_text(path).at(path).map_err(EngineSettingsError::from)?;
    let table = read_toml(&text).at(path).map_err(EngineSettingsError::from)?;
    Ok(translate(table.get_ref()).at(path).map_err(EngineSettingsError::from)?)
}

fn translate(table: &DeTable) -> Result<(Vec<ConfigOption>, Vec<EngineSpec>), SpecError> {
    let mut options = Vec::new();
    let mut engines = Vec::new();
    for (key, value) in table {
        let key: &str = key.get_ref();
        let mut add = |value: &str| options.push((key.to_string(), format!("--{key}={value}")));
        match (key, value.get_ref()) {
            ("engine", DeValue::Array(tables)) => {
                for value in tables.iter() {
                    let DeValue::Table(table) = value.get_ref() else {
                        return Err(bad_value(key, value.get_ref().type_str(), phrase!("a table")));
                    };
                    engines.push(engine(table)?);
                }
            }
            ("engine" | "config", other) => {
                return Err(bad_value(key, other.type_str(), phrase!("[[engine]] tables")));
            }
            (_, DeValue::Boolean(false)) => {}
            (_, DeValue::Boolean(true)) => options.push((key.to_string(), format!("--{key}"))),
            (_, DeValue::Array(values)) => {
                for value in values.iter() {
                    add(&toml_scalar(key, value.get_ref())?);
                }
            }
            (_, DeValue::Table(table)) => {
                let pair = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
                    let key: &std::borrow::Cow<str> = key.get_ref();
                    Ok(format!("{key}={}", toml_scalar(key, value.get_ref())?))
                };
                let pairs: Vec<String> = table.iter().map(pair).collect::<Result<_, SpecError>>()?;
                add(&pairs.join(","));
            }
            (_, value) => add(&toml_scalar(key, value)?),
        }
    }
    Ok((options, engines))
}

fn engine(table: &DeTable) -> Result<EngineSpec, SpecError> {
    let mut builder = EngineSpecBuilder::default();
    for (key, value) in table {
        let key: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Array(words) if key == "cmd" => {
                let words = words.iter().map(|word| toml_scalar(key, word.get_ref()));
                builder.set_words(words.collect::<Result<_, _>>()?);
            }
            DeValue::Array(values) => {
                for value in values.iter() {
                    builder.set(key, &toml_scalar(key, value.get_ref())?)?;
                }
            }
            DeValue::Table(options) if key == "option" => {
                for (name, value) in options {
                    let name: &str = name.get_ref();
                    builder.set(&format!("option.{name}"), &toml_scalar(name, value.get_ref())?)?;
                }
            }
            value => builder.set(key, &toml_scalar(key, value)?)?,
        }
    }
    builder.build()
}
