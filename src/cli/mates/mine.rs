//! Finds mate problems in games: where the player found a mate, or a few moves earlier, the solver looks for the
//! shortest one. A problem is kept if it is proven that there is no shorter mate and no other first move mates as fast;
//! long mates are also kept with several first moves, or with a shorter mate not ruled out.

use super::problem::MateProblem;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::game_files;
use crate::cli::position_args::{self, FaultPrinter, InputError};
use crate::cli::values::number_in;
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, MateProgress, Options, Reporter, SearchResult, Searcher};
use chuhe_lab::training::archive::ArchiveReader;
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::player::HASH_MB;
use chuhe_study::tactics::bare_fen;
use clap::Args;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult, RecordFileError};

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

/// Finds problems and prints each as soon as it is found.
pub fn run(args: &MineArgs, out: &mut dyn Write) -> Result<(), ExerciseError> {
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
fn read_candidates(
    args: &MineArgs,
    rng: &mut StdRng,
    out: &mut dyn Write,
) -> Result<Vec<MateCandidate>, ExerciseError> {
    let mut candidates = Vec::new();
    for file in game_files::expand(&args.files, &["games"])? {
        if game_files::is_archive(&file)? {
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
        let (mut faults, mut count) = (FaultPrinter::of(&file), 0);
        for reading in source.games() {
            count += 1;
            if let Some(game) = faults.game(reading) {
                candidates.extend(candidate_of_record(&game, args, rng));
            }
        }
        if count == 0 {
            return Err(InputError::of_file(&file, RecordFileError::NoGame).into());
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
