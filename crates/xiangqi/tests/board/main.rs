//! Tests of the board: generating, making, unmaking and parsing, compared with a second implementation of the rules
//! (`plain`), on positions from random games and random setups (`samples`).

mod checks;
mod fen;
mod generation;
mod making;
mod moves;
mod samples;
