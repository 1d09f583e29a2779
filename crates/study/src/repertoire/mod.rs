//! An opening repertoire: the moves that a person wants to play with one colour, and the answers that they are for.
//!
//! * [`Repertoire`] is a graph of positions: other orders of moves and mirror images are joined.
//! * [`OpeningCounts`] counts what was played in many games; `make` builds a repertoire of the games of one player.
//! * `gaps` finds answers that come often and have no move; `follow` says where a game leaves a repertoire.
//! * `record` turns a repertoire into a game with variations, and back; `cards` makes cards of it.

mod cards;
mod counts;
mod follow;
mod gaps;
mod graph;
mod judgement;
mod make;
mod record;

pub use cards::cards_of;
pub use counts::OpeningCounts;
pub use follow::{Departure, Followed};
pub use gaps::{Gap, GapOptions};
pub use graph::{MAX_LINE, MAX_POSITIONS, Place, Repertoire, RepertoireError};
pub use judgement::{MoveJudgement, judge_choices};
pub use make::worth;
pub use record::{RecordFault, colour_of};
