//! Tests of the reasons of mistakes.

mod patterns;
mod plans;
mod proofs;
