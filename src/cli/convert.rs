//! `chuhe convert`: converts games from one format into another.

use super::error::{CliError, cli_error, file_name};
use super::games::GameSelection;
use super::output::OverwriteArgs;
use super::position_args::{self, FaultPrinter};
use super::values::{keyword, worded};
use chuhe_study::game::game_record::{tag_name, tag_names};
use chuhe_support::files::{At, OverwritePolicy, is_stdio, make_folder, shown};
use chuhe_support::language::{Message, print_error, tr};
use clap::Args;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi_record::{Encoding, Game, Notation, OutputFormat};

const EXAMPLES: &str = "\
Examples:
  chuhe convert game.xqf --to pgn                           on the screen
  chuhe convert *.xqf old.pgn --to pgn --out all.pgn        many files into one
  chuhe convert old.cbr --out new.xqf                       the format by the file name
  chuhe convert library.cbl --to xqf --out games/           one file for each game
  chuhe convert game.pgn --to pgn --notation Chinese --encoding gbk --out game-gbk.pgn
  chuhe convert - --to ubb < pasted.txt

What a file is, its content says: PGN in any notation, script and encoding; XQF of versions 10 to 18; DhtmlXQ text
(UBB); lists of FENs with moves; WXF files and PlayOK's; CBR, CBL and CBF of 象棋桥; moves pasted as text.
Errors in a file are reported with their line or byte, and what is sound before them is converted; then the exit code
is 1.";

/// Arguments of `chuhe convert`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// The files to read; - is standard input
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// Only these games of each file: 1 is the first, -1 the last, 3..8 are six
    #[arg(long = "game", value_name = "N|N..M|all", default_value = "all", hide_default_value = true)]
    games: GameSelection,
    /// The format to write [default: as the name of the file says that --out names]
    #[arg(long, ignore_case = true, value_name = "FORMAT", value_parser = keyword::<OutputFormat>(&["pgn", "xqf", "ubb", "fen"]))]
    to: Option<OutputFormat>,
    /// Where to write: a file, a folder that is there or ends with a slash, or - [default: standard output]
    #[arg(long, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,
    /// How moves of PGN are written: ICCS, UCI, WXF, Chinese or Vietnamese
    #[arg(long, default_value = "Chinese", value_parser = worded::<Notation>)]
    notation: Notation,
    /// How characters of text are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    encoding: Encoding,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// What has been converted of a file: all of its games, or of those in XQF one.
struct ConvertedGame {
    file: PathBuf,
    bytes: Vec<u8>,
}

/// Converts; the exit code says whether something was lost.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let target = args.output_format()?;
    // Text for standard output is written as it is read: there may be any number of games.
    let is_streamed = args.out.as_deref().is_none_or(is_stdio) && target != OutputFormat::Xqf;
    let mut reader = GameConverter {
        args,
        target,
        stream: if is_streamed { Some(&mut *out) } else { None },
        converted: 0,
        games: Vec::new(),
        lost: false,
        dropped: BTreeMap::new(),
        bare: 0,
    };
    for file in &args.files {
        // Into a folder each file is converted by itself: one that fails is reported, and the others continue.
        match reader.convert_file(file) {
            Err(error) if args.has_folder() => reader.report(&error),
            outcome => outcome?,
        }
    }
    let GameConverter { games, converted, mut lost, dropped, bare, .. } = reader;
    if converted == 0 {
        // The errors have been printed already.
        return Ok(ExitCode::from(2));
    }
    if is_streamed {
        out.flush()?;
    } else {
        match args.write_output(target, &games, out)? {
            (_, 0) => {}
            (0, _) => return Ok(ExitCode::from(2)),
            _ => lost = true,
        }
    }
    if bare > 0 {
        print_error(|| {
            tr!(
                "FEN holds positions and moves alone: tags, comments and variations are left out of {count} games",
                count = bare
            )
        });
    }
    if !dropped.is_empty() {
        let tags =
            dropped.iter().map(|(tag, count)| format!("{} ({count})", tag_name(tag))).collect::<Vec<_>>().join(", ");
        let format = target.extension().to_uppercase();
        print_error(|| tr!("{format} has no place for these tags, which are left out: {tags}", format, tags));
    }
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Reads files and converts their games.
struct GameConverter<'a> {
    args: &'a ConvertArgs,
    target: OutputFormat,
    /// Where games are written at once, instead of being kept.
    stream: Option<&'a mut dyn Write>,
    /// The number of converted games.
    converted: usize,
    games: Vec<ConvertedGame>,
    /// Something was lost.
    lost: bool,
    /// The tags without a place in the format, and in how many games each was found.
    dropped: BTreeMap<String, usize>,
    /// The games of which a FEN holds the moves alone.
    bare: usize,
}

