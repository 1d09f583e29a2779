//! Position and game arguments shared by the subcommands: a position with moves, or a game of a file in any format.

use super::error::{CliError, cli_error};
use super::games::GameSelection;
use chuhe_study::picture;
use chuhe_study::reader::chosen_notation;
use chuhe_support::files::{At, MAX_INPUT_SIZE, is_stdio, read_input, shown};
use chuhe_support::language::{excerpt, print_error, tr};
use chuhe_support::messages::{Localize, Localized};
use clap::Args;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use xiangqi::{Color, Position};
use xiangqi_picture::Options;
use xiangqi_record::{
    Game, GameCursor, ParsedGame, PositionSpec, RankBase, RecordError, RecordFile, RecordFormat, intended_move,
    notation,
};

/// What an argument names.
pub enum InputSpec {
    /// A position, and the moves after it.
    Position(PositionSpec),
    /// A file, or standard input (`-`).
    File(PathBuf),
}

/// What the system says of a file or folder that cannot be read.
pub fn cannot_read(path: &Path, error: io::Error) -> CliError {
    cli_error!("cannot read {path}: {source}", path = path.display().to_string(), source = CliError::of_system(error))
}

fn side_is_known() -> CliError {
    cli_error!("--side is for pictures: positions and games say themselves who is to move")
}

/// Parses a game number: from 1, or from the end back from -1.
pub fn parse_game_number(text: &str) -> Result<i64, String> {
    match text.parse() {
        Ok(number) if number != 0 => Ok(number),
        _ => Err(tr!("expected the number of a game: 1 is the first, -1 the last")),
    }
}

/// A game from the command line.
pub struct LoadedGame {
    /// The readable part of the game.
    pub game: Game,
    /// The whole game was readable.
    pub is_complete: bool,
}

/// Distinguishes positions from files: `startpos` or a FEN, each with optional moves, or moves alone; `-`; or the name
/// of an existing file.
pub fn parse_input(text: &str) -> Result<InputSpec, CliError> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let file = || Ok(InputSpec::File(PathBuf::from(text)));
    // `P2/1` goes back in Vietnamese notation.
    let is_board = looks_like_board(first) && !intended_move::looks_like_move(first);
    let is_setup = ["", "startpos", "moves"].contains(&first.to_lowercase().as_str()) || is_board;
    let is_move = || {
        RankBase::Zero.parse_move(first).is_some()
            || intended_move::looks_like_move(first)
            || notation::parse(&Position::start(), first).is_ok()
    };
    if text == "-" || Path::new(text).exists() {
        file()
    } else if is_setup {
        Ok(InputSpec::Position(PositionSpec::parse(text)))
    } else if is_move() {
        Ok(InputSpec::Position(PositionSpec::default().with_moves(text)))
    } else if first == text && text.contains('.') {
        // A word like a file name gives the error that no such file exists.
        file()
    } else {
        Err(cli_error!("'{text}' is neither a file nor a FEN", text = excerpt(text, 60)))
    }
}

/// Whether a word looks like the board field of a FEN: pieces, digits and slashes.
fn looks_like_board(word: &str) -> bool {
    word.contains('/') && word.chars().all(|letter| letter.is_ascii_digit() || "/RNBAKCPHEGrnbakcpheg".contains(letter))
}

impl InputSpec {
    /// The game of this number in a file, or the one given as a position. That a file has more games than the first one,
    /// which is taken without a number, is said.
    pub fn game(self, number: Option<i64>) -> Result<LoadedGame, CliError> {
        match self {
            InputSpec::File(file) => only_game(&open(&file)?, &file, number),
            InputSpec::Position(setup) => {
                let start = setup.start_position(false)?;
                let moves = setup.play_moves(&mut start.clone(), chosen_notation())?;
                Ok(LoadedGame { game: Game::from_moves(&start, moves)?, is_complete: true })
            }
        }
    }
}

fn only_game(source: &RecordFile, file: &Path, number: Option<i64>) -> Result<LoadedGame, CliError> {
    if number.is_none() && has_several_games(source) {
        let file = shown(file);
        print_error(|| tr!("{file} has several games, and this is about the first: --game N takes another", file));
    }
    game_of_file(source, file, number.unwrap_or(1))
}

/// The games of a file, or of standard input.
pub fn open(file: &Path) -> Result<RecordFile, CliError> {
    let take_red = || {
        let file = shown(file);
        print_error(|| tr!("{file}: pictures do not tell who is to move: red is taken", file));
        Color::Red
    };
    Ok(open_with(file, &take_red)?.0)
}

