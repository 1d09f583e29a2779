//! Endgame tables as the host wants them: which folders, whether at all, and what is to be said about them.

use super::session::Session;
use crate::tables::{Material, Shelf};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Named at most when tables are missing.
const NAMED: usize = 5;

/// The tables in use, and the settings that they were opened by.
#[derive(Default)]
pub(super) struct Endgames {
    shelf: Option<Arc<Shelf>>,
    opened_by: Option<(bool, PathBuf)>,
}

impl Session {
    /// A session that begins with the tables as shipped.
    pub(super) fn with_tables(mut self) -> Session {
        self.choose_tables();
        self
    }

    /// Opens the tables that the settings ask for, if they are not the same as before. Says what was found where the
    /// host has named folders.
    pub(super) fn choose_tables(&mut self) {
        let wanted = (self.settings.use_tables, self.settings.table_paths.clone());
        if self.endgames.opened_by.as_ref() == Some(&wanted) {
            return;
        }
        let (on, paths) = &wanted;
        let folders = folders(paths);
        self.endgames.shelf = on.then(|| Arc::new(Shelf::open(&folders)));
        if let Some(searcher) = &mut self.searcher {
            searcher.tables = self.endgames.shelf.clone();
        }
        if !paths.as_os_str().is_empty() {
            let bad = self.tell_of_bad_tables();
            if let Some(shelf) = self.endgames.shelf.as_ref().filter(|shelf| shelf.files() > 0 || !bad) {
                self.remark(&found(shelf, folders.len()));
            }
        }
        self.endgames.opened_by = Some(wanted);
    }

    /// Says which tables and folders turned out to be bad, each once; false if none did.
    pub(super) fn tell_of_bad_tables(&self) -> bool {
        let remarks: Vec<String> =
            self.endgames.shelf.iter().flat_map(|shelf| shelf.take_remarks()).collect();
        remarks.iter().for_each(|remark| self.remark(remark));
        !remarks.is_empty()
    }
}

/// `tables: 171 found in 1 folder`, and which of those that they lead to are missing.
fn found(shelf: &Shelf, folders: usize) -> String {
    let there = shelf.materials_on_disk();
    let place = if folders == 1 { "1 folder".to_string() } else { format!("{folders} folders") };
    let mut text = format!("tables: {} found in {place}", there.len());
    let missing: Vec<String> = Material::with_successors(&there)
        .iter()
        .filter(|material| there.binary_search(material).is_err())
        .map(Material::to_string)
        .collect();
    if !missing.is_empty() {
        let more = if missing.len() > NAMED { " …" } else { "" };
        text += &format!(", missing {}{more}", missing[..missing.len().min(NAMED)].join(" "));
    }
    text
}

/// The folders of a list, or the one beside the program.
fn folders(list: &Path) -> Vec<PathBuf> {
    if list.as_os_str().is_empty() {
        let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("tables")));
        return beside.into_iter().filter(|folder| folder.is_dir()).collect();
    }
    match list.to_str() {
        Some(text) => {
            text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
        }
        // Not UTF-8: one folder, byte by byte.
        None => vec![list.to_path_buf()],
    }
}
