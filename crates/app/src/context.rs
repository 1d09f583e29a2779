//! What all parts of the program share: what is kept, what searches use, and where they run.

use crate::preferences::Preferences;
use crate::save_store::SaveStore;
use crate::searches::JobRunner;
use chuhe_engine::search::{Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::book;
use chuhe_study::player::HASH_MB;
use chuhe_support::language::Message;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
pub struct AppContext {
    pub store: Arc<SaveStore>,
    pub preferences: Arc<Preferences>,
    pub resources: AnalystResources,
    pub runner: JobRunner,
}

impl AppContext {
    /// Searches use all processors, the built-in tablebases and the embedded book, on threads of their own.
    pub fn new(version: &'static str, store: SaveStore) -> AppContext {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        // The embedded book always opens: the build includes it.
        let books = book::open_book(Path::new(book::EMBEDDED_BOOK_NAME)).into_iter().collect();
        let tablebases = Arc::new(Tablebase::built_in());
        AppContext {
            store: Arc::new(store),
            preferences: Arc::default(),
            resources: AnalystResources { version, threads, hash_mb: HASH_MB, tablebases, books },
            runner: JobRunner::Threads,
        }
    }

    /// A search that is bounded by nodes or by a time that is all its own, with the tables.
    pub fn searcher(&self, options: Options, megabytes: usize) -> Result<Searcher, Message> {
        let options = Options { overhead: Duration::ZERO, ..options };
        let mut searcher = Searcher::new(options, megabytes).map_err(Message::from_value)?;
        searcher.tablebase = Some(Arc::clone(&self.resources.tablebases));
        Ok(searcher)
    }

    /// As many nodes as there are threads for; without threads it may be a phone.
    pub fn nodes(&self, with_threads: u64, inline: u64) -> u64 {
        if self.runner.has_threads() { with_threads } else { inline }
    }
}
