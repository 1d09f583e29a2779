//! A game at a table, and what is to be known of it beside its moves.

use super::both::Both;
use crate::play::game::{Closing, Game};
use crate::types::Move;
use std::time::Instant;

/// What the table knows of its game beside the game itself.
pub struct State {
    pub game: Game,
    /// Changes with every move and every wish: what was thought about an older one is not played.
    pub turn: u64,
    pub thinking: bool,
    /// The engine has offered a draw with its last move.
    pub offered: bool,
    /// When the turn of the side to move began.
    pub turn_began: Instant,
    /// What was said last.
    pub said: Option<Both>,
}

impl State {
    pub fn of(game: Game) -> State {
        State { game, turn: 0, thinking: false, offered: false, turn_began: Instant::now(), said: None }
    }

    /// Plays a legal move of the side to move, if it still has the time for it.
    pub fn play(&mut self, mv: Move) {
        let (side, spent) = (self.game.side(), self.turn_began.elapsed());
        if self.game.has_overstepped(spent) {
            self.game.close(Closing::OutOfTime(side));
            return;
        }
        self.game.play(mv, spent);
        (self.offered, self.said) = (false, None);
        self.turn_began = Instant::now();
    }
}
