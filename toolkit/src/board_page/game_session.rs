//! The table at which one page plays: its game, the engine as opponent, and what is told to the page after every change.

use super::bilingual::Bilingual;
use super::events::Events;
use super::game_view::{GameView, HintView};
use super::opponent_worker::OpponentWorker;
use super::save_store::SaveStore;
use crate::game::opponent::{Opponent, Reply};
use crate::game::{Clocks, Closing, Game, Seat};
use crate::player::{Gesture, Strength, TimeControl};
use crate::record::short;
use chuhe_engine::language::tr;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::Outcome;
use chuhe_engine::types::Move;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Moves of a hint that are shown.
const HINT_MOVES: usize = 5;

/// What the table knows of its game beside the game itself.
pub struct GameState {
    pub game: Game,
    /// Changes with every move and every wish: what was thought about an older one is not played.
    pub turn: u64,
    pub thinking: bool,
    /// The engine has offered a draw with its last move.
    pub offered: bool,
    /// When the turn of the side to move began.
    pub turn_began: Instant,
    /// What was said last.
    pub said: Option<Bilingual>,
}

impl GameState {
    pub fn of(game: Game) -> GameState {
        GameState { game, turn: 0, thinking: false, offered: false, turn_began: Instant::now(), said: None }
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

pub struct GameSession {
    page: u64,
    state: Mutex<GameState>,
    events: Arc<Events>,
    engine: OpponentWorker,
    store: Arc<SaveStore>,
}

/// What the engine does about a game, and the turn in which it was asked.
trait Work: FnOnce(&Arc<GameSession>, &mut Opponent, &Game, u64) -> io::Result<()> + Send + 'static {}
impl<F: FnOnce(&Arc<GameSession>, &mut Opponent, &Game, u64) -> io::Result<()> + Send + 'static> Work for F {}

/// How a game is to be played.
pub struct Conditions {
    pub seat: Seat,
    pub strength: Strength,
    pub rules: Rules,
    pub clock: Option<TimeControl>,
}

impl GameSession {
    pub fn new(page: u64, game: Game, events: Arc<Events>, store: Arc<SaveStore>) -> io::Result<GameSession> {
        let state = Mutex::new(GameState::of(game));
        Ok(GameSession { page, state, events, engine: OpponentWorker::start()?, store })
    }

    fn state(&self) -> MutexGuard<'_, GameState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it stands.
    pub fn game(&self) -> Game {
        self.state().game.clone()
    }

    /// Tells the page how the game stands.
    fn tell(&self, state: &GameState) {
        self.events.tell("game", &GameView::of(state, self.store.keeps(self.page)));
    }

    /// What follows every change: the game is kept and told, and the engine moves if it is its turn.
    fn settle(self: &Arc<GameSession>, mut state: MutexGuard<'_, GameState>) {
        state.turn += 1;
        if let Err(said) = self.store.keep(self.page, &state.game) {
            state.said = Some(said);
        }
        self.let_engine_move(&mut state);
        self.tell(&state);
    }

    /// Goes on where the page left off.
    pub fn wake(self: &Arc<GameSession>) {
        let mut state = self.state();
        self.let_engine_move(&mut state);
        self.tell(&state);
    }

    /// Nobody looks: a move that is being thought about is thought about again when somebody does.
    pub fn rest(&self) {
        let mut state = self.state();
        state.turn += 1;
        state.thinking = false;
        self.engine.hurry();
    }

    /// Whether the engine works for it.
    pub fn is_searching(&self) -> bool {
        self.engine.is_busy()
    }

    // ---- what the person does --------------------------------------------------------------------------

    /// Begins another game.
    pub fn begin(self: &Arc<GameSession>, mut game: Game, conditions: Conditions) {
        let said = self.store.put_away(self.page).err();
        let plies = game.moves().len();
        (game.seat, game.strength, game.rules) = (conditions.seat, conditions.strength, conditions.rules);
        game.clocks = conditions.clock.map(|control| Clocks::new(control, None, plies));
        game.judge();
        self.engine.hurry();
        self.engine.ask(|opponent| {
            let _ = opponent.map(Opponent::new_game);
        });
        self.replace(game, said);
    }

    /// Goes on with this game.
    pub fn replace(self: &Arc<GameSession>, game: Game, said: Option<Bilingual>) {
        let mut state = self.state();
        (state.game, state.offered, state.said) = (game, false, said);
        (state.turn_began, state.thinking) = (Instant::now(), false);
        self.settle(state);
    }

    /// Plays a move, however it is written.
    pub fn play(self: &Arc<GameSession>, text: &str) -> Result<(), Bilingual> {
        let mut state = self.state();
        if state.game.closing().is_some() {
            return Err(Bilingual::of(|| tr!("The game is over.")));
        }
        if !state.game.is_persons_turn() {
            return Err(Bilingual::of(|| tr!("It is not your turn.")));
        }
        let position = state.game.position();
        let mv = short::read(position, text).or_else(|error| {
            // The board can say more about squares.
            let squares = text.parse::<Move>().map_err(|_| Bilingual::told(error))?;
            position.clone().play(squares).map(|()| squares).map_err(Bilingual::told)
        })?;
        state.play(mv);
        self.settle(state);
        Ok(())
    }

    pub fn undo(self: &Arc<GameSession>) {
        let mut state = self.state();
        if state.game.undo().is_some() {
            self.engine.hurry();
            (state.offered, state.said, state.thinking) = (false, None, false);
            state.turn_began = Instant::now();
        }
        self.settle(state);
    }

    pub fn resign(self: &Arc<GameSession>) {
        let mut state = self.state();
        if state.game.closing().is_none() {
            let side = state.game.side();
            let loser = if state.game.seat.has(side) { side } else { !side };
            state.game.close(Closing::Resigned(loser));
            self.engine.hurry();
            state.thinking = false;
        }
        self.settle(state);
    }

    /// Sees to it that who has no time left has lost.
    pub fn check_clock(self: &Arc<GameSession>) {
        let mut state = self.state();
        let (side, spent) = (state.game.side(), state.turn_began.elapsed());
        if state.game.closing().is_none() && state.game.has_overstepped(spent) {
            state.game.close(Closing::OutOfTime(side));
            self.engine.hurry();
            state.thinking = false;
            self.settle(state);
        }
    }

    /// The engine is to play as strong as this from now on.
    pub fn set_strength(self: &Arc<GameSession>, strength: Strength) {
        let mut state = self.state();
        state.game.strength = strength;
        self.tell(&state);
    }

    /// The engine is to play what it has found so far.
    pub fn move_now(&self) {
        self.engine.hurry();
    }

    pub fn hint(self: &Arc<GameSession>) {
        self.ask(|table, opponent, game, turn| {
            let outcome = opponent.hint(game)?;
            table.show_hint(turn, &outcome);
            Ok(())
        });
    }

    fn show_hint(&self, turn: u64, outcome: &Outcome) {
        let mut state = self.state();
        if state.turn != turn {
            return;
        }
        state.thinking = false;
        if let Some(hint) = HintView::of(turn, state.game.position(), outcome, HINT_MOVES) {
            self.events.tell("hint", &hint);
        }
        self.tell(&state);
    }

    pub fn offer_draw(self: &Arc<GameSession>) {
        let mut state = self.state();
        if state.game.closing().is_some() {
            return;
        }
        if state.offered || state.game.seat == Seat::Both {
            state.game.close(Closing::Agreed);
            return self.settle(state);
        }
        drop(state);
        self.ask(|table, opponent, game, turn| {
            let takes = opponent.takes_draw(game)?;
            let mut state = table.state();
            if state.turn == turn {
                state.thinking = false;
                if takes {
                    state.game.close(Closing::Agreed);
                } else {
                    state.said = Some(Bilingual::of(|| tr!("Chuhe does not agree to a draw yet.")));
                }
                table.settle(state);
            }
            Ok(())
        });
    }

    // ---- the engine ------------------------------------------------------------------------------------

    /// Asks the engine for the person.
    fn ask(self: &Arc<GameSession>, work: impl Work) {
        let mut state = self.state();
        if !state.thinking && state.game.closing().is_none() {
            self.set_to_work(&mut state, work);
            self.tell(&state);
        }
    }

    fn let_engine_move(self: &Arc<GameSession>, state: &mut GameState) {
        let is_its_turn = state.game.closing().is_none() && !state.game.is_persons_turn();
        if is_its_turn && !state.thinking {
            self.set_to_work(state, |table, opponent, game, turn| {
                table.take(turn, &opponent.play(game)?);
                Ok(())
            });
        }
    }

    /// Has the engine do something about the game as it stands now.
    fn set_to_work(self: &Arc<GameSession>, state: &mut GameState, work: impl Work) {
        state.thinking = true;
        let (table, game, turn) = (Arc::clone(self), state.game.clone(), state.turn);
        self.engine.ask(move |opponent| {
            if table.state().turn != turn {
                return;
            }
            let done = match opponent {
                Ok(opponent) => work(&table, opponent, &game, turn),
                Err(error) => Err(io::Error::other(error.to_string())),
            };
            if let Err(error) = done {
                table.fail(&error);
            }
        });
    }

    fn fail(&self, error: &io::Error) {
        let mut state = self.state();
        state.thinking = false;
        state.said = Some(Bilingual::told(error));
        self.tell(&state);
    }

    /// The engine's turn is over, unless its question is an old one.
    fn take(self: &Arc<GameSession>, turn: u64, reply: &Reply) {
        let mut state = self.state();
        if state.turn != turn {
            return;
        }
        state.thinking = false;
        match (reply.gesture, reply.best) {
            (Gesture::Resign, _) => {
                let side = state.game.side();
                state.game.close(Closing::Resigned(side));
            }
            (gesture, Some(best)) => {
                state.play(best);
                state.offered = gesture == Gesture::Draw && state.game.closing().is_none();
                if state.offered {
                    state.said = Some(Bilingual::of(|| tr!("Chuhe offers a draw; a move declines it.")));
                }
            }
            (_, None) => {}
        }
        self.settle(state);
    }
}
