//! Depth-first proof number search (df-pn) for a mate within a number of plies.
//!
//! A position of the attacker is proven if one move is, a position of the defender if all moves are. The proof number
//! `pn` estimates the work to prove a position, the disproof number `dn` the work to refute it; the search expands the
//! cheapest node. Siblings share most of their subtrees, so sums would count work many times: instead of the sum, the
//! numbers use the maximum over the children plus one for each other open child.
//!
//! A node is a position with a number of plies, which every move decreases. So there are no cycles, and results do not
//! depend on the path: a shortest mate does not repeat a position. Only the game before the root matters: a position
//! that may not occur once more is no way to mate.

use super::proof_table::{AttackerMoves, MAX_PROOF_NUMBER, NO_MATE, ProofNumbers, ProofTable};
use xiangqi::rules::can_anyone_win;
use xiangqi::{Move, MoveList, Position, Rules, zobrist::Key};

/// The search was stopped, or its node limit is reached.
pub(super) struct Aborted;

/// Added to the initial proof number of quiet attacking moves.
const QUIET_PENALTY: u32 = 8;

/// Proof state of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofState {
    /// 0 if proven.
    pub pn: u32,
    /// 0 if refuted.
    pub dn: u32,
    /// If proven: mate within this many plies. If refuted: no mate within fewer plies than this.
    pub plies: u8,
}

impl ProofState {
    pub fn proven(plies: u8) -> ProofState {
        ProofState { pn: 0, dn: MAX_PROOF_NUMBER, plies }
    }

    pub fn refuted(plies: u8) -> ProofState {
        ProofState { pn: MAX_PROOF_NUMBER, dn: 0, plies }
    }

    fn open(pn: u32, dn: u32) -> ProofState {
        ProofState { pn: pn.clamp(1, MAX_PROOF_NUMBER - 1), dn: dn.clamp(1, MAX_PROOF_NUMBER - 1), plies: 0 }
    }

    fn is_open(&self) -> bool {
        self.pn > 0 && self.dn > 0
    }
}

/// A move and the proof state after it.
#[derive(Clone, Copy)]
pub(super) struct ProofChild {
    pub mv: Move,
    pub state: ProofState,
}

/// Thresholds of df-pn: the search leaves a node when its numbers reach them.
#[derive(Clone, Copy)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { pn: MAX_PROOF_NUMBER, dn: MAX_PROOF_NUMBER };
}

/// Constraints from the game before the root.
pub(super) struct GameHistory {
    rules: Rules,
    /// Positions whose next occurrence ends the game.
    repeated_keys: Vec<Key>,
    /// Neither side has enough material: only a mate by the next move counts.
    nobody_can_win: bool,
}

impl GameHistory {
    /// The constraints for a search from this position.
    pub fn of(position: &Position, rules: Rules) -> GameHistory {
        let reach = position.plies_since_capture().min(position.history_len());
        let keys: Vec<Key> = (0..=reach).filter_map(|back| position.key_before(back)).collect();
        let occurrences = |key: &Key| keys.iter().filter(|&other| other == key).count();
        let repeated_keys =
            keys.iter().copied().filter(|key| occurrences(key) + 1 >= rules.set.repetition_count()).collect();
        GameHistory { rules, repeated_keys, nobody_can_win: !can_anyone_win(position) }
    }
}

/// What a proof number search runs in, a prover or a thread of the main search: it holds the position, counts nodes and knows
/// when to stop.
pub(super) trait ProofHost {
    fn position(&self) -> &Position;
    fn position_mut(&mut self) -> &mut Position;
    /// Nodes so far.
    fn nodes(&self) -> u64;
    /// Counts a node; true if the search is to stop.
    fn count_node(&mut self) -> bool;
    /// Whether somebody has seen a mate against the side to move: no proof, but a move worth trying first.
    fn expects_mate(&self) -> bool;
}

/// One slice of proof number search.
pub(super) struct Dfpn<'s, H> {
    pub host: &'s mut H,
    pub table: &'s ProofTable,
    /// Another table whose proofs hold as well.
    pub more_proofs: Option<&'s ProofTable>,
    pub history: &'s GameHistory,
    /// By ply, the defence that refuted last.
    pub killer_replies: &'s mut Vec<Option<Move>>,
    /// Child lists for reuse.
    pub spare_children: &'s mut Vec<Vec<ProofChild>>,
    pub method: AttackerMoves,
    /// Node count of the thread at which the slice ends.
    pub node_limit: u64,
}

