//! Builds tables together with the smaller tables they need, or reads them from files.

use super::file::{TableFile, TableFileError, TableFormat, encode_table, table_path};
use super::generator::{SolveError, each_position, solve};
use super::indexing::PositionIndexing;
use super::material::Material;
use super::parallel;
use super::rule_tolerance::mark_doubtful_draws;
use super::table::{EndgameTable, SuccessorTables, TableStats};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use xiangqi::{Color, worded_error, words};

/// The reason why a table was not built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The table cannot be solved.
    Solve(SolveError),
    /// An existing file has a damaged block.
    File {
        /// The file.
        path: PathBuf,
        /// The damage.
        source: TableFileError,
    },
}

worded_error!(
    BuildError,
    |error| match error {
        BuildError::Solve(error) => error.words(),
        BuildError::File { path, source } => {
            words!("'{path}' {source}", path = path.display().to_string(), source)
        }
    },
    Solve(SolveError)
);

/// A table as the content of its file, with its statistics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EncodedTable {
    /// The counts with the first and the second side to move.
    pub counts: [TableStats; 2],
    /// Whether some draws are doubtful.
    pub doubtful: bool,
    /// The content of the file; [`table_path`] is its place in a folder.
    pub bytes: Vec<u8>,
}

/// Builds tables in the order of their dependencies.
pub struct TableBuilder {
    threads: usize,
    /// The limit of cached tables.
    cache_bytes: usize,
    /// Tables built or read, the most recent last.
    cache: Vec<Arc<EndgameTable>>,
    folder: Option<PathBuf>,
}

impl fmt::Debug for TableBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableBuilder")
            .field("threads", &self.threads)
            .field("folder", &self.folder)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

impl TableBuilder {
    /// Creates a builder that works in memory only and caches every table.
    pub fn new(threads: usize) -> TableBuilder {
        TableBuilder { threads, cache_bytes: usize::MAX, cache: Vec::new(), folder: None }
    }

    /// Creates a builder that reads the tables of a folder and caches this many bytes of tables. It writes nothing.
    pub fn in_folder(folder: &Path, threads: usize, cache_bytes: usize) -> TableBuilder {
        TableBuilder { threads, cache_bytes, cache: Vec::new(), folder: Some(folder.to_path_buf()) }
    }

    /// The table of a material; builds it and the tables it needs if necessary.
    pub fn table(&mut self, material: Material) -> Result<Arc<EndgameTable>, BuildError> {
        if let Some(at) = self.cache.iter().position(|table| table.indexing.material == material) {
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

    /// The table of a material as the content of a file.
    pub fn encode(&mut self, material: Material, format: TableFormat) -> Result<EncodedTable, BuildError> {
        let table = self.table(material)?;
        let counts = Color::ALL.map(|mover| table.count(mover, self.threads));
        let bytes = encode_table(&table, format, &counts, self.threads);
        Ok(EncodedTable { counts, doubtful: table.doubtful, bytes })
    }

    /// The tables that captures from this material lead to.
    pub fn successors(&mut self, material: Material) -> Result<SuccessorTables, BuildError> {
        if material.has_attackers() {
            SuccessorTables::new(material, |smaller| self.table(smaller))
        } else {
            Ok(SuccessorTables::default())
        }
    }

    fn build(&mut self, material: Material) -> Result<EndgameTable, BuildError> {
        let successors = self.successors(material)?;
        let mut table = solve(material, &successors, self.threads)?;
        mark_doubtful_draws(&mut table, &successors, self.threads);
        Ok(table)
    }

    /// Reads a whole table, if the folder has a valid one.
    fn read_from_folder(&self, material: Material) -> Result<Option<EndgameTable>, BuildError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = table_path(folder, material);
        let Ok(file) = TableFile::open(&path) else { return Ok(None) };
        if file.format != TableFormat::Dtm || file.material() != material {
            return Ok(None);
        }
        read_table(&file, self.threads).map(Some).map_err(|source| BuildError::File { path, source })
    }

    fn add_to_cache(&mut self, table: Arc<EndgameTable>) {
        self.cache.push(table);
        let bytes = |kept: &[Arc<EndgameTable>]| kept.iter().map(|table| table.indexing.size() * 2).sum::<usize>();
        while self.cache.len() > 1 && bytes(&self.cache) > self.cache_bytes {
            self.cache.remove(0);
        }
    }
}

/// The maximum memory to build a table: the table, the bits of the rule tolerance test, and all smaller tables.
pub fn memory_to_build(material: Material) -> usize {
    let size = |material: &Material| usize::try_from(PositionIndexing::index_count(*material)).unwrap_or(usize::MAX);
    let double = |smaller: &Material| size(smaller).saturating_mul(2);
    let smaller = material.capture_successors().iter().map(double).fold(0, usize::saturating_add);
    // Two bytes for each position, the block distances, and the bits of the rule tolerance test.
    let own = size(&material);
    own.saturating_mul(2).saturating_add(own / 8 + own / 2).saturating_add(smaller)
}

/// Decompresses a whole file.
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
    // Files hold arbitrary values at illegal positions, so copy only legal ones.
    let mut table = EndgameTable::empty(PositionIndexing::new(file.material()));
    table.doubtful = file.doubtful;
    each_position(&raw.indexing, threads, |mover, number| table.set(mover, number, raw.get(mover, number)));
    Ok(table)
}
