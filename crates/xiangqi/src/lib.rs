//! Xiangqi (Chinese chess): positions, legal moves, and the rules that end a game.
//!
//! | what | start here |
//! | --- | --- |
//! | squares, pieces, moves | [`Square`], [`Piece`], [`PieceKind`], [`Color`], [`Move`], [`SquareSet`] |
//! | positions: FEN, legal moves, play and undo, repetitions | [`Position`] |
//! | positions in the making: place and remove pieces freely | [`Setup`] |
//! | a position in 29 bytes | [`PackedPosition`] |
//! | why a text or a move is refused | [`FenError`](fen::FenError), [`SetupError`], [`IllegalMove`] |
//! | mate, perpetual check and chase, move-count draws, in six rule sets | [`Rules::judge`], [`RuleSet`] |
//! | attacks, checks, static exchange evaluation, perft | [`Position::attackers_to`], [`Position::see_ge`], [`Position::divide`] |
//!
//! The crate opens no file and no socket, logs nothing, and has no `unsafe` code. Errors are data; their `Display` is
//! English, and [`mod@words`] has the same as templates, for programs that translate.
//!
//! # Positions
//!
//! A [`Position`] is parsed from FEN and written as FEN. It keeps the moves that led to it, takes them back, and finds
//! repetitions. Two positions are equal if their pieces, the side to move and the variant are.
//!
//! ```
//! use xiangqi::{Color, Move, Position};
//!
//! let mut position: Position = xiangqi::fen::START_FEN.parse()?;
//! assert_eq!(position, Position::default());
//! assert_eq!(position.legal_moves().len(), 44);
//!
//! position.play("h2e2".parse()?)?; // checks that the move is legal
//! assert_eq!(position.side(), Color::Black);
//! assert!(position.play("h2e2".parse()?).is_err());
//!
//! for mv in position.legal_moves() {
//!     position.play_unchecked(mv); // a generated move needs no check
//!     position.undo();
//! }
//! assert_eq!(position.last_move(), Some("h2e2".parse::<Move>()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Odds, diagrams, puzzles
//!
//! ```
//! use xiangqi::{Position, Setup};
//!
//! let mut setup = Setup::from(&Position::default());
//! setup.remove("a9".parse()?);
//! let odds = Position::try_from(setup)?;
//! assert!(odds.to_string().starts_with("1nbakabnr/9/1c5c1/p1p1p1p1p/"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Is the game over, and why?
//!
//! ```
//! use xiangqi::{Color, Ending, Position, Reason, Rules};
//!
//! let position: Position = "3R1k3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1".parse()?;
//! let verdict = Rules::default().judge(&position);
//! assert_eq!(verdict.ending, Some(Ending::Loss(Color::Black)));
//! assert_eq!(verdict.reason, Reason::Mate);
//! # Ok::<(), xiangqi::fen::FenError>(())
//! ```
//!
//! The module [`rules`] has the rule sets and the examples of repetitions.
//!
//! # Perft
//!
//! ```
//! use xiangqi::Position;
//!
//! assert_eq!(Position::start().perft(3), 79_666);
//! let count = Position::start().divide(2, 2); // depth 2 on two threads
//! assert_eq!((count.nodes, count.below.len()), (1_920, 44));
//! ```
//!
//! # Cargo features
//!
//! `serde`: squares, pieces, moves, colors and rule sets are (de)serialized as their texts, a position as its FEN and
//! its variant.
#![forbid(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]

mod board;
pub mod rules;
#[cfg(feature = "serde")]
mod serde;
mod types;
pub mod words;

pub use board::{
    IllegalMove, IllegalMoveReason, MoveList, PackedPosition, Position, Setup, SetupError, fen, perft, zobrist,
};
pub use rules::{DrawRule, Ending, Reason, RuleSet, Rules, Verdict};
pub use types::{
    Color, Move, ParseMoveError, ParseNameError, ParseSquareError, Piece, PieceKind, Square, SquareIter, SquareSet,
};

/// Where pieces attack, apart from a position: lines of a rank or file, legs of horses.
pub mod attacks {
    pub use crate::board::attacks::{SliderAttacks, between, file_attacks, horse_leg, rank_attacks};
}

/// What an engine needs beside legal moves: values of pieces, observers of changes, lists with scores.
///
/// An evaluation that is updated with each move implements [`BoardObserver`](engine::BoardObserver); the rest serves a
/// search, and changes with it.
pub mod engine {
    pub use crate::board::mailbox::BoardObserver;
    pub use crate::board::mailbox::MAX_SIDE_PIECES;
    pub use crate::board::see::piece_value;
    #[doc(hidden)]
    pub use crate::board::{
        attacks::Occupancy,
        checks::{CheckSquares, PieceChecks},
        move_list::MoveEntry,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
