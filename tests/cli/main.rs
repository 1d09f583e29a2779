//! The command line, the examples of the README, and packaging.

mod chinese;
mod command_line;
mod compositions;
mod convert;
mod explore;
mod golden;
mod instruction_sets;
mod languages;
mod mates;
#[cfg(unix)]
mod memory;
mod outputs;
mod packaging;
mod pages;
mod pictures;
mod pipes;
mod positions;
mod readme;
mod repertoire;
mod shell;
mod tactics;
mod threads;
