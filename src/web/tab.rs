//! A page that is open in the browser: its news, its table, and when it was last heard of.

use super::keeper::Keeper;
use super::news::News;
use super::reviews::Reviews;
use super::table::Table;
use super::thoughts::Thoughts;
use crate::analyse::Equipment;
use crate::play::game::Game;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A page that is silent for so long is gone: timers of hidden pages fire once in a minute.
const SILENCE: Duration = Duration::from_secs(90);
/// A page that said goodbye may come back after it: it was loaded again.
const GRACE: Duration = Duration::from_secs(5);

pub struct Tab {
    pub id: u64,
    pub news: Arc<News>,
    pub table: Arc<Table>,
    pub thoughts: Thoughts,
    pub reviews: Arc<Reviews>,
    /// The stream that is open, by number; 0 = none.
    stream: AtomicU64,
    streams: AtomicU64,
    /// When it is given up, if nothing is heard of it.
    until: Mutex<Instant>,
}

impl Tab {
    pub fn new(id: u64, game: Game, keeper: Arc<Keeper>, equipment: Equipment) -> io::Result<Tab> {
        let news = Arc::new(News::default());
        let table = Arc::new(Table::new(id, game, Arc::clone(&news), keeper)?);
        let thoughts = Thoughts::new(equipment.clone(), Arc::clone(&news));
        let reviews = Arc::new(Reviews::new(equipment, Arc::clone(&news)));
        let (stream, streams) = Default::default();
        Ok(Tab {
            id,
            news,
            table,
            thoughts,
            reviews,
            stream,
            streams,
            until: Mutex::new(Instant::now() + SILENCE),
        })
    }

    /// Something was heard of it.
    pub fn touch(&self) {
        self.wait_for(SILENCE);
    }

    /// It says goodbye: what is being thought about for it is given up.
    pub fn leave(&self) {
        self.wait_for(GRACE);
        self.stream.store(0, Ordering::Relaxed);
        self.rest();
    }

    /// Gives up all that the engine does for it.
    pub fn rest(&self) {
        self.table.rest();
        self.thoughts.rest();
        self.reviews.end();
    }

    /// Whether the engine works for it.
    pub fn is_searching(&self) -> bool {
        self.table.is_searching() || self.thoughts.is_searching() || self.reviews.is_searching()
    }

    fn wait_for(&self, patience: Duration) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + patience;
    }

    /// Whether nothing was heard of it for too long.
    pub fn is_gone(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        !self.is_streaming() && Instant::now() > until
    }

    pub fn is_streaming(&self) -> bool {
        self.stream.load(Ordering::Relaxed) != 0
    }

    /// A stream begins, and takes the place of the one before. Its number.
    pub fn begin_stream(&self) -> u64 {
        let number = self.streams.fetch_add(1, Ordering::Relaxed) + 1;
        self.stream.store(number, Ordering::Relaxed);
        number
    }

    /// Whether this stream is still the one that is wanted.
    pub fn wants(&self, stream: u64) -> bool {
        self.stream.load(Ordering::Relaxed) == stream
    }

    /// This stream has ended. If it was the page's own end, nobody looks any more.
    pub fn end_stream(&self, stream: u64) {
        let ended = self.stream.compare_exchange(stream, 0, Ordering::Relaxed, Ordering::Relaxed);
        if ended.is_ok() {
            self.touch();
            self.rest();
        }
    }
}
