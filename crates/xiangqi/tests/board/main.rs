//! Tests of the board: generating, making, unmaking and parsing, compared with a second implementation of the rules
//! (`plain`), on positions from random games and random setups (`samples`).

mod checks;
mod exchange;
mod fen;
mod generation;
mod history;
mod making;
mod moves;
mod names;
mod perft;
mod promotion;
mod samples;
mod setup;
mod symmetry;
