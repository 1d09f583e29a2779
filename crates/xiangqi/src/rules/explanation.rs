//! Explanations of the moves of a repetition, for display.

use super::chase::Chases;
use super::tracked_board::TrackedBoard;
use crate::board::Position;
use crate::types::{Color, Move, Piece, Square};
use crate::words::{Value, Words};
use crate::{worded, words};

/// What one move of a repetition did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveExplanation {
    /// The side that moved.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// It gave check.
    pub check: bool,
    /// The pieces that it newly chased, with their squares.
    pub newly_chased: Vec<(Piece, Square)>,
    /// What it threatens to play next, where that is a chase.
    pub threats: Vec<Move>,
    /// By rules that give each move a nature: which one, and the reason.
    pub nature: Option<MoveNature>,
    /// The article of the association's own text that gives it this nature, where the text numbers one.
    pub article: Option<&'static str>,
}

/// The nature of a move with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveNature {
    /// It gives check.
    Check,
    /// It threatens mate.
    Kill,
    /// It threatens to gain a piece that has moved on since.
    Chase,
    /// It threatens to gain material by a series of checks.
    ChaseByChecks,
    /// It threatens to gain material by captures on several squares.
    ChaseByCaptures,
    /// It threatens to gain a piece by an exchange.
    ChaseByExchange {
        /// The victim.
        piece: Piece,
        /// Its square.
        square: Square,
        /// The exchange, as pairs of attacker and victim.
        exchange: Vec<(Piece, Piece)>,
        /// One piece attacks alone.
        alone: bool,
    },
    /// None of these, with a new capture that loses nothing.
    OffersExchange,
    /// None of these: the moved piece can be had.
    OffersPiece,
    /// None of these: it closes a line of the other side.
    Blocks,
    /// None of these: the moved piece attacks another that is protected.
    Follows,
    /// None of these.
    Idle,
}

/// How a piece that is chased is called: `the cannon on b6`.
pub type PieceNaming<'a> = dyn Fn(Piece, Square) -> String + 'a;

/// The same as a value of words.
pub type PieceWords<'a> = dyn Fn(Piece, Square) -> Value<'static> + 'a;

/// A piece called by its kind and square.
pub fn piece_on_square(piece: Piece, square: Square) -> Value<'static> {
    words!("the {piece} on {square}", piece, square = &square).into()
}

impl MoveNature {
    /// The nature in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        match self {
            MoveNature::Check => words!("check"),
            MoveNature::Kill => words!("kill, threatens mate"),
            MoveNature::Chase => words!("chase"),
            MoveNature::ChaseByChecks => words!("chase, gains by checks"),
            MoveNature::ChaseByCaptures => words!("chase, gains by captures on several squares"),
            MoveNature::ChaseByExchange { piece, square, exchange, alone } => {
                let captures = exchange.iter().map(|&(by, of)| words!("({piece} x {victim})", piece = by, victim = of));
                let captures = Words::joined("{one} {other}", captures).map_or(Value::from(""), Value::from);
                let piece = naming(*piece, *square);
                match alone {
                    true => words!("chase, gains {piece} {captures}", piece, captures),
                    false => words!("chase, gains jointly {piece} {captures}", piece, captures),
                }
            }
            MoveNature::OffersExchange => words!("idle, offers an exchange"),
            MoveNature::OffersPiece => words!("idle, offers a piece"),
            MoveNature::Blocks => words!("idle, blocks"),
            MoveNature::Follows => words!("idle, follows"),
            MoveNature::Idle => words!("idle"),
        }
    }
}

worded!(MoveNature, |nature| nature.words_naming(&piece_on_square));

impl MoveExplanation {
    /// The explanation in English, with chased pieces called as the caller likes; `-` if the move neither checked nor
    /// chased.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        if let Some(nature) = &self.nature {
            return nature.words_naming(naming);
        }
        let mut done = self.check.then(|| words!("checks"));
        for &(piece, square) in &self.newly_chased {
            let piece = naming(piece, square);
            done = Some(match done {
                Some(done) => words!("{done}, chases {piece}", done, piece),
                None => words!("chases {piece}", piece),
            });
        }
        done.unwrap_or(words!("-"))
    }
}

worded!(MoveExplanation, |explanation| explanation.words_naming(&piece_on_square));

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
        let chased = victims.iter().map(|id| (tracked.piece(id), tracked.square(id))).collect();
        // The piece that moved stands where it came from once more.
        let now = |square: Square| if square == mv.from() { mv.to() } else { square };
        let threats = victims
            .iter()
            .flat_map(|victim| chases.chasers(victim).iter().map(move |chaser| (chaser, victim)))
            .map(|(chaser, victim)| Move::new(now(tracked.square(chaser)), tracked.square(victim)))
            .collect();
        explanations.push(MoveExplanation {
            mover,
            mv,
            check,
            newly_chased: chased,
            threats,
            nature: None,
            article: None,
        });
        mover = !mover;
    }
    explanations.reverse();
    explanations
}
