//! Specification types of a tournament: engines, budgets, and the settings of the referee.

use chuhe_study::player::SMALL_HASH_MB;
pub use chuhe_study::player::TimeControl;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use xiangqi::Rules;
pub use xiangqi_record::RankBase;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineProtocol {
    /// Universal Chinese Chess Interface.
    Ucci,
    /// Universal Chess Interface, with a xiangqi variant.
    Uci,
}

/// The budget of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    Clock(TimeControl),
    /// Fixed time per move.
    MoveTime(Duration),
    /// Fixed nodes per move.
    Nodes(u64),
    /// Fixed depth per move.
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

/// An engine that runs as another program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProgramSpec {
    pub command: String,
    pub arguments: Vec<String>,
    /// Its working directory; `None` = the current one.
    pub directory: Option<PathBuf>,
    /// Its protocol; `None` = detect.
    pub protocol: Option<EngineProtocol>,
    /// Its rank numbering; `None` = from one for a UCI engine of several variants, else from zero.
    pub ranks: Option<RankBase>,
    /// Options to set before play, in this order.
    pub options: Vec<(String, String)>,
}

/// A configuration of this engine, run in the arena's process.
#[derive(Clone, PartialEq, Debug)]
pub struct InProcessSpec {
    /// Its search options; the rules are replaced by the tournament's.
    pub options: chuhe_engine::search::Options,
    /// Size of its transposition table in megabytes.
    pub hash_mb: usize,
    /// Search constants to set before each search; needs the feature `tune`.
    pub tune: BTreeMap<String, i32>,
}

impl Default for InProcessSpec {
    fn default() -> InProcessSpec {
        InProcessSpec {
            options: chuhe_engine::search::Options::default(),
            hash_mb: SMALL_HASH_MB,
            tune: BTreeMap::new(),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum EngineSource {
    Program(ProgramSpec),
    InProcess(InProcessSpec),
}

#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Its name in reports and records; unique in the tournament.
    pub name: String,
    pub driver: EngineSource,
    /// Its own budget, for handicaps; `None` = the tournament's.
    pub budget: Option<Budget>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TournamentFormat {
    /// Every engine plays every other. With two engines: a match.
    #[default]
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
}

/// A part of the pairs of a tournament: every `of`-th pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Shard {
    /// Whether a pair belongs to this shard.
    pub fn contains(&self, pair: usize) -> bool {
        pair % self.of == self.part - 1
    }
}

/// Adjudication of drawn games by the engines' scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this full move.
    pub from_move: u32,
    /// After this many consecutive moves of each side …
    pub moves: u32,
    /// … with an absolute score of at most this.
    pub score: i32,
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { from_move: 40, moves: 8, score: 10 }
    }
}

/// Adjudication of lost games by the engines' scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// After this many consecutive moves of both sides …
    pub moves: u32,
    /// … with an absolute score of at least this, the sides agreeing on the winner.
    pub score: i32,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { moves: 4, score: 800 }
    }
}

/// Settings of the referee.
#[derive(Clone, PartialEq, Debug)]
pub struct RefereeSpec {
    /// The repetition rules and the natural move limit.
    pub rules: Rules,
    /// Moves that lose at once by these rules are excluded from the engines' search.
    pub forbid_losing_moves: bool,
    /// Engines ponder on the expected reply during the opponent's time.
    pub ponder: bool,
    /// Tolerated time overrun.
    pub time_margin: Duration,
    /// Maximum time per move of an engine without a clock.
    pub move_timeout: Duration,
    /// Maximum time to start, and to get ready between games.
    pub start_timeout: Duration,
    pub draw: Option<DrawRule>,
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
