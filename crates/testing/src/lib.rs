//! What the tests of several crates share: a temporary folder, a plain implementation of the rules to compare with,
//! positions drawn by chance, and how much is tried.

mod folder;
pub mod plain;
mod positions;

pub use folder::Folder;
pub use positions::{position, random_positions, sparse_positions};

use proptest::test_runner::{Config, RngSeed};

/// The settings of a property test: so many cases, the same in every run.
pub fn property_cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Config::default() }
}

/// Whether everything is tried, and time measured: where `CHUHE_THOROUGH` is set, as in the weekly run.
pub fn is_thorough() -> bool {
    std::env::var_os("CHUHE_THOROUGH").is_some()
}

/// So many samples of a long test; a tenth unless everything is tried.
pub fn sample_count(all: usize) -> usize {
    if is_thorough() { all } else { all / 10 }
}
