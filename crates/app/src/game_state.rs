//! The state of the game of a page, with its clock.

use super::two_players::{Member, Role, TwoPlayers};
use chuhe_engine::instant::Instant;
use chuhe_study::game::{GameEnd, LiveGame};
use chuhe_support::language::{Message, tr};
use std::time::Duration;
use xiangqi::Move;

/// What the engine is asked about the game as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineTask {
    Move,
    Hint,
    DrawOffer,
}

/// What the engine does for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineState {
    #[default]
    Idle,
    /// It works on this, for the current turn.
    Busy(EngineTask),
    /// It could not move: it tries again when it is asked to.
    Failed,
}

/// The state of a session.
pub struct GameState {
    pub game: LiveGame,
    /// Increases with every change; engine replies to an older turn are discarded.
    pub turn: u64,
    /// What the engine does, for this turn.
    pub engine: EngineState,
    /// The engine offered a draw with its last move.
    pub draw_offered: bool,
    /// When the turn of the side to move began.
    pub turn_began: Instant,
    /// The last message.
    pub message: Option<Message>,
    /// The pages that show the game.
    pub members: Vec<Member>,
    /// Set if two people play.
    pub two: Option<TwoPlayers>,
}

impl GameState {
    pub fn of(game: LiveGame, two: Option<TwoPlayers>) -> GameState {
        GameState {
            two,
            game,
            turn: 0,
            engine: EngineState::Idle,
            draw_offered: false,
            turn_began: Instant::now(),
            message: None,
            members: Vec::new(),
        }
    }

    /// How long the side to move has thought.
    pub fn spent(&self) -> Duration {
        let stands_since = self.two.as_ref().and_then(|two| two.paused_at);
        let uncounted = stands_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.turn_began.elapsed().saturating_sub(uncounted)
    }

    /// What a page is to the game.
    pub fn role_of(&self, page: u64) -> Role {
        self.members.iter().find(|member| member.page == page).map_or(Role::Watcher, |member| member.role)
    }

    /// Whether a page of this role may move now.
    pub fn may_move(&self, role: Role) -> bool {
        match &self.two {
            _ if self.game.end().is_some() => false,
            Some(two) => !two.is_waiting && two.plays(role, self.game.side()),
            None => role == Role::Host && self.game.is_users_turn(),
        }
    }

    /// Refuses what needs a game that goes on.
    pub fn check_running(&self) -> Result<(), Message> {
        if self.game.end().is_some() { Err(Message::of(|| tr!("The game is over."))) } else { Ok(()) }
    }

    /// Whether the engine is to move, and does nothing.
    pub fn awaits_engine(&self) -> bool {
        let is_its_turn = self.two.is_none() && self.game.end().is_none() && !self.game.is_users_turn();
        is_its_turn && self.engine == EngineState::Idle
    }

    /// Stops the clock or lets it go on, as the player to move is there or not.
    pub(super) fn update_clock(&mut self) {
        let (side, is_over) = (self.game.side(), self.game.end().is_some());
        if let Some(two) = &mut self.two {
            self.turn_began = two.update_clock(&self.members, side, is_over, self.turn_began);
        }
    }

    /// Plays a legal move of the side to move, if its time has not run out.
    pub fn play(&mut self, mv: Move) {
        let (side, spent) = (self.game.side(), self.spent());
        if self.game.has_lost_on_time(spent) {
            self.game.finish(GameEnd::OutOfTime(side));
            return;
        }
        self.game.play(mv, spent);
        (self.draw_offered, self.message) = (false, None);
        self.turn_began = Instant::now();
        if let Some(two) = &mut self.two {
            two.paused_at = None;
            two.moved(side);
        }
    }
}
