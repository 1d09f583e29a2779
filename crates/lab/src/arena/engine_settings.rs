//! Settings of an in-process engine, read from a TOML file for `--self`.
//!
//! ```toml
//! name = "wide"            # default: the name of the file
//! hash_mb = 64
//! nodes = 5000             # or depth, movetime, tc: its own budget
//! pruning = "medium"       # none, small, medium, large; knowledge likewise
//! style = "risky"          # solid, normal, risky
//! randomness = 0
//! skill = 20.0
//! ```

use super::parse::{SpecError, bad_value, parse_budget, parse_in, parse_number};
use super::spec::{Budget, EngineSource, EngineSpec, InProcessSpec};
use chuhe_engine::search::{Level, Style};
use chuhe_support::files::{At, FileError, read_text};
use chuhe_support::language::{Phrase, phrase, tr};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Why a settings file cannot be used.
#[derive(Debug, Error)]
pub enum EngineSettingsError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// It is not TOML.
    #[error(transparent)]
    Toml(#[from] FileError<TomlError>),
    /// A key or value is invalid.
    #[error(transparent)]
    Spec(#[from] FileError<SpecError>),
}

/// A TOML syntax error in one line; the library's own message has several.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("line {line} is no TOML: {what}", line, what))]
pub struct TomlError {
    line: usize,
    what: String,
}

/// Parses a TOML text.
pub fn read_toml(text: &str) -> Result<Spanned<DeTable<'_>>, TomlError> {
    DeTable::parse(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        TomlError { line: before.matches('\n').count() + 1, what: error.message().to_string() }
    })
}

/// The known keys.
const KEYS: &str = "name, hash_mb, threads, overhead_ms, pruning, knowledge, style, randomness, skill, idle, tc, \
     movetime, nodes, depth, [tune]";

/// Reads a settings file.
pub fn read_engine_settings(path: &Path) -> Result<EngineSpec, EngineSettingsError> {
    let text = read_text(path).at(path)?;
    let table = read_toml(&text).at(path)?;
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(parse_settings(table.get_ref(), stem).at(path)?)
}

fn parse_settings(table: &DeTable, mut name: String) -> Result<EngineSpec, SpecError> {
    let mut inner = InProcessSpec::default();
    let mut budget: Option<Budget> = None;
    for (key, value) in table {
        let key: &str = key.get_ref();
        if let ("tune", DeValue::Table(constants)) = (key, value.get_ref()) {
            for (constant, value) in constants {
                let value = parse_number(
                    constant.get_ref(),
                    &toml_scalar(constant.get_ref(), value.get_ref())?,
                    phrase!("a whole number"),
                )?;
                inner.tune.insert(constant.get_ref().to_string(), value);
            }
            continue;
        }
        let value = toml_scalar(key, value.get_ref())?;
        match key {
            "name" => name = value,
            "tc" | "movetime" | "nodes" | "depth" => budget = Some(parse_budget(key, &value)?),
            _ => set_option(&mut inner, key, &value)?,
        }
    }
    Ok(EngineSpec { name, driver: EngineSource::InProcess(inner), budget })
}

/// Sets one search option.
fn set_option(inner: &mut InProcessSpec, key: &str, value: &str) -> Result<(), SpecError> {
    let options = &mut inner.options;
    match key {
        "hash_mb" => inner.hash_mb = parse_in(key, value, 1..=1 << 20, phrase!("a number of megabytes"))?,
        "threads" => options.threads = parse_in(key, value, 1..=1024, phrase!("a number from 1 to 1024"))?,
        "overhead_ms" => {
            let wanted = phrase!("a number of milliseconds up to 10000");
            options.overhead = Duration::from_millis(parse_in(key, value, 0..=10_000, wanted)?);
        }
        "pruning" => options.pruning = level(key, value)?,
        "knowledge" => options.knowledge = level(key, value)?,
        "style" => {
            let styles = [("solid", Style::Solid), ("normal", Style::Normal), ("risky", Style::Risky)];
            options.style = word(key, value, &styles, phrase!("solid, normal or risky"))?;
        }
        "randomness" => options.randomness = parse_in(key, value, 0..=10_000, phrase!("a number of points"))?,
        "skill" => options.skill = parse_in(key, value, 0.0..=20.0, phrase!("a number from 0 to 20"))?,
        "idle" => options.idle = parse_in(key, value, 0.0..=0.9, phrase!("a number from 0 to 0.9"))?,
        _ => return Err(SpecError::UnknownKey { key: key.to_string(), known: KEYS }),
    }
    Ok(())
}

/// The value of a word.
fn word<T: Copy>(key: &str, value: &str, words: &[(&str, T)], wanted: Phrase) -> Result<T, SpecError> {
    let known = words.iter().find(|(word, _)| *word == value);
    known.map(|(_, meaning)| *meaning).ok_or_else(|| bad_value(key, value, wanted))
}

fn level(key: &str, value: &str) -> Result<Level, SpecError> {
    let levels = [("none", Level::None), ("small", Level::Small), ("medium", Level::Medium), ("large", Level::Large)];
    word(key, value, &levels, phrase!("none, small, medium or large"))
}

/// A TOML value as command line text.
pub fn toml_scalar(key: &str, value: &DeValue) -> Result<String, SpecError> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_string()),
        DeValue::Boolean(flag) => Ok(flag.to_string()),
        other => Err(bad_value(key, other.type_str(), phrase!("a string, a decimal number, true or false"))),
    }
}
