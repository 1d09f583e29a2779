//! `chuhe convert`: games from one format into another.

use crate::files::{At, FileError, write_whole};
use crate::language::Language;
use crate::record::{Encoding, Fault, Game, Notation, Source, SourceError, fen_list, pgn, ubb, xqf};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe convert game.xqf --to pgn                           on the screen
  chuhe convert *.xqf old.pgn --to pgn --out all.pgn        many files into one
  chuhe convert library.cbl --to xqf --out games/           one file for each game
  chuhe convert game.pgn --to pgn --notation Chinese --encoding gbk --out game-gbk.pgn
  chuhe convert - --to ubb < pasted.txt

What a file is, its content says: PGN in any notation, script and encoding; XQF of versions 10 to 18; DhtmlXQ text
(UBB); lists of FENs with moves; WXF files and PlayOK's; CBR, CBL and CBF of 象棋桥; moves pasted as text.
What is wrong in a file is said with its line or byte, and what is sound up to there is converted; then the exit code
is 1. Files that are there already are left alone, unless --force says otherwise.";

/// What `chuhe convert` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// The files to read; - is standard input
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum, ignore_case = true, value_name = "FORMAT")]
    to: Target,
    /// Where to write: a file, or a folder that is there or ends with a slash [default: standard output]
    #[arg(long, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,
    /// How moves of PGN are written: ICCS, UCI, WXF or Chinese
    #[arg(long, default_value = "Chinese")]
    notation: Notation,
    /// How characters of text are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8")]
    encoding: Encoding,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

/// A format that can be written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Portable game notation
    Pgn,
    /// XQStudio's, version 10
    Xqf,
    /// DhtmlXQ text, for forums
    Ubb,
    /// A line for each game: where it begins and its moves, without variations
    Fen,
}

impl Target {
    fn extension(self) -> &'static str {
        match self {
            Target::Pgn => "pgn",
            Target::Xqf => "xqf",
            Target::Ubb => "ubb",
            Target::Fen => "fen",
        }
    }
}

/// Why `chuhe convert` gave up.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// A file cannot be read, or holds no game.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A game has no place in the format.
    #[error("{}, game {game}: {what}", file.display())]
    Unwritable {
        /// The file it comes from.
        file: PathBuf,
        /// Its number there.
        game: usize,
        /// Why.
        what: String,
    },
    /// A file of XQF holds one game.
    #[error(
        "there are {0} games and a file of XQF holds one: name a folder with --out, with a slash at its end"
    )]
    TooMany(usize),
    /// Nobody wants to see such bytes.
    #[error("XQF is nothing for a terminal: name a file with --out")]
    Terminal,
    /// There is something already.
    #[error("{} is there already: --force writes over it, or take another name", .0.display())]
    Exists(PathBuf),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// The answer could not be written.
    #[error("cannot write the games: {0}")]
    Output(#[from] io::Error),
}

/// A game in its new form, and the file it came from.
struct Converted {
    file: PathBuf,
    bytes: Vec<u8>,
}

/// Converts; tells with the exit code whether something was lost.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<ExitCode, ConvertError> {
    let mut converted = Vec::new();
    let mut lost = false;
    for file in &args.files {
        let source = open(file)?;
        let mut count = 0;
        for (index, reading) in source.games().enumerate() {
            count += 1;
            match reading {
                Ok(reading) => {
                    lost |= !reading.faults.is_empty();
                    reading.faults.iter().for_each(|fault| warn(file, fault));
                    let bytes = args.write(&reading.game).map_err(|what| ConvertError::Unwritable {
                        file: file.clone(),
                        game: index + 1,
                        what,
                    })?;
                    converted.push(Converted { file: file.clone(), bytes });
                }
                Err(fault) => {
                    lost = true;
                    warn(file, &fault);
                }
            }
        }
        if count == 0 {
            return Err(SourceError::NoGame(file.clone()).into());
        }
    }
    if converted.is_empty() {
        // What is wrong has been said.
        return Ok(ExitCode::from(2));
    }
    args.put(&converted, out)?;
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn open(file: &Path) -> Result<Source, ConvertError> {
    if file != Path::new("-") {
        return Ok(Source::open(file)?);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(Source::new(bytes))
}

fn warn(file: &Path, fault: &Fault) {
    eprintln!("chuhe: {}: {}", file.display(), Language::of_reader().say(&fault.to_string()));
}

impl ConvertArgs {
    /// The bytes of a game.
    fn write(&self, game: &Game) -> Result<Vec<u8>, String> {
        let text = match self.to {
            Target::Xqf => return xqf::write(game).map_err(|error| error.to_string()),
            Target::Pgn => pgn::write(game, self.notation),
            Target::Ubb => ubb::write(game).map_err(|error| error.to_string())?,
            Target::Fen => fen_list::write(game),
        };
        Ok(self.encoding.encode(&text).into_owned())
    }

    /// Puts the games where they are wanted.
    fn put(&self, games: &[Converted], out: &mut dyn Write) -> Result<(), ConvertError> {
        match &self.out {
            Some(folder) if is_folder(folder) => self.put_into(folder, games),
            _ if self.to == Target::Xqf && games.len() > 1 => Err(ConvertError::TooMany(games.len())),
            Some(file) => {
                self.put_file(file, &games.iter().flat_map(|game| game.bytes.clone()).collect::<Vec<_>>())
            }
            None if self.to == Target::Xqf && io::stdout().is_terminal() => Err(ConvertError::Terminal),
            None => {
                games.iter().try_for_each(|game| out.write_all(&game.bytes))?;
                Ok(out.flush()?)
            }
        }
    }

    /// A file for each file of text, and for each game of XQF.
    fn put_into(&self, folder: &Path, games: &[Converted]) -> Result<(), ConvertError> {
        std::fs::create_dir_all(folder).at(folder)?;
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for (index, game) in games.iter().enumerate() {
            let stem = game.file.file_stem().filter(|_| game.file != Path::new("-"));
            let stem = stem.map_or("games".into(), |stem| stem.to_string_lossy().into_owned());
            let of_file = |other: &&Converted| other.file == game.file;
            let many = games.iter().filter(of_file).nth(1).is_some();
            let name = match self.to {
                Target::Xqf if many => {
                    let number = games[..=index].iter().filter(of_file).count();
                    format!("{stem}-{number:03}.xqf")
                }
                _ => format!("{stem}.{}", self.to.extension()),
            };
            let path = folder.join(name);
            match files.last_mut() {
                Some((last, bytes)) if *last == path && games[index - 1].file == game.file => {
                    bytes.extend(&game.bytes);
                }
                _ => files.push((path, game.bytes.clone())),
            }
        }
        // Two files of one name, from different folders, would be one.
        let mut names: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ConvertError::Exists(twice[0].clone()));
        }
        files.iter().try_for_each(|(path, bytes)| self.put_file(path, bytes))
    }

    fn put_file(&self, file: &Path, bytes: &[u8]) -> Result<(), ConvertError> {
        if !self.force && file.exists() {
            return Err(ConvertError::Exists(file.to_path_buf()));
        }
        Ok(write_whole(file, bytes).at(file)?)
    }
}

/// Whether a path means a folder: one that is there, or one with a slash at its end.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}
