//! Where the log goes: nowhere unless asked, because hosts read standard error as if it were the protocol.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The environment variable that says how much is logged: `error`, `warn`, `info`, `debug` or `trace`.
pub const LEVEL_VARIABLE: &str = "CHUHE_LOG";

/// The log cannot be kept.
#[derive(Debug, Error)]
#[error("cannot write the log file {}: {cause}", path.display())]
pub struct LogError {
    path: PathBuf,
    cause: io::Error,
}

/// Starts logging: to the end of `file` if there is one (everything from `debug` up unless the environment
/// says otherwise), else to standard error if the environment asks for it.
pub fn start(file: Option<&Path>) -> Result<(), LogError> {
    let default = if file.is_some() { "debug" } else { "off" };
    let mut builder = env_logger::Builder::new();
    builder.parse_env(env_logger::Env::new().filter_or(LEVEL_VARIABLE, default));
    if let Some(path) = file {
        // Appending, so that several engines of one match may share a file.
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|cause| LogError { path: path.to_owned(), cause })?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // A library user may have set up a logger of his own: then that one stays.
    let _ = builder.try_init();
    Ok(())
}
