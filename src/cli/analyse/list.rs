//! Analyses many positions: as many at a time as there are threads, printed in the order of the list.

use super::args::{AnalyseArgs, ListItem, SourceGame, with_default_time};
use super::error::AnalyseError;
use super::output::{self, ReportLine, TextStyle};
use super::resume_log::ResumeLog;
use crate::cli::output::print_tablebase_warnings;
use chuhe_study::analyse::{Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, Query};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// Positions for each analyst that may be submitted ahead of the next one to print.
const LOOKAHEAD_PER_ANALYST: usize = 8;
/// How often Ctrl-C is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Where answers are written, one for each position.
enum AnswerSink<'a> {
    Output(&'a mut dyn Write),
    Log(ResumeLog),
}

/// The text of an answer, and whether its analysis was complete.
struct ListAnswer {
    index: usize,
    text: String,
    complete: bool,
}

/// Formats an answer, on the thread of the analyst.
type AnswerFormatter = Arc<dyn Fn(&ItemLabel, &Analysis) -> String + Send + Sync>;

/// Which position of a list an answer is about.
struct ItemLabel {
    number: usize,
    game: Option<Arc<SourceGame>>,
    /// What people read: the number, or of several games the game and the ply.
    text: String,
}

pub fn run(
    args: &AnalyseArgs,
    items: &[ListItem],
    is_whole: bool,
    style: &TextStyle,
    out: &mut dyn Write,
) -> Result<ExitCode, AnalyseError> {
    let (at_once, resources) = args.resources(false)?;
    // Fewer positions need fewer analysts, with the same resources each.
    let at_once = at_once.min(items.len()).max(1);
    let queries: Vec<Query> = items
        .iter()
        .map(|item| {
            Ok(Query {
                clear_hash: true,
                report_interval: None,
                ..with_default_time(args.query(item.game_position.clone())?)
            })
        })
        .collect::<Result<_, AnalyseError>>()?;
    let (sink, kept) = match &args.out {
        Some(path) => {
            let (log, kept) = ResumeLog::open(path, args.over.force, items, &queries, &resources)?;
            (AnswerSink::Log(log), kept)
        }
        None => (AnswerSink::Output(out), 0),
    };
    let is_json = args.json || args.out.is_some();
    let writer = writer(is_json, style.clone(), resources.clone());
    let mut work = ListRun {
        pool: AnalystPool::open(at_once, &resources)?,
        items,
        queries,
        writer,
        window: LOOKAHEAD_PER_ANALYST * at_once,
        next_submitted: kept,
        next_printed: kept,
        out_of_order: BTreeMap::new(),
        sink,
        progress: ProgressDisplay::new(items.len() as u64),
    };
    work.progress.set_already_done(kept as u64);
    let interrupted = work.run_all(&InterruptHandler::install()?)?;
    drop(work);
    print_tablebase_warnings(&resources.tablebases);
    Ok(match (interrupted, is_whole) {
        (true, _) => ExitCode::from(EXIT_INTERRUPTED),
        (false, false) => ExitCode::from(1),
        (false, true) => ExitCode::SUCCESS,
    })
}

fn writer(is_json: bool, style: TextStyle, resources: AnalystResources) -> AnswerFormatter {
    if !is_json {
        return Arc::new(move |label, analysis| output::row(&label.text, analysis, &style));
    }
    Arc::new(move |label, analysis| {
        let report = AnalysisReport::of(analysis, &resources);
        let game = label.game.as_deref();
        let line = ReportLine {
            id: None,
            number: Some(label.number),
            game: game.map(|game| game.number),
            tags: game.map(|game| &game.tags),
            r#final: true,
            report: &report,
        };
        line.to_json_line() + "\n"
    })
}

/// The state of a list that is being analysed.
struct ListRun<'a> {
    pool: AnalystPool,
    items: &'a [ListItem],
    queries: Vec<Query>,
    writer: AnswerFormatter,
    /// Positions that may be submitted and not yet printed.
    window: usize,
    next_submitted: usize,
    next_printed: usize,
    /// Answers that arrived before their turn.
    out_of_order: BTreeMap<usize, String>,
    sink: AnswerSink<'a>,
    progress: ProgressDisplay,
}

impl ListRun<'_> {
    /// Analyses the rest of the list; true if Ctrl-C ended it early.
    fn run_all(&mut self, interrupts: &InterruptHandler) -> Result<bool, AnalyseError> {
        let (sender, answers) = mpsc::channel();
        self.show_progress();
        while self.next_printed < self.items.len() {
            while self.next_submitted < self.items.len() && self.next_submitted - self.next_printed < self.window {
                self.submit_ready(&sender);
            }
            if interrupts.poll().is_some() {
                self.stop(&answers)?;
                return Ok(self.next_printed < self.items.len());
            }
            match answers.recv_timeout(POLL_INTERVAL) {
                Ok(answer) => self.take(answer)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the search has failed").into());
                }
            }
        }
        Ok(false)
    }

    fn submit_ready(&mut self, answers: &Sender<ListAnswer>) {
        let index = self.next_submitted;
        let (label, writer, answers) = (self.label(index), Arc::clone(&self.writer), answers.clone());
        let handler = move |word| {
            if let AnalysisUpdate::Final(analysis) = word {
                let text = writer(&label, &analysis);
                // The receiver is gone after a cancel.
                let _ = answers.send(ListAnswer { index, text, complete: analysis.complete });
            }
        };
        self.pool.submit(self.queries[index].clone(), 0, Box::new(handler));
        self.next_submitted += 1;
    }

    fn label(&self, index: usize) -> ItemLabel {
        let ListItem { number, game, game_position } = &self.items[index];
        let last = self.items.last().and_then(|item| Some((item.number, item.game.as_ref()?.number)));
        let text = match game {
            Some(game) if last.is_some_and(|(item, game)| game > 1 && item != game) => {
                format!("{}:{}", game.number, game_position.ply())
            }
            _ => number.to_string(),
        };
        ItemLabel { number: *number, game: game.clone(), text }
    }

    /// Cancels the running analyses, and keeps the answers that are ready.
    fn stop(&mut self, answers: &Receiver<ListAnswer>) -> Result<(), AnalyseError> {
        self.pool.cancel_all();
        self.pool.wait_for_pending(0);
        answers.try_iter().try_for_each(|answer| self.take(answer))
    }

    /// Stores an answer, and prints every answer whose turn has come.
    fn take(&mut self, answer: ListAnswer) -> Result<(), AnalyseError> {
        if answer.complete {
            self.out_of_order.insert(answer.index, answer.text);
        }
        while let Some(text) = self.out_of_order.remove(&self.next_printed) {
            match &mut self.sink {
                AnswerSink::Log(log) => log.append(&text)?,
                AnswerSink::Output(out) => {
                    self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
                }
            }
            self.next_printed += 1;
            self.show_progress();
        }
        Ok(())
    }

    fn show_progress(&self) {
        let (done, total) = (self.next_printed, self.items.len());
        self.progress.set(done as u64, &tr!("{done} of {total} positions", done, total));
    }
}