/// The same, and whether it is a picture; `side` says who is to move there.
fn open_with(file: &Path, side: &dyn Fn() -> Color) -> Result<(RecordFile, bool), CliError> {
    if file.is_dir() {
        return Err(cli_error!("{path} is a folder: name a file of games in it", path = file.display().to_string()));
    }
    // Text without a game at its beginning has none.
    let has_game = |head: &[u8]| {
        let record = RecordFile::read(head);
        picture::is_picture(head)
            || record.format() != RecordFormat::Text
            || record.games().next().is_some_and(|game| game.is_ok())
    };
    let bytes = read_input(file, MAX_INPUT_SIZE, has_game).at(file)?;
    if !picture::is_picture(&bytes) {
        return Ok((RecordFile::read(bytes), false));
    }
    // A picture is a game that begins with its position.
    let mut reading = picture::read_bytes(&bytes, &Options::default()).at(file)?;
    reading.setup.side = side();
    super::picture::print_notes(file, &reading);
    super::picture::print_doubts(file, &reading);
    Ok((RecordFile::read(format!("[FEN \"{}\"]\n\n*\n", reading.setup).into_bytes()), true))
}

/// Whether a file has more than one game; no more than two are read.
pub fn has_several_games(source: &RecordFile) -> bool {
    source.games().nth(1).is_some()
}

/// The game of this number in a file, from 1, or from -1 backwards from the end; its faults are printed.
pub fn game_of_file(source: &RecordFile, file: &Path, number: i64) -> Result<LoadedGame, CliError> {
    let reading = source.game(number).map_err(Localized).at(file)?;
    Ok(LoadedGame { is_complete: reading.errors.is_empty(), game: game_with_warnings(file, reading) })
}

/// The most faults of a file that are printed one by one.
const MAX_REPORTED_FAULTS: usize = 100;

/// Prints the faults of a file on standard error, and finally how many more there are.
pub struct FaultPrinter {
    file: PathBuf,
    count: usize,
}

impl FaultPrinter {
    pub fn of(file: &Path) -> FaultPrinter {
        FaultPrinter { file: file.to_path_buf(), count: 0 }
    }

    pub fn print(&mut self, fault: &RecordError) {
        self.print_text(&fault.localized());
    }

    pub fn print_text(&mut self, fault: &dyn Display) {
        self.count += 1;
        if self.count <= MAX_REPORTED_FAULTS {
            print_error(|| tr!("{file}: {fault}", file = shown(&self.file), fault));
        }
    }

    /// What can be read of a game; its faults are printed.
    pub fn game(&mut self, reading: Result<ParsedGame, RecordError>) -> Option<Game> {
        let (game, faults) = match reading {
            Ok(parsed) => (Some(parsed.game), parsed.errors),
            Err(fault) => (None, vec![fault]),
        };
        faults.iter().for_each(|fault| self.print(fault));
        game
    }

    /// Whether there were faults.
    pub fn has_printed(&self) -> bool {
        self.count > 0
    }
}

impl Drop for FaultPrinter {
    fn drop(&mut self) {
        if self.count > MAX_REPORTED_FAULTS {
            let (file, count) = (shown(&self.file), self.count - MAX_REPORTED_FAULTS);
            print_error(|| tr!("{file}: {count} more faults", file, count));
        }
    }
}

/// The readable part of a game; its faults are printed on standard error.
pub fn game_with_warnings(file: &Path, reading: ParsedGame) -> Game {
    let mut faults = FaultPrinter::of(file);
    reading.errors.iter().for_each(|fault| faults.print(fault));
    reading.game
}

/// A position on the command line.
#[derive(Args, Debug, Clone)]
pub struct PositionArgs {
    /// A FEN or `startpos`, each also with `moves m1 m2 …` behind it; moves alone, from the start position; or a file of
    /// games, `-` being standard input [default: startpos]
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// The same position, as an option
    #[arg(long, value_name = "POSITION", conflicts_with = "words")]
    fen: Option<String>,
    /// Moves that were played from there
    #[arg(long, value_name = "\"M1 M2 …\"")]
    moves: Option<String>,
    /// Which games of a file, where the command is about several: 1 is the first, -1 the last, 3..8 are six, or all
    #[arg(long = "game", value_name = "N|N..M|all")]
    number: Option<GameSelection>,
    /// The position after N plies, 0 being the beginning [default: the last one]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// The side to move of a picture, which does not tell it: red or black [default: red]
    #[arg(long, value_name = "SIDE", value_parser = super::values::parse_side)]
    side: Option<Color>,
}

