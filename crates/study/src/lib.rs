//! What a player gets from the engine: opponents, opening books, analyses, reviews and checked compositions.
//!
//! | What | Where |
//! | --- | --- |
//! | Play against the engine: strength, clock, books, tablebases, draw offers and resignation | [`player`] |
//! | A game of a user with the engine: moves, clocks, result; saved games | [`game`] |
//! | Opening books: read, probe, build, convert | [`book`] |
//! | What games say about a position: moves, how often, with which results; an index of any number of games | [`explorer`] |
//! | An opening repertoire: made of games, what is missing in it, where games leave it | [`repertoire`] |
//! | Analyse positions on request, with several analysts, also from and to JSON | [`analyse`] |
//! | Answer a list of items on several threads, in order, until Ctrl-C (not in WebAssembly) | `batch` |
//! | Review a game: rate its moves, name its mistakes; as text, JSON, PGN or HTML; many games together | [`review`], [`several`] |
//! | The names of players, by which the games of a person are found | [`player_names`] |
//! | Say why a move was a mistake, with a proof; name mates | [`reasons`] |
//! | Name what a line of moves shows: forks, pins, discovered attacks | [`motifs`] |
//! | Check composed problems of mate: is the win proven, are there cooks and duals, what are the defences | [`composition`] |
//! | Read the position that a picture shows: PNG, JPEG, WebP (not in WebAssembly, where the browser decodes) | `picture` |
//! | Train: cards of mistakes, when they are due, their file; what they tell of a player | [`train`] |
//! | Tactics: find them in games, their difficulty, the file of many | [`tactics`] |
//! | The common parts of HTML pages | [`html_page`] |
//! | Who reads: language and notation; verdicts whose sentences use it | [`reader`] |
//!
//! The moves of the book inside the program:
//!
//! ```
//! use chuhe_study::book::{Book, ChuheBook};
//! use xiangqi::Position;
//!
//! let moves = ChuheBook::embedded().moves(&Position::start())?;
//! assert!(moves.iter().any(|entry| entry.mv.to_string() == "h2e2"));
//! # Ok::<(), chuhe_study::book::ProbeError>(())
//! ```
#![deny(unsafe_code)]

/// Defines an enum whose values have a phrase for readers; or, with the name of a method, a name for programs as well.
macro_rules! phrased {
    ($(#[$meta:meta])* pub enum $Type:ident { $($(#[$doc:meta])* $value:ident = $phrase:expr;)* }) => {
        $(#[$meta])*
        pub enum $Type {
            $($(#[$doc])* $value,)*
        }

        impl $Type {
            /// All, in the order of their definition.
            pub const ALL: [$Type; [$(stringify!($value)),*].len()] = [$($Type::$value),*];

            /// In the current language.
            pub fn phrase(self) -> chuhe_support::language::Phrase {
                match self {
                    $($Type::$value => $phrase,)*
                }
            }
        }
    };
    ($(#[$meta:meta])* pub enum $Type:ident: $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal, $phrase:expr;)* }) => {
        phrased! {
            $(#[$meta])*
            pub enum $Type { $($(#[$doc])* $value = $phrase;)* }
        }

        impl $Type {
            /// As programs write it.
            pub const fn $name(self) -> &'static str {
                match self {
                    $($Type::$value => $text,)*
                }
            }
        }
    };
}

pub mod analyse;
#[cfg(not(target_family = "wasm"))]
pub mod batch;
pub mod book;
pub mod composition;
pub mod explorer;
pub mod game;
pub mod html_page;
pub mod motifs;
#[cfg(not(target_family = "wasm"))]
pub mod picture;
pub mod player;
pub mod player_names;
pub mod reader;
pub mod reasons;
pub mod repertoire;
pub mod review;
pub mod several;
pub mod tactics;
pub mod train;
