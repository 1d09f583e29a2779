//! Counts the games that reach a position.

use super::index::SourceState;
use super::segment::Segment;
use crate::book::{MirrorKey, opening_names};
use crate::player_names::{PlayerNames, player_of};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::with_values;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::{fmt, io};
use thiserror::Error;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult, Notation, notation};

/// The plies of a game that are indexed: positions up to this ply, each with the move played there.
pub const INDEXED_PLIES: usize = 30;

/// The bits of a position's key that are kept: of twenty million positions two have the same ones with a chance of one in
/// three hundred.
const KEY_BITS: u32 = 56;

/// The key of a position in the index, and whether its moves are mirrored there.
#[derive(Clone, Copy)]
pub(super) struct IndexKey {
    pub key: u64,
    is_mirrored: bool,
}

impl IndexKey {
    fn of(position: &Position) -> IndexKey {
        let MirrorKey { key, mirrored, .. } = MirrorKey::of(position);
        IndexKey { key: key >> (64 - KEY_BITS), is_mirrored: mirrored }
    }

    /// Turns a move of the position into the one that the index has, and back.
    fn turned(self, mv: Move) -> Move {
        if self.is_mirrored { mv.mirror() } else { mv }
    }

    /// The bits that the index has for a move of the position.
    pub fn bits(self, mv: Option<Move>) -> u16 {
        mv.map_or(NO_MOVE, |mv| self.turned(mv).bits())
    }

    /// The move of the position that the index has these bits for; `None` where the game ended.
    fn read(self, bits: u16) -> Option<Move> {
        Move::from_bits(bits).map(|mv| self.turned(mv))
    }
}

/// In place of the bits of a move where the game ended.
const NO_MOVE: u16 = 0;

/// Calls a function with each position of a game up to this ply, and the move played there; none where the game ended.
pub(super) fn for_each_position(
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
    last: usize,
    mut each: impl FnMut(IndexKey, Option<Move>),
) {
    let (mut position, mut moves) = (start.without_history(), moves.into_iter());
    for _ in 0..=last {
        let mv = moves.next();
        each(IndexKey::of(&position), mv);
        let Some(mv) = mv else { break };
        position.play_unchecked(mv);
    }
}

/// The first plies of a game in memory, to be asked again and again, and what is kept of it beside its moves.
#[derive(Clone, Debug)]
pub struct IndexedGame {
    /// What a filter may ask of the game.
    pub facts: GameFacts,
    /// The positions with the moves played there, in ascending order.
    positions: Vec<(u64, u16)>,
}

impl IndexedGame {
    /// The game; `None` if it has no moves.
    pub fn of(game: &Game) -> Option<IndexedGame> {
        let moves: Vec<Move> = game.moves().take(INDEXED_PLIES + 1).collect();
        let mut positions = Vec::with_capacity(moves.len() + 1);
        for_each_position(game.start(), moves.iter().copied(), INDEXED_PLIES, |key, mv| {
            positions.push((key.key, key.bits(mv)));
        });
        positions.sort_unstable();
        (!moves.is_empty()).then(|| IndexedGame { facts: GameFacts::of(game), positions })
    }
}

/// Counts games without keeping them.
pub struct PositionCounter {
    wanted: IndexKey,
    filter: GameFilter,
    /// The most games of the answer.
    listed: usize,
    all: Tally,
    moves: BTreeMap<Move, Tally>,
    games: Vec<FoundGame>,
}

impl PositionCounter {
    /// Counts the games that this filter lets through; the answer lists so many of them.
    pub fn new(position: &Position, filter: GameFilter, listed: usize) -> PositionCounter {
        let (wanted, all) = (IndexKey::of(position), Tally::default());
        PositionCounter { wanted, filter, listed, all, moves: BTreeMap::new(), games: Vec::new() }
    }

    /// Counts a game of a file, with all its plies; one without moves is none.
    pub fn add(&mut self, game: &Game, source: &str, number: u64) {
        if game.moves().next().is_none() {
            return;
        }
        let mut played: Vec<Option<Move>> = Vec::new();
        for_each_position(game.start(), game.moves(), usize::MAX, |key, mv| {
            if key.key == self.wanted.key {
                // A move of the game, as it is on the side of the position that is asked for.
                played.push(mv.map(|mv| self.wanted.turned(key.turned(mv))));
            }
        });
        self.count(played, || GameFacts::of(game), source, number);
    }

    /// Counts a game that is kept in memory.
    pub fn add_indexed(&mut self, game: &IndexedGame, source: &str, number: u64) {
        let first = game.positions.partition_point(|&(key, _)| key < self.wanted.key);
        let here = game.positions[first..].iter().take_while(|(key, _)| *key == self.wanted.key);
        let played = here.map(|&(_, bits)| self.wanted.read(bits)).collect();
        self.count(played, || game.facts.clone(), source, number);
    }

