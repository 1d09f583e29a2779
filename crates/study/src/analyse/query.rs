//! A query: which position, by which rules, how many lines, within which limits.
//!
//! A position is given as a ply of a game, because the verdict on a repetition depends on the moves before. Positions
//! of the same game share its moves.

use chuhe_engine::search::Limits;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use xiangqi::{Move, Position, RuleSet, Rules, Setup};
use xiangqi_record::{PositionSpec, PositionSpecError, notation};

/// The task of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueryTask {
    /// Search it.
    #[default]
    Search,
    /// Static evaluation only.
    Evaluate,
    /// Search for a mate in at most this many moves.
    Mate(u32),
}

/// The limits of a search; all that are set apply. With none set it runs until cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchBudget {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl SearchBudget {
    /// Whether only cancellation ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == SearchBudget::default()
    }
}

with_values! {
    /// A query about a position.
    #[derive(Clone)]
    pub struct Query {
        pub position: GamePosition = position,
        pub rules: Rules = Rules::default(),
        pub task: QueryTask = QueryTask::default(),
        pub budget: SearchBudget = SearchBudget::default(),
        /// The number of lines (MultiPV).
        pub lines: usize = 1,
        /// Root moves to search; empty = all.
        pub include_moves: Vec<Move> = Vec::new(),
        /// Root moves to exclude.
        pub exclude_moves: Vec<Move> = Vec::new(),
        /// The minimum interval between partial updates; `None` = no partial updates.
        pub report_interval: Option<Duration> = None,
        /// Clear the hash table first, so that the result does not depend on earlier queries.
        pub clear_hash: bool = false,
    }
    /// A query at the end of a line: one line, no limits, default rules.
    pub fn new(position: GamePosition);
}

impl Query {
    /// Whether only cancellation ends the query.
    pub fn is_infinite(&self) -> bool {
        self.task == QueryTask::Search && self.budget.is_infinite()
    }

    /// Whether `include_moves` and `exclude_moves` leave a move to search.
    pub fn has_candidates(&self) -> bool {
        let is_left = |mv: Move| {
            (self.include_moves.is_empty() || self.include_moves.contains(&mv)) && !self.exclude_moves.contains(&mv)
        };
        self.exclude_moves.is_empty() || self.position.position().legal_moves().into_iter().any(is_left)
    }

    /// The limits for the searcher.
    pub(super) fn limits(&self) -> Limits {
        let SearchBudget { time, nodes, depth } = self.budget;
        let mate = match self.task {
            QueryTask::Mate(moves) => Some(moves),
            QueryTask::Search | QueryTask::Evaluate => None,
        };
        Limits {
            move_time: time,
            nodes,
            depth,
            mate,
            search_moves: self.include_moves.clone(),
            excluded_moves: self.exclude_moves.clone(),
            ..Limits::default()
        }
    }
}

/// The position after a null move, to search for threats. `None` if the side to move is in check.
pub fn null_move_position(position: &Position) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.side = !setup.side;
    Position::try_from(setup).ok()
}

/// A position of a game, identified by its ply.
#[derive(Clone)]
pub struct GamePosition {
    start: Arc<Position>,
    moves: Arc<[Move]>,
    ply: usize,
}

impl GamePosition {
    /// The position at the end of its own history.
    pub fn from_position(position: &Position) -> GamePosition {
        let mut start = position.clone();
        let mut moves = Vec::with_capacity(start.history_len());
        while start.history_len() > 0 {
            moves.extend(start.last_move());
            start.undo();
        }
        moves.reverse();
        GamePosition { start: Arc::new(start), ply: moves.len(), moves: moves.into() }
    }

    /// The same game at another ply; `None` if the game is shorter.
    pub fn at(&self, ply: usize) -> Option<GamePosition> {
        (ply <= self.moves.len()).then(|| GamePosition { ply, ..self.clone() })
    }

    /// All positions of the game in order.
    pub fn all(&self) -> impl Iterator<Item = GamePosition> + '_ {
        (0..=self.moves.len()).map(|ply| GamePosition { ply, ..self.clone() })
    }

    /// The start of the game.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from the start to this position.
    pub fn played(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// The number of moves played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The number of moves of the whole game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether the game continued from here, whatever the rules say.
    pub fn has_next(&self) -> bool {
        self.ply < self.moves.len()
    }

    /// The move of the game from here.
    pub fn next_move(&self) -> Option<Move> {
        self.moves.get(self.ply).copied()
    }

    /// The position, with its history.
    pub fn position(&self) -> Position {
        self.start.after(self.played())
    }
}

