//! Checks compositions (排局): is the win proven, is it the shortest, is the first move the only one, what are the
//! defences, and where are duals.
//!
//! * `problem` is the composition, `check` checks it within a `budget`, `tree` is the solution with all defences;
//! * `prover` proves mates by the tables and the prover of the engine, within the budget;
//! * `report` is the result, plain data; `phrases` and `points` say it in words, `walk` shows its tree;
//! * `text` writes it for terminals, `annotations` as a game with variations, `page` for browsers.

mod annotations;
mod budget;
mod check;
mod page;
mod phrases;
mod points;
mod problem;
mod prover;
mod report;
mod text;
mod tree;
mod walk;

pub use annotations::{ANNOTATOR, annotated_game};
pub use budget::{CheckBudget, NodeBudget, TimeBudget};
pub use check::{CheckObserver, CheckSettings, check, check_observed};
pub use page::{PAGE_MARK, page};
pub use phrases::{sentences, title};
pub use points::{MovePoint, points_of_attack, points_of_defence};
pub use problem::Composition;
pub use report::{CheckReport, Claim, CompositionKind, Finding, OtherMove, Solution, Soundness, TreeMove};
pub use text::text;
