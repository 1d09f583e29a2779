//! Looks for a series of checks (连将杀) in an ordinary search, with a small share of the nodes. The main search reduces
//! and prunes sacrifices, so it finds long series late; the proof number search knows of most positions after a few nodes
//! that there is none.

use super::dfpn::{Dfpn, GameHistory, ProofChild};
use super::proof_table::{AttackerMoves, ProofTable};
use super::root_moves;
use crate::score;
use crate::search::info::Reporter;
use crate::search::search_thread::SearchThread;
use xiangqi::Move;

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
