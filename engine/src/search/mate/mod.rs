//! `go mate`: is there a mate in so many moves? A solver beside the main search, which prunes and so can find a short
//! mate late, and can never say that there is none.
//!
//! * `solver` is a depth-first proof number search, `store` what it remembers, `line` shows what it has proven.
//!
//! It asks in three ways, in turns, each of which gets the same share of the work: by checks alone, which finds most
//! mates soon however long they are; with all moves, one move more each time, which knows of each length whether there is
//! a mate; and with all moves at once for the full length. The main search takes turns with them. When one of them has
//! found a mate, shorter ones are looked for as long again.

mod line;
mod solver;
mod store;

use self::solver::{Past, Solver, Standing};
use self::store::{Method, NEVER, Store};
use super::memory::available_mb;
use super::report::{MateSearch, Reporter};
use super::worker::Worker;
use crate::types::{Move, score};

/// No longer mate is looked for, in moves: its plies fit a byte.
const LONGEST: u32 = 100;
/// The solver begins with so many nodes.
const FIRST_TURN: u64 = 30_000;
/// Then it gets so many nodes for each hundred of the main search.
const SHARE: u64 = 40;
/// A way of asking is gone for so many nodes at a time, at least and at most.
const SPELL: [u64; 2] = [20_000, 1_000_000];
/// So many nodes at least are spent on a shorter mate.
const POLISH: u64 = 300_000;
/// The store is not larger than this, nor than the hash table.
const MOST_MEGABYTES: usize = 1024;

/// A way of asking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Checks,
    /// With all moves, for the shortest mate that is not ruled out.
    Ladder,
    /// With all moves, for any mate that is short enough.
    Wide,
}

impl Way {
    const ALL: [Way; 3] = [Way::Checks, Way::Ladder, Way::Wide];

    fn method(self) -> Method {
        if self == Way::Checks { Method::Checks } else { Method::All }
    }
}

/// A mate that was found.
struct Found {
    plies: u8,
    /// Its line was told; it is not if the main search has found it.
    is_shown: bool,
    /// The line is that of the longest resistance against the shortest mate.
    is_exact: bool,
    method: Method,
}

/// A search for a mate, and what it has found out so far.
pub(super) struct Prover {
    /// What was asked for, in moves and plies.
    asked: u32,
    longest: u8,
    store: Store,
    past: Past,
    escapes: Vec<Move>,
    spare: Vec<Vec<solver::Child>>,
    /// Nodes spent by each way.
    spent: [u64; 3],
    /// There is no mate within so many plies.
    ruled_out: u8,
    /// No checks alone mate within so many plies.
    ruled_out_checks: u8,
    found: Option<Found>,
    /// At this many nodes of the worker the search for a shorter mate ends.
    polish_until: u64,
}

/// What a turn has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The main search may go on.
    Over,
    /// All is known that was asked for, or is worth its price.
    Settled,
}

impl Prover {
    /// A search for a mate in so many moves.
    pub fn new(worker: &Worker, moves: u32) -> Prover {
        let asked = moves.min(LONGEST);
        let room = available_mb().map_or(usize::MAX, |megabytes| megabytes / 2);
        let megabytes = worker.shared.table.megabytes().min(MOST_MEGABYTES).min(room).max(1);
        Prover {
            asked,
            longest: (2 * asked).saturating_sub(1) as u8,
            store: Store::new(megabytes << 20),
            past: Past::of(worker),
            escapes: Vec::new(),
            spare: Vec::new(),
            spent: [0; 3],
            ruled_out: 0,
            ruled_out_checks: 0,
            found: None,
            polish_until: 0,
        }
    }

    /// How the search for a mate stands, for the reporter.
    pub fn standing(&self, over: bool) -> MateSearch {
        MateSearch {
            asked: self.asked,
            found: self.found.as_ref().map(|found| u32::from(found.plies).div_ceil(2)),
            ruled_out: (u32::from(self.ruled_out).div_ceil(2)).min(self.asked),
            over,
        }
    }

    /// Takes note of the mate that the main search has found, if it has.
    fn hear(&mut self, worker: &Worker) {
        if let Some(plies) = score::mate_plies(worker.root_moves[0].score)
            && let Ok(plies) = u8::try_from(plies)
            && plies > 0
            && plies <= self.longest
            && self.found.as_ref().is_none_or(|found| plies < found.plies)
        {
            self.found = Some(Found { plies, is_shown: false, is_exact: false, method: Method::All });
            self.polish_until = 2 * worker.nodes + POLISH;
        }
    }

