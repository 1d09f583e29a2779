//! Analyses many positions: as many at a time as there are threads, printed in the order of the list.

use super::args::AnalyseArgs;
use super::entries::{ListEntry, PositionList};
use super::error::AnalyseError;
use super::journal::{self, KeptLines};
use super::output::{self, ErrorLine, PlayedMove, ReportLine, Subject, TextStyle};
use crate::cli::journal::Journal;
use crate::cli::output::print_tablebase_warnings;
use chuhe_study::analyse::{Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources};
use chuhe_study::review::{Assessment, move_loss, round_to};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use xiangqi::Move;

/// Positions for each analyst that may be submitted ahead of the next one to print.
const LOOKAHEAD_PER_ANALYST: usize = 8;
/// How often Ctrl-C is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Where answers are written, one for each position.
enum AnswerSink<'a> {
    Output(&'a mut dyn Write),
    Log(Journal),
}

/// An answer, in the form that its thread has made of it.
enum AnswerText {
    Row(String),
    Report(Box<AnalysisReport>),
}

struct ListAnswer {
    /// Counted from the first entry of this run.
    index: usize,
    text: AnswerText,
    /// Of the side to move.
    assessment: Option<Assessment>,
    best: Option<Move>,
    complete: bool,
}

/// Formats an answer, on the thread of the analyst.
type AnswerFormatter = Arc<dyn Fn(&str, &Analysis) -> AnswerText + Send + Sync>;

/// An entry whose answer has not been printed.
struct Slot {
    entry: ListEntry,
    answer: Option<ListAnswer>,
}

impl Slot {
    /// Whether nothing more comes: it is answered, or there is an error instead.
    fn is_settled(&self) -> bool {
        self.answer.is_some() || self.entry.query.is_err()
    }

    /// Whether another one is about the next position of the same game, where every position is in the list.
    fn is_followed_by(&self, next: &Slot) -> bool {
        let ply = |slot: &Slot| slot.entry.query.as_ref().map(|query| query.position.ply()).ok();
        let is_same_game = match (&self.entry.game, &next.entry.game) {
            (Some(game), Some(other)) => Arc::ptr_eq(game, other),
            (game, other) => game.is_none() && other.is_none(),
        };
        is_same_game && ply(self).zip(ply(next)).is_some_and(|(ply, next)| ply + 1 == next)
    }
}

pub fn run(
    args: &AnalyseArgs,
    mut list: PositionList,
    style: &TextStyle,
    out: &mut dyn Write,
) -> Result<ExitCode, AnalyseError> {
    if args.every.is_some() {
        return Err(AnalyseError::Every);
    }
    let (at_once, resources) = args.resources(false)?;
    let (sink, kept) = match &args.out {
        Some(path) => {
            let (log, kept) = journal::open(path, args.over.force, &mut list.entries, &resources)?;
            (AnswerSink::Log(log), kept)
        }
        None => (AnswerSink::Output(out), KeptLines::default()),
    };
    let is_json = args.json || args.out.is_some();
    let window = LOOKAHEAD_PER_ANALYST * at_once;
    // Fewer positions need fewer analysts, with the same resources each.
    let entries: Vec<ListEntry> = list.entries.by_ref().take(at_once).collect();
    let analysts = entries.len().max(1);
    list.entries = Box::new(entries.into_iter().chain(list.entries));
    let progress = ProgressDisplay::new(0);
    let total = list.count.as_ref().filter(|_| progress.is_shown()).map(|count| count());
    if let Some(total) = total {
        progress.set_total(total as u64);
    }
    progress.set_already_done((kept.answers + kept.faults) as u64);
    let mut work = ListRun {
        pool: AnalystPool::open(analysts, &resources)?,
        every_ply: args.every_ply,
        list,
        formatter: formatter(is_json, style.clone(), resources.clone()),
        is_json,
        is_at_end: false,
        window,
        slots: VecDeque::new(),
        printed: 0,
        kept,
        sink,
        progress,
        total,
    };
    let interrupted = work.run_all(&InterruptHandler::install()?)?;
    let KeptLines { answers, faults } = work.kept;
    drop(work);
    print_tablebase_warnings(&resources.tablebases);
    Ok(match (interrupted, answers, faults) {
        (true, ..) => ExitCode::from(EXIT_INTERRUPTED),
        (false, _, 0) => ExitCode::SUCCESS,
        // The errors have been printed already.
        (false, 0, _) => ExitCode::from(2),
        (false, ..) => ExitCode::from(1),
    })
}

fn formatter(is_json: bool, style: TextStyle, resources: AnalystResources) -> AnswerFormatter {
    if is_json {
        return Arc::new(move |_, analysis| AnswerText::Report(Box::new(AnalysisReport::of(analysis, &resources))));
    }
    Arc::new(move |label, analysis| AnswerText::Row(output::row(label, analysis, &style)))
}

/// The state of a list that is being analysed.
struct ListRun<'a> {
    pool: AnalystPool,
    list: PositionList<'a>,
    every_ply: bool,
    formatter: AnswerFormatter,
    is_json: bool,
    /// The list has no more entries.
    is_at_end: bool,
    /// Positions that may be submitted and not yet printed.
    window: usize,
    /// The entries that were submitted and not printed, in their order.
    slots: VecDeque<Slot>,
    /// How many entries were printed in this run.
    printed: usize,
    /// What has been written, with that of earlier runs.
    kept: KeptLines,
    sink: AnswerSink<'a>,
    progress: ProgressDisplay,
    total: Option<usize>,
}

