//! The answer as a table for people, as JSON and as CSV.

use crate::cli::values::group_digits;
use chuhe_study::book::opening_names::{self, OpeningName};
use chuhe_study::explorer::{Answer, FoundGame, Tally};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_study::review::player_name;
use chuhe_support::language::{Language, tr};
use chuhe_support::text_width::{pad_left, pad_right};
use std::io::{self, Write};
use xiangqi::{Color, Position};
use xiangqi_record::{GameResult, Notation};

/// How the answer is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    Text,
    Json,
    Csv,
}

/// The columns of the bar of results.
const BAR_WIDTH: usize = 24;

/// Writes the answer; `is_filtered` says that not all games were asked for.
pub fn write(
    position: &Position,
    answer: &Answer,
    format: OutputFormat,
    notation: Option<Notation>,
    is_filtered: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Json => writeln!(out, "{}", answer.to_json(position)),
        OutputFormat::Csv => write_csv(position, answer, out),
        OutputFormat::Text => write_text(position, answer, notation, is_filtered, out),
    }
}

fn write_csv(position: &Position, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "move,games,red,draws,black,score,last")?;
    for entry in &answer.moves {
        let Tally { games, red, draws, black, last } = entry.tally;
        let score = entry.tally.score(position.side()).map_or(String::new(), |score| format!("{score:.4}"));
        writeln!(out, "{},{games},{red},{draws},{black},{score},{last}", entry.mv)?;
    }
    Ok(())
}

/// The shares of a tally in percent, which add up to 100 but for rounding.
fn percent(tally: &Tally) -> [f64; 3] {
    let decided = (tally.red + tally.draws + tally.black).max(1) as f64;
    [tally.red, tally.draws, tally.black].map(|count| 100.0 * count as f64 / decided)
}

/// Red's share, the draws' and black's as a bar.
fn bar(tally: &Tally) -> String {
    let [red, draws, black] = percent(tally);
    if red + draws + black == 0.0 {
        return " ".repeat(BAR_WIDTH);
    }
    let columns = |percent: f64| (percent / 100.0 * BAR_WIDTH as f64).round() as usize;
    let red = columns(red);
    let draws = columns(100.0 - black).max(red) - red;
    format!("{}{}{}", "█".repeat(red), "▒".repeat(draws), "░".repeat(BAR_WIDTH - red - draws))
}

fn write_text(
    position: &Position,
    answer: &Answer,
    wanted: Option<Notation>,
    is_filtered: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = wanted.or(chosen_notation()).unwrap_or(Language::choose(Notation::Chinese, Notation::Uci));
    if let Some(name) = opening_names::name_of_game(position) {
        writeln!(out, "{}", name.bilingual())?;
    }
    let [red, draws, black] = percent(&answer.all).map(|percent| format!("{percent:.0}"));
    let games = group_digits(answer.all.games);
    if answer.all.games == 0 {
        let text = if is_filtered {
            tr!("no game of those that were asked for reached this position")
        } else {
            tr!("no game reached this position")
        };
        return writeln!(out, "{text}");
    }
    writeln!(
        out,
        "{}",
        tr!("{games} games: red won {red} %, drawn {draws} %, black won {black} %", games, red, draws, black)
    )?;
    if answer.moves.is_empty() {
        return writeln!(out, "{}", tr!("all games ended here"));
    }
    let score = if position.side() == Color::Red { tr!("red's score") } else { tr!("black's score") };
    writeln!(
        out,
        "{} {} {}  {} {}  {}",
        pad_right(&tr!("move"), 10),
        pad_left(&tr!("games"), 10),
        pad_left(&tr!("share"), 8),
        pad_right(&tr!("red / drawn / black"), BAR_WIDTH),
        pad_left(&score, 14),
        tr!("last")
    )?;
    for entry in &answer.moves {
        let tally = &entry.tally;
        let share = format!("{:.1} %", 100.0 * tally.games as f64 / answer.all.games.max(1) as f64);
        let score = tally.score(position.side()).map_or("-".to_string(), |score| format!("{:.1} %", 100.0 * score));
        let name = opening_names::name_after(position, entry.mv).map_or(String::new(), OpeningName::bilingual);
        let line = format!(
            "{} {} {}  {} {}  {:<10}  {name}",
            pad_right(&move_in(position, entry.mv, notation), 10),
            pad_left(&group_digits(tally.games), 10),
            pad_left(&share, 8),
            bar(tally),
            pad_left(&score, 14),
            tally.last.to_string(),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    answer.games.iter().try_for_each(|game| write_game(position, game, notation, out))
}

fn write_game(position: &Position, game: &FoundGame, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    let name = |name: &str| if name.is_empty() { "?".to_string() } else { player_name(name) };
    let mv = game.mv.map_or(String::new(), |mv| move_in(position, mv, notation));
    let (red, black) = (name(&game.facts.red), name(&game.facts.black));
    let result = match game.facts.result {
        GameResult::Unknown => "*",
        known => known.token(),
    };
    let line = format!(
        "{:<10}  {red} – {black}  {result}  {mv}  {}",
        game.facts.date.to_string(),
        tr!("{file}, game {number}", file = game.source, number = game.number)
    );
    writeln!(out, "{}", line.trim_end())
}