    /// Counts a game in which these moves were played.
    fn count(&mut self, played: Vec<Option<Move>>, facts: impl FnOnce() -> GameFacts, source: &str, number: u64) {
        if played.is_empty() {
            return;
        }
        let facts = facts();
        if !self.filter.includes(&facts, source) {
            return;
        }
        let mv = self.tally(played, facts.result, facts.date);
        if self.listed > 0 {
            self.games.push(FoundGame { facts, source: source.to_string(), number, mv });
            if self.games.len() > 2 * self.listed {
                sort_games(&mut self.games);
                self.games.truncate(self.listed);
            }
        }
    }

    /// Adds the result of a game to these moves; returns the first of them.
    fn tally(&mut self, mut played: Vec<Option<Move>>, result: GameResult, date: GameDate) -> Option<Move> {
        self.all.add(result, date);
        played.sort_unstable();
        played.dedup();
        let moves = || played.iter().flatten().copied();
        moves().for_each(|mv| self.moves.entry(mv).or_default().add(result, date));
        moves().next()
    }

    /// Counts the games of a segment. `sources` are the files of the index.
    pub(super) fn add_segment(&mut self, segment: &mut Segment, sources: &[SourceState]) -> io::Result<()> {
        let found = segment.find(self.wanted.key)?;
        let needs_names = self.listed > 0 || self.filter.player.is_some();
        let names = if needs_names && !found.is_empty() { segment.names()? } else { Vec::new() };
        let is_named: Vec<bool> = names.iter().map(|name| self.filter.is_named(name)).collect();
        let mut list = Vec::new();
        for same in found.chunk_by(|one, other| one.game == other.game) {
            let row = segment.row(same[0].game)?;
            let is_player =
                |side, name: u32| self.filter.may_be(side) && is_named.get(name as usize).is_some_and(|is_it| *is_it);
            let source = sources.get(row.source as usize).filter(|source| !source.is_gone);
            let is_wanted = source.is_some_and(|source| self.filter.includes_source(&source.path))
                && self.filter.includes_result(row.result(), row.date())
                && (self.filter.player.is_none()
                    || is_player(Color::Red, row.red)
                    || is_player(Color::Black, row.black));
            if is_wanted {
                let played = same.iter().map(|posting| self.wanted.read(posting.mv)).collect();
                let mv = self.tally(played, row.result(), row.date());
                if self.listed > 0 {
                    list.push((row, mv));
                }
            }
        }
        let path = |source: u32| sources.get(source as usize).map_or("", |source| source.path.as_str());
        // The latest first; of one day in the order of files.
        list.order_by(|(one, _), (other, _)| {
            let order = other.date().cmp(&one.date()).then_with(|| path(one.source).cmp(path(other.source)));
            order.then(one.number.cmp(&other.number))
        });
        for (row, mv) in list.into_iter().take(self.listed) {
            let name = |number: u32| names.get(number as usize).cloned().unwrap_or_default();
            let facts =
                GameFacts { red: name(row.red), black: name(row.black), date: row.date(), result: row.result() };
            self.games.push(FoundGame { facts, source: path(row.source).to_string(), number: row.number.into(), mv });
        }
        Ok(())
    }

    pub fn finish(mut self) -> Answer {
        sort_games(&mut self.games);
        self.games.truncate(self.listed);
        Answer::new(self.all, &self.moves, self.games)
    }
}

// The answer to a question about a position, also as JSON, for scripts.

/// Results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// All games, those without a result among them.
    pub games: u64,
    pub red: u64,
    pub draws: u64,
    pub black: u64,
    /// The day of the latest game.
    pub last: GameDate,
}

impl Tally {
    pub fn add(&mut self, result: GameResult, date: GameDate) {
        let [red, draws, black] = match result {
            GameResult::RedWins => [1, 0, 0],
            GameResult::Draw => [0, 1, 0],
            GameResult::BlackWins => [0, 0, 1],
            GameResult::Unknown => [0, 0, 0],
        };
        self.merge(Tally { games: 1, red, draws, black, last: date });
    }

    pub fn merge(&mut self, other: Tally) {
        self.games += other.games;
        self.red += other.red;
        self.draws += other.draws;
        self.black += other.black;
        self.last = self.last.max(other.last);
    }

    /// The share of points of a side, of the games that have a result.
    pub fn score(&self, side: Color) -> Option<f64> {
        let decided = self.red + self.draws + self.black;
        let won = if side == Color::Red { self.red } else { self.black };
        (decided > 0).then(|| (won as f64 + self.draws as f64 / 2.0) / decided as f64)
    }
}

