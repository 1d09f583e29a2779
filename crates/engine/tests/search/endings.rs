//! Small endings: the search must find the distances of a retrograde analysis.

use super::support::{position, search, searcher};
use chuhe_engine::score;
use chuhe_engine::search::Limits;
use std::collections::{HashMap, VecDeque};
use xiangqi::{Key, Position};

/// All positions reachable from a start, with the plies to a forced mate or stalemate.
struct Solved {
    positions: Vec<Position>,
    plies: Vec<Option<i32>>,
}

impl Solved {
    fn from(fen: &str) -> Solved {
        let (positions, successors) = explore(position(fen));
        let mut predecessors = vec![Vec::new(); positions.len()];
        for (index, next) in successors.iter().enumerate() {
            next.iter().for_each(|&after| predecessors[after].push(index));
        }
        let mut open: Vec<usize> = successors.iter().map(Vec::len).collect();
        let mut plies = vec![None; positions.len()];
        let mut queue: VecDeque<usize> = (0..positions.len()).filter(|&index| open[index] == 0).collect();
        queue.iter().for_each(|&lost| plies[lost] = Some(0));
        while let Some(index) = queue.pop_front() {
            let distance = plies[index].expect("queued when known");
            for &before in &predecessors[index] {
                if plies[before].is_some() {
                    continue;
                }
                // Won if one move leads to a lost position, lost if all moves lead to won positions.
                open[before] -= 1;
                if distance % 2 == 0 || open[before] == 0 {
                    plies[before] = Some(distance + 1);
                    queue.push_back(before);
                }
            }
        }
        Solved { positions, plies }
    }
}

/// All reachable positions, and the successors of each.
fn explore(start: Position) -> (Vec<Position>, Vec<Vec<usize>>) {
    let mut numbers: HashMap<Key, usize> = HashMap::from([(start.key(), 0)]);
    let mut positions = vec![start];
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(current) = positions.get(successors.len()) {
        let current = current.clone();
        let mut next = Vec::new();
        for mv in current.legal_moves().moves() {
            let mut after = current.clone();
            after.play_unchecked(mv);
            let number = *numbers.entry(after.key()).or_insert(positions.len());
            if number == positions.len() {
                positions.push(Position::from_fen(&after.fen()).expect("a position of its own"));
            }
            next.push(number);
        }
        successors.push(next);
    }
    (positions, successors)
}

/// A horse against a bishop, a rook against two advisors, two pawns.
const ENDINGS: [&str; 3] = [
    "9/4k4/b8/9/9/4N4/9/9/9/5K3 w - - 0 1",
    "3a1k3/9/3a5/9/4R4/9/9/9/9/4K4 w - - 0 1",
    "9/3k5/P8/5P3/9/9/9/9/9/4K4 w - - 0 1",
];

/// Node limit; most positions need a tenth of it.
const BUDGET: u64 = 6_000_000;

#[test]
fn mate_search_finds_the_distances_of_retrograde_analysis() {
    let mut tried = 0;
    for fen in ENDINGS {
        let solved = Solved::from(fen);
        for plies in (1..=21).step_by(2) {
            let of_this_length = solved.plies.iter().enumerate().filter(|(_, known)| **known == Some(plies));
            let found: Vec<usize> = of_this_length.map(|(index, _)| index).collect();
            for &index in found.iter().step_by((found.len() / 4).max(1)).take(4) {
                let position = &solved.positions[index];
                let limits = Limits { mate: Some(plies.unsigned_abs().div_ceil(2)), ..Limits::nodes(BUDGET) };
                let outcome = search(&mut searcher(), position, &limits);
                assert_eq!(score::mate_plies(outcome.score), Some(plies), "{}", position.fen());
                tried += 1;
            }
        }
    }
    assert!(tried > 80, "{tried}");
}
