//! Pieces that were lost, or could have been won.

use super::gain_search::{GainSearch, LEVELS, Spent};
use super::{Mistake, Prize, ProvenGain, ReasonLimits};
use crate::motifs::value_on;
use chuhe_engine::search::Control;
use std::sync::Arc;
use xiangqi::{Move, Position, Square};

/// Plies of the winner's line after his first move.
const DEPTHS: [u32; 5] = [0, 2, 4, 6, 8];
/// A line is shown up to this length where it does not come to the capture.
const SHOWN_PLIES: usize = 5;
/// The longest way to the capture that is shown.
const MAX_SHOWN_PLIES: usize = 9;

/// The piece that the move loses and the best move does not.
pub fn lost(mistake: &Mistake, after: &Position, limits: &ReasonLimits, control: &Arc<Control>) -> Option<ProvenGain> {
    let taken = value_on(mistake.position, mistake.played.to());
    let (best, rest) = mistake.best.split_first()?;
    let mut avoided = mistake.position.clone();
    avoided.play(*best).ok()?;
    let taken_by_best = value_on(mistake.position, best.to());
    first_level(after, mistake.refutation, taken, limits, control, |level, depth| {
        let mut search = GainSearch::new(&avoided, limits, control);
        // The answer to the mistake may win the same after the best move.
        let hints: Vec<Move> = rest.iter().chain(mistake.refutation).take(1).copied().collect();
        let same = search.wins(level + taken_by_best, depth + 1, &hints);
        let answer = mistake.refutation.get(..1).unwrap_or_default();
        matches!(same, Ok(false)) && matches!(search.wins(level + taken_by_best, depth + 1, answer), Ok(false))
    })
}

/// The piece that the best move wins and the move that was played does not.
pub fn missed(
    mistake: &Mistake,
    after: &Position,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Option<ProvenGain> {
    let taken = value_on(mistake.position, mistake.played.to());
    first_level(mistake.position, mistake.best, 0, limits, control, |level, depth| {
        let mut search = GainSearch::new(after, limits, control);
        // Two plies more, because the move may only have put it off.
        matches!(search.keeps(level - taken, depth + 2, &[]), Ok(false))
    })
}

/// The greatest gain of the side to move that is proven to begin with the first move of this line, and that `is_due` to
/// the mistake. The other side has gained so much before.
fn first_level(
    root: &Position,
    line: &[Move],
    before: i32,
    limits: &ReasonLimits,
    control: &Arc<Control>,
    is_due: impl Fn(i32, u32) -> bool,
) -> Option<ProvenGain> {
    let &first = line.first()?;
    let most = most_gained(root, line) - before;
    for (level, kind) in LEVELS {
        if most < level {
            continue;
        }
        let need = level + before;
        for depth in DEPTHS {
            let mut search = GainSearch::new(root, limits, control).with_ideas(line);
            match search.proves_first(first, need, depth, line) {
                Ok(true) => {
                    let prize = search.prize(first, need, depth, line, kind).ok()?;
                    return is_due(level, depth).then(|| ProvenGain {
                        prize,
                        line: shown_line(root, line, &prize),
                        how: None,
                    });
                }
                Ok(false) => {}
                Err(Spent) => break,
            }
        }
    }
    None
}

/// The most that the side to move is ahead after one of its own moves of a line, or after the answer to it.
fn most_gained(root: &Position, line: &[Move]) -> i32 {
    let mut position = root.clone();
    let (mut balance, mut most) = (0, 0);
    for (index, &mv) in line.iter().enumerate() {
        let value = value_on(&position, mv.to());
        if position.play(mv).is_err() {
            break;
        }
        balance += if index % 2 == 0 { value } else { -value };
        most = most.max(balance);
    }
    most
}

/// The line up to the capture of the prize.
fn shown_line(root: &Position, line: &[Move], prize: &Prize) -> Vec<Move> {
    let mut wanted: Vec<Square> = match *prize {
        Prize::Piece { square, .. } => vec![square],
        Prize::OneOf { squares } => squares.to_vec(),
        Prize::AtLeast { .. } => Vec::new(),
    };
    let mut position = root.clone();
    for (index, &mv) in line.iter().enumerate().take(MAX_SHOWN_PLIES) {
        // Where the capture alone does not show the gain, the line goes on.
        let is_plain = position.is_pseudo_legal(mv) && position.see_ge(mv, LEVELS[2].0);
        if position.play(mv).is_err() {
            break;
        }
        if index % 2 == 0 && wanted.contains(&mv.to()) && is_plain {
            return line[..=index].to_vec();
        }
        wanted.iter_mut().filter(|square| **square == mv.from()).for_each(|square| *square = mv.to());
    }
    line.iter().take(SHOWN_PLIES).copied().collect()
}
