//! The result of reading a record file: games and errors with their locations.

use super::game::Game;
use super::notation::NotationError;
use std::fmt;
use thiserror::Error;
use xiangqi::IllegalMove;
use xiangqi::fen::FenError;

/// A location in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Line(line) => write!(f, "line {line}"),
            Location::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

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

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FilePart::Move => "a move",
            FilePart::Moves => "the list of moves",
            FilePart::GameHead => "the head of a game",
            FilePart::LibraryHead => "the head of a library",
        })
    }
}

/// What is wrong in a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// Invalid start position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word is not a move.
    #[error("move {number}: {source}")]
    Notation {
        /// The full move number, from 1.
        number: usize,
        /// The word.
        source: NotationError,
    },
    /// An illegal move.
    #[error("move {number}: {source}")]
    Move {
        /// The full move number, from 1.
        number: usize,
        /// The move, and why it is illegal.
        source: IllegalMove,
    },
    /// In free text, a word between moves that may have been meant as one.
    #[error("expected a move, found '{0}'")]
    NotAMove(String),
    /// A game that is longer than this many plies, where its rest is left out.
    #[error("expected a game of at most {0} plies, found a longer one")]
    TooLong(usize),
    /// A game that has more moves than this with its variations, where its rest is left out.
    #[error("expected a game of fewer than {0} moves with its variations, found a larger one")]
    TooMany(usize),
    /// A comment that is not closed.
    #[error("expected '}}', found none up to the end of the game")]
    OpenComment,
    /// A variation that is not closed.
    #[error("expected ')', found none up to the end of the game")]
    OpenVariation,
    /// WXF: the list of moves is not closed.
    #[error("expected }}END, found none up to the end of the file")]
    OpenMoves,
    /// WXF: the start position is given in a form that is not supported.
    #[error("expected a FEN, found a list of pieces alone")]
    PieceList,
    /// CBF: not well-formed; the message of the XML reader.
    #[error("expected XML, found {0}")]
    Xml(String),
    /// XQF, CBR and CBF: a move from or to a place outside the board.
    #[error("expected the squares of a move, found others")]
    MoveSquares,
    /// UBB: not the digits of a move.
    #[error("expected four digits a move, columns from 0 to 8 and rows from 0 to 9, found '{0}'")]
    MoveDigits(String),
    /// UBB: a variation that leaves its line where that has no move, or whose number is taken.
    #[error("expected a new line at a ply of one that is there, found line {line} at ply {ply} of line {parent}")]
    VariationPlace {
        /// The number of the variation.
        line: usize,
        /// The ply at which it leaves its parent.
        ply: usize,
        /// The number of the line that it leaves.
        parent: usize,
    },
    /// UBB: a variation of a line that does not exist.
    #[error("expected a line that is there, found line {line}, which leaves line {parent}")]
    VariationParent {
        /// The number of the variation.
        line: usize,
        /// The number of the line that it leaves.
        parent: usize,
    },
    /// UBB: not the digits of a board; how many characters there are.
    #[error("expected 64 digits, two for each of 32 pieces, found {0} letters")]
    BoardDigits(usize),
    /// XQF: another beginning.
    #[error("expected XQ, found something else")]
    XqfMagic,
    /// XQF: the size of a file that ends within its header.
    #[error("expected a header of 1024 bytes, found {0} bytes")]
    XqfHeader(usize),
    /// XQF: an unknown version.
    #[error("expected a version from 10 to 18, found {0}")]
    XqfVersion(u8),
    /// XQF and CBR: the length of a comment that would end beyond the file.
    #[error("expected a comment that ends within the file, found one of {0} bytes")]
    CommentLength(usize),
    /// CBL: the older layout.
    #[error(
        "expected a library that begins with CCBridgeLibrary, found an older one, whose layout nobody has described"
    )]
    OldLibrary,
    /// CBL: an index that would end beyond the file.
    #[error("expected an index that ends within the file, found one of {games} games in {bytes} bytes")]
    LibraryIndex {
        /// How many games the index announces.
        games: u32,
        /// The size of the file.
        bytes: usize,
    },
    /// CBR: an unknown layout.
    #[error("expected a game of kind 2, the one that is known, found kind {0}")]
    GameKind(u8),
    /// CBR: an unknown piece on the board.
    #[error("expected a piece or nothing, found {0}")]
    PieceCode(u8),
    /// Unexpected end of file.
    #[error("the file ends within {0}")]
    UnexpectedEnd(FilePart),
}

/// An error in a record file, with its location.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, {location}: {kind}")]
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
