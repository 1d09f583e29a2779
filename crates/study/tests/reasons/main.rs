//! Tests of the reasons of mistakes.

mod plans;
mod proofs;
