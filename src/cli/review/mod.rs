//! `chuhe review`: analyses every move of a game, or of many.

mod args;
mod several;

pub use args::ReviewArgs;

use super::game_files::GameFilesError;
use super::game_selection::GameSelection;
use super::output::{self, print_tablebase_warnings};
use super::position_args::{self, InputError, InputSpec, LoadedGame};
use crate::cli::journal::JournalError;
use chuhe_engine::search::{Control, HashSizeError, Searcher};
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{self, AnalysisObserver, PlayerNamesError, Review};
use chuhe_study::train::MistakeCards;
use chuhe_support::POLL_INTERVAL;
use chuhe_support::batch::search_failed;
use chuhe_support::date;
use chuhe_support::files::{FileError, OutputError, is_stdio, is_stream};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler, StopRequest};
use chuhe_support::language::{NoThread, reason, sanitize, tr};
use chuhe_support::messages::Localize;
use chuhe_support::terminal::{self, ProgressDisplay};
use several::GameFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::{Encoding, Game};

/// An error of `chuhe review`.
#[derive(Debug, Error)]
pub enum ReviewError {
    #[error(transparent)]
    Game(#[from] InputError),
    #[error(transparent)]
    Files(#[from] GameFilesError),
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    #[error(transparent)]
    Thread(#[from] NoThread),
    #[error("{}", tr!("cannot write the review: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
    #[error("{}", tr!("--player: {error}", error = _0))]
    Player(#[from] PlayerNamesError),
    #[error("{}", tr!("no game of {player}", player = sanitize(_0)))]
    NoGameOf(String),
    #[error("{}", tr!("no game of {player}; names that recur: {names}", player = sanitize(player), names = sanitize(names)))]
    NoGameOfThese { player: String, names: String },
    #[error("{}", tr!("{file} is named twice, and cannot be two files", file = .0.display()))]
    SameFile(PathBuf),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl From<FileError> for ReviewError {
    fn from(error: FileError) -> ReviewError {
        OutputError::from(error).into()
    }
}

/// What is reviewed.
enum Subject {
    One(InputSpec),
    /// The only game of a file, which may be standard input.
    Loaded(Box<LoadedGame>),
    Several(Vec<GameFile>),
}

impl Subject {
    /// One game, unless several were selected, or a file has several and none was selected.
    fn of(args: &ReviewArgs) -> Result<Subject, ReviewError> {
        let paths: Vec<PathBuf> = args.words.iter().map(PathBuf::from).collect();
        let is_there = |path: &PathBuf| is_stdio(path) || path.exists();
        if paths.len() > 1 && paths.iter().any(is_there) || paths[0].is_dir() {
            return Ok(Subject::Several(several::game_files(&paths)?));
        }
        let input = position_args::parse_input(&args.words.join(" "))?;
        let InputSpec::File(file) = &input else { return Ok(Subject::One(input)) };
        if args.is_about_several() {
            let source = position_args::open(file)?;
            return Ok(Subject::Several(vec![GameFile::opened(file, source)]));
        }
        if args.number.is_some() {
            return Ok(Subject::One(input));
        }
        let source = position_args::open(file)?;
        if position_args::has_several_games(&source) {
            return Ok(Subject::Several(vec![GameFile::opened(file, source)]));
        }
        let game = position_args::game_of_file(&source, file, 1)?;
        Ok(Subject::Loaded(Box::new(LoadedGame {
            is_complete: game.errors.is_empty(),
            game: position_args::game_with_warnings(file, game),
        })))
    }
}

/// Reviews a game or several, and writes the requested files.
pub fn run(args: &ReviewArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, ReviewError> {
    // Fails before the search if the files cannot be written.
    output::check_single_stdout(args.files().map(|(path, _)| path))?;
    let paths: Vec<&Path> = args.files().into_iter().filter_map(|(path, _)| path).chain(args.out.as_deref()).collect();
    if let Some(path) = (1..paths.len()).find_map(|index| paths[..index].iter().find(|path| **path == paths[index])) {
        return Err(ReviewError::SameFile(path.to_path_buf()));
    }
    for (path, over) in args.files() {
        path.filter(|path| !is_stdio(path)).map_or(Ok(()), |path| over.check(path))?;
    }
    let loaded = match Subject::of(args)? {
        Subject::Several(files) => return Ok(ExitCode::from(several::run(args, files, out, is_terminal)?)),
        Subject::One(input) => {
            let number = args.number.and_then(|selection: GameSelection| selection.single().ok());
            input.game(number)?
        }
        Subject::Loaded(loaded) => *loaded,
    };
    let LoadedGame { game, is_complete } = loaded;
    let tablebase = args.tablebase();
    let mut searcher = args.searcher(false, Arc::clone(&tablebase))?;
    let review = review_one(args, game, &mut searcher)?;
    write(args, &review, out, is_terminal)?;
    print_tablebase_warnings(&tablebase);
    Ok(ExitCode::from(if review.is_complete() { u8::from(!is_complete) } else { EXIT_INTERRUPTED }))
}

/// Reviews a game as far as Ctrl-C lets it.
fn review_one(args: &ReviewArgs, game: Game, searcher: &mut Searcher) -> Result<Review, ReviewError> {
    let control = Arc::new(Control::new(false));
    stop_on_interrupt(InterruptHandler::install()?, Arc::clone(&control))?;
    let limits = args.limits(false);
    let found = std::thread::scope(|scope| {
        let work = || {
            let mut progress = ReviewProgressBar(ProgressDisplay::new(1));
            review::analyse_game(&game, searcher, &limits, &control, &mut progress)
        };
        let thread = std::thread::Builder::new().name("review".to_string()).spawn_scoped(scope, work);
        let found = thread.map_err(NoThread)?.join();
        Ok::<_, ReviewError>(found.map_err(|_| search_failed())?)
    })?;
    let mut review = Review::of(game, args.rules(), found);
    review.find_reasons(searcher.tablebase.as_deref(), &ReasonLimits::default(), &control);
    Ok(review)
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

/// That a file was written, on a line.
fn written_line(path: &Path) -> String {
    if is_stream(path) {
        return String::new();
    }
    let path = path.display().to_string();
    format!("{}\n", tr!("written: {path}", path = sanitize(&path)))
}

fn write(args: &ReviewArgs, review: &Review, out: &mut dyn Write, is_terminal: bool) -> Result<(), ReviewError> {
    let page_of = || review::page(review);
    let game = || args.annotated(review);
    let json = || review::json(review) + "\n";
    let sheet = || {
        let mut mistakes = MistakeCards::default();
        mistakes.add(review, &Color::ALL, date::unix_seconds());
        args.exercises(&mistakes)
    };
    let texts: [(&dyn Fn() -> String, Encoding); 4] =
        [(&page_of, Encoding::Utf8), (&game, args.encoding), (&json, Encoding::Utf8), (&sheet, Encoding::Utf8)];
    // Files are written first: the reader of the table may close the output early.
    let (mut written, mut piped) = (String::new(), None);
    for ((path, over), (text, encoding)) in args.files().into_iter().zip(texts) {
        match path {
            Some(path) if is_stdio(path) => piped = Some(encoding.encode(&text()).into_owned()),
            Some(path) => {
                over.write(path, &encoding.encode(&text()))?;
                written += &written_line(path);
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
