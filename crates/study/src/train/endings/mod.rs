//! Endings to practise: the materials of the tables, positions drawn anew, and a game against a side that never gives
//! the result away.
//!
//! * `shelf` lists the endings, with how many positions are won; `positions` draws one of a wished difficulty;
//! * `opponent` finds the move that makes it hardest among those that keep the result;
//! * `session` judges what the person plays, and tells where a result was given away.

mod ending;
mod opponent;
mod positions;
mod session;

pub use ending::{Ending, EndingGrade};
pub use positions::{EndingSide, draw_start, is_quiet, share_won};
pub use session::{EndingError, EndingSession, EndingState, EndingStep};
