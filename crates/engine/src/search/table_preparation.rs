//! A new transposition table whose memory is populated while searches go on with the old one.

use super::transposition_table::TranspositionTable;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A table whose memory is populated on a thread of its own, which ends early if this is dropped.
pub(super) struct TableInPreparation {
    table: Arc<TranspositionTable>,
    populating: Option<JoinHandle<()>>,
}

impl TableInPreparation {
    pub(super) fn of(table: TranspositionTable) -> TableInPreparation {
        let table = Arc::new(table);
        let (chunks, shared) = (table.chunks(), Arc::downgrade(&table));
        let work = move || {
            for chunk in 0..chunks {
                let Some(table) = shared.upgrade() else { return };
                table.populate_chunk(chunk);
            }
        };
        let populating = thread::Builder::new().name("table".to_string()).spawn(work).ok();
        if populating.is_none() {
            table.populate();
        }
        TableInPreparation { table, populating }
    }

    pub(super) fn is_populated(&self) -> bool {
        self.populating.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the memory.
    pub(super) fn finished(self) -> Arc<TranspositionTable> {
        if let Some(populating) = self.populating {
            // A thread that has failed leaves a table that is populated by its use.
            let _ = populating.join();
        }
        self.table
    }
}

#[cfg(test)]
mod tests {
    use crate::search::{Control, Limits, NoReporter, Options, Searcher};
    use std::time::Duration;
    use xiangqi::Position;

    #[test]
    fn searcher_takes_a_new_table_when_it_is_populated() {
        let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
        searcher.resize_hash(200).expect("memory");
        let position = Position::start();
        let on_clock = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        searcher.search(&position, &on_clock, &Control::new(false), &mut NoReporter);
        assert!([1, 200].contains(&searcher.transposition_table().megabytes()));
        // A search that counts nodes is the same on any machine.
        searcher.search(&position, &Limits::nodes(10), &Control::new(false), &mut NoReporter);
        assert_eq!(searcher.transposition_table().megabytes(), 200);
        searcher.resize_hash(5).expect("memory");
        searcher.wait_for_hash();
        assert_eq!(searcher.transposition_table().megabytes(), 5);
        assert!(searcher.resize_hash(usize::MAX >> 10).is_err());
        assert_eq!(searcher.transposition_table().megabytes(), 5);
    }
}
