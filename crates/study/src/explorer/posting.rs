//! The positions of a game as the index keeps them.

use crate::book::mirror::MirrorKey;
use xiangqi::{Move, Position};

/// The plies of a game that are indexed: positions up to this ply, each with the move played there.
pub const INDEXED_PLIES: usize = 30;

/// The bits of a position's key that are kept: of twenty million positions two have the same ones with a chance of one in
/// three hundred.
pub(super) const KEY_BITS: u32 = 56;

/// The key of a position in the index, and whether its moves are mirrored there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IndexKey {
    pub key: u64,
    pub is_mirrored: bool,
}

impl IndexKey {
    pub fn of(position: &Position) -> IndexKey {
        let MirrorKey { key, mirrored, .. } = MirrorKey::of(position);
        IndexKey { key: key >> (64 - KEY_BITS), is_mirrored: mirrored }
    }

    /// Turns a move of the position into the one that the index has, and back.
    pub fn turned(self, mv: Move) -> Move {
        if self.is_mirrored { mv.mirror() } else { mv }
    }
}

/// A move that was played in a position of a game; 0 where the game ended.
pub(super) const NO_MOVE: u16 = 0;

/// A position of a game with the move that was played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Posting {
    pub key: u64,
    pub mv: u16,
    pub game: u32,
}

/// Calls a function with each indexed position of a game and the move played there.
pub(super) fn for_each_position(start: &Position, moves: &[Move], mut each: impl FnMut(u64, u16)) {
    let mut position = start.without_history();
    for ply in 0..=INDEXED_PLIES.min(moves.len()) {
        let key = IndexKey::of(&position);
        match moves.get(ply) {
            Some(&mv) => {
                each(key.key, key.turned(mv).bits());
                position.play_unchecked(mv);
            }
            None => each(key.key, NO_MOVE),
        }
    }
}
