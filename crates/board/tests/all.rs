//! Tests of the board without a server: saved games, preferences, and the sessions in one thread.

mod inline_board;
mod preferences;
mod saved;
