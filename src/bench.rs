//! The searches of `chuhe bench`: their node count is the signature of the search. It changes exactly when the search
//! does.

use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Limits, NoReporter, Options, SearchResult, Searcher, spawn_searching};
use std::error::Error;
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use xiangqi_record::{PositionSpec, PositionSpecError};

/// The depth of the searches for the signature.
pub const SIGNATURE_DEPTH: u32 = 11;

/// Megabytes of the transposition table.
pub const SIGNATURE_HASH_MB: usize = 16;

/// Openings, middlegames, endings, mates, positions in check, positions about to repeat; with the moves that lead there
/// where the history matters.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// Positions of games between 60 and 150 plies after the start, twenty plies and more since the last capture, with all
/// moves: what repetitions cost, positions without their history do not show.
const GAME_POSITIONS: &str = include_str!("bench_game_positions.txt");

/// A list of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionSet {
    /// Those of the signature.
    Signature,
    /// Late positions with the games that led to them.
    Games,
}

/// This number of positions with their indices, spread over the list; all of them if no number is given.
pub fn positions(set: PositionSet, count: Option<usize>) -> impl ExactSizeIterator<Item = (usize, &'static str)> {
    let text = match set {
        PositionSet::Signature => POSITIONS,
        PositionSet::Games => GAME_POSITIONS,
    };
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let count = count.map_or(lines.len(), |count| lines.len().min(count));
    (0..count).map(move |index| lines[index * lines.len() / count])
}

/// A finished search of a position.
pub struct BenchSearch {
    /// The index in the list.
    pub number: usize,
    pub position: &'static str,
    pub result: SearchResult,
    pub time: Duration,
}

/// Searches these positions, each with an empty transposition table, and reports each at once. All run on one thread, as
/// starting one for each would take a measurable part of the time; in WebAssembly, which has no threads, on the caller's.
pub fn search_all<E: From<PositionSpecError> + From<io::Error>>(
    searcher: &mut Searcher,
    mut positions: impl Iterator<Item = (usize, &'static str)> + Send,
    depth: u32,
    mut report: impl FnMut(BenchSearch) -> Result<(), E>,
) -> Result<(), E> {
    if cfg!(target_family = "wasm") {
        return positions.try_for_each(|(number, line)| report(search(searcher, number, line, depth)?));
    }
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        let search_each = move || {
            for (number, line) in positions {
                let search = search(searcher, number, line, depth);
                let failed = search.is_err();
                if sender.send(search).is_err() || failed {
                    break;
                }
            }
        };
        spawn_searching(scope, "bench".to_string(), search_each)?;
        finished.into_iter().try_for_each(|search| report(search?))
    })
}

fn search(
    searcher: &mut Searcher,
    number: usize,
    line: &'static str,
    depth: u32,
) -> Result<BenchSearch, PositionSpecError> {
    let position = PositionSpec::parse(line).position()?;
    searcher.new_game();
    let begun = Instant::now();
    let result = searcher.search(&position, &Limits::depth(depth), &Control::new(false), &mut NoReporter);
    Ok(BenchSearch { number, position: line, result, time: begun.elapsed() })
}

/// The nodes of all searches to this depth, with the default options.
pub fn total_nodes(depth: u32) -> Result<u64, Box<dyn Error>> {
    let mut searcher = Searcher::new(Options::default(), SIGNATURE_HASH_MB)?;
    let mut nodes = 0;
    search_all(&mut searcher, positions(PositionSet::Signature, None), depth, |search| {
        nodes += search.result.nodes;
        Ok::<(), Box<dyn Error>>(())
    })?;
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid_and_distinct() {
        for (set, least) in [(PositionSet::Signature, 40), (PositionSet::Games, 20)] {
            let mut keys: Vec<_> =
                positions(set, None).map(|(_, line)| PositionSpec::parse(line).position().expect(line).key()).collect();
            let count = keys.len();
            assert!(count >= least);
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), count);
            let some: Vec<usize> = positions(set, Some(4)).map(|(index, _)| index).collect();
            assert_eq!(some, [0, count / 4, count / 2, count * 3 / 4], "spread over the list");
        }
    }

    #[test]
    fn positions_of_games_have_long_histories() {
        for (_, line) in positions(PositionSet::Games, None) {
            let position = PositionSpec::parse(line).position().expect(line);
            assert!((60..=150).contains(&position.history_len()) && position.plies_since_capture() >= 20, "{line}");
        }
    }
}
