//! `chuhe book show`: the moves of a book in a position, as a table. `chuhe book line`: the tree of a book, or the
//! lines that lead to its leaves.

use super::BookError;
use crate::cli::position_args::PositionArgs;
use chuhe_study::book::{Book, BookMove, EMBEDDED_BOOK_NAME, MirrorKey, leaf_lines, opening_names, weight_percent};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_support::language::tr;
use chuhe_support::text_width::{pad_left, pad_right};
use clap::Args;
use serde_json::json;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use xiangqi::Position;
use xiangqi_record::notation::{self, Notation};

/// Arguments of `show`.
#[derive(Args, Debug, Clone)]
pub struct BookShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The book
    #[arg(long, value_name = "FILE", default_value = EMBEDDED_BOOK_NAME)]
    book: PathBuf,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the moves of a position.
pub fn run(args: &BookShowArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let position = args.position.position()?;
    let book = chuhe_study::book::open_book(&args.book)?;
    let moves = book.moves(&position)?;
    if args.json { write_json(&position, &moves, out) } else { write_text(&position, &moves, out) }
}

fn write_text(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), BookError> {
    if let Some(name) = opening_names::name_of_game(position) {
        writeln!(out, "{}", name.bilingual())?;
    }
    if moves.is_empty() {
        writeln!(out, "{}", tr!("the book does not know this position"))?;
        return Ok(());
    }
    writeln!(
        out,
        "{}  {}  {} {}   {}",
        pad_right(&tr!("move"), 16),
        pad_left(&tr!("weight"), 8),
        pad_left(&tr!("share"), 6),
        pad_left(&tr!("score"), 7),
        tr!("won/drawn/lost")
    )?;
    for entry in moves {
        let chinese = move_in(position, entry.mv, chosen_notation().unwrap_or(Notation::Chinese));
        let score = entry.score.map_or("-".to_string(), |score| format!("{score:+}"));
        let games = entry.games;
        let games = match games.count() {
            0 => "-".to_string(),
            _ => format!("{}/{}/{}", games.won, games.drawn, games.lost),
        };
        let share = weight_percent(entry, moves);
        let name = opening_names::name_after(position, entry.mv)
            .map_or(String::new(), |name| format!("  {}", name.bilingual()));
        let line =
            format!("{chinese}  {}  {:>8}  {share:>4.1} %  {score:>6}   {games:<14}{name}", entry.mv, entry.weight);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn write_json(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), BookError> {
    let name = |name: Option<opening_names::OpeningName>| {
        name.map(|name| json!({"chinese": name.chinese, "english": name.english}))
    };
    let one = |entry: &BookMove| {
        json!({
            "move": entry.mv.to_string(),
            "chinese": notation::format(position, entry.mv, Notation::Chinese),
            "weight": entry.weight,
            "share": weight_percent(entry, moves) / 100.0,
            "score": entry.score,
            "won": entry.games.won,
            "drawn": entry.games.drawn,
            "lost": entry.games.lost,
            "opening": name(opening_names::name_after(position, entry.mv)),
        })
    };
    let answer = json!({
        "fen": position.fen(),
        "key": format!("{:016x}", MirrorKey::of(position).key),
        "opening": name(opening_names::name_of_game(position)),
        "moves": moves.iter().map(one).collect::<Vec<_>>(),
    });
    writeln!(out, "{answer}")?;
    Ok(())
}

/// Arguments of `line`.
#[derive(Args, Debug, Clone)]
pub struct LineArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The book
    #[arg(long, value_name = "FILE", default_value = EMBEDDED_BOOK_NAME)]
    book: PathBuf,
    /// Plies to follow
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: usize,
    /// Moves that are known but not to be played, too
    #[arg(long)]
    all: bool,
    /// Instead of the tree, the moves to each of its leaves on a line, as the arena's --openings takes them
    #[arg(long, conflicts_with_all = ["all", "words", "fen", "moves", "number", "ply"])]
    leaves: bool,
}

/// Prints the tree or the lines.
pub fn run_line(args: &LineArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let book = chuhe_study::book::open_book(&args.book)?;
    if args.leaves {
        for line in leaf_lines(&*book, args.depth, usize::MAX)? {
            let words: Vec<String> = line.iter().map(|mv| mv.to_string()).collect();
            writeln!(out, "{}", words.join(" "))?;
        }
        return Ok(());
    }
    let mut position = args.position.position()?;
    let mut seen = HashSet::new();
    print_branch(args, &*book, &mut position, 0, &mut seen, out)
}

/// Prints what follows from a position; a position that was printed before is only named.
fn print_branch(
    args: &LineArgs,
    book: &dyn Book,
    position: &mut Position,
    depth: usize,
    seen: &mut HashSet<u64>,
    out: &mut dyn Write,
) -> Result<(), BookError> {
    if depth >= args.depth {
        return Ok(());
    }
    let mut shown = HashSet::new();
    let folded = MirrorKey::of(position);
    for entry in book.moves(position)? {
        if entry.weight == 0 && !args.all || !shown.insert(folded.to_book_move(entry.mv)) {
            continue;
        }
        let chinese = move_in(position, entry.mv, chosen_notation().unwrap_or(Notation::Chinese));
        position.play_unchecked(entry.mv);
        let name =
            opening_names::name_of_position(position).map_or(String::new(), |name| format!("  {}", name.chinese));
        let score = entry.score.map_or(String::new(), |score| format!("  {score:+}"));
        let again = !seen.insert(MirrorKey::of(position).key);
        let mark = if again && !book.moves(position)?.is_empty() { "  …" } else { "" };
        let indent = "  ".repeat(depth);
        writeln!(out, "{indent}{chinese} {}  {}{score}{name}{mark}", entry.mv, entry.weight)?;
        if !again {
            print_branch(args, book, position, depth + 1, seen, out)?;
        }
        position.undo();
    }
    Ok(())
}
