//! The search: takes a position, limits and a reporter, and returns the best move with its line.
//!
//! The values of exchanges (SEE) are in `see.rs` of the crate `xiangqi`, and repetitions within a search in its
//! `repetition_in_search.rs`.
//!
//! A [`Searcher`] holds what lasts from move to move: the transposition table and the histories. [`Limits`] say how
//! long one search runs, a [`Control`] stops it from another thread, and a [`Reporter`] receives its lines.
//!
//! # Read the lines while a search runs
//!
//! ```
//! use chuhe_engine::score::hundredths;
//! use chuhe_engine::search::{Control, Info, Limits, Options, Reporter, Searcher};
//! use xiangqi::Position;
//!
//! struct Print;
//! impl Reporter for Print {
//!     fn info(&mut self, info: &Info) {
//!         let line: Vec<String> = info.pv.iter().map(|mv| mv.to_string()).collect();
//!         let score = hundredths(info.score);
//!         println!("{} {} {score} {}", info.depth, info.multipv, line.join(" "));
//!     }
//! }
//!
//! let options = Options { multi_pv: 2, ..Options::default() }; // the two best lines
//! let mut searcher = Searcher::new(options, 16)?;
//! let (limits, control) = (Limits::nodes(5_000), Control::default());
//! let result = searcher.search(&Position::start(), &limits, &control, &mut Print);
//! assert_eq!(result.best_move, result.pv.first().copied());
//! # Ok::<(), chuhe_engine::search::HashSizeError>(())
//! ```
//!
//! # Threads, time, and stopping
//!
//! ```
//! use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
//! use std::sync::Arc;
//! use std::time::Duration;
//! use xiangqi::Position;
//!
//! let mut searcher = Searcher::new(Options { threads: 2, ..Options::default() }, 16)?;
//! let control = Arc::new(Control::default());
//! let thread = std::thread::spawn({
//!     let control = Arc::clone(&control);
//!     let limits = Limits::default();
//!     move || searcher.search(&Position::start(), &limits, &control, &mut NoReporter)
//! });
//! std::thread::sleep(Duration::from_millis(50));
//! control.stop(); // without it, a search without limits does not end
//! assert!(thread.join().unwrap().best_move.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A game clock
//!
//! ```
//! use chuhe_engine::search::{Clock, Limits};
//! use std::time::Duration;
//!
//! let (time, increment) = (Duration::from_secs(300), Duration::from_secs(3));
//! let clock = Clock { time, increment, ..Clock::default() };
//! let limits = Limits { clock: Some(clock), depth: Some(30), ..Limits::default() };
//! # assert!(!limits.is_unlimited());
//! ```
//!
//! # Mates
//!
//! ```
//! use chuhe_engine::score;
//! use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
//! use xiangqi::Position;
//!
//! let position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/R3K4 w - - 0 1")?;
//! let mut searcher = Searcher::new(Options::default(), 16)?;
//! let limits = Limits { mate: Some(3), ..Limits::default() }; // a mate in at most three moves
//! let control = Control::default();
//! let result = searcher.search(&position, &limits, &control, &mut NoReporter);
//! assert!(score::mate_plies(result.score).is_some_and(|plies| plies <= 5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Endgame tables
//!
//! ```
//! use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
//! use chuhe_engine::{Tablebase, score};
//! use std::sync::Arc;
//! use xiangqi::Position;
//!
//! let mut searcher = Searcher::new(Options::default(), 16)?;
//! searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
//! let position = Position::from_fen("3k5/9/9/9/9/4P4/9/9/9/4K4 w - - 0 1")?;
//! let (limits, control) = (Limits::depth(4), Control::default());
//! let result = searcher.search(&position, &limits, &control, &mut NoReporter);
//! assert!(score::is_decisive(result.score));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abdada;
mod history;
mod huge_pages;
mod iterative_deepening;
mod lazy_smp;
mod limits;
mod mate;
mod move_picker;
mod negamax;
mod node;
mod options;
mod pruning;
mod quiescence;
mod report;
mod root;
mod search_clock;
mod search_thread;
mod searcher;
mod skill;
#[cfg(test)]
#[path = "tests/table_entries.rs"]
mod table_entries;
mod tablebase_probe;
#[cfg(test)]
#[path = "tests/testing.rs"]
mod testing;
mod thread_stacks;
mod time_manager;
mod transposition_table;

// For tuning and for tests.
#[doc(hidden)]
pub mod params;

pub use crate::score::Bound;
pub use limits::{Control, Limits, Poll};
pub use mate::{AttackerMoves, MateProof, MateProver};
pub use options::{Level, Options, Style};
pub use report::{Info, MateProgress, NoReporter, Reporter, SearchResult};
pub use searcher::{HashProbe, Searcher, probe_hash};
pub use skill::Skill;
pub use thread_stacks::{ThreadMemoryError, affordable_threads, check_thread_memory, spawn_searching};
pub use time_manager::Clock;
pub use transposition_table::{HashSizeError, TranspositionTable};

#[cfg(test)]
mod tests {
    use super::testing::{random_positions, rng};
    use super::*;

    #[test]
    fn search_survives_colliding_keys() {
        for bits in [1, 4, 9] {
            let table = TranspositionTable::with_key_bits(bits);
            let mut searcher = Searcher::with_transposition_table(Options::default(), table);
            for position in random_positions(&mut rng(u64::from(bits)), 60) {
                let found = searcher.search(&position, &Limits::depth(5), &Control::default(), &mut NoReporter);
                assert!(position.legal_moves().contains(&found.best_move.expect("a legal move exists")));
            }
        }
    }
}
