//! The searcher: a library that takes a position, limits and a reporter, and answers with a move.

mod busy;
mod handicap;
mod history;
mod learning;
mod limits;
mod mate;
mod memory;
mod negamax;
mod options;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod relay;
mod report;
mod root;
mod table;
mod threads;
mod time;
mod worker;

pub use limits::{Clock, Control, Limits};
pub use options::{Level, Options, Style};
pub use report::{Bound, Info, Outcome, Reporter, Silent};
pub use table::{Table, TableSizeError};
pub use threads::{Searcher, TableFact, probe, thread};
