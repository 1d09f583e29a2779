//! `chuhe review`: analyses every move of a game, or of several.

mod several;

use super::game_selection::{GameSelection, is_in_shard};
use super::output::{self, OverwriteArgs, print_tablebase_warnings};
use super::position_args::{self, FaultPrinter, InputError, InputSpec, LoadedGame};
use super::values::{number_in, parse_seconds, thread_count};
use chuhe_engine::search::{Control, HashSizeError, Limits, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::review::{self, AnalysisLimits, AnalysisObserver, Review};
use chuhe_support::files::{OutputError, OverwritePolicy, is_stdio, is_stream};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler, StopRequest};
use chuhe_support::language::{Language, NoThread, reason, sanitize, tr};
use chuhe_support::messages::Localize;
use chuhe_support::terminal::{self, ProgressDisplay};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Game, Notation, pgn};

const EXAMPLES: &str = "\
Examples:
  chuhe review game.pgn                           a table and a curve on the terminal
  chuhe review game.pgn --html review.html        a page to play through, in Chinese and English
  chuhe review games.pgn --game 3 --time-per-move 5 --pgn reviewed.pgn --lang zh
  chuhe review games.pgn --game all --nodes 20000 --json reviews.jsonl
                                                  a line for each game of a file; --pgn writes all, too
  chuhe review 'startpos moves h2e2 h9g7 …' --nodes 200000 --json -

Marks by the part of the winning chance that a move lost: ?! from 5 %, ? from 10 %, ?? from 20 %; ! is a move that is
better than all others by 10 %. Scores are red's: +M3 is mate in three, +R a win by the rules of repetition, +T one by
the endgame tables; under the curve X is a ??. `docs/review.md` explains the rest. Ctrl-C ends the search and writes
what is done.";

/// How often Ctrl-C is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Arguments of `chuhe review`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ReviewArgs {
    /// A file of games, `-` for standard input, or a FEN or `startpos` with ` moves m1 m2 …` behind it
    game: String,
    /// Which games of the file: 1 is the first, -1 the last, 3..8 are six [default: 1; all with --shard]
    #[arg(long = "game", value_name = "N|N..M|all")]
    number: Option<GameSelection>,
    /// Only part K of N of the games: for N machines that share a file
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Seconds for each position [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "measure")]
    time_per_move: Option<Duration>,
    /// Nodes for each position
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u64>(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u32>(1..=200))]
    depth: Option<u32>,
    /// How many threads search [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = number_in::<u32>(1..=1_048_576))]
    hash: u32,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, value_name = "SET", default_value_t)]
    rules: RuleSet,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    /// Write a page to play through (`-`: to standard output, instead of the table)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the game with comments, marks and variations (`-`: to standard output, instead of the table)
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How the moves of that game are written: ICCS, UCI, WXF or Chinese [default: as the language has it]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// How the characters of that game are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8")]
    encoding: Encoding,
    /// Write everything for scripts (`-`: to standard output, instead of the table)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// An error of `chuhe review`.
