//! `chuhe book`: shows and checks opening books; `make` makes and converts them.

use super::error::{CliError, cli_error};
use super::output::OverwriteArgs;
use super::position_args::{self, FaultPrinter, PositionArgs};
use super::values::{group_digits, number_in, parse_hours, thread_count};
use chuhe_lab::book_builder::{self, BuildPlan, BuildProgress, Graph, Journal, extract_book};
use chuhe_study::book::{
    self, Book, BookFormat, BookMove, EMBEDDED_BOOK_NAME, GameImporter, MemoryBook, MirrorKey, collect_reachable,
    leaf_lines, open_book, opening_names, walk, weight_percent,
};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use chuhe_support::text_width::{pad_left, pad_right};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use xiangqi::{Move, Position};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

pub const EXAMPLES: &str = "\
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

#[derive(Subcommand, Debug, Clone)]
pub enum BookCommand {
    /// Show what a book plays in a position
    Show(BookShowArgs),
    /// Print the tree of a book, or the lines to its leaves as openings for the arena
    Line(LineArgs),
    /// Check every move of a book; exit code 1 if something is wrong
    Check(CheckArgs),
    /// Convert a book to the format that the file name says: .chb (Chuhe), .dat (BOOK.DAT)
    Convert(BookConvertArgs),
    /// Put several books into one
    Merge(BookMergeArgs),
    /// Make a book out of games
    Import(ImportArgs),
    /// Grow a book by searching, on all cores; the same command continues after an interruption
    Make(MakeArgs),
}

