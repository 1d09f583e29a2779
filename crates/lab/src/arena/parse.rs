//! Parsers for engines, budgets and tests, as written on the command line and in configuration files.
//!
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

use super::spec::{
    Budget, DrawRule, EngineProtocol, EngineSource, EngineSpec, InProcessSpec, ProgramSpec, RankBase, ResignRule, Shard,
};
use super::stats::{EloModel, Sprt};
use chuhe_engine::search::{Level, Style};
use chuhe_support::files::{At, FileError, read_text};
use chuhe_support::language::{Phrase, phrase, tr};
use std::mem;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Why a specification cannot be parsed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SpecError {
    /// Not `key=value`.
    #[error("{}", tr!("'{text}': expected key=value", text = _0))]
    NotKeyValue(String),
    /// An unknown key.
    #[error("{}", tr!("'{key}' is not known here; known are {known}", key, known))]
    UnknownKey {
        key: String,
        /// The known keys.
        known: &'static str,
    },
    /// An invalid value.
    #[error("{}", tr!("{key}: '{value}' is not {wanted}", key, value, wanted))]
    BadValue {
        key: String,
        value: String,
        /// What is expected.
        wanted: Phrase,
    },
    /// An engine without a command.
    #[error("{}", tr!("engine '{name}': cmd is missing", name = _0))]
    MissingCommand(String),
}

/// The keys of an engine.
const ENGINE_KEYS: &str = "name, cmd, arg, dir, proto, ranks, option.NAME, tc, movetime, nodes, depth";

/// Makes a [`SpecError::BadValue`].
pub fn bad_value(key: &str, value: &str, wanted: Phrase) -> SpecError {
    SpecError::BadValue { key: key.to_string(), value: value.to_string(), wanted }
}

/// Parses a number.
pub(super) fn parse_number<T: FromStr>(key: &str, value: &str, wanted: Phrase) -> Result<T, SpecError> {
    value.parse().map_err(|_| bad_value(key, value, wanted))
}

/// Splits `a=1,b=2` at commas; `\,` and commas between double quotes belong to the value.
fn split_pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let (mut pieces, mut piece, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        quoted ^= letter == '"';
        match letter {
            ',' if !quoted => pieces.push(mem::take(&mut piece)),
            '\\' if letters.peek() == Some(&',') => piece.extend(letters.next()),
            _ => piece.push(letter),
        }
    }
    pieces.push(piece);
    pieces
        .into_iter()
        .filter(|piece| !piece.trim().is_empty())
        .map(|piece| match piece.split_once('=') {
            // Quotes in a command are handled by `command_words`.
            Some(("cmd", value)) => Ok(("cmd".to_string(), value.to_string())),
            Some((key, value)) => {
                let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                Ok((key.trim().to_string(), bare.unwrap_or(value).to_string()))
            }
            None => Err(SpecError::NotKeyValue(piece)),
        })
        .collect()
}

/// Builds an engine specification key by key.
#[derive(Default)]
pub struct EngineSpecBuilder {
    name: Option<String>,
    /// The program, optionally with arguments.
    command: String,
    program: ProgramSpec,
    budget: Option<Budget>,
}

impl EngineSpecBuilder {
    /// Sets one key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        match key {
            "name" => self.name = Some(value.to_string()),
            "cmd" => self.command = value.to_string(),
            "arg" => self.program.arguments.push(value.to_string()),
            "dir" => self.program.directory = Some(value.into()),
            "proto" => self.program.protocol = parse_protocol(value)?,
            "ranks" => self.program.ranks = Some(parse_rank_base(value)?),
            "tc" | "movetime" | "nodes" | "depth" => self.budget = Some(parse_budget(key, value)?),
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => self.program.options.push((name.to_string(), value.to_string())),
                None => return Err(SpecError::UnknownKey { key: key.to_string(), known: ENGINE_KEYS }),
            },
        }
        Ok(())
    }

    /// Sets the program and its arguments from separate words.
    pub fn set_words(&mut self, words: Vec<String>) {
        let mut words = words.into_iter();
        self.program.command = words.next().unwrap_or_default();
        self.program.arguments.splice(..0, words);
    }

    /// Builds the specification; the default name is that of the program.
    pub fn build(mut self) -> Result<EngineSpec, SpecError> {
        if self.program.command.is_empty() {
            let words = command_words(&self.command, self.program.directory.as_deref());
            self.set_words(
                words.ok_or_else(|| bad_value("cmd", &self.command, phrase!("a command with all quotes closed")))?,
            );
        }
        if self.program.command.is_empty() {
            return Err(SpecError::MissingCommand(self.name.unwrap_or_default()));
        }
        let own_name = || {
            let path = Path::new(&self.program.command);
            path.file_stem().map_or(self.program.command.clone(), |stem| stem.to_string_lossy().into_owned())
        };
        let name = self.name.clone().unwrap_or_else(own_name);
        Ok(EngineSpec { name, driver: EngineSource::Program(self.program), budget: self.budget })
    }
}

