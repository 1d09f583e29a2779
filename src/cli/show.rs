//! `chuhe show`: a position as a picture, on the terminal or in a file.

use super::position::{PositionArgs, PositionError};
use crate::board::Position;
use crate::draw::{self, Arrow, Ink, Picture};
use crate::files::{Kind, OutputError};
use crate::record::notation;
use crate::screen;
use crate::types::{Move, Square};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe show                                      the start position, on the terminal
  chuhe show 'startpos moves h2e2 h9g7'           after these moves
  chuhe show 'startpos moves h2e2 h9g7' --ply 1   after the first of them
  chuhe show game.pgn --ply 30                    a game after 15 moves of each side
  chuhe show FEN --svg board.svg --arrow b0c2     as a picture, with an arrow
  chuhe show FEN --png board.png --width 800 --flip
";

/// What a picture begins with, by which it is known as one of ours.
const SVG: Kind = Kind { name: "picture drawn by Chuhe", mark: b"<!-- drawn by Chuhe -->" };
const PNG: Kind = Kind { name: "picture drawn by Chuhe", mark: b"Software\0Chuhe" };

/// What `chuhe show` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Write a picture as SVG (`-`: to standard output)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a picture as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// How many points wide the PNG is
    #[arg(long, value_name = "POINTS", default_value_t = 984, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// Seen from black's side
    #[arg(long)]
    flip: bool,
    /// Draw an arrow for this move, in any notation if it is legal; may be given more than once
    #[arg(long, value_name = "MOVE")]
    arrow: Vec<String>,
    /// Draw a ring around this square; may be given more than once
    #[arg(long, value_name = "SQUARE")]
    mark: Vec<String>,
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum ShowError {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An arrow is no move.
    #[error("--arrow {0}: expected a move, such as h2e2")]
    Arrow(String),
    /// A square is none.
    #[error("--mark {0}: expected a square, a0 to i9")]
    Mark(String),
    /// A file was not written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Nobody listens.
    #[error("cannot write the picture: {0}")]
    Output(#[from] io::Error),
}

/// Shows a position.
pub fn run(args: &ShowArgs, out: &mut dyn Write, is_terminal: bool) -> Result<(), ShowError> {
    let position = args.position.position()?;
    let last = Some(position.last_move()).filter(|mv| mv.is_some());
    let arrows: Result<Vec<_>, _> = args.arrow.iter().map(|text| arrow(&position, text)).collect();
    let marked = args.mark.iter().map(|text| Square::parse(text).ok_or_else(|| ShowError::Mark(shown(text))));
    let picture = Picture {
        position: &position,
        last,
        arrows: arrows?,
        marked: marked.collect::<Result<_, _>>()?,
        flipped: args.flip,
    };
    let is_drawn = write_svg(args, &picture, out)?;
    let is_painted = write_png(args, &picture, out)?;
    if !is_drawn && !is_painted {
        for line in
            draw::terminal(&position, last, args.flip, Ink::of(is_terminal), screen::width(is_terminal))
        {
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out, "{}", position.fen())?;
    }
    Ok(())
}

fn write_svg(args: &ShowArgs, picture: &Picture, out: &mut dyn Write) -> Result<bool, ShowError> {
    let Some(path) = &args.svg else { return Ok(false) };
    let svg = format!("<!-- drawn by Chuhe -->\n{}\n", picture.svg());
    if path == Path::new("-") {
        out.write_all(svg.as_bytes())?;
    } else {
        SVG.write(path, svg.as_bytes())?;
        told(path, out)?;
    }
    Ok(true)
}

fn write_png(args: &ShowArgs, picture: &Picture, out: &mut dyn Write) -> Result<bool, ShowError> {
    let Some(path) = &args.png else { return Ok(false) };
    PNG.check(path)?;
    PNG.write(path, &picture.png(args.width))?;
    told(path, out)?;
    Ok(true)
}

fn told(path: &Path, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "written: {}", path.display())
}

/// From and to of any piece, or a legal move in words.
fn arrow(position: &Position, text: &str) -> Result<(Move, Arrow), ShowError> {
    let mv = text.parse().ok().or_else(|| notation::read(position, text).ok());
    mv.map(|mv| (mv, Arrow::Best)).ok_or_else(|| ShowError::Arrow(shown(text)))
}

/// Enough of a text to recognise it, and nothing that could disturb a terminal.
fn shown(text: &str) -> String {
    text.chars().take(16).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}
