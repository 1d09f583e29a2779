//! What the engine thinks of a position, for whoever asks: a person, a script or a page.
//!
//! * a `query` says where (a `spot` of a game), how long, how many lines and under which rules;
//! * an `analyst` is a searcher with tables and books, and answers a query: an `analysis`, told as often as wanted while it
//!   grows (`gather`); `outlook` is what the judge says of a line;
//! * a `pool` has several analysts on threads of their own, with a queue from which everything can be given up at once;
//! * `report` is an analysis as JSON, `request` a query.

mod analysis;
mod analyst;
mod gather;
mod outlook;
mod pool;
mod query;
mod report;
pub mod request;
mod spot;

pub use analysis::{Analysis, Line};
pub use analyst::{Analyst, Equipment};
pub use outlook::{Outlook, outlook};
pub use pool::{Asker, Pool, PoolError, Ticket, Word};
pub use query::{Measure, Query, Task, threat};
pub use report::{Conditions, Report};
pub use spot::Spot;
