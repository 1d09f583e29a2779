//! The searches of `chuhe bench`: their node count is the signature of the search. It changes exactly when the search
//! does.

use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Limits, NoReporter, Options, SearchResult, Searcher};
use std::error::Error;
use std::time::Duration;
use xiangqi_record::{PositionSpec, PositionSpecError};

/// The depth of the searches for the signature.
pub const SIGNATURE_DEPTH: u32 = 11;

/// Megabytes of the transposition table.
pub const SIGNATURE_HASH_MB: usize = 16;

/// Openings, middlegames, endings, mates, positions in check, positions about to repeat; with the moves that lead there
/// where the history matters.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// This number of positions with their indices, spread over the list; all of them if no number is given.
pub fn positions(count: Option<usize>) -> impl ExactSizeIterator<Item = (usize, &'static str)> {
    let lines: Vec<(usize, &str)> = POSITIONS.lines().enumerate().collect();
    let count = count.map_or(lines.len(), |count| lines.len().min(count));
    (0..count).map(move |index| lines[index * lines.len() / count])
}

/// Searches a position with an empty transposition table; the result, and the time it took.
pub fn search(
    searcher: &mut Searcher,
    position: &str,
    depth: u32,
) -> Result<(SearchResult, Duration), PositionSpecError> {
    let position = PositionSpec::parse(position).position()?;
    searcher.new_game();
    let begun = Instant::now();
    let result = searcher.search(&position, &Limits::depth(depth), &Control::new(false), &mut NoReporter);
    Ok((result, begun.elapsed()))
}

/// The nodes of all searches to this depth, with the default options.
pub fn total_nodes(depth: u32) -> Result<u64, Box<dyn Error>> {
    let mut searcher = Searcher::new(Options::default(), SIGNATURE_HASH_MB)?;
    positions(None).try_fold(0, |nodes, (_, line)| Ok(nodes + search(&mut searcher, line, depth)?.0.nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid_and_distinct() {
        let mut keys: Vec<_> =
            positions(None).map(|(_, line)| PositionSpec::parse(line).position().expect(line).key()).collect();
        let count = keys.len();
        assert!(count >= 40);
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
        let some: Vec<usize> = positions(Some(4)).map(|(index, _)| index).collect();
        assert_eq!(some, [0, count / 4, count / 2, count * 3 / 4], "spread over the list");
    }
}
