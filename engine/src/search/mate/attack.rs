//! Proof number search for a mate of any length, by checks alone or by checks and threats of mate.
//!
//! In contrast to [`Dfpn`] a node is a position without a number of plies, so that all ways to it share one result, and
//! the attacker's moves are few, so that the search goes deep. A repetition on the path counts as refuted: it gains the
//! attacker nothing. What follows from that for the nodes above depends on the path, but is stored without it. So a
//! refutation by this search is only a hint, and never rules a mate out; a proof has no repetitions and is certain.

use super::dfpn::{Aborted, Dfpn, ProofChild, ProofState, Thresholds, combine_children, is_defender_ply, select_child};
use super::proof_table::{AttackerMoves, NO_MATE, ProofNumbers};
use crate::board::MoveList;
use crate::types::Move;

/// Moves that the attacker tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttackKind {
    /// Checks.
    Checks,
    /// Checks, and moves that threaten mate by a check and leave the defender none of his own.
    Threats,
}

impl AttackKind {
    /// Length under which the table keeps the proof numbers: no mate that is asked for is as long.
    fn table_length(self) -> u8 {
        match self {
            AttackKind::Checks => NO_MATE - 1,
            AttackKind::Threats => NO_MATE - 2,
        }
    }
}

/// One slice of the search.
pub(super) struct AttackSearch<'s, 'w> {
    pub base: Dfpn<'s, 'w>,
    pub kind: AttackKind,
    /// No longer mate is searched for.
    pub max_plies: u8,
    /// By ply, the move that mated last.
    pub mating_moves: &'s mut Vec<Move>,
}

impl AttackSearch<'_, '_> {
    /// Solves the root; also returns the state of each move.
    pub fn solve_root(&mut self) -> Result<(ProofState, Vec<ProofChild>), Aborted> {
        let mut moves = MoveList::new();
        self.base.thread.root_moves.iter().for_each(|root_move| moves.add(root_move.mv));
        let mut children = Vec::new();
        self.expand(&moves, 0, &mut children)?;
        let state = self.deepen(&mut children, 0, Thresholds::NONE)?;
        Ok((state, children))
    }

    /// Searches a node until it is solved or a threshold is reached, and stores the result.
    fn search(&mut self, ply: usize, thresholds: Thresholds) -> Result<ProofState, Aborted> {
        let nodes_before = self.base.thread.nodes;
        let moves = self.base.thread.position.legal_moves();
        let mut children = self.base.spare_children.pop().unwrap_or_default();
        let state = match self.expand(&moves, ply, &mut children) {
            Ok(()) => self.deepen(&mut children, ply, thresholds),
            Err(Aborted) => Err(Aborted),
        };
        if state.is_ok() || !children.is_empty() {
            self.store(ply, combine_children(ply, &children), self.base.thread.nodes - nodes_before);
        }
        children.clear();
        self.base.spare_children.push(children);
        state
    }

    /// Expands the cheapest child until the node is solved or a threshold is reached.
    fn deepen(
        &mut self,
        children: &mut [ProofChild],
        ply: usize,
        thresholds: Thresholds,
    ) -> Result<ProofState, Aborted> {
        loop {
            let state = combine_children(ply, children);
            if state.pn >= thresholds.pn || state.dn >= thresholds.dn {
                return Ok(state);
            }
            let (index, thresholds) = select_child(ply, children, thresholds);
            self.base.thread.position.make_unchecked(children[index].mv);
            let below = self.search(ply + 1, thresholds);
            self.base.thread.position.unmake();
            children[index].state = below?;
            if is_defender_ply(ply) && children[index].state.dn == 0 {
                self.base.note_killer_reply(ply, children[index].mv);
            }
        }
    }

