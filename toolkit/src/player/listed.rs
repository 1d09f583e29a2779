//! Files and folders as an option lists them, with `;` between them, and what lies beside the program.

use std::path::{Path, PathBuf};

/// The paths of a list.
pub fn listed(list: &Path) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) => {
            text.split(';').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect()
        }
        // Not UTF-8: one path, byte by byte.
        None => vec![list.to_path_buf()],
    }
}

/// The path of this name beside the program.
pub fn beside_program(name: &Path) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}
