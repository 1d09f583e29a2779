//! The nature of a move: check, kill, chase or idle (§9.1).

use super::threats::{Prey, Threats};
use crate::board::Position;
use crate::types::{Color, Move, PieceKind, Square};

/// What a move was up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    Check,
    /// It threatens to mate by the next move, or by a series of checks.
    Kill,
    /// It threatens to gain material.
    Chase(Chase),
    Idle,
}

/// How a move threatens to gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chase {
    /// One piece alone attacks.
    pub alone: bool,
    pub by: Means,
}

/// What a chase would do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    Capture {
        /// Where the taker stands.
        taker: Square,
        /// Where the victim stands.
        square: Square,
    },
    /// A series of checks, and a capture after it.
    Series,
    /// Captures on several squares.
    Combination,
}

/// The nature of this move, made here. If it answers a check, `unchecked` is the board before that check, by which is
/// told what was threatened already.
pub(super) fn nature(position: &Position, mv: Move, unchecked: Option<&Position>) -> Nature {
    let mut position = position.clone();
    let mover = position.side();
    let king_moves = position.piece_at(mv.from()).kind() == Some(PieceKind::King);
    let answers_check = position.in_check();
    let mut before = Threats::of(&position);
    if answers_check && let Some(unchecked) = unchecked.filter(|unchecked| !unchecked.in_check()) {
        let mut passed = unchecked.clone();
        passed.make_null();
        let earlier = Threats::of(&passed);
        (before.series, before.combination) = (earlier.series, earlier.combination);
    }
    position.make(mv);
    if position.in_check() {
        return Nature::Check;
    }
    // A king that steps out of check is idle, whatever it uncovers.
    if answers_check && king_moves {
        return Nature::Idle;
    }
    position.make_null();
    let after = Threats::of(&position);
    if after.kill && !before.kill {
        return Nature::Kill;
    }
    match chase(&before, &after, answers_check) {
        Some(Chase { by: Means::Capture { square, .. }, .. }) if holds_the_draw(&position, mover, square) => {
            Nature::Idle
        }
        Some(chase) => Nature::Chase(chase),
        None => Nature::Idle,
    }
}

/// What this move newly threatens to gain.
fn chase(before: &Threats, after: &Threats, answers_check: bool) -> Option<Chase> {
    let is_new = |prey: &&Prey| {
        !prey.void
            && match before.preys.iter().find(|old| old.square == prey.square) {
                None => true,
                Some(old) if prey.gain > old.gain => true,
                // It was there before, but the other side would have got something for it: now that is parried.
                Some(old) if old.void && !old.too_late => true,
                Some(old) => !answers_check && prey.net > 0 && prey.net > old.net,
            }
    };
    let new: Vec<&Prey> = after.preys.iter().filter(is_new).collect();
    let best = new.iter().max_by_key(|prey| prey.gain);
    let series = if after.series <= before.series { 0 } else { after.series };
    let combination =
        if answers_check || after.combination <= before.combination { 0 } else { after.combination };
    if let Some(prey) = best {
        let joint =
            new.iter().any(|prey| prey.joint) || series > 0 && series >= prey.gain && !after.series_alone;
        return Some(Chase { alone: !joint, by: Means::Capture { taker: prey.taker, square: prey.square } });
    }
    if series > 0 {
        return Some(Chase { alone: after.series_alone, by: Means::Series });
    }
    (combination > 0).then_some(Chase { alone: false, by: Means::Combination })
}

/// The only attacker of a side that has less than the other attacks an advisor or a bishop in passing (§9.7).
fn holds_the_draw(position: &Position, mover: Color, square: Square) -> bool {
    let defender = matches!(position.piece_at(square).kind(), Some(PieceKind::Advisor | PieceKind::Bishop));
    let attackers = |color: Color| position.majors(color) + position.count(color, PieceKind::Pawn);
    defender && attackers(mover) == 1 && position.majors(!mover) > 1
}
