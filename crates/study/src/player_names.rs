//! The names of the players of games.

use chuhe_support::language::tr;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::Game;

/// The name of a player of a game, if the game gives it.
pub fn player_of(game: &Game, color: Color) -> Option<&str> {
    let names = if color == Color::Red { ["Red", "White"] } else { ["Black", "Black"] };
    names.iter().find_map(|name| game.tag(name)).map(str::trim).filter(|name| !matches!(*name, "" | "?"))
}

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
    }
}
