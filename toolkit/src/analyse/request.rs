//! Queries written as JSON, an object each, as scripts and pages send them: what is asked, and what is wrong with it, told
//! with the field that is wrong. `docs/scripts.md` describes the fields.

use super::query::{Measure, Query, Task, threat};
use super::spot::Spot;
use crate::record::{Ranks, Setup, SetupError, notation};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::rules::{RuleSet, Rules};
use chuhe_engine::types::Move;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use std::time::Duration;
use thiserror::Error;

/// A game has no more plies; a longer list is a mistake.
const MOST_MOVES: usize = 5_000;
/// The most lines that may be asked for.
pub const MOST_LINES: usize = 128;
/// The deepest search, and the longest mate, that may be asked for.
pub const DEEPEST: u32 = 200;
pub const LONGEST_MATE: u32 = 100;
/// The longest time, in milliseconds: a day.
pub const LONGEST_TIME: u64 = 86_400_000;

/// What somebody sends.
pub enum Request {
    /// Questions about spots of one game, in the order in which they are asked.
    Ask(Asking),
    /// Give up what has this id.
    Terminate { id: Value, which: Value },
    /// Give up everything.
    TerminateAll { id: Value },
    /// Say who you are.
    Version { id: Value },
}

/// Questions about spots of one game.
pub struct Asking {
    pub id: Value,
    pub priority: i64,
    pub queries: Vec<Query>,
}

