//! Tests of the arena: statistics, openings, real matches, faulty engines, and resuming after an interruption.

#[cfg(unix)]
mod bad_engines;
#[cfg(unix)]
mod interrupts;
mod matches;
mod openings;
#[cfg(unix)]
mod pondering;
mod program;
mod resume;
mod statistics;
