//! Tests of the motifs of lines.

mod lines;
mod mating_patterns;
mod properties;