/// A move with its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTally {
    pub mv: Move,
    pub tally: Tally,
}

/// A game that reached the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame {
    pub facts: GameFacts,
    /// The path of its file.
    pub source: String,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The move that was played there, the first of its squares if there were several; `None` where the game ended.
    pub mv: Option<Move>,
}

/// What games say about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The games that reached the position.
    pub all: Tally,
    /// The moves, the most played one first.
    pub moves: Vec<MoveTally>,
    /// Some of the games, as many as were asked for, the latest first.
    pub games: Vec<FoundGame>,
}

impl Answer {
    pub(super) fn new(all: Tally, moves: &BTreeMap<Move, Tally>, games: Vec<FoundGame>) -> Answer {
        let mut moves: Vec<_> = moves.iter().map(|(&mv, &tally)| MoveTally { mv, tally }).collect();
        moves.order_by_key(|entry| (std::cmp::Reverse(entry.tally.games), entry.mv.to_string()));
        Answer { all, moves, games }
    }
}

/// The latest games first; of one day in the order of files.
pub(super) fn sort_games(games: &mut [FoundGame]) {
    games.order_by(|one, other| {
        let order = other.facts.date.cmp(&one.facts.date).then_with(|| one.source.cmp(&other.source));
        order.then(one.number.cmp(&other.number))
    });
}

fn date_json(date: GameDate) -> Value {
    if date.is_known() { json!(date.to_string()) } else { Value::Null }
}

impl Tally {
    /// The numbers, with the score of this side.
    fn to_json(self, side: Color) -> Value {
        let Tally { games, red, draws, black, last } = self;
        json!({
            "games": games,
            "red": red,
            "draws": draws,
            "black": black,
            "score": self.score(side),
            "last": date_json(last),
        })
    }
}

impl Answer {
    /// The answer as an object; `position` is the one that was asked for.
    pub fn to_json(&self, position: &Position) -> Value {
        let moves = self.moves.iter().map(|entry| {
            let mut object = entry.tally.to_json(position.side());
            object["move"] = json!(entry.mv.to_string());
            object["chinese"] = json!(notation::format(position, entry.mv, Notation::Chinese));
            object["opening"] = json!(opening_names::name_after(position, entry.mv));
            object
        });
        let mut object = self.all.to_json(position.side());
        object["moves"] = moves.collect();
        object["fen"] = json!(position.fen());
        object["opening"] = json!(opening_names::name_of_game(position));
        if !self.games.is_empty() {
            object["list"] = self.games.iter().map(game_json).collect();
        }
        object
    }
}

fn game_json(game: &FoundGame) -> Value {
    json!({
        "file": game.source,
        "game": game.number,
        "red": game.facts.red,
        "black": game.facts.black,
        "date": date_json(game.facts.date),
        "result": game.facts.result.token(),
        "move": game.mv.map(|mv| mv.to_string()),
    })
}

// What is kept of a game beside its moves, and which games a question is about.

/// The day of a game, of which the month or the day may be unknown. Ordered by time; the unknown date comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct GameDate {
    pub year: u16,
    /// 1 to 12, or 0.
    pub month: u8,
    /// 1 to 31, or 0.
    pub day: u8,
}

/// A text is no date.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("'{text}' is no date: expected a year, a year and a month, or a day such as 2026-11-27", text = _0))]
pub struct ParseDateError(String);

impl GameDate {
    pub const UNKNOWN: GameDate = GameDate { year: 0, month: 0, day: 0 };

    /// Reads a date as records have it: `2026.11.27`, `2026-11`, `2026年11月27日`, `1984.??.??`.
    pub fn from_record(text: &str) -> GameDate {
        let mut parts =
            text.split(|letter: char| !letter.is_ascii_digit() && letter != '?').filter(|part| !part.is_empty());
        let year = parts.next().filter(|year| year.len() == 4).and_then(|year| year.parse().ok());
        let Some(year) = year.filter(|year| *year > 0) else { return GameDate::UNKNOWN };
        let mut part = |most: u8| parts.next()?.parse().ok().filter(|number| (1..=most).contains(number));
        let month = part(12).unwrap_or(0);
        let day = if month == 0 { 0 } else { part(31).unwrap_or(0) };
        GameDate { year, month, day }
    }

    pub fn is_known(self) -> bool {
        self != GameDate::UNKNOWN
    }

    /// Whether a game of this day may have been played on that day or later.
    pub fn may_be_since(self, other: GameDate) -> bool {
        self.is_known() && self.compare(other).is_ge()
    }

