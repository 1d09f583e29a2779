//! Files: what is left after each step fails, what a kill leaves, and what is not opened.

mod failures;
mod opening;
mod support;
