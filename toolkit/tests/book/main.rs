//! Tests of opening books.

mod own;
mod support;
