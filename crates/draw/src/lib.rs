//! Xiangqi positions as pictures: SVG for pages and files, PNG, animated PNG, and text for terminals.
//!
//! A [`BoardPicture`] says what is drawn: the position, the last move, arrows, marked squares, the side from which it is
//! seen and a [`BoardStyle`]. Every character on the board and on the pieces is an outline, so no font is needed.
//!
//! | What | Where |
//! | --- | --- |
//! | SVG of a position | [`BoardPicture::svg`] |
//! | SVG for a page with several pictures, or with all styles to choose from | [`BoardPicture::svg_sharing_defs`], [`BoardPicture::svg_with_choices`], [`board_rules`] |
//! | PNG of a position | [`BoardPicture::png`] |
//! | Animated PNG of the positions of a game | [`animation()`] |
//! | Lines of text for a terminal | [`TerminalBoard::lines`] |
//! | The red king as an icon | [`icon()`], [`icon_on_ground`], [`icon_svg`] |
//!
//! ```
//! use xiangqi::{Move, Position};
//! use xiangqi_draw::{BoardPicture, BoardStyle, PieceSet};
//!
//! let mut position = Position::start();
//! let mv: Move = "h2e2".parse()?;
//! position.play(mv)?;
//! let style = BoardStyle { pieces: PieceSet::Letters, ..BoardStyle::default() };
//! let picture = BoardPicture { last: Some(mv), style, ..BoardPicture::new(&position) };
//! assert!(picture.svg().starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]

mod animation;
mod board;
mod glyphs;
mod icon;
mod png;
mod shape;
mod style;
mod svg;
mod terminal_board;

pub use animation::animation;
pub use board::{ArrowKind, BoardPicture, SIZE};
pub use icon::{icon, icon_on_ground, icon_svg};
pub use style::{BoardColours, BoardStyle, Coordinates, PieceSet, board_rules};
pub use terminal_board::{ColourMode, SquareNotes, TerminalBoard};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
