//! A book in memory that can be modified: positions by mirror key, with their moves.

use super::mirror::MirrorKey;
use super::{Book, BookMove, GameCounts, ProbeError};
use chuhe_engine::score::Score;
use chuhe_support::language::{Phrase, phrase};
use std::collections::BTreeMap;
use xiangqi::{Move, Position, zobrist::Key};

/// The entry of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BookEntry {
    /// The relative frequency among the moves; 0 = known, but not to be played.
    pub weight: u16,
    /// The score for the mover, in hundredths of a minor piece.
    pub score: Option<i16>,
    /// The results of games with this move.
    pub games: GameCounts,
}

impl BookEntry {
    /// Clamps a score to the range that can be stored.
    pub fn clamp_score(score: Score) -> i16 {
        score.clamp(-30_000, 30_000) as i16
    }
}

/// The moves of each position, in the orientation of its mirror key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryBook {
    /// By the mirror key.
    pub positions: BTreeMap<Key, BTreeMap<Move, BookEntry>>,
}

impl MemoryBook {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The entry of a move, created if absent.
    pub fn entry(&mut self, position: &Position, mv: Move) -> &mut BookEntry {
        let folded = MirrorKey::of(position);
        self.positions.entry(folded.key).or_default().entry(folded.to_book_move(mv)).or_default()
    }

    /// Merges another book: game counts are added; weights and scores come from the book with more games in the
    /// position, or from this book if equal.
    pub fn merge(&mut self, other: &MemoryBook) {
        for (key, theirs) in &other.positions {
            let ours = self.positions.entry(*key).or_default();
            let games =
                |moves: &BTreeMap<Move, BookEntry>| moves.values().map(|entry| entry.games.count()).sum::<u64>();
            let theirs_count = ours.is_empty() || games(theirs) > games(ours);
            for (mv, entry) in theirs {
                let known = ours.contains_key(mv);
                let own = ours.entry(*mv).or_default();
                own.games = own.games.plus(entry.games);
                if theirs_count || !known {
                    own.weight = entry.weight;
                }
                own.score = if theirs_count { entry.score.or(own.score) } else { own.score.or(entry.score) };
            }
        }
    }
}

/// The book moves of the position itself. In a symmetric position an entry yields the move and its mirror image with
/// the same weight.
pub fn unfold_moves(folded: MirrorKey, page: impl Iterator<Item = (Move, BookEntry)>) -> Vec<BookMove> {
    page.flat_map(|(written, entry)| folded.from_book_move(written).map(move |mv| (mv, entry)))
        .map(|(mv, entry)| BookMove {
            mv,
            weight: entry.weight.into(),
            score: entry.score.map(Score::from),
            games: entry.games,
        })
        .collect()
}

impl Book for MemoryBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let folded = MirrorKey::of(position);
        let page = self.positions.get(&folded.key).into_iter().flatten();
        Ok(unfold_moves(folded, page.map(|(mv, entry)| (*mv, *entry))))
    }

    fn entries(&self) -> u64 {
        self.positions.values().map(|moves| moves.len() as u64).sum()
    }

    fn kind(&self) -> Phrase {
        phrase!("book in the making")
    }
}
