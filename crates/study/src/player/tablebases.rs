//! The tablebases of a player: opening them by folder, and messages about them.

use super::{beside_program, split_path_list};
use chuhe_engine::tablebase::{Material, Tablebase};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of missing tables named.
const MAX_MISSING_NAMED: usize = 5;

/// The open tablebases, and the setting they were opened by.
#[derive(Default)]
pub struct PlayerTablebases {
    tablebase: Option<Arc<Tablebase>>,
    opened_by: Option<(bool, PathBuf)>,
}

impl PlayerTablebases {
    /// The tablebases, if in use.
    pub fn tablebase(&self) -> Option<Arc<Tablebase>> {
        self.tablebase.clone()
    }

    /// Opens these tablebases. Returns messages about the named folders; `None` if the setting has not changed.
    pub fn configure(&mut self, on: bool, paths: &Path) -> Option<Vec<String>> {
        let wanted = (on, paths.to_path_buf());
        if self.opened_by.as_ref() == Some(&wanted) {
            return None;
        }
        self.opened_by = Some(wanted);
        let folders = folders(paths);
        self.tablebase = on.then(|| Arc::new(Tablebase::open(&folders)));
        if paths.as_os_str().is_empty() {
            return Some(Vec::new());
        }
        let mut remarks = self.take_warnings();
        if let Some(tablebase) =
            self.tablebase.as_ref().filter(|tablebase| tablebase.file_count() > 0 || remarks.is_empty())
        {
            remarks.push(summary(tablebase, folders.len()));
        }
        Some(remarks)
    }

    /// Errors found while probing, each reported once.
    pub fn take_warnings(&self) -> Vec<String> {
        self.tablebase
            .iter()
            .flat_map(|tablebase| tablebase.take_warnings())
            .map(|warning| warning.localized())
            .collect()
    }
}

/// `tables: 171 summary in 1 folder`, and the missing tables that they depend on.
fn summary(tablebase: &Tablebase, folders: usize) -> String {
    let there = tablebase.materials_on_disk();
    let count = there.len();
    let told = match folders {
        1 => tr!("tables: {count} found in 1 folder", count),
        _ => tr!("tables: {count} found in {folders} folders", count, folders),
    };
    let missing: Vec<String> = Material::with_successors(&there)
        .iter()
        .filter(|material| there.binary_search(material).is_err())
        .map(Material::to_string)
        .collect();
    if missing.is_empty() {
        return told;
    }
    let more = if missing.len() > MAX_MISSING_NAMED { " ..." } else { "" };
    let names = missing[..missing.len().min(MAX_MISSING_NAMED)].join(" ");
    tr!("{told}, missing {names}{more}", told, names, more)
}

/// The folders of a list, or the one beside the program.
fn folders(list: &Path) -> Vec<PathBuf> {
    if list.as_os_str().is_empty() {
        return beside_program(Path::new("tables")).into_iter().filter(|folder| folder.is_dir()).collect();
    }
    split_path_list(list)
}
