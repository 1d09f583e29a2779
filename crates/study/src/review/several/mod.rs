//! The reviews of many games together: a summary by colour, phase and opening, and the costliest mistakes. One game is added
//! after the other, and nothing is kept of it but numbers; `text` shows the summary at a terminal, `page` in a browser, with
//! the games.

mod page;
mod text;

pub use page::GamesPage;

use crate::book::opening_names::OpeningName;
use crate::review::{MoveQuality, Review, SideSummary, player_of};
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::small_sort::SmallSort;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, Position};
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

// The summary of many reviews, also by the phases of games.

/// The opening ends after this ply.
const OPENING_PLIES: usize = 20;
/// An ending has no more rooks, horses and cannons than these, of both sides together.
const ENDGAME_PIECES: usize = 4;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub fn name(self) -> Phrase {
        match self {
            Phase::Opening => phrase!("opening"),
            Phase::Middlegame => phrase!("middlegame"),
            Phase::Endgame => phrase!("endgame"),
        }
    }

    /// The phase of a position, `ply` moves after the beginning of a game.
    fn of(position: &Position, ply: usize, has_opening: bool) -> Phase {
        if Color::ALL.into_iter().map(|color| position.major_count(color)).sum::<usize>() <= ENDGAME_PIECES {
            Phase::Endgame
        } else if has_opening && ply < OPENING_PLIES {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

/// The phase of each move of a game. A game from a position that was set up has no opening.
pub fn phases(game: &Game) -> Vec<Phase> {
    let mut position = game.start().clone();
    let has_opening = position.key() == Position::start().key();
    let phase = |(ply, mv)| {
        let phase = Phase::of(&position, ply, has_opening);
        position.play_unchecked(mv);
        phase
    };
    game.moves().enumerate().map(phase).collect()
}

/// So many mistakes are kept.
const MAX_COSTLY_MOVES: usize = 10;

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlace {
    /// The file, as it is shown.
    pub file: String,
    /// The number in it, from 1.
    pub number: usize,
}

impl GamePlace {
    /// `game 3`, and the name of its file if there are several.
    pub fn text(&self, has_several_files: bool) -> String {
        let game = tr!("game {number}", number = self.number);
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        if has_several_files { format!("{name} {game}") } else { game }
    }
}

/// A move that cost much.
#[derive(Clone, PartialEq, Debug)]
pub struct CostlyMove {
    /// The index of the game in the summary.
    pub index: usize,
    pub place: GamePlace,
    /// The name of the player, if the game gives it.
    pub player: Option<String>,
    /// From 1.
    pub ply: usize,
    /// The full move number.
    pub number: u32,
    pub side: Color,
    /// The position before the move.
    pub position: Position,
    pub mv: Move,
    pub mark: MoveQuality,
    /// The chances of the side before and after the move.
    pub before: f64,
    pub after: f64,
    /// The first moves of the better line.
    pub better: Vec<Move>,
    /// The position and the move: a mistake that is made in several games is one.
    repeated: (Key, Move),
}

impl CostlyMove {
    pub fn loss(&self) -> f64 {
        self.before - self.after
    }
}

/// The summary of many games: of one person's moves, or of everybody's.
#[derive(Default)]
pub struct GamesSummary {
    pub person: PlayerNames,
    pub names: RecurringNames,
    /// The results are those of the person, or red's.
    pub all: PlayTally,
    /// Indexed by colour.
    pub colours: [PlayTally; 2],
    /// In the order of `Phase::ALL`; games that reached the phase, with their results.
    pub phases: [PlayTally; 3],
    openings: HashMap<OpeningName, PlayTally>,
    /// The worst one first.
    pub costliest: Vec<CostlyMove>,
    nodes: u64,
    /// The file of the first game, and whether another one came after it.
    first_file: Option<String>,
    pub has_several_files: bool,
}

/// The first moves of a better line that are kept.
const BETTER_MOVES: usize = 4;

impl GamesSummary {
    pub fn new(person: PlayerNames) -> GamesSummary {
        GamesSummary { person, ..GamesSummary::default() }
    }

    /// Adds the review of a game.
    pub fn add(&mut self, place: &GamePlace, review: &Review) {
        let sides = self.person.sides(&review.game);
        let Some(&view) = sides.first() else { return };
        self.names.add_review(review);
        self.nodes += review.mean_nodes();
        let first_file = self.first_file.get_or_insert_with(|| place.file.clone());
        self.has_several_files |= *first_file != place.file;
        let phases = phases(&review.game);
        let result = review.game.result;
        self.all.add_game(result, view);
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            if phases.contains(&phase) {
                self.phases[index].add_game(result, view);
            }
        }
        let opening = review.opening.map(|opening| opening.name);
        if let Some(opening) = opening {
            self.openings.entry(opening).or_default().add_game(result, view);
        }
        for side in sides {
            let summary = review.side(side);
            self.all.add(summary);
            self.colours[side].add_game(result, side);
            self.colours[side].add(summary);
            if let Some(tally) = opening.and_then(|opening| self.openings.get_mut(&opening)) {
                tally.add(summary);
            }
            for (index, phase) in Phase::ALL.into_iter().enumerate() {
                let is_in_phase = |ply: usize| phases[ply] == phase;
                self.phases[index].add(&SideSummary::of_moves(&review.moves, &review.positions, |ply, reviewed| {
                    reviewed.side == side && is_in_phase(ply)
                }));
            }
            self.add_costly_moves(place, review, side);
        }
    }

    fn add_costly_moves(&mut self, place: &GamePlace, review: &Review, side: Color) {
        let mut position = review.game.start().clone();
        for (index, reviewed) in review.moves.iter().enumerate() {
            let least = self.costliest.get(MAX_COSTLY_MOVES - 1).map_or(0.0, CostlyMove::loss);
            if let (Some(mark), Some(before), Some(after)) = (reviewed.mark, reviewed.before, reviewed.after)
                && mark.is_bad()
                && reviewed.side == side
                && before.chance - after.chance > least
                && self.costliest.iter().all(|other| other.repeated != (position.key(), reviewed.mv))
            {
                let better = &reviewed.better_line[..reviewed.better_line.len().min(BETTER_MOVES)];
                let costly = CostlyMove {
                    index: self.all.games - 1,
                    place: place.clone(),
                    player: review.player(side).map(str::to_string),
                    ply: index + 1,
                    number: reviewed.number,
                    side,
                    position: position.clone(),
                    mv: reviewed.mv,
                    mark,
                    before: before.chance,
                    after: after.chance,
                    better: better.to_vec(),
                    repeated: (position.key(), reviewed.mv),
                };
                let at = self.costliest.partition_point(|other| other.loss() >= costly.loss());
                self.costliest.insert(at, costly);
                self.costliest.truncate(MAX_COSTLY_MOVES);
            }
            position.play_unchecked(reviewed.mv);
        }
    }

    /// The openings, the most frequent first.
    pub fn openings(&self) -> Vec<(OpeningName, &PlayTally)> {
        let mut openings: Vec<_> = self.openings.iter().map(|(&name, tally)| (name, tally)).collect();
        openings.order_by_key(|(name, tally)| (std::cmp::Reverse(tally.games), name.english));
        openings
    }

    /// The nodes of a position on average.
    pub fn mean_nodes(&self) -> u64 {
        self.nodes / self.all.games.max(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi_record::PositionSpec;

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

    fn phases_of(text: &str) -> Vec<Phase> {
        let setup = PositionSpec::parse(text);
        let start = setup.start_position(false).expect("a position");
        let moves = setup.play_moves(&mut start.clone(), xiangqi_record::RankBase::Zero).expect("moves");
        phases(&Game::from_moves(&start, moves).expect("a game"))
    }

    #[test]
    fn opening_has_twenty_plies_and_an_ending_few_pieces() {
        let back_and_forth = "h2e2 h7e7 e2h2 e7h7 ".repeat(6);
        let found = phases_of(&format!("startpos moves {back_and_forth}"));
        assert_eq!((found.len(), found[19], found[20]), (24, Phase::Opening, Phase::Middlegame));
        // Black's cannon takes the fifth of them.
        let found = phases_of("2rk5/9/4n4/9/9/9/2C6/9/4K4/R1R6 w moves a0b0 c9c3 b0b3");
        assert_eq!(found, [Phase::Middlegame, Phase::Middlegame, Phase::Endgame]);
    }
}
