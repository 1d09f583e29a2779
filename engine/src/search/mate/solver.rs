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

use super::store::{LARGEST, Method, NEVER, Open, Store};
use crate::board::MoveList;
use crate::rules::{Rules, can_anyone_win};
use crate::search::report::Bound;
use crate::search::worker::Worker;
use crate::types::{Key, Move, score};

/// The search was stopped, or its turn is over.
pub(super) struct Exhausted;

/// What a quiet move of the attacker is thought to cost beyond a check.
const QUIET_PENALTY: u32 = 8;

/// How a question stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    /// 0 if proven.
    pub pn: u32,
    /// 0 if refuted.
    pub dn: u32,
    /// If proven: within so many plies. If refuted: no mate within fewer plies than this.
    pub plies: u8,
}

impl Standing {
    pub fn proven(plies: u8) -> Standing {
        Standing { pn: 0, dn: LARGEST, plies }
    }

    fn refuted(plies: u8) -> Standing {
        Standing { pn: LARGEST, dn: 0, plies }
    }

    fn open(pn: u32, dn: u32) -> Standing {
        Standing { pn: pn.clamp(1, LARGEST - 1), dn: dn.clamp(1, LARGEST - 1), plies: 0 }
    }

    fn is_open(&self) -> bool {
        self.pn > 0 && self.dn > 0
    }
}

/// A move and how the position after it stands.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub mv: Move,
    pub standing: Standing,
}

/// What may be spent on a question before the search looks elsewhere.
#[derive(Clone, Copy)]
struct Bounds {
    pn: u32,
    dn: u32,
}

impl Bounds {
    const NONE: Bounds = Bounds { pn: LARGEST, dn: LARGEST };
}

/// What the game before the search forbids.
pub(super) struct Past {
    rules: Rules,
    /// Positions that have stood so often that once more ends the game.
    barred: Vec<Key>,
    /// Nobody can win any more: only a game that is over by the next move can be won.
    hopeless: bool,
}

impl Past {
    /// The past of the position that is searched.
    pub fn of(worker: &Worker) -> Past {
        let position = &worker.position;
        let rules = worker.shared.options.rules;
        let reach = position.quiet_plies().min(position.history_len());
        let keys: Vec<Key> = (0..=reach).filter_map(|back| position.key_before(back)).collect();
        let stood = |key: &Key| keys.iter().filter(|&other| other == key).count();
        let barred = keys.iter().copied().filter(|key| stood(key) + 1 >= rules.set.count()).collect();
        Past { rules, barred, hopeless: !can_anyone_win(position) }
    }
}

/// One turn of solving.
pub(super) struct Solver<'s, 'w> {
    pub worker: &'s mut Worker<'w>,
    pub store: &'s Store,
    pub past: &'s Past,
    /// By ply, the reply that refuted last.
    pub escapes: &'s mut Vec<Move>,
    /// Lists of children to be used again.
    pub spare: &'s mut Vec<Vec<Child>>,
    pub method: Method,
    /// At this many nodes of the worker the turn ends.
    pub until: u64,
}

impl Solver<'_, '_> {
    /// Whether the root mates within so many plies; and how each of its moves stands in the end.
    pub fn root(&mut self, plies: u8) -> Result<(Standing, Vec<Child>), Exhausted> {
        let mut moves = MoveList::new();
        self.worker.root_moves.iter().for_each(|root_move| moves.add(root_move.mv));
        let mut children = Vec::new();
        self.expand(&moves, 0, plies, &mut children)?;
        // The root is not remembered: its moves need not be all that there are.
        let standing = self.deepen(&mut children, 0, plies, Bounds::NONE)?;
        Ok((standing, children))
    }

    /// Answers a question about the attacker's position, whatever it takes.
    pub fn answer(&mut self, ply: usize, plies: u8) -> Result<Standing, Exhausted> {
        let standing = self.look_at_attack(plies)?;
        if standing.is_open() { self.search(ply, plies, Bounds::NONE) } else { Ok(standing) }
    }

    /// Answers a question, and tells how each move stands in the end.
    pub fn standings(&mut self, ply: usize, plies: u8) -> Result<Vec<Child>, Exhausted> {
        let mut children = Vec::new();
        let moves = self.worker.position.legal_moves();
        self.expand(&moves, ply, plies, &mut children)?;
        self.deepen(&mut children, ply, plies, Bounds::NONE)?;
        Ok(children)
    }

    /// Answers a question as far as the bounds allow, and remembers what has come of it.
    fn search(&mut self, ply: usize, plies: u8, bounds: Bounds) -> Result<Standing, Exhausted> {
        let begun = self.worker.nodes;
        let key = self.key(plies);
        let moves = self.worker.position.legal_moves();
        let mut children = self.spare.pop().unwrap_or_default();
        let standing = match self.expand(&moves, ply, plies, &mut children) {
            Ok(()) => self.deepen(&mut children, ply, plies, bounds),
            Err(Exhausted) => {
                children.clear();
                self.spare.push(children);
                return Err(Exhausted);
            }
        };
        let reached = summary(ply, &children);
        children.clear();
        self.spare.push(children);
        self.remember(key, plies, reached, self.worker.nodes - begun);
        standing
    }

