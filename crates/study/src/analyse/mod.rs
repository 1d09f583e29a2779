//! Position analysis for users, scripts and pages.
//!
//! * `query`: the position, the limits, the number of lines and the rules of an analysis;
//! * `analyst`: a searcher with tablebases and books that answers a query; `analysis` is the result, with verdicts on
//!   its lines;
//! * `pool`: several analysts on threads of their own, with a priority queue and cancellation;
//! * `report`: an analysis as JSON; `request`: a query from JSON.

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
