//! The subcommands of the command line, one file or folder each, under the name that the user types.

mod analyse;
mod arena;
mod bench;
mod board;
mod book;
mod clap_errors;
pub mod commands;
mod convert;
mod error;
mod explore;
mod games;
pub mod help_layout;
mod journal;
pub mod judge;
mod learn;
mod mates;
mod output;
mod perft;
mod picture;
mod play;
mod position_args;
pub mod repertoire;
mod review;
mod shell;
mod show;
mod tables;
mod tactics;
#[cfg(feature = "tune")]
pub mod tune;
mod values;
