//! An opening repertoire: the moves that a person wants to play with one colour, and the answers that they are for.
//!
//! * [`Repertoire`] is a graph of positions: other orders of moves and mirror images are joined. It makes cards, and says
//!   where a game leaves it.
//! * [`OpeningCounts`] counts what was played in many games; a repertoire is made of those of one player, and answers are
//!   found that come often and have no move.
//! * `record` turns a repertoire into a game with variations, and back.

mod games;
mod graph;
mod record;

pub use games::{Gap, GapOptions, MoveJudgement, OpeningCounts, judge_choices, worth};
pub use graph::{Departure, Followed, MAX_LINE, MAX_POSITIONS, Place, Repertoire, RepertoireError, cards_of};
pub use record::{RecordFault, colour_of};
