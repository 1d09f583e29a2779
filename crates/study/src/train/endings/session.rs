//! An ending that is played out by the person against the program.

use super::ending::Ending;
use super::opponent::hardest_move;
use super::positions::{EndingSide, worth};
use crate::named_verdict::NamedVerdict;
use crate::reader::move_name;
use crate::review::default_notation;
use chuhe_engine::search::{Control, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use thiserror::Error;
use xiangqi::{IllegalMove, Move, Position, Rules, Verdict};

/// A draw that was held for so many moves is held.
const HELD_MOVES: u32 = 25;

/// Where the session stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndingState {
    On,
    /// Won, or held.
    Passed,
    /// The result was given away.
    Spoiled,
}

/// Why a move is not taken.
#[derive(Debug, Error)]
pub enum EndingError {
    #[error("{}", tr!("This ending is over."))]
    Over,
    #[error("{}", .0.localized())]
    IllegalMove(#[from] IllegalMove),
}

/// What has become of a move: the moves that were played, the person's and the reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingStep {
    pub moves: Vec<Move>,
    pub state: EndingState,
}

/// How a session ended.
#[derive(Clone, PartialEq, Debug)]
enum Outcome {
    /// By the rules.
    Verdict(NamedVerdict),
    Held,
    /// A move of the person gave the result away: it is a draw now, or lost.
    Fault {
        number: u32,
        before: Box<Position>,
        mv: Move,
        is_lost: bool,
    },
}

/// An ending that is played out. The person moves first.
#[derive(Clone, Debug)]
pub struct EndingSession {
    pub ending: Ending,
    pub side: EndingSide,
    pub level: u8,
    rules: Rules,
    start: Position,
    position: Position,
    /// The moves of the person.
    moves: u32,
    faults: u32,
    outcome: Option<Outcome>,
    state: EndingState,
}

impl EndingSession {
    /// A session from this position, in which the person is to move.
    pub fn new(ending: Ending, side: EndingSide, level: u8, start: Position) -> EndingSession {
        let (rules, position) = (Rules::default(), start.clone());
        let state = EndingState::On;
        EndingSession { ending, side, level, rules, start, position, moves: 0, faults: 0, outcome: None, state }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves that were played.
    pub fn line(&self) -> Vec<Move> {
        let moves = (0..self.position.history_len()).rev().map_while(|back| self.position.move_before(back));
        moves.map(|(mv, _)| mv).collect()
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn state(&self) -> EndingState {
        self.state
    }

    /// Whether it counts: it was passed, and no move was taken back.
    pub fn is_passed_cleanly(&self) -> bool {
        self.state == EndingState::Passed && self.faults == 0
    }

    /// The position in which the person gave the result away, and the move.
    pub fn fault(&self) -> Option<(&Position, Move)> {
        match &self.outcome {
            Some(Outcome::Fault { before, mv, .. }) => Some((before, *mv)),
            _ => None,
        }
    }

    /// Plays a move of the person, and the reply if the result still stands.
    pub fn play(
        &mut self,
        mv: Move,
        tables: &Tablebase,
        searcher: &mut Searcher,
        control: &Control,
    ) -> Result<EndingStep, EndingError> {
        if self.state != EndingState::On {
            return Err(EndingError::Over);
        }
        let before = Box::new(self.position.clone());
        self.position.play(mv)?;
        self.moves += 1;
        let mut moves = vec![mv];
        if !self.is_ended_by_rule() {
            let wanted = i32::from(self.side == EndingSide::Attack);
            // A table that is gone blames nobody.
            let result = tables.probe(&self.position).map_or(wanted, |result| -worth(result));
            if result < wanted {
                let (number, is_lost) = (self.moves, result < 0);
                self.end(EndingState::Spoiled, Outcome::Fault { number, before, mv, is_lost });
            } else if self.side == EndingSide::Defend && self.moves >= HELD_MOVES {
                self.end(EndingState::Passed, Outcome::Held);
            } else if let Some(reply) = hardest_move(&self.position, &self.rules, tables, searcher, control) {
                self.position.play_unchecked(reply);
                moves.push(reply);
                self.is_ended_by_rule();
            }
        }
        Ok(EndingStep { moves, state: self.state })
    }

    /// Goes on from before the move that gave the result away, which does not count as passed then.
    pub fn again(&mut self) -> bool {
        if self.state != EndingState::Spoiled {
            return false;
        }
        // The last move of the person, and the reply if that came.
        let person = self.side.color();
        let replies = usize::from(self.position.side() == person);
        (0..=replies).for_each(|_| self.position.undo());
        self.moves -= 1;
        self.faults += 1;
        (self.state, self.outcome) = (EndingState::On, None);
        true
    }

    fn end(&mut self, state: EndingState, outcome: Outcome) {
        (self.state, self.outcome) = (state, Some(outcome));
    }

    /// Whether the judge has ended the game; sets the outcome.
    fn is_ended_by_rule(&mut self) -> bool {
        let verdict: Verdict = self.rules.judge(&self.position);
        let Some(ending) = verdict.ending else { return false };
        let is_passed = match (self.side, ending.winner()) {
            (_, Some(winner)) => winner == self.side.color(),
            (side, None) => side == EndingSide::Defend,
        };
        let state = if is_passed { EndingState::Passed } else { EndingState::Spoiled };
        self.end(state, Outcome::Verdict(NamedVerdict::new(verdict, &self.position)));
        true
    }

    /// What there is to say, in the current language.
    pub fn sentence(&self) -> Option<String> {
        Some(match self.outcome.as_ref()? {
            Outcome::Verdict(verdict) => verdict.sentence(default_notation()),
            Outcome::Held => tr!("Held for {count} moves: a draw.", count = self.moves),
            Outcome::Fault { number, before, mv, is_lost } => {
                let mv = move_name(before, *mv);
                if *is_lost {
                    tr!("Move {number}, {mv}: from here it is lost.", number, mv)
                } else {
                    tr!("Move {number}, {mv}: from here it is a draw.", number, mv)
                }
            }
        })
    }
}
