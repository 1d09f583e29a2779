//! Position analysis for users, scripts and pages.
//!
//! * `query`: the position, the limits, the number of lines and the rules of an analysis, also from JSON;
//! * `analyst`: a searcher with tablebases and books that answers a query with an analysis, which has verdicts on its
//!   lines; several analysts on threads of their own, with a priority queue and cancellation;
//! * `report`: an analysis as JSON.

mod analyst;
mod query;
mod report;

pub use analyst::{
    Analysis, AnalysisLine, AnalysisUpdate, Analyst, AnalystPool, AnalystResources, LineVerdict, PoolError, QueryId,
    UpdateHandler, line_verdict,
};
pub use query::{
    AnalyseRequest, AnalyseRequestError, GamePosition, MAX_DEPTH, MAX_LINES, MAX_MATE_MOVES, ParsedRequest, Query,
    QueryBatch, QueryTask, SearchBudget, null_move_position,
};
pub use report::{AnalysisConditions, AnalysisReport};
