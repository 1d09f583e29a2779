//! `chuhe book`: shows and checks opening books; `make` makes and converts them.

mod make;

use super::error::CliError;
use super::position_args::PositionArgs;
use super::values::group_digits;
use chuhe_study::book::{
    Book, BookMove, EMBEDDED_BOOK_NAME, MirrorKey, leaf_lines, open_book, opening_names, walk, weight_percent,
};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_support::language::tr;
use chuhe_support::text_width::{pad_left, pad_right};
use clap::{Args, Subcommand};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use xiangqi::{Move, Position};
use xiangqi_record::notation::{self, Notation};

const EXAMPLES: &str = "\
Examples:
  chuhe book show                    what the engine's own book plays first
  chuhe book show h2e2 h9g7          … and after these moves
  chuhe book line --depth 4          its tree
  chuhe book show --book BOOK.DAT    another book, as the option bookfiles takes it
  chuhe book convert BOOK.DAT my.chb
  chuhe book import games.pgn --out my.chb --plies 30
  chuhe book merge own my.chb --out both.chb
  chuhe book check my.chb
  chuhe book make --out my.chb --positions 5000
                                     grow a book by searching; the same command continues it
Wherever a book is asked for, own is the one inside the program.";

/// Arguments of `chuhe book`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug, Clone)]
enum BookCommand {
    /// Show what a book plays in a position
    Show(BookShowArgs),
    /// Print the tree of a book, or the lines to its leaves as openings for the arena
    Line(LineArgs),
    /// Check every move of a book; exit code 1 if something is wrong
    Check(CheckArgs),
    /// Convert a book to the format that the file name says: .chb (Chuhe), .dat (BOOK.DAT)
    Convert(make::BookConvertArgs),
    /// Put several books into one
    Merge(make::BookMergeArgs),
    /// Make a book out of games
    Import(make::ImportArgs),
    /// Grow a book by searching, on all cores; the same command continues after an interruption
    Make(make::MakeArgs),
}

/// Dispatches the subcommands of `chuhe book`.
pub fn run(args: &BookArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match &args.command {
        BookCommand::Show(args) => show(args, out)?,
        BookCommand::Line(args) => print_lines(args, out)?,
        BookCommand::Check(args) => return check(args, out),
        BookCommand::Convert(args) => make::convert(args, out)?,
        BookCommand::Merge(args) => make::merge(args, out)?,
        BookCommand::Import(args) => return make::import(args, out),
        BookCommand::Make(args) => make::run(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Arguments of `show`.
#[derive(Args, Debug, Clone)]
struct BookShowArgs {
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
fn show(args: &BookShowArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let position = args.position.position()?;
    let book = open_book(&args.book)?;
    let moves = book.moves(&position)?;
    if args.json { write_json(&position, &moves, out) } else { write_text(&position, &moves, out) }
}

fn write_text(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), CliError> {
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

fn write_json(position: &Position, moves: &[BookMove], out: &mut dyn Write) -> Result<(), CliError> {
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
struct LineArgs {
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
fn print_lines(args: &LineArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let book = open_book(&args.book)?;
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
) -> Result<(), CliError> {
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

/// Arguments of `check`.
#[derive(Args, Debug, Clone)]
struct CheckArgs {
    /// The books
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
}

/// The problems found in a book.
#[derive(Default)]
struct BookProblems {
    illegal: u64,
    asymmetric: u64,
}

/// Checks; exit code 1 if a move is illegal, or differs in the mirrored position.
fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let mut code = ExitCode::SUCCESS;
    for path in &args.books {
        let book = open_book(path)?;
        let mut found = BookProblems::default();
        let mut failure = None;
        let walked = walk(&*book, &Position::start(), &mut |position, _| {
            failure = found.check_position(&*book, position).err();
            failure.is_none()
        })?;
        failure.map_or(Ok(()), Err)?;
        let missed = book.entries().saturating_sub(walked.moves);
        let text = tr!(
            "'{path}': {kind}, {all} moves; from the start {moves} moves of {positions} positions can be reached, \
                 {plies} plies deep, {missed} moves cannot",
            path = path.display(),
            kind = book.kind(),
            all = group_digits(book.entries()),
            moves = group_digits(walked.moves),
            positions = group_digits(walked.positions),
            plies = walked.plies,
            missed = group_digits(missed)
        );
        writeln!(out, "{text}")?;
        if found.illegal + found.asymmetric > 0 {
            let BookProblems { illegal, asymmetric: lopsided } = found;
            let text = tr!(
                "{illegal} moves are illegal; {lopsided} positions have other moves in the mirror",
                illegal,
                lopsided
            );
            writeln!(out, "{text}")?;
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

impl BookProblems {
    fn check_position(&mut self, book: &dyn Book, position: &Position) -> Result<(), CliError> {
        let legal = position.legal_moves();
        let here = book.raw_moves(position)?;
        self.illegal += here.iter().filter(|entry| !legal.contains(&entry.mv)).count() as u64;
        let there = book.raw_moves(&position.mirrored())?;
        let here: BTreeSet<(Move, u32)> = here.iter().map(|entry| (entry.mv, entry.weight)).collect();
        let there: BTreeSet<(Move, u32)> = there.iter().map(|entry| (entry.mv.mirror(), entry.weight)).collect();
        self.asymmetric += u64::from(here != there);
        Ok(())
    }
}