// Queries read from JSON, one object per request. Errors name the offending field. `docs/scripts.md` describes the
// fields.

/// The maximum length of a move list.
const MAX_MOVES: usize = 5_000;
/// The maximum number of lines.
pub const MAX_LINES: usize = 128;
/// The maximum search depth, and the maximum mate length in moves.
pub const MAX_DEPTH: u32 = 200;
pub const MAX_MATE_MOVES: u32 = 100;
/// The maximum time in milliseconds: one day.
pub const MAX_TIME_MS: u64 = 86_400_000;

/// A request.
pub enum AnalyseRequest {
    /// Queries about positions of one game, in the requested order.
    Analyse(QueryBatch),
    /// Cancels the queries with this id.
    Terminate { id: Value, which: Value },
    /// Cancels all queries.
    TerminateAll { id: Value },
    /// Asks for the program version.
    Version { id: Value },
}

/// Queries about positions of one game.
pub struct QueryBatch {
    pub id: Value,
    pub priority: i64,
    pub queries: Vec<Query>,
}

/// The parsed request and the names of its unknown fields.
pub struct ParsedRequest {
    pub request: AnalyseRequest,
    pub unknown: Vec<String>,
}

/// An error in a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldProblem {
    /// Not JSON.
    #[error("{}", tr!("no JSON: {reason}", reason = _0))]
    InvalidJson(String),
    /// Not a JSON object.
    #[error("{}", tr!("expected an object"))]
    NotAnObject,
    /// A required field is missing.
    #[error("{}", tr!("is missing"))]
    Missing,
    /// Wrong type or value.
    #[error("{}", tr!("expected {what}", what = _0))]
    Expected(String),
    /// Invalid position.
    #[error("{}", .0.localized())]
    Setup(#[from] PositionSpecError),
    /// Illegal move.
    #[error("{}", .0.localized())]
    Move(#[from] notation::NotationError),
    /// The ply is beyond the end of the game.
    #[error("{}", tr!("there is no position after {asked} plies: the game has {there}", asked, there))]
    Ply { asked: u64, there: usize },
    /// The move list is too long.
    #[error("{}", tr!("more than {count} moves", count = _0))]
    TooLong(usize),
    /// A move list was given with several positions.
    #[error("{}", tr!("stands with one position only"))]
    MovesForManyPositions,
    /// No move is left to search.
    #[error("{}", tr!("leaves no move"))]
    NoMove,
    /// The side to move is in check and cannot pass.
    #[error("{}", tr!("the side to move is in check"))]
    InCheck,
    /// Two fields exclude each other.
    #[error("{}", tr!("does not go with {field}", field = _0))]
    Conflict(&'static str),
}

/// An error in a request, with its id and field.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", .problem)]
pub struct AnalyseRequestError {
    /// Null if the id could not be read.
    pub id: Value,
    pub field: Option<String>,
    pub problem: FieldProblem,
}

/// The fields of an object; each is removed when read.
struct Fields {
    id: Value,
    left: Map<String, Value>,
}

impl Fields {
    /// Reads a field with the given function; `None` if it is absent or null.
    fn take<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, FieldProblem>,
    ) -> Result<Option<T>, AnalyseRequestError> {
        match self.left.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(&value).map(Some).map_err(|what| self.error(name, what)),
        }
    }

    fn error(&self, field: &str, what: impl Into<FieldProblem>) -> AnalyseRequestError {
        AnalyseRequestError { id: self.id.clone(), field: Some(field.to_string()), problem: what.into() }
    }

    fn number(&mut self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, AnalyseRequestError> {
        self.take(name, |value| {
            let expected = || {
                FieldProblem::Expected(tr!(
                    "a number from {least} to {most}",
                    least = range.start(),
                    most = range.end()
                ))
            };
            value.as_u64().filter(|number| range.contains(number)).ok_or_else(expected)
        })
    }

    fn flag(&mut self, name: &str) -> Result<bool, AnalyseRequestError> {
        let flag =
            self.take(name, |value| value.as_bool().ok_or_else(|| FieldProblem::Expected(tr!("true or false"))))?;
        Ok(flag.unwrap_or(false))
    }
}

/// Reads an id: a string of limited length or an integer.
fn as_id(value: &Value) -> Result<Value, FieldProblem> {
    let is_id = value.as_str().is_some_and(|text| text.len() <= 1000) || value.is_i64() || value.is_u64();
    if is_id { Ok(value.clone()) } else { Err(FieldProblem::Expected(tr!("a text or a number"))) }
}

impl AnalyseRequest {
    pub fn id(&self) -> &Value {
        match self {
            AnalyseRequest::Analyse(QueryBatch { id, .. })
            | AnalyseRequest::Terminate { id, .. }
            | AnalyseRequest::TerminateAll { id }
            | AnalyseRequest::Version { id } => id,
        }
    }

    /// Parses a line; fields that are absent are taken from `usual`.
    pub fn read(line: &[u8], usual: &Query) -> Result<ParsedRequest, AnalyseRequestError> {
        let bare = |what| AnalyseRequestError { id: Value::Null, field: None, problem: what };
        let value: Value =
            serde_json::from_slice(line).map_err(|error| bare(FieldProblem::InvalidJson(error.to_string())))?;
        let Value::Object(left) = value else { return Err(bare(FieldProblem::NotAnObject)) };
        let mut fields = Fields { id: Value::Null, left };
        let id = fields.left.remove("id").ok_or_else(|| fields.error("id", FieldProblem::Missing))?;
        let id = as_id(&id).map_err(|what| fields.error("id", what))?;
        fields.id = id.clone();
        let action = fields.take("action", |value| {
            let known = ["terminate", "terminate_all", "version"];
            let action = known.into_iter().find(|known| value.as_str() == Some(known));
            action.ok_or_else(|| FieldProblem::Expected(tr!("terminate, terminate_all or version")))
        })?;
        let request = match action {
            None => AnalyseRequest::Analyse(parse_queries(&mut fields, usual)?),
            Some("terminate") => {
                let which = fields.take("terminate", as_id)?;
                let which = which.ok_or_else(|| fields.error("terminate", FieldProblem::Missing))?;
                AnalyseRequest::Terminate { id, which }
            }
            Some("terminate_all") => AnalyseRequest::TerminateAll { id },
            Some(_) => AnalyseRequest::Version { id },
        };
        Ok(ParsedRequest { request, unknown: fields.left.into_iter().map(|(name, _)| name).collect() })
    }
}

fn parse_queries(fields: &mut Fields, usual: &Query) -> Result<QueryBatch, AnalyseRequestError> {
    let priority =
        fields.take("priority", |value| value.as_i64().ok_or_else(|| FieldProblem::Expected(tr!("a whole number"))))?;
    let spots = parse_positions(fields)?;
    let mut query = usual.clone();
    query.rules = parse_rules(fields, usual.rules)?;
    if let Some(lines) = fields.number("lines", 1..=MAX_LINES as u64)? {
        query.lines = lines as usize;
    }
    if let Some(every) = fields.number("every_ms", 0..=MAX_TIME_MS)? {
        query.report_interval = Some(Duration::from_millis(every));
    }
    query.clear_hash = !fields.flag("remember")?;
    parse_budget(fields, &mut query)?;
    let position = spots[0].position();
    for (name, only) in [("only", true), ("avoid", false)] {
        let Some(moves) = fields.take(name, |value| parse_moves(value, &position))? else { continue };
        if spots.len() > 1 && !moves.is_empty() {
            return Err(fields.error(name, FieldProblem::MovesForManyPositions));
        }
        if only { query.include_moves = moves } else { query.exclude_moves = moves }
    }
    let query_of = |position| Query { position, ..query.clone() };
    let queries: Vec<Query> = spots.into_iter().map(query_of).collect();
    if !queries[0].has_candidates() {
        return Err(fields.error("avoid", FieldProblem::NoMove));
    }
    Ok(QueryBatch { id: fields.id.clone(), priority: priority.unwrap_or(0), queries })
}

/// The positions of the query, at least one.
fn parse_positions(fields: &mut Fields) -> Result<Vec<GamePosition>, AnalyseRequestError> {
    let text = |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| FieldProblem::Expected(tr!("a text")));
    let setup = PositionSpec::parse_line(&fields.take("position", text)?.unwrap_or_default());
    let before = setup.moves.len();
    let moves = fields.take("moves", parse_words)?.unwrap_or_default();
    let setup = PositionSpec { moves: [setup.moves, moves].concat(), ..setup };
    if setup.moves.len() > MAX_MOVES {
        return Err(fields.error("moves", FieldProblem::TooLong(MAX_MOVES)));
    }
    let position = setup.position().map_err(|error| {
        let in_moves = matches!(error, PositionSpecError::NotAMove { number, .. } | PositionSpecError::Illegal { number, .. } if number > before);
        fields.error(if in_moves { "moves" } else { "position" }, error)
    })?;
    let end = GamePosition::from_position(&position);
    let plies = fields.take("plies", |value| parse_plies(value, &end))?;
    let spots = plies.unwrap_or_else(|| vec![end]);
    if !fields.flag("threat")? {
        return Ok(spots);
    }
    let threatened = |position: &GamePosition| {
        null_move_position(&position.position()).map(|position| GamePosition::from_position(&position))
    };
    let threats: Option<Vec<GamePosition>> = spots.iter().map(threatened).collect();
    threats.ok_or_else(|| fields.error("threat", FieldProblem::InCheck))
}

