//! The subcommands of the command line, one file or folder each, under the name that the user types.

mod analyse;
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
mod clap_errors;
pub mod commands;
pub mod convert;
mod error;
pub mod explore;
mod games;
pub mod help_layout;
mod journal;
pub mod judge;
pub mod learn;
pub mod logging;
pub mod mates;
mod output;
pub mod perft;
mod picture;
pub mod play;
pub mod position_args;
pub mod repertoire;
pub mod review;
pub mod shell;
pub mod show;
pub mod tables;
mod tactics;
#[cfg(feature = "tune")]
pub mod tune;
pub mod values;
