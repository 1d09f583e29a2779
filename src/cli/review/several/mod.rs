//! The review of many games: as many at a time as there are threads, written in the order of their files.
//!
//! `reader` reads the games as they are needed, `workers` reviews them, `journal` keeps the reviews of `--out`, `outputs` writes
//! them. Memory goes by the longest games and the number of threads: reviews that are written are forgotten.

mod journal;
mod outputs;
mod reader;
mod workers;

pub use reader::{GameFile, game_files};

use super::{POLL_INTERVAL, ReviewArgs, ReviewError, search_failed};
use crate::cli::output::print_tablebase_warnings;
use chuhe_study::review::{GamePlace, PlayerNames, Review};
use chuhe_support::files::{OutputError, is_stdio};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use journal::ReviewJournal;
use outputs::Outputs;
use reader::{GameReader, Reading, ReadingError};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use workers::{Outcome, ReviewJob, Workers};

/// Games for each thread that may be read ahead of the next one to write.
const LOOKAHEAD_PER_THREAD: usize = 4;

/// A game that is not written yet.
struct Slot {
    place: GamePlace,
    state: SlotState,
}

enum SlotState {
    Running,
    Reviewed(Box<Review>),
    /// Why there is no review, in English.
    Fault(String),
    /// Ctrl-C has ended it.
    Stopped,
}

/// Reviews the games that the arguments select; returns the exit code.
pub fn run(args: &ReviewArgs, files: Vec<GameFile>, out: &mut dyn Write, is_terminal: bool) -> Result<u8, ReviewError> {
    if args.out.as_deref().is_some_and(is_stdio) {
        return Err(OutputError::StdoutNotAllowed.into());
    }
    let person = PlayerNames::new(&args.player)?;
    let tablebase = args.tablebase();
    let journal = args.out.as_deref().map(|path| ReviewJournal::open(path, args)).transpose()?;
    let interrupts = InterruptHandler::install()?;
    let progress = ProgressDisplay::new(0);
    let outputs = Outputs::open(args, person.clone(), out, is_terminal)?;
    let threads = args.thread_count();
    let window = LOOKAHEAD_PER_THREAD * threads;
    let is_counted = progress.is_shown();
    let reader = GameReader::start(files, args, person, window, is_counted)?;
    let code = std::thread::scope(|scope| {
        let workers = Workers::start(scope, args, threads, &tablebase)?;
        let slots = VecDeque::new();
        let mut work = SeveralRun {
            reader,
            workers,
            journal,
            outputs,
            progress,
            slots,
            window,
            written: 0,
            kept_positions: 0,
            is_at_end: false,
            has_faults: false,
        };
        let is_interrupted = work.run_all(&interrupts)?;
        work.finish(is_interrupted)
    })?;
    print_tablebase_warnings(&tablebase);
    Ok(code)
}

struct SeveralRun<'a> {
    reader: GameReader,
    workers: Workers,
    journal: Option<ReviewJournal>,
    outputs: Outputs<'a>,
    progress: ProgressDisplay,
    /// The games that were read and not written, in their order.
    slots: VecDeque<Slot>,
    /// Games that may be read and not yet written.
    window: usize,
    /// How many games were written.
    written: usize,
    /// The positions of reviews out of the journal.
    kept_positions: usize,
    is_at_end: bool,
    /// Something could not be read.
    has_faults: bool,
}

impl SeveralRun<'_> {
    /// Reviews all games; true if Ctrl-C ended that early.
    fn run_all(&mut self, interrupts: &InterruptHandler) -> Result<bool, ReviewError> {
        loop {
            self.fill()?;
            self.write_ready()?;
            self.show_progress();
            if self.slots.is_empty() && self.is_at_end {
                return Ok(false);
            }
            if interrupts.poll().is_some() {
                self.stop()?;
                return Ok(true);
            }
            match self.workers.outcomes.recv_timeout(POLL_INTERVAL) {
                Ok((index, outcome)) => self.take(index, outcome)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(search_failed()),
            }
        }
    }

    /// Gives games to the workers until there are as many as may be.
    fn fill(&mut self) -> Result<(), ReviewError> {
        while self.slots.len() < self.window && !self.is_at_end {
            let (place, state) = match self.reader.readings.try_recv() {
                Ok(Reading::Game { place, game, is_whole }) => {
                    self.has_faults |= !is_whole;
                    let kept = self.journal.as_mut().map(|journal| journal.kept(&game)).transpose()?.flatten();
                    let index = self.written + self.slots.len();
                    self.workers.submit(ReviewJob { index, game, kept });
                    (place, SlotState::Running)
                }
                Ok(Reading::Fault { place, error }) => {
                    self.has_faults = true;
                    (place, SlotState::Fault(error))
                }
                Ok(Reading::BadFile(error)) => {
                    self.has_faults = true;
                    match error {
                        ReadingError::Only(error) => return Err(error.into()),
                        ReadingError::OneOfSeveral => continue,
                    }
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_at_end = true;
                    break;
                }
            };
            self.slots.push_back(Slot { place, state });
        }
        Ok(())
    }

    /// Takes a review, and keeps it in the journal at once.
    fn take(&mut self, index: usize, outcome: Outcome) -> Result<(), ReviewError> {
        let Some(slot) = self.slots.get_mut(index - self.written) else { return Ok(()) };
        slot.state = match outcome {
            Outcome::Reviewed(review) => {
                if let Some(journal) = &mut self.journal {
                    journal.append(&slot.place, &review)?;
                }
                SlotState::Reviewed(review)
            }
            Outcome::Kept(review) => {
                self.kept_positions += review.positions.len();
                self.progress.set_already_done((self.kept_positions + self.workers.positions()) as u64);
                SlotState::Reviewed(review)
            }
            Outcome::Stopped => SlotState::Stopped,
            Outcome::Failed(error) => return Err(error),
        };
        Ok(())
    }

    /// Writes every game whose turn has come.
    fn write_ready(&mut self) -> Result<(), ReviewError> {
        while self.slots.front().is_some_and(|slot| !matches!(slot.state, SlotState::Running)) {
            let Some(slot) = self.slots.pop_front() else { break };
            self.written += 1;
            let (outputs, progress) = (&mut self.outputs, &self.progress);
            progress.suspend(|| match &slot.state {
                SlotState::Reviewed(review) => outputs.add(&slot.place, review),
                SlotState::Fault(error) => outputs.add_error(&slot.place, error),
                // A part of a review is no review: the next run makes it.
                SlotState::Running | SlotState::Stopped => Ok(()),
            })?;
        }
        Ok(())
    }

    /// Ends the searches, and writes the games that are reviewed.
    fn stop(&mut self) -> Result<(), ReviewError> {
        self.workers.stop();
        while self.slots.iter().any(|slot| matches!(slot.state, SlotState::Running)) {
            let Ok((index, outcome)) = self.workers.outcomes.recv() else { break };
            self.take(index, outcome)?;
        }
        self.write_ready()
    }

    fn finish(self, is_interrupted: bool) -> Result<u8, ReviewError> {
        let SeveralRun { outputs, progress, reader, workers, .. } = self;
        drop((progress, workers));
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

    fn show_progress(&self) {
        let done = self.written;
        let text = match self.reader.total() {
            Some(total) => {
                self.progress.set_total(total.positions as u64);
                tr!("{done} of {total} games", done, total = total.games)
            }
            None => tr!("games: {games}", games = done),
        };
        self.progress.set((self.kept_positions + self.workers.positions()) as u64, &text);
    }
}
