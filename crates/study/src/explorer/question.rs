//! Asks the segments of an index, one after the other.

use super::answer::{Answer, FoundGame, Tally, sort_games};
use super::filter::GameFilter;
use super::game_facts::GameFacts;
use super::game_table::GameRow;
use super::posting::IndexKey;
use super::segment::Segment;
use super::source_list::SourceState;
use chuhe_support::small_sort::SmallSort;
use std::collections::{BTreeMap, HashSet};
use std::io;
use xiangqi::{Color, Move, Position};

/// A question to the segments of an index.
pub struct Question<'a> {
    key: IndexKey,
    filter: &'a GameFilter,
    gone: &'a HashSet<u32>,
    sources: &'a [SourceState],
    listed: usize,
    all: Tally,
    moves: BTreeMap<Move, Tally>,
    games: Vec<FoundGame>,
}

impl<'a> Question<'a> {
    /// A question about a position. `gone` are the files whose games do not count; `sources` may be empty if neither the
    /// filter nor the list of games asks for files.
    pub fn new(
        position: &Position,
        filter: &'a GameFilter,
        gone: &'a HashSet<u32>,
        sources: &'a [SourceState],
        listed: usize,
    ) -> Question<'a> {
        Question {
            key: IndexKey::of(position),
            filter,
            gone,
            sources,
            listed,
            all: Tally::default(),
            moves: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    pub fn finish(self) -> Answer {
        Answer::new(self.all, &self.moves, self.games)
    }

    /// Adds what a segment knows.
    pub fn ask(&mut self, segment: &mut Segment) -> io::Result<()> {
        let Some(found) = segment.find(self.key.key)? else { return Ok(()) };
        let takes_all = self.filter.is_empty() && self.gone.is_empty();
        let names = if self.filter.player.is_some() { Some(self.player_numbers(segment)?) } else { None };
        let mut seen: BTreeMap<u32, (GameRow, Option<Move>)> = BTreeMap::new();
        let must_list = !takes_all || found.has_repetition || self.listed > 0;
        for list in &found.lists {
            let mv = Move::from_bits(list.mv).map(|mv| self.key.turned(mv));
            let mut tally = Tally::default();
            match list.tally.filter(|_| !must_list) {
                Some(known) => tally = known,
                None => {
                    let mut rows = segment.rows();
                    for game in found.games(list) {
                        let row = rows.row(game)?;
                        if takes_all || self.includes(&row, names.as_ref()) {
                            tally.add(row.result(), row.date());
                            if must_list {
                                let first = seen.entry(game).or_insert((row, mv));
                                first.1 = first.1.into_iter().chain(mv).min();
                            }
                        }
                    }
                }
            }
            if !must_list {
                self.all.merge(tally);
            }
            if let Some(mv) = mv.filter(|_| tally.games > 0) {
                self.moves.entry(mv).or_default().merge(tally);
            }
        }
        seen.values().for_each(|(row, _)| self.all.add(row.result(), row.date()));
        if self.listed > 0 { self.list(segment, seen.into_values().collect()) } else { Ok(()) }
    }

    fn includes(&self, row: &GameRow, names: Option<&HashSet<u32>>) -> bool {
        let is_player = |color, name: u32| self.filter.may_be(color) && names.is_none_or(|names| names.contains(&name));
        let source = || self.sources.get(row.source as usize).map_or("", |source| source.path.as_str());
        !self.gone.contains(&row.source)
            && self.filter.includes_result(row.result(), row.date())
            && (names.is_none() || is_player(Color::Red, row.red) || is_player(Color::Black, row.black))
            && (self.filter.source.is_none() || self.filter.includes_source(source()))
    }

    /// The numbers of the player's names in a segment.
    fn player_numbers(&self, segment: &mut Segment) -> io::Result<HashSet<u32>> {
        let names = segment.names()?;
        Ok((0u32..).zip(&names).filter(|(_, name)| self.filter.is_named(name)).map(|(number, _)| number).collect())
    }

    /// Keeps the latest of these games for the list.
    fn list(&mut self, segment: &mut Segment, mut rows: Vec<(GameRow, Option<Move>)>) -> io::Result<()> {
        let path = |row: &GameRow| self.sources.get(row.source as usize).map_or("", |source| source.path.as_str());
        rows.order_by(|(one, _), (other, _)| {
            let order = other.date().cmp(&one.date()).then_with(|| path(one).cmp(path(other)));
            order.then(one.number.cmp(&other.number))
        });
        for (row, mv) in rows.into_iter().take(self.listed) {
            let facts = GameFacts {
                red: segment.name(row.red)?,
                black: segment.name(row.black)?,
                date: row.date(),
                result: row.result(),
            };
            let source = path(&row).to_string();
            self.games.push(FoundGame { facts, source, number: u64::from(row.number), mv });
        }
        sort_games(&mut self.games);
        self.games.truncate(self.listed);
        Ok(())
    }
}
