//! Verdicts: how a game ended, and why.

use super::explanation::{PieceNaming, PieceWords, piece_on_square};
use crate::types::{Color, Piece, Square};
use crate::words::{Worded, Words};
use crate::{worded, words};
use std::fmt;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// A draw.
    Draw,
    /// This side lost.
    Loss(Color),
}

impl Ending {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Draw => None,
            Ending::Loss(color) => Some(!color),
        }
    }

    /// The same ending with the sides exchanged.
    pub const fn flipped(self) -> Ending {
        match self {
            Ending::Draw => Ending::Draw,
            Ending::Loss(color) => Ending::Loss(color.other()),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Draw => f.write_str("draw"),
            Ending::Loss(color) => write!(f, "{color}-loses"),
        }
    }
}

/// The offence of a side with every move of a repetition: check, kill, chase, or a mixture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Offence {
    /// Some moves gave check.
    pub checks: bool,
    /// Some moves were kills: they threatened mate.
    pub kills: bool,
    /// Some moves were chases.
    pub chases: bool,
}

impl Offence {
    /// Nothing but checks.
    pub const CHECK: Offence = Offence { checks: true, kills: false, chases: false };

    /// The rank of the offence: checks alone rank above everything else.
    pub(super) fn severity(self) -> u32 {
        if self == Offence::CHECK { 2 } else { 1 }
    }
}

worded!(Offence, |offence| match (offence.checks, offence.kills, offence.chases) {
    (true, true, true) => words!("perpetual check, kill and chase"),
    (true, true, false) => words!("perpetual check and kill"),
    (true, false, true) => words!("perpetual check and chase"),
    (false, true, true) => words!("perpetual kill and chase"),
    (true, false, false) => words!("perpetual check"),
    (false, true, false) => words!("perpetual kill"),
    (false, false, _) => words!("perpetual chase"),
});

/// The reason why a game is over, or that it is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The game goes on.
    Ongoing,
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move has no legal move.
    Stalemate,
    /// The loser checked with every move of a repetition.
    PerpetualCheck,
    /// The loser chased one piece with every move of a repetition.
    PerpetualChase {
        /// The victim.
        victim: Piece,
        /// Its current square.
        square: Square,
    },
    /// Every move of the loser in a repetition was a check, a kill or a chase.
    Perpetual(Offence),
    /// Both sides chased with every move, the loser alone and the other side jointly.
    ChasesAlone,
    /// The loser made a move that a counter forbids.
    ForbiddenMove,
    /// Counters forbid every legal move of the loser.
    OnlyForbiddenMoves,
    /// The game reached its maximum length.
    GameLength,
    /// A repetition in which neither side did more than the other.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has enough material to mate.
    Material,
}

impl Reason {
    /// True if a game that ends for this reason is a draw, unless a host has draws count as wins.
    pub const fn is_draw(self) -> bool {
        matches!(self, Reason::Repetition | Reason::NaturalLimit | Reason::Material | Reason::GameLength)
    }

    /// The reason in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        match self {
            Reason::Ongoing => words!("the game goes on"),
            Reason::Mate => words!("mate"),
            Reason::Stalemate => words!("stalemate"),
            Reason::PerpetualCheck => words!("perpetual check"),
            Reason::PerpetualChase { victim, square } => {
                words!("perpetual chase of {piece}", piece = naming(*victim, *square))
            }
            Reason::Perpetual(offence) => Words::of(offence.words().template),
            Reason::ChasesAlone => words!("chases alone against a joint chase"),
            Reason::ForbiddenMove => words!("forbidden move"),
            Reason::OnlyForbiddenMoves => words!("only forbidden moves left"),
            Reason::GameLength => words!("length of the game"),
            Reason::Repetition => words!("repetition"),
            Reason::NaturalLimit => words!("natural limit"),
            Reason::Material => words!("material"),
        }
    }
}

worded!(Reason, |reason| reason.words_naming(&piece_on_square));

/// The verdict on a position with its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Verdict {
    /// The result of the game; `None` while it goes on.
    pub ending: Option<Ending>,
    /// The reason.
    pub reason: Reason,
}

impl Verdict {
    /// The game goes on.
    pub const ONGOING: Verdict = Verdict { ending: None, reason: Reason::Ongoing };

    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Draw), reason }
    }

    /// Result and reason in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        let reason = self.reason.words_naming(naming);
        match self.ending {
            None => words!("ongoing"),
            Some(Ending::Draw) => words!("draw {reason}", reason),
            Some(Ending::Loss(color)) => {
                words!("{color}-loses {reason}", color = Words::of(color.words().template), reason)
            }
        }
    }

    /// An English sentence that tells the result and the reason.
    pub fn sentence(&self) -> String {
        self.sentence_words(&piece_on_square).to_string()
    }

    /// The same, with a chased piece called as the caller likes.
    pub fn sentence_naming(&self, naming: &PieceNaming) -> String {
        self.sentence_words(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn sentence_words(&self, naming: &PieceWords) -> Words<'static> {
        let why = match self.reason {
            Reason::Material => words!("nobody can win any more"),
            reason => reason.words_naming(naming),
        };
        match self.ending {
            None => why,
            Some(Ending::Loss(loser)) if self.reason.is_draw() => match !loser {
                Color::Red => words!("a draw, which counts as a win for Red: {why}", why),
                Color::Black => words!("a draw, which counts as a win for Black: {why}", why),
            },
            Some(Ending::Draw) => words!("draw: {why}", why),
            Some(Ending::Loss(Color::Red)) => words!("Black wins: {why}", why),
            Some(Ending::Loss(Color::Black)) => words!("Red wins: {why}", why),
        }
    }

    /// A loss of this side for this reason.
    pub const fn loss(color: Color, reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Loss(color)), reason }
    }
}

worded!(Verdict, |verdict| verdict.words_naming(&piece_on_square));
