//! Tests of games that are kept.

mod preferences;
mod saved;
