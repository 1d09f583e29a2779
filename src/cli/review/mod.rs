//! `chuhe review`: analyses every move of a game, or of many: as many at a time as there are threads, written in the order of
//! their files.
//!
//! `reader` reads the games as they are needed, `journal` keeps the reviews of `--out`, `outputs` writes them. Memory goes by
//! the longest games and the number of threads: reviews that are written are forgotten. One game is a list of length one, but
//! all threads search it, and Ctrl-C writes what is done.

mod journal;
mod outputs;
mod reader;

use super::error::{CliError, cli_error};
use super::games::{self, GameSelection};
use super::journal::Start;
use super::output::{self, OverwriteArgs, print_tablebase_warnings};
use super::position_args::{self, InputSpec, LoadedGame};
use super::values::{number_in, parse_seconds, thread_count, worded};
use chuhe_engine::search::{Control, HashSizeError, Limits, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::motifs::Motif;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::review::{self, KeptReview, PlayerNames, Review, analyse_game};
use chuhe_study::several::GamePlace;
use chuhe_study::tactics;
use chuhe_study::train::{self, ExerciseSheet, MAX_EXERCISES, MistakeCards, MistakeChoice, PerPage};
use chuhe_support::files::{OutputError, OverwritePolicy, is_stdio};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, tr};
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use journal::ReviewJournal;
use outputs::Outputs;
use reader::{GameFile, GameReader, Reading};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::TryRecvError;
use std::time::Duration;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Game, Notation, pgn};

/// Games for each thread that may be read ahead of the next one to write.
const LOOKAHEAD_PER_THREAD: usize = 4;

/// What is reviewed.
enum Subject {
    One(Box<LoadedGame>),
    Several(Vec<GameFile>),
}

impl Subject {
    /// One game, unless several were selected, or a file has several and none was selected.
    fn of(args: &ReviewArgs) -> Result<Subject, CliError> {
        let paths: Vec<PathBuf> = args.words.iter().map(PathBuf::from).collect();
        let is_there = |path: &PathBuf| is_stdio(path) || path.exists();
        if paths.len() > 1 && paths.iter().any(is_there) || paths[0].is_dir() {
            let files = games::expand(&paths, &[])?.into_iter();
            return Ok(Subject::Several(files.map(|path| GameFile { path, source: None }).collect()));
        }
        let path = match position_args::parse_input(&args.words.join(" "))? {
            InputSpec::File(file) => file,
            position => return Ok(Subject::One(Box::new(position.game(None)?))),
        };
        let source = position_args::open(&path)?;
        if args.is_about_several() || args.number.is_none() && position_args::has_several_games(&source) {
            return Ok(Subject::Several(vec![GameFile { path, source: Some(source) }]));
        }
        let number = args.number.and_then(|selection| selection.single().ok()).unwrap_or(1);
        Ok(Subject::One(Box::new(position_args::game_of_file(&source, &path, number)?)))
    }
}

