//! The person whose games are summarised, the names that recur in games, and how well somebody played.

use crate::review::{Review, SideSummary, player_of};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use std::collections::HashMap;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::{Game, GameResult};

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

/// So many different names are counted; those that come later are not.
const MAX_NAMES: usize = 10_000;

/// A name without a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("expected a name"))]
pub struct PlayerNamesError;

/// The names of one person. A player has one of them if its words stand in his name side by side: capitals, blanks and signs
/// do not matter, nor does what stands before or after, such as a team.
#[derive(Clone, Debug, Default)]
pub struct PlayerNames {
    names: Vec<String>,
    words: Vec<Vec<String>>,
}

impl PlayerNames {
    pub fn new(names: &[String]) -> Result<PlayerNames, PlayerNamesError> {
        let words: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
        if words.iter().any(Vec::is_empty) {
            return Err(PlayerNamesError);
        }
        Ok(PlayerNames { names: names.iter().map(|name| name.trim().to_string()).collect(), words })
    }

    /// Whether no person was chosen: then everybody is meant.
    pub fn is_everybody(&self) -> bool {
        self.words.is_empty()
    }

    /// The names, as they were given.
    pub fn text(&self) -> String {
        self.names.join(" / ")
    }

    /// The sides of a game that the person played; both if everybody is meant.
    pub fn sides(&self, game: &Game) -> Vec<Color> {
        let is_chosen = |&color: &Color| player_of(game, color).is_some_and(|name| self.include(name));
        Color::ALL.into_iter().filter(|color| self.is_everybody() || is_chosen(color)).collect()
    }

    /// Whether a name is one of the person.
    pub fn include(&self, name: &str) -> bool {
        let there = words(name);
        self.words.iter().any(|wanted| there.windows(wanted.len()).any(|part| part == wanted))
    }
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The games of each name.
#[derive(Default)]
pub struct RecurringNames(HashMap<String, PlayTally>);

impl RecurringNames {
    /// Counts a game for both players.
    pub fn add(&mut self, game: &Game) {
        for (color, name) in Color::ALL.into_iter().filter_map(|color| Some((color, player_of(game, color)?))) {
            if self.0.len() < MAX_NAMES || self.0.contains_key(name) {
                self.0.entry(name.to_string()).or_default().add_game(game.result, color);
            }
        }
    }

    /// Counts a game and how well both played.
    pub fn add_review(&mut self, review: &Review) {
        self.add(&review.game);
        for color in Color::ALL {
            if let Some(tally) = review.player(color).and_then(|name| self.0.get_mut(name)) {
                tally.add(review.side(color));
            }
        }
    }

    /// The names that stand in more than one game, the most frequent first: at most so many.
    pub fn list(&self, most: usize) -> Vec<(&str, &PlayTally)> {
        let mut names: Vec<(&str, &PlayTally)> =
            self.0.iter().map(|(name, tally)| (name.as_str(), tally)).filter(|(_, tally)| tally.games > 1).collect();
        names.order_by_key(|&(name, tally)| (std::cmp::Reverse(tally.games), name));
        names.truncate(most);
        names
    }

    /// The same as `Wang Jialiang (12), 王嘉良 (3)`; empty if no name recurs.
    pub fn text(&self, most: usize) -> String {
        let names = self.list(most).into_iter().map(|(name, tally)| format!("{name} ({})", tally.games));
        names.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Position;

    #[test]
    fn names_of_a_person_match_by_whole_words() {
        let person = PlayerNames::new(&["王嘉良".to_string(), "Wang Jialiang".to_string()]).expect("names");
        for (name, wanted) in [
            ("王嘉良", true),
            ("黑龙江 王嘉良", true),
            ("WANG, Jialiang (CHN)", true),
            ("Wang  Jialiang", true),
            ("王嘉", false),
            ("Jialiang Wang", false),
            ("Wang Jialiangs", false),
            ("", false),
        ] {
            assert_eq!(person.include(name), wanted, "{name}");
        }
        assert_eq!(PlayerNames::new(&["?!".to_string()]).map(drop), Err(PlayerNamesError));
    }

    #[test]
    fn sides_are_those_of_the_person_or_both() {
        let mut game = Game::from_moves(&Position::start(), []).expect("a game");
        game.set_tag("Red", "Li");
        let person = PlayerNames::new(&["li".to_string()]).expect("a name");
        assert_eq!(person.sides(&game), [Color::Red]);
        assert_eq!(PlayerNames::default().sides(&game), Color::ALL);
        game.set_tag("Black", "Li");
        assert_eq!(person.sides(&game), Color::ALL);
        let mut names = RecurringNames::default();
        names.add(&game);
        assert_eq!(names.text(3), "Li (2)");
    }
}
