//! What all parts of the program share: what is kept, what searches use, where they run, and how pages hear of changes: the current
//! state of each part of a page, numbered so that it receives only what has changed.

use crate::preferences::Preferences;
use crate::save_store::SaveStore;
use crate::searches::JobRunner;
use chuhe_engine::search::{Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::book;
use chuhe_study::player::HASH_MB;
use chuhe_support::language::{Language, Message};
use chuhe_support::lock::Lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
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

#[derive(Default)]
struct EventState {
    /// Increases with every change.
    number: u64,
    /// By name: the number of the last change and the JSON.
    parts: BTreeMap<&'static str, (u64, String)>,
}

/// Hears of a change: an event as [`Events::since`] gives it.
pub type EventListener = Arc<dyn Fn(&str) + Send + Sync>;

/// The parts of the page's state, in the language of the page.
pub struct Events {
    language: Mutex<Language>,
    parts: Mutex<EventState>,
    changed: Condvar,
    /// Hears of every change at once, where nobody can wait for it.
    listener: Option<EventListener>,
}

impl Events {
    pub fn new(listener: Option<EventListener>) -> Events {
        let (parts, changed) = Default::default();
        Events { language: Mutex::new(Language::current()), parts, changed, listener }
    }

    pub fn language(&self) -> Language {
        *self.language.locked()
    }

    /// From now on parts are published in this language; what was published in another one is forgotten. Whether it was another.
    pub fn set_language(&self, language: Language) -> bool {
        let before = std::mem::replace(&mut *self.language.locked(), language);
        if before != language {
            self.parts.locked().parts.clear();
        }
        before != language
    }

    /// Updates a part, which is made in the language of the page.
    pub fn publish<T: Serialize>(&self, name: &'static str, part: impl FnOnce() -> T) {
        let json = self.language().with(|| serde_json::to_string(&part()).unwrap_or_default());
        let mut parts = self.parts.locked();
        parts.number += 1;
        let number = parts.number;
        if let Some(listener) = &self.listener {
            return listener(&format!("{{\"number\":{number},\"{name}\":{json}}}"));
        }
        parts.parts.insert(name, (number, json));
        self.changed.notify_all();
    }

    /// The parts changed since this number, with the number to ask for next; waits up to `patience`.
    pub fn since(&self, after: u64, patience: Duration) -> Option<(u64, String)> {
        let parts = self.parts.locked();
        // Where nothing can wait, there may be no clock for it, either.
        let parts = if patience.is_zero() {
            parts
        } else {
            let waited = self.changed.wait_timeout_while(parts, patience, |parts| parts.number <= after);
            waited.unwrap_or_else(PoisonError::into_inner).0
        };
        if parts.number <= after {
            return None;
        }
        let fresh = parts.parts.iter().filter(|(_, (number, _))| *number > after);
        let fields: Vec<String> = fresh.map(|(name, (_, json))| format!(",\"{name}\":{json}")).collect();
        Some((parts.number, format!("{{\"number\":{}{}}}", parts.number, fields.concat())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_hold_only_changed_parts() {
        let events = Events::new(None);
        let now = |after| events.since(after, Duration::ZERO);
        assert_eq!(now(0), None);
        events.publish("game", || 1);
        events.publish("lines", || [2]);
        assert_eq!(now(0), Some((2, "{\"number\":2,\"game\":1,\"lines\":[2]}".to_string())));
        assert_eq!(now(1), Some((2, "{\"number\":2,\"lines\":[2]}".to_string())));
        events.publish("game", || 3);
        assert_eq!(now(2), Some((3, "{\"number\":3,\"game\":3}".to_string())));
        assert_eq!(now(3), None);
    }
}
