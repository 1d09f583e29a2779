//! `chuhe bench --selfplay`: fast self-play games that verify the rules, for builds with assertions.

use super::values::{number_in, worded};
use chuhe_lab::arena::engine::{Engine, ProcessRegistry};
use chuhe_lab::arena::game::{self, EndCause, GameOutcome};
use chuhe_lab::arena::openings::{RandomOpeningGenerator, RandomOpeningSettings};
use chuhe_lab::arena::spec::{Budget, EngineSource, EngineSpec, InProcessSpec, RefereeSpec};
use chuhe_lab::arena::tournament::TournamentError;
use clap::Args;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use xiangqi::{Color, RuleSet, Rules};

/// What `chuhe bench --selfplay` takes besides the number of games.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "With --selfplay")]
pub struct SelfplayArgs {
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = number_in::<u64>(1..))]
    nodes: u64,
    /// Random moves before the engine takes over
    #[arg(id = "random", long = "plies", value_name = "N", default_value_t = 8, value_parser = number_in::<u32>(0..=40))]
    plies: u32,
    /// The same seed makes the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, value_name = "SET", default_value_t = RuleSet::default(), value_parser = worded::<RuleSet>)]
    rules: RuleSet,
}

/// The names of these arguments.
pub const ARGUMENTS: [&str; 4] = ["nodes", "random", "seed", "rules"];

/// Plays the games and prints a summary line. Exit code 1 if a game violated the rules: it is printed before the
/// summary.
pub fn run(args: &SelfplayArgs, games: usize, out: &mut dyn Write) -> Result<ExitCode, TournamentError> {
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
fn print_game(played: &GameOutcome, number: usize, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "game {}: {played}; position fen {} moves", number + 1, played.start.fen())?;
    for ply in &played.plies {
        write!(out, " {}", ply.mv)?;
    }
    writeln!(out)
}
