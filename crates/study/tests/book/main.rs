//! Tests of opening books.

mod hostile;
mod own;
mod support;
