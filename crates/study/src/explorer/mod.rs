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

mod counting;
mod index;
mod segment;

pub use counting::{
    Answer, FoundGame, GameDate, GameFacts, GameFilter, INDEXED_PLIES, IndexedGame, MoveTally, ParseDateError,
    PositionCounter, Tally,
};
pub use index::{Added, GameIndex, GameIterator, GamePiece, GameSource, GameSourceError, IndexError, IndexWriter};