/// Splits a command into words at blanks outside quotes. A command that is the name of an existing file is one word.
/// `None` if a quote is not closed.
fn command_words(command: &str, directory: Option<&Path>) -> Option<Vec<String>> {
    let there = directory.map(|directory| directory.join(command));
    if Path::new(command).is_file() || there.is_some_and(|path| path.is_file()) {
        return Some(vec![command.to_string()]);
    }
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Parses `name=A,cmd=./a,proto=ucci,option.hashsize=64`.
pub fn parse_engine(text: &str) -> Result<EngineSpec, SpecError> {
    let mut builder = EngineSpecBuilder::default();
    for (key, value) in split_pairs(text)? {
        builder.set(&key, &value)?;
    }
    builder.build()
}

fn parse_protocol(value: &str) -> Result<Option<EngineProtocol>, SpecError> {
    match value.to_ascii_lowercase().as_str() {
        "ucci" => Ok(Some(EngineProtocol::Ucci)),
        "uci" => Ok(Some(EngineProtocol::Uci)),
        "ask" => Ok(None),
        _ => Err(bad_value("proto", value, phrase!("ucci, uci or ask"))),
    }
}

fn parse_rank_base(value: &str) -> Result<RankBase, SpecError> {
    RankBase::from_name(value).ok_or_else(|| bad_value("ranks", value, phrase!("0-9 or 1-10")))
}

/// Parses the value of `tc`, `movetime`, `nodes` or `depth`.
pub fn parse_budget(key: &str, value: &str) -> Result<Budget, SpecError> {
    Ok(match key {
        "tc" => {
            let wanted = phrase!("[MOVES/]SECONDS[+SECONDS], such as 10+0.1 or 40/60");
            Budget::Clock(parse_number(key, value, wanted)?)
        }
        "movetime" => {
            let wanted = phrase!("a number of milliseconds above 0");
            Budget::MoveTime(Duration::from_millis(parse_in(key, value, 1..=u64::MAX, wanted)?))
        }
        "nodes" => Budget::Nodes(parse_in(key, value, 1..=u64::MAX, phrase!("a number above 0"))?),
        _ => Budget::Depth(parse_in(key, value, 1..=200, phrase!("a depth from 1 to 200"))?),
    })
}

/// Parses a number within bounds.
pub(super) fn parse_in<T: FromStr + PartialOrd>(
    key: &str,
    value: &str,
    bounds: RangeInclusive<T>,
    wanted: Phrase,
) -> Result<T, SpecError> {
    let parsed = parse_number(key, value, wanted)?;
    if bounds.contains(&parsed) { Ok(parsed) } else { Err(bad_value(key, value, wanted)) }
}

/// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; these are the defaults.
pub fn parse_sprt(text: &str) -> Result<Sprt, SpecError> {
    let mut sprt = Sprt::default();
    for (key, value) in split_pairs(text)? {
        let number = |is_allowed: fn(f64) -> bool, wanted| {
            let number = parse_number(&key, &value, phrase!("a number"))?;
            if is_allowed(number) { Ok(number) } else { Err(bad_value(&key, &value, wanted)) }
        };
        let elo = || number(|elo| elo.abs() <= 2000.0, phrase!("an Elo difference"));
        let share = || number(|share| share > 0.0 && share < 0.5, phrase!("between 0 and 0.5"));
        match key.as_str() {
            "elo0" => sprt.elo0 = elo()?,
            "elo1" => sprt.elo1 = elo()?,
            "alpha" => sprt.alpha = share()?,
            "beta" => sprt.beta = share()?,
            "model" => {
                let model = [EloModel::Logistic, EloModel::Normalized].into_iter().find(|model| model.name() == value);
                sprt.model = model.ok_or_else(|| bad_value(&key, &value, phrase!("logistic or normalized")))?;
            }
            _ => return Err(SpecError::UnknownKey { key, known: "elo0, elo1, alpha, beta, model" }),
        }
    }
    if sprt.elo0 >= sprt.elo1 {
        return Err(bad_value("elo1", &sprt.elo1.to_string(), phrase!("greater than elo0")));
    }
    Ok(sprt)
}

/// Parses `2/8`.
pub fn parse_shard(text: &str) -> Result<Shard, SpecError> {
    let read = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
    text.split_once('/')
        .and_then(|(part, of)| Some(Shard { part: read(part)?, of: read(of)? }))
        .filter(|shard| shard.part <= shard.of)
        .ok_or_else(|| bad_value("shard", text, phrase!("K/N with K from 1 to N, such as 2/8")))
}

/// Parses `from=40,moves=8,score=10`.
pub fn parse_draw_rule(text: &str) -> Result<DrawRule, SpecError> {
    let mut rule = DrawRule::default();
    for (key, value) in split_pairs(text)? {
        match key.as_str() {
            "from" => rule.from_move = parse_number(&key, &value, phrase!("a move number"))?,
            "moves" => rule.moves = parse_number(&key, &value, phrase!("a number of moves"))?,
            "score" => rule.score = parse_number(&key, &value, phrase!("a score"))?,
            _ => return Err(SpecError::UnknownKey { key, known: "from, moves, score" }),
        }
    }
    Ok(DrawRule { moves: rule.moves.max(1), ..rule })
}

/// Parses `moves=4,score=800`.
pub fn parse_resign_rule(text: &str) -> Result<ResignRule, SpecError> {
    let mut rule = ResignRule::default();
    for (key, value) in split_pairs(text)? {
        match key.as_str() {
            "moves" => rule.moves = parse_number(&key, &value, phrase!("a number of moves"))?,
            "score" => rule.score = parse_number(&key, &value, phrase!("a score"))?,
            _ => return Err(SpecError::UnknownKey { key, known: "moves, score" }),
        }
    }
    Ok(ResignRule { moves: rule.moves.max(1), ..rule })
}

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
