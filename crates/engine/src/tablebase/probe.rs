//! The available tables, from folders and embedded in the program, opened when first probed.
//!
//! Files are not trusted: a damaged one is disabled with one warning, and an embedded table of its material is used
//! instead. Several threads may probe at once.

use super::core_tables::{self, CORE_ATTACKERS};
use super::file::{EXTENSION, TableFile, TableFileError, TableFormat, material_of};
use super::indexing::PiecePlacement;
use super::material::{ATTACKER_KINDS, KIND_LIMITS, Material};
use super::table::TableValue;
use crate::read_file::ReadError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::{fmt, fs};
use xiangqi::{Color, Position, worded_error, words};

/// The number of cached blocks.
const CACHE_SLOTS: usize = 2048;

/// The tablebase value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeResult {
    /// A win for the side to move, with the plies to mate if known.
    Win(Option<u16>),
    /// A loss for the side to move, with the plies to mate if known.
    Loss(Option<u16>),
    /// A draw under all repetition rules.
    Draw,
    /// A draw that the repetition rules may forbid a side to hold.
    Doubtful,
}

impl ProbeResult {
    /// The name in output that programs read.
    pub fn name(self) -> &'static str {
        match self {
            ProbeResult::Win(_) => "win",
            ProbeResult::Loss(_) => "loss",
            ProbeResult::Draw => "draw",
            ProbeResult::Doubtful => "doubtful",
        }
    }

    /// The plies to mate, if known.
    pub fn plies(self) -> Option<u16> {
        match self {
            ProbeResult::Win(plies) | ProbeResult::Loss(plies) => plies,
            ProbeResult::Draw | ProbeResult::Doubtful => None,
        }
    }
}

impl From<TableValue> for ProbeResult {
    fn from(value: TableValue) -> ProbeResult {
        match value {
            TableValue::Win(plies) => ProbeResult::Win(Some(plies)),
            TableValue::Loss(plies) => ProbeResult::Loss(Some(plies)),
            TableValue::Draw => ProbeResult::Draw,
            TableValue::Doubtful => ProbeResult::Doubtful,
        }
    }
}

/// The source of a table.
enum TableLocation {
    File(PathBuf),
    Embedded(&'static [u8]),
}

/// A table, opened on its first probe.
struct RegisteredTable {
    material: Material,
    location: TableLocation,
    opened_file: OnceLock<Option<TableFile>>,
    /// Set once damage was found.
    is_damaged: AtomicBool,
    /// The key of its blocks in the cache.
    number: u32,
}

/// A warning about a folder or a table that is not used; the caller reports it.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableWarning {
    /// A folder cannot be read.
    Folder(PathBuf, ReadError),
    /// A table file is not used.
    File(PathBuf, TableFileError),
    /// An embedded table is not used.
    Embedded(Material, TableFileError),
}

worded_error!(TableWarning, |warning| match warning {
    TableWarning::Folder(path, error) => {
        words!("tables: cannot read '{path}': {error}", path = path.display().to_string(), error)
    }
    TableWarning::File(path, error) => {
        words!("tables: '{path}' {error} and is not used", path = path.display().to_string(), error)
    }
    TableWarning::Embedded(material, error) => {
        words!("tables: the embedded table {material} {error} and is not used", material = material.to_string(), error)
    }
});

/// A decompressed block with its table number and block number.
type CachedBlock = (u32, u32, Arc<Vec<u8>>);

/// Tables by the keys of their materials.
type TableMap = HashMap<u64, Vec<RegisteredTable>>;

/// All available tables.
pub struct Tablebase {
    /// Those of folders; tables of the first folder come first.
    files: TableMap,
    /// Those of the set *core*, once they are there.
    core: OnceLock<TableMap>,
    /// The largest number of attackers in any table.
    max_attackers: usize,
    cache: Vec<Mutex<Option<CachedBlock>>>,
    warnings: Mutex<Vec<TableWarning>>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("files", &self.file_count()).finish_non_exhaustive()
    }
}

impl Tablebase {
    /// Opens the embedded tables only.
    pub fn built_in() -> Tablebase {
        Tablebase::open(&[])
    }

    /// Finds every table in these folders, beside the embedded ones; files are opened later.
    pub fn open(folders: &[PathBuf]) -> Tablebase {
        let mut tablebase = Tablebase {
            files: HashMap::new(),
            core: OnceLock::new(),
            max_attackers: CORE_ATTACKERS,
            cache: (0..CACHE_SLOTS).map(|_| Mutex::new(None)).collect(),
            warnings: Mutex::new(Vec::new()),
        };
        for folder in folders {
            match files_in(folder) {
                Ok(found) => {
                    for (material, path) in found {
                        tablebase.max_attackers = tablebase.max_attackers.max(attackers(material));
                        let number = tablebase.file_count();
                        register(&mut tablebase.files, material, TableLocation::File(path), number);
                    }
                }
                Err(error) => tablebase.warn(TableWarning::Folder(folder.clone(), error.into())),
            }
        }
        tablebase
    }

    /// The tables of the set *core*, if they are there.
    fn core(&self) -> Option<&TableMap> {
        if let Some(core) = self.core.get() {
            return Some(core);
        }
        let bytes = core_tables::bytes()?;
        Some(self.core.get_or_init(|| {
            let (mut found, mut number) = (TableMap::new(), self.file_count());
            for image in core_tables::images(bytes) {
                if let Some(material) = material_of(image) {
                    register(&mut found, material, TableLocation::Embedded(image), number);
                    number += 1;
                }
            }
            found
        }))
    }

