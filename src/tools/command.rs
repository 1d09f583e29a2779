//! The command line: what `chuhe` understands, each subcommand a short hop into its room.

use super::perft;
use crate::board::{Position, START_FEN};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Chuhe (楚河), a xiangqi engine. Without a subcommand it waits for a protocol on standard input.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the move paths of a position.
    Perft {
        /// How many plies deep.
        depth: u32,
        /// The position; the start position if not given.
        #[arg(long)]
        fen: Option<String>,
    },
}

/// Runs what the arguments say.
pub fn run() -> ExitCode {
    match Arguments::parse().command {
        None => ExitCode::SUCCESS,
        Some(Command::Perft { depth, fen }) => {
            let mut position = match Position::from_fen(fen.as_deref().unwrap_or(START_FEN)) {
                Ok(position) => position,
                Err(error) => {
                    eprintln!("chuhe: {error}");
                    return ExitCode::from(2);
                }
            };
            let begun = std::time::Instant::now();
            println!("{} in {:?}", perft::perft(&mut position, depth), begun.elapsed());
            ExitCode::SUCCESS
        }
    }
}
