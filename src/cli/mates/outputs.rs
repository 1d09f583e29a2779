//! The files that `chuhe mates check` writes: a page, and games with the defences as variations.

use super::MatesError;
use super::check::CheckArgs;
use chuhe_study::composition::{self, CheckReport};
use chuhe_study::review::default_notation;
use chuhe_support::files::{At, OutputError, OverwritePolicy, is_stdio, is_stream, make_folder};
use chuhe_support::language::{print_error, sanitize, tr};
use chuhe_support::messages::Localize;
use std::io::Write;
use std::path::{Path, PathBuf};
use xiangqi_record::{Game, OutputFormat};

/// Fails before the checks if a file cannot be written.
pub fn check_paths(args: &CheckArgs, problems: usize) -> Result<(), OutputError> {
    for (path, policy) in [(&args.html, page_policy(args)), (&args.pgn, game_policy(args))] {
        path.as_deref().filter(|path| !is_stdio(path)).map_or(Ok(()), |path| policy.check(path))?;
    }
    if let Some(folder) = args.xqf.as_deref().filter(|folder| folder.exists()) {
        (1..=problems).try_for_each(|number| game_policy(args).check(&xqf_path(folder, number)))?;
    }
    Ok(())
}

/// The XQF file of a problem.
fn xqf_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("problem-{number:03}.xqf"))
}

fn page_policy(args: &CheckArgs) -> OverwritePolicy {
    OverwritePolicy::IfMarked(composition::PAGE_MARK.as_bytes()).or_force(args.over.force)
}

/// A file of games may hold games of others.
fn game_policy(args: &CheckArgs) -> OverwritePolicy {
    OverwritePolicy::Never.or_force(args.over.force)
}

/// Writes the files that were asked for, and names them.
pub fn write(args: &CheckArgs, reports: &[CheckReport], out: &mut dyn Write) -> Result<(), MatesError> {
    let notation = args.notation.unwrap_or_else(default_notation);
    let mut written = Vec::new();
    if let Some(path) = &args.html {
        let page = composition::page(reports);
        put(path, page_policy(args), page.as_bytes(), &mut written, out)?;
    }
    let game_of = |report: &CheckReport| Some((report.number, composition::annotated_game(report, notation)?));
    let games: Vec<(usize, Game)> = reports.iter().filter_map(game_of).collect();
    if let Some(path) = &args.pgn {
        let mut bytes = Vec::new();
        for (_, game) in &games {
            bytes.extend(OutputFormat::Pgn.write(game, notation, args.encoding)?);
        }
        put(path, game_policy(args), &bytes, &mut written, out)?;
    }
    if let Some(folder) = &args.xqf {
        make_folder(folder).at(folder).map_err(OutputError::from)?;
        for (number, game) in &games {
            let path = xqf_path(folder, *number);
            match OutputFormat::Xqf.write(game, notation, args.encoding) {
                Ok(bytes) => put(&path, game_policy(args), &bytes, &mut written, out)?,
                // The board of XQF has no room for more pieces than a game begins with.
                Err(error) => print_error(|| format!("{}: {}", path.display(), error.localized())),
            }
        }
    }
    let has_stdout = [&args.html, &args.pgn].into_iter().flatten().any(|path| is_stdio(path));
    if !has_stdout && !args.json() {
        for path in written {
            let path = path.display().to_string();
            writeln!(out, "{}", tr!("written: {path}", path = sanitize(&path)))?;
        }
    }
    Ok(())
}

/// Writes one file, or to standard output.
fn put(
    path: &Path,
    policy: OverwritePolicy,
    bytes: &[u8],
    written: &mut Vec<PathBuf>,
    out: &mut dyn Write,
) -> Result<(), MatesError> {
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
