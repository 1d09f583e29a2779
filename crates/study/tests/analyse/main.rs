//! Tests of analyses: their lines, and the pool of analysts.

mod lines;
mod pool;
mod support;
