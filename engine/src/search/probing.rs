//! Endgame tables in the search: what they say of a node becomes its score, and at the root only the best moves by their
//! word are searched.

use crate::board::Position;
use crate::tablebase::{Answer, Shelf};
use crate::types::score::{self, DRAW, TABLE_WIN, mate_in, mated_in};
use crate::types::{Color, Move, Score};
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest line that tables add to a variation.
const LONGEST_LINE: usize = 120;

/// The tables as one search uses them.
pub struct Probing<'a> {
    shelf: &'a Shelf,
    /// Plies without a capture that draw the game; 0: never.
    natural_limit: usize,
    /// What the tables know of the root, if its moves are chosen by it.
    root: Option<Answer>,
    /// How many pieces stand at the root.
    men: usize,
    hits: AtomicU64,
}

/// All pieces on the board.
fn men(position: &Position) -> usize {
    Color::ALL.into_iter().map(|color| position.pieces(color).count()).sum()
}

impl<'a> Probing<'a> {
    /// Tables for a search from this position. `ranks` tells that one line only is worked out, so that moves worse than the
    /// best need not be searched.
    pub fn new(shelf: &'a Shelf, position: &Position, natural_limit: usize, ranks: bool) -> Probing<'a> {
        let root = if ranks { shelf.probe(position) } else { None };
        Probing { shelf, natural_limit, root, men: men(position), hits: AtomicU64::new(0) }
    }

    /// How often a table knew the answer.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// What a root move that the search found to be worth so much is said to be worth: the word of the tables is the last,
    /// wherever it decides.
    pub fn word(&self, root: &Position, mv: Move, found: Score) -> Score {
        // Only the search sees a repetition that began before the root.
        if score::is_rule(found) {
            return found;
        }
        let mut next = root.clone();
        next.make(mv);
        match self.shelf.probe(&next) {
            Some(Answer::Draw) => DRAW,
            Some(Answer::Loss(Some(plies))) if self.in_time(&next, plies) => mate_in(usize::from(plies) + 1),
            Some(Answer::Win(Some(plies))) if self.in_time(&next, plies) => mated_in(usize::from(plies) + 1),
            Some(Answer::Loss(None)) if self.has_time(&next) => found.max(TABLE_WIN),
            Some(Answer::Win(None)) if self.has_time(&next) => found.min(-TABLE_WIN),
            _ => found,
        }
    }

    /// Whether a mate in so many plies comes before the natural limit.
    fn in_time(&self, position: &Position, plies: u16) -> bool {
        self.natural_limit == 0 || position.quiet_plies() + usize::from(plies) <= self.natural_limit
    }

    /// Whether a mate whose distance nobody knows is as good as certain to come before the natural limit: half of it is
    /// left, in which such endings are won. Later the search sees the limit itself.
    fn has_time(&self, position: &Position) -> bool {
        self.natural_limit == 0 || 2 * position.quiet_plies() <= self.natural_limit
    }

    /// The score of a node, if a table knows it.
    #[inline]
    pub fn score(&self, position: &Position, ply: usize) -> Option<Score> {
        if ply == 0 || !self.shelf.may_know(position) { None } else { self.look_up(position, ply) }
    }

    fn look_up(&self, position: &Position, ply: usize) -> Option<Score> {
        let answer = self.shelf.probe(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        // Where the root is won or lost and no table counts the plies, only the search finds the way: it is not cut
        // off until a capture has changed something.
        let leads_nowhere =
            || matches!(self.root, Some(Answer::Win(None) | Answer::Loss(None))) && men(position) == self.men;
        match answer {
            Answer::Win(Some(plies)) if self.in_time(position, plies) => {
                Some(mate_in(ply + usize::from(plies)))
            }
            Answer::Loss(Some(plies)) if self.in_time(position, plies) => {
                Some(mated_in(ply + usize::from(plies)))
            }
            Answer::Win(None) if leads_nowhere() => None,
            Answer::Loss(None) if leads_nowhere() => None,
            Answer::Win(_) => Some(TABLE_WIN - ply as Score),
            Answer::Loss(_) => Some(ply as Score - TABLE_WIN),
            // Among drawn moves the search looks for the one that is hardest to answer.
            Answer::Draw if self.root == Some(Answer::Draw) => None,
            Answer::Draw => Some(DRAW),
            Answer::Doubtful => None,
        }
    }

    /// The root moves that are best by the tables: the shortest wins, the draws, or the longest defences; all of them if
    /// the tables do not know the root.
    pub fn choose(&self, position: &Position, moves: Vec<Move>) -> Vec<Move> {
        if self.root.is_none() {
            return moves;
        }
        let ranked: Vec<(i32, Move)> = moves.iter().map(|&mv| (self.rank(position, mv), mv)).collect();
        match ranked.iter().map(|(rank, _)| *rank).max() {
            Some(best) => ranked.into_iter().filter(|(rank, _)| *rank == best).map(|(_, mv)| mv).collect(),
            None => moves,
        }
    }

    /// How good a move is by the tables; larger is better.
    fn rank(&self, position: &Position, mv: Move) -> i32 {
        let mut next = position.clone();
        next.make(mv);
        match self.shelf.probe(&next) {
            Some(Answer::Loss(plies)) => 20_000 - i32::from(plies.unwrap_or(9_999)),
            Some(Answer::Draw) => 2,
            Some(Answer::Doubtful) => 1,
            None => 0,
            Some(Answer::Win(plies)) => i32::from(plies.unwrap_or(0)) - 20_000,
        }
    }

    /// Continues a variation to the mate that the tables see at its end.
    pub fn follow(&self, position: &Position, pv: &mut Vec<Move>) {
        let mut position = position.clone();
        pv.iter().for_each(|&mv| position.make(mv));
        while pv.len() < LONGEST_LINE
            && self.shelf.may_know(&position)
            && let Some(Answer::Win(Some(1..)) | Answer::Loss(Some(1..))) = self.shelf.probe(&position)
            && let Some(best) = position.legal_moves().moves().max_by_key(|&mv| self.rank(&position, mv))
        {
            position.make(best);
            pv.push(best);
        }
    }
}
