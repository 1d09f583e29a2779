//! The reviews of many games together: a summary by colour, phase and opening, and the costliest mistakes. One game is added
//! after the other, and nothing is kept of it but numbers; `text` shows the summary at a terminal, `page` in a browser, with
//! the games.

mod page;
mod players;
mod summary;
mod text;

pub use page::GamesPage;
pub use players::{PlayTally, PlayerNames, PlayerNamesError, RecurringNames};
pub use summary::{CostlyMove, GamePlace, GamesSummary, Phase, phases};
