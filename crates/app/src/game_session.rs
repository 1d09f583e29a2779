//! The game of a page: its state, what its users do, and the events after every change. Pages of invited devices show the
//! same game.

use super::events::Events;
use super::game_state::{EngineTask, GameState};
use super::game_view::GameView;
use super::job_runner::{JobOutcome, JobRunner};
use super::opponent_worker::OpponentWorker;
use super::save_store::SaveStore;
use super::two_players::{self, Member, OfferKind, Role, TwoOptions, TwoPlayers};
use chuhe_engine::instant::Instant;
use chuhe_study::game::opponent::EngineOpponent;
use chuhe_study::game::{Clocks, GameEnd, LiveGame, Seat};
use chuhe_study::player::{Strength, TimeControl};
use chuhe_study::reader::chosen_notation;
use chuhe_support::date;
use chuhe_support::language::{Message, NoThread, tr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xiangqi::Rules;
use xiangqi_record::intended_move;

pub struct GameSession {
    /// The page whose game it is.
    pub(super) host: AtomicU64,
    state: Mutex<GameState>,
    pub(super) opponent: OpponentWorker,
    store: Arc<SaveStore>,
}

/// The options of a new game.
pub struct GameOptions {
    pub seat: Seat,
    pub strength: Strength,
    pub rules: Rules,
    pub clock: Option<TimeControl>,
    /// The conditions of a game of two people.
    pub two: Option<TwoOptions>,
}

impl GameSession {
    pub fn new(
        page: u64,
        game: LiveGame,
        two: Option<TwoPlayers>,
        events: Arc<Events>,
        store: Arc<SaveStore>,
        runner: &JobRunner,
    ) -> Result<GameSession, NoThread> {
        let mut state = GameState::of(game, two);
        state.members.push(Member::new(page, Role::Host, events));
        let (host, state) = (AtomicU64::new(page), Mutex::new(state));
        Ok(GameSession { host, state, opponent: OpponentWorker::start(runner)?, store })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, GameState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the game.
    pub fn game(&self) -> LiveGame {
        self.state().game.clone()
    }

    /// The page whose game it is.
    pub fn host(&self) -> u64 {
        self.host.load(Ordering::Relaxed)
    }

    /// The number of the page whose game it is.
    pub fn is_of(&self, page: u64) -> bool {
        self.host() == page
    }

    /// Sends the state of the game to its pages.
    pub(super) fn publish(&self, state: &GameState) {
        let is_kept = self.store.is_kept(self.host());
        // Guests see a game of two, and nothing that the host does besides.
        let is_shared = state.two.as_ref().is_some_and(|two| two.remote.is_some());
        for member in state.members.iter().filter(|member| is_shared || member.role == Role::Host) {
            member.events.publish("game", || GameView::of(state, is_kept, member.role));
        }
    }

    /// Called after every change: saves and publishes the game, and starts the engine's move if it is its turn. What the
    /// engine was doing is not wanted any more.
    pub(super) fn after_change(self: &Arc<GameSession>, mut state: MutexGuard<'_, GameState>) {
        self.drop_task(&mut state);
        state.update_clock();
        if let Err(error) = self.store.save(self.host(), &state.game) {
            state.message = Some(error);
        }
        self.go_on(&mut state);
    }

    /// Continues after a reload.
    pub fn resume(self: &Arc<GameSession>) {
        self.go_on(&mut self.state());
    }

    /// Tells its pages how it stands.
    pub fn publish_again(&self) {
        self.publish(&self.state());
    }

    /// The page is closed, unless it is open again: what the engine does is discarded; its move begins anew on
    /// [`GameSession::wake`].
    pub fn pause(&self, is_open: impl Fn() -> bool) {
        let mut state = self.state();
        if !is_open() {
            self.drop_task(&mut state);
        }
    }

    /// Whether the engine is searching.
    pub fn is_searching(&self) -> bool {
        self.opponent.is_busy()
    }

    /// Whether the user plays against the engine.
    pub fn is_played(&self) -> bool {
        let state = self.state();
        state.game.end().is_none() && state.two.is_none() && state.game.seat != Seat::Both
    }

    // ---- user actions ----

    /// Begins a new game.
    pub fn begin(self: &Arc<GameSession>, mut game: LiveGame, options: GameOptions) {
        let message = self.store.archive(self.host(), &self.game()).err();
        let plies = game.moves().len();
        // The day on which it began.
        game.tags.push(("Date".to_string(), date::today()));
        if let Some(two) = &options.two {
            game.tags.extend(two.tags());
        }
        (game.seat, game.strength, game.rules) = (options.seat, options.strength, options.rules);
        game.clocks = options.clock.map(|control| Clocks::new(control, None, plies));
        game.apply_rules();
        self.opponent.move_now();
        self.opponent.submit(|opponent| {
            let _ = opponent.map(EngineOpponent::new_game);
            JobOutcome::Done
        });
        self.replace_with(game, options.two.as_ref().map(TwoPlayers::new), message);
    }

    /// Replaces the game by one that was played here before.
    pub fn replace(self: &Arc<GameSession>, game: LiveGame) {
        let two = TwoPlayers::of_tags(&game.tags);
        self.replace_with(game, two, None);
    }

    fn replace_with(self: &Arc<GameSession>, game: LiveGame, two: Option<TwoPlayers>, message: Option<Message>) {
        let mut state = self.state();
        state.two = two;
        (state.game, state.draw_offered, state.message) = (game, false, message);
        state.turn_began = Instant::now();
        self.after_change(state);
    }

    /// Plays a move in any notation.
    pub fn play(self: &Arc<GameSession>, page: u64, text: &str) -> Result<(), Message> {
        let mut state = self.state();
        let role = state.role_of(page);
        state.check_running()?;
        if role == Role::Watcher {
            return Err(two_players::watches());
        }
        if !state.may_move(role) {
            return Err(Message::of(|| tr!("It is not your turn.")));
        }
        let position = state.game.position();
        let mv = intended_move::parse_with(position, text, chosen_notation()).map_err(Message::from_value)?;
        state.play(mv);
        self.after_change(state);
        Ok(())
    }

    pub fn undo(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::TakeBack);
        }
        let mut state = self.state();
        state.game.undo().ok_or_else(|| Message::of(|| tr!("No move has been made yet.")))?;
        (state.draw_offered, state.message) = (false, None);
        state.turn_began = Instant::now();
        self.after_change(state);
        Ok(())
    }

    pub fn resign(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        let mut state = self.state();
        state.check_running()?;
        let side = state.game.side();
        let loser = match &state.two {
            Some(two) => two.side_of(state.role_of(page), side)?,
            None if state.game.seat.includes(side) => side,
            None => !side,
        };
        state.game.finish(GameEnd::Resigned(loser));
        self.after_change(state);
        Ok(())
    }

    /// Ends the game if the time of the side to move has run out; otherwise the page learns how much there is.
    pub fn check_clock(self: &Arc<GameSession>) {
        let mut state = self.state();
        state.update_clock();
        let (side, spent) = (state.game.side(), state.spent());
        if state.game.end().is_none() && state.game.has_lost_on_time(spent) {
            state.game.finish(GameEnd::OutOfTime(side));
            self.after_change(state);
        } else {
            self.publish(&state);
        }
    }

    pub fn hint(self: &Arc<GameSession>) -> Result<(), Message> {
        self.ask_engine(EngineTask::Hint)
    }

    pub fn offer_draw(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::Draw);
        }
        let mut state = self.state();
        state.check_running()?;
        if state.draw_offered || state.game.seat == Seat::Both {
            state.game.finish(GameEnd::Agreed);
            self.after_change(state);
            return Ok(());
        }
        drop(state);
        self.ask_engine(EngineTask::DrawOffer)
    }
}
