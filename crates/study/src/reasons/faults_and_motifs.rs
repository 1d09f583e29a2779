//! How a piece is lost or won: by what the move has left behind, or by a motif of the line.

use super::{Mistake, Prize, ProvenGain};
use crate::motifs::{Motif, find_motifs, frees, gains, passed, pieces_between};
use serde::{Deserialize, Serialize};
use xiangqi::{Move, PieceKind, Position, Square};

/// How a piece is lost or won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum How {
    /// By what the move that was played has done itself.
    Fault(OwnFault),
    /// By a motif of the line.
    Motif(Motif),
}

/// What a move has done so that a piece can be taken at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnFault {
    /// It has become the screen of a cannon.
    GivesScreen,
    /// It has left the line of a rook or cannon, or the leg of a horse.
    LeavesLine,
    /// It protects the piece no more.
    LeavesPiece,
    /// It went to where it is taken.
    MovesIntoCapture,
}

/// The motifs by which something is won; the others say nothing about how.
const MOTIFS: [Motif; 11] = [
    Motif::DoubleCheck,
    Motif::DiscoveredCheck,
    Motif::Fork,
    Motif::TrappedPiece,
    Motif::Pin,
    Motif::DiscoveredAttack,
    Motif::Skewer,
    Motif::RemovedDefender,
    Motif::Deflection,
    Motif::OpenedLine,
    Motif::CannonScreen,
];

/// What the move has done so that the first move of the line takes the piece, with a gain that was not there before.
pub fn own_fault(mistake: &Mistake, after: &Position, gain: &ProvenGain) -> Option<How> {
    let (before, played, &capture) = (mistake.position, mistake.played, gain.line.first()?);
    let (from, to) = (capture.from(), capture.to());
    after.piece_at(to)?;
    let is_prize = matches!(gain.prize, Prize::Piece { square, .. } if square == to);
    if !is_prize || before.in_check() || gains(&passed(before), capture, 1) {
        return None;
    }
    let is_cannon = after.piece_at(from)?.kind() == PieceKind::Cannon;
    let reached = before.reaches(from, to) && before.piece_at(to).is_some();
    let fault = if to == played.to() {
        OwnFault::MovesIntoCapture
    } else if is_cannon && pieces_between(after, from, to) == [played.to()] && !reached {
        OwnFault::GivesScreen
    } else if frees(after, from, to, played.from()) && !reached {
        OwnFault::LeavesLine
    } else if reached && protects(before, played.from(), to) && !protects(after, played.to(), to) {
        OwnFault::LeavesPiece
    } else {
        return None;
    };
    Some(How::Fault(fault))
}

/// The motif of a line by which its prize is won: the piece is among those that the motif is about, or it checks by two.
pub fn motif(root: &Position, gain: &ProvenGain) -> Option<How> {
    let prizes: Vec<Square> = match gain.prize {
        Prize::Piece { square, .. } => vec![square],
        Prize::OneOf { squares } => squares.to_vec(),
        Prize::AtLeast { .. } => Vec::new(),
    };
    let is_about = |motif: Motif, ply: usize, squares: &[Square]| {
        let now = |&prize: &Square| gain.line[..=ply].iter().fold(prize, |at, mv| moved(at, *mv));
        matches!(motif, Motif::DoubleCheck | Motif::DiscoveredCheck) && ply == 0
            || prizes.iter().any(|prize| squares.contains(&now(prize)))
    };
    find_motifs(root, &gain.line)
        .into_iter()
        .find(|found| MOTIFS.contains(&found.motif) && is_about(found.motif, found.ply, &found.squares))
        .map(|found| How::Motif(found.motif))
}

fn moved(square: Square, mv: Move) -> Square {
    if square == mv.from() { mv.to() } else { square }
}

/// Whether the piece on a square protects its own piece on another.
fn protects(position: &Position, from: Square, target: Square) -> bool {
    position.piece_at(from).is_some_and(|piece| position.attackers_to(target, piece.color()).contains(from))
}
