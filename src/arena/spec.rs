//! What a tournament consists of: engines, what they may spend, and the referee's settings.

use chuhe_engine::language::tr;
use chuhe_engine::rules::Rules;
pub use chuhe_toolkit::player::TimeControl;
pub use chuhe_toolkit::record::RankBase;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The two languages an engine may speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineProtocol {
    /// Universal Chinese Chess Interface.
    Ucci,
    /// Universal Chess Interface, with a xiangqi variant.
    Uci,
}

/// What an engine may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    Clock(TimeControl),
    /// The same time for each move.
    MoveTime(Duration),
    /// The same nodes for each move.
    Nodes(u64),
    /// The same depth for each move.
    Depth(u32),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Clock(control) => write!(f, "{control}"),
            Budget::MoveTime(time) => write!(f, "{} ms a move", time.as_millis()),
            Budget::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Budget::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// An engine that is another program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProgramSpec {
    pub command: String,
    pub arguments: Vec<String>,
    /// Where it is started; here if not given.
    pub directory: Option<PathBuf>,
    /// Its language; asked for if not given.
    pub protocol: Option<EngineProtocol>,
    /// Its rank numbers; if not given, from one for a UCI engine of many variants, else from zero.
    pub ranks: Option<RankBase>,
    /// What is set before play, in this order.
    pub options: Vec<(String, String)>,
}

/// A setting of this very engine, played without pipes.
#[derive(Clone, PartialEq, Debug)]
pub struct InProcessSpec {
    /// How it plays; the rules are replaced by the tournament's.
    pub options: chuhe_engine::search::Options,
    /// Its hash table in megabytes.
    pub hash_mb: usize,
    /// Search constants to be set before each search, under the feature `tune`.
    pub tune: BTreeMap<String, i32>,
}

impl Default for InProcessSpec {
    fn default() -> InProcessSpec {
        InProcessSpec { options: chuhe_engine::search::Options::default(), hash_mb: 16, tune: BTreeMap::new() }
    }
}

/// Where an engine's moves come from.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineSource {
    Program(ProgramSpec),
    InProcess(InProcessSpec),
}

#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// What the tables and records call it; unique in the tournament.
    pub name: String,
    /// Where its moves come from.
    pub driver: EngineSource,
    /// Its own budget, for handicaps; the tournament's if not given.
    pub budget: Option<Budget>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TournamentFormat {
    /// Everybody meets everybody. With two engines: a match.
    #[default]
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// What is done about moves that lose at once by the rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LosingMoves {
    /// Every engine is told not to play them.
    #[default]
    Forbid,
    /// No engine is told anything.
    Allow,
}

impl FromStr for LosingMoves {
    type Err = LosingMovesError;

    fn from_str(text: &str) -> Result<LosingMoves, LosingMovesError> {
        match text {
            "forbid" => Ok(LosingMoves::Forbid),
            "allow" => Ok(LosingMoves::Allow),
            _ => Err(LosingMovesError),
        }
    }
}

/// A text that does not say what is done about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", tr!("expected forbid or allow"))]
pub struct LosingMovesError;

/// A part of the pairs of a tournament: every so manieth, from this one on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Shard {
    /// Whether a pair belongs to the part.
    pub fn contains(&self, pair: usize) -> bool {
        pair % self.of == self.part - 1
    }
}

/// When the referee calls a game drawn by the engines' own scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this full move.
    pub from_move: u32,
    /// This many moves of each side in a row …
    pub moves: u32,
    /// … with scores no farther from zero than this.
    pub score: i32,
}

/// When the referee calls a game lost by the engines' own scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// This many moves of the loser in a row, and the winner agreeing, …
    pub moves: u32,
    /// … with scores at least this far from zero.
    pub score: i32,
}

/// How the referee works.
#[derive(Clone, PartialEq, Debug)]
pub struct RefereeSpec {
    /// The rules of repetition and the natural limit.
    pub rules: Rules,
    /// Engines are told which moves would lose at once by these rules, and not to play them.
    pub forbid_losing_moves: bool,
    /// Engines think on their opponents' time, about the answer that they expect.
    pub ponder: bool,
    /// How far a clock may be overdrawn.
    pub time_margin: Duration,
    /// How long an engine without a clock may think.
    pub move_timeout: Duration,
    /// How long an engine may take to start, and to be ready between games.
    pub start_timeout: Duration,
    pub draw: Option<DrawRule>,
    /// Adjudication of lost games.
    pub resign: Option<ResignRule>,
    /// Full moves after which a game is a draw; 0 = never.
    pub max_moves: u32,
}

impl Default for RefereeSpec {
    fn default() -> RefereeSpec {
        RefereeSpec {
            rules: Rules::default(),
            forbid_losing_moves: true,
            ponder: false,
            time_margin: Duration::from_millis(50),
            move_timeout: Duration::from_secs(60),
            start_timeout: Duration::from_secs(10),
            draw: None,
            resign: None,
            max_moves: 0,
        }
    }
}
