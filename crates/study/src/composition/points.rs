//! The point of a move, as far as the board shows it: what it takes, whether it checks, what it gives up or threatens.

use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use xiangqi::{Move, Piece, PieceKind, Position};

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovePoint {
    Mates,
    /// It leaves the other side without a move, which loses.
    Stalemates,
    DoubleCheck,
    Checks,
    /// A check from the piece that did not move.
    DiscoversCheck,
    Takes(PieceKind),
    /// The piece that moved can be taken with gain.
    Offers(PieceKind),
    /// It answers a check by a piece between.
    Interposes,
    /// It answers a check by moving the king.
    MovesKing,
    /// It takes the piece that gives check.
    TakesChecker,
    /// Without an answer it mates by this move.
    Threatens(Move),
    /// A mate in one move was threatened, and now it is not.
    Parries,
}

/// What a legal move of the attacker does.
pub fn points_of_attack(before: &Position, mv: Move) -> Vec<MovePoint> {
    let after = before.after(&[mv]);
    let mut points = Vec::new();
    if !after.has_legal_move() {
        return vec![if after.in_check() { MovePoint::Mates } else { MovePoint::Stalemates }];
    }
    let taken = before.piece_at(mv.to()).map(Piece::kind);
    points.extend(taken.map(MovePoint::Takes));
    match after.checkers() {
        _ if after.checker_count() > 1 => points.push(MovePoint::DoubleCheck),
        checkers if after.in_check() && !checkers.contains(mv.to()) => points.push(MovePoint::DiscoversCheck),
        _ if after.in_check() => points.push(MovePoint::Checks),
        _ => points.extend(mate_threat(&after).map(MovePoint::Threatens)),
    }
    // A pawn or a guard is no sacrifice to speak of.
    let mover = Some(before.moved_piece(mv).kind()).filter(|kind| kind.is_major());
    points.extend(mover.filter(|_| is_offered(&after, mv)).map(MovePoint::Offers));
    points
}

/// What a legal move of the defender does.
pub fn points_of_defence(before: &Position, mv: Move) -> Vec<MovePoint> {
    let after = before.after(&[mv]);
    let is_king = before.moved_piece(mv).kind() == PieceKind::King;
    let taken = before.piece_at(mv.to()).map(Piece::kind);
    let mut points = Vec::new();
    if before.in_check() {
        points.push(match taken {
            Some(_) if before.checkers().contains(mv.to()) => MovePoint::TakesChecker,
            Some(kind) => MovePoint::Takes(kind),
            None if is_king => MovePoint::MovesKing,
            None => MovePoint::Interposes,
        });
    } else {
        points.extend(taken.map(MovePoint::Takes));
        let mut threatened = before.clone();
        threatened.play_null();
        if mate_in_one(&threatened).is_some() && mate_in_one(&after).is_none() {
            points.push(MovePoint::Parries);
        }
    }
    if after.in_check() {
        points.push(MovePoint::Checks);
    }
    points
}

/// Whether the piece that has just moved can be taken with gain by a legal move.
fn is_offered(after: &Position, mv: Move) -> bool {
    after.legal_moves().into_iter().any(|reply| reply.to() == mv.to() && after.see_ge(reply, 1))
}

/// The mate that the side which has just moved threatens; the other one is not in check.
fn mate_threat(after: &Position) -> Option<Move> {
    let mut passed = after.clone();
    passed.play_null();
    mate_in_one(&passed)
}

/// A move that mates at once.
fn mate_in_one(position: &Position) -> Option<Move> {
    let mates = |&mv: &Move| !position.after(&[mv]).has_legal_move();
    position.legal_moves().into_iter().find(mates)
}

impl MovePoint {
    /// The point in words; `write` writes a threatened move.
    pub fn text(self, write: impl Fn(Move) -> String) -> String {
        match self {
            MovePoint::Mates => tr!("mate"),
            MovePoint::Stalemates => tr!("stalemate, which wins"),
            MovePoint::DoubleCheck => tr!("double check"),
            MovePoint::Checks => tr!("check"),
            MovePoint::DiscoversCheck => tr!("discovered check"),
            MovePoint::Takes(kind) => tr!("takes the {piece}", piece = kind.localized()),
            MovePoint::Offers(kind) => tr!("offers the {piece}", piece = kind.localized()),
            MovePoint::Interposes => tr!("interposes"),
            MovePoint::MovesKing => tr!("the king steps aside"),
            MovePoint::TakesChecker => tr!("takes the checking piece"),
            MovePoint::Threatens(mv) => tr!("threatens {threat}", threat = write(mv)),
            MovePoint::Parries => tr!("parries the threat"),
        }
    }
}