    /// Goes on where the least is left to do, until the question is answered or the bounds are passed.
    fn deepen(
        &mut self,
        children: &mut [Child],
        ply: usize,
        plies: u8,
        bounds: Bounds,
    ) -> Result<Standing, Exhausted> {
        loop {
            let standing = summary(ply, children);
            if standing.pn >= bounds.pn || standing.dn >= bounds.dn {
                return Ok(standing);
            }
            let (index, bounds) = next(ply, children, bounds);
            self.worker.position.make(children[index].mv);
            let below = self.search(ply + 1, plies - 1, bounds);
            self.worker.position.unmake();
            children[index].standing = below?;
            if is_defence(ply) && children[index].standing.dn == 0 {
                self.note_escape(ply, children[index].mv);
            }
        }
    }

    /// Lists the moves with what is known or guessed about each. One that settles the question stands alone.
    fn expand(
        &mut self,
        moves: &MoveList,
        ply: usize,
        plies: u8,
        children: &mut Vec<Child>,
    ) -> Result<(), Exhausted> {
        children.clear();
        let defence = is_defence(ply);
        let seen = self.worker.position.check_squares();
        // The reply that refuted last at this ply is tried before the others.
        let escape = self.escapes.get(ply).copied().filter(|&mv| defence && moves.has(mv));
        for mv in escape.into_iter().chain(moves.moves().filter(|&mv| Some(mv) != escape)) {
            if !defence && self.method == Method::Checks && !self.worker.position.gives_check_by(&seen, mv) {
                continue;
            }
            self.step(mv)?;
            let standing =
                if defence { self.look_at_attack(plies - 1) } else { self.look_at_defence(plies - 1) };
            self.worker.position.unmake();
            let standing = standing?;
            let settles = if defence { standing.dn == 0 } else { standing.pn == 0 };
            if settles {
                children.clear();
            }
            children.push(Child { mv, standing });
            if settles {
                if defence {
                    self.note_escape(ply, mv);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn note_escape(&mut self, ply: usize, mv: Move) {
        if self.escapes.len() <= ply {
            self.escapes.resize(ply + 1, Move::NONE);
        }
        self.escapes[ply] = mv;
    }

    /// Counts a node and makes the move.
    fn step(&mut self, mv: Move) -> Result<(), Exhausted> {
        if self.worker.count_node() || self.worker.nodes >= self.until {
            return Err(Exhausted);
        }
        self.worker.position.make(mv);
        Ok(())
    }

    /// The defender is to move.
    fn look_at_defence(&mut self, plies: u8) -> Result<Standing, Exhausted> {
        if plies == 0 {
            let mated = !self.worker.position.has_legal_move();
            return Ok(if mated { Standing::proven(0) } else { Standing::refuted(2) });
        }
        let key = self.key(plies);
        let (known, open) = self.recall(key, plies);
        if let Some(standing) = known {
            return Ok(standing);
        }
        let replies = self.worker.position.count_legal() as u32;
        if replies == 0 {
            self.store.prove(key, 0, 1);
            return Ok(Standing::proven(0));
        }
        if self.is_over(plies) {
            return Ok(Standing::refuted(NEVER));
        }
        if let Some(open) = open {
            return Ok(Standing::open(open.pn, open.dn));
        }
        if self.main_search_sees_mate() {
            return Ok(Standing::open(1, 1));
        }
        if self.worker.position.in_check() {
            return Ok(Standing::open(replies, 1));
        }
        // A quiet move: does it threaten mate?
        self.worker.position.make_null();
        let threat = self.mates_at_once(Method::Checks);
        self.worker.position.unmake_null();
        let work = if threat? { 2 + replies / 8 } else { QUIET_PENALTY + replies };
        Ok(Standing::open(work, 1))
    }

    /// The attacker is to move, and has at least one ply.
    fn look_at_attack(&mut self, plies: u8) -> Result<Standing, Exhausted> {
        let key = self.key(plies);
        let (known, open) = self.recall(key, plies);
        if let Some(standing) = known {
            return Ok(standing);
        }
        if self.is_over(plies) {
            return Ok(Standing::refuted(NEVER));
        }
        if let Some(open) = open {
            return Ok(Standing::open(open.pn, open.dn));
        }
        let last = plies <= 2;
        if self.mates_at_once(if last { self.method } else { Method::Checks })? {
            self.store.prove(key, 1, 1);
            return Ok(Standing::proven(1));
        }
        if last {
            self.store.refute(key, self.method, 3, 1);
            return Ok(Standing::refuted(3));
        }
        Ok(Standing::open(1, 1))
    }

    /// Whether the hash table of the main search holds a mate of the side to move: no proof, but a way that is worth trying.
    fn main_search_sees_mate(&self) -> bool {
        let entry = self.worker.table.get(self.worker.position.key());
        entry.is_some_and(|entry| entry.score <= -score::MATE_BOUND && entry.bound != Bound::Lower)
    }

    /// Whether some move, or some check, leaves no reply.
    fn mates_at_once(&mut self, method: Method) -> Result<bool, Exhausted> {
        let moves = self.worker.position.legal_moves();
        let seen = self.worker.position.check_squares();
        // Checks first: a move that stalemates is rare.
        let passes: &[bool] = if method == Method::All { &[true, false] } else { &[true] };
        for &checks in passes {
            for mv in moves.moves() {
                if self.worker.position.gives_check_by(&seen, mv) == checks {
                    self.step(mv)?;
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
    fn recall(&self, key: Key, plies: u8) -> (Option<Standing>, Option<Open>) {
        let (fact, open) = self.store.ask(key, plies, self.method);
        let refuted = fact.refuted[self.method as usize];
        let known = if fact.proven <= plies {
            Some(Standing::proven(fact.proven))
        } else if plies < refuted {
            Some(Standing::refuted(refuted))
        } else {
            None
        };
        (known, open)
    }

    fn remember(&self, key: Key, plies: u8, standing: Standing, nodes: u64) {
        match standing {
            Standing { pn: 0, plies, .. } => self.store.prove(key, plies, nodes),
            Standing { dn: 0, plies, .. } => self.store.refute(key, self.method, plies, nodes),
            Standing { pn, dn, .. } => {
                self.store.leave_open(key, plies, self.method, Open { pn, dn }, nodes);
            }
        }
    }

    /// What the position is remembered under. Where the natural limit is near, the way there belongs to it.
    pub fn key(&self, plies: u8) -> Key {
        let position = &self.worker.position;
        let mark = self.past.rules.natural_mark(position, usize::from(plies));
        position.key() ^ mark.unwrap_or(0)
    }

    /// Whether the game ended with the last move by something else than mate.
    fn is_over(&self, plies: u8) -> bool {
        let position = &self.worker.position;
        let Past { rules, barred, hopeless } = self.past;
        *hopeless
            || barred.contains(&position.key())
            || position.last_captured().is_piece() && !can_anyone_win(position)
            || rules.natural_mark(position, usize::from(plies)).is_some() && rules.is_natural_draw(position)
    }
}

pub(super) fn is_defence(ply: usize) -> bool {
    ply % 2 == 1
}

/// How a position stands whose moves stand like this.
pub(super) fn summary(ply: usize, children: &[Child]) -> Standing {
    let standings = children.iter().map(|child| child.standing);
    let defence = is_defence(ply);
    // Seen from whoever is to move: `easy` is the work to reach his end, `hard` that to keep him from it.
    let roles = |standing: Standing| {
        if defence { (standing.dn, standing.pn) } else { (standing.pn, standing.dn) }
    };
    let (mut easy, mut hard, mut others) = (LARGEST, 0, 0u32);
    let (mut best, mut worst) = (if defence { 0 } else { NEVER }, if defence { 0 } else { NEVER });
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
    let plies = |plies: u8| if plies == NEVER { NEVER } else { plies + 1 };
    if easy == 0 {
        return if defence { Standing::refuted(plies(best)) } else { Standing::proven(plies(best)) };
    }
    if others == 0 {
        return if defence { Standing::proven(plies(worst)) } else { Standing::refuted(plies(worst)) };
    }
    let hard = hard + others - 1;
    if defence { Standing::open(hard, easy) } else { Standing::open(easy, hard) }
}

/// The move to go on with, and what it may cost before another one is to be preferred.
fn next(ply: usize, children: &[Child], bounds: Bounds) -> (usize, Bounds) {
    let defence = is_defence(ply);
    let easy = |child: &Child| if defence { child.standing.dn } else { child.standing.pn };
    let (mut index, mut first, mut second, mut open) = (0, LARGEST, LARGEST, 0u32);
    for (place, child) in children.iter().enumerate().filter(|(_, child)| child.standing.is_open()) {
        open += 1;
        let work = easy(child);
        if work < first {
            (index, second, first) = (place, first, work);
        } else {
            second = second.min(work);
        }
    }
    let patience = second.saturating_add(second / 4 + 1).min(LARGEST);
    let spare = |bound: u32| if bound == LARGEST { LARGEST } else { bound - (open - 1) };
    let below = if defence {
        Bounds { dn: bounds.dn.min(patience), pn: spare(bounds.pn) }
    } else {
        Bounds { pn: bounds.pn.min(patience), dn: spare(bounds.dn) }
    };
    (index, below)
}
