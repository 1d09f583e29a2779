//! Plays one game: the referee requests moves, keeps the clocks, and decides when and why the game is over.

use super::engine::{Diagnostics, Engine, EngineAnswer, EngineFault, EngineScore, MoveChoice, MoveRequest};
use super::openings::Opening;
use super::spec::{Budget, RefereeSpec};
use super::standings::ClockUsage;
use chuhe_engine::score::Score;
use chuhe_study::player::GameClock;
use chuhe_support::language::{phrase, tr};
use chuhe_support::messages::Localize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use xiangqi::{Color, Ending, Move, Position, Reason};
use xiangqi_record::GameResult;

/// Extra time after clock and margin before an engine counts as hung.
const HANG_GRACE: Duration = Duration::from_millis(500);

/// A played move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    pub mv: Move,
    /// Score, depth and nodes; `None` for opening moves.
    pub engine_score: Option<EngineScore>,
    pub spent: Duration,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndCause {
    /// Ended by the rules, for this reason.
    Rules(Reason),
    Resignation,
    /// Agreed draw.
    Agreement,
    Fault(EngineFault),
    /// Adjudicated by the scores of both sides.
    Adjudication,
    /// The maximum number of moves was reached.
    MoveLimit,
}

#[derive(Clone)]
pub struct GameOutcome {
    /// The start position, before the opening moves.
    pub start: Position,
    /// All moves, including the opening.
    pub plies: Vec<PlayedMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    pub cause: EndCause,
    /// Diagnostics of the engine whose fault ended the game.
    pub diagnostics: Option<Diagnostics>,
    /// Clock usage of red and black, if they had clocks.
    pub spent: [Option<ClockUsage>; 2],
}

impl GameOutcome {
    /// The side whose engine failed, and the fault.
    pub fn fault(&self) -> Option<(Color, &EngineFault)> {
        match (&self.cause, self.winner) {
            (EndCause::Fault(fault), Some(winner)) => Some((!winner, fault)),
            _ => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        GameResult::from_winner(self.winner).token()
    }
}

impl fmt::Display for GameOutcome {
    /// The ending in a few words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loser = self.winner.map_or_else(|| phrase!("Nobody").to_string(), |winner| (!winner).localized());
        f.write_str(&match &self.cause {
            EndCause::Rules(reason) => reason.localized(),
            EndCause::Resignation => tr!("{side} resigns", side = loser),
            EndCause::Agreement => tr!("draw agreed"),
            EndCause::Fault(fault) => tr!("{side} {fault}", side = loser, fault),
            EndCause::Adjudication => tr!("adjudicated by score"),
            EndCause::MoveLimit => tr!("too long"),
        })
    }
}

/// Plays a game from an opening. `players` are red and black. `None` if `stop` was set before the end.
pub fn play(
    players: [&mut Engine; 2],
    budgets: [Budget; 2],
    opening: &Opening,
    referee: &RefereeSpec,
    stop: &AtomicBool,
) -> Option<GameOutcome> {
    let [red, black] = players;
    let played = run_game([&mut *red, &mut *black], GameState::new(opening, budgets, referee), stop);
    for player in [red, black] {
        player.stop_pondering();
    }
    played
}

fn run_game(players: [&mut Engine; 2], mut state: GameState, stop: &AtomicBool) -> Option<GameOutcome> {
    let [red, black] = players;
    for (side, player) in [(Color::Red, &mut *red), (Color::Black, &mut *black)] {
        if let Err(fault) = player.new_game() {
            return Some(state.into_fault_outcome(side, fault, player));
        }
    }
    while !stop.load(Ordering::Relaxed) {
        if let Some((winner, cause)) = state.ending() {
            return Some(state.into_outcome(winner, cause));
        }
        let side = state.position.side();
        let player = match side {
            Color::Red => &mut *red,
            Color::Black => &mut *black,
        };
        let answer = match player.play(&state.request()) {
            Ok(answer) => answer,
            Err(fault) => return Some(state.into_fault_outcome(side, fault, player)),
        };
        match state.apply_answer(&answer) {
            Ok(()) => {}
            Err((_, EndCause::Fault(fault))) => return Some(state.into_fault_outcome(side, fault, player)),
            Err((loser, cause)) => return Some(state.into_outcome(loser.map(|loser| !loser), cause)),
        }
        let guess = answer.ponder.filter(|_| state.referee.ponder);
        if let Some(mut ahead) = guess.and_then(|guess| state.after_ponder_move(guess))
            && let Err(fault) = player.ponder(&MoveRequest { pondering: true, ..ahead.request() })
        {
            return Some(state.into_fault_outcome(side, fault, player));
        }
    }
    None
}