/// Reviews a game or several, and writes the requested files.
pub fn run(args: &ReviewArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, CliError> {
    // Fails before the search if the files cannot be written.
    output::check_single_stdout(args.files().map(|(path, _)| path))?;
    let paths: Vec<&Path> = args.files().into_iter().filter_map(|(path, _)| path).chain(args.out.as_deref()).collect();
    if let Some(path) = (1..paths.len()).find_map(|index| paths[..index].iter().find(|path| **path == paths[index])) {
        let file = path.display().to_string();
        return Err(cli_error!("{file} is named twice, and cannot be two files", file));
    }
    output::check_files(args.files())?;
    let subject = Subject::of(args)?;
    let is_single = matches!(subject, Subject::One(_));
    // A journal and a person are for the games of files.
    let (mut own_args, mut person) = (args.clone(), PlayerNames::default());
    if is_single {
        own_args.out = None;
    } else {
        if args.out.as_deref().is_some_and(is_stdio) {
            return Err(OutputError::StdoutNotAllowed.into());
        }
        own_args = journal::with_kept_conditions(args);
        person = PlayerNames::new(&args.player).map_err(|error| cli_error!("--player: {error}", error))?;
    }
    let args = &own_args;
    let tablebase = args.tablebase();
    let journal = args.out.as_deref().map(|path| ReviewJournal::open(path, args)).transpose()?;
    let progress = ProgressDisplay::new(0);
    let outputs = Outputs::open(args, person.clone(), out, is_terminal)?;
    let threads = if is_single { 1 } else { args.thread_count() };
    let window = LOOKAHEAD_PER_THREAD * threads;
    let reader = match subject {
        Subject::One(game) => GameReader::of_game(*game),
        Subject::Several(files) => GameReader::start(files, args, person, window, progress.is_shown())?,
    };
    let (control, positions) = (Arc::new(Control::new(false)), AtomicUsize::new(0));
    let reviewer = Reviewer { args, is_single, tablebase: &tablebase, control: &control, positions: &positions };
    let workers = (0..threads).map(|_| reviewer.worker()).collect();
    let mut work = ReviewRun {
        is_single,
        reader,
        journal,
        outputs,
        progress,
        written: 0,
        positions: &positions,
        kept_positions: 0,
        has_faults: false,
        is_cut: false,
    };
    let batch = Batch { name: "review", window, is_in_order: true, control: &control };
    let is_interrupted = batch.run(workers, |step| work.step(step))?;
    // Of one game something is written, even if Ctrl-C came before its review began.
    if is_single && let Next::Job(item, job) = work.next()? {
        let answer = reviewer.worker()(job)?;
        work.write(&item, answer)?;
    }
    let code = work.finish(is_interrupted)?;
    print_tablebase_warnings(&tablebase);
    Ok(ExitCode::from(code))
}

/// A game to review, and why there is no review, in English, if it cannot be read.
struct GameItem {
    /// Of one of several games.
    place: Option<GamePlace>,
    fault: Option<String>,
}

struct ReviewJob {
    game: Box<Game>,
    /// The line of the journal, if it has one of this game.
    kept: Option<Vec<u8>>,
}

struct FinishedReview {
    review: Box<Review>,
    /// The journal had it.
    is_kept: bool,
}

struct ReviewRun<'a> {
    /// This is about one game, which is written also if it was interrupted.
    is_single: bool,
    reader: GameReader,
    journal: Option<ReviewJournal>,
    outputs: Outputs<'a>,
    progress: ProgressDisplay,
    /// How many games were written.
    written: usize,
    /// The positions that were searched.
    positions: &'a AtomicUsize,
    /// The positions of reviews out of the journal.
    kept_positions: usize,
    /// Something could not be read.
    has_faults: bool,
    /// The only game was not reviewed to its end.
    is_cut: bool,
}

