//! The board, proven: what it generates, makes, takes back and reads, against the rules written down again in
//! the plainest way (`plain`), over positions from random games and random set-ups (`samples`).

mod checks;
mod exchange;
mod fen;
mod generation;
mod history;
mod making;
mod moves;
mod perft;
pub mod plain;
mod promotion;
mod samples;
mod symmetry;