/// The state of a running game.
#[derive(Clone)]
struct GameState<'a> {
    referee: &'a RefereeSpec,
    budgets: [Budget; 2],
    clocks: [Option<GameClock>; 2],
    start: Position,
    position: Position,
    plies: Vec<PlayedMove>,
    /// FEN after the last capture, and the number of plies played by then.
    last_capture: (String, usize),
    /// Moves since the last capture.
    since_base: Vec<Move>,
    banned: Vec<Move>,
    /// The side that offered a draw with its last move.
    offer: Option<Color>,
    adjudicator: ScoreAdjudicator,
}

impl<'a> GameState<'a> {
    fn new(opening: &Opening, budgets: [Budget; 2], referee: &'a RefereeSpec) -> GameState<'a> {
        let start = opening.start.clone();
        let mut state = GameState {
            referee,
            budgets,
            clocks: budgets.map(|budget| match budget {
                Budget::Clock(control) => Some(GameClock::new(control)),
                _ => None,
            }),
            last_capture: (start.fen(), 0),
            position: start.clone(),
            start,
            plies: Vec::new(),
            since_base: Vec::new(),
            banned: Vec::new(),
            offer: None,
            adjudicator: ScoreAdjudicator::default(),
        };
        for &mv in &opening.moves {
            state.make(PlayedMove { mv, engine_score: None, spent: Duration::ZERO });
        }
        state
    }

    fn make(&mut self, ply: PlayedMove) {
        self.position.play_unchecked(ply.mv);
        self.plies.push(ply);
        self.since_base.push(ply.mv);
        if self.position.last_captured().is_some() {
            self.last_capture = (self.position.fen(), self.plies.len());
            self.since_base.clear();
        }
    }

    /// The move request for the side to move.
    fn request(&mut self) -> MoveRequest<'_> {
        self.banned = if self.referee.forbid_losing_moves { self.losing_moves() } else { Vec::new() };
        let side = self.position.side();
        let budget = self.budgets[side];
        let deadline = match (budget, self.clocks[side]) {
            (_, Some(clock)) => clock.left() + self.referee.time_margin + HANG_GRACE,
            (Budget::MoveTime(time), _) => time + self.referee.time_margin + HANG_GRACE,
            _ => self.referee.move_timeout,
        };
        MoveRequest {
            position: &self.position,
            last_capture_fen: &self.last_capture.0,
            moves: &self.since_base,
            budget,
            clocks: self.clocks.map(|clock| clock.map(|clock| clock.state())),
            deadline,
            draw_offered: self.offer == Some(!side),
            pondering: false,
            banned: &self.banned,
        }
    }

