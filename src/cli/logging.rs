//! Logging: off by default, because hosts read standard error as if it were part of the protocol.

use super::error::{CliError, cli_error};
use crate::protocol;
use chuhe_support::language::{Language, sanitize};
use log::LevelFilter;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// The environment variable with the log level: `error`, `warn`, `info`, `debug` or `trace`.
pub const LOG_LEVEL_VARIABLE: &str = "CHUHE_LOG";

/// Starts logging: appends to `file` if there is one (from `debug` up unless the level or the
/// environment says otherwise), else to standard error if one of them asks for it. The file begins with a line about the program, its arguments and the
/// time.
pub fn init(file: Option<&Path>, level: Option<LevelFilter>, words: &[OsString]) -> Result<(), CliError> {
    let default = if file.is_some() { LevelFilter::Debug } else { LevelFilter::Off };
    let level = match std::env::var_os(LOG_LEVEL_VARIABLE) {
        _ if level.is_some() => level.unwrap_or(default),
        Some(text) if !text.is_empty() => {
            let text = text.to_string_lossy();
            let unknown = |_| {
                cli_error!(
                    "{variable}: '{text}' is none of off, error, warn, info, debug, trace",
                    variable = LOG_LEVEL_VARIABLE,
                    text = text.chars().take(16).collect::<String>()
                )
            };
            text.parse().map_err(unknown)?
        }
        _ => default,
    };
    let mut builder = env_logger::Builder::new();
    builder.filter_level(level);
    // The default format, with terminal control sequences in foreign text removed.
    builder.format(|out, record| {
        let time = chuhe_support::date::now();
        let message = Language::ENGLISH.with(|| record.args().to_string());
        writeln!(out, "[{time} {:<5} {}] {}", record.level(), record.target(), sanitize(&message))
    });
    if let Some(path) = file {
        // Appends, so that several engines of one match may share a file.
        let open = || {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            let what = words.iter().skip(1).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
            writeln!(file, "{}", protocol::log_heading(&format!("chuhe {what}"))).map(|()| file)
        };
        let file = open().map_err(|error| {
            let (path, cause) = (path.display().to_string(), CliError::of_system(error));
            cli_error!("cannot write the log file {path}: {cause}", path, cause)
        })?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // If a library user has installed a logger, that one stays.
    let _ = builder.try_init();
    Ok(())
}
