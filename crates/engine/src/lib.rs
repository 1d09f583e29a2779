//! Xiangqi (Chinese chess) in Rust: NNUE evaluation, a multi-threaded alpha-beta search, and endgame tablebases. It
//! plays on the positions and rules of the crate [`xiangqi`].
//!
//! | module | contents | start here |
//! | --- | --- | --- |
//! | [`search`] | best moves, principal variations, mates, game clocks, any number of threads | [`Searcher::search`] |
//! | [`nnue`] | the static evaluation, its networks, chances to win, draw and lose | [`nnue::evaluate`], [`Network::open`] |
//! | [`tablebase`] | perfect play with few pieces: probe tables, build them, verify them | [`Tablebase::probe`] |
//! | [`score`] | what a score means | [`score::mate_plies`], [`score::hundredths`] |
//! | [`instant`] | clocks, which a WebAssembly module borrows from its host | [`instant::Instant`] |
//! | [`memory`] | how much memory the process may use | [`memory::total_memory_mb`] |
//!
//! The crate prints nothing, knows no protocol and no format of game records, reads the files that it is given, and
//! writes none. It logs by the crate `log`. Errors are data; their `Display` is English. Two networks and the small
//! endgame tables are embedded. `unsafe` code is limited to huge pages, prefetches and vector loops.
//!
//! # Search
//!
//! ```
//! use chuhe_engine::score;
//! use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
//! use xiangqi::Position;
//!
//! let position: Position = "5k3/9/4R4/9/9/9/9/9/3R5/4K4 w - - 0 1".parse()?;
//! let mut searcher = Searcher::new(Options::default(), 16)?; // 16 MB of hash table
//! let result = searcher.search(&position, &Limits::depth(4), &Control::default(), &mut NoReporter);
//! assert_eq!(score::mate_plies(result.score), Some(1));
//! assert!(result.best_move.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module [`search`] shows how to read lines while a search runs, how to stop it, and how to use threads and clocks.
//!
//! # Evaluate
//!
//! Scores are seen from the side to move; [`score::MINOR`] is the value of a horse or a cannon.
//!
//! ```
//! use chuhe_engine::nnue::{EvalMode, evaluate, large_network};
//! use chuhe_engine::score;
//! use xiangqi::Position;
//!
//! // Black lacks a rook.
//! let position: Position = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w".parse()?;
//! assert!(evaluate(&EvalMode::Network(large_network()), &position) > score::MINOR);
//! # Ok::<(), xiangqi::fen::FenError>(())
//! ```
//!
//! # Probe endgame tables
//!
//! ```
//! use chuhe_engine::{ProbeResult, Tablebase};
//! use xiangqi::Position;
//!
//! let tablebase = Tablebase::built_in(); // `Tablebase::open` adds the tables of folders
//! let position: Position = "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1".parse()?;
//! assert!(matches!(tablebase.probe(&position), Some(ProbeResult::Win(_))));
//! # Ok::<(), xiangqi::fen::FenError>(())
//! ```
//!
//! # Cargo features
//!
//! `tune`: the constants of the search can be set at run time, for tuning; searches are slower with it.
#![deny(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]

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

/// The program of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
