//! The review of many games: as many at a time as there are threads, written in the order of their files.
//!
//! `reader` reads the games as they are needed, `workers` reviews them, `journal` keeps the reviews of `--out`, `outputs` writes
//! them. Memory goes by the longest games and the number of threads: reviews that are written are forgotten.

mod journal;
mod outputs;
mod reader;
mod workers;

pub use reader::{GameFile, game_files};

use super::{ReviewArgs, ReviewError};
use crate::cli::output::print_tablebase_warnings;
use chuhe_engine::search::Control;
use chuhe_study::review::{GamePlace, PlayerNames};
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::files::{OutputError, is_stdio};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use journal::ReviewJournal;
use outputs::Outputs;
use reader::{GameReader, Reading, ReadingError};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::TryRecvError;
use workers::{FinishedReview, ReviewJob};

/// Games for each thread that may be read ahead of the next one to write.
const LOOKAHEAD_PER_THREAD: usize = 4;

/// Reviews the games that the arguments select; returns the exit code.
pub fn run(args: &ReviewArgs, files: Vec<GameFile>, out: &mut dyn Write, is_terminal: bool) -> Result<u8, ReviewError> {
    if args.out.as_deref().is_some_and(is_stdio) {
        return Err(OutputError::StdoutNotAllowed.into());
    }
    let args = &journal::with_kept_conditions(args);
    let person = PlayerNames::new(&args.player)?;
    let tablebase = args.tablebase();
    let journal = args.out.as_deref().map(|path| ReviewJournal::open(path, args)).transpose()?;
    let progress = ProgressDisplay::new(0);
    let outputs = Outputs::open(args, person.clone(), out, is_terminal)?;
    let threads = args.thread_count();
    let window = LOOKAHEAD_PER_THREAD * threads;
    let is_counted = progress.is_shown();
    let reader = GameReader::start(files, args, person, window, is_counted)?;
    let (control, positions) = (Arc::new(Control::new(false)), AtomicUsize::new(0));
    let workers = (0..threads).map(|_| workers::reviewer(args, &tablebase, &control, &positions)).collect();
    let mut work = SeveralRun {
        reader,
        journal,
        outputs,
        progress,
        written: 0,
        positions: &positions,
        kept_positions: 0,
        has_faults: false,
    };
    let is_interrupted = batch::run(&mut work, "review", window, workers, &control)?;
    let code = work.finish(is_interrupted)?;
    print_tablebase_warnings(&tablebase);
    Ok(code)
}

/// A game to review, and why there is no review, in English, if it cannot be read.
struct GameItem {
    place: GamePlace,
    fault: Option<String>,
}

struct SeveralRun<'a> {
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
}

impl Batch for SeveralRun<'_> {
    type Item = GameItem;
    type Job = ReviewJob;
    type Answer = FinishedReview;
    type Error = ReviewError;

    fn next(&mut self) -> Result<Next<GameItem, ReviewJob>, ReviewError> {
        loop {
            return Ok(match self.reader.readings.try_recv() {
                Ok(Reading::Game { place, game, is_whole }) => {
                    self.has_faults |= !is_whole;
                    let kept = self.journal.as_mut().map(|journal| journal.kept(&game)).transpose()?.flatten();
                    Next::Job(GameItem { place, fault: None }, ReviewJob { game, kept })
                }
                Ok(Reading::Fault { place, error }) => {
                    self.has_faults = true;
                    Next::Settled(GameItem { place, fault: Some(error) })
                }
                Ok(Reading::BadFile(ReadingError::Only(error))) => return Err(error.into()),
                Ok(Reading::BadFile(ReadingError::OneOfSeveral)) => {
                    self.has_faults = true;
                    continue;
                }
                Err(TryRecvError::Empty) => Next::NotYet,
                Err(TryRecvError::Disconnected) => Next::End,
            });
        }
    }

    /// Keeps a review in the journal at once.
    fn answered(&mut self, item: &GameItem, answer: &FinishedReview) -> Result<(), ReviewError> {
        if answer.is_kept {
            self.kept_positions += answer.review.positions.len();
            self.progress.set_already_done(self.done_positions());
        } else if let Some(journal) = &mut self.journal {
            journal.append(&item.place, &answer.review)?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        item: GameItem,
        answer: Option<FinishedReview>,
        _: Option<(&GameItem, Option<&FinishedReview>)>,
    ) -> Result<(), ReviewError> {
        self.written += 1;
        let (outputs, progress) = (&mut self.outputs, &self.progress);
        progress.suspend(|| match (&answer, &item.fault) {
            (Some(answer), _) => outputs.add(&item.place, &answer.review),
            (None, Some(error)) => outputs.add_error(&item.place, error),
            // A part of a review is no review: the next run makes it.
            (None, None) => Ok(()),
        })
    }

    fn show_progress(&mut self) {
        let done = self.written;
        let text = match self.reader.total() {
            Some(total) => {
                self.progress.set_total(total.positions as u64);
                tr!("{done} of {total} games", done, total = total.games)
            }
            None => tr!("games: {games}", games = done),
        };
        self.progress.set(self.done_positions(), &text);
    }
}

impl SeveralRun<'_> {
    fn done_positions(&self) -> u64 {
        (self.kept_positions + self.positions.load(Ordering::Relaxed)) as u64
    }

    fn finish(self, is_interrupted: bool) -> Result<u8, ReviewError> {
        let SeveralRun { outputs, progress, reader, .. } = self;
        drop(progress);
        let is_empty = outputs.count() == 0;
        if let Some(error) = reader.no_game().filter(|_| is_empty && !is_interrupted) {
            return Err(error);
        }
        outputs.finish()?;
        Ok(match (is_interrupted, self.has_faults) {
            (true, _) => EXIT_INTERRUPTED,
            // The errors have been printed.
            (false, true) => 1 + u8::from(is_empty),
            (false, false) => 0,
        })
    }
}
