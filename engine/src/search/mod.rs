//! The searcher: a library that takes a position, limits and a reporter, and answers with a move.

mod history;
mod history_update;
mod huge_pages;
mod info;
mod iterative_deepening;
mod lazy_smp;
mod limits;
mod mate;
mod move_picker;
mod negamax;
mod node;
mod options;
pub mod params;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod search_stack;
mod search_thread;
mod searcher;
mod skill;
mod tablebase_probe;
mod time_budget;
mod time_manager;
mod transposition_table;

pub use info::{Bound, Info, MateProgress, NoReporter, Reporter, SearchResult};
pub use limits::{Control, Limits};
pub use options::{Level, Options, Style};
pub use searcher::{HashProbe, Searcher, probe_hash, thread_builder};
pub use time_budget::Clock;
pub use transposition_table::{HashSizeError, TranspositionTable};
