//! Explanations of the moves of a repetition, for display.

use super::tracked_board::{PieceIds, TrackedBoard};
use crate::board::Position;
use crate::language::{Phrase, tr};
use crate::types::{Color, Move, PieceKind, Square};
use std::fmt;

/// What one move of a repetition did.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveExplanation {
    /// The side that moved.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// It gave check.
    pub check: bool,
    /// The pieces that it newly chased, with their squares.
    pub newly_chased: Vec<(PieceKind, Square)>,
    /// Its nature, under rules that give each move one.
    pub nature: Option<NatureText>,
}

/// The nature of a move with its reason; the text is translated when displayed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NatureText {
    /// A nature without details.
    Plain(Phrase),
    /// A chase that gains a piece by an exchange.
    Gain {
        /// The victim.
        piece: PieceKind,
        /// Its square.
        square: Square,
        /// The exchange, as pairs of attacker and victim.
        exchange: Vec<(PieceKind, PieceKind)>,
        /// One piece attacks alone.
        alone: bool,
    },
}

impl fmt::Display for NatureText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (piece, square, exchange, alone) = match self {
            NatureText::Plain(phrase) => return phrase.fmt(f),
            NatureText::Gain { piece, square, exchange, alone } => (piece.phrase(), square, exchange, alone),
        };
        let taking = |(taker, taken): &(PieceKind, PieceKind)| {
            tr!("({taker} x {taken})", taker = taker.phrase(), taken = taken.phrase())
        };
        let line = exchange.iter().map(taking).collect::<Vec<_>>().join(" ");
        f.write_str(&match alone {
            true => tr!("chase, gains the {piece} on {square} {line}", piece, square, line),
            false => tr!("chase, gains jointly the {piece} on {square} {line}", piece, square, line),
        })
    }
}

impl MoveExplanation {
    /// The explanation as text; `-` if the move neither checked nor chased.
    pub fn text(&self) -> String {
        if let Some(nature) = &self.nature {
            return nature.to_string();
        }
        let check = self.check.then(|| tr!("checks"));
        let chases = self
            .newly_chased
            .iter()
            .map(|(kind, square)| tr!("chases the {piece} on {square}", piece = kind.phrase(), square));
        let done: Vec<String> = check.into_iter().chain(chases).collect();
        if done.is_empty() { "-".to_string() } else { done.join(", ") }
    }
}

/// Explains the last moves, oldest first. `chased` returns the pieces that a move newly chased, given the mover and
/// whether it gave check, and unmakes the move on the board.
pub(super) fn explain_last_moves(
    position: &Position,
    plies: usize,
    chased: impl Fn(&mut TrackedBoard, Move, Color, bool) -> PieceIds,
) -> Vec<MoveExplanation> {
    let mut diagram = TrackedBoard::of(position);
    let mut mover = !position.side();
    let mut explanations = Vec::with_capacity(plies);
    for back in 0..plies {
        let Some((mv, check)) = position.move_before(back) else { break };
        // The move is unmade, but it did not move its victims.
        let victims = chased(&mut diagram, mv, mover, check);
        let chased = victims.iter().map(|id| (diagram.kind(id), diagram.square(id))).collect();
        explanations.push(MoveExplanation { mover, mv, check, newly_chased: chased, nature: None });
        mover = !mover;
    }
    explanations.reverse();
    explanations
}