/// The positions of a game at these plies, or all of them.
fn parse_plies(value: &Value, end: &GamePosition) -> Result<Vec<GamePosition>, FieldProblem> {
    let wanted = || FieldProblem::Expected(tr!("\"all\", or a list of plies"));
    match value {
        Value::String(all) if all == "all" => Ok(end.all().collect()),
        Value::Array(list) if !list.is_empty() && list.len() <= MAX_MOVES => list
            .iter()
            .map(|ply| {
                let asked = ply.as_u64().ok_or_else(wanted)?;
                let spot = usize::try_from(asked).ok().and_then(|ply| end.at(ply));
                spot.ok_or(FieldProblem::Ply { asked, there: end.plies() })
            })
            .collect(),
        _ => Err(wanted()),
    }
}

fn parse_rules(fields: &mut Fields, usual: Rules) -> Result<Rules, AnalyseRequestError> {
    let set = fields.take("rules", |value| {
        let names = || RuleSet::OFFERED.map(RuleSet::name).join(", ");
        let set = value.as_str().and_then(|name| name.parse::<RuleSet>().ok());
        set.ok_or_else(|| FieldProblem::Expected(tr!("one of {names}", names = names())))
    })?;
    let limit = fields.number("natural_limit", 0..=10_000)?.map(|limit| limit as usize);
    Ok(match (set, limit) {
        (None, None) => usual,
        (set, limit) => Rules::with_limit(set.unwrap_or(usual.set), limit),
    })
}

