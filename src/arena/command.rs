//! `chuhe arena`: the command line of a tournament.

use super::openings::RandomOpenings;
use super::report::Plain;
use super::spec::{Budget, DrawRule, EngineSpec, Format, RefereeSpec, ResignRule, TimeControl};
use super::sprt::Sprt;
use super::tournament::{Openings, Tournament, TournamentError};
use super::{parse, settings};
use crate::rules::{RuleSet, Rules};
use clap::Args;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe arena --engine name=new,cmd=./new --engine name=old,cmd=./old --nodes 20000 --games 1000 \\
        --sprt elo0=0,elo1=5
                              is the new build better than the old one?
  chuhe arena --engine name=A,cmd=./a,proto=ucci,option.hashsize=64 \\
        --engine name=B,cmd=fairy-stockfish,proto=uci,option.UCI_Variant=xiangqi --tc 10+0.1 --games 200
  chuhe arena --self old.toml new.toml --nodes 5000 --games 2000 --concurrency 2
                              two settings of this very engine";

/// What `chuhe arena` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArgs {
    /// A participant: name=…,cmd=…,proto=ucci|uci,ranks=0-9|1-10,option.NAME=VALUE, and tc, movetime, nodes or
    /// depth for a handicap
    #[arg(long = "engine", value_name = "KEY=VALUE,…", value_parser = parse::read_engine)]
    engines: Vec<EngineSpec>,
    /// Participants that are this very engine, each with the settings of a TOML file; no pipes
    #[arg(long = "self", value_name = "FILE", num_args = 1.., value_parser = read_self)]
    selves: Vec<EngineSpec>,
    /// The first engine meets each of the others, instead of everybody meeting everybody
    #[arg(long)]
    gauntlet: bool,
    /// Games of each meeting; every opening is played twice with colours swapped
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    referee: RefereeArgs,
    /// Stop as soon as this test has decided: elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::read_sprt)]
    sprt: Option<Sprt>,
}

/// What each engine may spend.
#[derive(Args, Debug, Clone)]
#[group(multiple = false)]
struct BudgetArgs {
    /// A game clock in seconds: 10+0.1, or with moves per base time 40/60+0.5
    #[arg(long, value_name = "[MOVES/]BASE[+INC]", value_parser = parse::read_time_control)]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
}

impl BudgetArgs {
    /// What was asked for; ten seconds and a tenth if nothing was.
    fn budget(&self) -> Budget {
        let default =
            TimeControl { base: Duration::from_secs(10), increment: Duration::from_millis(100), moves: None };
        self.nodes
            .map(Budget::Nodes)
            .or(self.depth.map(Budget::Depth))
            .or(self.movetime.map(|time| Budget::MoveTime(Duration::from_millis(time))))
            .unwrap_or(Budget::Clock(self.tc.unwrap_or(default)))
    }
}

/// Where games begin.
#[derive(Args, Debug, Clone)]
struct OpeningArgs {
    /// How many random openings, used in turn [default: a new one for each pair of games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    random_openings: Option<u32>,
    /// Random moves in each random opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// The largest score, for either side, of a random opening that is kept
    #[arg(long, value_name = "SCORE", default_value_t = 60)]
    balance: i32,
    /// The same seed makes the same openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl OpeningArgs {
    fn openings(&self, pairs: usize) -> Openings {
        let count = self.random_openings.map_or(pairs, |count| count as usize);
        Openings::Random(RandomOpenings { count, plies: self.plies, seed: self.seed, balance: self.balance })
    }
}

/// How games end.
#[derive(Args, Debug, Clone)]
struct RefereeArgs {
    /// The rules of repetition: asian, league, computer or none
    #[arg(long, value_name = "SET", default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Milliseconds that a clock may be overdrawn
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Seconds that an engine without a clock may think
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
    /// Seconds that an engine may take to start, and to be ready between games
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    start_limit: u64,
    /// Call a game drawn after scores near zero: from=40,moves=8,score=10
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::read_draw_rule)]
    draw: Option<DrawRule>,
    /// Call a game lost when both sides' scores say so: moves=4,score=800
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::read_resign_rule)]
    resign: Option<ResignRule>,
    /// Full moves after which a game is a draw; 0 = never
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_moves: u32,
}

impl RefereeArgs {
    fn spec(&self) -> RefereeSpec {
        RefereeSpec {
            rules: Rules::of(self.rules),
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_secs(self.patience),
            start_limit: Duration::from_secs(self.start_limit),
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
        }
    }
}

/// Why `chuhe arena` gave up.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// Nobody to play against.
    #[error("a tournament takes two engines at least; name them with --engine or --self")]
    TooFewEngines,
    /// Two engines that tables could not tell apart.
    #[error("two engines are called '{0}'")]
    SameName(String),
    /// A test is about two engines.
    #[error("--sprt is for a match of two engines")]
    TestOfMany,
    /// It could not be played.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The report could not be written.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

/// Does what `chuhe arena` is for.
pub fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), ArenaError> {
    let tournament = tournament(args)?;
    let mut report = Plain::new(&tournament, out);
    let standings = tournament.run(&mut report)?;
    Ok(report.finish(&standings)?)
}

fn read_self(path: &str) -> Result<EngineSpec, settings::SettingsError> {
    settings::read_settings(Path::new(path))
}

fn tournament(args: &ArenaArgs) -> Result<Tournament, ArenaError> {
    let engines = [args.selves.as_slice(), &args.engines].concat();
    if engines.len() < 2 {
        return Err(ArenaError::TooFewEngines);
    }
    for (index, engine) in engines.iter().enumerate() {
        if engines[..index].iter().any(|other| other.name == engine.name) {
            return Err(ArenaError::SameName(engine.name.clone()));
        }
    }
    if args.sprt.is_some() && engines.len() > 2 {
        return Err(ArenaError::TestOfMany);
    }
    Ok(Tournament {
        engines,
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        games: args.games,
        budget: args.budget.budget(),
        openings: args.openings.openings(args.games.div_ceil(2)),
        referee: args.referee.spec(),
        concurrency: args.concurrency.into(),
        sprt: args.sprt,
    })
}
