//! How well somebody played.

use crate::review::SideSummary;
use xiangqi::Color;
use xiangqi_record::GameResult;

/// How well some moves were played, and how their games ended.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct PlayTally {
    pub games: usize,
    /// The games that were won, drawn and lost; those without a result are in none of these.
    pub results: [usize; 3],
    /// The moves that could be judged.
    pub moves: usize,
    /// How many moves have each quality, in the order of `MoveQuality::ALL`.
    pub marks: [usize; 4],
    /// Sums over the moves.
    accuracy: f64,
    loss: f64,
}

impl PlayTally {
    /// Adds the moves of a side.
    pub(super) fn add(&mut self, side: &SideSummary) {
        self.moves += side.moves;
        self.marks.iter_mut().zip(side.marks).for_each(|(sum, count)| *sum += count);
        self.accuracy += side.accuracy.unwrap_or_default() * side.moves as f64;
        self.loss += side.loss.unwrap_or_default() * side.moves as f64;
    }

    /// Adds a game, seen from one side.
    pub(super) fn add_game(&mut self, result: GameResult, side: Color) {
        self.games += 1;
        let index = match (result, side) {
            (GameResult::RedWins, Color::Red) | (GameResult::BlackWins, Color::Black) => 0,
            (GameResult::Draw, _) => 1,
            (GameResult::Unknown, _) => return,
            _ => 2,
        };
        self.results[index] += 1;
    }

    /// The accuracy, 0 to 100: of each game, by its moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / self.moves as f64)
    }

    /// The mean loss of expected result of a move.
    pub fn loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss / self.moves as f64)
    }

    /// The part of the points that was won, of the games that have a result.
    pub fn share(&self) -> Option<f64> {
        let [wins, draws, losses] = self.results;
        let games = wins + draws + losses;
        (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64)
    }
}