impl GameConverter<'_> {
    fn convert_file(&mut self, file: &Path) -> Result<(), CliError> {
        let source = position_args::open(file)?;
        let mut faults = FaultPrinter::of(file);
        for (number, reading) in self.args.games.games_of(&source, file)? {
            let Some(game) = faults.game(reading) else { continue };
            let bytes = self.target.write(&game, self.args.notation, self.args.encoding);
            let bytes = bytes.map_err(|source| {
                let (file, source) = (file.display().to_string(), Message::from_value(source));
                cli_error!("{file}, game {game}: {source}", file, game = number, source)
            });
            match bytes {
                Err(error) if self.args.has_folder() => {
                    self.report(&error);
                    continue;
                }
                bytes => self.keep(file, bytes?)?,
            }
            self.bare += usize::from(self.target == OutputFormat::Fen && says_more_than_moves(&game));
            self.lost |= warn_truncated_tags(self.target, &game, file, number);
            for tag in self.target.dropped_tags(&game) {
                *self.dropped.entry(tag).or_default() += 1;
            }
        }
        self.lost |= faults.has_printed();
        Ok(())
    }

    fn keep(&mut self, file: &Path, bytes: Vec<u8>) -> Result<(), CliError> {
        self.converted += 1;
        let joins = self.target != OutputFormat::Xqf;
        match (&mut self.stream, self.games.last_mut().filter(|last| joins && last.file == file)) {
            (Some(out), _) => out.write_all(&bytes)?,
            (None, Some(last)) => last.bytes.extend(bytes),
            (None, None) => self.games.push(ConvertedGame { file: file.to_path_buf(), bytes }),
        }
        Ok(())
    }

    /// Names what cannot be converted.
    fn report(&mut self, error: &CliError) {
        self.lost = true;
        print_error(|| error.to_string());
    }
}

/// Whether a game has tags, comments or variations.
fn says_more_than_moves(game: &Game) -> bool {
    let mut nodes = game.nodes().map(|id| &game[id]);
    game.tags.iter().any(|(name, value)| name != "FEN" && !matches!(value.trim(), "" | "?" | "*"))
        || nodes.any(|node| !node.comment.is_empty() || !node.marks.is_empty() || node.children().len() > 1)
}

/// Warns about the tags of a game that are too long for the format; true if there are any.
fn warn_truncated_tags(target: OutputFormat, game: &Game, file: &Path, number: usize) -> bool {
    let cut = target.truncated_tags(game);
    if !cut.is_empty() {
        let (file, tags) = (shown(file), tag_names(&cut));
        print_error(|| tr!("{file}: game {number}: XQF cuts these tags short: {tags}", file, number, tags));
    }
    !cut.is_empty()
}

impl ConvertArgs {
    /// Whether each file goes into a folder by itself.
    fn has_folder(&self) -> bool {
        self.out.as_deref().is_some_and(|out| !is_stdio(out) && is_folder(out))
    }

    /// The requested format, or the one that the file name implies.
    fn output_format(&self) -> Result<OutputFormat, CliError> {
        let file = self.out.as_deref().filter(|out| !is_stdio(out) && !is_folder(out));
        let named = || file.map_or(Ok(None), OutputFormat::from_path);
        let format = if self.to.is_some() { self.to } else { named()? };
        format.ok_or_else(|| {
            cli_error!("in which format? --to says it (pgn, xqf, ubb or fen), or the name of a file with --out")
        })
    }