/// Dispatches the subcommands of `chuhe book`.
pub fn run(command: &BookCommand, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match command {
        BookCommand::Show(args) => show(args, out)?,
        BookCommand::Line(args) => print_lines(args, out)?,
        BookCommand::Check(args) => return check(args, out),
        BookCommand::Convert(args) => convert(args, out)?,
        BookCommand::Merge(args) => merge(args, out)?,
        BookCommand::Import(args) => return import(args, out),
        BookCommand::Make(args) => make(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

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
pub struct CheckArgs {
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

/// Arguments of `convert`.
#[derive(Args, Debug, Clone)]
pub struct BookConvertArgs {
    /// The book there is
    from: PathBuf,
    /// The book to make of it
    to: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub struct BookMergeArgs {
    /// The books; where they disagree, the one with more games behind a position counts, or else the first
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
    /// The book to make of them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Converts a book.
pub fn convert(args: &BookConvertArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let format = BookFormat::from_path(&args.to)?;
    let over = OverwritePolicy::IfMarked(b"converted from ").or_force(args.over.force);
    over.check(&args.to)?;
    let pages = read_reachable(&args.from, out)?;
    write_and_report(&args.to, over, &pages, format, &format!("converted from {}", name(&args.from)), out)
}

/// Merges books.
pub fn merge(args: &BookMergeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let format = BookFormat::from_path(&args.out)?;
    let over = OverwritePolicy::IfMarked(b"merged from ").or_force(args.over.force);
    over.check(&args.out)?;
    let mut all = MemoryBook::default();
    for path in &args.books {
        all.merge(&read_reachable(path, out)?);
    }
    let names: Vec<String> = args.books.iter().map(|path| name(path)).collect();
    write_and_report(&args.out, over, &all, format, &format!("merged from {}", names.join(", ")), out)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a book and prints how large it is.
fn write_and_report(
    path: &Path,
    over: OverwritePolicy,
    pages: &MemoryBook,
    format: BookFormat,
    note: &str,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let bytes = book::write_book(path, over, pages, format, note)?;
    let moves: usize = pages.positions.values().map(|moves| moves.len()).sum();
    let text = tr!(
        "{positions} positions, {moves} moves, {bytes} bytes in '{path}'",
        positions = group_digits(pages.len() as u64),
        moves = group_digits(moves as u64),
        bytes = group_digits(bytes as u64),
        path = path.display()
    );
    writeln!(out, "{text}")?;
    Ok(())
}

/// The positions reachable in a book; entries that cannot be reached are reported.
fn read_reachable(path: &Path, out: &mut dyn Write) -> Result<MemoryBook, CliError> {
    let book = book::open_book(path)?;
    let turned = collect_reachable(&*book)?;
    let missed = book.entries().saturating_sub(turned.walked.moves);
    if missed > 0 {
        let text = tr!(
            "'{path}': {missed} of {all} moves cannot be reached from the start position and are left out",
            path = path.display(),
            missed = group_digits(missed),
            all = group_digits(book.entries())
        );
        writeln!(out, "{text}")?;
    }
    Ok(turned.pages)
}

/// Arguments of `import`.
#[derive(Args, Debug, Clone)]
pub struct ImportArgs {
    /// Files of games in any format that `chuhe convert` reads; - is standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The book to make of them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies taken from each game
    #[arg(long, value_name = "N", default_value_t = 40)]
    plies: usize,
    /// Leave shorter games out, counted in plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    shortest: usize,
    /// Games with this result only; may be given several times
    #[arg(long, value_name = "RESULT")]
    result: Vec<ResultFilter>,
    /// Games in which both players have at least this rating
    #[arg(long, value_name = "N")]
    rating: Option<u32>,
    /// Leave out moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    often: u64,
    #[command(flatten)]
    over: OverwriteArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum ResultFilter {
    Red,
    Black,
    Draw,
}

/// Imports; exit code 1 if part of the games was unreadable.
pub fn import(args: &ImportArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let format = BookFormat::from_path(&args.out)?;
    let over = OverwritePolicy::IfMarked(b"imported from ").or_force(args.over.force);
    over.check(&args.out)?;
    let result = |wanted: &ResultFilter| match wanted {
        ResultFilter::Red => GameResult::RedWins,
        ResultFilter::Black => GameResult::BlackWins,
        ResultFilter::Draw => GameResult::Draw,
    };
    let import = GameImporter {
        plies: args.plies,
        min_plies: args.shortest,
        results: args.result.iter().map(result).collect(),
        min_rating: args.rating,
        min_count: args.often,
    };
    let mut pages = MemoryBook::default();
    let (mut taken, mut left_out, mut lost) = (0u64, 0u64, false);
    for path in &args.games {
        let source = position_args::open(path)?;
        let mut printer = FaultPrinter::of(path);
        for game in source.games().filter_map(|reading| printer.game(reading)) {
            let is_taken = import.add(&game, &mut pages);
            *if is_taken { &mut taken } else { &mut left_out } += 1;
        }
        lost |= printer.has_printed();
    }
    if taken == 0 {
        return Err(cli_error!("no game in these files that begins at the start position and fits what was asked for"));
    }
    import.finish_weights(&mut pages);
    let (taken, left_out) = (group_digits(taken), group_digits(left_out));
    writeln!(out, "{}", tr!("{taken} games taken, {left_out} left out", taken, left_out))?;
    write_and_report(&args.out, over, &pages, format, &format!("imported from {taken} games"), out)?;
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// How often progress is reported on a terminal; elsewhere less often.
const TERMINAL_REPORT_INTERVAL: Duration = Duration::from_secs(1);
const FILE_REPORT_INTERVAL: Duration = Duration::from_secs(60);
/// Part of the note of every book that this command made.
const NOTE_MARKER: &str = " book make: ";

/// Arguments of `make`.
#[derive(Args, Debug, Clone)]
pub struct MakeArgs {
    /// The book to write; beside it, with .journal behind the name, every search is stored
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions that the book is to have
    #[arg(long, value_name = "N", default_value_t = 5000)]
    positions: usize,
    /// Nodes of the search that gets to know a position's moves
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = number_in::<u64>(1..))]
    survey: u64,
    /// Nodes of the search that proves a position's best move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = number_in::<u64>(1..))]
    proof: u64,
    /// Moves of each position to get to know
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number_in::<u8>(1..=40))]
    lines: u8,
    /// Searches at a time [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Stop after N hours
    #[arg(long, value_name = "H", value_parser = parse_hours)]
    hours: Option<Duration>,
    /// Leave the named systems out, as far as the search does not find them by itself
    #[arg(long)]
    nameless: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Makes a book.
pub fn make(args: &MakeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    // Checks before hours of work whether the file may be written.
    let over = OverwritePolicy::IfMarked(NOTE_MARKER.as_bytes()).or_force(args.over.force);
    over.check(&args.out)?;
    let systems: Vec<_> = opening_names::named_openings().iter().map(|system| system.moves.clone()).collect();
    let mut graph = Graph::new(if args.nameless { &[] } else { &systems });
    let mut name = args.out.clone().into_os_string();
    name.push(".journal");
    let (mut journal, findings) = Journal::open(name.as_ref())?;
    for finding in &findings {
        if let Err(error) = graph.add(finding) {
            log::warn!("{}: {error}", finding.fen);
        }
    }
    if !findings.is_empty() {
        let searches = group_digits(findings.len() as u64);
        writeln!(out, "{}", tr!("continuing after {searches} searches", searches))?;
    }
    let plan =
        BuildPlan { positions: args.positions, survey: args.survey, proof: args.proof, lines: usize::from(args.lines) };
    let threads = thread_count(args.threads.map(usize::from));
    let mut reporter = ProgressReporter::new(args);
    let result = book_builder::run(&mut graph, &mut journal, plan, threads, &mut |progress| reporter.report(progress));
    drop(reporter);
    // Even an interrupted make leaves a usable book.
    let pages = extract_book(&graph);
    let note = format!(
        "chuhe {}{NOTE_MARKER}{} positions, proofs of {} nodes",
        env!("CARGO_PKG_VERSION"),
        pages.len(),
        args.proof
    );
    write_and_report(&args.out, over, &pages, BookFormat::Chuhe, &note, out)?;
    Ok(result?)
}

/// Prints progress, and decides when to stop.
struct ProgressReporter {
    begun: Instant,
    last_report: Instant,
    interval: Duration,
    bar: ProgressDisplay,
    deadline: Option<Instant>,
    wanted: usize,
}

impl ProgressReporter {
    fn new(args: &MakeArgs) -> ProgressReporter {
        let begun = Instant::now();
        let bar = ProgressDisplay::new(args.positions as u64);
        let interval = if bar.is_shown() { TERMINAL_REPORT_INTERVAL } else { FILE_REPORT_INTERVAL };
        let deadline = args.hours.and_then(|time| begun.checked_add(time));
        ProgressReporter { begun, last_report: begun, interval, bar, deadline, wanted: args.positions }
    }

    /// Prints the progress; false if the work must stop.
    fn report(&mut self, progress: &BuildProgress) -> bool {
        if self.last_report.elapsed() >= self.interval {
            self.last_report = Instant::now();
            let seconds = self.begun.elapsed().as_secs_f64();
            let text = tr!(
                "{done} of {wanted} positions, {proofs} proofs; {searches} searches, {speed} nodes a second",
                done = group_digits(progress.positions as u64),
                wanted = group_digits(self.wanted as u64),
                proofs = group_digits(progress.proofs as u64),
                searches = group_digits(progress.searches as u64),
                speed = group_digits((progress.nodes as f64 / seconds.max(1e-9)) as u64)
            );
            if self.bar.is_shown() {
                self.bar.set(progress.proofs.min(self.wanted) as u64, &text);
            } else {
                eprintln!("{text}");
            }
        }
        self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }
}
