//! Depth-first proof number search (df-pn) for a mate within so many plies.
//!
//! A position of the attacker is proven if one move is, one of the defender if all are. The proof number `pn` of a position
//! estimates the work that is left to prove it, the disproof number `dn` the work to refute it; the search always goes on
//! where the least is left. Siblings mostly share their subtrees, so a sum would count the same work many times: of
//! what must all be done the hardest part counts, and each other part as one.
//!
//! A question is a position and a number of plies, and every move makes the number smaller. So there are no circles, and the
//! answer does not depend on the path: whatever repeats a position on the way to a mate has wasted moves, and the shortest
//! mate does not. Only what was played before the search began counts: a position that the game may not reach
//! once more is no way to mate.

use super::proof_table::{AttackerMoves, MAX_PROOF_NUMBER, NO_MATE, ProofNumbers, ProofTable};
use crate::board::MoveList;
use crate::rules::{Rules, can_anyone_win};
use crate::search::info::Bound;
use crate::search::search_thread::SearchThread;
use crate::types::{Key, Move, score};

/// The search was stopped, or its turn is over.
pub(super) struct Aborted;

/// What a quiet move of the attacker is thought to cost beyond a check.
const QUIET_PENALTY: u32 = 8;

/// How a question stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofState {
    /// 0 if proven.
    pub pn: u32,
    /// 0 if refuted.
    pub dn: u32,
    /// If proven: within so many plies. If refuted: no mate within fewer plies than this.
    pub plies: u8,
}

impl ProofState {
    pub fn proven(plies: u8) -> ProofState {
        ProofState { pn: 0, dn: MAX_PROOF_NUMBER, plies }
    }

    fn refuted(plies: u8) -> ProofState {
        ProofState { pn: MAX_PROOF_NUMBER, dn: 0, plies }
    }

    fn open(pn: u32, dn: u32) -> ProofState {
        ProofState { pn: pn.clamp(1, MAX_PROOF_NUMBER - 1), dn: dn.clamp(1, MAX_PROOF_NUMBER - 1), plies: 0 }
    }

    fn is_open(&self) -> bool {
        self.pn > 0 && self.dn > 0
    }
}

/// A move and how the position after it stands.
#[derive(Clone, Copy)]
pub(super) struct ProofChild {
    pub mv: Move,
    pub state: ProofState,
}

/// What may be spent on a question before the search looks elsewhere.
#[derive(Clone, Copy)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { pn: MAX_PROOF_NUMBER, dn: MAX_PROOF_NUMBER };
}

/// What the game before the search forbids.
pub(super) struct GameHistory {
    rules: Rules,
    /// Positions that have stood so often that once more ends the game.
    repeated_keys: Vec<Key>,
    /// Nobody can win any more: only a game that is over by the next move can be won.
    nobody_can_win: bool,
}

impl GameHistory {
    /// The past of the position that is searched.
    pub fn of(worker: &SearchThread) -> GameHistory {
        let position = &worker.position;
        let rules = worker.shared.options.rules;
        let reach = position.plies_since_capture().min(position.history_len());
        let keys: Vec<Key> = (0..=reach).filter_map(|back| position.key_before(back)).collect();
        let stood = |key: &Key| keys.iter().filter(|&other| other == key).count();
        let barred = keys.iter().copied().filter(|key| stood(key) + 1 >= rules.set.repetition_count()).collect();
        GameHistory { rules, repeated_keys: barred, nobody_can_win: !can_anyone_win(position) }
    }
}

/// One turn of solving.
pub(super) struct Dfpn<'s, 'w> {
    pub worker: &'s mut SearchThread<'w>,
    pub table: &'s ProofTable,
    pub history: &'s GameHistory,
    /// By ply, the reply that refuted last.
    pub killer_replies: &'s mut Vec<Move>,
    /// Lists of children to be used again.
    pub spare_children: &'s mut Vec<Vec<ProofChild>>,
    pub method: AttackerMoves,
    /// At this many nodes of the worker the turn ends.
    pub node_limit: u64,
}