    /// Takes a turn, if one is due.
    pub fn go_on(&mut self, worker: &mut Worker, reporter: &mut dyn Reporter) -> Turn {
        self.hear(worker);
        loop {
            if self.is_settled() {
                return Turn::Settled;
            }
            let spent: u64 = self.spent.iter().sum();
            let due = if self.found.is_some() {
                if worker.nodes >= self.polish_until || worker.stopped {
                    return Turn::Settled;
                }
                u64::MAX
            } else {
                ((worker.nodes - spent) * SHARE / 100).max(FIRST_TURN)
            };
            if spent >= due || worker.stopped {
                return Turn::Over;
            }
            self.take_spell(worker, reporter);
        }
    }

    /// The longest mate that is still of interest, in plies. One that only the main search knows of is still to be proven.
    fn top(&self) -> u8 {
        match &self.found {
            None => self.longest,
            Some(Found { is_shown: false, plies, .. }) => *plies,
            Some(Found { plies, .. }) => plies - 2.min(*plies),
        }
    }

    fn is_settled(&self) -> bool {
        self.ruled_out >= self.top()
    }

    /// What this way asks next; `None` if it has nothing to ask.
    fn question(&self, way: Way) -> Option<u8> {
        let (top, next) = (self.top(), self.ruled_out.saturating_add(1 + self.ruled_out % 2));
        match way {
            Way::Checks => Some(top).filter(|&top| self.ruled_out_checks < top),
            Way::Ladder => Some(next),
            // Where the ladder asks the same already.
            Way::Wide => Some(top).filter(|&top| top > next),
        }
    }

    /// Goes one way for a while: the one that has cost least so far.
    fn take_spell(&mut self, worker: &mut Worker, reporter: &mut dyn Reporter) {
        let ways = Way::ALL.into_iter().filter_map(|way| Some((way, self.question(way)?)));
        let Some((way, plies)) = ways.min_by_key(|&(way, _)| self.spent[way as usize]) else { return };
        let begun = worker.nodes;
        let spell = (self.spent[way as usize] / 2).clamp(SPELL[0], SPELL[1]);
        let mut until = begun + spell;
        if self.found.is_some() {
            until = until.min(self.polish_until);
        }
        let answer = self.solver(worker, way.method(), until).root(plies);
        if let Ok((standing, children)) = answer {
            if standing.pn == 0 {
                let first = children.iter().find(|child| child.standing.pn == 0).map(|child| child.mv);
                self.show(way.method(), standing.plies, first, worker, reporter);
                self.polish_until = 2 * worker.nodes + POLISH;
            } else {
                self.rule_out(way, standing, reporter);
            }
        }
        self.spent[way as usize] += worker.nodes - begun;
    }

    fn solver<'s, 'w>(
        &'s mut self,
        worker: &'s mut Worker<'w>,
        method: Method,
        until: u64,
    ) -> Solver<'s, 'w> {
        let Prover { store, past, escapes, spare, .. } = self;
        Solver { worker, store, past, escapes, spare, method, until }
    }

    /// There is no mate of the length that was asked for.
    fn rule_out(&mut self, way: Way, standing: Standing, reporter: &mut dyn Reporter) {
        // None within fewer plies than it says, or none at all.
        let plies = if standing.plies == NEVER { NEVER } else { standing.plies - 1 };
        self.ruled_out_checks = self.ruled_out_checks.max(plies);
        if way != Way::Checks && plies > self.ruled_out {
            self.ruled_out = plies;
            // The end is told when it comes.
            if !self.is_settled() {
                reporter.mate_search(&self.standing(false));
            }
        }
    }

    /// A mate is proven, and begins with this move: works out its line and tells of it.
    fn show(
        &mut self,
        method: Method,
        plies: u8,
        first: Option<Move>,
        worker: &mut Worker,
        reporter: &mut dyn Reporter,
    ) {
        let is_exact = self.ruled_out.saturating_add(2) >= plies;
        let (mut line, plies) = self.solver(worker, method, u64::MAX).line(plies, is_exact);
        if line.is_empty() {
            line.extend(first);
        }
        worker.show_mate(&line, usize::from(plies), reporter);
        self.found = Some(Found { plies, is_shown: true, is_exact, method });
    }

    /// The end: if the mate has turned out to be the shortest, its line becomes that of the longest resistance.
    pub fn conclude(&mut self, worker: &mut Worker, reporter: &mut dyn Reporter) {
        self.hear(worker);
        if let Some(Found { plies, is_shown: true, is_exact: false, method }) = self.found
            && self.ruled_out.saturating_add(2) >= plies
            && !worker.stopped
        {
            let first = Some(worker.root_moves[0].mv);
            self.show(method, plies, first, worker, reporter);
        }
        reporter.mate_search(&self.standing(true));
    }
}
