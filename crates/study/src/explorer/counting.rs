//! Counts the games that reach a position.

use super::answer::{Answer, FoundGame, Tally, sort_games};
use super::game_facts::{GameDate, GameFacts, GameFilter};
use super::index::SourceState;
use super::segment::Segment;
use crate::book::MirrorKey;
use chuhe_support::small_sort::SmallSort;
use std::collections::BTreeMap;
use std::io;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult};

/// The plies of a game that are indexed: positions up to this ply, each with the move played there.
pub const INDEXED_PLIES: usize = 30;

/// The bits of a position's key that are kept: of twenty million positions two have the same ones with a chance of one in
/// three hundred.
const KEY_BITS: u32 = 56;

/// The key of a position in the index, and whether its moves are mirrored there.
#[derive(Clone, Copy)]
struct IndexKey {
    key: u64,
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

    /// The move of the position that the index has these bits for; `None` where the game ended.
    fn read(self, bits: u16) -> Option<Move> {
        Move::from_bits(bits).map(|mv| self.turned(mv))
    }
}

/// In place of the bits of a move where the game ended.
const NO_MOVE: u16 = 0;

/// Calls a function with each indexed position of a game and the bits of the move played there.
pub(super) fn for_each_position(start: &Position, moves: &[Move], mut each: impl FnMut(u64, u16)) {
    let mut position = start.without_history();
    for ply in 0..=INDEXED_PLIES.min(moves.len()) {
        let key = IndexKey::of(&position);
        match moves.get(ply) {
            Some(&mv) => {
                each(key.key, key.turned(mv).bits());
                position.play_unchecked(mv);
            }
            None => each(key.key, NO_MOVE),
        }
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
        for_each_position(game.start(), &moves, |key, mv| positions.push((key, mv)));
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
        let mut position = game.start().without_history();
        let mut played: Vec<Option<Move>> = Vec::new();
        let mut moves = game.moves().peekable();
        if moves.peek().is_none() {
            return;
        }
        loop {
            let mv = moves.next();
            let key = IndexKey::of(&position);
            if key.key == self.wanted.key {
                // A move of the game, as it is on the side of the position that is asked for.
                played.push(mv.map(|mv| self.wanted.turned(key.turned(mv))));
            }
            match mv {
                Some(mv) => position.play_unchecked(mv),
                None => break,
            }
        }
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
