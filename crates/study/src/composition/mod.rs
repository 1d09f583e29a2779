//! Checks compositions (排局): is the win proven, is it the shortest, is the first move the only one, what are the
//! defences, and where are duals.
//!
//! * `report` has the composition and the result, plain data, and says it in words; `check` checks it;
//! * `tree` is the solution with all defences, and proves mates by the tables and the prover of the engine, within a budget;
//! * `text` writes the result for terminals and as a game with variations, `page` for browsers.

mod check;
mod page;
mod report;
mod text;
mod tree;

pub use check::{CheckObserver, CheckSettings, check};
pub use page::{PAGE_MARK, page};
pub use report::{
    CheckReport, Claim, Composition, CompositionKind, Finding, MovePoint, OtherMove, Solution, Soundness, TreeMove,
    points_of_attack, points_of_defence, sentences, title,
};
pub use text::{ANNOTATOR, annotated_game, text};
pub use tree::CheckBudget;
