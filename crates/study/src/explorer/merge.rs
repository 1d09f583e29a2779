//! Merges segments into a larger one, without the games of files that are gone.

use super::game_table::{GameRow, GameTable};
use super::segment::{Segment, SegmentPositions};
use super::segment_writer::{PositionEntry, PositionSource, write_segment};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// The number of a game that is left out.
const GONE: u32 = u32::MAX;

/// One of the segments that are merged.
struct Input {
    positions: SegmentPositions,
    /// The next position; `has_entry` is false at the end.
    entry: PositionEntry,
    has_entry: bool,
    /// The new numbers of the games.
    numbers: Vec<u32>,
}

/// Segments that are read side by side.
struct MergedPositions {
    inputs: Vec<Input>,
    /// The games of the position's moves.
    lists: Vec<(u16, u32)>,
}

/// Merges segments; returns the number of games in the new one. The games keep their order.
pub fn merge(paths: &[PathBuf], target: &Path, gone: &HashSet<u32>) -> io::Result<u32> {
    let mut table = GameTable::default();
    let mut names: HashMap<String, u32> = HashMap::new();
    let mut merged = MergedPositions { inputs: Vec::new(), lists: Vec::new() };
    for path in paths {
        let mut segment = Segment::open(path)?;
        let GameTable { rows, names: old_names } = segment.table()?;
        let mut numbers = Vec::with_capacity(rows.len());
        let mut new_names = HashMap::new();
        let mut name = |number: u32, table: &mut GameTable| {
            *new_names.entry(number).or_insert_with(|| {
                let text = old_names.get(number as usize).map_or("", String::as_str);
                *names.entry(text.to_string()).or_insert_with(|| {
                    table.names.push(text.to_string());
                    table.names.len() as u32 - 1
                })
            })
        };
        for row in rows {
            if gone.contains(&row.source) {
                numbers.push(GONE);
                continue;
            }
            numbers.push(table.rows.len() as u32);
            let (red, black) = (name(row.red, &mut table), name(row.black, &mut table));
            table.rows.push(GameRow { red, black, ..row });
        }
        let mut input =
            Input { positions: segment.positions()?, entry: PositionEntry::default(), has_entry: true, numbers };
        input.advance()?;
        merged.inputs.push(input);
    }
    drop(names);
    let postings = 24 * table.rows.len();
    write_segment(target, &table, postings, &mut merged)?;
    Ok(table.rows.len() as u32)
}

impl Input {
    fn advance(&mut self) -> io::Result<()> {
        self.has_entry = self.positions.next(&mut self.entry)?;
        Ok(())
    }
}

impl PositionSource for MergedPositions {
    fn next(&mut self, entry: &mut PositionEntry) -> io::Result<bool> {
        loop {
            let waiting = self.inputs.iter().filter(|input| input.has_entry).map(|input| input.entry.key);
            let Some(key) = waiting.min() else { return Ok(false) };
            self.lists.clear();
            for input in self.inputs.iter_mut().filter(|input| input.has_entry && input.entry.key == key) {
                for (mv, games) in input.entry.lists() {
                    let numbers = games.iter().filter_map(|&game| input.numbers.get(game as usize).copied());
                    self.lists.extend(numbers.filter(|&number| number != GONE).map(|number| (mv, number)));
                }
                input.advance()?;
            }
            if !self.lists.is_empty() {
                // The games of the inputs come in order; only their moves have to be brought together.
                self.lists.sort_unstable();
                entry.clear(key);
                self.lists.iter().for_each(|&(mv, game)| entry.add(mv, game));
                return Ok(true);
            }
        }
    }
}