impl Dfpn<'_, '_> {
    /// Whether the root mates within so many plies; and how each of its moves stands in the end.
    pub fn solve_root(&mut self, plies: u8) -> Result<(ProofState, Vec<ProofChild>), Aborted> {
        let mut moves = MoveList::new();
        self.worker.root_moves.iter().for_each(|root_move| moves.add(root_move.mv));
        let mut children = Vec::new();
        self.expand(&moves, 0, plies, &mut children)?;
        // The root is not remembered: its moves need not be all that there are.
        let standing = self.deepen(&mut children, 0, plies, Thresholds::NONE)?;
        Ok((standing, children))
    }

    /// Answers a question about the attacker's position, whatever it takes.
    pub fn solve_position(&mut self, ply: usize, plies: u8) -> Result<ProofState, Aborted> {
        let standing = self.evaluate_attacker_node(plies)?;
        if standing.is_open() { self.search(ply, plies, Thresholds::NONE) } else { Ok(standing) }
    }

    /// Answers a question, and tells how each move stands in the end.
    pub fn child_states(&mut self, ply: usize, plies: u8) -> Result<Vec<ProofChild>, Aborted> {
        let mut children = Vec::new();
        let moves = self.worker.position.legal_moves();
        self.expand(&moves, ply, plies, &mut children)?;
        self.deepen(&mut children, ply, plies, Thresholds::NONE)?;
        Ok(children)
    }

    /// Answers a question as far as the bounds allow, and remembers what has come of it.
    fn search(&mut self, ply: usize, plies: u8, bounds: Thresholds) -> Result<ProofState, Aborted> {
        let begun = self.worker.nodes;
        let key = self.key(plies);
        let moves = self.worker.position.legal_moves();
        let mut children = self.spare_children.pop().unwrap_or_default();
        let standing = match self.expand(&moves, ply, plies, &mut children) {
            Ok(()) => self.deepen(&mut children, ply, plies, bounds),
            Err(Aborted) => {
                children.clear();
                self.spare_children.push(children);
                return Err(Aborted);
            }
        };
        let reached = combine_children(ply, &children);
        children.clear();
        self.spare_children.push(children);
        self.store_result(key, plies, reached, self.worker.nodes - begun);
        standing
    }

    /// Goes on where the least is left to do, until the question is answered or the bounds are passed.
    fn deepen(
        &mut self,
        children: &mut [ProofChild],
        ply: usize,
        plies: u8,
        bounds: Thresholds,
    ) -> Result<ProofState, Aborted> {
        loop {
            let standing = combine_children(ply, children);
            if standing.pn >= bounds.pn || standing.dn >= bounds.dn {
                return Ok(standing);
            }
            let (index, bounds) = select_child(ply, children, bounds);
            self.worker.position.make_unchecked(children[index].mv);
            let below = self.search(ply + 1, plies - 1, bounds);
            self.worker.position.unmake();
            children[index].state = below?;
            if is_defender_ply(ply) && children[index].state.dn == 0 {
                self.note_killer_reply(ply, children[index].mv);
            }
        }
    }