/// The limits. If the request names one, the default limits do not apply; it need not name any.
fn parse_budget(fields: &mut Fields, query: &mut Query) -> Result<(), AnalyseRequestError> {
    let named = SearchBudget {
        time: fields.number("time_ms", 1..=MAX_TIME_MS)?.map(Duration::from_millis),
        nodes: fields.number("nodes", 1..=u64::MAX)?,
        depth: fields.number("depth", 1..=MAX_DEPTH.into())?.map(|depth| depth as u32),
    };
    let mate = fields.number("mate", 1..=MAX_MATE_MOVES.into())?.map(|moves| moves as u32);
    let (evaluates, infinite) = (fields.flag("evaluate")?, fields.flag("infinite")?);
    if evaluates && mate.is_some() {
        return Err(fields.error("evaluate", FieldProblem::Conflict("mate")));
    }
    if infinite && !named.is_infinite() {
        return Err(fields.error("infinite", FieldProblem::Conflict("time_ms, nodes, depth")));
    }
    if let Some(moves) = mate {
        query.task = QueryTask::Mate(moves);
    } else if evaluates {
        query.task = QueryTask::Evaluate;
    }
    if infinite || mate.is_some() || !named.is_infinite() {
        query.budget = named;
    }
    Ok(())
}

/// Moves as a list or as a text separated by blanks.
fn parse_words(value: &Value) -> Result<Vec<String>, FieldProblem> {
    let wanted = || FieldProblem::Expected(tr!("moves: a list, or a text with blanks between them"));
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(str::to_string).collect()),
        Value::Array(list) => list.iter().map(|word| word.as_str().map(str::to_string).ok_or_else(wanted)).collect(),
        _ => Err(wanted()),
    }
}

/// Reads legal moves in any notation.
fn parse_moves(value: &Value, position: &Position) -> Result<Vec<Move>, FieldProblem> {
    let read = |word: &String| Ok(notation::parse(position, word)?);
    parse_words(value)?.iter().map(read).collect()
}
