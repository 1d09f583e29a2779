//! Tests of the board without a server: saved games, preferences, and the sessions in one thread.

mod inline_board;
mod preferences;
// Needs the seam for failures of the disk.
#[cfg(debug_assertions)]
mod saved;