    /// Lists the moves with what is known or guessed about each. One that settles the question stands alone.
    fn expand(
        &mut self,
        moves: &MoveList,
        ply: usize,
        plies: u8,
        children: &mut Vec<ProofChild>,
    ) -> Result<(), Aborted> {
        children.clear();
        let defence = is_defender_ply(ply);
        let seen = self.worker.position.check_squares();
        // The reply that refuted last at this ply is tried before the others.
        let escape = self.killer_replies.get(ply).copied().filter(|&mv| defence && moves.contains_move(mv));
        for mv in escape.into_iter().chain(moves.moves().filter(|&mv| Some(mv) != escape)) {
            if !defence && self.method == AttackerMoves::ChecksOnly && !self.worker.position.gives_check_with(&seen, mv)
            {
                continue;
            }
            self.make_counted(mv)?;
            let standing =
                if defence { self.evaluate_attacker_node(plies - 1) } else { self.evaluate_defender_node(plies - 1) };
            self.worker.position.unmake();
            let standing = standing?;
            let settles = if defence { standing.dn == 0 } else { standing.pn == 0 };
            if settles {
                children.clear();
            }
            children.push(ProofChild { mv, state: standing });
            if settles {
                if defence {
                    self.note_killer_reply(ply, mv);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn note_killer_reply(&mut self, ply: usize, mv: Move) {
        if self.killer_replies.len() <= ply {
            self.killer_replies.resize(ply + 1, Move::NONE);
        }
        self.killer_replies[ply] = mv;
    }

    /// Counts a node and makes the move.
    fn make_counted(&mut self, mv: Move) -> Result<(), Aborted> {
        if self.worker.count_node() || self.worker.nodes >= self.node_limit {
            return Err(Aborted);
        }
        self.worker.position.make_unchecked(mv);
        Ok(())
    }

    /// The defender is to move.
    fn evaluate_defender_node(&mut self, plies: u8) -> Result<ProofState, Aborted> {
        if plies == 0 {
            let mated = !self.worker.position.has_legal_move();
            return Ok(if mated { ProofState::proven(0) } else { ProofState::refuted(2) });
        }
        let key = self.key(plies);
        let (known, open) = self.probe_table(key, plies);
        if let Some(standing) = known {
            return Ok(standing);
        }
        let replies = self.worker.position.count_legal() as u32;
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
        if self.tt_has_mate() {
            return Ok(ProofState::open(1, 1));
        }
        if self.worker.position.in_check() {
            return Ok(ProofState::open(replies, 1));
        }
        // A quiet move: does it threaten mate?
        self.worker.position.make_null();
        let threat = self.has_mate_in_one(AttackerMoves::ChecksOnly);
        self.worker.position.unmake_null();
        let work = if threat? { 2 + replies / 8 } else { QUIET_PENALTY + replies };
        Ok(ProofState::open(work, 1))
    }

    /// The attacker is to move, and has at least one ply.
    fn evaluate_attacker_node(&mut self, plies: u8) -> Result<ProofState, Aborted> {
        let key = self.key(plies);
        let (known, open) = self.probe_table(key, plies);
        if let Some(standing) = known {
            return Ok(standing);
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

    /// Whether the hash table of the main search holds a mate of the side to move: no proof, but a way that is worth trying.
    fn tt_has_mate(&self) -> bool {
        let entry = self.worker.tt.probe(self.worker.position.key());
        entry.is_some_and(|entry| entry.score <= -score::MATE_BOUND && entry.bound != Bound::Lower)
    }

    /// Whether some move, or some check, leaves no reply.
    fn has_mate_in_one(&mut self, method: AttackerMoves) -> Result<bool, Aborted> {
        let moves = self.worker.position.legal_moves();
        let seen = self.worker.position.check_squares();
        // Checks first: a move that stalemates is rare.
        let passes: &[bool] = if method == AttackerMoves::All { &[true, false] } else { &[true] };
        for &checks in passes {
            for mv in moves.moves() {
                if self.worker.position.gives_check_with(&seen, mv) == checks {
                    self.make_counted(mv)?;
                    let mates = !self.worker.position.has_legal_move();
                    self.worker.position.unmake();
                    if mates {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// What the store knows of this question.
    fn probe_table(&self, key: Key, plies: u8) -> (Option<ProofState>, Option<ProofNumbers>) {
        let (fact, open) = self.table.probe(key, plies, self.method);
        let refuted = fact.refuted[self.method as usize];
        let known = if fact.proven <= plies {
            Some(ProofState::proven(fact.proven))
        } else if plies < refuted {
            Some(ProofState::refuted(refuted))
        } else {
            None
        };
        (known, open)
    }

    fn store_result(&self, key: Key, plies: u8, standing: ProofState, nodes: u64) {
        match standing {
            ProofState { pn: 0, plies, .. } => self.table.store_proof(key, plies, nodes),
            ProofState { dn: 0, plies, .. } => self.table.store_disproof(key, self.method, plies, nodes),
            ProofState { pn, dn, .. } => {
                self.table.store_numbers(key, plies, self.method, ProofNumbers { pn, dn }, nodes);
            }
        }
    }

    /// What the position is remembered under. Where the natural limit is near, the way there belongs to it.
    pub fn key(&self, plies: u8) -> Key {
        let position = &self.worker.position;
        let mark = self.history.rules.natural_limit_key(position, usize::from(plies));
        position.key() ^ mark.unwrap_or(0)
    }

    /// Whether the game ended with the last move by something else than mate.
    fn is_over(&self, plies: u8) -> bool {
        let position = &self.worker.position;
        let GameHistory { rules, repeated_keys: barred, nobody_can_win: hopeless } = self.history;
        *hopeless
            || barred.contains(&position.key())
            || position.last_captured().is_piece() && !can_anyone_win(position)
            || rules.natural_limit_key(position, usize::from(plies)).is_some() && rules.is_natural_draw(position)
    }
}

pub(super) fn is_defender_ply(ply: usize) -> bool {
    ply % 2 == 1
}

/// How a position stands whose moves stand like this.
pub(super) fn combine_children(ply: usize, children: &[ProofChild]) -> ProofState {
    let standings = children.iter().map(|child| child.state);
    let defence = is_defender_ply(ply);
    // Seen from whoever is to move: `easy` is the work to reach his end, `hard` that to keep him from it.
    let roles = |standing: ProofState| {
        if defence { (standing.dn, standing.pn) } else { (standing.pn, standing.dn) }
    };
    let (mut easy, mut hard, mut others) = (MAX_PROOF_NUMBER, 0, 0u32);
    let (mut best, mut worst) = (if defence { 0 } else { NO_MATE }, if defence { 0 } else { NO_MATE });
    for standing in standings {
        let (own, other) = roles(standing);
        easy = easy.min(own);
        if own == 0 {
            best = if defence { best.max(standing.plies) } else { best.min(standing.plies) };
        }
        if other == 0 {
            worst = if defence { worst.max(standing.plies) } else { worst.min(standing.plies) };
        } else {
            hard = hard.max(other);
            others += 1;
        }
    }
    let plies = |plies: u8| if plies == NO_MATE { NO_MATE } else { plies + 1 };
    if easy == 0 {
        return if defence { ProofState::refuted(plies(best)) } else { ProofState::proven(plies(best)) };
    }
    if others == 0 {
        return if defence { ProofState::proven(plies(worst)) } else { ProofState::refuted(plies(worst)) };
    }
    let hard = hard + others - 1;
    if defence { ProofState::open(hard, easy) } else { ProofState::open(easy, hard) }
}

/// The move to go on with, and what it may cost before another one is to be preferred.
fn select_child(ply: usize, children: &[ProofChild], bounds: Thresholds) -> (usize, Thresholds) {
    let defence = is_defender_ply(ply);
    let easy = |child: &ProofChild| if defence { child.state.dn } else { child.state.pn };
    let (mut index, mut first, mut second, mut open) = (0, MAX_PROOF_NUMBER, MAX_PROOF_NUMBER, 0u32);
    for (place, child) in children.iter().enumerate().filter(|(_, child)| child.state.is_open()) {
        open += 1;
        let work = easy(child);
        if work < first {
            (index, second, first) = (place, first, work);
        } else {
            second = second.min(work);
        }
    }
    let patience = second.saturating_add(second / 4 + 1).min(MAX_PROOF_NUMBER);
    let spare = |bound: u32| if bound == MAX_PROOF_NUMBER { MAX_PROOF_NUMBER } else { bound - (open - 1) };
    let below = if defence {
        Thresholds { dn: bounds.dn.min(patience), pn: spare(bounds.pn) }
    } else {
        Thresholds { pn: bounds.pn.min(patience), dn: spare(bounds.dn) }
    };
    (index, below)
}
