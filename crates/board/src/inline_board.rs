//! A board without threads, disk or server: its host passes requests on, runs its jobs when there are none, and keeps what
//! it asks it to keep.

use super::requests::Reply;
use super::sessions::{ApiError, Sessions};
use chuhe_app::access::Access;
use chuhe_app::context::{AppContext, EventListener};
use chuhe_app::preferences::Preferences;
use chuhe_app::save_store::SaveStore;
use chuhe_app::searches::{JobQueue, JobRunner};
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Poll};
use chuhe_study::game::saved_games::SavedGames;
use chuhe_support::files::{Folder, MemoryFolder};
use chuhe_support::lock::Lock;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the host of a board does for it.
pub trait BoardHost: Send + Sync + 'static {
    /// A file is to be kept with this content, or to be removed.
    fn keep(&self, name: &str, content: Option<&[u8]>);

    /// The page is to be told of an event: what has been kept before it must not be lost any more then.
    fn tell(&self, event: &str);

    /// Whether a request has come. Asked at an interval while the engine thinks.
    fn has_request(&self) -> bool;
}

/// The board of one page.
pub struct InlineBoard {
    sessions: Sessions,
    jobs: Arc<JobQueue>,
    outbox: Arc<Outbox>,
}

impl InlineBoard {
    /// The board with these files of an earlier run; while it thinks, it asks for requests at this interval.
    pub fn new(
        version: &'static str,
        files: BTreeMap<String, Vec<u8>>,
        host: Arc<dyn BoardHost>,
        interval: Duration,
    ) -> InlineBoard {
        let memory = Arc::new(MemoryFolder::new(files));
        let folder = Folder::Memory(Arc::clone(&memory));
        let poll = RequestPoll { host: Arc::clone(&host), interval, asked_at: Mutex::new(Instant::now()) };
        let outbox = Arc::new(Outbox { memory, host });
        let listener: EventListener = {
            let outbox = Arc::clone(&outbox);
            Arc::new(move |event| {
                outbox.keep_changes();
                outbox.host.tell(event);
            })
        };
        let jobs = Arc::new(JobQueue::new(Arc::new(poll), listener));
        let (store, trouble) = SaveStore::open_at(SavedGames::open_at(folder.clone()));
        let mut sessions = Sessions::new(AppContext {
            preferences: Arc::new(Preferences::open_at(Some(folder))),
            runner: JobRunner::Queue(Arc::clone(&jobs)),
            ..AppContext::new(version, store)
        });
        sessions.storage_error = trouble;
        InlineBoard { sessions, jobs, outbox }
    }

    /// Answers a request, as [`Sessions::answer`] does, but with no streams. What is to be kept is told before. Not to be
    /// called while a job runs.
    pub fn answer(&self, path: &str, body: &[u8]) -> Result<String, ApiError> {
        let answer = self.sessions.answer(Access::Owner, path, body);
        self.outbox.keep_changes();
        match answer? {
            Reply::Json(json) => Ok(json),
            Reply::File(file) => Ok(file.json()),
            Reply::Stream(..) => Err(ApiError::NotFound),
        }
    }

    /// Goes on with the most urgent job, until it is done or a request comes. Returns whether any job waits.
    pub fn run_job(&self) -> bool {
        let waits = self.jobs.run_next();
        self.outbox.keep_changes();
        waits
    }
}

struct Outbox {
    memory: Arc<MemoryFolder>,
    host: Arc<dyn BoardHost>,
}

impl Outbox {
    fn keep_changes(&self) {
        for (name, content) in self.memory.take_changes() {
            self.host.keep(&name, content.as_deref());
        }
    }
}

/// Ends a search when a request comes.
struct RequestPoll {
    host: Arc<dyn BoardHost>,
    interval: Duration,
    asked_at: Mutex<Instant>,
}

impl fmt::Debug for RequestPoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestPoll")
    }
}

impl Poll for RequestPoll {
    fn poll(&self, control: &Control) {
        let mut asked_at = self.asked_at.locked();
        if asked_at.elapsed() < self.interval {
            return;
        }
        if self.host.has_request() {
            control.stop();
        }
        // The host may have taken its time.
        *asked_at = Instant::now();
    }

    /// Nothing of a board waits.
    fn wait(&self, _: Duration) {}
}
