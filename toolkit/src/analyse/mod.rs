//! What the engine thinks of a position, for whoever asks: a person, a script or a page.
//!
//! * a `query` says where (a `query` of a game), how long, how many lines and under which rules;
//! * an `analyst` is a searcher with tables and books, and answers a query: an `analysis`, told as often as wanted while it
//!   grows (`analyst`); `analysis` is what the judge says of a line;
//! * a `pool` has several analysts on threads of their own, with a queue from which everything can be given up at once;
//! * `report` is an analysis as JSON, `request` a query.

mod analysis;
mod analyst;
mod pool;
mod query;
mod report;
pub mod request;

pub use analysis::{Analysis, AnalysisLine, LineVerdict, line_verdict};
pub use analyst::{Analyst, AnalystResources};
pub use pool::{AnalysisUpdate, AnalystPool, PoolError, QueryId, UpdateHandler};
pub use query::{GamePosition, Query, QueryTask, SearchBudget, null_move_position};
pub use report::{AnalysisConditions, AnalysisReport};
