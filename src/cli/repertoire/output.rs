//! A repertoire as lines for people and as JSON.

use chuhe_study::book::opening_names;
use chuhe_study::reader::line_names;
use chuhe_study::repertoire::{OpeningCounts, Repertoire};
use serde_json::{Value, json};
use std::io::{self, Write};
use xiangqi::{Move, Position};
use xiangqi_record::{Notation, notation};

/// The moves of a line from the start position with their numbers.
pub fn numbered(line: &[Move]) -> String {
    let names = line_names(&Position::start(), line);
    let word =
        |(ply, name): (usize, &String)| if ply % 2 == 0 { format!("{}. {name}", ply / 2 + 1) } else { name.clone() };
    names.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// The last move of a line; the first one of a text always has its number.
fn last_move(line: &[Move], is_first: bool) -> String {
    let name = line_names(&Position::start(), line).pop().unwrap_or_default();
    let number = line.len().div_ceil(2);
    match (line.len() % 2, is_first) {
        (1, _) => format!("{number}. {name}"),
        (_, true) => format!("{number}... {name}"),
        (_, false) => name,
    }
}

/// Writes the lines: what follows without a choice on one line, alternatives below each other. With counts it says in how
/// many games an answer came. A line that ends with … goes on elsewhere.
pub fn write_lines(repertoire: &Repertoire, counts: Option<&OpeningCounts>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    // Of each ply of the current line how far its text is indented, and how many moves there are.
    let (mut depths, mut choices): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    repertoire.walk(&mut |place| {
        let ply = place.line.len();
        depths.truncate(ply);
        choices.truncate(ply);
        let is_choice = choices.last().is_some_and(|&moves| moves > 1);
        let depth = depths.last().map_or(0, |depth| depth + usize::from(is_choice && ply > 1));
        depths.push(depth);
        choices.push(place.moves.len());
        let Some(&mv) = place.line.last() else { return };
        let begins = is_choice || ply == 1;
        match (begins, text.is_empty()) {
            (true, true) => {}
            (true, false) => text += &format!("\n{}", "  ".repeat(depth)),
            (false, _) => text.push(' '),
        }
        text += &last_move(place.line, begins);
        if let (Some(counts), true) = (counts, repertoire.is_mine(place.position)) {
            let mut before = place.position.clone();
            before.undo();
            text += &format!(" ({})", counts.of_move(&before, mv).games);
        }
        if place.is_known && !place.moves.is_empty() {
            text += " …";
        }
    });
    writeln!(out, "{text}")
}

/// The repertoire as an object: each position once, with its moves.
pub fn repertoire_json(repertoire: &Repertoire, counts: Option<&OpeningCounts>) -> Value {
    let mut positions = Vec::new();
    repertoire.walk(&mut |place| {
        if place.is_known || place.moves.is_empty() {
            return;
        }
        let moves = place.moves.iter().map(|&mv| {
            let mut object = json!({
                "move": mv.to_string(),
                "chinese": notation::format(place.position, mv, Notation::Chinese),
            });
            if let Some(counts) = counts {
                let tally = counts.of_move(place.position, mv);
                object["games"] = json!(tally.games);
                object["score"] = json!(tally.score(place.position.side()));
            }
            object
        });
        let name = opening_names::name_of_game(place.position);
        positions.push(json!({
            "line": place.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "fen": place.position.fen(),
            "mine": repertoire.is_mine(place.position),
            "opening": name.map(|name| name.english),
            "moves": moves.collect::<Vec<_>>(),
        }));
    });
    json!({"colour": repertoire.colour().to_string(), "positions": positions})
}
