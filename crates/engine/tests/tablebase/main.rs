//! Tests of the endgame tablebases: whole counts against another solver, every position of small tables against a
//! simple solver, and values of larger tables against the moves of the board.

mod counts;
mod files;
mod oracle;
mod repetition;

use chuhe_engine::tablebase::Material;

/// A material by its name.
fn name(text: &str) -> Material {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}
