//! Makes tables, and the smaller ones that they need before them, or takes them from files.

use super::file::{TableFile, TableFileError, TableFormat};
use super::indexing::PositionIndexing;
use super::material::Material;
use super::retrograde::{SolveError, each_position, solve};
use super::rule_tolerance::mark_doubtful_draws;
use super::table::{EndgameTable, SuccessorTables, TableStats};
use super::{parallel, write};
use crate::files::{OutputError, OverwritePolicy};
use crate::language::tr;
use crate::types::Color;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// Why a table was not made.
#[derive(Debug, Error)]
pub enum BuildError {
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
        source: TableFileError,
    },
}

/// A file that was made.
#[derive(Clone, Debug)]
pub struct BuiltTable {
    /// Counts with the first and the second side to move.
    pub counts: [TableStats; 2],
    /// Some draws are doubtful.
    pub doubtful: bool,
    /// How long the file is.
    pub bytes: u64,
}

/// Makes tables in the order in which they need each other.
pub struct TableBuilder {
    threads: usize,
    /// How many bytes of tables are kept at hand.
    cache_bytes: usize,
    /// Tables made or read, the latest last.
    cache: Vec<Arc<EndgameTable>>,
    folder: Option<PathBuf>,
    over: OverwritePolicy,
}

impl TableBuilder {
    /// Makes tables in memory only, and keeps them all.
    pub fn new(threads: usize) -> TableBuilder {
        TableBuilder { threads, cache_bytes: usize::MAX, cache: Vec::new(), folder: None, over: OverwritePolicy::Never }
    }

    /// Makes tables for a folder, takes what is there already, and keeps this many bytes of them in memory.
    pub fn in_folder(folder: &Path, threads: usize, room: usize) -> TableBuilder {
        let over = OverwritePolicy::IfOwn(write::has_table_magic);
        TableBuilder { threads, cache_bytes: room, cache: Vec::new(), folder: Some(folder.to_path_buf()), over }
    }

    /// Writes over anything that has the name of a table, if somebody wants it so.
    pub fn or_force(mut self, force: bool) -> TableBuilder {
        self.over = self.over.or_force(force);
        self
    }

    /// The table of a material, with those that it needs.
    pub fn table(&mut self, material: Material) -> Result<Arc<EndgameTable>, BuildError> {
        if let Some(at) = self.cache.iter().position(|table| table.layout.material == material) {
            let table = self.cache.remove(at);
            self.cache.push(Arc::clone(&table));
            return Ok(table);
        }
        let table = match self.read_from_folder(material)? {
            Some(table) => table,
            None => self.build(material)?,
        };
        let table = Arc::new(table);
        self.add_to_cache(Arc::clone(&table));
        Ok(table)
    }

    /// Makes a table and writes it into the folder.
    pub fn build_and_write(&mut self, material: Material, content: TableFormat) -> Result<BuiltTable, BuildError> {
        let table = self.table(material)?;
        let counts = Color::ALL.map(|mover| table.count(mover, self.threads));
        let bytes = write::encode_table(&table, content, &counts, self.threads);
        if let Some(folder) = &self.folder {
            self.over.write(&write::table_path(folder, material), &bytes)?;
        }
        Ok(BuiltTable { counts, doubtful: table.doubtful, bytes: bytes.len() as u64 })
    }

    /// The links of a material.
    pub fn successors(&mut self, material: Material) -> Result<SuccessorTables, BuildError> {
        if material.has_attackers() {
            SuccessorTables::new(material, |smaller| self.table(smaller))
        } else {
            Ok(SuccessorTables::default())
        }
    }

    fn build(&mut self, material: Material) -> Result<EndgameTable, BuildError> {
        let links = self.successors(material)?;
        let mut table = solve(material, &links, self.threads)?;
        mark_doubtful_draws(&mut table, &links, self.threads);
        Ok(table)
    }

    /// Reads the whole table, if the folder has a good one.
    fn read_from_folder(&self, material: Material) -> Result<Option<EndgameTable>, BuildError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = write::table_path(folder, material);
        let Ok(file) = TableFile::open(&path) else { return Ok(None) };
        if file.format != TableFormat::Dtm || file.material() != material {
            return Ok(None);
        }
        read_table(&file, self.threads).map(Some).map_err(|source| BuildError::File { path, source })
    }

    fn add_to_cache(&mut self, table: Arc<EndgameTable>) {
        self.cache.push(table);
        let bytes = |kept: &[Arc<EndgameTable>]| kept.iter().map(|table| table.layout.size() * 2).sum::<usize>();
        while self.cache.len() > 1 && bytes(&self.cache) > self.cache_bytes {
            self.cache.remove(0);
        }
    }
}

/// How many bytes are needed at most to make a table: itself, the bits of the rule test, and all smaller ones.
pub fn memory_to_build(material: Material) -> usize {
    let size = |material: &Material| usize::try_from(PositionIndexing::index_count(*material)).unwrap_or(usize::MAX);
    let double = |smaller: &Material| size(smaller).saturating_mul(2);
    let smaller = material.capture_successors().iter().map(double).fold(0, usize::saturating_add);
    // Two bytes for each position, the distances of the blocks, and the bits of the rule test.
    let own = size(&material);
    own.saturating_mul(2).saturating_add(own / 8 + own / 2).saturating_add(smaller)
}

/// Unpacks a whole file.
pub fn read_table(file: &TableFile, threads: usize) -> Result<EndgameTable, TableFileError> {
    let raw = EndgameTable::empty(PositionIndexing::new(file.material()));
    let failure = Mutex::new(None);
    parallel::for_each_part(
        threads,
        file.blocks(),
        || (),
        |(), block| match file.read_block(block) {
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
    let mut table = EndgameTable::empty(PositionIndexing::new(file.material()));
    table.doubtful = file.doubtful;
    each_position(&raw.layout, threads, |mover, number| table.set(mover, number, raw.get(mover, number)));
    Ok(table)
}
