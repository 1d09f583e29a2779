//! The opponent of an ending: never gives the result away, and makes it as hard as it can.

use super::positions::{kept_share, worth};
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use xiangqi::{Move, Position, Rules};

/// Nodes of the search that looks for the longest resistance.
const NODES: u64 = 20_000;

/// The hardest move; `None` if the game is over.
///
/// Where the tables count the plies to mate, it is the longest defence or the shortest win. Else, among the moves that
/// keep the result, a search without tables decides where it sees a mate; and where it sees none, the move after which
/// the fewest answers are good enough.
pub fn hardest_move(
    position: &Position,
    rules: &Rules,
    tables: &Tablebase,
    searcher: &mut Searcher,
    control: &Control,
) -> Option<Move> {
    let legal: Vec<Move> = position.legal_moves().to_vec();
    let playable = rules.playable_moves(position, legal.clone());
    let mut next = position.clone();
    let mut after = |mv: Move| {
        next.play_unchecked(mv);
        // A position that has stood before brings the draw nearer.
        let found = (tables.probe(&next), next.occurrence_count() > 1, kept_share(&next, tables));
        next.undo();
        found
    };
    let valued: Vec<(Move, Option<ProbeResult>, bool, f64)> = playable
        .into_iter()
        .map(|mv| (mv, after(mv)))
        .map(|(mv, (value, again, kept))| (mv, value, again, kept))
        .collect();
    let value_of = |value: Option<ProbeResult>| value.map_or(0, |value| -worth(value));
    let best = valued.iter().map(|&(_, value, ..)| value_of(value)).max()?;
    let keeping: Vec<_> = valued.into_iter().filter(|&(_, value, ..)| value_of(value) == best).collect();
    let plies = |value: Option<ProbeResult>| value.and_then(ProbeResult::plies);
    if best != 0 && keeping.iter().all(|&(_, value, ..)| plies(value).is_some()) {
        let chosen = keeping.iter().max_by_key(|&&(_, value, ..)| -best * i32::from(plies(value).unwrap_or(0)));
        return chosen.map(|&(mv, ..)| mv);
    }
    let excluded_moves = legal.into_iter().filter(|mv| keeping.iter().all(|(kept, ..)| kept != mv)).collect();
    searcher.tablebase = None;
    searcher.options.rules = *rules;
    let limits = Limits { excluded_moves, ..Limits::nodes(NODES) };
    let found = searcher.search(position, &limits, control, &mut NoReporter);
    let searched = found.best_move.filter(|mv| keeping.iter().any(|(kept, ..)| kept == mv));
    if score::is_mate(found.score) && searched.is_some() {
        return searched;
    }
    // The search breaks ties.
    let hardest = keeping.iter().min_by(|one, other| {
        let rank = |&(mv, _, again, kept): &(Move, Option<ProbeResult>, bool, f64)| (again, kept, Some(mv) != searched);
        let ((again, kept, other_than), (again2, kept2, other_than2)) = (rank(one), rank(other));
        again.cmp(&again2).then(kept.total_cmp(&kept2)).then(other_than.cmp(&other_than2))
    });
    hardest.map(|&(mv, ..)| mv)
}
