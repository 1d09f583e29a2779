//! The endgame tables, proven: whole counts against a solver that shares no code with this one, every position of
//! small tables against plain search, and values of larger ones against the moves of the board.

mod counts;
mod files;
mod oracle;
mod repetition;