/// The position that an option names: a FEN, moves from the start position, or the end of the first game of a file.
pub fn parse_position(text: &str) -> Result<Position, CliError> {
    match parse_input(text)? {
        InputSpec::Position(setup) => Ok(setup.position_with(false, chosen_notation())?),
        InputSpec::File(file) => {
            let source = open(&file)?;
            if has_several_games(&source) {
                print_error(|| tr!("{file} has several games, and this is about the first", file = shown(&file)));
            }
            let game = game_of_file(&source, &file, 1)?.game;
            Ok(game.position_at(game.last()))
        }
    }
}

impl PositionArgs {
    /// The position, with its history.
    pub fn position(&self) -> Result<Position, CliError> {
        Ok(self.position_and_completeness()?.0)
    }

    /// The position, and whether its game was read completely.
    pub fn position_and_completeness(&self) -> Result<(Position, bool), CliError> {
        match self.input()? {
            InputSpec::Position(setup) => {
                let setup = setup.with_moves(self.moves.as_deref().unwrap_or_default());
                Ok((self.at_ply(setup.position_with(false, chosen_notation())?)?, true))
            }
            InputSpec::File(file) => {
                let number = self.number.map(GameSelection::single).transpose()?;
                let found = only_game(&self.open(&file)?, &file, number)?;
                Ok((self.position_in_game(&found.game)?, found.is_complete))
            }
        }
    }

    /// The files and folders, if there are several or a folder is among them.
    pub fn paths(&self) -> Option<Vec<PathBuf>> {
        let paths: Vec<PathBuf> = self.words.iter().map(PathBuf::from).collect();
        let are_paths = paths.iter().all(|path| is_stdio(path) || path.exists());
        (are_paths && (paths.len() > 1 || paths.iter().any(|path| path.is_dir()))).then_some(paths)
    }

    /// What was named: a position, or a file.
    pub fn input(&self) -> Result<InputSpec, CliError> {
        let spec = match (&self.fen, self.words.as_slice()) {
            // The argument of `--fen` gets the errors of a FEN.
            (Some(fen), _) => parse_input(fen).unwrap_or_else(|_| InputSpec::Position(PositionSpec::parse(fen))),
            (None, [word]) => parse_input(word)?,
            (None, words) => parse_input(&words.join(" "))?,
        };
        match spec {
            InputSpec::Position(_) if self.side.is_some() => Err(side_is_known()),
            spec => Ok(spec),
        }
    }

    /// The games of a file; in a picture the side is to move that was chosen.
    pub fn open(&self, file: &Path) -> Result<RecordFile, CliError> {
        let take_red = || {
            let file = shown(file);
            print_error(|| {
                tr!("{file}: pictures do not tell who is to move: red is taken, --side black takes black", file)
            });
            Color::Red
        };
        let (source, is_picture) = open_with(file, &|| self.side.unwrap_or_else(take_red))?;
        if self.side.is_some() && !is_picture { Err(side_is_known()) } else { Ok(source) }
    }

    /// Whether options choose a game, a ply, moves or a side.
    pub fn selects_position(&self) -> bool {
        self.number.is_some() || self.ply.is_some() || self.moves.is_some() || self.side.is_some()
    }

    /// The games of a file that were asked for.
    pub fn selection(&self) -> Option<GameSelection> {
        self.number
    }

    /// The position of a game that the options select.
    pub fn position_in_game(&self, game: &Game) -> Result<Position, CliError> {
        let mut cursor = GameCursor::new(game);
        if let Some(last) = game.main_line().last() {
            cursor.go_to(game, last);
        }
        let mut position = cursor.position().clone();
        let moves = PositionSpec::default().with_moves(self.moves.as_deref().unwrap_or_default());
        moves.play_moves(&mut position, chosen_notation())?;
        self.at_ply(position)
    }

    fn at_ply(&self, mut position: Position) -> Result<Position, CliError> {
        let there = position.history_len();
        if let Some(asked) = self.ply {
            if asked > there {
                return Err(cli_error!("there is no position after {asked} plies: the game has {there}", asked, there));
            }
            while position.history_len() > asked {
                position.undo();
            }
        }
        Ok(position)
    }
}
