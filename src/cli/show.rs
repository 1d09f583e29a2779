//! `chuhe show`: draws a position, on the terminal or into a file.

use super::error::{CliError, cli_error};
use super::output::{self, OverwriteArgs};
use super::position_args::PositionArgs;
use super::values::{choice, number_in};
use crate::protocol::terminal::colour_mode;
use chuhe_support::files::{OverwritePolicy, is_stdio};
use chuhe_support::language::{Message, excerpt};
use chuhe_support::terminal;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use xiangqi::{Move, Position, Square};
use xiangqi_draw::{ArrowKind, BoardColours, BoardPicture, BoardStyle, Coordinates, PieceSet, TerminalBoard};
use xiangqi_record::notation;

const EXAMPLES: &str = "\
Examples:
  chuhe show                                      the start position, on the terminal
  chuhe show 'startpos moves h2e2 h9g7'           after these moves
  chuhe show 'startpos moves h2e2 h9g7' --ply 1   after the first of them
  chuhe show game.pgn --ply 30                    a game after 15 moves of each side
  chuhe show FEN --svg board.svg --arrow b0c2     as a picture, with an arrow
  chuhe show FEN --png board.png --width 800 --flip
";

/// The first bytes of an SVG file drawn by this command.
const SVG_MARKER: &str = "<!-- drawn by Chuhe -->\n";
/// A chunk near the beginning of a PNG file drawn by this command.
const PNG_MARKER: &[u8] = b"tEXtSoftware\0Chuhe";

/// Arguments of `chuhe show`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Write a picture as SVG (`-`: to standard output)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a picture as PNG (`-`: to standard output)
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// How many points wide the PNG is
    #[arg(long, value_name = "POINTS", default_value_t = 984, value_parser = number_in::<u32>(16..=8192))]
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
    /// The set of pieces of a picture
    #[arg(long, value_name = "SET", default_value = "wood", value_parser = choice(PieceSet::ALL, PieceSet::name))]
    pieces: PieceSet,
    /// The board of a picture
    #[arg(long, value_name = "BOARD", default_value = "wood", value_parser = choice(BoardColours::ALL, BoardColours::name))]
    board: BoardColours,
    /// The coordinates of a picture
    #[arg(long, value_name = "SYSTEM", default_value = "chinese", value_parser = choice(Coordinates::ALL, Coordinates::name))]
    coordinates: Coordinates,
    /// Draw black's pieces as octagons, which differ from red's by their shape as well
    #[arg(long)]
    octagons: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Draws a position.
pub fn run(args: &ShowArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, CliError> {
    let files = [&args.svg, &args.png].map(|path| path.as_deref());
    output::check_single_stdout(files)?;
    let is_piped = files.into_iter().flatten().any(is_stdio);
    if is_terminal && files[1].is_some_and(is_stdio) {
        return Err(cli_error!("PNG is nothing for a terminal: name a file with --png"));
    }
    let (position, is_whole) = args.position.position_and_completeness()?;
    let last = position.last_move();
    let arrows: Result<Vec<_>, _> = args.arrow.iter().map(|text| arrow(&position, text)).collect();
    let no_square = |text: &String| cli_error!("--mark {text}: expected a square, a0 to i9", text = excerpt(text, 16));
    let marked = args.mark.iter().map(|text| text.parse::<Square>().map_err(|_| no_square(text)));
    let picture = BoardPicture {
        last,
        arrows: arrows?,
        marked: marked.collect::<Result<_, _>>()?,
        flipped: args.flip,
        style: BoardStyle {
            pieces: args.pieces,
            board: args.board,
            coordinates: args.coordinates,
            octagons: args.octagons,
        },
        ..BoardPicture::new(&position)
    };
    let svg = || format!("{SVG_MARKER}{}\n", picture.svg()).into_bytes();
    let png = || picture.png(args.width);
    let kinds: [(&dyn Fn() -> Vec<u8>, OverwritePolicy); 2] =
        [(&svg, OverwritePolicy::IfMarked(SVG_MARKER.as_bytes())), (&png, OverwritePolicy::IfMarked(PNG_MARKER))];
    for (path, (bytes, over)) in files.into_iter().zip(kinds) {
        let Some(path) = path else { continue };
        let written = output::write_file(path, over.or_force(args.over.force), &bytes(), out)?;
        if !is_piped {
            out.write_all(written.as_bytes())?;
        }
    }
    if files == [None, None] {
        let board = TerminalBoard {
            last,
            flipped: args.flip,
            colours: colour_mode(is_terminal),
            width: terminal::terminal_width(is_terminal),
            ..TerminalBoard::new(&position)
        };
        for line in board.lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out, "{}", position.fen())?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// An arrow between any two squares from a piece, or a legal move in any notation.
fn arrow(position: &Position, text: &str) -> Result<(Move, ArrowKind), CliError> {
    let mv = text
        .parse()
        .or_else(|_| notation::parse(position, text))
        .map_err(|error| cli_error!("--arrow: {reason}", reason = Message::from_value(error)))?;
    Ok((mv, ArrowKind::Best))
}
