//! A conversation with a script: queries come in, a JSON object a line, and are answered in whatever order they are ready,
//! each by its id. The end of the input finishes what was asked.

use super::args::{AnalyseArgs, bounded};
use super::error::AnalyseError;
use super::told::Told;
use crate::cli::output::StandardOutput;
use crate::cli::remarks::say_remarks;
use crate::protocol::{InputEvent, LONGEST_LINE, VERSION, read_lines};
use chuhe_engine::board::Position;
use chuhe_engine::language::Language;
use chuhe_engine::search::thread;
use chuhe_toolkit::analyse::request::{Asking, Request, RequestError};
use chuhe_toolkit::analyse::{Asker, Equipment, Pool, Query, Report, Spot, Ticket, Word};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Standard output, to which every analyst writes whole lines.
struct Speaker {
    out: Mutex<StandardOutput>,
    /// Nobody listens any more.
    closed: AtomicBool,
}

impl Speaker {
    fn say(&self, line: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }
}

/// What is asked under an id and not yet answered.
#[derive(Default)]
struct Open {
    left: usize,
    /// Its queries, and whether each would go on for ever.
    tickets: Vec<(Ticket, bool)>,
}

/// What the analysts share with whoever listens to the script.
struct Shared {
    speaker: Speaker,
    open: Mutex<HashMap<String, Open>>,
    equipment: Equipment,
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of the queries of an id has its last word.
    fn close_one(&self, key: &str) {
        let mut open = self.open();
        if let Some(of_id) = open.get_mut(key) {
            of_id.left -= 1;
            if of_id.left == 0 {
                open.remove(key);
            }
        }
    }
}

/// Holds the conversation.
pub fn hold(args: &AnalyseArgs) -> Result<ExitCode, AnalyseError> {
    let (at_once, equipment) = args.equipment(false)?;
    let usual = bounded(args.query(Spot::of(&Position::start()))?);
    let pool = Pool::open(at_once, &equipment)?;
    let speaker = Speaker { out: Mutex::new(StandardOutput::new()), closed: AtomicBool::new(false) };
    let (events, heard) = mpsc::channel();
    let input = events.clone();
    // It may wait for a line for ever: nobody waits for it.
    thread("input").spawn(move || read_lines(std::io::stdin(), &input))?;
    let shared = Arc::new(Shared { speaker, open: Mutex::default(), equipment });
    let mut host = Host { pool, shared, events, usual: Query { afresh: true, ..usual }, line: 0 };
    let mut ended = false;
    for event in heard {
        match event {
            InputEvent::Line(line, _) => host.hear(&line),
            InputEvent::TooLong => host.refuse_line(),
            InputEvent::End => {
                ended = true;
                host.end_what_is_endless();
            }
            InputEvent::Finished(_) => {}
        }
        let is_done = ended && host.shared.open().is_empty();
        if is_done || host.shared.speaker.closed.load(Ordering::Relaxed) {
            break;
        }
    }
    let Host { pool, shared, .. } = host;
    // The last answers are on their way.
    drop(pool);
    say_remarks(&shared.equipment.tables);
    Ok(ExitCode::SUCCESS)
}

/// Who listens to the script.
struct Host {
    pool: Pool,
    shared: Arc<Shared>,
    /// Every last word is an event.
    events: Sender<InputEvent>,
    /// What a query is like as far as it does not say otherwise.
    usual: Query,
    /// The number of the line that was heard last, from 1.
    line: usize,
}

impl Host {
    fn hear(&mut self, line: &[u8]) {
        self.line += 1;
        if line.trim_ascii().is_empty() {
            return;
        }
        match Language::ENGLISH.with(|| Request::read(line, &self.usual)) {
            Err(error) => self.refuse(&error),
            Ok(heard) => {
                let id = heard.request.id().clone();
                for field in &heard.unknown {
                    self.say(
                        &json!({"id": id, "warning": "unknown field", "field": field, "line": self.line}),
                    );
                }
                self.obey(heard.request);
            }
        }
    }

    fn say(&self, value: &Value) {
        self.shared.speaker.say(&value.to_string());
    }

    fn refuse(&self, error: &RequestError) {
        let text = Language::ENGLISH.with(|| error.to_string());
        self.say(&json!({"id": error.id, "error": text, "field": error.field, "line": self.line}));
    }

    fn refuse_line(&mut self) {
        self.line += 1;
        let text = format!("longer than {LONGEST_LINE} bytes");
        self.say(&json!({"id": null, "error": text, "field": null, "line": self.line}));
    }

    fn obey(&mut self, request: Request) {
        match request {
            Request::Ask(asking) => self.ask(asking),
            Request::Terminate { id, which } => {
                let tickets = self.tickets(&which.to_string());
                let found = !tickets.is_empty();
                self.say(&json!({"id": id, "action": "terminate", "terminate": which, "found": found}));
                for (ticket, _) in tickets {
                    self.pool.give_up(ticket);
                }
            }
            Request::TerminateAll { id } => {
                self.say(&json!({"id": id, "action": "terminate_all"}));
                self.pool.give_up_all();
            }
            Request::Version { id } => {
                let version = format!("Chuhe {VERSION}");
                self.say(&json!({"id": id, "action": "version", "version": version}));
            }
        }
    }

    fn tickets(&self, key: &str) -> Vec<(Ticket, bool)> {
        self.shared.open().get(key).map(|open| open.tickets.clone()).unwrap_or_default()
    }

    fn ask(&mut self, Asking { id, priority, queries }: Asking) {
        let key = id.to_string();
        if self.shared.open().contains_key(&key) {
            let text = "is that of a query which is not answered yet";
            return self.say(&json!({"id": id, "error": text, "field": "id", "line": self.line}));
        }
        self.shared.open().insert(key.clone(), Open { left: queries.len(), tickets: Vec::new() });
        for query in queries {
            let is_endless = query.is_endless();
            let ticket = self.pool.ask(query, priority, self.asker(&id, &key));
            // It may be answered already.
            if let Some(open) = self.shared.open().get_mut(&key) {
                open.tickets.push((ticket, is_endless));
            }
        }
    }

    /// Tells the script what comes of a query.
    fn asker(&self, id: &Value, key: &str) -> Asker {
        let (shared, events) = (Arc::clone(&self.shared), self.events.clone());
        let (id, key) = (id.clone(), key.to_string());
        Box::new(move |word| {
            let (analysis, is_final) = match word {
                Word::Partial(analysis) => (analysis, false),
                Word::Final(analysis) => (analysis, true),
            };
            let report = Report::of(&analysis, &shared.equipment);
            let line = Told { id: Some(&id), number: None, r#final: is_final, report: &report }.line();
            if is_final {
                // Whoever reads the last word may use the id again.
                shared.close_one(&key);
            }
            shared.speaker.say(&line);
            if is_final || shared.speaker.closed.load(Ordering::Relaxed) {
                // Nobody is left to hear it when everything ends.
                let _ = events.send(InputEvent::Finished(0));
            }
        })
    }

    /// Nobody can end what is endless any more.
    fn end_what_is_endless(&self) {
        let endless: Vec<Ticket> = self
            .shared
            .open()
            .values()
            .flat_map(|open| &open.tickets)
            .filter(|(_, is_endless)| *is_endless)
            .map(|&(ticket, _)| ticket)
            .collect();
        for ticket in endless {
            self.pool.give_up(ticket);
        }
    }
}
