//! The command line, the examples of the README, and packaging.

mod chinese;
mod command_line;
mod compositions;
mod languages;
#[cfg(unix)]
mod memory;
mod outputs;
mod packaging;
mod pages;
mod pictures;
mod pipes;
mod positions;
mod readme;
mod rules_page;
mod threads;
