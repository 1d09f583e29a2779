//! The files that `chuhe mates check` writes: a page, and games with the defences as variations.

use crate::cli::exercise_error::ExerciseError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::worded;
use chuhe_study::composition::{self, CheckReport};
use chuhe_support::files::{At, OutputError, OverwritePolicy, is_stdio, is_stream, make_folder};
use chuhe_support::language::{print_error, sanitize, tr};
use chuhe_support::messages::Localize;
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat};

/// The arguments that name the files.
#[derive(Args, Debug, Clone)]
pub struct OutputArgs {
    /// Write a page with a board, in Chinese and English
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Write the solutions with all defences as variations
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// The same as XQF files in this folder, one for each problem
    #[arg(long, value_name = "FOLDER")]
    xqf: Option<PathBuf>,
    /// How the characters of the PGN file are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    encoding: Encoding,
    #[command(flatten)]
    pub(super) over: OverwriteArgs,
}

impl OutputArgs {
    pub fn any(&self) -> bool {
        [&self.html, &self.pgn, &self.xqf].into_iter().any(Option::is_some)
    }

    /// Whether one of them is standard output.
    pub fn uses_stdout(&self) -> bool {
        [&self.html, &self.pgn].into_iter().flatten().any(|path| is_stdio(path))
    }

    /// Fails before the checks if a file cannot be written.
    pub fn check_paths(&self, problems: usize) -> Result<(), OutputError> {
        for (path, policy) in [(&self.html, self.page_policy()), (&self.pgn, self.game_policy())] {
            path.as_deref().filter(|path| !is_stdio(path)).map_or(Ok(()), |path| policy.check(path))?;
        }
        if let Some(folder) = self.xqf.as_deref().filter(|folder| folder.exists()) {
            (1..=problems).try_for_each(|number| self.game_policy().check(&xqf_path(folder, number)))?;
        }
        Ok(())
    }

    fn page_policy(&self) -> OverwritePolicy {
        OverwritePolicy::IfMarked(composition::PAGE_MARK.as_bytes()).or_force(self.over.force)
    }

    /// A file of games may hold games of others.
    fn game_policy(&self) -> OverwritePolicy {
        OverwritePolicy::Never.or_force(self.over.force)
    }

    /// Writes the files that were asked for, and returns their names.
    pub fn write(
        &self,
        reports: &[CheckReport],
        notation: Notation,
        out: &mut dyn Write,
    ) -> Result<Vec<PathBuf>, ExerciseError> {
        let mut written = Vec::new();
        if let Some(path) = &self.html {
            let page = composition::page(reports);
            put(path, self.page_policy(), page.as_bytes(), &mut written, out)?;
        }
        let game_of = |report: &CheckReport| Some((report.number, composition::annotated_game(report, notation)?));
        let games: Vec<(usize, Game)> = reports.iter().filter_map(game_of).collect();
        if let Some(path) = &self.pgn {
            let mut bytes = Vec::new();
            for (_, game) in &games {
                bytes.extend(OutputFormat::Pgn.write(game, notation, self.encoding)?);
            }
            put(path, self.game_policy(), &bytes, &mut written, out)?;
        }
        if let Some(folder) = &self.xqf {
            make_folder(folder).at(folder).map_err(OutputError::from)?;
            for (number, game) in &games {
                let path = xqf_path(folder, *number);
                match OutputFormat::Xqf.write(game, notation, self.encoding) {
                    Ok(bytes) => put(&path, self.game_policy(), &bytes, &mut written, out)?,
                    // The board of XQF has no room for more pieces than a game begins with.
                    Err(error) => print_error(|| format!("{}: {}", path.display(), error.localized())),
                }
            }
        }
        Ok(written)
    }
}

/// Prints the names of the written files.
pub fn print_names(written: &[PathBuf], out: &mut dyn Write) -> io::Result<()> {
    for path in written {
        let path = path.display().to_string();
        writeln!(out, "{}", tr!("written: {path}", path = sanitize(&path)))?;
    }
    Ok(())
}

/// The XQF file of a problem.
fn xqf_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("problem-{number:03}.xqf"))
}

/// Writes one file, or to standard output.
fn put(
    path: &Path,
    policy: OverwritePolicy,
    bytes: &[u8],
    written: &mut Vec<PathBuf>,
    out: &mut dyn Write,
) -> Result<(), ExerciseError> {
    if is_stdio(path) {
        out.write_all(bytes)?;
        return Ok(());
    }
    policy.write(path, bytes)?;
    if !is_stream(path) {
        written.push(path.to_path_buf());
    }
    Ok(())
}
