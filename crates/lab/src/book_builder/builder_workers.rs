//! Chooses the next searches of a book and runs them on several threads.
//!
//! The journal of a book: an append-only text file with one search per line and a checksum.
//!
//! ```text
//! chuhe book journal 1
//! survey rnbakabnr/… w  depth 9  h2e2:14 h0g2:11 …  crc32
//! ```
//!
//! The fields of a line are separated by tabs. An incomplete last line is cut off.

use super::graph::{Graph, GraphPlace};
use super::{SearchKind, SearchRecord};
use chuhe_engine::score::{Score, hundredths};
use chuhe_engine::search::{Bound, Control, HashSizeError, Info, Limits, Options, Reporter, SearchResult, Searcher};
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::book::MirrorKey;
use chuhe_support::files::{AppendFile, MAX_INPUT_SIZE, open_locked, read_limited};
use chuhe_support::language::{NoThread, reason, tr};
use chuhe_support::messages::Localize;
use std::collections::{HashSet, VecDeque};
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position};

/// At most one in this many positions lacks its proof, so that the book can be extracted at any time …
const UNPROVEN_RATIO: usize = 8;
/// … plus this many, which matters at the beginning.
const UNPROVEN_ALLOWANCE: usize = 24;

/// The named systems are continued for this many plies first.
const NAMED_PLIES: usize = 8;

/// What to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Target number of positions.
    pub positions: usize,
    /// Nodes of a survey search.
    pub survey: u64,
    /// Nodes of a proof search.
    pub proof: u64,
    /// Moves (MultiPV lines) per survey.
    pub lines: usize,
}

/// A search to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchJob {
    pub kind: SearchKind,
    pub place: GraphPlace,
}

impl BuildPlan {
    /// The next searches, the most important first, without the running ones; empty if all is done. Only a few at a
    /// time, since each result may change the order.
    pub fn next_jobs(&self, graph: &mut Graph, busy: &HashSet<Key>) -> Vec<SearchJob> {
        graph.back_up_values();
        let positions = graph.nodes().len();
        let some = 1 + positions / 200;
        let jobs = |kind: SearchKind, places: &mut dyn Iterator<Item = GraphPlace>, most: usize| -> Vec<SearchJob> {
            let idle = places.filter(|place| !busy.contains(&place.key)).take(most);
            idle.map(|place| SearchJob { kind, place }).collect()
        };
        let named = jobs(SearchKind::Survey, &mut graph.unsearched_named(), some);
        if !named.is_empty() {
            return named;
        }
        let short = jobs(SearchKind::Survey, &mut graph.named_frontier(NAMED_PLIES).into_iter(), 1);
        if !short.is_empty() {
            return short;
        }
        let (order, leaves) = graph.expansion_order();
        let unproven = positions - graph.proofs();
        if positions < self.positions && unproven <= UNPROVEN_ALLOWANCE + positions / UNPROVEN_RATIO {
            let next = jobs(SearchKind::Survey, &mut leaves.into_iter(), some);
            if !next.is_empty() {
                return next;
            }
        }
        let nodes = order.into_iter().map(|index| &graph.nodes()[index]);
        let unproven = nodes.filter(|node| node.proof.is_none() && !node.edges.is_empty());
        let mut places = unproven.filter_map(|node| {
            let key = MirrorKey::of(&Position::from_fen(&node.fen).ok()?).key;
            Some(GraphPlace { key, fen: node.fen.clone() })
        });
        jobs(SearchKind::Proof, &mut places, some.max(8))
    }
}

/// Megabytes of transposition table per thread: for searches of some hundred thousand nodes.
const HASH_MB: usize = 32;

/// Progress of the build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildProgress {
    pub positions: usize,
    /// Positions with a proof.
    pub proofs: usize,
    /// Searches made in this run.
    pub searches: usize,
    /// Nodes searched in this run.
    pub nodes: u64,
}

/// A book that is being built.
struct BookBuild<'a> {
    plan: BuildPlan,
    graph: &'a mut Graph,
    journal: &'a mut Journal,
    queue: VecDeque<SearchJob>,
    busy: HashSet<Key>,
    /// Nothing can be begun before a running search ends.
    must_wait: bool,
    progress: BuildProgress,
    watch: &'a mut dyn FnMut(&BuildProgress) -> bool,
    control: &'a Control,
}

