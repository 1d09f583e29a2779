//! What a move was up to, in words.

use super::exchange::{self, Terms, takings};
use super::nature::{Chase, Means, Nature};
use crate::board::Position;
use crate::language::{Phrase, phrase};
use crate::rules::deed::Told;
use crate::rules::diagram::{Diagram, PieceIds};
use crate::types::{Move, PieceKind, Square};

/// The piece that is chased, if the move chases one by a capture, and where it stands.
pub(super) fn victim(before: &Position, nature: Nature) -> Option<(PieceKind, Square)> {
    match nature {
        Nature::Chase(Chase { by: Means::Capture { square, .. }, .. }) => {
            Some((before.piece_at(square).kind()?, square))
        }
        _ => None,
    }
}

/// The nature of this move and the reason.
pub(super) fn tell(before: &Position, mv: Move, nature: Nature) -> Told {
    Told::Plain(match nature {
        Nature::Check => phrase!("check"),
        Nature::Kill => phrase!("kill, threatens mate"),
        Nature::Idle => idle(before, mv),
        Nature::Chase(Chase { by: Means::Series, .. }) => phrase!("chase, gains by checks"),
        Nature::Chase(Chase { by: Means::Combination, .. }) => {
            phrase!("chase, gains by captures on several squares")
        }
        Nature::Chase(Chase { by: Means::Capture { taker, square }, alone }) => {
            return capture(before, mv, taker, square, alone);
        }
    })
}

/// How the exchange goes that a chase threatens.
fn capture(before: &Position, mv: Move, taker: Square, square: Square, alone: bool) -> Told {
    let mut after = before.clone();
    after.make(mv);
    let mut diagram = Diagram::of(&after);
    let (Some(attacker), Some(victim)) = (diagram.piece_on(taker), diagram.piece_on(square)) else {
        return Told::Plain(phrase!("chase"));
    };
    let piece = diagram.kind(victim);
    let exchange = exchange::line(&mut diagram, attacker, victim);
    Told::Gain { piece, square, exchange, alone }
}

/// What kind of idle move it is: an offer of exchange or of a piece, a block, a pursuit, or nothing.
fn idle(before: &Position, mv: Move) -> Phrase {
    let us = before.side();
    let mut after = before.clone();
    after.make(mv);
    let (mut old, mut new) = (Diagram::of(before), Diagram::of(&after));
    // Chases aside, a new capture that loses nothing is an offer.
    let even = |diagram: &mut Diagram| {
        let takings = takings(diagram, us, Terms { standing: PieceIds::ALL, barred: PieceIds::NONE });
        let major = |id| diagram.kind(id).is_major();
        takings
            .iter()
            .filter(|taking| taking.gain >= 0 && major(taking.victim))
            .map(|taking| diagram.square(taking.victim))
            .collect::<Vec<Square>>()
    };
    let before_it = even(&mut old);
    if even(&mut new).iter().any(|square| !before_it.contains(square)) {
        return phrase!("idle, offers an exchange");
    }
    let hanging = |diagram: &mut Diagram, square: Square| {
        let takings = takings(diagram, !us, Terms { standing: PieceIds::ALL, barred: PieceIds::NONE });
        takings.iter().any(|taking| taking.gain > 0 && diagram.square(taking.victim) == square)
    };
    if hanging(&mut new, mv.to()) && !hanging(&mut old, mv.from()) {
        return phrase!("idle, offers a piece");
    }
    let lines_shut = |diagram: &Diagram| {
        let theirs = diagram.side(!us);
        diagram
            .side(us)
            .iter()
            .filter(|&id| diagram.square(id) != mv.to() && diagram.square(id) != mv.from())
            .any(|id| {
                let to = diagram.square(id);
                theirs.iter().any(|enemy| {
                    matches!(diagram.kind(enemy), PieceKind::Rook | PieceKind::Cannon)
                        && exchange::lies_between(mv.to(), diagram.square(enemy), to)
                        && old.reaches(enemy, to)
                        && !new.reaches(enemy, to)
                })
            })
    };
    if lines_shut(&old) {
        return phrase!("idle, blocks");
    }
    let moved = new.piece_on(mv.to());
    let follows = moved.is_some_and(|moved| {
        new.side(!us).iter().any(|enemy| new.kind(enemy).is_major() && new.reaches(moved, new.square(enemy)))
    });
    if follows { phrase!("idle, follows") } else { phrase!("idle") }
}
