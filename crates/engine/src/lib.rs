//! Xiangqi (Chinese chess) in Rust: board and move generation, the rules that end a game, endgame tablebases, NNUE
//! evaluation and a multi-threaded alpha-beta search. It is the library under the engine *Chuhe* (楚河).
//!
//! | module | contents | start here |
//! | --- | --- | --- |
//! | [`types`] | squares, pieces, moves, colors, scores | [`Square`], [`Piece`], [`Move`], [`types::score`] |
//! | [`board`] | positions, FEN, legal moves, make and unmake, SEE, perft | [`Position`] |
//! | [`rules`] | mate, perpetual check and chase, move-count draws, in six rule sets | [`Rules::judge`] |
//! | [`nnue`] | static evaluation, network files, win/draw/loss model | [`nnue::evaluate`], [`Network::open`] |
//! | [`search`] | principal variations, mates, time management, lazy SMP | [`Searcher::search`] |
//! | [`tablebase`] | endgame tables: probe them, build them | [`Tablebase::probe`] |
//! | [`language`] | translation of messages, English built in | [`language::Language`] |
//! | [`files`] | files that are written whole or not at all | [`files::write_atomic`] |
//!
//! The library reads no standard input, prints nothing by itself but [`language::print_error`], and knows no protocol
//! and no format of game records. It logs by the `log` crate. Two networks and the small endgame tables are embedded.
//!
//! # Set up a position
//!
//! ```
//! use xiangqi::{Color, Piece, PieceKind, Position, Square};
//!
//! let position = Position::start();
//! assert_eq!(position.side(), Color::Red);
//! let e0 = "e0".parse::<Square>().unwrap();
//! assert_eq!(position.piece_at(e0), Piece::new(Color::Red, PieceKind::King));
//! assert_eq!(position.legal_moves().len(), 44);
//! ```
//!
//! # FEN in and out
//!
//! ```
//! use xiangqi::{FenError, Position};
//!
//! let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
//! assert_eq!(Position::from_fen(fen)?.fen(), fen);
//! assert!(matches!(Position::from_fen("9/9 w"), Err(FenError::RankCount(2))));
//! # Ok::<(), FenError>(())
//! ```
//!
//! # Make a move
//!
//! [`Position::play`] checks the move; [`Position::play_unchecked`] expects a legal one, such as the move generator
//! gives.
//!
//! ```
//! use xiangqi::{Move, Position};
//!
//! let mut position = Position::start();
//! position.play("h2e2".parse()?)?;
//! assert!(position.play("e0e5".parse()?).is_err());
//! position.undo();
//! assert_eq!(position.fen(), Position::start().fen());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Is the game over, and why?
//!
//! ```
//! use xiangqi::{Color, Ending, Position, Reason, Rules};
//!
//! let position = Position::from_fen("3R1k3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1")?;
//! let verdict = Rules::default().judge(&position);
//! assert_eq!(verdict.ending, Some(Ending::Loss(Color::Black)));
//! assert_eq!(verdict.reason, Reason::Mate);
//! # Ok::<(), xiangqi::FenError>(())
//! ```
//!
//! # Evaluate
//!
//! Scores are seen from the side to move; [`types::score::MINOR`] is the value of a horse or a cannon.
//!
//! ```
//! use chuhe_engine::nnue::{EvalMode, evaluate, large_network};
//! use xiangqi::Position;
//! use chuhe_engine::score;
//!
//! // Black lacks a rook.
//! let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
//! let position = Position::from_fen(fen)?;
//! assert!(evaluate(&EvalMode::Network(large_network()), &position) > score::MINOR);
//! # Ok::<(), xiangqi::FenError>(())
//! ```
//!
//! # Search
//!
//! ```
//! use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
//! use xiangqi::Position;
//! use chuhe_engine::score;
//!
//! let position = Position::from_fen("5k3/9/4R4/9/9/9/9/9/3R5/4K4 w - - 0 1")?;
//! let mut searcher = Searcher::new(Options::default(), 16)?;
//! let (limits, control) = (Limits::depth(4), Control::default());
//! let result = searcher.search(&position, &limits, &control, &mut NoReporter);
//! assert!(result.best_move.is_some());
//! assert_eq!(score::mate_plies(result.score), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module [`search`] shows how to receive lines while a search runs, how to use threads, and how to stop.
//!
//! # Cargo features
//!
//! `tune` makes the search parameters settable at run time, for tuning; searches are slower with it.
#![deny(unsafe_code)]

pub mod instant;
pub mod memory;
pub mod nnue;
mod read_file;
pub mod score;
pub mod search;
pub mod tablebase;

pub use nnue::{EvalMode, Network, NetworkError};
pub use read_file::ReadError;
pub use score::Score;
pub use search::{Bound, Clock, Control, Info, Limits, NoReporter, Options, Reporter, SearchResult, Searcher};
pub use tablebase::{Material, ProbeResult, Tablebase};
