//! Analyses many positions: as many at a time as there are threads, printed in the order of the list.

use super::args::AnalyseArgs;
use super::entries::{ListEntry, PositionList};
use super::error::AnalyseError;
use super::journal::{self, KeptLines};
use super::output::{self, ErrorLine, PlayedMove, ReportLine, Subject, TextStyle};
use crate::cli::journal::Journal;
use crate::cli::output::print_tablebase_warnings;
use chuhe_engine::search::Control;
use chuhe_study::analyse::{Analysis, AnalysisReport, Analyst, AnalystResources, Query};
use chuhe_study::review::{Assessment, move_loss, round_to};
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use xiangqi::Move;

/// Positions for each analyst that may be submitted ahead of the next one to print.
const LOOKAHEAD_PER_ANALYST: usize = 8;

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
    text: AnswerText,
    /// Of the side to move.
    assessment: Option<Assessment>,
    best: Option<Move>,
}

/// What is asked about an entry, and what people call it.
type ListJob = (Arc<Query>, String);

/// Formats an answer, on the thread of the analyst.
type AnswerFormatter = Box<dyn Fn(&str, &Analysis) -> AnswerText + Send + Sync>;

/// Whether an entry is about the next position of the same game as another, where every position is in the list.
fn is_followed_by(entry: &ListEntry, next: &ListEntry) -> bool {
    let ply = |entry: &ListEntry| entry.query.as_ref().map(|query| query.position.ply()).ok();
    let is_same_game = match (&entry.game, &next.game) {
        (Some(game), Some(other)) => Arc::ptr_eq(game, other),
        (game, other) => game.is_none() && other.is_none(),
    };
    is_same_game && ply(entry).zip(ply(next)).is_some_and(|(ply, next)| ply + 1 == next)
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
    let control = Control::new(false);
    let formatter = formatter(is_json, style.clone(), resources.clone());
    let analysts = (0..analysts).map(|_| Analyst::new(&resources)).collect::<Result<Vec<_>, _>>()?;
    let shows_moves = is_json && args.every_ply;
    let every_ply = args.every_ply;
    let mut work = ListRun {
        list,
        every_ply,
        shows_moves,
        is_json,
        is_at_end: false,
        is_over: false,
        kept,
        sink,
        progress,
        total,
    };
    let workers = analysts.into_iter().map(|analyst| worker(analyst, &formatter, &control)).collect();
    let interrupted = batch::run(&mut work, "analyst", window, workers, &control)?;
    let interrupted = interrupted && (work.is_over || !work.is_at_end);
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

/// An analyst that answers one entry after the other.
fn worker<'a>(
    mut analyst: Analyst,
    formatter: &'a AnswerFormatter,
    control: &'a Control,
) -> impl FnMut(ListJob) -> Result<Option<ListAnswer>, AnalyseError> + Send + 'a {
    move |(query, label)| {
        let analysis = analyst.analyse(&query, control, &mut |_| {});
        let best = analysis.lines.first().map(|line| line.moves[0]);
        let answer = ListAnswer { text: formatter(&label, &analysis), assessment: analysis.assessment, best };
        Ok(analysis.complete.then_some(answer))
    }
}

fn formatter(is_json: bool, style: TextStyle, resources: AnalystResources) -> AnswerFormatter {
    if is_json {
        return Box::new(move |_, analysis| AnswerText::Report(Box::new(AnalysisReport::of(analysis, &resources))));
    }
    Box::new(move |label, analysis| AnswerText::Row(output::row(label, analysis, &style)))
}

/// The state of a list that is being analysed.
struct ListRun<'a> {
    list: PositionList<'a>,
    every_ply: bool,
    /// Answers tell the moves of the game, and what they lose.
    shows_moves: bool,
    is_json: bool,
    /// The list has no more entries.
    is_at_end: bool,
    /// An entry has no answer: nothing is written behind it.
    is_over: bool,
    /// What has been written, with that of earlier runs.
    kept: KeptLines,
    sink: AnswerSink<'a>,
    progress: ProgressDisplay,
    total: Option<usize>,
}

impl Batch for ListRun<'_> {
    type Item = ListEntry;
    type Job = ListJob;
    type Answer = ListAnswer;
    type Error = AnalyseError;

    fn next(&mut self) -> Result<Next<ListEntry, Self::Job>, AnalyseError> {
        let Some(entry) = self.list.entries.next() else {
            self.is_at_end = true;
            return Ok(Next::End);
        };
        Ok(match &entry.query {
            Ok(query) => {
                let job = (Arc::new(query.clone()), self.list.label(&entry, self.every_ply));
                Next::Job(entry, job)
            }
            Err(_) => Next::Settled(entry),
        })
    }

    fn answered(&mut self, _: &ListEntry, _: &ListAnswer) -> Result<(), AnalyseError> {
        Ok(())
    }

    /// What a move of the game loses is known from the next position.
    fn needs_next(&self, entry: &ListEntry, next: Option<&ListEntry>) -> bool {
        self.shows_moves && next.is_none_or(|next| is_followed_by(entry, next))
    }

    fn write(
        &mut self,
        entry: ListEntry,
        answer: Option<ListAnswer>,
        next: Option<(&ListEntry, Option<&ListAnswer>)>,
    ) -> Result<(), AnalyseError> {
        let after = next.filter(|(next, _)| is_followed_by(&entry, next));
        let lacks_next = after.map_or(next.is_none() && !self.is_at_end, |(_, answer)| answer.is_none());
        self.is_over |= entry.query.is_ok() && (answer.is_none() || self.shows_moves && lacks_next);
        if self.is_over {
            return Ok(());
        }
        let played_move = answer.as_ref().filter(|_| self.shows_moves).and_then(|answer| {
            let mv = entry.query.as_ref().ok()?.position.next_move();
            let loss = after.and_then(|(_, after)| after).and_then(|after| {
                let is_best = answer.best == mv;
                Some(move_loss(answer.assessment?, after.assessment?.opposite(), is_best))
            });
            Some(PlayedMove { mv: mv.map(|mv| mv.to_string()), loss: loss.map(|loss| round_to(loss, 10_000.0)) })
        });
        self.print(entry, answer, played_move)
    }

    fn show_progress(&mut self) {
        let done = self.kept.answers + self.kept.faults;
        let text = match self.total {
            Some(total) => tr!("{done} of {total} positions", done, total),
            None => tr!("{done} positions", done),
        };
        self.progress.set(done as u64, &text);
    }
}

impl ListRun<'_> {
    fn print(
        &mut self,
        entry: ListEntry,
        answer: Option<ListAnswer>,
        played_move: Option<PlayedMove>,
    ) -> Result<(), AnalyseError> {
        let ListEntry { number, id, game, query } = entry;
        let subject = Subject { number: Some(number), played_move, ..Subject::of_id(&id).with_game(game.as_deref()) };
        match &query {
            Ok(_) => self.kept.answers += 1,
            Err(_) => self.kept.faults += 1,
        }
        let text = match (answer.map(|answer| answer.text), query) {
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
}
