//! What a search may spend, and how it is told to stop.

use super::time::Moment;
use crate::types::Move;
use crate::types::score::MAX_PLY;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// No iteration is deeper: extensions need room above it.
const DEEPEST: u32 = MAX_PLY as u32 - 8;

/// A game clock as a host describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left to the side to move.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// Time left to the opponent, if the host told.
    pub opponent_time: Option<Duration>,
    /// His increment.
    pub opponent_increment: Option<Duration>,
}

/// The limits of one search; all that are set hold together. With none set it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// Stop at this many nodes, exact within a thousand.
    pub nodes: Option<u64>,
    /// Start no new iteration beyond this many nodes.
    pub soft_nodes: Option<u64>,
    /// Time for this move, all of it.
    pub move_time: Option<Duration>,
    /// A game clock to be shared out wisely.
    pub clock: Option<Clock>,
    /// Stop when a mate in this many moves (not plies) is proven, or when so many moves are searched out.
    pub mate: Option<u32>,
    /// The search runs on the opponent's time: clock and move time wait for `Control::ponder_hit`.
    pub ponder: bool,
    /// When time began to count; `None` = when the search begins.
    pub begun: Option<Moment>,
    /// Consider only these root moves; empty = all.
    pub only: Vec<Move>,
    /// Leave out these root moves, unless no other is left.
    pub excluded: Vec<Move>,
}

impl Limits {
    /// Just this depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Just this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Just this much time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The deepest iteration that these limits leave.
    pub fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(DEEPEST).min(DEEPEST)
    }

    /// Whether a clock may end the search.
    pub fn are_of_time(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Whether an amount of work may end the search.
    pub fn are_of_work(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some() || self.mate.is_some()
    }

    /// Whether only a word from outside may end the search.
    pub fn are_none(&self) -> bool {
        !self.are_of_work() && !self.are_of_time()
    }
}

/// The strings that reach into a running search from another thread. Share it by `Arc`.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// A control for one search; `ponder` as in its limits.
    pub fn new(ponder: bool) -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(ponder) }
    }

    /// Ends the search as soon as possible; its result is still delivered.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The pondered move was played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// True after `stop`.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True until `ponder_hit`.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
