//! The reviews of many games together: a summary by colour, phase and opening, and the costliest mistakes. One game is added
//! after the other, and nothing is kept of it but numbers; `text` shows the summary at a terminal, `page` in a browser, with
//! the games.

mod page;
mod phases;
mod players;
mod summary;
mod tally;
mod text;

pub use page::GamesPage;
pub use phases::{Phase, phases};
pub use players::{PlayerNames, PlayerNamesError, RecurringNames};
pub use summary::{CostlyMove, GamePlace, GamesSummary};
pub use tally::PlayTally;