/// Searches until the plan is complete, `watch` returns false, the journal cannot be written, or Ctrl-C.
pub fn run(
    graph: &mut Graph,
    journal: &mut Journal,
    plan: BuildPlan,
    threads: usize,
    watch: &mut dyn FnMut(&BuildProgress) -> bool,
) -> Result<(), JournalError> {
    let progress = BuildProgress { positions: graph.nodes().len(), proofs: graph.proofs(), ..BuildProgress::default() };
    let (queue, busy, control) = (VecDeque::new(), HashSet::new(), Control::new(false));
    let mut build =
        BookBuild { plan, graph, journal, queue, busy, must_wait: false, progress, watch, control: &control };
    let mut workers = Vec::new();
    for number in 0..threads.max(1) {
        match Searcher::new(Options::default(), HASH_MB) {
            Ok(mut searcher) => workers.push({
                let control = &control;
                move |job: SearchJob| Ok(run_search(&mut searcher, &job, &plan, control).filter(|_| !control.stopped()))
            }),
            Err(error) if number == 0 => return Err(error.into()),
            Err(error) => log::warn!("a thread less: {error}"),
        }
    }
    let window = workers.len();
    let batch = Batch { name: "book", window, is_in_order: false, control: &control };
    let outcome = batch.run(workers, |step| build.step(step));
    graph.back_up_values();
    outcome.map(|_| ())
}

impl BookBuild<'_> {
    fn step(&mut self, step: Step<Key, SearchJob, (SearchRecord, u64)>) -> Result<(), JournalError> {
        match step {
            Step::Next(next) => *next = self.next(),
            Step::Answered(_, (record, nodes)) => {
                self.journal.add(record)?;
                if let Err(error) = self.graph.add(record) {
                    log::warn!("{}: {error}", record.fen);
                }
                let (positions, proofs) = (self.graph.nodes().len(), self.graph.proofs());
                let (searches, nodes) = (self.progress.searches + 1, self.progress.nodes + nodes);
                self.progress = BuildProgress { positions, proofs, searches, nodes };
            }
            Step::Write(key, _) => {
                self.busy.remove(&key);
                self.must_wait = false;
            }
            Step::Progress if !(self.watch)(&self.progress) => self.control.stop(),
            Step::Progress => {}
        }
        Ok(())
    }

    fn next(&mut self) -> Next<Key, SearchJob> {
        if self.queue.is_empty() && !self.must_wait {
            self.queue.extend(self.plan.next_jobs(self.graph, &self.busy));
        }
        match self.queue.pop_front() {
            Some(job) => {
                self.busy.insert(job.place.key);
                Next::Job(job.place.key, job)
            }
            None if self.busy.is_empty() => Next::End,
            // Running jobs may lead to more.
            None => {
                self.must_wait = true;
                Next::NotYet
            }
        }
    }
}

fn run_search(
    searcher: &mut Searcher,
    job: &SearchJob,
    plan: &BuildPlan,
    control: &Control,
) -> Option<(SearchRecord, u64)> {
    let position = Position::from_fen(&job.place.fen).ok()?;
    let folded = MirrorKey::of(&position);
    let (lines, nodes) = match job.kind {
        SearchKind::Survey => (plan.lines.max(1), plan.survey),
        SearchKind::Proof => (1, plan.proof),
    };
    // In a symmetric position one of two mirrored moves is enough.
    let legal = position.legal_moves();
    let only = legal.iter().copied().filter(|&mv| folded.to_book_move(mv) == mv || !folded.symmetric).collect();
    let limits = Limits { nodes: Some(nodes), search_moves: only, ..Limits::default() };
    searcher.options.multi_pv = lines;
    let mut lines = LineCollector::default();
    let outcome = searcher.search(&position, &limits, control, &mut lines);
    let lines = match job.kind {
        SearchKind::Survey => lines.into_lines(&outcome),
        SearchKind::Proof => outcome.best_move.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect(),
    };
    Some((SearchRecord { kind: job.kind, fen: job.place.fen.clone(), depth: outcome.depth, lines }, outcome.nodes))
}

/// Collects the lines of the last completed iteration.
#[derive(Default)]
struct LineCollector {
    depth: u32,
    lines: Vec<(Move, Score)>,
}

impl LineCollector {
    fn into_lines(self, outcome: &SearchResult) -> Vec<(Move, Score)> {
        if self.lines.is_empty() {
            return outcome.best_move.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect();
        }
        self.lines
    }
}

impl Reporter for LineCollector {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        if info.multipv == 1 || info.depth != self.depth {
            self.lines.clear();
            self.depth = info.depth;
        }
        if let Some(&mv) = info.pv.first() {
            self.lines.push((mv, hundredths(info.score)));
        }
    }
}

