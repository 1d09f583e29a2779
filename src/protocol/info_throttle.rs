//! Printing search info to the host, no faster than a host can read it.

use super::dialect::{Dialect, InfoStyle};
use super::host_io::HostOutput;
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Info, MateProgress, Reporter};
use chuhe_support::language::{Language, tr};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use xiangqi::Move;

/// Lines in any `WINDOW`. With the last line and the totals before `bestmove` there are eight: hosts that draw every line
/// cannot keep up with more.
const MAX_LINES: usize = 6;
const WINDOW: Duration = Duration::from_millis(100);

/// Prints search info to the host.
pub struct InfoThrottle {
    dialect: &'static dyn Dialect,
    style: InfoStyle,
    /// Stops the search when the host has closed the output.
    control: Arc<Control>,
    output: Arc<HostOutput>,
    queue: Arc<Mutex<InfoQueue>>,
    /// The language of the session; the reports come from a thread of the search.
    language: Language,
}

/// What a report is about: a newer one replaces an older one that has not been sent yet. In the order of sending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Subject {
    MateSearch,
    /// A line of MultiPV.
    Line(usize),
    CurrentMove,
}

/// The reports that wait, and when the last lines were sent.
#[derive(Default)]
struct InfoQueue {
    waiting: BTreeMap<Subject, Vec<String>>,
    sent_at: VecDeque<Instant>,
    /// A thread sends what waits when there is room again.
    has_sender: bool,
}

impl InfoQueue {
    fn put(&mut self, subject: Subject, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        if subject == Subject::Line(1) {
            // A new iteration begins: lines of two iterations are not mixed.
            self.waiting.retain(|waiting, _| !matches!(waiting, Subject::Line(_)));
        }
        self.waiting.insert(subject, lines);
    }

    /// The lines that may be sent at this time.
    fn take_due(&mut self, now: Instant) -> Vec<String> {
        while self.sent_at.front().is_some_and(|sent| now.saturating_duration_since(*sent) >= WINDOW) {
            self.sent_at.pop_front();
        }
        let mut due = Vec::new();
        while let Some(next) = self.waiting.first_entry()
            && self.sent_at.len() + next.get().len() <= MAX_LINES
        {
            let lines = next.remove();
            self.sent_at.extend(lines.iter().map(|_| now));
            due.extend(lines);
        }
        due
    }

    /// How long to wait until there is room for a line.
    fn pause(&self, now: Instant) -> Duration {
        let oldest = self.sent_at.front().map_or(Duration::ZERO, |sent| now.saturating_duration_since(*sent));
        WINDOW.saturating_sub(oldest).max(Duration::from_millis(1))
    }
}

fn lock(queue: &Mutex<InfoQueue>) -> MutexGuard<'_, InfoQueue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InfoThrottle {
    pub fn new(
        dialect: &'static dyn Dialect,
        style: InfoStyle,
        output: Arc<HostOutput>,
        control: Arc<Control>,
    ) -> InfoThrottle {
        InfoThrottle { dialect, style, control, output, queue: Arc::default(), language: Language::current() }
    }

    /// Sends a report, now or as soon as there is room for it.
    fn report(&self, subject: Subject, lines: Vec<String>) {
        let mut queue = lock(&self.queue);
        queue.put(subject, lines);
        self.output.send(&queue.take_due(Instant::now()));
        if !queue.waiting.is_empty() && !queue.has_sender {
            let (shared, output) = (Arc::clone(&self.queue), Arc::clone(&self.output));
            // Without the thread the lines wait for the next report.
            let started =
                thread::Builder::new().name(String::from("info")).spawn(move || send_waiting(&shared, &output));
            queue.has_sender = started.is_ok();
        }
        drop(queue);
        if self.output.is_closed() {
            self.control.stop();
        }
    }
}

/// Sends what waits as soon as there is room, until nothing waits.
fn send_waiting(shared: &Mutex<InfoQueue>, output: &HostOutput) {
    loop {
        let pause = lock(shared).pause(Instant::now());
        thread::sleep(pause);
        let mut queue = lock(shared);
        output.send(&queue.take_due(Instant::now()));
        if queue.waiting.is_empty() {
            queue.has_sender = false;
            return;
        }
    }
}

/// The last reports of a search come before its answer.
impl Drop for InfoThrottle {
    fn drop(&mut self) {
        let mut queue = lock(&self.queue);
        // The move being searched is of no interest any more.
        queue.waiting.remove(&Subject::CurrentMove);
        let rest: Vec<String> = std::mem::take(&mut queue.waiting).into_values().flatten().collect();
        self.output.send(&rest);
    }
}

impl Reporter for InfoThrottle {
    fn info(&mut self, info: &Info) {
        self.report(Subject::Line(info.multipv), self.dialect.info(info, &self.style));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let line = self.dialect.current_move(depth, mv, number, self.style.ranks);
        self.report(Subject::CurrentMove, vec![line]);
    }

    fn mate_progress(&mut self, search: &MateProgress) {
        let message = self.language.with(|| self.dialect.message(&describe_mate_search(search)));
        self.report(Subject::MateSearch, vec![message]);
    }
}

/// The state of a mate search.
fn describe_mate_search(search: &MateProgress) -> String {
    let &MateProgress { requested, found, ruled_out, finished: over, .. } = search;
    let moves = |count: u32| if count == 1 { tr!("1 move") } else { tr!("{count} moves", count) };
    match found {
        Some(found) if ruled_out + 1 >= found => {
            tr!("mate in {moves}, and there is no shorter one", moves = moves(found))
        }
        Some(found) if over => tr!(
            "mate in {moves}; none in {fewer}, between them not searched out",
            moves = moves(found),
            fewer = moves(ruled_out)
        ),
        _ if ruled_out >= requested => tr!("there is no mate in {moves}", moves = moves(requested)),
        _ if over => tr!("no mate found; there is none in {moves}", moves = moves(ruled_out)),
        _ => tr!("there is no mate in {moves}", moves = moves(ruled_out)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_never_lets_more_lines_through_than_the_window_holds() {
        let (begun, mut queue, mut sent) = (Instant::now(), InfoQueue::default(), Vec::new());
        for milliseconds in 0..1000 {
            let now = begun + Duration::from_millis(milliseconds);
            for index in 1..=3 {
                queue.put(Subject::Line(index), vec![format!("{milliseconds} {index}")]);
            }
            sent.extend(queue.take_due(now).into_iter().map(|line| (milliseconds, line)));
        }
        for (at, _) in &sent {
            assert!(sent.iter().filter(|(other, _)| (*at..at + 100).contains(other)).count() <= MAX_LINES);
        }
        assert_eq!(sent.len(), 10 * MAX_LINES);
        assert!(sent.iter().all(|(at, line)| line.starts_with(&format!("{at} "))), "the newest lines win");
    }
}
