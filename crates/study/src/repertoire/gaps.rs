//! What is missing: answers of the other side that come often, against which a repertoire has no move.

use super::counts::OpeningCounts;
use super::graph::Repertoire;
use crate::book::mirror::MirrorKey;
use crate::book::{Book, ProbeError, weight_percent};
use chuhe_support::small_sort::SmallSort;
use std::cmp::Reverse;
use std::collections::HashSet;
use xiangqi::{Move, Position};

/// Which answers count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GapOptions {
    /// An answer comes often if it came in this part of the games in its position, and in so many of them.
    pub least_share: f64,
    pub least_games: u64,
    /// Answers after so many plies do not count.
    pub plies: usize,
}

impl Default for GapOptions {
    fn default() -> GapOptions {
        GapOptions { least_share: 0.1, least_games: 2, plies: 24 }
    }
}

/// An answer that has no move against it.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// The moves from the start position, the answer last.
    pub line: Vec<Move>,
    /// In how many games it came, and in which part of those in its position.
    pub games: u64,
    pub share: f64,
    /// The part of the weight that a book gives it.
    pub book: f64,
    /// The repertoire has the answer, but nothing against it.
    pub is_listed: bool,
}

impl Repertoire {
    /// The gaps, the most frequent ones first.
    pub fn gaps(
        &self,
        counts: &OpeningCounts,
        book: Option<&dyn Book>,
        options: &GapOptions,
    ) -> Result<Vec<Gap>, ProbeError> {
        let (mut gaps, mut seen, mut fault) = (Vec::new(), HashSet::new(), None);
        self.walk(&mut |place| {
            if self.is_mine(place.position) || place.is_known || place.line.len() >= options.plies || fault.is_some() {
                return;
            }
            match self.answers(place.position, place.moves, counts, book) {
                Err(error) => fault = Some(error),
                Ok(answers) => {
                    let mut after = place.position.clone();
                    for gap in answers {
                        let Some(&answer) = gap.line.first() else { continue };
                        let is_often = gap.games >= options.least_games && gap.share >= options.least_share;
                        after.play_unchecked(answer);
                        let is_open = self.moves(&after).is_empty() && after.has_legal_move();
                        let is_wanted = is_often || gap.book >= options.least_share || gap.is_listed;
                        if is_open && is_wanted && seen.insert(MirrorKey::of(&after).key) {
                            let line = place.line.iter().copied().chain([answer]).collect();
                            gaps.push(Gap { line, ..gap });
                        }
                        after.undo();
                    }
                }
            }
        });
        // What no game has comes the more often the earlier it is.
        gaps.order_by_key(|gap: &Gap| (Reverse(gap.games), gap.line.len(), Reverse((1000.0 * gap.book) as u64)));
        fault.map_or(Ok(gaps), Err)
    }

    /// The answers of a position that games, the book or the repertoire have, each as a line of one move.
    fn answers(
        &self,
        position: &Position,
        listed: &[Move],
        counts: &OpeningCounts,
        book: Option<&dyn Book>,
    ) -> Result<Vec<Gap>, ProbeError> {
        let key = MirrorKey::of(position);
        let mut found: Vec<Gap> = Vec::new();
        let place = |found: &mut Vec<Gap>, mv: Move| {
            let known = found.iter().position(|gap| key.to_book_move(gap.line[0]) == key.to_book_move(mv));
            known.unwrap_or_else(|| {
                found.push(Gap { line: vec![mv], games: 0, share: 0.0, book: 0.0, is_listed: false });
                found.len() - 1
            })
        };
        for &mv in listed {
            let at = place(&mut found, mv);
            found[at].is_listed = true;
        }
        let played = counts.at(position);
        let all: u64 = played.iter().map(|entry| entry.tally.games).sum();
        for entry in &played {
            let at = place(&mut found, entry.mv);
            found[at].games += entry.tally.games;
            found[at].share = found[at].games as f64 / all as f64;
        }
        if let Some(book) = book {
            let moves = book.moves(position)?;
            for entry in &moves {
                let at = place(&mut found, entry.mv);
                found[at].book += weight_percent(entry, &moves) / 100.0;
            }
        }
        Ok(found)
    }
}