    /// Writes the games to the requested place; returns how many files were written, and how many were not, which has
    /// been said.
    fn write_output(
        &self,
        target: OutputFormat,
        games: &[ConvertedGame],
        out: &mut dyn Write,
    ) -> Result<(usize, usize), CliError> {
        match self.out.as_deref().filter(|path| !is_stdio(path)) {
            Some(folder) if is_folder(folder) => return self.write_into_folder(folder, target, games),
            _ if target == OutputFormat::Xqf && games.len() > 1 => {
                return Err(cli_error!(
                    "there are {count} games and a file of XQF holds one: name a folder with --out, with a slash at its end",
                    count = games.len()
                ));
            }
            Some(file) => match games {
                [one] => self.write_file(file, &one.bytes)?,
                _ => self.write_file(file, &games.iter().map(|game| &*game.bytes).collect::<Vec<_>>().concat())?,
            },
            None if target == OutputFormat::Xqf && io::stdout().is_terminal() => {
                return Err(cli_error!("XQF is nothing for a terminal: name a file with --out"));
            }
            None => {
                games.iter().try_for_each(|game| out.write_all(&game.bytes))?;
                out.flush()?;
            }
        }
        Ok((1, 0))
    }

    /// Writes one file for each input file, or for each game in XQF. What cannot be written is named, and the others go
    /// on.
    fn write_into_folder(
        &self,
        folder: &Path,
        target: OutputFormat,
        games: &[ConvertedGame],
    ) -> Result<(usize, usize), CliError> {
        make_folder(folder).at(folder)?;
        // Each with the file that it comes from.
        let mut files: Vec<(PathBuf, &Path, Vec<u8>)> = Vec::new();
        let mut per_file: BTreeMap<&Path, usize> = BTreeMap::new();
        for game in games {
            *per_file.entry(&game.file).or_default() += 1;
        }
        let mut numbers: BTreeMap<&Path, usize> = BTreeMap::new();
        for game in games {
            let stem = game.file.file_stem().filter(|_| !is_stdio(&game.file));
            let stem = stem.map_or("games".into(), |stem| stem.to_string_lossy().into_owned());
            let number = numbers.entry(&game.file).or_default();
            *number += 1;
            let name = match target {
                OutputFormat::Xqf if per_file[game.file.as_path()] > 1 => format!("{stem}-{number:03}.xqf"),
                _ => format!("{stem}.{}", target.extension()),
            };
            let path = folder.join(name);
            match files.last_mut() {
                Some((last, file, bytes)) if *last == path && *file == game.file => bytes.extend(&game.bytes),
                _ => files.push((path, &game.file, game.bytes.clone())),
            }
        }
        let mut writers: BTreeMap<&Path, &Path> = BTreeMap::new();
        let (mut written_files, mut failures) = (0, 0);
        for (path, file, bytes) in &files {
            // Two input files of the same name in different folders would collide.
            let written = match writers.get(path.as_path()) {
                Some(first) => Err(cli_error!(
                    "{path} has the games of {first} already: convert {file} into another folder",
                    path = path.display().to_string(),
                    first = file_name(first),
                    file = file_name(file)
                )),
                None => self.write_file(path, bytes),
            };
            writers.entry(path).or_insert(file);
            match written {
                Ok(()) => written_files += 1,
                Err(error) => {
                    failures += 1;
                    print_error(|| error.to_string());
                }
            }
        }
        Ok((written_files, failures))
    }

    fn write_file(&self, file: &Path, bytes: &[u8]) -> Result<(), CliError> {
        Ok(OverwritePolicy::Never.or_force(self.over.force).write(file, bytes)?)
    }
}

/// Whether a path means a folder: an existing one, or one with a trailing slash.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}
