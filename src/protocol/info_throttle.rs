//! Printing search info to the host, no faster than a host can read it.

use super::dialect::{Dialect, InfoStyle};
use super::host_io::{HostOutput, lock};
use chuhe_engine::instant::Instant;
use chuhe_engine::score::{Score, is_decisive};
use chuhe_engine::search::{Bound, Control, Info, MateProgress, Reporter};
use chuhe_support::language::{Language, tr};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::Move;

/// Lines in any `WINDOW`, while the search runs: hosts that draw every line cannot keep up with more. Further lines wait.
const MAX_LINES: usize = 6;
const WINDOW: Duration = Duration::from_millis(100);
/// Lines that wait before a flood of repeated and decided lines is cut. Every other line is sent, however late.
const MAX_WAITING: usize = 32;

/// Prints search info to the host. What there is no room for is sent with a later report, or when the search asks for
/// input.
pub struct InfoThrottle {
    dialect: Dialect,
    style: InfoStyle,
    /// Stops the search when the host has closed the output.
    control: Arc<Control>,
    output: Arc<HostOutput>,
    queue: Mutex<InfoQueue>,
    /// The language of the session; the reports come from a thread of the search.
    language: Language,
}

/// A line of the search that waits.
struct WaitingLine {
    /// The line of MultiPV.
    index: usize,
    /// Whether a newer report of the same line may replace it in a flood: it repeats the one before, it is decided, or it
    /// is a bound.
    replaceable: bool,
    text: Vec<String>,
}

/// The reports that wait, and when the last lines were sent.
#[derive(Default)]
struct InfoQueue {
    /// The state of the mate search; the newest only. It is sent first.
    mate_search: Option<Vec<String>>,
    /// The lines of the search, in order.
    lines: VecDeque<WaitingLine>,
    /// The move being searched; the newest only. It is sent last.
    current_move: Option<Vec<String>>,
    /// Score and first move of the last report of each line of MultiPV.
    reported: BTreeMap<usize, (Score, Option<Move>)>,
    sent_at: VecDeque<Instant>,
}

impl InfoQueue {
    fn put_line(&mut self, info: &Info, text: Vec<String>) {
        if text.is_empty() {
            return;
        }
        let (index, told) = (info.multipv, (info.score, info.pv.first().copied()));
        let repeats = self.reported.insert(index, told) == Some(told);
        let replaceable = repeats || is_decisive(info.score) || info.bound != Bound::Exact;
        self.lines.push_back(WaitingLine { index, replaceable, text });
        if self.lines.len() > MAX_WAITING {
            self.drop_oldest_replaceable();
        }
    }

    /// Drops the oldest line that may be replaced and has been.
    fn drop_oldest_replaceable(&mut self) {
        let has_newer =
            |at: usize, line: &WaitingLine| self.lines.range(at + 1..).any(|newer| newer.index == line.index);
        let oldest = self.lines.iter().enumerate().position(|(at, line)| line.replaceable && has_newer(at, line));
        oldest.and_then(|at| self.lines.remove(at));
    }

    fn is_empty(&self) -> bool {
        self.mate_search.is_none() && self.lines.is_empty() && self.current_move.is_none()
    }

    /// The next report that fits into this number of lines.
    fn take_next(&mut self, room: usize) -> Option<Vec<String>> {
        if self.mate_search.is_some() {
            self.mate_search.take_if(|text| text.len() <= room)
        } else if let Some(line) = self.lines.front() {
            if line.text.len() <= room { self.lines.pop_front().map(|line| line.text) } else { None }
        } else {
            self.current_move.take_if(|text| text.len() <= room)
        }
    }

    /// The lines that may be sent at this time.
    fn take_due(&mut self, now: Instant) -> Vec<String> {
        while self.sent_at.front().is_some_and(|sent| now.saturating_duration_since(*sent) >= WINDOW) {
            self.sent_at.pop_front();
        }
        let mut due = Vec::new();
        while let Some(text) = self.take_next(MAX_LINES.saturating_sub(self.sent_at.len())) {
            self.sent_at.extend(text.iter().map(|_| now));
            due.extend(text);
        }
        due
    }

