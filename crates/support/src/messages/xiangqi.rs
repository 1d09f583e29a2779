//! Squares, pieces, positions and rules.

use super::{Localize, word};
use crate::language::{Language, tr};
use xiangqi::rules::{MoveExplanation, MoveNature, Offence, ParseRuleSetError, PieceNaming};
use xiangqi::{
    Color, Ending, IllegalMove, IllegalMoveReason, ParseMoveError, ParseSquareError, Piece, PieceKind, Reason, RuleSet,
    SetupError, Square, Verdict, fen::Counter, fen::FenError,
};

impl Localize for Color {}
impl Localize for Counter {}
impl Localize for Offence {}
impl Localize for Piece {}
impl Localize for PieceKind {}

impl Localize for ParseSquareError {
    fn translated(&self) -> String {
        tr!("'{text}' is not a square: expected a file from a to i and a rank from 0 to 9", text = self.0)
    }
}

impl Localize for ParseMoveError {
    fn translated(&self) -> String {
        tr!("'{text}' is not a move: expected four characters such as h2e2", text = self.0)
    }
}

impl Localize for IllegalMove {
    fn translated(&self) -> String {
        tr!("{mv} is not legal: {reason}", mv = self.mv, reason = self.reason.translated())
    }
}

impl Localize for IllegalMoveReason {
    fn translated(&self) -> String {
        match self {
            IllegalMoveReason::NoPiece(square) => tr!("there is no piece on {square}", square),
            IllegalMoveReason::NotOwn(square) => tr!("the piece on {square} is the other side's", square),
            IllegalMoveReason::OwnTarget(square) => tr!("a piece of the same side stands on {square}", square),
            IllegalMoveReason::HorseLeg(square) => tr!("the leg of the horse is blocked on {square}", square),
            IllegalMoveReason::BishopEye(square) => tr!("the eye of the bishop is blocked on {square}", square),
            IllegalMoveReason::Blocked(square) => tr!("a piece stands in between, on {square}", square),
            IllegalMoveReason::Palace(kind) => tr!("the {piece} does not leave the palace", piece = kind.translated()),
            IllegalMoveReason::Shape(kind) => tr!("the {piece} does not move like that", piece = kind.translated()),
            IllegalMoveReason::Pinned(square) => {
                tr!("the piece is pinned: the king would be in check from {square}", square)
            }
            IllegalMoveReason::IntoCheck(square) => tr!("the king would be in check from {square}", square),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for FenError {
    fn translated(&self) -> String {
        match self {
            FenError::RankCount(count) => tr!("FEN board: expected 10 ranks, found {count}", count),
            FenError::RankLength { rank, files } => {
                tr!("FEN board: expected 9 squares on rank {rank}, found {files}", rank, files)
            }
            FenError::UnknownPiece { letter, rank } => {
                tr!("FEN board: {letter} on rank {rank} is no piece", letter = format_args!("{letter:?}"), rank)
            }
            FenError::UnknownSide(text) => {
                tr!("FEN side to move: {text} is none of w, r, b", text = format_args!("{text:?}"))
            }
            FenError::BadCounter { counter, text } => {
                let counter = counter.translated();
                tr!("FEN {counter}: {text} is not a number from 0 to 65535", counter, text = format_args!("{text:?}"))
            }
            FenError::Leftover(text) => {
                tr!("FEN: {text} behind the full-move counter", text = format_args!("{text:?}"))
            }
            FenError::Setup(error) => tr!("FEN board: {error}", error = error.translated()),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for SetupError {
    fn translated(&self) -> String {
        match self {
            SetupError::MissingKing(color) => tr!("{color} has no king", color = color.translated()),
            SetupError::SecondKing { color, square } => {
                tr!("{color} has a second king on {square}", color = color.translated(), square)
            }
            SetupError::ImpossibleSquare { piece, square } => {
                tr!("a {piece} can never stand on {square}", piece = piece.translated(), square)
            }
            SetupError::TooManyPieces { color, count } => {
                let (color, most) = (color.translated(), xiangqi::engine::MAX_SIDE_PIECES);
                tr!("{color} has {count} pieces, more than {most}", color, count, most)
            }
            SetupError::KingCapturable { mover, square } => {
                tr!("{mover} to move could take the king on {square}", mover = mover.translated(), square)
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for RuleSet {
    fn translated(&self) -> String {
        match self {
            // Not offered by name: hosts ask for it in words of their own.
            RuleSet::CheckBan => word(self.name()),
            offered => offered.name().to_string(),
        }
    }
}

impl Localize for ParseRuleSetError {
    fn translated(&self) -> String {
        tr!("'{text}' is no rule set: expected asian, league, computer, cxa, tiantian or none", text = self.0)
    }
}

impl Localize for Reason {
    fn translated(&self) -> String {
        translated_reason(*self, &piece_on_square)
    }
}

impl Localize for Verdict {
    fn translated(&self) -> String {
        translated_verdict(self, &piece_on_square)
    }
}

impl Localize for MoveExplanation {
    fn translated(&self) -> String {
        translated_explanation(self, &piece_on_square)
    }
}

/// How a piece is called by its square, in the current language.
pub fn piece_on_square(piece: Piece, square: Square) -> String {
    tr!("the {piece} on {square}", piece = short_name(piece), square)
}

/// In Chinese it is the character on the piece.
pub fn short_name(piece: Piece) -> String {
    Language::in_script(Language::choose(piece.character().to_string(), piece.kind().localized()))
}

fn is_english() -> bool {
    Language::current() == Language::ENGLISH
}

/// Result and reason, with a chased piece called as the caller likes.
pub fn verdict_text(verdict: &Verdict, naming: &PieceNaming) -> String {
    if is_english() { verdict.text_naming(naming) } else { translated_verdict(verdict, naming) }
}

fn translated_verdict(verdict: &Verdict, naming: &PieceNaming) -> String {
    let reason = translated_reason(verdict.reason, naming);
    match verdict.ending {
        None => tr!("ongoing"),
        Some(Ending::Draw) => tr!("draw {reason}", reason),
        Some(Ending::Loss(color)) => tr!("{color}-loses {reason}", color = color.translated(), reason),
    }
}

fn translated_reason(reason: Reason, naming: &PieceNaming) -> String {
    match reason {
        Reason::PerpetualChase { victim, square } => tr!("perpetual chase of {piece}", piece = naming(victim, square)),
        _ => word(&reason.text_naming(naming)),
    }
}

/// A sentence that tells the result and the reason, with a chased piece called as the caller likes.
pub fn verdict_sentence(verdict: &Verdict, naming: &PieceNaming) -> String {
    if is_english() {
        return verdict.sentence_naming(naming);
    }
    let why = match verdict.reason {
        Reason::Material => tr!("nobody can win any more"),
        reason => translated_reason(reason, naming),
    };
    match verdict.ending {
        None => why,
        Some(Ending::Loss(loser)) if verdict.reason.is_draw() => match !loser {
            Color::Red => tr!("a draw, which counts as a win for Red: {why}", why),
            Color::Black => tr!("a draw, which counts as a win for Black: {why}", why),
        },
        Some(Ending::Draw) => tr!("draw: {why}", why),
        Some(Ending::Loss(Color::Red)) => tr!("Black wins: {why}", why),
        Some(Ending::Loss(Color::Black)) => tr!("Red wins: {why}", why),
    }
}

/// What a move of a repetition did, with chased pieces called as the caller likes; `-` if nothing of note.
pub fn explanation_text(explanation: &MoveExplanation, naming: &PieceNaming) -> String {
    if is_english() { explanation.text_naming(naming) } else { translated_explanation(explanation, naming) }
}

fn translated_explanation(explanation: &MoveExplanation, naming: &PieceNaming) -> String {
    if let Some(nature) = &explanation.nature {
        return translated_nature(nature, naming);
    }
    let check = explanation.check.then(|| tr!("checks"));
    let chase = |&(piece, square): &(Piece, Square)| tr!("chases {piece}", piece = naming(piece, square));
    let done: Vec<String> = check.into_iter().chain(explanation.newly_chased.iter().map(chase)).collect();
    if done.is_empty() { word("idle") } else { done.join(Language::choose("，", ", ")) }
}

fn translated_nature(nature: &MoveNature, naming: &PieceNaming) -> String {
    let MoveNature::ChaseByExchange { piece, square, exchange, alone } = nature else {
        return word(&nature.text_naming(naming));
    };
    let capture = |&(piece, victim): &(Piece, Piece)| {
        tr!("({piece} x {victim})", piece = short_name(piece), victim = short_name(victim))
    };
    let captures: String = exchange.iter().map(capture).collect();
    let piece = naming(*piece, *square);
    match *alone {
        true => tr!("chase, gains {piece} {captures}", piece, captures),
        false => tr!("chase, gains jointly {piece} {captures}", piece, captures),
    }
}
