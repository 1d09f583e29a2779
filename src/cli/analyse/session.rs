//! Serves a script over standard input: queries come in, one JSON object a line, and are answered as soon as they are
//! ready, each by its id. At the end of the input, the open queries are finished.

use super::{AnalyseArgs, ReportLine, Subject, to_json_line, with_default_time};
use crate::cli::error::CliError;
use crate::cli::games::is_in_shard;
use crate::cli::output::{StandardOutput, print_tablebase_warnings};
use crate::protocol::{Backlog, InputEvent, MAX_LINE_LENGTH, VERSION, read_in_background};
use chuhe_lab::arena::spec::Shard;
use chuhe_study::analyse::{
    AnalyseRequest, AnalyseRequestError, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, GamePosition,
    ParsedRequest, Query, QueryBatch, QueryId, UpdateHandler,
};
use chuhe_support::language::Language;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xiangqi::{Move, Position};

/// What a query counts in the backlog.
const QUERY_BYTES: usize = 4 << 10;

/// The queries of one id that are not yet answered.
#[derive(Default)]
struct PendingQueries {
    left: usize,
    /// The part of the backlog.
    bytes: usize,
    /// The queries, and whether each is infinite.
    queries: Vec<(QueryId, bool)>,
}

/// State shared between the analysts and the input loop.
struct SessionShared {
    /// Standard output, to which every analyst writes whole lines.
    out: Mutex<StandardOutput>,
    /// The reader of the output has closed it.
    closed: AtomicBool,
    /// A line could not be answered.
    failed: AtomicBool,
    open: Mutex<HashMap<String, PendingQueries>>,
    backlog: Arc<Backlog>,
    resources: AnalystResources,
}

impl SessionShared {
    fn send(&self, line: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, PendingQueries>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one query of an id as finished.
    fn query_done(&self, key: &str) {
        let mut open = self.open();
        let Some(of_id) = open.get_mut(key) else { return };
        of_id.left -= 1;
        if of_id.left == 0 {
            let bytes = of_id.bytes;
            open.remove(key);
            drop(open);
            self.backlog.remove(bytes);
        }
    }
}

/// Runs the session until the input ends.
pub fn serve_stdin(args: &AnalyseArgs) -> Result<ExitCode, CliError> {
    let (at_once, resources) = args.resources(false)?;
    let usual = with_default_time(args.query(GamePosition::from_position(&Position::start()))?);
    let pool = AnalystPool::open(at_once, &resources)?;
    let (events, inbox) = mpsc::channel();
    let backlog = read_in_background(std::io::stdin(), events.clone())?;
    let shared = Arc::new(SessionShared {
        out: Mutex::new(StandardOutput::new()),
        closed: AtomicBool::new(false),
        failed: AtomicBool::new(false),
        open: Mutex::default(),
        backlog,
        resources,
    });
    let mut session = QuerySession {
        pool,
        shared,
        events,
        default_query: Query { clear_hash: true, ..usual },
        shard: args.shard,
        line: 0,
        queries: 0,
    };
    let mut ended = false;
    for event in inbox {
        let size = event.size();
        match event {
            InputEvent::Line(line, _) => session.handle_line(&line),
            InputEvent::TooLong => session.refuse_line(),
            InputEvent::EndOfInput => {
                ended = true;
                session.cancel_infinite();
            }
            InputEvent::JobFinished(_) => {}
        }
        session.shared.backlog.remove(size);
        let is_done = ended && session.shared.open().is_empty();
        if is_done || session.shared.closed.load(Ordering::Relaxed) {
            break;
        }
    }
    let QuerySession { pool, shared, .. } = session;
    // Joins the analysts, so that the last answers are written.
    drop(pool);
    print_tablebase_warnings(&shared.resources.tablebases);
    // Each error has been told at its place.
    Ok(ExitCode::from(u8::from(shared.failed.load(Ordering::Relaxed))))
}

/// Reads and dispatches the lines of a script.
struct QuerySession {
    pool: AnalystPool,
    shared: Arc<SessionShared>,
    /// Every final answer sends an event.
    events: Sender<InputEvent>,
    /// The query that the fields of a line modify.
    default_query: Query,
    shard: Option<Shard>,
    /// The number of the current line, from 1.
    line: usize,
    /// How many lines were queries, or could not be read.
    queries: usize,
}

impl QuerySession {
    fn handle_line(&mut self, line: &[u8]) {
        self.line += 1;
        if line.trim_ascii().is_empty() {
            return;
        }
        match Language::ENGLISH.with(|| AnalyseRequest::read(line, &self.default_query)) {
            Err(error) if self.is_next_in_shard() => self.send_error(&error),
            Err(_) => {}
            Ok(ParsedRequest { request: AnalyseRequest::Analyse(_), .. }) if !self.is_next_in_shard() => {}
            Ok(parsed) => {
                let id = parsed.request.id().clone();
                for field in &parsed.unknown {
                    self.send(&json!({"id": id, "warning": "unknown field", "field": field, "line": self.line}));
                }
                self.dispatch(parsed.request);
            }
        }
    }

