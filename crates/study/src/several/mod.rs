//! The reviews of many games together: a summary by colour, phase and opening, and the costliest mistakes. One game is added
//! after the other, and nothing is kept of it but numbers. The summary is shown at a terminal, or by `page` in a browser, with the
//! games.

mod page;

pub use page::GamesPage;

use crate::book::opening_names::OpeningName;
use crate::player_names::{PlayerNames, player_of};
use crate::reader::{line_names, move_name, side_name};
use crate::review::{
    MAX_WIDTH, MoveQuality, Phase, Review, ReviewedMove, SideSummary, WIDE_LAYOUT_WIDTH, percent, phases, player_name,
};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::text_width::{pad_left, pad_right, truncate, wrap};
use chuhe_support::with_values;
use std::collections::HashMap;
use std::fmt::Write;
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, Position};
use xiangqi_draw::ColourMode;
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
    fn add(&mut self, side: &SideSummary) {
        self.moves += side.moves;
        self.marks.iter_mut().zip(side.marks).for_each(|(sum, count)| *sum += count);
        self.accuracy += side.accuracy.unwrap_or_default() * side.moves as f64;
        self.loss += side.loss.unwrap_or_default() * side.moves as f64;
    }

    /// Adds a game, seen from one side.
    fn add_game(&mut self, result: GameResult, side: Color) {
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

// The summary of many reviews.

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

with_values! {
    /// A move that cost much.
    #[derive(Clone, PartialEq, Debug)]
    pub struct CostlyMove {
        /// The index of the game in the summary.
        pub index: usize = index,
        pub place: GamePlace = place.clone(),
        /// The name of the player, if the game gives it.
        pub player: Option<String> = review.player(reviewed.side).map(str::to_string),
        /// From 1.
        pub ply: usize = before + 1,
        /// The full move number.
        pub number: u32 = reviewed.number,
        pub side: Color = reviewed.side,
        /// The position before the move.
        pub position: Position = position.clone(),
        pub mv: Move = reviewed.mv,
        pub mark: MoveQuality = mark,
        /// The chances of the side before and after the move.
        pub before: f64 = reviewed.before?.chance,
        pub after: f64 = reviewed.after?.chance,
        /// The first moves of the better line.
        pub better: Vec<Move> = reviewed.better_line.iter().take(BETTER_MOVES).copied().collect(),
        /// The position and the move: a mistake that is made in several games is one.
        repeated: (Key, Move) = (position.key(), reviewed.mv),
    }
    /// The move of a review that comes after so many; nothing if it was not bad.
    fn of(index: usize, place: &GamePlace, review: &Review, before: usize, position: &Position) -> Option<Self> as Some {
        let reviewed: &ReviewedMove = &review.moves[before];
        let mark = reviewed.mark.filter(|mark| mark.is_bad())?;
    }
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
        for (index, _, position) in review.moves_in_positions().filter(|(_, reviewed, _)| reviewed.side == side) {
            let Some(costly) = CostlyMove::of(self.all.games - 1, place, review, index, &position) else { continue };
            let least = self.costliest.get(MAX_COSTLY_MOVES - 1).map_or(0.0, CostlyMove::loss);
            let is_new = self.costliest.iter().all(|other| other.repeated != costly.repeated);
            if costly.loss() > least && is_new {
                let at = self.costliest.partition_point(|other| other.loss() >= costly.loss());
                self.costliest.insert(at, costly);
                self.costliest.truncate(MAX_COSTLY_MOVES);
            }
        }
    }

    /// What each row shows: all moves, those of a colour, and those of a phase that was reached.
    fn rows(&self) -> Vec<(String, &PlayTally)> {
        let all = [(tr!("all moves"), &self.all)].into_iter();
        let colours = Color::ALL.map(|color| (side_name(color).to_string(), &self.colours[color]));
        let phases = Phase::ALL.into_iter().zip(&self.phases).filter(|(_, tally)| tally.moves > 0);
        all.chain(colours).chain(phases.map(|(phase, tally)| (phase.phrase().to_string(), tally))).collect()
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

// The summary as text for terminals, within 100 columns or the terminal width.

/// The most openings shown.
const SHOWN_OPENINGS: usize = 8;
/// The most players shown.
const SHOWN_NAMES: usize = 8;
/// The column of the names of rows.
const LABEL_WIDTH: usize = 36;

impl GamesSummary {
    /// The summary as text.
    pub fn text(&self, ink: ColourMode, width: usize) -> String {
        let width = width.min(MAX_WIDTH);
        let mut text = format!("{}\n\n", wrap(&self.headline(), width));
        if self.all.games == 0 {
            return text.trim_end().to_string() + "\n";
        }
        if width >= TABLE_WIDTH {
            let _ = writeln!(text, "{}", ink.paint("1", &table_head()));
        }
        let row = |text: &mut String, label: &str, tally: &PlayTally| {
            let _ = writeln!(text, "{}", table_row(label, tally, width));
        };
        self.rows().iter().for_each(|(label, tally)| row(&mut text, label, tally));
        let openings = self.openings();
        text.push_str(if openings.is_empty() { "" } else { "\n" });
        for (name, tally) in openings.iter().take(SHOWN_OPENINGS) {
            row(&mut text, name.localized(), tally);
        }
        if let Some(more) = openings.len().checked_sub(SHOWN_OPENINGS).filter(|&more| more > 0) {
            let _ = writeln!(text, "{}", tr!("and {more} more openings", more));
        }
        let names = if self.person.is_everybody() { self.names.list(SHOWN_NAMES) } else { Vec::new() };
        text.push_str(if names.is_empty() { "" } else { "\n" });
        for (name, tally) in &names {
            row(&mut text, name, tally);
        }
        let _ = writeln!(text, "{}", tr!("accuracy at {nodes} nodes a position", nodes = self.mean_nodes()));
        if !self.costliest.is_empty() {
            let _ = writeln!(text, "\n{}", ink.paint("1", &tr!("The costliest mistakes")));
        }
        for costly in &self.costliest {
            let _ = writeln!(text, "{}", costly_move(costly, self.has_several_files, width));
        }
        if !names.is_empty() {
            let offer = tr!("--player NAME is about the games of one person.");
            let _ = writeln!(text, "\n{}", wrap(&offer, width));
        }
        text
    }

    /// How many games there are, and how they ended.
    fn headline(&self) -> String {
        let PlayTally { games, results: [wins, draws, losses], .. } = self.all;
        let share = self.all.share().map(percent).unwrap_or_default();
        let person = self.person.text();
        match (self.all.games, self.all.share(), self.person.is_everybody()) {
            (_, None, true) => tr!("games: {games}", games),
            (_, None, false) => tr!("{person}, games: {games}", person, games),
            (_, _, true) => {
                tr!("games: {games}; red wins {wins}, draws {draws}, black wins {losses}", games, wins, draws, losses)
            }
            (_, _, false) => tr!(
                "{person}, games: {games}; wins {wins}, draws {draws}, losses {losses}, {share} of the points",
                person,
                games,
                wins,
                draws,
                losses,
                share
            ),
        }
    }
}

/// The numbers of a row: games, wins, draws, losses, accuracy, loss, and the marks of bad moves.
fn numbers(tally: &PlayTally) -> [String; 9] {
    let [wins, draws, losses] = tally.results.map(|count| count.to_string());
    let [_, dubious, mistakes, blunders] = tally.marks.map(|count| count.to_string());
    let accuracy = tally.accuracy().map_or(String::from("–"), |accuracy| format!("{accuracy:.1}%"));
    let loss = tally.loss().map_or(String::from("–"), |loss| format!("{:.1}%", 100.0 * loss));
    [tally.games.to_string(), wins, draws, losses, accuracy, loss, dubious, mistakes, blunders]
}

/// The heads of these columns.
fn heads() -> [String; 9] {
    let [plus, equal, minus] = ["+", "=", "−"].map(String::from);
    let [dubious, mistake, blunder] = ["?!", "?", "??"].map(String::from);
    [tr!("games"), plus, equal, minus, tr!("accuracy"), tr!("lost"), dubious, mistake, blunder]
}

const COLUMN_WIDTHS: [usize; 9] = [6, 6, 6, 6, 10, 7, 6, 6, 6];
/// The width of a row.
const TABLE_WIDTH: usize = LABEL_WIDTH + 59;

fn table_head() -> String {
    line_of("", &heads())
}

fn line_of(label: &str, cells: &[String; 9]) -> String {
    let cells: String = cells.iter().zip(COLUMN_WIDTHS).map(|(cell, width)| pad_left(cell, width)).collect();
    pad_right(&truncate(label, LABEL_WIDTH), LABEL_WIDTH) + &cells
}

fn table_row(label: &str, tally: &PlayTally, width: usize) -> String {
    if width >= TABLE_WIDTH {
        return line_of(label, &numbers(tally));
    }
    let cells: Vec<String> =
        heads().into_iter().zip(numbers(tally)).map(|(head, number)| format!("{head} {number}")).collect();
    format!("{}\n{}", truncate(label, width), wrap(&format!("  {}", cells.join("  ")), width))
}

fn costly_move(costly: &CostlyMove, has_several_files: bool, width: usize) -> String {
    let dots = if costly.side == Color::Red { "." } else { "…" };
    let (mv, better) = (move_name(&costly.position, costly.mv), line_names(&costly.position, &costly.better));
    let line = format!(
        "{} {:>4}{dots} {mv}{}  {} {} → {}  {} {}",
        pad_right(&costly.place.text(has_several_files), 9),
        costly.number,
        costly.mark.sign(),
        costly.player.as_deref().map_or_else(|| side_name(costly.side).to_string(), player_name),
        percent(costly.before),
        percent(costly.after),
        tr!("better:"),
        better.join(" "),
    );
    if width >= WIDE_LAYOUT_WIDTH { truncate(&line, width) } else { wrap(&line, width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_sides_are_counted() {
        let mut game = Game::from_moves(&Position::start(), []).expect("a game");
        game.set_tag("Red", "Li");
        game.set_tag("Black", "Li");
        let mut names = RecurringNames::default();
        names.add(&game);
        assert_eq!(names.text(3), "Li (2)");
    }
}
