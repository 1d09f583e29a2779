//! The arguments of `chuhe analyse`, and the queries, positions of a list and analysts that they stand for.

use super::error::AnalyseError;
use crate::cli::output::OverwriteArgs;
use crate::cli::position_args::PositionArgs;
use crate::cli::values::{number_in, parse_seconds, thread_count, worded};
use crate::protocol;
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::analyse::request::{MAX_DEPTH, MAX_LINES, MAX_MATE_MOVES};
use chuhe_study::analyse::{AnalystResources, GamePosition, Query, QueryTask, SearchBudget};
use chuhe_study::book::{self, Book, EMBEDDED_BOOK_NAME};
use chuhe_study::player::HASH_MB;
use chuhe_study::reader::chosen_notation;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Move, Position, RuleSet, Rules};
use xiangqi_record::{Notation, notation};

const EXAMPLES: &str = "\
Examples:
  chuhe analyse                                   the start position, until Ctrl-C
  chuhe analyse h2e2 h9g7 --lines 3               three lines behind these moves
  chuhe analyse game.pgn --ply 30 --time 5 --notation ICCS
  chuhe analyse game.xqf --every-ply --nodes 100000 --json
  chuhe analyse positions.txt --depth 14 --out answers.jsonl
                                                  all of a list, on all processors; continues where it was interrupted
  chuhe analyse \"FEN\" --mate 5                    is there a mate in five?
  chuhe analyse game.pgn --ply 30 --eval          what the network says of the position, piece by piece
  chuhe analyse queries.jsonl --shard 1/8         answers queries, a JSON object a line; --stdin does as they come

Without a limit one position is analysed until Ctrl-C on a terminal, and everything else for one second. A file of
positions, one on each line, is a list. `docs/scripts.md` describes the JSON and the queries.";

/// Time for each position where no limit is given, except for a live analysis.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Arguments of `chuhe analyse`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// Every position of the game, the first one first, as a list; of all games of a file, unless --game chooses some
    #[arg(long)]
    pub every_ply: bool,
    /// Only part K of N of the games, of a list of positions, or of queries: for N machines that share a file
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// How many best lines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=MAX_LINES as u16))]
    pub lines: u16,
    /// Seconds for each position; the first limit that is reached ends its search
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<Duration>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=MAX_DEPTH))]
    pub depth: Option<u32>,
    /// Search for a mate in at most N moves, and end when that is settled
    #[arg(long, value_name = "MOVES", value_parser = number_in::<u32>(1..=MAX_MATE_MOVES))]
    pub mate: Option<u32>,
    /// Explain the static evaluation of the position, piece by piece
    #[arg(long, conflicts_with_all = ["eval_only", "mate", "time", "nodes", "depth", "lines", "every_ply", "shard", "only",
        "avoid", "threads", "at_once", "hash", "tables", "book", "rules", "natural_limit", "notation", "mover", "every", "out",
        "force", "stdin"])]
    pub eval: bool,
    /// Evaluate the position without a search
    #[arg(long, conflicts_with_all = ["mate", "time", "nodes", "depth", "lines"])]
    pub eval_only: bool,
    /// Choose from these first moves only
    #[arg(long, value_name = "\"M1 M2 …\"", conflicts_with_all = ["every_ply", "stdin"])]
    pub only: Option<String>,
    /// Leave these first moves out
    #[arg(long, value_name = "\"M1 M2 …\"", conflicts_with_all = ["every_ply", "stdin"])]
    pub avoid: Option<String>,
    /// How many threads search [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    pub threads: Option<u16>,
    /// How many positions of a list, or queries, are searched at a time, with a part of the threads each [default: one
    /// for each thread]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    pub at_once: Option<u16>,
    /// Size of the hash table in megabytes, for each position that is searched at a time
    #[arg(long, value_name = "MB", default_value_t = HASH_MB as u32, value_parser = number_in::<u32>(1..=1_048_576))]
    pub hash: u32,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    pub tables: Vec<PathBuf>,
    /// The book that is asked what is played
    #[arg(long, value_name = "FILE", default_value = EMBEDDED_BOOK_NAME)]
    pub book: PathBuf,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, value_name = "SET", default_value_t, value_parser = worded::<RuleSet>)]
    pub rules: RuleSet,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    pub natural_limit: Option<usize>,
    /// How moves are written for people: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    pub notation: Option<Notation>,
    /// Show people the scores of the side to move instead of red's
    #[arg(long)]
    pub mover: bool,
    /// Print a JSON object for each position
    #[arg(long)]
    pub json: bool,
    /// Print partial results every N seconds, where the table is not redrawn in place
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, conflicts_with_all = ["every_ply", "out"])]
    pub every: Option<Duration>,
    /// Append the JSON of a list to this file, and pass over what is in it already
    #[arg(long, value_name = "FILE", conflicts_with = "stdin")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub over: OverwriteArgs,
    /// Answer queries on standard input, a JSON object a line
    #[arg(long, conflicts_with_all = ["words", "fen", "moves", "number", "ply", "every_ply"])]
    pub stdin: bool,
}

impl AnalyseArgs {
    /// The query about a position; it has no limit if none was given.
    pub fn query(&self, game_position: GamePosition) -> Result<Query, AnalyseError> {
        let task = match self.mate {
            Some(moves) => QueryTask::Mate(moves),
            None if self.eval_only => QueryTask::Evaluate,
            None => QueryTask::Search,
        };
        let position = game_position.position();
        let only = moves(self.only.as_deref(), &position)?;
        let avoid = moves(self.avoid.as_deref(), &position)?;
        let query = Query {
            rules: Rules::with_limit(self.rules, self.natural_limit),
            task,
            budget: SearchBudget { time: self.time, nodes: self.nodes, depth: self.depth },
            lines: self.lines.into(),
            include_moves: only,
            exclude_moves: avoid,
            report_interval: self.every,
            ..Query::new(game_position)
        };
        if query.has_candidates() { Ok(query) } else { Err(AnalyseError::NoMove) }
    }

    /// How many positions are analysed at a time, and the resources of each analyst; a single position gets everything.
    pub fn resources(&self, is_single: bool) -> Result<(usize, AnalystResources), AnalyseError> {
        let threads = thread_count(self.threads.map(usize::from));
        let at_once = if is_single { 1 } else { self.at_once.map_or(threads, usize::from).max(1) };
        let book: Arc<dyn Book> = book::open_book(Path::new(&self.book))?;
        Ok((
            at_once,
            AnalystResources {
                version: protocol::VERSION,
                threads: (threads / at_once).max(1),
                hash_mb: self.hash as usize,
                tablebases: Arc::new(Tablebase::open(&self.tables)),
                books: vec![book],
            },
        ))
    }
}

/// Limits a query without a limit to one second.
pub fn with_default_time(query: Query) -> Query {
    if !query.is_infinite() {
        return query;
    }
    Query { budget: SearchBudget { time: Some(DEFAULT_TIME), ..query.budget }, ..query }
}

/// First moves in any notation, as named on the command line.
fn moves(text: Option<&str>, position: &Position) -> Result<Vec<Move>, AnalyseError> {
    let words = text.unwrap_or_default().split_whitespace();
    words.map(|word| Ok(notation::parse_with(position, word, chosen_notation())?)).collect()
}
