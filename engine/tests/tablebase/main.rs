//! Tests of the endgame tablebases: whole counts against another solver, every position of small tables against a
//! simple solver, and values of larger tables against the moves of the board.

mod counts;
mod files;
mod oracle;
mod repetition;
