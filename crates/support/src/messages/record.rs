//! What is said of game records.

use super::{Localize, word};
use crate::language::{Language, Phrase, phrase, tr};
use xiangqi::IllegalMoveReason;
use xiangqi_record::intended_move::{Explanation, MoveTextError};
use xiangqi_record::notation::{NotationError, ParseNotationError};
use xiangqi_record::short_notation::ShortMoveError;
use xiangqi_record::{
    FilePart, Location, OutputFormatError, ParseEncodingError, PieceCountError, PositionSpecError, RecordError,
    RecordErrorKind, RecordFileError,
};

impl Localize for FilePart {}

impl Localize for Location {
    fn translated(&self) -> String {
        match self {
            Location::Line(line) => tr!("line {line}", line),
            Location::Byte(byte) => tr!("byte {byte}", byte),
        }
    }
}

impl Localize for RecordErrorKind {
    fn translated(&self) -> String {
        match self {
            RecordErrorKind::Fen(error) => error.translated(),
            RecordErrorKind::Notation { number, source } => {
                tr!("move {number}: {source}", number, source = source.translated())
            }
            RecordErrorKind::Move { number, source } => {
                tr!("move {number}: {source}", number, source = source.translated())
            }
            RecordErrorKind::NotAMove(text) => tr!("expected a move, found '{text}'", text),
            RecordErrorKind::TooLong(most) => {
                tr!("expected a game of at most {most} plies, found a longer one", most)
            }
            RecordErrorKind::TooMany(most) => {
                tr!("expected a game of fewer than {most} moves with its variations, found a larger one", most)
            }
            // A template cannot have these signs.
            RecordErrorKind::OpenComment => {
                tr!("expected '{sign}', found none up to the end of the game", sign = '}')
            }
            RecordErrorKind::OpenVariation => {
                tr!("expected '{sign}', found none up to the end of the game", sign = ')')
            }
            RecordErrorKind::OpenMoves => {
                tr!("expected {sign}END, found none up to the end of the file", sign = '}')
            }
            RecordErrorKind::Xml(found) => tr!("expected XML, found {found}", found),
            RecordErrorKind::MoveDigits(text) => {
                tr!("expected four digits a move, columns from 0 to 8 and rows from 0 to 9, found '{text}'", text)
            }
            RecordErrorKind::VariationPlace { line, ply, parent } => tr!(
                "expected a new line at a ply of one that is there, found line {line} at ply {ply} of line {parent}",
                line,
                ply,
                parent
            ),
            RecordErrorKind::VariationParent { line, parent } => {
                tr!("expected a line that is there, found line {line}, which leaves line {parent}", line, parent)
            }
            RecordErrorKind::BoardDigits(count) => {
                tr!("expected 64 digits, two for each of 32 pieces, found {count} letters", count)
            }
            RecordErrorKind::XqfHeader(count) => tr!("expected a header of 1024 bytes, found {count} bytes", count),
            RecordErrorKind::XqfVersion(version) => tr!("expected a version from 10 to 18, found {version}", version),
            RecordErrorKind::CommentLength(length) => {
                tr!("expected a comment that ends within the file, found one of {length} bytes", length)
            }
            RecordErrorKind::LibraryIndex { games, bytes } => tr!(
                "expected an index that ends within the file, found one of {games} games in {bytes} bytes",
                games,
                bytes
            ),
            RecordErrorKind::GameKind(kind) => {
                tr!("expected a game of kind 2, the one that is known, found kind {kind}", kind)
            }
            RecordErrorKind::PieceCode(code) => tr!("expected a piece or nothing, found {code}", code),
            RecordErrorKind::UnexpectedEnd(part) => tr!("the file ends within {part}", part = part.translated()),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for RecordError {
    fn translated(&self) -> String {
        let (location, kind) = (self.location.translated(), self.kind.translated());
        tr!("game {game}, {location}: {kind}", game = self.game, location, kind)
    }
}

impl Localize for RecordFileError {
    fn translated(&self) -> String {
        match self {
            RecordFileError::TooFew { number, count } => {
                tr!("there is no game {number}: it holds {count}", number, count)
            }
            RecordFileError::Game(error) => error.translated(),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for NotationError {
    fn translated(&self) -> String {
        match &self.why {
            None => tr!("'{text}' is no legal move in this position", text = self.text),
            Some(why @ Explanation::TwoNotations { .. }) => {
                tr!("'{text}' {why}", text = self.text, why = why.translated())
            }
            Some(why) => {
                tr!("'{text}' is no legal move in this position: {why}", text = self.text, why = why.translated())
            }
        }
    }
}

impl Localize for ShortMoveError {
    fn translated(&self) -> String {
        match self {
            ShortMoveError::NoMatch(error) => error.translated(),
            ShortMoveError::Ambiguous { text, moves } => {
                let moves = moves.iter().cloned().reduce(|one, other| tr!("{one} or {other}", one, other));
                tr!("'{text}' may be {moves}", text, moves = Language::in_script(moves.unwrap_or_default()))
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for MoveTextError {
    fn translated(&self) -> String {
        match self {
            MoveTextError::Illegal { text, why } => {
                tr!("'{text}' is not possible: {why}", text, why = why.translated())
            }
            MoveTextError::NotUnderstood(text) => tr!("'{text}' is not understood", text),
            MoveTextError::NoMatch(error) => error.translated(),
            _ => self.to_string(),
        }
    }
}

impl Localize for Explanation {
    fn translated(&self) -> String {
        let (why, piece) = match self {
            Explanation::NoPiece(name) => return tr!("there is no {name}", name),
            Explanation::TwoNotations { wxf, vietnamese } => {
                return tr!("is {wxf} in WXF and {vietnamese} in Vietnamese notation", wxf, vietnamese);
            }
            Explanation::OtherNotation { word, game } => {
                return tr!("it is in {word} notation, and the rest is in {game} notation", word, game);
            }
            Explanation::Illegal { why, piece: None } => return why.translated(),
            Explanation::Illegal { why, piece: Some(piece) } => (*why, piece),
            _ => return self.to_string(),
        };
        match why {
            IllegalMoveReason::OwnTarget(_) => tr!("its own {piece} stands there", piece),
            IllegalMoveReason::HorseLeg(_) => tr!("{piece} blocks the leg of the horse", piece),
            IllegalMoveReason::BishopEye(_) => tr!("{piece} blocks the eye of the bishop", piece),
            IllegalMoveReason::Blocked(_) => tr!("{piece} stands in between", piece),
            IllegalMoveReason::Pinned(_) => tr!("the piece is pinned: {piece} would give check", piece),
            IllegalMoveReason::IntoCheck(_) => tr!("{piece} would give check", piece),
            why => why.translated(),
        }
    }
}

impl Localize for PositionSpecError {
    fn translated(&self) -> String {
        match self {
            PositionSpecError::Fen(error) => error.translated(),
            PositionSpecError::NotAMove { number, error } => {
                tr!("move {number}: {error}", number, error = error.translated())
            }
            PositionSpecError::Notation { number, source } => {
                tr!("move {number}: {error}", number, error = source.translated())
            }
            PositionSpecError::Illegal { number, ranks, source } => {
                let why = ranks.reword(source.reason, source.reason.translated());
                let mv = ranks.format_move(source.mv);
                tr!("move {number}: {mv} is not legal: {why}", number, mv, why)
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for PieceCountError {
    fn translated(&self) -> String {
        tr!(
            "there is no place in this format for a {piece} on {square}: a set has no more of them",
            piece = self.piece.translated(),
            square = self.square
        )
    }
}

impl Localize for OutputFormatError {
    fn translated(&self) -> String {
        tr!("games are written as pgn, xqf, ubb or fen, not as '{text}'", text = self.0)
    }
}

impl Localize for ParseNotationError {
    fn translated(&self) -> String {
        tr!("'{text}' is no notation: expected ICCS, UCI, WXF, Chinese or Vietnamese", text = self.0)
    }
}

impl Localize for ParseEncodingError {
    fn translated(&self) -> String {
        tr!("'{text}' is no encoding: expected utf-8 or gbk", text = self.0)
    }
}

/// The tags of games that have names.
const TAGS: [Phrase; 17] = [
    phrase!("Event"),
    phrase!("Site"),
    phrase!("Date"),
    phrase!("Round"),
    phrase!("Red"),
    phrase!("White"),
    phrase!("Black"),
    phrase!("RedElo"),
    phrase!("BlackElo"),
    phrase!("RedTeam"),
    phrase!("BlackTeam"),
    phrase!("TimeControl"),
    phrase!("Termination"),
    phrase!("Opening"),
    phrase!("Annotator"),
    phrase!("Author"),
    phrase!("Title"),
];

/// The name of a tag for the user: in English the tag, in others what it says, with the tag itself.
pub fn tag_name(tag: &str) -> String {
    let known = TAGS.iter().find(|name| name.0.eq_ignore_ascii_case(tag));
    match known.filter(|_| Language::current() != Language::ENGLISH) {
        Some(name) => tr!("{name} ({tag})", name, tag),
        None => tag.to_string(),
    }
}

/// The names of several tags.
pub fn tag_names(tags: &[impl AsRef<str>]) -> String {
    tags.iter().map(|tag| tag_name(tag.as_ref())).collect::<Vec<_>>().join(", ")
}