impl<H: ProofHost> Dfpn<'_, H> {
    /// Solves the root with these moves for this many plies; also returns the state of each move.
    pub fn solve_root(&mut self, moves: &MoveList, plies: u8) -> Result<(ProofState, Vec<ProofChild>), Aborted> {
        let mut children = Vec::new();
        self.expand(moves, 0, plies, &mut children)?;
        // The root is not stored: its moves may be a subset of the legal moves.
        let state = self.deepen(&mut children, 0, plies, Thresholds::NONE)?;
        Ok((state, children))
    }

    /// Solves a position without thresholds.
    pub fn solve_position(&mut self, ply: usize, plies: u8) -> Result<ProofState, Aborted> {
        let state = if is_defender_ply(ply) {
            self.evaluate_defender_node(plies)?
        } else {
            self.evaluate_attacker_node(plies)?
        };
        if state.is_open() { self.search(ply, plies, Thresholds::NONE) } else { Ok(state) }
    }

    /// Solves a position and returns the state of each move.
    pub fn child_states(&mut self, ply: usize, plies: u8) -> Result<Vec<ProofChild>, Aborted> {
        let mut children = Vec::new();
        let moves = self.host.position().legal_moves();
        self.expand(&moves, ply, plies, &mut children)?;
        self.deepen(&mut children, ply, plies, Thresholds::NONE)?;
        Ok(children)
    }

    /// Searches a node until it is solved or a threshold is reached, and stores the result.
    fn search(&mut self, ply: usize, plies: u8, thresholds: Thresholds) -> Result<ProofState, Aborted> {
        let nodes_before = self.host.nodes();
        let key = self.key(plies);
        let moves = self.host.position().legal_moves();
        let mut children = self.spare_children.pop().unwrap_or_default();
        let state = match self.expand(&moves, ply, plies, &mut children) {
            Ok(()) => self.deepen(&mut children, ply, plies, thresholds),
            Err(Aborted) => {
                children.clear();
                self.spare_children.push(children);
                return Err(Aborted);
            }
        };
        let reached = combine_children(ply, &children);
        children.clear();
        self.spare_children.push(children);
        self.store_result(key, plies, reached, self.host.nodes() - nodes_before);
        state
    }

    /// Expands the cheapest child until the node is solved or a threshold is reached.
    fn deepen(
        &mut self,
        children: &mut [ProofChild],
        ply: usize,
        plies: u8,
        thresholds: Thresholds,
    ) -> Result<ProofState, Aborted> {
        loop {
            let state = combine_children(ply, children);
            if state.pn >= thresholds.pn || state.dn >= thresholds.dn {
                return Ok(state);
            }
            let (index, thresholds) = select_child(ply, children, thresholds);
            self.host.position_mut().play_unchecked(children[index].mv);
            let result = self.search(ply + 1, plies - 1, thresholds);
            self.host.position_mut().undo();
            children[index].state = result?;
            if is_defender_ply(ply) && children[index].state.dn == 0 {
                self.note_killer_reply(ply, children[index].mv);
            }
        }
    }

    /// Lists the moves with their initial states. A move that decides the node is returned alone.
    fn expand(
        &mut self,
        moves: &MoveList,
        ply: usize,
        plies: u8,
        children: &mut Vec<ProofChild>,
    ) -> Result<(), Aborted> {
        children.clear();
        let defender = is_defender_ply(ply);
        let check_squares = self.host.position().check_squares();
        // Try the killer reply first.
        let killer_reply =
            self.killer_replies.get(ply).copied().flatten().filter(|&mv| defender && moves.contains(&mv));
        for mv in killer_reply.into_iter().chain(moves.iter().copied().filter(|&mv| Some(mv) != killer_reply)) {
            if !defender
                && self.method == AttackerMoves::ChecksOnly
                && !self.host.position().gives_check_with(&check_squares, mv)
            {
                continue;
            }
            self.make_counted(mv)?;
            let state =
                if defender { self.evaluate_attacker_node(plies - 1) } else { self.evaluate_defender_node(plies - 1) };
            self.host.position_mut().undo();
            let state = state?;
            let decides = if defender { state.dn == 0 } else { state.pn == 0 };
            if decides {
                children.clear();
            }
            children.push(ProofChild { mv, state });
            if decides {
                if defender {
                    self.note_killer_reply(ply, mv);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn note_killer_reply(&mut self, ply: usize, mv: Move) {
        if self.killer_replies.len() <= ply {
            self.killer_replies.resize(ply + 1, None);
        }
        self.killer_replies[ply] = Some(mv);
    }

    /// Counts a node and makes the move.
    fn make_counted(&mut self, mv: Move) -> Result<(), Aborted> {
        if self.host.count_node() || self.host.nodes() >= self.node_limit {
            return Err(Aborted);
        }
        self.host.position_mut().play_unchecked(mv);
        Ok(())
    }

    /// Initial state of a node with the defender to move.
    fn evaluate_defender_node(&mut self, plies: u8) -> Result<ProofState, Aborted> {
        if plies == 0 {
            let mated = !self.host.position().has_legal_move();
            return Ok(if mated { ProofState::proven(0) } else { ProofState::refuted(2) });
        }
        let key = self.key(plies);
        let (known, open) = self.probe_table(key, plies);
        if let Some(state) = known {
            return Ok(state);
        }
        let replies = self.host.position().count_legal() as u32;
        if replies == 0 {
            self.table.store_proof(key, 0, 1);
            return Ok(ProofState::proven(0));
        }
        if self.is_over(plies) {
            return Ok(ProofState::refuted(NO_MATE));
        }
        if let Some(open) = open {
            return Ok(ProofState::open(open.pn, open.dn));
        }
        if self.host.expects_mate() {
            return Ok(ProofState::open(1, 1));
        }
        if self.host.position().in_check() {
            return Ok(ProofState::open(replies, 1));
        }
        // A quiet attacking move is cheap if it threatens mate.
        self.host.position_mut().play_null();
        let threat = self.has_mate_in_one(AttackerMoves::ChecksOnly);
        self.host.position_mut().undo();
        let cost = if threat? { 2 + replies / 8 } else { QUIET_PENALTY + replies };
        Ok(ProofState::open(cost, 1))
    }

    /// Initial state of a node with the attacker to move and at least one ply left.
    fn evaluate_attacker_node(&mut self, plies: u8) -> Result<ProofState, Aborted> {
        let key = self.key(plies);
        let (known, open) = self.probe_table(key, plies);
        if let Some(state) = known {
            return Ok(state);
        }
        if self.is_over(plies) {
            return Ok(ProofState::refuted(NO_MATE));
        }
        if let Some(open) = open {
            return Ok(ProofState::open(open.pn, open.dn));
        }
        let last = plies <= 2;
        if self.has_mate_in_one(if last { self.method } else { AttackerMoves::ChecksOnly })? {
            self.table.store_proof(key, 1, 1);
            return Ok(ProofState::proven(1));
        }
        if last {
            self.table.store_disproof(key, self.method, 3, 1);
            return Ok(ProofState::refuted(3));
        }
        Ok(ProofState::open(1, 1))
    }

    /// Whether a move (or check, by `method`) mates at once.
    fn has_mate_in_one(&mut self, method: AttackerMoves) -> Result<bool, Aborted> {
        let moves = self.host.position().legal_moves();
        let check_squares = self.host.position().check_squares();
        // Checks first: a move that stalemates is rare.
        let passes: &[bool] = if method == AttackerMoves::All { &[true, false] } else { &[true] };
        for &checks in passes {
            for mv in &moves {
                if self.host.position().gives_check_with(&check_squares, mv) == checks {
                    self.make_counted(mv)?;
                    let mates = !self.host.position().has_legal_move();
                    self.host.position_mut().undo();
                    if mates {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Looks up the state and the proof numbers of a node.
    fn probe_table(&self, key: Key, plies: u8) -> (Option<ProofState>, Option<ProofNumbers>) {
        let (mut bounds, open) = self.table.probe(key, plies, self.method);
        if let Some(more) = self.more_proofs {
            bounds.proven = bounds.proven.min(more.probe(key, plies, self.method).0.proven);
        }
        let refuted = bounds.refuted[self.method as usize];
        let known = if bounds.proven <= plies {
            Some(ProofState::proven(bounds.proven))
        } else if plies < refuted {
            Some(ProofState::refuted(refuted))
        } else {
            None
        };
        (known, open)
    }

    fn store_result(&self, key: Key, plies: u8, state: ProofState, nodes: u64) {
        match state {
            ProofState { pn: 0, plies, .. } => self.table.store_proof(key, plies, nodes),
            ProofState { dn: 0, plies, .. } => self.table.store_disproof(key, self.method, plies, nodes),
            ProofState { pn, dn, .. } => {
                self.table.store_numbers(key, plies, self.method, ProofNumbers { pn, dn }, nodes);
            }
        }
    }

    /// Key of the position in the proof table. Near the natural limit it includes the plies since the last capture.
    pub fn key(&self, plies: u8) -> Key {
        let position = self.host.position();
        let limit_key = self.history.rules.natural_limit_key(position, usize::from(plies));
        position.key() ^ limit_key.unwrap_or(0)
    }

    /// Whether the last move ended the game without mate.
    fn is_over(&self, plies: u8) -> bool {
        let position = self.host.position();
        let GameHistory { rules, repeated_keys, nobody_can_win } = self.history;
        *nobody_can_win
            || repeated_keys.contains(&position.key())
            || position.last_captured().is_some() && !can_anyone_win(position)
            || rules.natural_limit_key(position, usize::from(plies)).is_some() && rules.is_natural_draw(position)
    }
}

pub(super) fn is_defender_ply(ply: usize) -> bool {
    ply % 2 == 1
}

/// The state of a node from the states of its children.
pub(super) fn combine_children(ply: usize, children: &[ProofChild]) -> ProofState {
    let states = children.iter().map(|child| child.state);
    let defender = is_defender_ply(ply);
    // From the side to move: `easy` is the number for its own goal, `hard` that for the opponent's.
    let roles = |state: ProofState| {
        if defender { (state.dn, state.pn) } else { (state.pn, state.dn) }
    };
    let (mut easy, mut hard, mut others) = (MAX_PROOF_NUMBER, 0, 0u32);
    let (mut best, mut worst) = (if defender { 0 } else { NO_MATE }, if defender { 0 } else { NO_MATE });
    for state in states {
        let (own, other) = roles(state);
        easy = easy.min(own);
        if own == 0 {
            best = if defender { best.max(state.plies) } else { best.min(state.plies) };
        }
        if other == 0 {
            worst = if defender { worst.max(state.plies) } else { worst.min(state.plies) };
        } else {
            hard = hard.max(other);
            others += 1;
        }
    }
    let plies = |plies: u8| if plies == NO_MATE { NO_MATE } else { plies + 1 };
    if easy == 0 {
        return if defender { ProofState::refuted(plies(best)) } else { ProofState::proven(plies(best)) };
    }
    if others == 0 {
        return if defender { ProofState::proven(plies(worst)) } else { ProofState::refuted(plies(worst)) };
    }
    let hard = hard + others - 1;
    if defender { ProofState::open(hard, easy) } else { ProofState::open(easy, hard) }
}

/// The child to expand and its thresholds (the 1 + ε trick with ε = 1/4).
fn select_child(ply: usize, children: &[ProofChild], thresholds: Thresholds) -> (usize, Thresholds) {
    let defender = is_defender_ply(ply);
    let easy = |child: &ProofChild| if defender { child.state.dn } else { child.state.pn };
    let (mut index, mut first, mut second, mut open) = (0, MAX_PROOF_NUMBER, MAX_PROOF_NUMBER, 0u32);
    for (child_index, child) in children.iter().enumerate().filter(|(_, child)| child.state.is_open()) {
        open += 1;
        let cost = easy(child);
        if cost < first {
            (index, second, first) = (child_index, first, cost);
        } else {
            second = second.min(cost);
        }
    }
    let sibling_limit = second.saturating_add(second / 4 + 1).min(MAX_PROOF_NUMBER);
    let spare = |bound: u32| if bound == MAX_PROOF_NUMBER { MAX_PROOF_NUMBER } else { bound - (open - 1) };
    let below = if defender {
        Thresholds { dn: thresholds.dn.min(sibling_limit), pn: spare(thresholds.pn) }
    } else {
        Thresholds { pn: thresholds.pn.min(sibling_limit), dn: spare(thresholds.dn) }
    };
    (index, below)
}
