//! Makes tables, and the smaller ones that they need before them, or takes them from files.

use super::file::{Content, FileError, TableFile};
use super::layout::Layout;
use super::material::Material;
use super::parallel;
use super::solve::{SolveError, each_position, solve};
use super::table::{Count, Links, Table};
use super::tolerance::mark_doubts;
use super::write;
use crate::files::{OutputError, Over};
use crate::language::tr;
use crate::types::Color;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// Why a table was not made.
#[derive(Debug, Error)]
pub enum MakeError {
    /// It cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] OutputError),
    /// A file in the way is damaged in its depths.
    #[error("{}", tr!("'{path}' {source}", path = path.display(), source))]
    File {
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
}

/// A file that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Counts with the first and the second side to move.
    pub counts: [Count; 2],
    /// Some draws are doubtful.
    pub doubtful: bool,
    /// How long the file is.
    pub bytes: u64,
}

/// Makes tables in the order in which they need each other.
pub struct Maker {
    threads: usize,
    /// How many bytes of tables are kept at hand.
    room: usize,
    /// Tables made or read, the latest last.
    kept: Vec<Arc<Table>>,
    folder: Option<PathBuf>,
    over: Over,
}

impl Maker {
    /// Makes tables in memory only, and keeps them all.
    pub fn new(threads: usize) -> Maker {
        Maker { threads, room: usize::MAX, kept: Vec::new(), folder: None, over: Over::Nothing }
    }

    /// Makes tables for a folder, takes what is there already, and keeps this many bytes of them in memory.
    pub fn in_folder(folder: &Path, threads: usize, room: usize) -> Maker {
        let over = Over::Own(write::is_table);
        Maker { threads, room, kept: Vec::new(), folder: Some(folder.to_path_buf()), over }
    }

    /// Writes over anything that has the name of a table, if somebody wants it so.
    pub fn or_force(mut self, force: bool) -> Maker {
        self.over = self.over.or_force(force);
        self
    }

    /// The table of a material, with those that it needs.
    pub fn table(&mut self, material: Material) -> Result<Arc<Table>, MakeError> {
        if let Some(at) = self.kept.iter().position(|table| table.layout.material == material) {
            let table = self.kept.remove(at);
            self.kept.push(Arc::clone(&table));
            return Ok(table);
        }
        let table = match self.read_from_folder(material)? {
            Some(table) => table,
            None => self.make(material)?,
        };
        let table = Arc::new(table);
        self.keep(Arc::clone(&table));
        Ok(table)
    }

    /// Makes a table and writes it into the folder.
    pub fn write(&mut self, material: Material, content: Content) -> Result<Made, MakeError> {
        let table = self.table(material)?;
        let counts = Color::ALL.map(|mover| table.count(mover, self.threads));
        let bytes = write::pack(&table, content, &counts, self.threads);
        if let Some(folder) = &self.folder {
            self.over.write(&write::path_of(folder, material), &bytes)?;
        }
        Ok(Made { counts, doubtful: table.doubtful, bytes: bytes.len() as u64 })
    }

    /// The links of a material.
    pub fn links(&mut self, material: Material) -> Result<Links, MakeError> {
        if material.has_attackers() {
            Links::new(material, |smaller| self.table(smaller))
        } else {
            Ok(Links::default())
        }
    }

    fn make(&mut self, material: Material) -> Result<Table, MakeError> {
        let links = self.links(material)?;
        let mut table = solve(material, &links, self.threads)?;
        mark_doubts(&mut table, &links, self.threads);
        Ok(table)
    }

    /// Reads the whole table, if the folder has a good one.
    fn read_from_folder(&self, material: Material) -> Result<Option<Table>, MakeError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = write::path_of(folder, material);
        let Ok(file) = TableFile::open(&path) else { return Ok(None) };
        if file.content != Content::Plies || file.material() != material {
            return Ok(None);
        }
        load(&file, self.threads).map(Some).map_err(|source| MakeError::File { path, source })
    }

    fn keep(&mut self, table: Arc<Table>) {
        self.kept.push(table);
        let bytes = |kept: &[Arc<Table>]| kept.iter().map(|table| table.layout.size() * 2).sum::<usize>();
        while self.kept.len() > 1 && bytes(&self.kept) > self.room {
            self.kept.remove(0);
        }
    }
}

/// How many bytes are needed at most to make a table: itself, the bits of the rule test, and all smaller ones.
pub fn memory_to_make(material: Material) -> usize {
    let size = |material: &Material| usize::try_from(Layout::positions(*material)).unwrap_or(usize::MAX);
    let double = |smaller: &Material| size(smaller).saturating_mul(2);
    let smaller = material.after_captures().iter().map(double).fold(0, usize::saturating_add);
    // Two bytes for each position, the distances of the blocks, and the bits of the rule test.
    let own = size(&material);
    own.saturating_mul(2).saturating_add(own / 8 + own / 2).saturating_add(smaller)
}

/// Unpacks a whole file.
pub fn load(file: &TableFile, threads: usize) -> Result<Table, FileError> {
    let raw = Table::empty(Layout::new(file.material()));
    let failure = Mutex::new(None);
    parallel::each(
        threads,
        file.blocks(),
        || (),
        |(), block| match file.unpack(block) {
            Ok(bytes) => {
                let (mover, range) = file.range(block);
                for (place, number) in range.enumerate() {
                    raw.set(mover, number, file.cell(&bytes, place));
                }
            }
            Err(error) => *failure.lock().expect("no worker panics") = Some(error),
        },
    );
    if let Some(error) = failure.into_inner().expect("no worker panics") {
        return Err(error);
    }
    // Where there is no position, files have something else than tables in memory.
    let mut table = Table::empty(Layout::new(file.material()));
    table.doubtful = file.doubtful;
    each_position(&raw.layout, threads, |mover, number| table.set(mover, number, raw.get(mover, number)));
    Ok(table)
}
