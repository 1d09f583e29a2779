//! The result of reading a record file: games and errors with their locations.

use super::game::Game;
use super::notation::NotationError;
use xiangqi::fen::FenError;
use xiangqi::{IllegalMove, worded, worded_error, words};

/// A location in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
}

worded!(Location, |location| match location {
    Location::Line(line) => words!("line {line}", line),
    Location::Byte(byte) => words!("byte {byte}", byte),
});

/// A part of a binary file or an XML file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePart {
    /// An entry of the list of moves, with its comment.
    Move,
    /// The list of moves.
    Moves,
    /// What comes before the moves of a game.
    GameHead,
    /// What comes before the games of a library.
    LibraryHead,
}

worded!(FilePart, |part| match part {
    FilePart::Move => words!("a move"),
    FilePart::Moves => words!("the list of moves"),
    FilePart::GameHead => words!("the head of a game"),
    FilePart::LibraryHead => words!("the head of a library"),
});

/// What is wrong in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// Invalid start position.
    Fen(FenError),
    /// A word is not a move.
    Notation {
        /// The full move number, from 1.
        number: usize,
        /// The word.
        source: NotationError,
    },
    /// An illegal move.
    Move {
        /// The full move number, from 1.
        number: usize,
        /// The move, and why it is illegal.
        source: IllegalMove,
    },
    /// In free text, a word between moves that may have been meant as one.
    NotAMove(String),
    /// A game that is longer than this many plies, where its rest is left out.
    TooLong(usize),
    /// A game that has more moves than this with its variations, where its rest is left out.
    TooMany(usize),
    /// A comment that is not closed.
    OpenComment,
    /// A variation that is not closed.
    OpenVariation,
    /// WXF: the list of moves is not closed.
    OpenMoves,
    /// WXF: the start position is given in a form that is not supported.
    PieceList,
    /// CBF: not well-formed; the message of the XML reader.
    Xml(String),
    /// XQF, CBR and CBF: a move from or to a place outside the board.
    MoveSquares,
    /// UBB: not the digits of a move.
    MoveDigits(String),
    /// UBB: a variation that leaves its line where that has no move, or whose number is taken.
    VariationPlace {
        /// The number of the variation.
        line: usize,
        /// The ply at which it leaves its parent.
        ply: usize,
        /// The number of the line that it leaves.
        parent: usize,
    },
    /// UBB: a variation of a line that does not exist.
    VariationParent {
        /// The number of the variation.
        line: usize,
        /// The number of the line that it leaves.
        parent: usize,
    },
    /// UBB: not the digits of a board; how many characters there are.
    BoardDigits(usize),
    /// XQF: another beginning.
    XqfMagic,
    /// XQF: the size of a file that ends within its header.
    XqfHeader(usize),
    /// XQF: an unknown version.
    XqfVersion(u8),
    /// XQF and CBR: the length of a comment that would end beyond the file.
    CommentLength(usize),
    /// CBL: the older layout.
    OldLibrary,
    /// CBL: an index that would end beyond the file.
    LibraryIndex {
        /// How many games the index announces.
        games: u32,
        /// The size of the file.
        bytes: usize,
    },
    /// CBR: an unknown layout.
    GameKind(u8),
    /// CBR: an unknown piece on the board.
    PieceCode(u8),
    /// Unexpected end of file.
    UnexpectedEnd(FilePart),
}