/// What was read, and the fields that nobody knows.
pub struct Heard {
    pub request: Request,
    pub unknown: Vec<String>,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Complaint {
    /// No JSON at all.
    #[error("{}", tr!("no JSON: {reason}", reason = _0))]
    NoJson(String),
    /// JSON of another kind.
    #[error("{}", tr!("expected an object"))]
    NoObject,
    /// It must be there.
    #[error("{}", tr!("is missing"))]
    Missing,
    /// It has another type or value.
    #[error("{}", tr!("expected {what}", what = _0))]
    Expected(String),
    /// There is no such position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A move cannot be played there.
    #[error(transparent)]
    Move(#[from] notation::NotationError),
    /// The game is shorter.
    #[error("{}", tr!("there is no position after {asked} plies: the game has {there}", asked, there))]
    Ply { asked: u64, there: usize },
    /// More moves than any game has.
    #[error("{}", tr!("more than {count} moves", count = _0))]
    TooLong(usize),
    /// Moves belong to one position.
    #[error("{}", tr!("stands with one position only"))]
    ManyPositions,
    /// Nothing is left to search.
    #[error("{}", tr!("leaves no move"))]
    NoMove,
    /// In check nobody can pass.
    #[error("{}", tr!("the side to move is in check"))]
    InCheck,
    /// Only one of two can be.
    #[error("{}", tr!("does not go with {field}", field = _0))]
    Conflict(&'static str),
}

/// What is wrong with a request: whose, in which field.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", .what)]
pub struct RequestError {
    /// Null if none could be read.
    pub id: Value,
    pub field: Option<String>,
    pub what: Complaint,
}

/// The fields of an object, each taken when it is read.
struct Fields {
    id: Value,
    left: Map<String, Value>,
}

impl Fields {
    /// The value of a field, as this function reads it; nothing if it is not there, or null.
    fn take<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, Complaint>,
    ) -> Result<Option<T>, RequestError> {
        match self.left.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(&value).map(Some).map_err(|what| self.error(name, what)),
        }
    }

    fn error(&self, field: &str, what: impl Into<Complaint>) -> RequestError {
        RequestError { id: self.id.clone(), field: Some(field.to_string()), what: what.into() }
    }

    fn number(&mut self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, RequestError> {
        self.take(name, |value| {
            let expected = || {
                Complaint::Expected(tr!(
                    "a number from {least} to {most}",
                    least = range.start(),
                    most = range.end()
                ))
            };
            value.as_u64().filter(|number| range.contains(number)).ok_or_else(expected)
        })
    }

    fn flag(&mut self, name: &str) -> Result<bool, RequestError> {
        let flag = self
            .take(name, |value| value.as_bool().ok_or_else(|| Complaint::Expected(tr!("true or false"))))?;
        Ok(flag.unwrap_or(false))
    }
}

/// What can name a request: a text that is not long, or a number.
fn as_id(value: &Value) -> Result<Value, Complaint> {
    let is_id = value.as_str().is_some_and(|text| text.len() <= 1000) || value.is_i64() || value.is_u64();
    if is_id { Ok(value.clone()) } else { Err(Complaint::Expected(tr!("a text or a number"))) }
}

impl Request {
    pub fn id(&self) -> &Value {
        match self {
            Request::Ask(Asking { id, .. })
            | Request::Terminate { id, .. }
            | Request::TerminateAll { id }
            | Request::Version { id } => id,
        }
    }

    /// Reads a line; what it does not say is as in the query `usual`.
    pub fn read(line: &[u8], usual: &Query) -> Result<Heard, RequestError> {
        let bare = |what| RequestError { id: Value::Null, field: None, what };
        let value: Value =
            serde_json::from_slice(line).map_err(|error| bare(Complaint::NoJson(error.to_string())))?;
        let Value::Object(left) = value else { return Err(bare(Complaint::NoObject)) };
        let mut fields = Fields { id: Value::Null, left };
        let id = fields.left.remove("id").ok_or_else(|| fields.error("id", Complaint::Missing))?;
        let id = as_id(&id).map_err(|what| fields.error("id", what))?;
        fields.id = id.clone();
        let action = fields.take("action", |value| {
            let known = ["terminate", "terminate_all", "version"];
            let action = known.into_iter().find(|known| value.as_str() == Some(known));
            action.ok_or_else(|| Complaint::Expected(tr!("terminate, terminate_all or version")))
        })?;
        let request = match action {
            None => Request::Ask(ask(&mut fields, usual)?),
            Some("terminate") => {
                let which = fields.take("terminate", as_id)?;
                let which = which.ok_or_else(|| fields.error("terminate", Complaint::Missing))?;
                Request::Terminate { id, which }
            }
            Some("terminate_all") => Request::TerminateAll { id },
            Some(_) => Request::Version { id },
        };
        Ok(Heard { request, unknown: fields.left.into_iter().map(|(name, _)| name).collect() })
    }
}

fn ask(fields: &mut Fields, usual: &Query) -> Result<Asking, RequestError> {
    let priority = fields
        .take("priority", |value| value.as_i64().ok_or_else(|| Complaint::Expected(tr!("a whole number"))))?;
    let spots = spots(fields)?;
    let mut query = usual.clone();
    query.rules = rules(fields, usual.rules)?;
    if let Some(lines) = fields.number("lines", 1..=MOST_LINES as u64)? {
        query.lines = lines as usize;
    }
    if let Some(every) = fields.number("every_ms", 0..=LONGEST_TIME)? {
        query.every = Some(Duration::from_millis(every));
    }
    query.afresh = !fields.flag("remember")?;
    measure(fields, &mut query)?;
    let position = spots[0].position();
    for (name, only) in [("only", true), ("avoid", false)] {
        let Some(moves) = fields.take(name, |value| moves_here(value, &position))? else { continue };
        if spots.len() > 1 && !moves.is_empty() {
            return Err(fields.error(name, Complaint::ManyPositions));
        }
        if only { query.only = moves } else { query.avoid = moves }
    }
    let about = |spot| Query { spot, ..query.clone() };
    let queries: Vec<Query> = spots.into_iter().map(about).collect();
    if !queries[0].leaves_a_move() {
        return Err(fields.error("avoid", Complaint::NoMove));
    }
    Ok(Asking { id: fields.id.clone(), priority: priority.unwrap_or(0), queries })
}

/// Where somebody looks: one spot at least.
fn spots(fields: &mut Fields) -> Result<Vec<Spot>, RequestError> {
    let text =
        |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| Complaint::Expected(tr!("a text")));
    let setup = Setup::of_line(&fields.take("position", text)?.unwrap_or_default());
    let before = setup.moves.len();
    let moves = fields.take("moves", words)?.unwrap_or_default();
    let setup = Setup { moves: [setup.moves, moves].concat(), ..setup };
    if setup.moves.len() > MOST_MOVES {
        return Err(fields.error("moves", Complaint::TooLong(MOST_MOVES)));
    }
    let position = setup.position().map_err(|error| {
        let in_moves = matches!(error, SetupError::NotAMove { number, .. } | SetupError::Illegal { number, .. } if number > before);
        fields.error(if in_moves { "moves" } else { "position" }, error)
    })?;
    let end = Spot::of(&position);
    let plies = fields.take("plies", |value| plies(value, &end))?;
    let spots = plies.unwrap_or_else(|| vec![end]);
    if !fields.flag("threat")? {
        return Ok(spots);
    }
    let turned = |spot: &Spot| threat(&spot.position()).map(|position| Spot::of(&position));
    let threats: Option<Vec<Spot>> = spots.iter().map(turned).collect();
    threats.ok_or_else(|| fields.error("threat", Complaint::InCheck))
}

/// The spots of a game after these plies, or all of them.
fn plies(value: &Value, end: &Spot) -> Result<Vec<Spot>, Complaint> {
    let wanted = || Complaint::Expected(tr!("\"all\", or a list of plies"));
    match value {
        Value::String(all) if all == "all" => Ok(end.all().collect()),
        Value::Array(list) if !list.is_empty() && list.len() <= MOST_MOVES => list
            .iter()
            .map(|ply| {
                let asked = ply.as_u64().ok_or_else(wanted)?;
                let spot = usize::try_from(asked).ok().and_then(|ply| end.at(ply));
                spot.ok_or(Complaint::Ply { asked, there: end.plies() })
            })
            .collect(),
        _ => Err(wanted()),
    }
}

fn rules(fields: &mut Fields, usual: Rules) -> Result<Rules, RequestError> {
    let set = fields.take("rules", |value| {
        let names = || RuleSet::ALL.map(RuleSet::name).join(", ");
        let set = value.as_str().and_then(|name| name.parse::<RuleSet>().ok());
        set.ok_or_else(|| Complaint::Expected(tr!("one of {names}", names = names())))
    })?;
    let limit = fields.number("natural_limit", 0..=10_000)?.map(|limit| limit as usize);
    Ok(match (set, limit) {
        (None, None) => usual,
        (set, limit) => Rules::with_limit(set.unwrap_or(usual.set), limit),
    })
}

/// What the answer may take. Whoever names a limit gets no other; nobody need name one.
fn measure(fields: &mut Fields, query: &mut Query) -> Result<(), RequestError> {
    let named = Measure {
        time: fields.number("time_ms", 1..=LONGEST_TIME)?.map(Duration::from_millis),
        nodes: fields.number("nodes", 1..=u64::MAX)?,
        depth: fields.number("depth", 1..=DEEPEST.into())?.map(|depth| depth as u32),
    };
    let mate = fields.number("mate", 1..=LONGEST_MATE.into())?.map(|moves| moves as u32);
    let (evaluates, infinite) = (fields.flag("evaluate")?, fields.flag("infinite")?);
    if evaluates && mate.is_some() {
        return Err(fields.error("evaluate", Complaint::Conflict("mate")));
    }
    if infinite && !named.is_endless() {
        return Err(fields.error("infinite", Complaint::Conflict("time_ms, nodes, depth")));
    }
    if let Some(moves) = mate {
        query.task = Task::Mate(moves);
    } else if evaluates {
        query.task = Task::Evaluate;
    }
    if infinite || mate.is_some() || !named.is_endless() {
        query.measure = named;
    }
    Ok(())
}

/// Moves as a list, or as a text with blanks between them.
fn words(value: &Value) -> Result<Vec<String>, Complaint> {
    let wanted = || Complaint::Expected(tr!("moves: a list, or a text with blanks between them"));
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(str::to_string).collect()),
        Value::Array(list) => {
            list.iter().map(|word| word.as_str().map(str::to_string).ok_or_else(wanted)).collect()
        }
        _ => Err(wanted()),
    }
}

/// Moves that can be played in this position, in any notation.
fn moves_here(value: &Value, position: &Position) -> Result<Vec<Move>, Complaint> {
    let read = |word: &String| Ok(notation::read_in(position, word, Ranks::FromZero)?);
    words(value)?.iter().map(read).collect()
}