    /// All that waits, but the move being searched, which is of no interest when the search is over.
    fn take_rest(&mut self) -> Vec<String> {
        self.current_move = None;
        std::iter::from_fn(|| self.take_next(usize::MAX)).flatten().collect()
    }
}

impl InfoThrottle {
    pub fn new(dialect: Dialect, style: InfoStyle, output: Arc<HostOutput>, control: Arc<Control>) -> InfoThrottle {
        InfoThrottle { dialect, style, control, output, queue: Mutex::default(), language: Language::current() }
    }

    /// Sends a report, now or as soon as there is room for it.
    fn report(&self, put: impl FnOnce(&mut InfoQueue)) {
        put(&mut lock(&self.queue));
        self.send_due();
        if self.output.is_closed() {
            self.control.stop();
        }
    }

    /// Sends what waits, if there is room for it.
    pub fn send_due(&self) {
        let mut queue = lock(&self.queue);
        if !queue.is_empty() {
            self.output.send(&queue.take_due(Instant::now()));
        }
    }

    /// Sends all that waits: the last reports of a search come before its answer.
    pub fn send_rest(&self) {
        self.output.send(&lock(&self.queue).take_rest());
    }
}

impl Reporter for &InfoThrottle {
    fn info(&mut self, info: &Info) {
        let text = self.dialect.info(info, &self.style);
        self.report(|queue| queue.put_line(info, text));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let line = self.dialect.current_move(depth, mv, number, self.style.ranks);
        self.report(|queue| queue.current_move = Some(vec![line]));
    }

    fn mate_progress(&mut self, search: &MateProgress) {
        let message = self.language.with(|| self.dialect.message(&describe_mate_search(search)));
        self.report(|queue| queue.mate_search = Some(vec![message]));
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
    use chuhe_engine::score::mate_in;

    /// Three lines of MultiPV in each millisecond of a second, with these scores: what is sent while they come, and when, and
    /// what is left.
    fn second_of_lines(score: impl Fn(usize) -> Score) -> (Vec<(usize, String)>, Vec<String>) {
        let (begun, mut queue, mut sent) = (Instant::now(), InfoQueue::default(), Vec::new());
        for millisecond in 0..1000 {
            for multipv in 1..=3 {
                let mut info = Info::without_search(score(millisecond), &[]);
                info.multipv = multipv;
                queue.put_line(&info, vec![format!("{millisecond} {multipv}")]);
            }
            let due = queue.take_due(begun + Duration::from_millis(millisecond as u64));
            sent.extend(due.into_iter().map(|line| (millisecond, line)));
        }
        (sent, queue.take_rest())
    }

    fn all_lines() -> Vec<String> {
        (0..1000).flat_map(|millisecond| (1..=3).map(move |multipv| format!("{millisecond} {multipv}"))).collect()
    }

    #[test]
    fn queue_sends_every_line_in_order_and_no_more_than_the_window_holds() {
        let (sent, rest) = second_of_lines(|millisecond| millisecond as Score);
        for (at, _) in &sent {
            assert!(sent.iter().filter(|(other, _)| (*at..at + 100).contains(other)).count() <= MAX_LINES);
        }
        assert_eq!(sent.len(), 10 * MAX_LINES);
        let all: Vec<String> = sent.into_iter().map(|(_, line)| line).chain(rest).collect();
        assert_eq!(all, all_lines());
    }

    #[test]
    fn queue_keeps_the_newest_of_repeated_and_decided_lines() {
        let scores: [&dyn Fn(usize) -> Score; 2] = [&|_| 25, &|millisecond| mate_in(1 + millisecond % 40)];
        for score in scores {
            let (sent, rest) = second_of_lines(score);
            assert_eq!(sent.len(), 10 * MAX_LINES);
            assert_eq!(rest, all_lines()[3000 - MAX_WAITING..]);
        }
    }

    #[test]
    fn queue_keeps_what_is_new_among_repeated_lines() {
        let (sent, rest) = second_of_lines(|millisecond| if millisecond < 500 { 25 } else { 30 });
        let all: Vec<String> = sent.into_iter().map(|(_, line)| line).chain(rest).collect();
        assert!((1..=3).all(|multipv| all.contains(&format!("500 {multipv}"))), "{all:?}");
    }
}