impl ReviewRun<'_> {
    fn step(&mut self, step: Step<GameItem, ReviewJob, FinishedReview>) -> Result<(), CliError> {
        match step {
            Step::Next(next) => *next = self.next()?,
            // Kept in the journal at once.
            Step::Answered(_, answer) if answer.is_kept => {
                self.kept_positions += answer.review.positions.len();
                self.progress.set_already_done(self.done_positions());
            }
            Step::Answered(item, answer) => {
                if let (Some(journal), Some(place)) = (&mut self.journal, &item.place) {
                    journal.append(place, &answer.review)?;
                }
            }
            Step::Write(item, answer) => self.write(&item, answer)?,
            Step::Progress => self.show_progress(),
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Next<GameItem, ReviewJob>, CliError> {
        loop {
            return Ok(match self.reader.readings.try_recv() {
                Ok(Reading::Game { place, game, is_whole }) => {
                    self.has_faults |= !is_whole;
                    let kept = self.journal.as_mut().map(|journal| journal.kept(&game)).transpose()?.flatten();
                    Next::Job(GameItem { place, fault: None }, ReviewJob { game, kept })
                }
                Ok(Reading::Fault { place, error }) => {
                    self.has_faults = true;
                    Next::Settled(GameItem { place: Some(place), fault: Some(error) })
                }
                Ok(Reading::BadFile(Some(error))) => return Err(error),
                Ok(Reading::BadFile(None)) => {
                    self.has_faults = true;
                    continue;
                }
                Err(TryRecvError::Empty) => Next::NotYet,
                Err(TryRecvError::Disconnected) => Next::End,
            });
        }
    }

    fn write(&mut self, item: &GameItem, answer: Option<FinishedReview>) -> Result<(), CliError> {
        self.written += 1;
        let (outputs, progress) = (&mut self.outputs, &self.progress);
        self.is_cut = !answer.as_ref().is_some_and(|answer| answer.review.is_complete());
        progress.suspend(|| match (&answer, &item.place, &item.fault) {
            (Some(answer), place, _) => outputs.add(place.as_ref(), &answer.review),
            (None, Some(place), Some(error)) => outputs.add_error(place, error),
            // A part of a review is no review: the next run makes it.
            _ => Ok(()),
        })
    }

    fn show_progress(&mut self) {
        let (done, positions) = (self.written, self.done_positions());
        let text = match self.reader.total() {
            Some(total) if self.is_single => {
                self.progress.set_total(total.positions as u64);
                tr!("{done} of {total} positions", done = positions, total = total.positions)
            }
            Some(total) => {
                self.progress.set_total(total.positions as u64);
                tr!("{done} of {total} games", done, total = total.games)
            }
            None => tr!("games: {games}", games = done),
        };
        self.progress.set(positions, &text);
    }

    fn done_positions(&self) -> u64 {
        (self.kept_positions + self.positions.load(Ordering::Relaxed)) as u64
    }

    fn finish(self, is_interrupted: bool) -> Result<u8, CliError> {
        let ReviewRun { outputs, progress, reader, .. } = self;
        drop(progress);
        let is_empty = outputs.count == 0;
        if let Some(error) = reader.no_game().filter(|_| is_empty && !is_interrupted) {
            return Err(error);
        }
        outputs.finish()?;
        let is_interrupted = if self.is_single { self.is_cut } else { is_interrupted };
        Ok(match (is_interrupted, self.has_faults) {
            (true, _) => EXIT_INTERRUPTED,
            // The errors have been printed.
            (false, true) => 1 + u8::from(is_empty),
            (false, false) => 0,
        })
    }
}

/// What workers need to review games.
#[derive(Clone, Copy)]
struct Reviewer<'a> {
    args: &'a ReviewArgs,
    is_single: bool,
    tablebase: &'a Arc<Tablebase>,
    control: &'a Arc<Control>,
    /// The number of positions that were searched.
    positions: &'a AtomicUsize,
}