const FILE_HEADER: &str = "chuhe book journal 1\n";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// An I/O error.
    #[error("{}", tr!("'{path}': {source}", path = path.display(), source = reason(source)))]
    Io { path: PathBuf, source: io::Error },
    /// No thread for the searches.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// No memory for the searches.
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    /// The searches cannot go on.
    #[error("{}", reason(_0))]
    Failed(#[from] io::Error),
    /// It is not a journal.
    #[error("{}", tr!("'{path}' is no journal of a book and stays as it is", path = _0.display()))]
    NotAJournal(PathBuf),
    /// Another program is writing to it.
    #[error("{}", tr!("'{path}' is being written by another program", path = _0.display()))]
    Locked(PathBuf),
    /// A line other than the last is damaged.
    #[error("{}", tr!("'{path}', line {line}: damaged", path = path.display(), line))]
    Line {
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
}

/// An open, locked journal.
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
}

impl Journal {
    /// Opens or creates a journal; also returns its records.
    pub fn open(path: &Path) -> Result<(Journal, Vec<SearchRecord>), JournalError> {
        let io = |source| JournalError::Io { path: path.to_path_buf(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = open_locked(options, path).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => JournalError::Locked(path.to_path_buf()),
            _ => io(source),
        })?;
        let bytes = read_limited(&file, MAX_INPUT_SIZE).map_err(io)?;
        let (records, sound) = match bytes.strip_prefix(FILE_HEADER.as_bytes()) {
            Some(body) => read(body, path)?,
            // A header may have been torn, too.
            None if FILE_HEADER.as_bytes().starts_with(&bytes) => (Vec::new(), 0),
            None => return Err(JournalError::NotAJournal(path.to_path_buf())),
        };
        let is_new = bytes.len() < FILE_HEADER.len();
        let length = if is_new { 0 } else { FILE_HEADER.len() + sound };
        let file = AppendFile::new(file, length as u64).map_err(io)?;
        let mut journal = Journal { path: path.to_path_buf(), file };
        if is_new {
            journal.append(FILE_HEADER)?;
        }
        Ok((journal, records))
    }

    /// Appends a record.
    pub fn add(&mut self, record: &SearchRecord) -> Result<(), JournalError> {
        self.append(&format_line(record))
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        let written = self.file.append_unsynced(text.as_bytes());
        written.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

/// The records of all complete lines, and their length in bytes.
fn read(body: &[u8], path: &Path) -> Result<(Vec<SearchRecord>, usize), JournalError> {
    let mut records = Vec::new();
    let mut sound = 0;
    let mut damaged = None;
    for (number, text) in body.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match std::str::from_utf8(text).ok().and_then(parse_line) {
            // Only the end can be incomplete; damage before it is an error.
            Some(_) if damaged.is_some() => {
                return Err(JournalError::Line { path: path.to_path_buf(), line: damaged.unwrap_or(0) });
            }
            Some(record) => {
                records.push(record);
                sound += text.len();
            }
            None => damaged = damaged.or(Some(number + 2)),
        }
    }
    Ok((records, sound))
}

fn format_line(record: &SearchRecord) -> String {
    let word = match record.kind {
        SearchKind::Survey => "survey",
        SearchKind::Proof => "proof",
    };
    let moves: Vec<String> = record.lines.iter().map(|(mv, score)| format!("{mv}:{score}")).collect();
    let text = format!("{word}\t{}\t{}\t{}", record.fen, record.depth, moves.join(" "));
    let sum = crc32fast::hash(text.as_bytes());
    format!("{text}\t{sum:08x}\n")
}

fn parse_line(line: &str) -> Option<SearchRecord> {
    let (text, sum) = line.strip_suffix('\n')?.rsplit_once('\t')?;
    if u32::from_str_radix(sum, 16) != Ok(crc32fast::hash(text.as_bytes())) {
        return None;
    }
    let mut words = text.split('\t');
    let kind = match words.next()? {
        "survey" => SearchKind::Survey,
        "proof" => SearchKind::Proof,
        _ => return None,
    };
    let (fen, depth) = (words.next()?.to_string(), words.next()?.parse().ok()?);
    let pair = |text: &str| -> Option<(Move, i32)> {
        let (mv, score) = text.split_once(':')?;
        Some((mv.parse().ok()?, score.parse().ok()?))
    };
    let lines = words.next()?.split(' ').filter(|text| !text.is_empty()).map(pair).collect::<Option<_>>()?;
    Some(SearchRecord { kind, fen, depth, lines })
}
