//! The line of a mate that has been proven: the shortest way that is known, against the longest resistance.

use super::dfpn::{Aborted, Dfpn, ProofChild, ProofState, combine_children, is_defender_ply};
use super::proof_table::AttackerMoves;
use crate::types::Move;

/// A node of the line with all its moves.
struct LineNode {
    plies: u8,
    children: Vec<ProofChild>,
    chosen: usize,
}

/// A line is walked again so often at most, if it turns out to be shorter than was thought.
const MAX_WALKS: usize = 100;

impl Dfpn<'_, '_> {
    /// The line of a mate within so many plies, which is proven; with its length, which may be less. If `is_shortest`,
    /// no shorter mate exists, and the line is as long as that: no reply in it lets itself be mated earlier.
    ///
    /// If the search is stopped meanwhile, the line ends early.
    pub fn mate_line(&mut self, plies: u8, is_shortest: bool) -> (Vec<Move>, u8) {
        let (mut line, mut length) = (Vec::new(), plies);
        for _ in 0..MAX_WALKS {
            let mut stations = Vec::new();
            let walked = self.walk_to_mate(length, is_shortest, &mut stations);
            line = stations.iter().map(|station| station.children[station.chosen].mv).collect();
            let known = self.walk_back(stations);
            if walked.is_err() {
                break;
            }
            length = known.unwrap_or(length);
            if line.len() == usize::from(length) {
                break;
            }
        }
        (line, length)
    }

    /// Goes to the mate, leaving the position there.
    fn walk_to_mate(&mut self, plies: u8, exactly: bool, stations: &mut Vec<LineNode>) -> Result<(), Aborted> {
        let mut plies = plies;
        while self.worker.position.has_legal_move() {
            let ply = stations.len();
            let mut children = self.solve_node(ply, plies)?;
            let chosen = if is_defender_ply(ply) {
                self.longest_defence(&mut children, ply, plies, exactly)?
            } else {
                let proven = |child: &&ProofChild| child.state.pn == 0;
                let shortest = children.iter().filter(proven).map(|child| child.state.plies).min();
                children.iter().position(|child| child.state.pn == 0 && Some(child.state.plies) == shortest)
            };
            let Some(chosen) = chosen else { return Err(Aborted) };
            let child = children[chosen];
            stations.push(LineNode { plies, children, chosen });
            self.worker.position.make_unchecked(child.mv);
            plies = if exactly { plies - 1 } else { child.state.plies };
        }
        Ok(())
    }

    /// Goes back to the root; on the way the lengths along the line become what they turned out to be. Answers
    /// that of the root, if the line went to its end.
    fn walk_back(&mut self, mut stations: Vec<LineNode>) -> Option<u8> {
        let at_end = !self.worker.position.has_legal_move();
        let mut below = at_end.then_some(0);
        while let Some(mut station) = stations.pop() {
            self.worker.position.unmake();
            let Some(plies) = below else { continue };
            station.children[station.chosen].state = ProofState::proven(plies);
            let standing = combine_children(stations.len(), &station.children);
            below = (standing.pn == 0).then_some(standing.plies);
            if let Some(plies) = below
                && !stations.is_empty()
            {
                self.table.store_proof(self.key(station.plies), plies, 1);
            }
        }
        below
    }

    /// The moves of a position that is proven, and how each stands then.
    fn solve_node(&mut self, ply: usize, plies: u8) -> Result<Vec<ProofChild>, Aborted> {
        if ply == 0 {
            return self.solve_root(plies).map(|(_, children)| children);
        }
        self.child_states(ply, plies)
    }

    /// The reply that puts the mate off longest: as far as is known, or else `exactly`.
    fn longest_defence(
        &mut self,
        children: &mut [ProofChild],
        ply: usize,
        plies: u8,
        exactly: bool,
    ) -> Result<Option<usize>, Aborted> {
        let longest = children.iter().map(|child| child.state.plies).max();
        let found = children.iter().position(|child| Some(child.state.plies) == longest);
        if !exactly || plies < 4 {
            return Ok(found);
        }
        let method = std::mem::replace(&mut self.method, AttackerMoves::All);
        let mut chosen = Ok(found);
        for (index, child) in children.iter_mut().enumerate() {
            self.worker.position.make_unchecked(child.mv);
            let sooner = self.solve_position(ply + 1, plies - 3);
            self.worker.position.unmake();
            match sooner {
                Ok(ProofState { pn: 0, plies, .. }) => child.state = ProofState::proven(plies),
                Ok(_) => {
                    chosen = Ok(Some(index));
                    break;
                }
                Err(Aborted) => {
                    chosen = Err(Aborted);
                    break;
                }
            }
        }
        self.method = method;
        chosen
    }
}
