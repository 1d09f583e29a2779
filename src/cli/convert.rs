//! `chuhe convert`: converts games from one format into another.

use super::output::OverwriteArgs;
use super::position_args::{self, FaultPrinter};
use super::values::keyword;
use chuhe_engine::files::{At, OutputError, OverwritePolicy, is_stdio, make_folder, shown};
use chuhe_engine::language::{print_error, reason, tr};
use chuhe_toolkit::record::{Encoding, Game, Notation, OutputFormatError, PieceCountError, RecordFileError, Target};
use clap::Args;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe convert game.xqf --to pgn                           on the screen
  chuhe convert *.xqf old.pgn --to pgn --out all.pgn        many files into one
  chuhe convert old.cbr --out new.xqf                       the name tells the format
  chuhe convert library.cbl --to xqf --out games/           one file for each game
  chuhe convert game.pgn --to pgn --notation Chinese --encoding gbk --out game-gbk.pgn
  chuhe convert - --to ubb < pasted.txt

What a file is, its content says: PGN in any notation, script and encoding; XQF of versions 10 to 18; DhtmlXQ text
(UBB); lists of FENs with moves; WXF files and PlayOK's; CBR, CBL and CBF of 象棋桥; moves pasted as text.
What is wrong in a file is said with its line or byte, and what is sound up to there is converted; then the exit code
is 1.";

/// What `chuhe convert` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// The files to read; - is standard input
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// The format to write [default: as the name of the file says that --out names]
    #[arg(long, ignore_case = true, value_name = "FORMAT", value_parser = keyword::<Target>(&["pgn", "xqf", "ubb", "fen"]))]
    to: Option<Target>,
    /// Where to write: a file, a folder that is there or ends with a slash, or - [default: standard output]
    #[arg(long, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,
    /// How moves of PGN are written: ICCS, UCI, WXF or Chinese
    #[arg(long, default_value = "Chinese")]
    notation: Notation,
    /// How characters of text are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8")]
    encoding: Encoding,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// An error of `chuhe convert`.
#[derive(Debug, Error)]
pub enum ConvertError {
    #[error(transparent)]
    Source(#[from] RecordFileError),
    #[error("{}", tr!("{file}, game {game}: {source}", file = file.display(), game, source))]
    NotRepresentable { file: PathBuf, game: usize, source: PieceCountError },
    #[error("{}", tr!("there are {count} games and a file of XQF holds one: name a folder with --out, with a slash at its end", count = _0))]
    TooMany(usize),
    #[error("{}", tr!("XQF is nothing for a terminal: name a file with --out"))]
    Terminal,
    #[error("{}", tr!("in which format? --to says it (pgn, xqf, ubb or fen), or the name of a file with --out"))]
    NoFormat,
    #[error(transparent)]
    Format(#[from] OutputFormatError),
    #[error("{}", tr!("{path}: games of two files would be written there", path = _0.display()))]
    NameCollision(PathBuf),
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("{}", tr!("cannot write the games: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// A converted game, and the file it came from.
struct ConvertedGame {
    file: PathBuf,
    bytes: Vec<u8>,
}

/// Converts; the exit code says whether something was lost.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<ExitCode, ConvertError> {
    let target = args.output_format()?;
    let mut converted = Vec::new();
    let mut lost = false;
    for file in &args.files {
        let source = position_args::open(file)?;
        let (mut count, mut faults) = (0, FaultPrinter::of(file));
        for (index, reading) in source.games().enumerate() {
            count += 1;
            match reading {
                Ok(reading) => {
                    reading.errors.iter().for_each(|fault| faults.print(fault));
                    let bytes = target.write(&reading.game, args.notation, args.encoding);
                    let bytes = bytes.map_err(|source| ConvertError::NotRepresentable {
                        file: file.clone(),
                        game: index + 1,
                        source,
                    })?;
                    lost |= warn_truncated_tags(target, &reading.game, file, index + 1);
                    converted.push(ConvertedGame { file: file.clone(), bytes });
                }
                Err(fault) => faults.print(&fault),
            }
        }
        lost |= faults.is_empty();
        if count == 0 {
            return Err(RecordFileError::NoGame(file.clone()).into());
        }
    }
    if converted.is_empty() {
        // The errors have been printed already.
        return Ok(ExitCode::from(2));
    }
    args.write_output(target, &converted, out)?;
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Warns about the tags of a game that are too long for the format; true if there are any.
fn warn_truncated_tags(target: Target, game: &Game, file: &Path, number: usize) -> bool {
    let cut = target.truncated_tags(game);
    if !cut.is_empty() {
        let (file, tags) = (shown(file), cut.join(", "));
        print_error(|| tr!("{file}: game {number}: XQF has no room for all of {tags}", file, number, tags));
    }
    !cut.is_empty()
}

impl ConvertArgs {
    /// The requested format, or the one that the file name implies.
    fn output_format(&self) -> Result<Target, ConvertError> {
        let file = self.out.as_deref().filter(|out| !is_stdio(out) && !is_folder(out));
        match (self.to, file) {
            (Some(to), _) => Ok(to),
            (None, Some(file)) => Target::from_path(file)?.ok_or(ConvertError::NoFormat),
            (None, None) => Err(ConvertError::NoFormat),
        }
    }

    /// Writes the games to the requested place.
    fn write_output(&self, target: Target, games: &[ConvertedGame], out: &mut dyn Write) -> Result<(), ConvertError> {
        match self.out.as_deref().filter(|path| !is_stdio(path)) {
            Some(folder) if is_folder(folder) => self.write_into_folder(folder, target, games),
            _ if target == Target::Xqf && games.len() > 1 => Err(ConvertError::TooMany(games.len())),
            Some(file) => self.write_file(file, &games.iter().flat_map(|game| game.bytes.clone()).collect::<Vec<_>>()),
            None if target == Target::Xqf && io::stdout().is_terminal() => Err(ConvertError::Terminal),
            None => {
                games.iter().try_for_each(|game| out.write_all(&game.bytes))?;
                Ok(out.flush()?)
            }
        }
    }

    /// Writes one file for each input file, or for each game in XQF.
    fn write_into_folder(&self, folder: &Path, target: Target, games: &[ConvertedGame]) -> Result<(), ConvertError> {
        make_folder(folder).at(folder).map_err(OutputError::from)?;
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for (index, game) in games.iter().enumerate() {
            let stem = game.file.file_stem().filter(|_| !is_stdio(&game.file));
            let stem = stem.map_or("games".into(), |stem| stem.to_string_lossy().into_owned());
            let of_file = |other: &&ConvertedGame| other.file == game.file;
            let many = games.iter().filter(of_file).nth(1).is_some();
            let name = match target {
                Target::Xqf if many => {
                    let number = games[..=index].iter().filter(of_file).count();
                    format!("{stem}-{number:03}.xqf")
                }
                _ => format!("{stem}.{}", target.extension()),
            };
            let path = folder.join(name);
            match files.last_mut() {
                Some((last, bytes)) if *last == path && games[index - 1].file == game.file => {
                    bytes.extend(&game.bytes);
                }
                _ => files.push((path, game.bytes.clone())),
            }
        }
        // Two input files of the same name in different folders would collide.
        let mut names: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ConvertError::NameCollision(twice[0].clone()));
        }
        files.iter().try_for_each(|(path, bytes)| self.write_file(path, bytes))
    }

    fn write_file(&self, file: &Path, bytes: &[u8]) -> Result<(), ConvertError> {
        Ok(OverwritePolicy::Never.or_force(self.over.force).write(file, bytes)?)
    }
}

/// Whether a path means a folder: an existing one, or one with a trailing slash.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}