    /// The state after the expected move; `None` if the move is illegal or a game is over before or after it.
    fn after_ponder_move(&self, guess: Move) -> Option<GameState<'a>> {
        if !(self.position.is_pseudo_legal(guess) && self.position.is_legal(guess)) || self.ending().is_some() {
            return None;
        }
        let mut ahead = self.clone();
        ahead.make(PlayedMove { mv: guess, engine_score: None, spent: Duration::ZERO });
        ahead.offer = None;
        ahead.ending().is_none().then_some(ahead)
    }

    /// Moves that lose by rule; empty if all moves do.
    fn losing_moves(&self) -> Vec<Move> {
        if !self.referee.rules.uses_counters() && !self.could_repeat() {
            return Vec::new();
        }
        let losing = self.referee.rules.losing_moves(&self.position);
        if losing.len() as u64 == self.position.count_legal() { Vec::new() } else { losing }
    }

    /// Whether a move could complete a repetition: some position since the last capture, with the other side to move,
    /// has occurred often enough. Avoids judging every move, which costs as much as all other work of the referee.
    fn could_repeat(&self) -> bool {
        let mut keys: Vec<_> = (1..=self.position.plies_since_capture())
            .step_by(2)
            .map_while(|plies| self.position.key_before(plies))
            .collect();
        keys.sort_unstable();
        let wanted = self.referee.rules.set.repetition_count() - 1;
        keys.chunk_by(|one, other| one == other).any(|same| same.len() >= wanted)
    }

    /// Checks an answer and plays its move. An error ends the game: the loser, if any, and the cause.
    fn apply_answer(&mut self, answer: &EngineAnswer) -> Result<(), (Option<Color>, EndCause)> {
        let side = self.position.side();
        if let Some(over) = self.time_overrun(side, answer.elapsed) {
            return Err((Some(side), EndCause::Fault(EngineFault::TimeExceeded(over))));
        }
        let MoveChoice::Move(mv) = answer.choice else { return Err((Some(side), EndCause::Resignation)) };
        if !(self.position.is_pseudo_legal(mv) && self.position.is_legal(mv)) {
            return Err((Some(side), EndCause::Fault(EngineFault::Illegal(mv))));
        }
        if let Some(clock) = &mut self.clocks[side] {
            clock.press(answer.elapsed);
        }
        self.make(PlayedMove { mv, engine_score: Some(answer.engine_score), spent: answer.elapsed });
        self.adjudicator.add_score(side, answer.engine_score.score, self.referee);
        let accepted = answer.draw && self.offer == Some(!side);
        self.offer = answer.draw.then_some(side);
        // An ending by rule takes precedence over an agreed draw.
        if accepted && self.referee.rules.judge(&self.position).ending.is_none() {
            return Err((None, EndCause::Agreement));
        }
        Ok(())
    }

    /// The time overrun of a side, if it exceeds the margin.
    fn time_overrun(&self, side: Color, spent: Duration) -> Option<Duration> {
        let allowed = match (self.budgets[side], &self.clocks[side]) {
            (_, Some(clock)) => clock.left(),
            (Budget::MoveTime(time), _) => time,
            _ => return None,
        };
        (spent > allowed + self.referee.time_margin).then(|| spent - allowed)
    }

    /// If the game is over: the winner, if any, and the cause.
    fn ending(&self) -> Option<(Option<Color>, EndCause)> {
        let verdict = self.referee.rules.judge(&self.position);
        if let Some(ending) = verdict.ending {
            let winner = match ending {
                Ending::Draw => None,
                Ending::Loss(loser) => Some(!loser),
            };
            return Some((winner, EndCause::Rules(verdict.reason)));
        }
        let full_moves = self.plies.len() as u32 / 2;
        if let Some(winner) = self.adjudicator.outcome(full_moves, self.referee) {
            return Some((winner, EndCause::Adjudication));
        }
        let too_long = self.referee.max_moves > 0 && full_moves >= self.referee.max_moves;
        too_long.then_some((None, EndCause::MoveLimit))
    }

    fn into_fault_outcome(self, loser: Color, fault: EngineFault, player: &mut Engine) -> GameOutcome {
        GameOutcome {
            diagnostics: player.take_diagnostics(),
            ..self.into_outcome(Some(!loser), EndCause::Fault(fault))
        }
    }

    fn into_outcome(self, winner: Option<Color>, cause: EndCause) -> GameOutcome {
        let spent = Color::ALL.map(|side| self.spent(side));
        GameOutcome { start: self.start, plies: self.plies, winner, cause, diagnostics: None, spent }
    }

    /// The clock usage of a side.
    fn spent(&self, side: Color) -> Option<ClockUsage> {
        let Budget::Clock(control) = self.budgets[side] else { return None };
        let first = usize::from(self.start.side() != side);
        let own = self.plies.iter().skip(first).step_by(2).filter(|ply| ply.engine_score.is_some());
        Some(ClockUsage::new(control, own.map(|ply| ply.spent)))
    }
}

/// Consecutive moves of each side with a drawn, lost or won score.
#[derive(Clone, Copy, Default)]
struct ScoreAdjudicator {
    drawn: [u32; 2],
    lost: [u32; 2],
    won: [u32; 2],
}

impl ScoreAdjudicator {
    /// Counts the score of a side's move; a move without a score breaks the series.
    fn add_score(&mut self, side: Color, score: Option<Score>, referee: &RefereeSpec) {
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = referee.draw {
            count(&mut self.drawn[side], score.is_some_and(|score| score.abs() <= rule.score));
        }
        if let Some(rule) = referee.resign {
            count(&mut self.lost[side], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.won[side], score.is_some_and(|score| score >= rule.score));
        }
    }

    /// If the scores decide the game after this many full moves: the winner, `None` for a draw.
    fn outcome(&self, full_moves: u32, referee: &RefereeSpec) -> Option<Option<Color>> {
        if let Some(rule) = referee.resign {
            let wins = |side: &Color| self.won[*side] >= rule.moves && self.lost[!*side] >= rule.moves;
            if let Some(winner) = Color::ALL.into_iter().find(wins) {
                return Some(Some(winner));
            }
        }
        let is_drawn = referee
            .draw
            .is_some_and(|rule| full_moves >= rule.from_move && self.drawn.iter().all(|&count| count >= rule.moves));
        is_drawn.then_some(None)
    }
}
