//! [`MateProver`]: proves or rules out mates in the positions of a tree. All questions share one memory, so a tree of
//! moves can be asked about node by node.

use super::dfpn::{Aborted, Dfpn, GameHistory, ProofChild, ProofHost, ProofState, is_defender_ply};
use super::proof_table::{AttackerMoves, NO_MATE, ProofTable};
use crate::score::{self, Bound, MAX_PLY};
use crate::search::limits::Control;
use crate::search::search_thread::SearchThread;
use crate::search::thread_stacks::run_main_thread;
use crate::search::transposition_table::TranspositionTable;
use std::fmt;
use std::sync::Arc;
use xiangqi::{Color, Move, Position, Rules};

/// Longest mate in plies.
const MAX_PLIES: u32 = 199;
/// The recursion of longer mates needs a thread with a large stack.
const MAX_PLIES_ON_CALLERS_STACK: u32 = 60;
/// Nodes between two looks at the control.
const CONTROL_INTERVAL: u64 = 64;

/// The answer of a [`MateProver`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateProof {
    /// The attacker mates or stalemates within so many plies, whatever the defender plays.
    Mate(u32),
    /// He does not within the plies that were asked for.
    NoMate {
        /// He never does, in any number of plies.
        ever: bool,
    },
    /// Not settled within the nodes, or stopped.
    Open,
}

/// Proves and rules out mates by one side, in a position and the positions that follow it.
pub struct MateProver {
    board: ProverBoard,
    /// By [`AttackerMoves`]. What is proven by checks alone holds for all moves, but not the other way round.
    tables: [ProofTable; 2],
    history: GameHistory,
    killer_replies: Vec<Option<Move>>,
    spare_children: Vec<Vec<ProofChild>>,
    /// 1 if the defender is to move at the root.
    first_ply: usize,
}

/// Position, node count and signals of a prover.
struct ProverBoard {
    position: Position,
    nodes: u64,
    control: Arc<Control>,
    hints: Option<Arc<TranspositionTable>>,
    stopped: bool,
}

impl fmt::Debug for MateProver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MateProver")
            .field("position", &self.board.position)
            .field("nodes", &self.board.nodes)
            .finish_non_exhaustive()
    }
}

impl MateProver {
    /// A prover for mates by `attacker` from this position on, with a memory of at most so many megabytes. Stopping
    /// the control leaves every question open.
    pub fn new(root: &Position, attacker: Color, rules: Rules, megabytes: usize, control: Arc<Control>) -> MateProver {
        let mut position = root.clone();
        position.reserve(2 * MAX_PLY);
        MateProver {
            board: ProverBoard { position, nodes: 0, control, hints: None, stopped: false },
            tables: [(); 2].map(|()| ProofTable::new(megabytes.max(1) << 19)),
            history: GameHistory::of(root, rules),
            killer_replies: Vec::new(),
            spare_children: Vec::new(),
            first_ply: usize::from(root.side() != attacker),
        }
    }

    /// Lets the mates that a search has found decide what is tried first.
    pub fn set_hints(&mut self, table: Arc<TranspositionTable>) {
        self.board.hints = Some(table);
    }

    /// The nodes of all questions.
    pub fn nodes(&self) -> u64 {
        self.board.nodes
    }

    /// Whether the attacker mates within so many plies after this line of moves of both sides, if he plays such moves.
    /// Open after so many nodes; asked again, the search goes on where it was. A line with an illegal move stays open.
    pub fn prove(&mut self, line: &[Move], plies: u32, moves: AttackerMoves, nodes: u64) -> MateProof {
        let before = self.board.position.history_len();
        let is_legal = line.iter().all(|&mv| self.board.position.play(mv).is_ok());
        let mut solve = || self.solve(line.len(), plies.min(MAX_PLIES), moves, nodes);
        let answer = match (is_legal, plies > MAX_PLIES_ON_CALLERS_STACK) {
            (false, _) => Err(Aborted),
            (true, false) => solve(),
            (true, true) => run_main_thread(solve),
        };
        while self.board.position.history_len() > before {
            self.board.position.undo();
        }
        match answer {
            Err(Aborted) => MateProof::Open,
            Ok(state) if state.pn == 0 => MateProof::Mate(u32::from(state.plies)),
            Ok(state) => MateProof::NoMate { ever: state.plies == NO_MATE },
        }
    }

    /// Solves the position on the board, so many plies below the root.
    fn solve(&mut self, depth: usize, plies: u32, moves: AttackerMoves, nodes: u64) -> Result<ProofState, Aborted> {
        let ply = depth + self.first_ply;
        // The attacker has the last move of a mate.
        let plies = if is_defender_ply(ply) { plies & !1 } else { ((plies + 1) & !1).saturating_sub(1) } as u8;
        self.board.stopped = false;
        let node_limit = self.board.nodes.saturating_add(nodes);
        let MateProver { board, tables: [by_checks, all], history, killer_replies, spare_children, .. } = self;
        let (table, more_proofs) = match moves {
            AttackerMoves::ChecksOnly => (&*by_checks, None),
            AttackerMoves::All => (&*all, Some(&*by_checks)),
        };
        let mut dfpn = Dfpn {
            host: board,
            table,
            more_proofs,
            history,
            killer_replies,
            spare_children,
            method: moves,
            node_limit,
        };
        if plies == 0 && !is_defender_ply(ply) {
            return Ok(ProofState::refuted(1));
        }
        dfpn.solve_position(ply, plies)
    }
}

impl ProofHost for ProverBoard {
    #[inline]
    fn position(&self) -> &Position {
        &self.position
    }

    #[inline]
    fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    #[inline]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    #[inline]
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CONTROL_INTERVAL) {
            self.control.poll();
            self.stopped = self.control.stopped();
        }
        self.stopped
    }

    fn expects_mate(&self) -> bool {
        self.hints.as_ref().is_some_and(|table| holds_mate(table, &self.position))
    }
}

impl ProofHost for SearchThread<'_> {
    #[inline]
    fn position(&self) -> &Position {
        &self.position
    }

    #[inline]
    fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    #[inline]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    #[inline]
    fn count_node(&mut self) -> bool {
        SearchThread::count_node(self)
    }

    fn expects_mate(&self) -> bool {
        holds_mate(self.tt, &self.position)
    }
}

/// Whether the transposition table has a mate against the side to move.
pub(super) fn holds_mate(table: &TranspositionTable, position: &Position) -> bool {
    let entry = table.probe(position.key());
    entry.is_some_and(|entry| entry.score <= -score::MATE_BOUND && entry.bound != Bound::Lower)
}
