//! A repertoire of the games of one player.

use super::counts::OpeningCounts;
use super::graph::{MAX_LINE, Repertoire, RepertoireError};
use crate::book::mirror::MirrorKey;
use crate::explorer::{MoveTally, Tally};
use std::collections::HashSet;
use xiangqi::{Color, Move, Position, zobrist::Key};

/// What a move is worth that was played in these games: their number times the score, to which a win and a loss are added. What
/// was played most and lost least comes out first.
pub fn worth(tally: &Tally, side: Color) -> f64 {
    let decided = (tally.red + tally.draws + tally.black) as f64;
    let won = if side == Color::Red { tally.red } else { tally.black } as f64;
    tally.games as f64 * (won + tally.draws as f64 / 2.0 + 1.0) / (decided + 2.0)
}

impl Repertoire {
    /// The repertoire of the player who had this colour in all these games: in each position the move that is worth most,
    /// against each answer that has such a move. Both were played in so many games at least.
    pub fn of_games(colour: Color, counts: &OpeningCounts, least_games: u64) -> Result<Repertoire, RepertoireError> {
        Repertoire::new(colour).with_games(counts, least_games)
    }

    /// The same, where this repertoire has no move yet: what it has stays, and is gone on from.
    pub fn with_games(self, counts: &OpeningCounts, least_games: u64) -> Result<Repertoire, RepertoireError> {
        let mut making = Making { made: self, counts, least_games, seen: HashSet::new() };
        making.go_on(&mut Position::start(), 0)?;
        Ok(making.made)
    }
}

struct Making<'a> {
    made: Repertoire,
    counts: &'a OpeningCounts,
    least_games: u64,
    seen: HashSet<Key>,
}

impl Making<'_> {
    /// Adds what follows a position.
    fn go_on(&mut self, position: &mut Position, ply: usize) -> Result<(), RepertoireError> {
        if ply >= MAX_LINE || !self.seen.insert(MirrorKey::of(position).key) {
            return Ok(());
        }
        let mut moves = self.made.moves(position);
        if !self.made.is_mine(position) {
            let mut after = position.clone();
            for MoveTally { mv, .. } in self.often(position) {
                after.play_unchecked(mv);
                if !self.made.has(position, mv) && (self.best(&after).is_some() || !self.made.moves(&after).is_empty())
                {
                    moves.push(mv);
                }
                after.undo();
            }
        } else if moves.is_empty() {
            moves.extend(self.best(position));
        }
        for mv in moves {
            self.made.add_move(position, mv)?;
            position.play_unchecked(mv);
            self.go_on(position, ply + 1)?;
            position.undo();
        }
        Ok(())
    }

    /// The moves that were played often enough, the most played one first.
    fn often(&self, position: &Position) -> Vec<MoveTally> {
        let mut moves = self.counts.at(position);
        moves.retain(|entry| entry.tally.games >= self.least_games);
        moves
    }

    /// The move that is worth most; of equals the one that was played more often.
    fn best(&self, position: &Position) -> Option<Move> {
        let mut best: Option<(f64, Move)> = None;
        for MoveTally { mv, tally } in self.often(position) {
            let points = worth(&tally, self.made.colour());
            if best.is_none_or(|(most, _)| points > most) {
                best = Some((points, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}
