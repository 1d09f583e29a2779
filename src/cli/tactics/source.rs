//! The tactics that a command is given: those of a file, or of the program; and work on many of them at a time.

use crate::cli::exercise_error::ExerciseError;
use chuhe_engine::search::Control;
use chuhe_study::tactics::{self, Tactic, TacticSelection};
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::files::{At, MAX_INPUT_SIZE, read_input};
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use std::path::{Path, PathBuf};

/// The tactics of a file, or those of the program.
pub fn read(file: Option<&Path>) -> Result<Vec<Tactic>, ExerciseError> {
    let Some(file) = file else { return Ok(tactics::embedded().to_vec()) };
    let bytes = read_input(file, MAX_INPUT_SIZE, |_| true).at(file)?;
    tactics::read_file(&bytes).map_err(|error| ExerciseError::NoTactics(PathBuf::from(file), error))
}

/// So many of them, drawn at random, in their order; all if there is no number.
pub fn sample(tactics: Vec<Tactic>, count: Option<usize>, seed: u64) -> Vec<Tactic> {
    TacticSelection { count, seed, ..TacticSelection::default() }.of(tactics)
}

/// Works on each tactic by as many workers as given, and hears of the answers in order. Returns whether it was
/// interrupted.
pub fn for_each<A: Send, W: FnMut(&Tactic) -> Option<A> + Send>(
    tactics: &[Tactic],
    workers: Vec<W>,
    control: &Control,
    mut hear: impl FnMut(&Tactic, A) -> Result<(), ExerciseError>,
) -> Result<bool, ExerciseError> {
    let work = |mut worker: W| move |index: usize| Ok(worker(&tactics[index]));
    let workers = workers.into_iter().map(work).collect();
    let progress = ProgressDisplay::new(tactics.len() as u64);
    let mut run = Each { tactics, next: 0, done: 0, is_over: false, progress, hear: &mut hear };
    batch::run(&mut run, "tactics", tactics.len().max(1), workers, control)
}

struct Each<'a, A> {
    tactics: &'a [Tactic],
    next: usize,
    done: usize,
    /// One was not answered: what comes behind it is not heard of.
    is_over: bool,
    progress: ProgressDisplay,
    hear: &'a mut dyn FnMut(&Tactic, A) -> Result<(), ExerciseError>,
}

impl<A: Send> Batch for Each<'_, A> {
    type Item = usize;
    type Job = usize;
    type Answer = A;
    type Error = ExerciseError;

    fn next(&mut self) -> Result<Next<usize, usize>, ExerciseError> {
        self.next += 1;
        Ok(if self.next > self.tactics.len() { Next::End } else { Next::Job(self.next - 1, self.next - 1) })
    }

    fn answered(&mut self, _: &usize, _: &A) -> Result<(), ExerciseError> {
        self.done += 1;
        Ok(())
    }

    fn write(&mut self, index: usize, answer: Option<A>, _: Option<(&usize, Option<&A>)>) -> Result<(), ExerciseError> {
        self.is_over |= answer.is_none();
        match answer.filter(|_| !self.is_over) {
            Some(answer) => (self.hear)(&self.tactics[index], answer),
            None => Ok(()),
        }
    }

    fn show_progress(&mut self) {
        let (done, total) = (self.done, self.tactics.len());
        self.progress.set(done as u64, &tr!("{done} of {total} tactics", done, total));
    }
}
