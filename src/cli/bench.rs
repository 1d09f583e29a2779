//! `chuhe bench`: a fixed set of searches. The node count is the signature of the search, the speed that of this machine.
//! The nodes of each thread to a fixed depth show what more threads would bring on a machine with a processor for each of
//! them. With `--selfplay`: fast games that verify the rules, for builds with assertions.

use super::values::{group_digits, number_in, worded};
use crate::bench::{self, BenchSearch, PositionSet, SIGNATURE_DEPTH, SIGNATURE_HASH_MB};
use chuhe_engine::score::hundredths;
use chuhe_engine::search::{Options, Searcher};
use chuhe_lab::arena::engine::{Engine, ProcessRegistry};
use chuhe_lab::arena::game::{self, EndCause, GameOutcome};
use chuhe_lab::arena::openings::{RandomOpeningGenerator, RandomOpeningSettings};
use chuhe_lab::arena::spec::{Budget, EngineSource, EngineSpec, InProcessSpec, RefereeSpec};
use chuhe_lab::arena::tournament::TournamentError;
use chuhe_support::messages::Localize;
use clap::Args;
use serde_json::json;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use xiangqi::{Color, RuleSet, Rules};

const EXAMPLES: &str = "\
Examples:
  chuhe bench                      the signature
  chuhe bench 14 --threads 2       deeper, on two threads (the count then varies)
  chuhe bench --threads 8 --depth 20 --positions 12
                                   what each of eight threads does to come so deep, whatever
                                   the number of processors: a measure of what more of them bring
  chuhe bench --games              late positions, with the games that led to them
  chuhe bench --selfplay 100       fast games, each checked against the rules; exit code 1 if one fails
  chuhe bench --json               for scripts";

/// The most characters of moves that the list shows.
const LONGEST_MOVES: usize = 80;

