//! `chuhe picture`: screenshots and diagrams become FENs.

use super::output::StandardOutput;
use chuhe_study::picture::{self, PictureError, PictureReport};
use chuhe_support::files::{FileError, shown};
use chuhe_support::language::{Language, print_error, reason, tr};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi::{Color, Piece};
use xiangqi_picture::{Doubt, Options, Reading};

const EXAMPLES: &str = "\
Examples:
  chuhe picture shot.png                    its position as a FEN
  chuhe picture *.png --side black --json   black is to move; a JSON object for each
  chuhe picture photo.jpg                   between corners that are found, or where they may be
  chuhe picture photo.jpg --corners 210,80,905,95,980,890,130,870
  chuhe analyse shot.png --side black       other commands take pictures, too

With several files each line begins with the file's name and a colon. Each `?` behind a FEN is a point that may be something else: its name, and the two likeliest pieces with their chances, `.` being an empty point. The exit code is 2 if a picture gives no position.";

/// Arguments of `chuhe picture`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct PictureArgs {
    /// Pictures: PNG, JPEG or WebP; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object for each picture
    #[arg(long)]
    json: bool,
    /// The side to move, which pictures do not tell: red or black
    #[arg(long, value_name = "SIDE", default_value = "red", value_parser = crate::cli::values::parse_side)]
    side: Color,
    /// The side below: red or black [default: as the pieces tell]
    #[arg(long, value_name = "SIDE", value_parser = crate::cli::values::parse_side)]
    side_below: Option<Color>,
    /// The older name of `--side-below black`
    #[arg(long, hide = true, conflicts_with = "side_below")]
    turned: bool,
    /// Where the board is: x and y of its outer points in pixels, clockwise from the top left, with commas between them
    #[arg(long, value_name = "CORNERS", value_parser = parse_corners)]
    corners: Option<Corners>,
}

type Corners = [(f32, f32); 4];

fn parse_corners(text: &str) -> Result<Corners, String> {
    let numbers: Vec<f32> = text.split(',').map_while(|number| number.trim().parse().ok()).collect();
    match *numbers {
        [a, b, c, d, e, f, g, h] if text.split(',').count() == 8 && numbers.iter().all(|n| n.is_finite()) => {
            Ok([(a, b), (c, d), (e, f), (g, h)])
        }
        _ => Err(tr!("expected eight numbers: x and y of the four outer points")),
    }
}

/// Reads pictures, one after the other.
pub fn run(args: &PictureArgs, out: &mut StandardOutput) -> io::Result<ExitCode> {
    let turned = args.side_below.map(|side| side == Color::Black).or(args.turned.then_some(true));
    let options = Options { corners: args.corners, turned };
    let mut all_read = true;
    for file in &args.files {
        let reading = picture::read_file(file, &options).map(|mut reading| {
            reading.setup.side = args.side;
            reading
        });
        all_read &= reading.is_ok();
        if args.json {
            writeln!(out, "{}", json(file, &reading))?;
            continue;
        }
        match reading {
            Ok(reading) => {
                if args.files.len() > 1 {
                    write!(out, "{}:", shown(file))?;
                }
                writeln!(out, "{}{}", reading.setup, reading.doubts.iter().map(doubt).collect::<String>())?;
                print_notes(file, &reading);
            }
            Err(error) => print_error(|| reason(&error)),
        }
    }
    Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Prints what a person should know of a reading.
pub fn print_notes(file: &Path, reading: &Reading) {
    let file = shown(file);
    for note in Language::program_language().with(|| picture::notes(reading)) {
        print_error(|| tr!("{file}: {fault}", file, fault = note));
    }
}

/// Prints which points may be something else, where the command that reads a picture does not show it.
pub fn print_doubts(file: &Path, reading: &Reading) {
    if !reading.doubts.is_empty() {
        let (file, fen) = (shown(file), reading.setup.to_string());
        let doubts = reading.doubts.iter().map(doubt).collect::<String>();
        print_error(|| tr!("{file}: read as {fen}, with doubts:{doubts}", file, fen, doubts));
    }
}

fn letter(piece: Option<Piece>) -> char {
    piece.map_or('.', Piece::letter)
}

/// The end of a line, for a point that may be something else.
fn doubt(doubt: &Doubt) -> String {
    let percent = |chance: f32| (chance * 100.0).round() as u32;
    let (read, other) = (letter(doubt.read), letter(doubt.other));
    format!(" ? {} {read} {}% {other} {}%", doubt.square, percent(doubt.chances[0]), percent(doubt.chances[1]))
}

fn json(file: &Path, reading: &Result<Reading, FileError<PictureError>>) -> Value {
    let file = file.display().to_string();
    let reading = match reading {
        Ok(reading) => reading,
        Err(error) => {
            let mut value = json!({"file": file, "error": Language::ENGLISH.with(|| reason(&error.source))});
            if let PictureError::NoBoard(Some(corners)) = &error.source {
                value["proposed"] = json!(corners);
            }
            return value;
        }
    };
    let mut value = json!(PictureReport::of(reading));
    value["file"] = json!(file);
    value["unusual"] = json!(reading.unusual.iter().map(picture::unusual_text).collect::<Vec<_>>());
    value
}
