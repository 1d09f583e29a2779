//! Reasons from proofs, and what is none.
