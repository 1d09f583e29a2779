//! `chuhe book show`: what a book plays in a position, as a table.

use super::error::BookError;
use crate::cli::position::PositionArgs;
use chuhe_engine::board::Position;
use chuhe_engine::language::{Language, tr};
use chuhe_toolkit::book::{BookMove, EMBEDDED, Folded, names, percent};
use chuhe_toolkit::record::notation::{self, Notation};
use chuhe_toolkit::text::{padded, padded_left};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// What `show` is told.
#[derive(Args, Debug, Clone)]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The book
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    book: PathBuf,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

/// Shows.
pub fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let position = args.position.position()?;
    let book = chuhe_toolkit::book::open(&args.book)?;
    let moves = book.moves(&position)?;
    if args.json { write_json(&position, &moves, out) } else { write_text(&position, &moves, out) }
}

/// A name as the reader calls it, with the Chinese one before those of others.
fn shown(name: names::Name) -> String {
    let is_chinese = Language::of_reader() == Language::CHINESE;
    if is_chinese { name.chinese.to_string() } else { format!("{} {}", name.chinese, name.english) }
}

fn write_text(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), BookError> {
    if let Some(name) = names::of_game(position) {
        writeln!(out, "{}", shown(name))?;
    }
    if moves.is_empty() {
        writeln!(out, "{}", tr!("the book does not know this position"))?;
        return Ok(());
    }
    writeln!(
        out,
        "{}  {}  {} {}   {}",
        padded(&tr!("move"), 16),
        padded_left(&tr!("weight"), 8),
        padded_left(&tr!("share"), 6),
        padded_left(&tr!("score"), 7),
        tr!("won/drawn/lost")
    )?;
    for entry in moves {
        let chinese = notation::write(position, entry.mv, Notation::Chinese);
        let score = entry.score.map_or("-".to_string(), |score| format!("{score:+}"));
        let games = entry.games;
        let games = match games.count() {
            0 => "-".to_string(),
            _ => format!("{}/{}/{}", games.won, games.drawn, games.lost),
        };
        let share = percent(entry, moves);
        let name =
            names::after(position, entry.mv).map_or(String::new(), |name| format!("  {}", shown(name)));
        let line = format!(
            "{chinese}  {}  {:>8}  {share:>4.1} %  {score:>6}   {games:<14}{name}",
            entry.mv, entry.weight
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn write_json(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), BookError> {
    let name = |name: Option<names::Name>| {
        name.map(|name| json!({"chinese": name.chinese, "english": name.english}))
    };
    let one = |entry: &BookMove| {
        json!({
            "move": entry.mv.to_string(),
            "chinese": notation::write(position, entry.mv, Notation::Chinese),
            "weight": entry.weight,
            "share": percent(entry, moves) / 100.0,
            "score": entry.score,
            "won": entry.games.won,
            "drawn": entry.games.drawn,
            "lost": entry.games.lost,
            "opening": name(names::after(position, entry.mv)),
        })
    };
    let answer = json!({
        "fen": position.fen(),
        "key": format!("{:016x}", Folded::of(position).key),
        "opening": name(names::of_game(position)),
        "moves": moves.iter().map(one).collect::<Vec<_>>(),
    });
    writeln!(out, "{answer}")?;
    Ok(())
}
