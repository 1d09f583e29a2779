//! Tests of games that are kept.

mod inline_board;
mod preferences;
mod saved;
