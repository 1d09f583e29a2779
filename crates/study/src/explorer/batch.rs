//! Games in memory that become a segment.

use super::game_facts::GameFacts;
use super::game_table::{GameRow, GameTable};
use super::posting::{Posting, for_each_position};
use super::segment_writer::{PositionEntry, PositionSource};
use std::collections::HashMap;
use std::io;
use xiangqi::{Move, Position};

/// The most games of a batch: as many as fit into some 40 MB.
pub const MAX_BATCH: usize = 1 << 16;

/// Games in memory.
#[derive(Default)]
pub struct Batch {
    pub table: GameTable,
    numbers: HashMap<String, u32>,
    postings: Vec<Posting>,
}

impl Batch {
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    pub fn is_full(&self) -> bool {
        self.len() >= MAX_BATCH
    }

    pub fn add(&mut self, facts: &GameFacts, start: &Position, moves: &[Move], source: u32, number: u32) {
        let game = self.len() as u32;
        let [red, black] = [self.name(&facts.red), self.name(&facts.black)];
        self.table.rows.push(GameRow { red, black, ..GameRow::new(source, number, facts.date, facts.result) });
        for_each_position(start, moves, |key, mv| self.postings.push(Posting { key, mv, game }));
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.table.names.len() as u32;
        self.numbers.insert(name.to_string(), number);
        self.table.names.push(name.to_string());
        number
    }

    /// The games, and their positions in the order of a segment.
    pub fn into_sorted(mut self) -> (GameTable, SortedPostings) {
        self.postings.sort_unstable();
        self.postings.dedup();
        (self.table, SortedPostings { postings: self.postings, next: 0 })
    }
}

/// Postings in the order of a segment.
pub struct SortedPostings {
    postings: Vec<Posting>,
    next: usize,
}

impl SortedPostings {
    pub fn len(&self) -> usize {
        self.postings.len()
    }
}

impl PositionSource for SortedPostings {
    fn next(&mut self, entry: &mut PositionEntry) -> io::Result<bool> {
        let Some(&Posting { key, .. }) = self.postings.get(self.next) else { return Ok(false) };
        entry.clear(key);
        while let Some(posting) = self.postings.get(self.next).filter(|posting| posting.key == key) {
            entry.add(posting.mv, posting.game);
            self.next += 1;
        }
        Ok(true)
    }
}
