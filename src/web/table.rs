//! The table at which one page plays: its game, the engine as opponent, and what is told to the page after every change.

use super::both::Both;
use super::engine::Engine;
use super::keeper::Keeper;
use super::news::News;
use super::seen::{Hint, Seen};
use super::state::State;
use crate::language::tr;
use crate::play::game::{Clocks, Closing, Game, Seat};
use crate::play::opponent::{Opponent, Reply};
use crate::player::{Gesture, Strength, TimeControl};
use crate::record::short;
use crate::rules::Rules;
use crate::search::Outcome;
use crate::types::Move;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Moves of a hint that are shown.
const HINT_MOVES: usize = 5;

pub struct Table {
    page: u64,
    state: Mutex<State>,
    news: Arc<News>,
    engine: Engine,
    keeper: Arc<Keeper>,
}

/// What the engine does about a game, and the turn in which it was asked.
trait Work: FnOnce(&Arc<Table>, &mut Opponent, &Game, u64) -> io::Result<()> + Send + 'static {}
impl<F: FnOnce(&Arc<Table>, &mut Opponent, &Game, u64) -> io::Result<()> + Send + 'static> Work for F {}

/// How a game is to be played.
pub struct Conditions {
    pub seat: Seat,
    pub strength: Strength,
    pub rules: Rules,
    pub clock: Option<TimeControl>,
}

impl Table {
    pub fn new(page: u64, game: Game, news: Arc<News>, keeper: Arc<Keeper>) -> io::Result<Table> {
        let state = Mutex::new(State::of(game));
        Ok(Table { page, state, news, engine: Engine::start()?, keeper })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it stands.
    pub fn game(&self) -> Game {
        self.state().game.clone()
    }

    /// Tells the page how the game stands.
    fn tell(&self, state: &State) {
        self.news.tell("game", &Seen::of(state, self.keeper.keeps(self.page)));
    }

    /// What follows every change: the game is kept and told, and the engine moves if it is its turn.
    fn settle(self: &Arc<Table>, mut state: MutexGuard<'_, State>) {
        state.turn += 1;
        if let Err(said) = self.keeper.keep(self.page, &state.game) {
            state.said = Some(said);
        }
        self.let_engine_move(&mut state);
        self.tell(&state);
    }

    /// Goes on where the page left off.
    pub fn wake(self: &Arc<Table>) {
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
    pub fn begin(self: &Arc<Table>, mut game: Game, conditions: Conditions) {
        let said = self.keeper.put_away(self.page).err();
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
    pub fn replace(self: &Arc<Table>, game: Game, said: Option<Both>) {
        let mut state = self.state();
        (state.game, state.offered, state.said) = (game, false, said);
        (state.turn_began, state.thinking) = (Instant::now(), false);
        self.settle(state);
    }

    /// Plays a move, however it is written.
    pub fn play(self: &Arc<Table>, text: &str) -> Result<(), Both> {
        let mut state = self.state();
        if state.game.closing().is_some() {
            return Err(Both::of(|| tr!("The game is over.")));
        }
        if !state.game.is_persons_turn() {
            return Err(Both::of(|| tr!("It is not your turn.")));
        }
        let position = state.game.position();
        let mv = short::read(position, text).or_else(|error| {
            // The board can say more about squares.
            let squares = text.parse::<Move>().map_err(|_| Both::told(error))?;
            position.clone().play(squares).map(|()| squares).map_err(Both::told)
        })?;
        state.play(mv);
        self.settle(state);
        Ok(())
    }

    pub fn undo(self: &Arc<Table>) {
        let mut state = self.state();
        if state.game.undo().is_some() {
            self.engine.hurry();
            (state.offered, state.said, state.thinking) = (false, None, false);
            state.turn_began = Instant::now();
        }
        self.settle(state);
    }

    pub fn resign(self: &Arc<Table>) {
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
    pub fn look_at_clock(self: &Arc<Table>) {
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
    pub fn set_strength(self: &Arc<Table>, strength: Strength) {
        let mut state = self.state();
        state.game.strength = strength;
        self.tell(&state);
    }

    /// The engine is to play what it has found so far.
    pub fn hurry(&self) {
        self.engine.hurry();
    }

    pub fn hint(self: &Arc<Table>) {
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
        if let Some(hint) = Hint::of(turn, state.game.position(), outcome, HINT_MOVES) {
            self.news.tell("hint", &hint);
        }
        self.tell(&state);
    }

    pub fn offer_draw(self: &Arc<Table>) {
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
                    state.said = Some(Both::of(|| tr!("Chuhe does not agree to a draw yet.")));
                }
                table.settle(state);
            }
            Ok(())
        });
    }

    // ---- the engine ------------------------------------------------------------------------------------

    /// Asks the engine for the person.
    fn ask(self: &Arc<Table>, work: impl Work) {
        let mut state = self.state();
        if !state.thinking && state.game.closing().is_none() {
            self.set_to_work(&mut state, work);
            self.tell(&state);
        }
    }

    fn let_engine_move(self: &Arc<Table>, state: &mut State) {
        let is_its_turn = state.game.closing().is_none() && !state.game.is_persons_turn();
        if is_its_turn && !state.thinking {
            self.set_to_work(state, |table, opponent, game, turn| {
                table.take(turn, &opponent.play(game)?);
                Ok(())
            });
        }
    }

    /// Has the engine do something about the game as it stands now.
    fn set_to_work(self: &Arc<Table>, state: &mut State, work: impl Work) {
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
        state.said = Some(Both::told(error));
        self.tell(&state);
    }

    /// The engine's turn is over, unless its question is an old one.
    fn take(self: &Arc<Table>, turn: u64, reply: &Reply) {
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
                    state.said = Some(Both::of(|| tr!("Chuhe offers a draw; a move declines it.")));
                }
            }
            (_, None) => {}
        }
        self.settle(state);
    }
}
