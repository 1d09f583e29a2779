//! Tests of the evaluation: incremental against refreshed accumulators, integers against floating point, network files,
//! SIMD levels, and the embedded networks on simple positions.

mod embedded;
mod files;
mod incremental;
mod reference;
mod support;