    /// Whether a game of this day may have been played on that day or before.
    pub fn may_be_until(self, other: GameDate) -> bool {
        self.is_known() && self.compare(other).is_le()
    }

    /// Compares what is known of both.
    fn compare(self, other: GameDate) -> std::cmp::Ordering {
        let part = |own: u8, other: u8| if own == 0 || other == 0 { None } else { Some(own.cmp(&other)) };
        let month = || part(self.month, other.month);
        self.year.cmp(&other.year).then_with(|| match month() {
            Some(std::cmp::Ordering::Equal) => part(self.day, other.day).unwrap_or(std::cmp::Ordering::Equal),
            Some(order) => order,
            None => std::cmp::Ordering::Equal,
        })
    }

    /// The date in 23 bits, in the same order.
    pub(super) fn to_bits(self) -> u32 {
        u32::from(self.year.min((1 << 14) - 1)) << 9 | u32::from(self.month) << 5 | u32::from(self.day)
    }

    pub(super) fn from_bits(bits: u32) -> GameDate {
        GameDate { year: (bits >> 9 & 0x3FFF) as u16, month: (bits >> 5 & 15) as u8, day: (bits & 31) as u8 }
    }
}

impl fmt::Display for GameDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameDate { year: 0, .. } => f.pad(""),
            GameDate { year, month: 0, .. } => f.pad(&format!("{year:04}")),
            GameDate { year, month, day: 0 } => f.pad(&format!("{year:04}-{month:02}")),
            GameDate { year, month, day } => f.pad(&format!("{year:04}-{month:02}-{day:02}")),
        }
    }
}

impl FromStr for GameDate {
    type Err = ParseDateError;

    /// Reads a date that a person writes.
    fn from_str(text: &str) -> Result<GameDate, ParseDateError> {
        let date = GameDate::from_record(text.trim());
        let numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty()).count();
        let read = usize::from(date.is_known()) + usize::from(date.month > 0) + usize::from(date.day > 0);
        if read > 0 && numbers == read { Ok(date) } else { Err(ParseDateError(text.chars().take(20).collect())) }
    }
}

with_values! {
    /// What is kept of a game beside its moves.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct GameFacts {
        /// Empty if unknown.
        pub red: String = name(Color::Red),
        pub black: String = name(Color::Black),
        pub date: GameDate = date.into_iter().find(|date| date.is_known()).unwrap_or_default(),
        pub result: GameResult = game.result,
    }
    pub fn of(game: &Game) {
        let name = |color| {
            let name = player_of(game, color).unwrap_or_default();
            let end = (0..=MAX_NAME.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
            name[..end].to_string()
        };
        let date = ["Date", "UTCDate"].into_iter().map(|tag| GameDate::from_record(game.tag(tag).unwrap_or_default()));
    }
}

/// The most bytes that are kept of a name.
const MAX_NAME: usize = 120;

/// Which games count. Without a wish all do.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// A player who took part.
    pub player: Option<PlayerNames>,
    /// The side of that player; without a player it says nothing.
    pub colour: Option<Color>,
    pub since: Option<GameDate>,
    pub until: Option<GameDate>,
    /// Any of these results; empty = all.
    pub results: Vec<GameResult>,
    /// A part of the path of the file.
    pub source: Option<String>,
}

impl GameFilter {
    /// Whether all games count.
    pub fn is_empty(&self) -> bool {
        self.player.is_none()
            && self.since.is_none()
            && self.until.is_none()
            && self.results.is_empty()
            && self.source.is_none()
    }

    /// Whether a game of this file counts.
    pub fn includes(&self, game: &GameFacts, source: &str) -> bool {
        let is_player = |color, name: &str| self.may_be(color) && self.is_named(name);
        self.includes_result(game.result, game.date)
            && (self.player.is_none() || is_player(Color::Red, &game.red) || is_player(Color::Black, &game.black))
            && self.includes_source(source)
    }

    pub(super) fn includes_result(&self, result: GameResult, date: GameDate) -> bool {
        (self.results.is_empty() || self.results.contains(&result))
            && self.since.is_none_or(|since| date.may_be_since(since))
            && self.until.is_none_or(|until| date.may_be_until(until))
    }

    pub(super) fn includes_source(&self, source: &str) -> bool {
        self.source.as_deref().is_none_or(|wanted| source.contains(wanted))
    }

    /// Whether the player may have had this side.
    pub(super) fn may_be(&self, color: Color) -> bool {
        self.colour.is_none_or(|wanted| wanted == color)
    }

    /// Whether this is a name of the player.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.player.as_ref().is_none_or(|player| !name.is_empty() && player.include(name))
    }
}
