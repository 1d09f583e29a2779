//! The engine as a player: its moves, its hints, and what it says to an offer of a draw.

use super::game::Game;
use crate::board::Position;
use crate::eval::{Explanation, explain};
use crate::protocol::{Circumstances, Gesture, Manners};
use crate::search::{self, Clock, Control, Limits, Options, Outcome, Searcher, Silent, TableSizeError};
use crate::tables::Shelf;
use crate::types::Score;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The size of its hash table in megabytes.
const HASH_MB: usize = 64;
/// What a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);
/// What it thinks about an offer of a draw, in nodes: the same answer on every machine.
const OFFER_NODES: u64 = 50_000;
/// How often it is asked, while it thinks, whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(20);
/// The strength that holds nothing back.
const FULL_SKILL: f32 = 20.0;

/// What it came to.
pub struct Thought {
    /// The search.
    pub outcome: Outcome,
    /// What it says along with its move.
    pub gesture: Gesture,
    /// Ctrl-C was pressed: it was not left to think to the end.
    pub interrupted: bool,
}

/// The engine.
pub struct Opponent {
    searcher: Searcher,
    manners: Manners,
    /// Ctrl-C was pressed and not yet heard of.
    pressed: Arc<AtomicBool>,
}

impl Opponent {
    /// Sits down.
    pub fn new(pressed: Arc<AtomicBool>) -> Result<Opponent, TableSizeError> {
        let mut searcher = Searcher::new(Options::default(), HASH_MB)?;
        searcher.tables = Some(Arc::new(Shelf::open(&[])));
        Ok(Opponent { searcher, manners: Manners::default(), pressed })
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.searcher.clear();
        self.manners = Manners::default();
    }

    /// Finds its move.
    pub fn play(&mut self, game: &Game) -> io::Result<Thought> {
        let (side, time) = (game.side(), game.strength.move_time());
        let clock = game.clocks.as_ref().map(|clocks| {
            let own = clocks.of(side).reading();
            Clock {
                time: own.left,
                increment: own.increment,
                moves_to_go: own.moves_to_go,
                opponent_time: Some(clocks.of(!side).left()),
            }
        });
        let move_time = if clock.is_some() { None } else { time };
        let limits = Limits { clock, move_time, ..Limits::default() };
        let (outcome, interrupted) = self.think(game, limits, game.strength.skill())?;
        let gesture = self.manners.gesture(&Circumstances {
            position: game.position(),
            score: outcome.score,
            depth: outcome.depth,
            draw_offered: false,
            // As with hosts: who plays without a clock wants to see it to the end.
            in_game: game.clocks.is_some(),
        });
        Ok(Thought { outcome, gesture, interrupted })
    }

    /// What it would play itself, with all its strength.
    pub fn hint(&mut self, game: &Game) -> io::Result<Outcome> {
        Ok(self.think(game, Limits::move_time(HINT_TIME), FULL_SKILL)?.0)
    }

    /// Whether it agrees to a draw that the person offers.
    pub fn takes_draw(&mut self, game: &Game) -> io::Result<bool> {
        let (outcome, _) = self.think(game, Limits::nodes(OFFER_NODES), FULL_SKILL)?;
        let score: Score = if game.is_persons_turn() { -outcome.score } else { outcome.score };
        let circumstances = Circumstances {
            position: game.position(),
            score,
            depth: outcome.depth,
            draw_offered: true,
            in_game: false,
        };
        Ok(self.manners.gesture(&circumstances) == Gesture::Draw)
    }

    /// What the position is worth at a glance.
    pub fn explain(&self, position: &Position) -> Explanation {
        explain(&self.searcher.options.network, position)
    }

    /// Searches on a thread of its own and watches for Ctrl-C meanwhile, which ends the search with the best move so far.
    fn think(&mut self, game: &Game, limits: Limits, skill: f32) -> io::Result<(Outcome, bool)> {
        self.searcher.options.rules = game.rules;
        self.searcher.options.skill = skill;
        let limits = Limits { excluded: game.rules.losing_moves(game.position()), ..limits };
        let (control, pressed) = (Control::new(false), &self.pressed);
        let searcher = &mut self.searcher;
        let (sender, inbox) = mpsc::channel();
        let mut interrupted = false;
        let outcome = std::thread::scope(|scope| {
            let work = || {
                let _ = sender.send(searcher.search(game.position(), &limits, &control, &mut Silent));
                drop(sender);
            };
            search::thread("thinking").spawn_scoped(scope, work)?;
            loop {
                match inbox.recv_timeout(LOOK) {
                    Ok(outcome) => return Ok(outcome),
                    Err(RecvTimeoutError::Timeout) => {
                        if pressed.swap(false, Ordering::Relaxed) {
                            interrupted = true;
                            control.stop();
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(io::Error::other("the search has failed"));
                    }
                }
            }
        })?;
        Ok((outcome, interrupted))
    }
}