impl<'a> Reviewer<'a> {
    /// A worker that reviews one game after the other.
    fn worker(self) -> impl FnMut(ReviewJob) -> Result<Option<FinishedReview>, CliError> + Send + 'a {
        let Reviewer { args, is_single, tablebase, control, positions } = self;
        // Made for the first game: there may be fewer games than threads.
        let mut own_searcher: Option<Searcher> = None;
        move |ReviewJob { game, kept }| {
            let rules = args.rules();
            let kept: Option<KeptReview> = kept.and_then(|line| serde_json::from_slice(&line).ok());
            if let Some(review) = kept.and_then(|kept| kept.review((*game).clone(), rules)) {
                return Ok(Some(FinishedReview { review: Box::new(review), is_kept: true }));
            }
            if control.stopped() && !is_single {
                return Ok(None);
            }
            let searcher = match &mut own_searcher {
                Some(searcher) => searcher,
                none => none.insert(args.searcher(!is_single, Arc::clone(tablebase))?),
            };
            // What was searched of another game is no part of the answer.
            searcher.new_game();
            let limits = args.limits(!is_single);
            // The positions of a game are added to those of all games.
            let mut last = 0;
            let mut progress = |done: usize, _| {
                positions.fetch_add(done - last, Ordering::Relaxed);
                last = done;
            };
            let found = analyse_game(&game, searcher, &limits, control, &mut progress);
            let mut review = Review::of(*game, rules, found);
            // A review without all its reasons would be kept as it is.
            let is_done = (review.is_complete() || is_single) && review.find_reasons(Some(tablebase), control);
            Ok((is_done || is_single).then(|| FinishedReview { review: Box::new(review), is_kept: false }))
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  chuhe review game.pgn                           a table and a curve on the terminal
  chuhe review game.pgn --html review.html        a page to play through, in Chinese and English
  chuhe review games.pgn --game 3 --time-per-move 5 --pgn reviewed.pgn --lang zh
  chuhe review games/ --player 王嘉良 --player 'Wang Jialiang' --out reviews.jsonl --html page.html
                                                  all games of a person in a folder: a summary and a page; goes on
                                                  where it was interrupted
  chuhe review games/ --player 'Li Ming' --out reviews.jsonl --sheet exercises.html
                                                  exercises to print from the mistakes, out of the reviews that are
                                                  there; --count, --newest and --theme choose some
  chuhe review games.pgn last.xqf --json reviews.jsonl
                                                  a line for each game; --pgn writes all, too
  chuhe review 'startpos moves h2e2 h9g7 …' --nodes 200000 --json -

Marks by the part of the winning chance that a move lost: ?! from 5 %, ? from 10 %, ?? from 20 %; ! is a move that is
better than all others by 10 %. Scores are red's: +M3 is mate in three, +R a win by the rules of repetition, +T one by
the endgame tables; under the curve X is a ??. `docs/review.md` explains the rest. Ctrl-C ends the search and writes
what is done.";

/// Nodes for each position where several games are reviewed.
const NODES_OF_SEVERAL: u64 = 100_000;
/// The hash table for one game, which is searched longer, in megabytes.
const HASH_OF_ONE: u32 = 128;

/// Arguments of `chuhe review`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ReviewArgs {
    /// Files of games, and folders of them, `-` for standard input; or a FEN or `startpos` with ` moves m1 m2 …` behind it
    #[arg(value_name = "GAME", required = true)]
    pub words: Vec<String>,
    /// Which games of a file: 1 is the first, -1 the last, 3..8 are six [default: all]
    #[arg(long = "game", value_name = "N|N..M|all")]
    pub number: Option<GameSelection>,
    /// Only part K of N of the games: for N machines that share a file
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Only the games of this person, summarised from that side; several times for several ways to write the name
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
    /// Seconds for each position [default: 1 for one game]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "measure")]
    pub time_per_move: Option<Duration>,
    /// Nodes for each position [default: 100000 for several games]
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u32>(1..=200))]
    pub depth: Option<u32>,
    /// How many threads search; of several games each is reviewed by one thread [default: as many as the machine runs at
    /// once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Size of the hash table in megabytes, of several games for each thread [default: 128 for one game, or else 16]
    #[arg(long, value_name = "MB", value_parser = number_in::<u32>(1..=1_048_576))]
    pub hash: Option<u32>,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    pub tables: Vec<PathBuf>,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none [default: asian]
    #[arg(long, value_name = "SET", value_parser = worded::<RuleSet>)]
    pub rules: Option<RuleSet>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    pub natural_limit: Option<usize>,
    /// Append the review of each game to this file, and pass over the games that are in it already; limits that are not given
    /// are those of the reviews in it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page to play through (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the games with comments, marks and variations (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How the moves of these games are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// How the characters of these games are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    pub encoding: Encoding,
    /// Write exercises to print from the mistakes, the costliest first, with the answers at the end; with --player from the
    /// mistakes of that person alone (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// So many exercises [default: 200]
    #[arg(long, value_name = "N", requires = "sheet", value_parser = number_in::<usize>(1..=MAX_EXERCISES))]
    count: Option<usize>,
    /// Exercises of the latest games first, instead of the costliest
    #[arg(long, requires = "sheet")]
    newest: bool,
    /// Only exercises whose best line shows this, such as `fork`; may be given more than once
    #[arg(long, value_name = "NAME", requires = "sheet", value_parser = tactics::theme)]
    theme: Vec<Motif>,
    /// Write everything for scripts, a line for each game (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    pub over: OverwriteArgs,
}

