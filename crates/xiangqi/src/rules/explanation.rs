//! Explanations of the moves of a repetition, for display.

use super::chase::Chases;
use super::tracked_board::TrackedBoard;
use crate::board::Position;
use crate::types::{Color, Move, PieceKind, Square};
use chuhe_base::language::{Phrase, tr};
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
    /// What it threatens to play next, where that is a chase.
    pub threats: Vec<Move>,
    /// By rules that give each move a nature: which one, and the reason.
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

/// How a piece that is chased is called: `the cannon on b6`.
pub type PieceNaming<'a> = dyn Fn(PieceKind, Square) -> String + 'a;

pub(super) fn name_by_square(kind: PieceKind, square: Square) -> String {
    tr!("the {piece} on {square}", piece = kind.phrase(), square)
}

impl fmt::Display for NatureText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text_naming(&name_by_square))
    }
}

impl NatureText {
    fn text_naming(&self, naming: &PieceNaming) -> String {
        let (piece, square, exchange, alone) = match self {
            NatureText::Plain(phrase) => return phrase.to_string(),
            NatureText::Gain { piece, square, exchange, alone } => (*piece, *square, exchange, alone),
        };
        let taking = |(taker, taken): &(PieceKind, PieceKind)| {
            tr!("({taker} x {taken})", taker = taker.phrase(), taken = taken.phrase())
        };
        let line = exchange.iter().map(taking).collect::<Vec<_>>().join(" ");
        let victim = naming(piece, square);
        match alone {
            true => tr!("chase, gains {victim} {line}", victim, line),
            false => tr!("chase, gains jointly {victim} {line}", victim, line),
        }
    }
}

impl MoveExplanation {
    /// The explanation as text; `-` if the move neither checked nor chased.
    pub fn text(&self) -> String {
        self.text_naming(&name_by_square)
    }

    /// The same, with chased pieces called as somebody likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        if let Some(nature) = &self.nature {
            return nature.text_naming(naming);
        }
        let check = self.check.then(|| tr!("checks"));
        let chases =
            self.newly_chased.iter().map(|&(kind, square)| tr!("chases {victim}", victim = naming(kind, square)));
        let done: Vec<String> = check.into_iter().chain(chases).collect();
        if done.is_empty() { "-".to_string() } else { done.join(", ") }
    }
}

/// Explains the last moves, oldest first. `chased` returns the pieces that a move newly chased, given the mover and
/// whether it gave check, and unmakes the move on the board.
pub(super) fn explain_last_moves(
    position: &Position,
    plies: usize,
    chased: impl Fn(&mut TrackedBoard, Move, Color, bool) -> Chases,
) -> Vec<MoveExplanation> {
    let mut tracked = TrackedBoard::of(position);
    let mut mover = !position.side();
    let mut explanations = Vec::with_capacity(plies);
    for back in 0..plies {
        let Some((mv, check)) = position.move_before(back) else { break };
        // The move has been taken back, but it did not move its victims.
        let chases = chased(&mut tracked, mv, mover, check);
        let victims = chases.victims;
        let chased = victims.iter().map(|id| (tracked.kind(id), tracked.square(id))).collect();
        // The piece that moved stands where it came from once more.
        let now = |square: Square| if square == mv.from() { mv.to() } else { square };
        let threats = victims
            .iter()
            .flat_map(|victim| chases.chasers(victim).iter().map(move |chaser| (chaser, victim)))
            .map(|(chaser, victim)| Move::new(now(tracked.square(chaser)), tracked.square(victim)))
            .collect();
        explanations.push(MoveExplanation { mover, mv, check, newly_chased: chased, threats, nature: None });
        mover = !mover;
    }
    explanations.reverse();
    explanations
}
