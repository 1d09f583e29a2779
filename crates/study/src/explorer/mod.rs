//! What games say about a position: for each move how often it was played, with which results.
//!
//! * [`GameFacts`] is what a question may ask of a game; [`GameFilter`] asks it.
//! * [`PositionCounter`] counts games one after the other, with every ply of them.
//! * [`IndexedGame`] is a game in memory that is asked often.
//! * [`GameIndex`] is a folder that holds the first [`INDEXED_PLIES`] plies of any number of games. It consists of
//!   segments, which never change: a batch of games becomes one, and small ones are merged into a larger one.
//! * [`GameSource`] reads the games of a file, also of a file that does not fit into memory.
//!
//! Positions that differ by the order of moves are one, and so are a position and its mirror image: a game that reached
//! the mirror image counts with the mirrored move.

mod answer;
mod counting;
mod game_facts;
mod index;
mod segment;
mod source;

pub use answer::{Answer, FoundGame, MoveTally, Tally};
pub use counting::{INDEXED_PLIES, IndexedGame, PositionCounter};
pub use game_facts::{GameDate, GameFacts, GameFilter, ParseDateError};
pub use index::{Added, GameIndex, IndexError, IndexWriter};
pub use source::{GameIterator, GamePiece, GameSource, GameSourceError};
