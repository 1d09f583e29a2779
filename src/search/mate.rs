//! Is there a mate in so many moves? The plain search that tries everything, for `go mate`.
//!
//! The main search finds long mates soon, but because it prunes it may find a short one late, and it can never say
//! that there is none. So the two take turns: of each five positions this one may look at one, first for a mate in one
//! move, then in two, up to what was asked for.

use super::worker::Worker;
use crate::types::{Key, Move};

/// What the search for a mate has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// The shortest mate there is, with the longest resistance.
    Mate(Vec<Move>),
    /// There is no mate in so many moves.
    NoMate,
    /// Not known yet.
    Open,
}

/// The turn is over, or the whole search.
struct Exhausted;

/// The line of a mate, or that there is none.
type Line = Result<Option<Vec<Move>>, Exhausted>;

/// So many positions without a mate are remembered.
const REMEMBERED: usize = 1 << 18;
/// The first turn is worth so many nodes.
const FIRST_TURN: u64 = 20_000;

/// A search for a mate, and what it has found out so far.
pub(super) struct Prover {
    /// What was asked for.
    moves: u32,
    /// There is no mate in so many moves.
    ruled_out: u32,
    /// Positions in which there is no mate in so many moves.
    hopeless: Vec<(Key, u32)>,
    /// By ply, the reply that escaped last.
    escapes: Vec<Move>,
    /// Nodes of all turns.
    spent: u64,
    /// At this many nodes of the worker the turn ends.
    until: u64,
}

impl Prover {
    /// A search for a mate in so many moves.
    pub fn new(moves: u32) -> Prover {
        let hopeless = vec![(0, 0); REMEMBERED];
        Prover { moves, ruled_out: 0, hopeless, escapes: Vec::new(), spent: 0, until: 0 }
    }

    /// Takes a turn, if one is due. A turn begins with much that the one before has seen, so it must be worth more.
    pub fn go_on(&mut self, worker: &mut Worker) -> Finding {
        let due = ((worker.nodes - self.spent) / 4).max(FIRST_TURN).saturating_sub(self.spent);
        if due <= self.spent / 2 {
            return Finding::Open;
        }
        let begun = worker.nodes;
        self.until = begun + due;
        let finding = self.take_turn(worker);
        self.spent += worker.nodes - begun;
        finding
    }

    fn take_turn(&mut self, worker: &mut Worker) -> Finding {
        while self.ruled_out < self.moves {
            let roots = worker.root_moves.iter().map(|root_move| root_move.mv).collect();
            match self.attack(worker, roots, self.ruled_out + 1, 0) {
                Ok(Some(line)) => return Finding::Mate(line),
                Ok(None) => self.ruled_out += 1,
                Err(Exhausted) => return Finding::Open,
            }
        }
        Finding::NoMate
    }

    /// Whether one of these moves mates within so many moves, itself included.
    fn attack(&mut self, worker: &mut Worker, mut list: Vec<Move>, moves: u32, ply: usize) -> Line {
        let key = worker.position.key();
        let slot = key as usize % REMEMBERED;
        // At the root not all moves need be allowed, and they are asked about once only.
        if ply > 0 && matches!(self.hopeless[slot], (known, within) if known == key && within >= moves) {
            return Ok(None);
        }
        list.sort_by_key(|&mv| !worker.position.gives_check(mv));
        for mv in list {
            worker.position.make(mv);
            let line = self.defend(worker, moves - 1, ply + 1);
            worker.position.unmake();
            if let Some(line) = line? {
                return Ok(Some([vec![mv], line].concat()));
            }
        }
        if ply > 0 {
            self.hopeless[slot] = (key, moves);
        }
        Ok(None)
    }

    /// Whether the side to move is mated, or will be within so many moves of the other.
    fn defend(&mut self, worker: &mut Worker, moves: u32, ply: usize) -> Line {
        if worker.count_node() || worker.nodes >= self.until {
            return Err(Exhausted);
        }
        if worker.shared.options.rules.ending_in_search(&worker.position, ply).is_some() {
            return Ok(None);
        }
        if !worker.position.has_legal_move() {
            return Ok(Some(Vec::new()));
        }
        if moves == 0 {
            return Ok(None);
        }
        if self.escapes.len() <= ply {
            self.escapes.resize(ply + 1, Move::NONE);
        }
        let mut replies: Vec<Move> = worker.position.legal_moves().moves().collect();
        replies.sort_by_key(|&mv| mv != self.escapes[ply]);
        let mut longest = Vec::new();
        for reply in replies {
            worker.position.make(reply);
            let list = worker.position.legal_moves().moves().collect();
            let line = self.attack(worker, list, moves, ply + 1);
            worker.position.unmake();
            let Some(line) = line? else {
                self.escapes[ply] = reply;
                return Ok(None);
            };
            if line.len() >= longest.len() {
                longest = [vec![reply], line].concat();
            }
        }
        Ok(Some(longest))
    }
}
