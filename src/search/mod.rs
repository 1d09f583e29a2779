//! The searcher: a library that takes a position, limits and a reporter, and answers with a move.

mod busy;
mod decisions;
mod extensions;
mod frames;
mod handicap;
mod history;
mod iteration;
mod learning;
mod limits;
mod mate;
mod memory;
mod negamax;
mod node;
mod options;
pub mod params;
mod picker;
mod probing;
mod pruning;
mod quiescence;
mod relay;
mod report;
mod root;
mod root_moves;
mod share;
mod table;
mod telling;
mod threads;
mod time;
mod worker;

pub use limits::{Control, Limits};
pub use options::{Level, Options, Style};
pub use report::{Bound, Info, MateSearch, Outcome, Reporter, Silent};
pub use share::Clock;
pub use table::{Table, TableSizeError};
pub use threads::{Searcher, TableFact, probe, thread};
