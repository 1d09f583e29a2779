//! The command line: what `chuhe` understands, each subcommand a short hop into its room.

use super::{bench, convert, eval, judge, logging, mates, perft, tables};
use crate::arena::{command as arena, selfplay};
use crate::learn::command as learn;
use crate::play;
use crate::protocol;
use clap::{Parser, Subcommand};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  chuhe                       play: waits for a protocol, as a graphical interface starts it
  chuhe play                  a game against the engine, here at the terminal
  chuhe help perft            what a subcommand does, with examples
  chuhe perft 5               count move paths
  chuhe judge game.xqf --explain
                              how the game ended, and why
  chuhe convert game.xqf --to pgn
                              a game in another format
  chuhe --log chuhe.log       play, and keep a log
  CHUHE_LOG=trace chuhe       play, and log everything to standard error";

/// Chuhe (楚河), a xiangqi engine. Without a subcommand it waits for a protocol on standard input.
#[derive(Parser)]
#[command(version = protocol::VERSION, after_help = EXAMPLES)]
struct Arguments {
    /// Keep a log in this file (the variable CHUHE_LOG says how much: error, warn, info, debug, trace)
    #[arg(long, global = true, display_order = 100, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play against the engine, here at the terminal
    Play(play::PlayArgs),
    /// Count the move paths of a position: is the move generator right, and how fast is it?
    Perft(perft::PerftArgs),
    /// Say how a game stands by the rules of repetition, and why.
    Judge(judge::JudgeArgs),
    /// Bring games from one format into another: PGN, XQF, UBB, FEN, WXF, CBR and pasted text
    Convert(convert::ConvertArgs),
    /// Play engines against each other, and say how sure the result is
    Arena(Box<arena::ArenaArgs>),
    /// Play fast games of the engine against itself that must go by the book; ends with 1 if one did not
    Selfplay(selfplay::SelfplayArgs),
    /// Search a fixed set of positions: the signature of the search, and its speed
    Bench(bench::BenchArgs),
    /// Explain the static evaluation of a position, piece by piece
    Eval(eval::EvalArgs),
    /// Endgame tables: perfect play where few pieces are left
    Tables(tables::TablesArgs),
    /// Problems of mate: find them in games, and see how many are solved
    Mates(mates::MatesArgs),
    /// Teach the evaluation: play games, keep them, fit a network to them
    Learn(learn::LearnArgs),
    /// Tune constants of the search by games
    #[cfg(feature = "tune")]
    Tune(super::tune::TuneArgs),
}

/// Runs what the arguments say. Failures are told in one line on standard error and end with exit code 2.
pub fn run() -> ExitCode {
    match dispatch(Arguments::parse()) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe: {error}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(arguments.log.as_deref())?;
    #[cfg(feature = "tune")]
    crate::search::params::set_from_environment()?;
    match arguments.command {
        None => {
            let is_person = io::stdin().is_terminal() && io::stdout().is_terminal();
            if is_person {
                writeln!(io::stdout(), "{}", protocol::greeting_of_people())?;
            }
            protocol::run(io::stdin(), io::stdout(), is_person)?;
        }
        Some(Command::Play(args)) => play::run(&args, &mut io::stdout(), io::stdout().is_terminal())?,
        Some(Command::Arena(args)) => {
            return Ok(arena::run(&args, &mut io::stdout(), io::stdout().is_terminal())?);
        }
        Some(Command::Judge(args)) => return Ok(judge::run(&args, &mut io::stdout().lock())?),
        Some(Command::Convert(args)) => return Ok(convert::run(&args, &mut io::stdout().lock())?),
        Some(Command::Selfplay(args)) => return Ok(selfplay::run(&args, &mut io::stdout())?),
        Some(Command::Perft(args)) => perft::run(&args, &mut io::stdout().lock())?,
        Some(Command::Bench(args)) => bench::run(&args, &mut io::stdout().lock())?,
        Some(Command::Tables(args)) => return Ok(tables::run(&args, &mut io::stdout())?),
        Some(Command::Mates(args)) => mates::run(&args, &mut io::stdout())?,
        Some(Command::Learn(args)) => learn::run(&args, &mut io::stdout().lock())?,
        Some(Command::Eval(args)) => eval::run(&args, &mut io::stdout().lock())?,
        #[cfg(feature = "tune")]
        Some(Command::Tune(args)) => super::tune::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// True if the reader of our output went away, as `head` does: he has what he wanted.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind() == io::ErrorKind::BrokenPipe;
        }
        cause = error.source();
    }
    false
}