    /// Counts a query; whether this machine answers it. Actions are every machine's.
    fn is_next_in_shard(&mut self) -> bool {
        self.queries += 1;
        is_in_shard(self.shard, self.queries)
    }

    fn send(&self, value: &Value) {
        self.shared.send(&value.to_string());
    }

    fn send_error(&self, error: &AnalyseRequestError) {
        self.refuse(&error.id, &Language::ENGLISH.with(|| error.to_string()), error.field.as_deref());
    }

    /// Says that the current line is not answered.
    fn refuse(&self, id: &Value, error: &str, field: Option<&str>) {
        self.shared.failed.store(true, Ordering::Relaxed);
        self.send(&json!({"id": id, "error": error, "field": field, "line": self.line}));
    }

    fn refuse_line(&mut self) {
        self.line += 1;
        if !self.is_next_in_shard() {
            return;
        }
        self.refuse(&Value::Null, &format!("longer than {MAX_LINE_LENGTH} bytes"), None);
    }

    fn dispatch(&mut self, request: AnalyseRequest) {
        match request {
            AnalyseRequest::Analyse(asking) => self.submit(asking),
            AnalyseRequest::Terminate { id, which } => {
                let queries = self.queries(&which.to_string());
                let found = !queries.is_empty();
                self.send(&json!({"id": id, "action": "terminate", "terminate": which, "found": found}));
                for (query_id, _) in queries {
                    self.pool.cancel(query_id);
                }
            }
            AnalyseRequest::TerminateAll { id } => {
                self.send(&json!({"id": id, "action": "terminate_all"}));
                self.pool.cancel_all();
            }
            AnalyseRequest::Version { id } => {
                let version = format!("Chuhe {VERSION}");
                self.send(&json!({"id": id, "action": "version", "version": version}));
            }
        }
    }

    fn queries(&self, key: &str) -> Vec<(QueryId, bool)> {
        self.shared.open().get(key).map(|open| open.queries.clone()).unwrap_or_default()
    }

    fn submit(&mut self, QueryBatch { id, priority, queries }: QueryBatch) {
        let key = id.to_string();
        if self.shared.open().contains_key(&key) {
            return self.refuse(&id, "is that of a query which is not answered yet", Some("id"));
        }
        let plies = queries.first().map_or(0, |query| query.position.plies());
        let bytes = queries.len() * QUERY_BYTES + plies * size_of::<Move>();
        self.shared.backlog.add(bytes);
        self.shared.open().insert(key.clone(), PendingQueries { left: queries.len(), bytes, queries: Vec::new() });
        for query in queries {
            let is_endless = query.is_infinite();
            let query_id = self.pool.submit(query, priority, self.update_handler(&id, &key));
            // It may already have been answered.
            if let Some(open) = self.shared.open().get_mut(&key) {
                open.queries.push((query_id, is_endless));
            }
        }
    }

    /// The handler that writes the answers to a query.
    fn update_handler(&self, id: &Value, key: &str) -> UpdateHandler {
        let (shared, events) = (Arc::clone(&self.shared), self.events.clone());
        let (id, key) = (id.clone(), key.to_string());
        Box::new(move |word| {
            let (analysis, is_final) = match word {
                AnalysisUpdate::Partial(analysis) => (analysis, false),
                AnalysisUpdate::Final(analysis) => (analysis, true),
            };
            let report = AnalysisReport::of(&analysis, &shared.resources);
            let line = ReportLine { subject: Subject::of_id(&id), r#final: is_final, report: &report };
            let line = to_json_line(&line);
            if is_final {
                // Marked as done before the final answer is written: its reader may use the id again at once.
                shared.query_done(&key);
            }
            shared.send(&line);
            if is_final || shared.closed.load(Ordering::Relaxed) {
                // The receiver is gone when the session ends.
                let _ = events.send(InputEvent::JobFinished(0));
            }
        })
    }

    /// Cancels the infinite queries: at the end of the input nothing else can end them.
    fn cancel_infinite(&self) {
        let endless: Vec<QueryId> = self
            .shared
            .open()
            .values()
            .flat_map(|open| &open.queries)
            .filter(|(_, is_endless)| *is_endless)
            .map(|&(query_id, _)| query_id)
            .collect();
        for query_id in endless {
            self.pool.cancel(query_id);
        }
    }
}