    /// The number of table files found.
    pub fn file_count(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    /// The materials of all table files, sorted.
    pub fn materials_on_disk(&self) -> Vec<Material> {
        let mut found: Vec<Material> = self.files.values().flatten().map(|table| table.material).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Takes the warnings since the last call.
    pub fn take_warnings(&self) -> Vec<TableWarning> {
        self.warnings.lock().map(|mut warnings| std::mem::take(&mut *warnings)).unwrap_or_default()
    }

    fn warn(&self, warning: TableWarning) {
        log::warn!("{warning}");
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(warning);
        }
    }

    /// True if the attackers are few enough for a table; a fast test for every node.
    #[inline]
    pub(crate) fn may_probe(&self, position: &Position) -> bool {
        let count = |color| {
            KIND_LIMITS[..ATTACKER_KINDS].iter().map(move |&(kind, _)| position.count(color, kind)).sum::<usize>()
        };
        !position.promotion() && count(Color::Red) + count(Color::Black) <= self.max_attackers
    }

    /// Probes the tables for a position.
    pub fn probe(&self, position: &Position) -> Option<ProbeResult> {
        if !self.may_probe(position) {
            return None;
        }
        let (material, exchanged) = Material::of(position)?;
        if !material.has_attackers() {
            return Some(if position.has_legal_move() { ProbeResult::Draw } else { ProbeResult::Loss(Some(0)) });
        }
        let mut in_files = self.files.get(&material.key()).into_iter().flatten();
        in_files.find_map(|table| self.probe_table(table, position, exchanged)).or_else(|| {
            let in_core = self.core()?.get(&material.key())?;
            in_core.iter().find_map(|table| self.probe_table(table, position, exchanged))
        })
    }

    fn probe_table(&self, table: &RegisteredTable, position: &Position, exchanged: bool) -> Option<ProbeResult> {
        if table.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let file = table.opened_file.get_or_init(|| self.open_table(table)).as_ref()?;
        let (pieces, mover) = PiecePlacement::of_position(position, exchanged);
        let (block, place) = file.locate(mover, file.indexing.index_of(&pieces));
        let bytes = match self.read_cached_block(table, file, block) {
            Ok(bytes) => bytes,
            Err(error) => {
                if !table.is_damaged.swap(true, Ordering::Relaxed) {
                    self.warn(table.disable(error));
                }
                return None;
            }
        };
        let cell = file.cell(&bytes, place);
        match file.format {
            TableFormat::Dtm => TableValue::from_cell(cell).map(ProbeResult::from),
            TableFormat::Wdl => {
                [ProbeResult::Draw, ProbeResult::Win(None), ProbeResult::Loss(None), ProbeResult::Doubtful]
                    .get(usize::from(cell))
                    .copied()
            }
        }
    }

    fn open_table(&self, table: &RegisteredTable) -> Option<TableFile> {
        let opened = match &table.location {
            TableLocation::File(path) => TableFile::open(path),
            TableLocation::Embedded(bytes) => TableFile::from_static(bytes),
        };
        let checked = opened.and_then(|file| {
            let found = file.material();
            if found == table.material { Ok(file) } else { Err(TableFileError::OtherMaterial(found)) }
        });
        match checked {
            Ok(file) => Some(file),
            Err(error) => {
                self.warn(table.disable(error));
                None
            }
        }
    }

    /// A block, from the cache if possible.
    fn read_cached_block(
        &self,
        table: &RegisteredTable,
        file: &TableFile,
        block: usize,
    ) -> Result<Arc<Vec<u8>>, TableFileError> {
        let place = (table.number as usize * 31 + block) % CACHE_SLOTS;
        let slot = &self.cache[place];
        if let Ok(slot) = slot.lock()
            && let Some((number, index, bytes)) = &*slot
            && (*number, *index) == (table.number, block as u32)
        {
            return Ok(Arc::clone(bytes));
        }
        let bytes = Arc::new(file.read_block(block)?);
        if let Ok(mut slot) = slot.lock() {
            *slot = Some((table.number, block as u32, Arc::clone(&bytes)));
        }
        Ok(bytes)
    }
}

/// The pieces of a material that can give mate.
fn attackers(material: Material) -> usize {
    Color::ALL.into_iter().map(|color| material.side(color).attackers()).sum()
}

fn register(tables: &mut TableMap, material: Material, location: TableLocation, number: usize) {
    let (opened_file, is_damaged) = (OnceLock::new(), AtomicBool::new(false));
    let table = RegisteredTable { material, location, opened_file, is_damaged, number: number as u32 };
    tables.entry(material.key()).or_default().push(table);
}

impl RegisteredTable {
    /// The warning for a table disabled because of this error.
    fn disable(&self, error: TableFileError) -> TableWarning {
        match &self.location {
            TableLocation::File(path) => TableWarning::File(path.clone(), error),
            TableLocation::Embedded(_) => TableWarning::Embedded(self.material, error),
        }
    }
}

/// The files of a folder that have the name of a table, sorted by material.
pub fn files_in(folder: &Path) -> std::io::Result<Vec<(Material, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_table = path.extension().is_some_and(|extension| extension == EXTENSION);
        let name = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        if let Some(material) = name.filter(|_| is_table) {
            found.push((material, path));
        }
    }
    found.sort_unstable();
    Ok(found)
}
