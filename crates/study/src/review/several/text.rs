//! The summary of many games as terminal text, within 100 columns or the terminal width.

use super::{CostlyMove, GamesSummary, Phase, PlayTally};
use crate::reader::{line_names, move_name};
use crate::review::phrases::{percent, player_name, side_name};
use crate::review::text::{MAX_WIDTH, WIDE_LAYOUT_WIDTH};
use chuhe_support::language::tr;
use chuhe_support::text_width::{pad_left, pad_right, truncate, wrap};
use std::fmt::Write;
use xiangqi::Color;
use xiangqi_draw::ColourMode;

/// The most openings shown.
const MAX_OPENINGS: usize = 8;
/// The most players shown.
const MAX_NAMES: usize = 8;
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
        row(&mut text, &tr!("all moves"), &self.all);
        for color in Color::ALL {
            row(&mut text, &side_name(color).to_string(), &self.colours[color]);
        }
        for (phase, tally) in Phase::ALL.into_iter().zip(&self.phases).filter(|(_, tally)| tally.moves > 0) {
            row(&mut text, &phase.name().to_string(), tally);
        }
        let openings = self.openings();
        text.push_str(if openings.is_empty() { "" } else { "\n" });
        for (name, tally) in openings.iter().take(MAX_OPENINGS) {
            row(&mut text, name.localized(), tally);
        }
        if let Some(more) = openings.len().checked_sub(MAX_OPENINGS).filter(|&more| more > 0) {
            let _ = writeln!(text, "{}", tr!("and {more} more openings", more));
        }
        let names = if self.person.is_everybody() { self.names.list(MAX_NAMES) } else { Vec::new() };
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
    pub(super) fn headline(&self) -> String {
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
pub(super) fn numbers(tally: &PlayTally) -> [String; 9] {
    let [wins, draws, losses] = tally.results.map(|count| count.to_string());
    let [_, dubious, mistakes, blunders] = tally.marks.map(|count| count.to_string());
    let accuracy = tally.accuracy().map_or(String::from("–"), |accuracy| format!("{accuracy:.1}%"));
    let loss = tally.loss().map_or(String::from("–"), |loss| format!("{:.1}%", 100.0 * loss));
    [tally.games.to_string(), wins, draws, losses, accuracy, loss, dubious, mistakes, blunders]
}

/// The heads of these columns.
pub(super) fn heads() -> [String; 9] {
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
