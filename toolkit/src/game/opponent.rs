//! The engine as a player: its moves, its hints, and what it says to an offer of a draw.

use super::{Clocks, Game};
use crate::book::Variety;
use crate::player::{Circumstances, Gesture, Player, Wishes, candidates};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::nnue::{Explanation, explain};
use chuhe_engine::search::{self, Control, Limits, Options, Outcome, Silent, TableSizeError};
use chuhe_engine::types::Move;
use chuhe_engine::types::Score;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The size of its hash table in megabytes.
const HASH_MB: usize = 64;
/// What a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Plies from the beginning of the game in which its book is asked, as with hosts.
const BOOK_PLIES: u32 = 100;
/// What it thinks about an offer of a draw, in nodes: the same answer on every machine.
const OFFER_NODES: u64 = 50_000;
/// How often it is asked, while it thinks, whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(20);
/// The strength that holds nothing back.
const FULL_SKILL: f32 = 20.0;

/// Its turn, when it is over.
pub struct Reply {
    /// The move, if there is one.
    pub best: Option<Move>,
    /// What it says along with its move.
    pub gesture: Gesture,
    /// Ctrl-C was pressed: it was not left to think to the end.
    pub interrupted: bool,
}

pub struct Opponent {
    player: Player,
    /// Ctrl-C was pressed and not yet heard of.
    pressed: Arc<AtomicBool>,
}

impl Opponent {
    pub fn new(pressed: Arc<AtomicBool>) -> Result<Opponent, TableSizeError> {
        let mut player = Player::new(Options::default(), HASH_MB)?;
        player.openings.choose(Path::new(""));
        Ok(Opponent { player, pressed })
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.player.new_game();
    }

    pub fn play(&mut self, game: &Game) -> io::Result<Reply> {
        if let Some(best) = self.book_move(game) {
            return Ok(Reply { best: Some(best), gesture: Gesture::None, interrupted: false });
        }
        let (side, time) = (game.side(), game.strength.move_time());
        let reading = |clocks: &Clocks, side| clocks.of(side).reading();
        let clock = game.clocks.as_ref();
        let clock = clock.map(|clocks| reading(clocks, side).for_search(Some(reading(clocks, !side))));
        let move_time = if clock.is_some() { None } else { time };
        let limits = Limits { clock, move_time, ..Limits::default() };
        let (outcome, interrupted) = self.think(game, limits, game.strength.skill())?;
        let gesture = self.player.gesture(&Circumstances {
            position: game.position(),
            score: outcome.score,
            depth: outcome.depth,
            draw_offered: false,
            // As with hosts: who plays without a clock wants to see it to the end.
            in_game: game.clocks.is_some(),
        });
        Ok(Reply { best: outcome.best, gesture, interrupted })
    }

    /// What its book plays here, if it knows the position.
    fn book_move(&mut self, game: &Game) -> Option<Move> {
        let allowed = candidates(game.position(), &game.rules, &[], &[]);
        let wishes = Wishes { allowed: &allowed, depth: BOOK_PLIES, variety: Variety::Medium };
        self.player.openings.answer(game.position(), &wishes).map(|answer| answer.chosen.mv)
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
        Ok(self.player.gesture(&circumstances) == Gesture::Draw)
    }

    /// What the position is worth at a glance.
    pub fn explain(&mut self, position: &Position) -> Option<Explanation> {
        self.player.searcher().map(|searcher| explain(&searcher.options.network, position))
    }

    /// Searches on a thread of its own and watches for Ctrl-C meanwhile, which ends the search with the best move so far.
    fn think(&mut self, game: &Game, limits: Limits, skill: f32) -> io::Result<(Outcome, bool)> {
        let away = || io::Error::other("the searcher is away");
        let searcher = self.player.searcher().ok_or_else(away)?;
        searcher.options.rules = game.rules;
        searcher.options.skill = skill;
        let limits = Limits { excluded: game.rules.losing_moves(game.position()), ..limits };
        let (control, pressed) = (Control::new(false), &self.pressed);
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
                        return Err(io::Error::other(tr!("the search has failed")));
                    }
                }
            }
        })?;
        Ok((outcome, interrupted))
    }
}