/// Arguments of `chuhe bench`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// How deep to search each position [default: 11]
    #[arg(value_name = "PLIES", value_parser = number_in::<u32>(1..=60))]
    plies: Option<u32>,
    /// The same by name
    #[arg(long, value_name = "PLIES", conflicts_with = "plies", value_parser = number_in::<u32>(1..=60))]
    depth: Option<u32>,
    /// Search only N of the positions, spread over the list
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=u16::MAX))]
    positions: Option<u16>,
    /// Search late positions of games, with the moves that led to them, in place of those of the signature
    #[arg(long)]
    games: bool,
    /// Play fast games instead, 200 or so many, and check each against the rules. None is kept: see `arena --pgn`, `learn play`
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "200",
        conflicts_with_all = ["plies", "depth", "positions", "games", "threads", "hash", "json"])]
    selfplay: Option<usize>,
    #[command(flatten)]
    games_played: SelfplayArgs,
    /// How many threads
    #[arg(long, default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    threads: u16,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = SIGNATURE_HASH_MB)]
    hash: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Searches every position with an empty transposition table and prints nodes, time and speed.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(games) = args.selfplay {
        return Ok(play_games(&args.games_played, games, out)?);
    }
    let options = Options { threads: usize::from(args.threads), ..Options::default() };
    let mut searcher = Searcher::new(options, args.hash).map_err(|error| error.localized())?;
    let depth = args.plies.or(args.depth).unwrap_or(SIGNATURE_DEPTH);
    let set = if args.games { PositionSet::Games } else { PositionSet::Signature };
    let positions = bench::positions(set, args.positions.map(usize::from));
    let mut per_thread = Vec::with_capacity(positions.len());
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    bench::search_all(&mut searcher, positions, depth, |search| {
        let BenchSearch { number, position, result, time: taken } = search;
        time += taken;
        nodes += result.nodes;
        per_thread.push(result.nodes / u64::from(args.threads));
        log::debug!("position {}: {} nodes, score {}", number + 1, result.nodes, result.score);
        if !args.json {
            let best = result.best_move.map_or_else(|| "none".to_string(), |mv| mv.to_string());
            let (score, nodes) = (hundredths(result.score), group_digits(result.nodes));
            let position = shown(position);
            writeln!(out, "{:>3}  {best}  {score:>7}  {nodes:>12} nodes  {position}", number + 1)?;
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    log::info!("{nodes} nodes in {time:.3?}");
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    if args.json {
        let (threads, hash) = (args.threads, args.hash);
        let millis = time.as_millis() as u64;
        let answer = json!({
            "nodes": nodes, "time_ms": millis, "nps": speed, "depth": depth, "threads": threads, "hash": hash,
            "nodes_per_thread": nodes / u64::from(threads), "per_thread_by_position": per_thread
        });
        writeln!(out, "{answer}")?;
    } else {
        // Test frameworks look at the last line.
        writeln!(out, "\n{} nodes per thread", nodes / u64::from(args.threads))?;
        writeln!(out, "{:.3} s\n{nodes} nodes {speed} nps", time.as_secs_f64())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A position as the list shows it: the moves of a game are counted.
fn shown(position: &str) -> String {
    match position.strip_prefix("startpos moves ") {
        Some(moves) if moves.len() > LONGEST_MOVES => format!("startpos moves … ({} plies)", moves.split(' ').count()),
        _ => position.to_string(),
    }
}

/// What `chuhe bench --selfplay` takes besides the number of games.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "With --selfplay")]
struct SelfplayArgs {
    /// Nodes for each move
    #[arg(long, requires = "selfplay", value_name = "N", default_value_t = 500, value_parser = number_in::<u64>(1..))]
    nodes: u64,
    /// Random moves before the engine takes over
    #[arg(id = "random", long = "plies", requires = "selfplay", value_name = "N", default_value_t = 8, value_parser = number_in::<u32>(0..=40))]
    plies: u32,
    /// The same seed makes the same games
    #[arg(long, requires = "selfplay", value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, requires = "selfplay", value_name = "SET", default_value_t = RuleSet::default(), value_parser = worded::<RuleSet>)]
    rules: RuleSet,
}

/// Plays the games and prints a summary line. Exit code 1 if a game violated the rules: it is printed before the
/// summary.
fn play_games(args: &SelfplayArgs, games: usize, out: &mut dyn Write) -> Result<ExitCode, TournamentError> {
    let referee = RefereeSpec { rules: Rules::new(args.rules), ..RefereeSpec::default() };
    // Unbalanced openings are not rejected: they lead to mates.
    let how =
        RandomOpeningSettings { count: games, limited: true, plies: args.plies, seed: args.seed, max_score: i32::MAX };
    let mut maker = RandomOpeningGenerator::new(how, referee.rules)?;
    let driver = EngineSource::InProcess(InProcessSpec { hash_mb: 1, ..InProcessSpec::default() });
    let spec = EngineSpec { name: "chuhe".to_string(), driver, budget: None };
    let processes = Arc::new(ProcessRegistry::default());
    let mut red = Engine::new(&spec, &referee, &processes)?;
    let mut black = Engine::new(&spec, &referee, &processes)?;
    let (mut results, mut plies, mut violations) = ([0; 3], 0, 0);
    for number in 0..games {
        let budgets = [Budget::Nodes(args.nodes); 2];
        let opening = maker.opening(number);
        let never = AtomicBool::new(false);
        let Some(played) = game::play([&mut red, &mut black], budgets, &opening, &referee, &never) else {
            break;
        };
        plies += played.plies.len();
        log::debug!("game {}: {played} after {} plies", number + 1, played.plies.len());
        results[match played.winner {
            Some(Color::Red) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        if !matches!(played.cause, EndCause::Rules(_)) || is_avoidable_rule_loss(&played, &referee.rules) {
            violations += 1;
            print_game(&played, number, out)?;
        }
    }
    let [wins, draws, losses] = results;
    let summary =
        format!("selfplay: {games} games, {plies} plies, red +{wins} ={draws} -{losses}, {violations} violations",);
    log::info!("{summary}");
    writeln!(out, "{summary}")?;
    Ok(if violations == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// True if the last mover lost by a repetition rule although another legal move did not lose so.
fn is_avoidable_rule_loss(played: &GameOutcome, rules: &Rules) -> bool {
    let Some((last, before)) = played.plies.split_last() else { return false };
    let mut position = played.start.clone();
    for ply in before {
        position.play_unchecked(ply.mv);
    }
    // The mated side never made the last move: only a repetition loses by one's own move.
    let lost_by_own_move = played.winner == Some(!position.side());
    let losing = rules.losing_moves(&position);
    lost_by_own_move && losing.contains(&last.mv) && losing.len() < position.legal_moves().len()
}

/// Prints all that is needed to reproduce a game.
fn print_game(played: &GameOutcome, number: usize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "game {}: {played}; position fen {} moves", number + 1, played.start.fen())?;
    for ply in &played.plies {
        write!(out, " {}", ply.mv)?;
    }
    writeln!(out)
}