    /// Lists the moves with their initial states. A move that decides the node is returned alone. If the search is
    /// aborted, the list is empty.
    fn expand(&mut self, moves: &MoveList, ply: usize, children: &mut Vec<ProofChild>) -> Result<(), Aborted> {
        children.clear();
        let defender = is_defender_ply(ply);
        let check_squares = self.base.thread.position.check_squares();
        let killer_reply = self.base.killer_replies.get(ply).copied();
        let first = killer_reply.filter(|&mv| defender && moves.contains_move(mv));
        for mv in first.into_iter().chain(moves.moves().filter(|&mv| Some(mv) != first)) {
            if !defender
                && self.kind == AttackKind::Checks
                && !self.base.thread.position.gives_check_with(&check_squares, mv)
            {
                continue;
            }
            let state = self.base.make_counted(mv).and_then(|()| {
                let state = if defender { self.evaluate_attacker(ply + 1) } else { self.evaluate_defender(ply + 1) };
                self.base.thread.position.unmake();
                state
            });
            let Ok(state) = state else {
                children.clear();
                return Err(Aborted);
            };
            let decides = if defender { state.dn == 0 } else { state.pn == 0 };
            if decides {
                children.clear();
            }
            children.push(ProofChild { mv, state });
            if decides {
                if defender {
                    self.base.note_killer_reply(ply, mv);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Initial state of a node with the defender to move.
    fn evaluate_defender(&mut self, ply: usize) -> Result<ProofState, Aborted> {
        if let Some(known) = self.known_state(ply) {
            return Ok(known);
        }
        let replies = self.base.thread.position.count_legal() as u32;
        if replies == 0 {
            self.base.table.store_proof(self.base.key(self.plies_left(ply)), 0, 1);
            return Ok(ProofState::proven(0));
        }
        if self.plies_left(ply) == 0 || self.base.is_over(self.plies_left(ply)) {
            return Ok(ProofState::refuted(NO_MATE));
        }
        if self.base.thread.position.in_check() {
            return Ok(ProofState::open(replies, 1));
        }
        self.base.thread.position.make_null();
        let threat = self.threatens_mate(ply);
        self.base.thread.position.unmake_null();
        if !threat? || self.mate_in_one(ply)?.is_none() {
            let refuted = ProofState::refuted(NO_MATE);
            self.store(ply, refuted, 1);
            return Ok(refuted);
        }
        Ok(ProofState::open(2 + replies / 8, 1))
    }

    /// Whether the attacker, if he might move once more, would mate.
    fn threatens_mate(&mut self, ply: usize) -> Result<bool, Aborted> {
        let left = self.plies_left(ply);
        let key = self.base.key(left);
        let (bounds, _) = self.base.table.probe(key, self.kind.table_length(), AttackerMoves::All);
        if bounds.proven <= left {
            return Ok(true);
        }
        let mates = self.mate_in_one(ply)?.is_none();
        if mates {
            self.base.table.store_proof(key, 1, 1);
        }
        Ok(mates)
    }

    /// Initial state of a node with the attacker to move.
    fn evaluate_attacker(&mut self, ply: usize) -> Result<ProofState, Aborted> {
        if let Some(known) = self.known_state(ply) {
            return Ok(known);
        }
        let left = self.plies_left(ply);
        if self.base.is_over(left) {
            return Ok(ProofState::refuted(NO_MATE));
        }
        let Some(checks) = self.mate_in_one(ply)? else {
            self.base.table.store_proof(self.base.key(left), 1, 1);
            return Ok(ProofState::proven(1));
        };
        if left <= 2 || checks == 0 && self.kind == AttackKind::Checks {
            let refuted = ProofState::refuted(NO_MATE);
            if left > 2 {
                self.store(ply, refuted, 1);
            }
            return Ok(refuted);
        }
        Ok(ProofState::open(1, checks.max(1)))
    }

    /// `None` if a check of the side to move mates at once, otherwise how many checks there are.
    fn mate_in_one(&mut self, ply: usize) -> Result<Option<u32>, Aborted> {
        let moves = self.base.thread.position.legal_moves();
        let check_squares = self.base.thread.position.check_squares();
        let killer = self.mating_moves.get(ply).copied();
        let first = killer.filter(|&mv| moves.contains_move(mv));
        let mut checks = 0;
        for mv in first.into_iter().chain(moves.moves().filter(|&mv| Some(mv) != first)) {
            if !self.base.thread.position.gives_check_with(&check_squares, mv) {
                continue;
            }
            checks += 1;
            self.base.make_counted(mv)?;
            let mates = !self.base.thread.position.has_legal_move();
            self.base.thread.position.unmake();
            if mates {
                if self.mating_moves.len() <= ply {
                    self.mating_moves.resize(ply + 1, Move::NONE);
                }
                self.mating_moves[ply] = mv;
                return Ok(None);
            }
        }
        Ok(Some(checks))
    }

    /// What the table or the path says of a node.
    fn known_state(&self, ply: usize) -> Option<ProofState> {
        let left = self.plies_left(ply);
        let (bounds, numbers) =
            self.base.table.probe(self.base.key(left), self.kind.table_length(), AttackerMoves::All);
        if bounds.proven <= left {
            return Some(ProofState::proven(bounds.proven));
        }
        if self.is_repetition(ply) {
            return Some(ProofState::refuted(NO_MATE));
        }
        // A proof that is too long here leaves the numbers of a proven node.
        let ProofNumbers { pn, dn } = numbers.filter(|numbers| numbers.pn > 0)?;
        Some(if dn == 0 { ProofState::refuted(NO_MATE) } else { ProofState::open(pn, dn) })
    }

    /// Whether the position has occurred on the path from the root.
    fn is_repetition(&self, ply: usize) -> bool {
        let position = &self.base.thread.position;
        let reach = ply.min(position.plies_since_capture());
        (4..=reach).step_by(2).any(|back| position.key_before(back) == Some(position.key()))
    }

    fn store(&self, ply: usize, state: ProofState, nodes: u64) {
        let key = self.base.key(self.plies_left(ply));
        if state.pn == 0 {
            self.base.table.store_proof(key, state.plies, nodes);
        } else {
            let numbers = ProofNumbers { pn: state.pn, dn: state.dn };
            self.base.table.store_numbers(key, self.kind.table_length(), AttackerMoves::All, numbers, nodes);
        }
    }

    fn plies_left(&self, ply: usize) -> u8 {
        self.max_plies.saturating_sub(ply as u8)
    }
}
