//! Which folders of tables.

use super::error::TablesError;
use std::path::{Path, PathBuf};

/// The folder that is meant if none is named.
pub const FOLDER: &str = "tables";

/// The folders that were named, which must be there, or the one that is meant.
pub fn folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, TablesError> {
    for path in named {
        std::fs::read_dir(path).map_err(|source| TablesError::Folder { path: path.clone(), source })?;
    }
    let usual = Path::new(FOLDER);
    Ok(if named.is_empty() && usual.is_dir() { vec![usual.to_path_buf()] } else { named.to_vec() })
}
