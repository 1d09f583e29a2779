//! `chuhe mates`: mate problems, mined from games, and solved to measure how well the engine finds mates; `check` checks
//! compositions.

mod check;

use super::error::{CliError, cli_error};
use super::games::{self, GameSelection};
use super::position_args::{self, FaultPrinter};
use super::values::number_in;
use chuhe_engine::score;
use chuhe_engine::search::{Bound, Control, Info, Limits, MateProgress, Options, Reporter, SearchResult, Searcher};
use chuhe_lab::training::archive::ArchiveReader;
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::player::HASH_MB;
use chuhe_study::tactics::bare_fen;
use chuhe_support::files::{At, MAX_INPUT_SIZE, read_input};
use clap::{Args, Subcommand};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult, decode};

pub const EXAMPLES: &str = "\
Examples:
  chuhe mates check problems.pgn               are compositions sound? solution, duals, all defences
  chuhe mates mine run/*.games > mates.txt     find problems in games of 'chuhe learn play'
  chuhe mates solve mates.txt                  how many does 'go mate' find, and how many the plain search?

A problem is a line: moves to mate (<=N if a shorter mate is not ruled out); position; the only first move that mates
so soon, or nothing if there may be several. Lines that begin with # are passed over.";

#[derive(Subcommand)]
pub enum MatesCommand {
    /// Check compositions: is the win proven, the first move the only one, the solution the shortest? With all defences
    Check(Box<check::CheckArgs>),
    /// Find problems of mate to measure engines with: each a proven shortest mate. Exercises for people: `tactics mine`
    Mine(MineArgs),
    /// Solve a file of problems, each with an empty hash table, and count the solved ones
    Solve(SolveArgs),
}

/// Checks, mines or solves problems; `sanitized` writes lines that may quote foreign text. The exit code says whether
/// compositions are sound.
pub fn run(command: &MatesCommand, out: &mut dyn Write, sanitized: &mut dyn Write) -> Result<ExitCode, CliError> {
    match command {
        MatesCommand::Check(args) => return check::run(args, out),
        MatesCommand::Mine(args) => mine(args, sanitized)?,
        MatesCommand::Solve(args) => solve_all(args, sanitized)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A mate in this number of moves.
struct MateProblem {
    /// Moves of the side to move.
    moves: u32,
    /// It is proven that there is no shorter mate. Otherwise the number is written `<=N`.
    is_shortest: bool,
    position: Position,
    /// The only first move that mates as fast, as written in the file; empty if there are several.
    key_move: String,
}

impl fmt::Display for MateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.is_shortest { "" } else { "<=" };
        write!(f, "{bound}{};{};{}", self.moves, self.position.fen(), self.key_move)
    }
}

/// Reads a file of problems.
fn read_problems(file: &Path) -> Result<Vec<MateProblem>, CliError> {
    let begins_well = |head: &[u8]| {
        let whole = head.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        whole > 0 && parse(file, &head[..whole]).is_ok()
    };
    parse(file, &read_input(file, MAX_INPUT_SIZE, begins_well).at(file)?)
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Vec<MateProblem>, CliError> {
    // Decoded like games: an editor may have added a byte order mark, or comments in another encoding.
    let text = decode(bytes);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| {
            let file = file.display().to_string();
            let mut fields = text.split(';').map(str::trim);
            let number = fields.next().unwrap_or_default();
            let (number, is_shortest) = number.strip_prefix("<=").map_or((number, true), |number| (number, false));
            let moves = number.parse().ok().filter(|&moves| moves > 0);
            let (Some(moves), Some(fen)) = (moves, fields.next()) else {
                return Err(cli_error!("{file}, line {line}: expected 'moves; position; first move'", file, line));
            };
            let position = Position::from_fen(fen)
                .map_err(|source| cli_error!("{file}, line {line}: {source}", file, line, source))?;
            Ok(MateProblem { moves, is_shortest, position, key_move: fields.next().unwrap_or_default().to_string() })
        })
        .collect()
}

/// Arguments of `chuhe mates mine`.
#[derive(Args)]
pub struct MineArgs {
    /// Files of games in any format, those of `learn play` among them, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// N problems of each length, a third each with few pieces, with more, and with many
    #[arg(long, value_name = "N", default_value_t = 12)]
    each: usize,
    /// No mates in fewer moves
    #[arg(long, value_name = "MOVES", default_value_t = 1, value_parser = number_in::<u32>(1..=100))]
    shortest: u32,
    /// No mates in more moves
    #[arg(long, value_name = "MOVES", default_value_t = 15, value_parser = number_in::<u32>(1..=100))]
    longest: u32,
    /// Up to this length the mate must be the shortest, and only one first move may lead to it
    #[arg(long, value_name = "MOVES", default_value_t = 6)]
    strict: u32,
    /// Nodes for each question, times the moves of the mate that is expected
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = HASH_MB)]
    hash: usize,
    /// The seed of the order of games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Upper bounds of the piece count of the first two classes of problems.
const PIECE_COUNT_CLASSES: [usize; 2] = [11, 18];

/// A position of a game with a mate that is likely to be this long. The problem does not include the game's history.
struct MateCandidate {
    fen: String,
    moves: u32,
}

/// Finds problems and prints each as soon as it is found: where the player found a mate, or a few moves earlier, the solver
/// looks for the shortest one. A problem is kept if it is proven that there is no shorter mate and no other first move mates
/// as fast; long mates are also kept with several first moves, or with a shorter mate not ruled out.
fn mine(args: &MineArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let mut rng = StdRng::seed_from_u64(args.seed);
    let mut candidates = read_candidates(args, &mut rng, out)?;
    candidates.shuffle(&mut rng);
    let mut searcher = Searcher::new(Options::default(), args.hash)?;
    let mut kept: HashMap<(u32, usize), usize> = HashMap::new();
    let mut seen = HashSet::new();
    for MateCandidate { fen, moves } in candidates {
        let Ok(position) = Position::from_fen(&fen) else { continue };
        let class = piece_class(&position);
        let wanted = |moves: u32, kept: &HashMap<(u32, usize), usize>| {
            (args.shortest..=args.longest).contains(&moves)
                && kept.get(&(moves, class)).is_none_or(|&count| count < args.each.div_ceil(3))
        };
        if !wanted(moves, &kept) || !seen.insert(position.key()) {
            continue;
        }
        let nodes = args.nodes * u64::from(moves);
        let limits = Limits { mate: Some(args.longest), ..Limits::nodes(nodes) };
        let (outcome, search) = ask(&mut searcher, &position, &limits);
        let Some(MateProgress { found: Some(moves), ruled_out, .. }) = search else { continue };
        let is_long = moves > args.strict;
        let is_shortest = ruled_out + 1 >= moves;
        if !wanted(moves, &kept) || !is_shortest && !is_long {
            continue;
        }
        let Some(best) = outcome.best_move else { continue };
        let is_only = is_shortest && is_only_move(&mut searcher, &position, best, moves, nodes);
        if is_only || is_long {
            *kept.entry((moves, class)).or_default() += 1;
            let key = if is_only { best.to_string() } else { String::new() };
            writeln!(out, "{}", MateProblem { moves, is_shortest, position, key_move: key })?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The candidates of all files.
fn read_candidates(args: &MineArgs, rng: &mut StdRng, out: &mut dyn Write) -> Result<Vec<MateCandidate>, CliError> {
    let mut candidates = Vec::new();
    for file in games::files(&args.files)? {
        if games::is_archive(&file)? {
            let files = [file];
            let mut reader = ArchiveReader::of(&files);
            for game in &mut reader {
                candidates.extend(candidate(&game?, rng));
            }
            if reader.damaged_bytes > 0 {
                // A comment line, which readers of problems skip.
                writeln!(out, "# {} bytes of the files hold no sound games", reader.damaged_bytes)?;
            }
            continue;
        }
        let source = position_args::open(&file)?;
        let mut faults = FaultPrinter::of(&file);
        for (_, reading) in GameSelection::All.games_of(&source, &file)? {
            let game = faults.game(reading);
            candidates.extend(game.and_then(|game| candidate_of_record(&game, args, rng)));
        }
    }
    Ok(candidates)
}

/// The class by the number of pieces.
fn piece_class(position: &Position) -> usize {
    let pieces: usize = Color::ALL.into_iter().map(|color| position.pieces(color).count()).sum();
    PIECE_COUNT_CLASSES.iter().filter(|&&limit| pieces > limit).count()
}

/// A position of a game with a mate that its player found, or was about to find.
fn candidate(game: &SelfplayGame, rng: &mut StdRng) -> Option<MateCandidate> {
    let mates: Vec<(usize, u32)> = game
        .plies
        .iter()
        .enumerate()
        .filter_map(|(index, ply)| {
            let plies = score::mate_plies(ply.score).filter(|&plies| plies > 0)?;
            Some((index, (plies as u32).div_ceil(2)))
        })
        .collect();
    let &(index, moves) = mates.choose(rng)?;
    // Positions before the mate was found have the longest mates.
    let earlier = if index == mates[0].0 { rng.random_range(0..4) } else { 0 };
    let at = index.checked_sub(2 * earlier)?;
    let mut position = game.start.clone();
    for ply in &game.plies[..at] {
        position.play(ply.mv).ok()?;
    }
    Some(MateCandidate { fen: bare_fen(&position), moves: moves + earlier as u32 })
}

/// The position of a record some moves before its end, if the game was won. Where it ends with the mate its length is
/// known; where the loser resigned it is a guess.
fn candidate_of_record(game: &Game, args: &MineArgs, rng: &mut StdRng) -> Option<MateCandidate> {
    let mut position = game.start().clone();
    for mv in game.moves() {
        position.play(mv).ok()?;
    }
    let is_mate = !position.has_legal_move();
    let winner = match game.result {
        _ if is_mate => !position.side(),
        GameResult::RedWins => Color::Red,
        GameResult::BlackWins => Color::Black,
        GameResult::Draw | GameResult::Unknown => return None,
    };
    let moves = rng.random_range(args.shortest..=args.longest.max(args.shortest));
    let before = if is_mate { 2 * moves as usize - 1 } else { usize::from(position.side() != winner) };
    for _ in 0..before {
        if position.history_len() == 0 {
            return None;
        }
        position.undo();
    }
    Some(MateCandidate { fen: bare_fen(&position), moves })
}

/// Records what the solver reports about the mate.
#[derive(Default)]
struct MateListener {
    search: Option<MateProgress>,
}

impl Reporter for MateListener {
    fn mate_progress(&mut self, search: &MateProgress) {
        self.search = Some(*search);
    }
}

fn ask(searcher: &mut Searcher, position: &Position, limits: &Limits) -> (SearchResult, Option<MateProgress>) {
    searcher.new_game();
    let mut listener = MateListener::default();
    let outcome = searcher.search(position, limits, &Control::new(false), &mut listener);
    (outcome, listener.search)
}

/// Whether every other first move takes longer.
fn is_only_move(searcher: &mut Searcher, position: &Position, best: Move, moves: u32, nodes: u64) -> bool {
    if position.count_legal() == 1 {
        return true;
    }
    let limits = Limits { mate: Some(moves), excluded_moves: vec![best], ..Limits::nodes(nodes) };
    ask(searcher, position, &limits).1.is_some_and(|search| search.ruled_out >= moves)
}

/// Arguments of `chuhe mates solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// A file of problems, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Nodes for each problem and each way to solve it
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = HASH_MB)]
    hash: usize,
    /// Name the problems that were not solved
    #[arg(long)]
    missed: bool,
}

/// How many problems were solved, and with how many nodes.
#[derive(Clone, Copy, Default)]
struct SolveCount {
    found: u32,
    exact: u32,
    nodes: u64,
}

/// Records when a short enough mate was first reported.
struct SolveListener {
    moves: u32,
    found: Option<u32>,
    first: u64,
}

impl Reporter for SolveListener {
    fn info(&mut self, info: &Info) {
        let moves = score::mate_plies(info.score).filter(|&plies| plies > 0).map(|plies| plies as u32 / 2 + 1);
        if let Some(moves) = moves.filter(|&moves| moves <= self.moves)
            && info.bound == Bound::Exact
        {
            if self.found.is_none() {
                self.first = info.nodes;
            }
            self.found = Some(moves);
        }
    }
}

/// Solves every problem both ways, and prints a table by length.
fn solve_all(args: &SolveArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let problems = read_problems(&args.file)?;
    let mut searcher = Searcher::new(Options::default(), args.hash)?;
    let mut table: BTreeMap<u32, (u32, [SolveCount; 2])> = BTreeMap::new();
    for problem in &problems {
        let (total, counts) = table.entry(problem.moves).or_default();
        *total += 1;
        for (count, mate) in counts.iter_mut().zip([Some(problem.moves), None]) {
            let solved = solve(&mut searcher, problem, Limits { mate, ..Limits::nodes(args.nodes) });
            let way = if mate.is_some() { "go mate" } else { "search" };
            match solved {
                None if args.missed => writeln!(out, "missed by {way}: {problem}")?,
                None => {}
                Some((nodes, exact)) => {
                    count.found += 1;
                    count.exact += u32::from(exact);
                    count.nodes += nodes;
                }
            }
        }
    }
    writeln!(out, "moves  problems  go mate  shortest      nodes   search  shortest      nodes")?;
    let mut row = |name: &str, total: u32, counts: &[SolveCount; 2]| {
        write!(out, "{name:>5}  {total:>8}")?;
        for count in counts {
            let nodes = count.nodes / u64::from(count.found.max(1));
            write!(out, "  {:>7}  {:>8}  {nodes:>9}", count.found, count.exact)?;
        }
        writeln!(out)
    };
    let (mut sum, mut sums) = (0, [SolveCount::default(); 2]);
    for (moves, (total, counts)) in &table {
        row(&moves.to_string(), *total, counts)?;
        sum += total;
        for (all, count) in sums.iter_mut().zip(counts) {
            all.found += count.found;
            all.exact += count.exact;
            all.nodes += count.nodes;
        }
    }
    row("all", sum, &sums)?;
    Ok(())
}

/// The nodes at which a mate of at most the problem's length was found, and whether the final result has exactly that
/// length, where that is known to be the shortest.
fn solve(searcher: &mut Searcher, problem: &MateProblem, limits: Limits) -> Option<(u64, bool)> {
    searcher.new_game();
    let mut listener = SolveListener { moves: problem.moves, found: None, first: 0 };
    searcher.search(&problem.position, &limits, &Control::new(false), &mut listener);
    let exact = listener.found? == problem.moves || !problem.is_shortest;
    Some((listener.first, exact))
}