impl ListRun<'_> {
    /// Analyses the rest of the list; true if Ctrl-C ended it early.
    fn run_all(&mut self, interrupts: &InterruptHandler) -> Result<bool, AnalyseError> {
        let (sender, answers) = mpsc::channel();
        self.show_progress();
        loop {
            self.fill(&sender);
            self.print_settled()?;
            match (self.slots.is_empty(), self.is_at_end) {
                (true, true) => return Ok(false),
                (true, false) => continue,
                (false, _) => {}
            }
            if interrupts.poll().is_some() {
                self.stop(&answers)?;
                return Ok(!self.slots.is_empty() || !self.is_at_end);
            }
            match answers.recv_timeout(POLL_INTERVAL) {
                Ok(answer) => self.take(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the search has failed").into());
                }
            }
        }
    }

    /// Submits entries until there are as many as may be.
    fn fill(&mut self, answers: &Sender<ListAnswer>) {
        while self.slots.len() < self.window {
            let Some(entry) = self.list.entries.next() else {
                self.is_at_end = true;
                break;
            };
            if let Ok(query) = &entry.query {
                let index = self.printed + self.slots.len();
                let (formatter, answers) = (Arc::clone(&self.formatter), answers.clone());
                let label = self.list.label(&entry, self.every_ply);
                let handler = move |word| {
                    if let AnalysisUpdate::Final(analysis) = word {
                        let text = formatter(&label, &analysis);
                        let best = analysis.lines.first().map(|line| line.moves[0]);
                        let (assessment, complete) = (analysis.assessment, analysis.complete);
                        // The receiver is gone after a cancel.
                        let _ = answers.send(ListAnswer { index, text, assessment, best, complete });
                    }
                };
                self.pool.submit(query.clone(), 0, Box::new(handler));
            }
            self.slots.push_back(Slot { entry, answer: None });
        }
    }

    /// Cancels the running analyses, and keeps the answers that are ready.
    fn stop(&mut self, answers: &Receiver<ListAnswer>) -> Result<(), AnalyseError> {
        self.pool.cancel_all();
        self.pool.wait_for_pending(0);
        answers.try_iter().for_each(|answer| self.take(answer));
        self.print_settled()
    }

    fn take(&mut self, answer: ListAnswer) {
        if answer.complete
            && let Some(slot) = self.slots.get_mut(answer.index - self.printed)
        {
            slot.answer = Some(answer);
        }
    }

    /// Prints every answer whose turn has come. What a move of the game loses is known from the next position.
    fn print_settled(&mut self) -> Result<(), AnalyseError> {
        while self.slots.front().is_some_and(Slot::is_settled) {
            let is_ready = match self.slots.get(1) {
                Some(next) => !self.slots[0].is_followed_by(next) || next.is_settled(),
                None => self.is_at_end,
            };
            if self.shows_moves() && !is_ready {
                break;
            }
            let played_move = self.played_move();
            let Some(slot) = self.slots.pop_front() else { break };
            self.printed += 1;
            self.print(slot, played_move)?;
            self.show_progress();
        }
        Ok(())
    }

    /// Whether answers tell the moves of the game, and what they lose.
    fn shows_moves(&self) -> bool {
        self.is_json && self.every_ply
    }

    /// The move of the game at the first entry.
    fn played_move(&self) -> Option<PlayedMove> {
        let slot = self.slots.front().filter(|_| self.shows_moves())?;
        let mv = slot.entry.query.as_ref().ok()?.position.next_move();
        let after = self.slots.get(1).filter(|next| slot.is_followed_by(next)).and_then(|next| next.answer.as_ref());
        let loss = slot.answer.as_ref().zip(after).and_then(|(before, after)| {
            let is_best = before.best == mv;
            Some(move_loss(before.assessment?, after.assessment?.opposite(), is_best))
        });
        Some(PlayedMove { mv: mv.map(|mv| mv.to_string()), loss: loss.map(|loss| round_to(loss, 10_000.0)) })
    }

    fn print(&mut self, slot: Slot, played_move: Option<PlayedMove>) -> Result<(), AnalyseError> {
        let ListEntry { number, id, game, query } = slot.entry;
        let subject = Subject { number: Some(number), played_move, ..Subject::of_id(&id).with_game(game.as_deref()) };
        match &query {
            Ok(_) => self.kept.answers += 1,
            Err(_) => self.kept.faults += 1,
        }
        let text = match (slot.answer.map(|answer| answer.text), query) {
            (Some(AnswerText::Row(row)), _) => row,
            (Some(AnswerText::Report(report)), _) => {
                output::to_json_line(&ReportLine { subject, r#final: true, report: &report }) + "\n"
            }
            (None, Err(error)) if self.is_json => output::to_json_line(&ErrorLine { subject, error: &error }) + "\n",
            (None, _) => String::new(),
        };
        match &mut self.sink {
            AnswerSink::Log(log) => drop(log.append(&text)?),
            AnswerSink::Output(out) => {
                self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
            }
        }
        Ok(())
    }

    fn show_progress(&self) {
        let done = self.kept.answers + self.kept.faults;
        let text = match self.total {
            Some(total) => tr!("{done} of {total} positions", done, total),
            None => tr!("{done} positions", done),
        };
        self.progress.set(done as u64, &text);
    }
}
