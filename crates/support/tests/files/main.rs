//! Files: what is left after each step fails, what a kill leaves, and what is not opened.

#[cfg(debug_assertions)]
mod failures;
mod opening;
mod state;