#[derive(Debug, Error)]
pub enum ReviewError {
    #[error(transparent)]
    Game(#[from] InputError),
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    #[error(transparent)]
    Thread(#[from] NoThread),
    #[error("{}", tr!("cannot write the review: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
    #[error("{}", tr!("--html: a page is about one game, and these are several: --game N takes one"))]
    OnePage,
}

/// Reviews a game, and writes the requested files.
pub fn run(args: &ReviewArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, ReviewError> {
    // Fails before the search if the files cannot be written.
    output::check_single_stdout(args.files().map(|(path, _)| path))?;
    for (path, over) in args.files() {
        path.filter(|path| !is_stdio(path)).map_or(Ok(()), |path| over.check(path))?;
    }
    let mut input = position_args::parse_input(&args.game)?;
    let source = match &mut input {
        InputSpec::File(file) if args.is_about_several() => Some((file.clone(), position_args::open(file)?)),
        _ => None,
    };
    let mut reviewer = Reviewer::new(args)?;
    let code = match &source {
        None => {
            let number = args.number.and_then(|selection| selection.single().ok());
            let LoadedGame { game, is_complete } = input.game(number)?;
            let review = reviewer.review(game)?;
            write(args, &review, out, is_terminal)?;
            if review.is_complete() { u8::from(!is_complete) } else { EXIT_INTERRUPTED }
        }
        Some((file, source)) => several::run(args, file, source, &mut reviewer, out, is_terminal)?,
    };
    if let Some(tablebase) = &reviewer.searcher.tablebase {
        print_tablebase_warnings(tablebase);
    }
    Ok(ExitCode::from(code))
}

/// Searches one game after the other.
struct Reviewer {
    searcher: Searcher,
    rules: Rules,
    measure: AnalysisLimits,
    control: Arc<Control>,
}

impl Reviewer {
    fn new(args: &ReviewArgs) -> Result<Reviewer, ReviewError> {
        let rules = Rules::with_limit(args.rules, args.natural_limit);
        let control = Arc::new(Control::new(false));
        stop_on_interrupt(InterruptHandler::install()?, Arc::clone(&control))?;
        let measure = AnalysisLimits { limits: limits(args) };
        Ok(Reviewer { searcher: searcher(args, rules)?, rules, measure, control })
    }

    /// Reviews a game as far as Ctrl-C lets it.
    fn review(&mut self, game: Game) -> Result<Review, ReviewError> {
        let Reviewer { searcher, measure, control, .. } = self;
        // What was searched of another game is no part of the answer.
        searcher.new_game();
        let found = std::thread::scope(|scope| {
            let (game, searcher, measure, control) = (&game, &mut *searcher, &*measure, &*control);
            let work = move || {
                review::analyse_game(game, searcher, measure, control, &mut ReviewProgressBar(ProgressDisplay::new(1)))
            };
            let thread = std::thread::Builder::new().name("review".to_string()).spawn_scoped(scope, work);
            let found = thread.map_err(NoThread)?.join();
            found.map_err(|_| ReviewError::Output(io::Error::other(tr!("the search has failed"))))
        })?;
        Ok(Review::of(game, self.rules, found))
    }
}

impl ReviewArgs {
    /// The game with its comments. In GBK it is for Chinese programs.
    fn annotated(&self, review: &Review) -> String {
        let language = if self.encoding == Encoding::Gbk { Language::CHINESE } else { Language::current() };
        language.with(|| pgn::write(&review::annotate(review), self.notation.unwrap_or_else(review::default_notation)))
    }

    /// Whether more than one game may be meant.
    fn is_about_several(&self) -> bool {
        self.shard.is_some() || self.number.is_some_and(|selection| selection.single().is_err())
    }

    /// The paths of the page, the game and the JSON, each with the policy for overwriting.
    fn files(&self) -> [(Option<&Path>, OverwritePolicy); 3] {
        let policies = [
            OverwritePolicy::IfMarked(review::PAGE_MARK.as_bytes()),
            // A PGN file may hold games of others.
            OverwritePolicy::Never,
            OverwritePolicy::IfMarked(b"{\"generator\":\"Chuhe "),
        ];
        let paths = [&self.html, &self.pgn, &self.json].map(|path| path.as_deref());
        std::array::from_fn(|index| (paths[index], policies[index].or_force(self.over.force)))
    }
}

fn limits(args: &ReviewArgs) -> Limits {
    match (args.nodes, args.depth, args.time_per_move) {
        (Some(nodes), ..) => Limits::nodes(nodes),
        (_, Some(depth), _) => Limits::depth(depth),
        (.., time) => Limits::move_time(time.unwrap_or(Duration::from_secs(1))),
    }
}

fn searcher(args: &ReviewArgs, rules: Rules) -> Result<Searcher, HashSizeError> {
    let threads = thread_count(args.threads.map(usize::from));
    // No host is involved, so no time overhead is needed.
    let options = Options { threads, rules, overhead: Duration::ZERO, ..Options::default() };
    let mut searcher = Searcher::new(options, args.hash as usize)?;
    searcher.tablebase = Some(Arc::new(Tablebase::open(&args.tables)));
    Ok(searcher)
}

/// The first Ctrl-C stops the search, the second one the program.
fn stop_on_interrupt(interrupts: InterruptHandler, control: Arc<Control>) -> Result<(), NoThread> {
    let watch = move || {
        loop {
            match interrupts.poll() {
                Some(StopRequest::Finish) => control.stop(),
                Some(StopRequest::Abort) if control.stopped() => std::process::exit(i32::from(EXIT_INTERRUPTED)),
                Some(StopRequest::Abort) => control.stop(),
                None => std::thread::sleep(POLL_INTERVAL),
            }
        }
    };
    std::thread::Builder::new().spawn(watch).map(|_| ()).map_err(NoThread)
}

fn write(args: &ReviewArgs, review: &Review, out: &mut dyn Write, is_terminal: bool) -> Result<(), ReviewError> {
    let page_of = || review::page(review);
    let game = || args.annotated(review);
    let json = || review::json(review) + "\n";
    let texts: [(&dyn Fn() -> String, Encoding); 3] =
        [(&page_of, Encoding::Utf8), (&game, args.encoding), (&json, Encoding::Utf8)];
    // Files are written first: the reader of the table may close the output early.
    let (mut written, mut piped) = (String::new(), None);
    for ((path, over), (text, encoding)) in args.files().into_iter().zip(texts) {
        match path {
            Some(path) if is_stdio(path) => piped = Some(encoding.encode(&text()).into_owned()),
            Some(path) => {
                over.write(path, &encoding.encode(&text()))?;
                if !is_stream(path) {
                    let path = path.display().to_string();
                    written.push_str(&format!("{}\n", tr!("written: {path}", path = sanitize(&path))));
                }
            }
            None => {}
        }
    }
    match piped {
        Some(bytes) => out.write_all(&bytes)?,
        None => {
            let table =
                review::table(review, terminal::colour_mode(is_terminal), terminal::terminal_width(is_terminal));
            write!(out, "{table}{written}")?;
        }
    }
    Ok(())
}

/// The progress of a review.
struct ReviewProgressBar(ProgressDisplay);

impl AnalysisObserver for ReviewProgressBar {
    fn progress(&mut self, done: usize, total: usize) {
        self.0.set_total(total as u64);
        self.0.set(done as u64, &tr!("{done} of {total} positions", done, total));
    }
}
