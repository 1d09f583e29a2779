//! Mates that were allowed or missed, proven by the mate solver.

use super::Case;
use super::reason::ProvenMate;
use crate::motifs::MatingPattern;
use chuhe_engine::search::{AttackerMoves, MateProof, MateProver};
use chuhe_support::small_sort::SmallSort;
use std::sync::Arc;
use xiangqi::{Move, Position};

/// Memory of a solver in megabytes.
const MEGABYTES: usize = 4;
/// The longest mates, in plies, by checks alone and by any moves.
const MAX_CHECK_PLIES: u32 = 25;
const MAX_QUIET_PLIES: u32 = 9;
/// The longest mate that a search has found and that is to be proven.
const MAX_KNOWN_PLIES: u32 = 31;
/// A mate that is longer than another by so many plies at most is about as short.
const COMPARABLE_PLIES: u32 = 4;
/// The part of the nodes that one question may take.
const NODES_DIVISOR: u64 = 3;
/// So many times the nodes are spent where a search has found a mate.
const KNOWN_MATE_FACTOR: u64 = 8;

/// The mate that the move allows and the best move does not. A search may have found its plies.
pub fn allowed(case: &Case, known: Option<u32>) -> Option<ProvenMate> {
    let mut solver = MateSolver::new(&case.after, case);
    let plies = solver.shortest(known, case.refutation)?;
    // Where the mate cannot be avoided, the move is not to blame for it.
    if MateSolver::new(&case.avoided, case).proves(&[], plies + COMPARABLE_PLIES) {
        return None;
    }
    solver.mate(plies, case.refutation)
}

/// The mate that the mover had, if the move keeps none that is about as short.
pub fn missed(case: &Case, known: Option<u32>) -> Option<ProvenMate> {
    let mut solver = MateSolver::new(case.position, case);
    let plies = solver.shortest(known, case.best)?;
    if solver.proves(&[case.played], plies - 1 + COMPARABLE_PLIES) {
        return None;
    }
    solver.mate(plies, case.best)
}

/// Questions about mates by the side to move at the root.
struct MateSolver {
    root: Position,
    prover: MateProver,
    nodes: u64,
}

impl MateSolver {
    fn new(root: &Position, case: &Case) -> MateSolver {
        let prover = MateProver::new(root, root.side(), case.rules, MEGABYTES, Arc::clone(case.control));
        MateSolver { root: root.clone(), prover, nodes: case.limits.mate_nodes }
    }

    /// The plies of the shortest mate that is found. A search has found one, or has a line that comes to one.
    fn shortest(&mut self, known: Option<u32>, line: &[Move]) -> Option<u32> {
        let known = known.or_else(|| self.plies_of_mating_line(line)).filter(|&plies| plies <= MAX_KNOWN_PLIES);
        if known.is_some() {
            self.nodes *= KNOWN_MATE_FACTOR;
        }
        let longest = [known.unwrap_or(MAX_QUIET_PLIES).max(MAX_QUIET_PLIES), MAX_CHECK_PLIES];
        let mut methods = vec![(AttackerMoves::ChecksOnly, longest[1]), (AttackerMoves::All, longest[0])];
        let end = self.prover.nodes() + self.nodes;
        for plies in (1..=longest[0].max(longest[1])).step_by(2) {
            for (moves, most) in std::mem::take(&mut methods) {
                let room = end.saturating_sub(self.prover.nodes()) / NODES_DIVISOR;
                match self.prover.prove(&[], plies, moves, room) {
                    MateProof::Mate(plies) => return Some(plies.max(1)),
                    MateProof::NoMate { ever: false } if plies < most => methods.push((moves, most)),
                    _ => {}
                }
            }
        }
        None
    }

    /// The length of a line that ends with a mate by the side that moves first.
    fn plies_of_mating_line(&self, line: &[Move]) -> Option<u32> {
        let mut position = self.root.clone();
        line.iter().try_for_each(|&mv| position.play(mv)).ok()?;
        (line.len() % 2 == 1 && !position.has_legal_move()).then_some(line.len() as u32)
    }

    /// The plies of a mate within so many after a line, if one is proven.
    fn plies_after(&mut self, line: &[Move], plies: u32) -> Option<u32> {
        if plies == 0 {
            return (!self.root.after(line).has_legal_move()).then_some(0);
        }
        [AttackerMoves::ChecksOnly, AttackerMoves::All].into_iter().find_map(|moves| {
            match self.prover.prove(line, plies, moves, self.nodes / NODES_DIVISOR) {
                MateProof::Mate(plies) => Some(plies),
                _ => None,
            }
        })
    }

    fn proves(&mut self, line: &[Move], plies: u32) -> bool {
        self.plies_after(line, plies).is_some()
    }

    /// The mate in so many plies as a line, which begins like `known` where that mates as fast.
    fn mate(&mut self, plies: u32, known: &[Move]) -> Option<ProvenMate> {
        let mut line: Vec<Move> = Vec::new();
        let mut left = plies;
        loop {
            let hint = known.get(line.len()).copied().filter(|_| known.starts_with(&line));
            let (mv, now) = self.mating_move(&line, left, hint)?;
            line.push(mv);
            left = now;
            if left == 0 {
                break;
            }
            let hint = known.get(line.len()).copied().filter(|_| known.starts_with(&line));
            let (reply, now) = self.longest_defence(&line, left, hint)?;
            line.push(reply);
            left = now;
        }
        let pattern = MatingPattern::of(&self.root.after(&line));
        Some(ProvenMate { moves: line.len().div_ceil(2) as u32, line, pattern })
    }

    /// A move of the attacker that mates within so many plies, and the plies left after it.
    fn mating_move(&mut self, line: &[Move], plies: u32, hint: Option<Move>) -> Option<(Move, u32)> {
        let position = self.root.after(line);
        let legal = position.legal_moves();
        let mut moves: Vec<Move> = legal.to_vec();
        moves.order_by_key(|&mv| (Some(mv) != hint, !position.gives_check(mv)));
        moves.into_iter().find_map(|mv| {
            let left = self.plies_after(&[line, &[mv]].concat(), plies - 1)?;
            Some((mv, left))
        })
    }

    /// The reply that is mated last, and the plies left after it; `None` if a reply is not proven to be mated.
    fn longest_defence(&mut self, line: &[Move], plies: u32, hint: Option<Move>) -> Option<(Move, u32)> {
        let mut longest: Option<(Move, u32)> = None;
        let position = self.root.after(line);
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.order_by_key(|&mv| Some(mv) != hint);
        for mv in moves {
            let left = self.plies_after(&[line, &[mv]].concat(), plies - 1)?;
            if longest.is_none_or(|(_, most)| left > most) {
                longest = Some((mv, left));
            }
        }
        longest
    }
}
