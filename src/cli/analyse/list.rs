//! Many positions: as many at a time as there are threads, told in the order of the list.

use super::args::{AnalyseArgs, bounded};
use super::error::AnalyseError;
use super::items::Item;
use super::ledger::Ledger;
use super::text::{self, Manner};
use super::told::Told;
use crate::cli::remarks::say_remarks;
use crate::interrupts::{INTERRUPTED, Interrupts};
use crate::terminal::Progress;
use chuhe_engine::language::tr;
use chuhe_toolkit::analyse::{Analysis, Equipment, Pool, Query, Report, Word};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// So many positions for each analyst may be ahead of the one that is told next.
const AHEAD: usize = 8;
/// How often somebody looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where answers go, one for each position.
enum Sink<'a> {
    Output(&'a mut dyn Write),
    Ledger(Ledger),
}

/// An answer as it is told, and whether it was given to the end.
struct Answer {
    index: usize,
    text: String,
    complete: bool,
}

/// Makes a text of an answer, on the thread of the analyst.
type Writer = Arc<dyn Fn(usize, &Analysis) -> String + Send + Sync>;

pub fn run(
    args: &AnalyseArgs,
    items: &[Item],
    is_whole: bool,
    manner: &Manner,
    out: &mut dyn Write,
) -> Result<ExitCode, AnalyseError> {
    let (at_once, equipment) = args.equipment(false)?;
    // Fewer positions need fewer analysts, but no others.
    let at_once = at_once.min(items.len()).max(1);
    let queries: Vec<Query> = items
        .iter()
        .map(|item| Ok(Query { afresh: true, every: None, ..bounded(args.query(item.spot.clone())?) }))
        .collect::<Result<_, AnalyseError>>()?;
    let (sink, kept) = match &args.out {
        Some(path) => {
            let (ledger, kept) = Ledger::open(path, args.over.force, items, &queries, &equipment)?;
            (Sink::Ledger(ledger), kept)
        }
        None => (Sink::Output(out), 0),
    };
    let is_json = args.json || args.out.is_some();
    let writer = writer(is_json, manner.clone(), equipment.clone());
    let mut work = Work {
        pool: Pool::open(at_once, &equipment)?,
        items,
        queries,
        writer,
        window: AHEAD * at_once,
        next_in: kept,
        next_out: kept,
        early: BTreeMap::new(),
        sink,
        progress: Progress::over(items.len() as u64),
    };
    work.progress.begin_at(kept as u64);
    let interrupted = work.go_on(&Interrupts::listen()?)?;
    drop(work);
    say_remarks(&equipment.tables);
    Ok(match (interrupted, is_whole) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, false) => ExitCode::from(1),
        (false, true) => ExitCode::SUCCESS,
    })
}

fn writer(is_json: bool, manner: Manner, equipment: Equipment) -> Writer {
    if !is_json {
        return Arc::new(move |number, analysis| text::row(number, analysis, &manner));
    }
    Arc::new(move |number, analysis| {
        let report = Report::of(analysis, &equipment);
        Told { id: None, number: Some(number), r#final: true, report: &report }.line() + "\n"
    })
}

/// A list that is being worked off.
struct Work<'a> {
    pool: Pool,
    items: &'a [Item],
    queries: Vec<Query>,
    writer: Writer,
    /// So many may be handed in and not told.
    window: usize,
    next_in: usize,
    next_out: usize,
    /// Answers that came before their turn.
    early: BTreeMap<usize, String>,
    sink: Sink<'a>,
    progress: Progress,
}

impl Work<'_> {
    /// Works the rest of the list off; true if somebody pressed Ctrl-C before its end.
    fn go_on(&mut self, interrupts: &Interrupts) -> Result<bool, AnalyseError> {
        let (sender, answers) = mpsc::channel();
        self.tell_progress();
        while self.next_out < self.items.len() {
            while self.next_in < self.items.len() && self.next_in - self.next_out < self.window {
                self.hand_in(&sender);
            }
            if interrupts.news().is_some() {
                self.stop(&answers)?;
                return Ok(self.next_out < self.items.len());
            }
            match answers.recv_timeout(PATIENCE) {
                Ok(answer) => self.take(answer)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the search has failed").into());
                }
            }
        }
        Ok(false)
    }

    fn hand_in(&mut self, answers: &Sender<Answer>) {
        let index = self.next_in;
        let (number, writer, answers) = (self.items[index].number, Arc::clone(&self.writer), answers.clone());
        let asker = move |word| {
            if let Word::Final(analysis) = word {
                let text = writer(number, &analysis);
                // Nobody waits for what is given up.
                let _ = answers.send(Answer { index, text, complete: analysis.complete });
            }
        };
        self.pool.ask(self.queries[index].clone(), 0, Box::new(asker));
        self.next_in += 1;
    }

    /// Gives up what is under way, and keeps what was ready.
    fn stop(&mut self, answers: &Receiver<Answer>) -> Result<(), AnalyseError> {
        self.pool.give_up_all();
        self.pool.wait_until(0);
        answers.try_iter().try_for_each(|answer| self.take(answer))
    }

    /// Takes an answer, and tells all whose turn it is.
    fn take(&mut self, answer: Answer) -> Result<(), AnalyseError> {
        if answer.complete {
            self.early.insert(answer.index, answer.text);
        }
        while let Some(text) = self.early.remove(&self.next_out) {
            match &mut self.sink {
                Sink::Ledger(ledger) => ledger.add(&text)?,
                Sink::Output(out) => {
                    self.progress.aside(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
                }
            }
            self.next_out += 1;
            self.tell_progress();
        }
        Ok(())
    }

    fn tell_progress(&self) {
        let (done, total) = (self.next_out, self.items.len());
        self.progress.at(done as u64, &tr!("{done} of {total} positions", done, total));
    }
}
