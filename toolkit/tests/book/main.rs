//! Opening books.

mod own;
mod support;
