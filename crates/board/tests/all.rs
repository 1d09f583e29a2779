//! Tests of the board without a server: saved games, preferences, training, the rights of pages, and the sessions in one thread.

mod endings;
mod folders;
mod inline_board;
mod lessons;
mod library;
mod orders;
mod page_scripts;
mod preferences;
mod reviews;
mod rights;
mod rights_board;
mod rights_examples;
mod saved;
mod state_folder;
mod train;
