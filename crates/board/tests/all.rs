//! Tests of the board without a server: saved games, preferences, training, and the sessions in one thread.

mod endings;
#[path = "../../../tests/folder.rs"]
#[allow(dead_code, reason = "the tests of the program use all of it")]
mod folder;
mod inline_board;
mod library;
mod orders;
mod preferences;
mod saved;
mod train;