impl ReviewArgs {
    /// The game with its comments. In GBK it is for Chinese programs.
    pub fn annotated(&self, review: &Review) -> String {
        let language = if self.encoding == Encoding::Gbk { Language::CHINESE } else { Language::current() };
        language.with(|| pgn::write(&review::annotate(review), self.notation.unwrap_or_else(review::default_notation)))
    }

    /// The exercises of some mistakes; they are those of a person, if one was chosen.
    pub fn exercises(&self, mistakes: &MistakeCards) -> String {
        let themes = self.theme.iter().map(|theme| theme.phrase().to_string());
        let title = [tr!("Find the best move")].into_iter().chain(themes).collect::<Vec<_>>().join(" · ");
        let name = self.player.first().map_or("", |name| name.trim());
        let (per_page, language) = (PerPage::Four, Language::current());
        ExerciseSheet { title: &title, name, per_page, language, cards: mistakes.chosen(&self.choice()) }.html()
    }

    /// Which mistakes become exercises.
    pub fn choice(&self) -> MistakeChoice {
        MistakeChoice { themes: self.theme.clone(), newest: self.newest, count: self.count }
    }

    /// What becomes of the reviews in the journal: even --force, which is also about the other files, takes none away that can
    /// be gone on with.
    pub fn journal_start(&self) -> Start {
        if self.over.force { Start::BehindOrAnew } else { Start::Behind }
    }

    /// Whether a file is summarised, even if it has one game.
    pub fn is_about_several(&self) -> bool {
        self.shard.is_some()
            || self.number.is_some_and(|selection| selection.single().is_err())
            || self.out.is_some()
            || !self.player.is_empty()
    }

    /// The paths of the page, the games, the JSON and the exercises, each with the policy for overwriting.
    pub fn files(&self) -> [(Option<&Path>, OverwritePolicy); 4] {
        let policies = [
            OverwritePolicy::IfMarked(review::PAGE_MARK.as_bytes()),
            // A PGN file may hold games of others.
            OverwritePolicy::Never,
            OverwritePolicy::IfMarked(b"{\"generator\":\"Chuhe "),
            OverwritePolicy::IfMarked(train::SHEET_MARK.as_bytes()),
        ];
        let paths = [&self.html, &self.pgn, &self.json, &self.sheet].map(|path| path.as_deref());
        std::array::from_fn(|index| (paths[index], policies[index].or_force(self.over.force)))
    }

    pub fn rules(&self) -> Rules {
        Rules::with_limit(self.rules.unwrap_or_default(), self.natural_limit)
    }

    /// The limits of the search of a position.
    pub fn limits(&self, is_about_several: bool) -> Limits {
        match (self.nodes, self.depth, self.time_per_move) {
            (Some(nodes), ..) => Limits::nodes(nodes),
            (_, Some(depth), _) => Limits::depth(depth),
            (.., Some(time)) => Limits::move_time(time),
            _ if is_about_several => Limits::nodes(NODES_OF_SEVERAL),
            _ => Limits::move_time(Duration::from_secs(1)),
        }
    }

    pub fn thread_count(&self) -> usize {
        thread_count(self.threads.map(usize::from))
    }

    /// The size of a hash table in megabytes.
    pub fn hash_mb(&self, is_about_several: bool) -> u32 {
        self.hash.unwrap_or(if is_about_several { SMALL_HASH_MB as u32 } else { HASH_OF_ONE })
    }

    pub fn tablebase(&self) -> Arc<Tablebase> {
        Arc::new(Tablebase::open(&self.tables))
    }

    /// A searcher for one game with all threads, or for one of several.
    pub fn searcher(&self, is_about_several: bool, tablebase: Arc<Tablebase>) -> Result<Searcher, HashSizeError> {
        let threads = if is_about_several { 1 } else { self.thread_count() };
        // No host is involved, so no time overhead is needed.
        let options = Options { threads, rules: self.rules(), overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, self.hash_mb(is_about_several) as usize)?;
        searcher.tablebase = Some(tablebase);
        Ok(searcher)
    }
}
