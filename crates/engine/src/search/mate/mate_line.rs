//! Extracts the line of a proven mate: the shortest known mate against the longest resistance.
//!
//! Looks for a series of checks (连将杀) in an ordinary search, with a small share of the nodes. The main search reduces
//! and prunes sacrifices, so it finds long series late; the proof number search knows of most positions after a few nodes
//! that there is none.

use super::dfpn::{Aborted, Dfpn, GameHistory, ProofChild, ProofState, combine_children, is_defender_ply};
use super::proof_table::{AttackerMoves, ProofTable};
use super::root_moves;
use crate::score;
use crate::search::report::Reporter;
use crate::search::search_thread::SearchThread;
use xiangqi::Move;

/// A node of the line with all its children.
struct LineNode {
    plies: u8,
    children: Vec<ProofChild>,
    chosen: usize,
}

/// Maximum number of walks; each may find the mate to be shorter.
const MAX_WALKS: usize = 100;

impl Dfpn<'_, SearchThread<'_>> {
    /// Returns the line of a proven mate within this many plies, and its length, which may be less. If `is_shortest`,
    /// no shorter mate exists, and every defence in the line holds out for the full length.
    ///
    /// If the search is stopped, the line ends early.
    pub fn mate_line(&mut self, plies: u8, is_shortest: bool) -> (Vec<Move>, u8) {
        let (mut line, mut length) = (Vec::new(), plies);
        for _ in 0..MAX_WALKS {
            let mut nodes = Vec::new();
            let result = self.walk_to_mate(length, is_shortest, &mut nodes);
            line = nodes.iter().map(|node| node.children[node.chosen].mv).collect();
            let known = self.walk_back(nodes);
            if result.is_err() {
                break;
            }
            length = known.unwrap_or(length);
            if line.len() == usize::from(length) {
                break;
            }
        }
        (line, length)
    }

    /// Plays the line to the mate and leaves the position there.
    fn walk_to_mate(&mut self, plies: u8, is_shortest: bool, nodes: &mut Vec<LineNode>) -> Result<(), Aborted> {
        let mut plies = plies;
        while self.host.position.has_legal_move() {
            let ply = nodes.len();
            let mut children = self.solve_node(ply, plies)?;
            let chosen = if is_defender_ply(ply) {
                self.longest_defence(&mut children, ply, plies, is_shortest)?
            } else {
                let proven = |child: &&ProofChild| child.state.pn == 0;
                let shortest = children.iter().filter(proven).map(|child| child.state.plies).min();
                children.iter().position(|child| child.state.pn == 0 && Some(child.state.plies) == shortest)
            };
            let Some(chosen) = chosen else { return Err(Aborted) };
            let child = children[chosen];
            nodes.push(LineNode { plies, children, chosen });
            self.host.position.play_unchecked(child.mv);
            plies = if is_shortest { plies - 1 } else { child.state.plies };
        }
        Ok(())
    }

    /// Unmakes the line and corrects the lengths along it. Returns the length at the root if the line reached the mate.
    fn walk_back(&mut self, mut nodes: Vec<LineNode>) -> Option<u8> {
        let at_end = !self.host.position.has_legal_move();
        let mut below = at_end.then_some(0);
        while let Some(mut node) = nodes.pop() {
            self.host.position.undo();
            let Some(plies) = below else { continue };
            node.children[node.chosen].state = ProofState::proven(plies);
            let state = combine_children(nodes.len(), &node.children);
            below = (state.pn == 0).then_some(state.plies);
            if let Some(plies) = below
                && !nodes.is_empty()
            {
                self.table.store_proof(self.key(node.plies), plies, 1);
            }
        }
        below
    }

    /// The children of a proven node with their states.
    fn solve_node(&mut self, ply: usize, plies: u8) -> Result<Vec<ProofChild>, Aborted> {
        if ply == 0 {
            return self.solve_root(&root_moves(self.host), plies).map(|(_, children)| children);
        }
        self.child_states(ply, plies)
    }

    /// The defence with the longest known resistance; if `is_shortest`, one that is proven to hold out for all plies.
    fn longest_defence(
        &mut self,
        children: &mut [ProofChild],
        ply: usize,
        plies: u8,
        is_shortest: bool,
    ) -> Result<Option<usize>, Aborted> {
        let longest = children.iter().map(|child| child.state.plies).max();
        let found = children.iter().position(|child| Some(child.state.plies) == longest);
        if !is_shortest || plies < 4 {
            return Ok(found);
        }
        let method = std::mem::replace(&mut self.method, AttackerMoves::All);
        let mut chosen = Ok(found);
        for (index, child) in children.iter_mut().enumerate() {
            self.host.position.play_unchecked(child.mv);
            let shorter = self.solve_position(ply + 1, plies - 3);
            self.host.position.undo();
            match shorter {
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

/// Longest series, in plies.
const MAX_PLIES: u8 = 79;
/// Nodes in percent of those of the main search.
const PERCENT: u64 = 3;
/// Minimum nodes of one slice.
const SLICE_NODES: u64 = 300;
/// Maximum size of the proof table in megabytes; it is at most half as large as the transposition table, too.
const MAX_MEGABYTES: usize = 32;

pub(in crate::search) struct CheckSeriesSolver {
    table: ProofTable,
    history: GameHistory,
    killer_replies: Vec<Option<Move>>,
    spare_children: Vec<Vec<ProofChild>>,
    nodes_spent: u64,
    /// There is no series of checks.
    is_ruled_out: bool,
}

impl CheckSeriesSolver {
    /// A solver for the root of this thread.
    pub fn new(thread: &SearchThread) -> CheckSeriesSolver {
        let kilobytes = (thread.shared.tt.megabytes() << 9).min(MAX_MEGABYTES << 10);
        CheckSeriesSolver {
            table: ProofTable::new(kilobytes.max(1) << 10),
            history: GameHistory::of(&thread.position, thread.shared.options.rules),
            killer_replies: Vec::new(),
            spare_children: Vec::new(),
            nodes_spent: 0,
            is_ruled_out: false,
        }
    }

    /// Uses the nodes that are due. True if a series is proven, which is then the best line and reported.
    pub fn run(&mut self, thread: &mut SearchThread, reporter: &mut dyn Reporter) -> bool {
        let due = ((thread.nodes - self.nodes_spent) * PERCENT / 100).saturating_sub(self.nodes_spent);
        if self.is_ruled_out || due < SLICE_NODES || thread.stopped || score::is_decisive(thread.root_moves[0].score) {
            return false;
        }
        let nodes_before = thread.nodes;
        let moves = root_moves(thread);
        let answer = self.dfpn(thread, nodes_before + due).solve_root(&moves, MAX_PLIES);
        self.nodes_spent += thread.nodes - nodes_before;
        let Ok((state, children)) = answer else { return false };
        self.is_ruled_out = state.pn > 0;
        if self.is_ruled_out {
            return false;
        }
        let (mut line, plies) = self.dfpn(thread, u64::MAX).mate_line(state.plies, false);
        if line.is_empty() {
            line.extend(children.iter().find(|child| child.state.pn == 0).map(|child| child.mv));
        }
        thread.set_proven_mate(&line, usize::from(plies), reporter);
        true
    }

    fn dfpn<'s, 'w>(&'s mut self, thread: &'s mut SearchThread<'w>, node_limit: u64) -> Dfpn<'s, SearchThread<'w>> {
        let CheckSeriesSolver { table, history, killer_replies, spare_children, .. } = self;
        let method = AttackerMoves::ChecksOnly;
        Dfpn { host: thread, table, more_proofs: None, history, killer_replies, spare_children, method, node_limit }
    }
}