worded_error!(
    RecordErrorKind,
    |error| match error {
        RecordErrorKind::Fen(error) => error.words(),
        RecordErrorKind::Notation { number, source } => words!("move {number}: {source}", number, source),
        RecordErrorKind::Move { number, source } => words!("move {number}: {source}", number, source),
        RecordErrorKind::NotAMove(text) => words!("expected a move, found '{text}'", text),
        RecordErrorKind::TooLong(most) => {
            words!("expected a game of at most {most} plies, found a longer one", most)
        }
        RecordErrorKind::TooMany(most) => {
            words!("expected a game of fewer than {most} moves with its variations, found a larger one", most)
        }
        // A template cannot have these signs.
        RecordErrorKind::OpenComment => {
            words!("expected '{sign}', found none up to the end of the game", sign = "}")
        }
        RecordErrorKind::OpenVariation => {
            words!("expected '{sign}', found none up to the end of the game", sign = ")")
        }
        RecordErrorKind::OpenMoves => {
            words!("expected {sign}END, found none up to the end of the file", sign = "}")
        }
        RecordErrorKind::PieceList => words!("expected a FEN, found a list of pieces alone"),
        RecordErrorKind::Xml(found) => words!("expected XML, found {found}", found),
        RecordErrorKind::MoveSquares => words!("expected the squares of a move, found others"),
        RecordErrorKind::MoveDigits(text) => {
            words!("expected four digits a move, columns from 0 to 8 and rows from 0 to 9, found '{text}'", text)
        }
        RecordErrorKind::VariationPlace { line, ply, parent } => words!(
            "expected a new line at a ply of one that is there, found line {line} at ply {ply} of line {parent}",
            line,
            ply,
            parent
        ),
        RecordErrorKind::VariationParent { line, parent } => {
            words!("expected a line that is there, found line {line}, which leaves line {parent}", line, parent)
        }
        RecordErrorKind::BoardDigits(count) => {
            words!("expected 64 digits, two for each of 32 pieces, found {count} letters", count)
        }
        RecordErrorKind::XqfMagic => words!("expected XQ, found something else"),
        RecordErrorKind::XqfHeader(count) => words!("expected a header of 1024 bytes, found {count} bytes", count),
        RecordErrorKind::XqfVersion(version) => words!("expected a version from 10 to 18, found {version}", version),
        RecordErrorKind::CommentLength(length) => {
            words!("expected a comment that ends within the file, found one of {length} bytes", length)
        }
        RecordErrorKind::OldLibrary => words!(
            "expected a library that begins with CCBridgeLibrary, found an older one, whose layout nobody has described"
        ),
        RecordErrorKind::LibraryIndex { games, bytes } => words!(
            "expected an index that ends within the file, found one of {games} games in {bytes} bytes",
            games,
            bytes
        ),
        RecordErrorKind::GameKind(kind) => {
            words!("expected a game of kind 2, the one that is known, found kind {kind}", kind)
        }
        RecordErrorKind::PieceCode(code) => words!("expected a piece or nothing, found {code}", code),
        RecordErrorKind::UnexpectedEnd(part) => words!("the file ends within {part}", part),
    },
    Fen(FenError)
);

/// An error in a record file, with its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The number of the game, from 1.
    pub game: usize,
    /// Where it is in the file.
    pub location: Location,
    /// What is wrong there.
    pub kind: RecordErrorKind,
    /// The main line ends here; other errors affect only a variation or a comment.
    pub ends_main_line: bool,
}

worded_error!(RecordError, |error| words!(
    "game {game}, {location}: {kind}",
    game = &error.game,
    location = &error.location,
    kind = &error.kind
));

impl RecordError {
    /// An error that ends the main line, or that leaves no game at all.
    pub(crate) fn fatal(game: usize, location: Location, kind: RecordErrorKind) -> RecordError {
        RecordError { game, location, kind, ends_main_line: true }
    }
}

/// A game that was read, as far as it is valid.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    /// The valid part.
    pub game: Game,
    /// The errors in file order.
    pub errors: Vec<RecordError>,
}

impl ParsedGame {
    /// The same game without control characters in tags and comments.
    pub(super) fn sanitized(mut self) -> ParsedGame {
        self.game.sanitize();
        self
    }

    /// The game, unless something in it is wrong: the first error.
    pub fn into_game(self) -> Result<Game, RecordError> {
        match self.errors.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.game),
        }
    }

    /// The game, unless an error ended its main line; errors in variations and comments are ignored.
    pub fn into_game_with_main_line(self) -> Result<Game, RecordError> {
        match self.errors.into_iter().find(|error| error.ends_main_line) {
            Some(error) => Err(error),
            None => Ok(self.game),
        }
    }
}
