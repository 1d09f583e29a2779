//! The game of a page: its state, the engine as opponent or another person, and the events after every change. Pages of
//! invited devices show the same game.

use super::bilingual::Bilingual;
use super::events::Events;
use super::game_state::GameState;
use super::game_view::{GameView, HintView};
use super::job_runner::{JobOutcome, JobRunner};
use super::opponent_worker::OpponentWorker;
use super::save_store::SaveStore;
use super::two_players::{self, Member, OfferKind, Role, TwoOptions, TwoPlayers};
use chuhe_engine::instant::Instant;
use chuhe_engine::search::SearchResult;
use chuhe_study::game::opponent::{EngineOpponent, EngineReply};
use chuhe_study::game::{Clocks, GameEnd, LiveGame, Seat};
use chuhe_study::player::{DrawOrResign, Strength, TimeControl};
use chuhe_support::date;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xiangqi::Rules;
use xiangqi_record::intended_move;

/// The maximum number of moves shown of a hint.
const MAX_HINT_MOVES: usize = 5;

pub struct GameSession {
    /// The page whose game it is.
    pub(super) host: AtomicU64,
    state: Mutex<GameState>,
    engine: OpponentWorker,
    store: Arc<SaveStore>,
}

/// A task for the engine, with the turn for which it was started. It may be interrupted, and is done again then.
trait EngineTask: Fn(&Arc<GameSession>, &mut EngineOpponent, &LiveGame, u64) -> io::Result<()> + Send + 'static {}
impl<F: Fn(&Arc<GameSession>, &mut EngineOpponent, &LiveGame, u64) -> io::Result<()> + Send + 'static> EngineTask
    for F
{
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
    ) -> io::Result<GameSession> {
        let mut state = GameState::of(game, two);
        state.members.push(Member::new(page, Role::Host, events));
        let (host, state) = (AtomicU64::new(page), Mutex::new(state));
        Ok(GameSession { host, state, engine: OpponentWorker::start(runner)?, store })
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
            member.events.publish("game", &GameView::of(state, is_kept, member.role));
        }
    }

    /// Called after every change: saves and publishes the game, and starts the engine's move if it is its turn.
    pub(super) fn after_change(self: &Arc<GameSession>, mut state: MutexGuard<'_, GameState>) {
        state.turn += 1;
        state.update_clock();
        if let Err(error) = self.store.save(self.host(), &state.game) {
            state.message = Some(error);
        }
        self.start_engine_move(&mut state);
        self.publish(&state);
    }

    /// Continues after a reload.
    pub fn resume(self: &Arc<GameSession>) {
        let mut state = self.state();
        self.start_engine_move(&mut state);
        self.publish(&state);
    }

    /// Tells its pages how it stands.
    pub fn publish_again(&self) {
        self.publish(&self.state());
    }

    /// The page is closed: the engine's search is discarded and restarted on [`GameSession::resume`].
    pub fn pause(&self) {
        let mut state = self.state();
        state.turn += 1;
        state.thinking = false;
        self.engine.move_now();
    }

    /// Whether the engine is searching.
    pub fn is_searching(&self) -> bool {
        self.engine.is_busy()
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
        self.engine.move_now();
        self.engine.submit(|opponent| {
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

    fn replace_with(self: &Arc<GameSession>, game: LiveGame, two: Option<TwoPlayers>, message: Option<Bilingual>) {
        let mut state = self.state();
        state.two = two;
        (state.game, state.draw_offered, state.message) = (game, false, message);
        (state.turn_began, state.thinking) = (Instant::now(), false);
        self.after_change(state);
    }

    /// Plays a move in any notation.
    pub fn play(self: &Arc<GameSession>, page: u64, text: &str) -> Result<(), Bilingual> {
        let mut state = self.state();
        let role = state.role_of(page);
        if state.game.end().is_some() {
            return Err(Bilingual::of(|| tr!("The game is over.")));
        }
        if role == Role::Watcher {
            return Err(two_players::watches());
        }
        if !state.may_move(role) {
            return Err(Bilingual::of(|| tr!("It is not your turn.")));
        }
        let position = state.game.position();
        let mv = intended_move::parse(position, text).map_err(Bilingual::from_value)?;
        state.play(mv);
        self.after_change(state);
        Ok(())
    }

    pub fn undo(self: &Arc<GameSession>, page: u64) -> Result<(), Bilingual> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::TakeBack);
        }
        let mut state = self.state();
        if state.game.undo().is_some() {
            self.engine.move_now();
            (state.draw_offered, state.message, state.thinking) = (false, None, false);
            state.turn_began = Instant::now();
        }
        self.after_change(state);
        Ok(())
    }

    pub fn resign(self: &Arc<GameSession>, page: u64) -> Result<(), Bilingual> {
        let mut state = self.state();
        if state.game.end().is_none() {
            let side = state.game.side();
            let loser = match &state.two {
                Some(two) => two.side_of(state.role_of(page), side)?,
                None if state.game.seat.includes(side) => side,
                None => !side,
            };
            state.game.finish(GameEnd::Resigned(loser));
            self.engine.move_now();
            state.thinking = false;
        }
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
            self.engine.move_now();
            state.thinking = false;
            self.after_change(state);
        } else {
            self.publish(&state);
        }
    }

    /// The engine plays its best move so far.
    pub fn move_now(&self) {
        self.engine.move_now();
    }

    pub fn hint(self: &Arc<GameSession>) {
        self.start_user_task(|table, opponent, game, turn| {
            let outcome = opponent.hint(game)?;
            table.show_hint(turn, &outcome);
            Ok(())
        });
    }

    fn show_hint(&self, turn: u64, outcome: &SearchResult) {
        let mut state = self.state();
        if state.turn != turn {
            return;
        }
        state.thinking = false;
        if let Some(hint) = HintView::of(turn, state.game.position(), outcome, MAX_HINT_MOVES) {
            state.members.iter().for_each(|member| member.events.publish("hint", &hint));
        }
        self.publish(&state);
    }

    pub fn offer_draw(self: &Arc<GameSession>, page: u64) -> Result<(), Bilingual> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::Draw);
        }
        let mut state = self.state();
        if state.game.end().is_some() {
            return Ok(());
        }
        if state.draw_offered || state.game.seat == Seat::Both {
            state.game.finish(GameEnd::Agreed);
            self.after_change(state);
            return Ok(());
        }
        drop(state);
        self.start_user_task(|table, opponent, game, turn| {
            let takes = opponent.accepts_draw(game)?;
            let mut state = table.state();
            if state.turn == turn {
                state.thinking = false;
                if takes {
                    state.game.finish(GameEnd::Agreed);
                } else {
                    state.message = Some(Bilingual::of(|| tr!("Chuhe does not agree to a draw yet.")));
                }
                table.after_change(state);
            }
            Ok(())
        });
        Ok(())
    }

    // ---- engine ----

    /// Starts a task requested by the user.
    fn start_user_task(self: &Arc<GameSession>, work: impl EngineTask) {
        let mut state = self.state();
        if !state.thinking && state.game.end().is_none() {
            self.start_task(&mut state, work);
            self.publish(&state);
        }
    }

    fn start_engine_move(self: &Arc<GameSession>, state: &mut GameState) {
        let is_its_turn = state.game.end().is_none() && !state.game.is_users_turn() && state.two.is_none();
        if is_its_turn && !state.thinking {
            self.start_task(state, |table, opponent, game, turn| {
                table.apply_reply(turn, &opponent.play(game)?);
                Ok(())
            });
        }
    }

    /// Starts a task on the current game.
    fn start_task(self: &Arc<GameSession>, state: &mut GameState, work: impl EngineTask) {
        state.thinking = true;
        let (table, game, turn) = (Arc::clone(self), state.game.clone(), state.turn);
        self.engine.submit(move |opponent| {
            if table.state().turn != turn {
                return JobOutcome::Done;
            }
            let done = match opponent {
                Ok(opponent) => work(&table, opponent, &game, turn),
                Err(error) => Err(io::Error::other(error.localized())),
            };
            match done {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return JobOutcome::Interrupted,
                Err(error) => table.fail(&error),
                Ok(()) => {}
            }
            JobOutcome::Done
        });
    }

    fn fail(&self, error: &io::Error) {
        let mut state = self.state();
        state.thinking = false;
        state.message = Some(Bilingual::from_error(error));
        self.publish(&state);
    }

    /// Applies the engine's reply, unless it belongs to an older turn.
    fn apply_reply(self: &Arc<GameSession>, turn: u64, reply: &EngineReply) {
        let mut state = self.state();
        if state.turn != turn {
            return;
        }
        state.thinking = false;
        match (reply.draw_or_resign, reply.best) {
            (DrawOrResign::Resign, _) => {
                let side = state.game.side();
                state.game.finish(GameEnd::Resigned(side));
            }
            (gesture, Some(best)) => {
                state.play(best);
                state.draw_offered = gesture == DrawOrResign::Draw && state.game.end().is_none();
                if state.draw_offered {
                    state.message = Some(Bilingual::of(|| tr!("Chuhe offers a draw; a move declines it.")));
                }
            }
            (_, None) => {}
        }
        self.after_change(state);
    }
}
