//! Tests of the motifs of lines.

mod lines;
mod properties;
