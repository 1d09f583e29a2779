//! The tables at hand while somebody plays: those in folders and those in the program, opened when they are needed first.
//!
//! Nothing here is trusted or fatal: a file that turns out to be damaged is put aside with one remark, and what the
//! program itself knows of its material is used instead. Many threads may ask at once.

use super::file::{EXTENSION, TableFile, TableFileError, TableFormat, material_of};
use super::indexing::PiecePlacement;
use super::material::{ATTACKER_KINDS, KIND_LIMITS, Material};
use super::table::TableValue;
use crate::board::Position;
use crate::language::{reason, tr};
use crate::types::Color;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::{fs, io};

/// Wins, draws and losses of the set *core*, made by `chuhe tables pack` (see `docs/tables.md`).
static CORE: &[u8] = include_bytes!("core.bin");

/// How many unpacked blocks are kept.
const CACHE_SLOTS: usize = 2048;

/// What a table says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeResult {
    /// Won for the side to move, in so many plies where the table knows.
    Win(Option<u16>),
    /// Lost for the side to move.
    Loss(Option<u16>),
    /// A draw under any rules.
    Draw,
    /// A draw, if the rules of repetition let both hold it.
    Doubtful,
}

impl ProbeResult {
    /// What it is called where programs read it.
    pub fn name(self) -> &'static str {
        match self {
            ProbeResult::Win(_) => "win",
            ProbeResult::Loss(_) => "loss",
            ProbeResult::Draw => "draw",
            ProbeResult::Doubtful => "doubtful",
        }
    }

    /// The plies to the mate, where the table knows.
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

/// Where a table is.
enum TableLocation {
    File(PathBuf),
    Embedded(&'static [u8]),
}

/// A table that may have been opened.
struct RegisteredTable {
    material: Material,
    location: TableLocation,
    opened_file: OnceLock<Option<TableFile>>,
    /// Found to be damaged.
    is_damaged: AtomicBool,
    /// Its own number among the blocks in the cache.
    number: u32,
}

/// What is to be said about tables that are not used. It is said later, by whoever asked for them.
#[derive(Debug, thiserror::Error)]
pub enum TableWarning {
    #[error("{}", tr!("tables: cannot read '{folder}': {cause}", folder = _0.display(), cause = reason(_1)))]
    Folder(PathBuf, io::Error),
    #[error("{}", tr!("tables: '{path}', which {error}, is put aside", path = _0.display(), error = _1))]
    File(PathBuf, TableFileError),
    #[error("{}", tr!("tables: the table {material} of the program, which {error}, is put aside", material = _0, error = _1))]
    Embedded(Material, TableFileError),
}

/// An unpacked block: of which book, which one.
type CachedBlock = (u32, u32, Arc<Vec<u8>>);

/// All tables at hand.
pub struct Tablebase {
    /// By material, the best first.
    tables: HashMap<u64, Vec<RegisteredTable>>,
    /// The most attackers that any of them has.
    max_attackers: usize,
    cache: Vec<Mutex<Option<CachedBlock>>>,
    warnings: Mutex<Vec<TableWarning>>,
    files: usize,
}

impl Tablebase {
    /// Only what the program brings along.
    pub fn built_in() -> Tablebase {
        Tablebase::open(&[])
    }

    /// What the program brings along and every table in these folders. The files are looked for, not opened.
    pub fn open(folders: &[PathBuf]) -> Tablebase {
        let mut shelf = Tablebase {
            tables: HashMap::new(),
            max_attackers: 0,
            cache: (0..CACHE_SLOTS).map(|_| Mutex::new(None)).collect(),
            warnings: Mutex::new(Vec::new()),
            files: 0,
        };
        for folder in folders {
            match files_in(folder) {
                Ok(found) => {
                    for (material, path) in found {
                        shelf.register(material, TableLocation::File(path));
                        shelf.files += 1;
                    }
                }
                Err(error) => shelf.warn(TableWarning::Folder(folder.clone(), error)),
            }
        }
        let mut rest = CORE;
        while let Some((length, more)) = rest.split_first_chunk::<4>() {
            let Some((image, more)) = more.split_at_checked(u32::from_le_bytes(*length) as usize) else {
                break;
            };
            if let Some(material) = material_of(image) {
                shelf.register(material, TableLocation::Embedded(image));
            }
            rest = more;
        }
        shelf
    }

    fn register(&mut self, material: Material, place: TableLocation) {
        let attackers = Color::ALL.into_iter().map(|color| material.side(color).attackers()).sum();
        self.max_attackers = self.max_attackers.max(attackers);
        let number = self.tables.values().map(Vec::len).sum::<usize>() as u32;
        let books = self.tables.entry(material.key()).or_default();
        books.push(RegisteredTable {
            material,
            location: place,
            opened_file: OnceLock::new(),
            is_damaged: AtomicBool::new(false),
            number,
        });
    }

    /// How many files were found.
    pub fn file_count(&self) -> usize {
        self.files
    }

    /// Every material that there is a file for, by name.
    pub fn materials_on_disk(&self) -> Vec<Material> {
        let on_disk = |book: &&RegisteredTable| matches!(book.location, TableLocation::File(_));
        let mut found: Vec<Material> =
            self.tables.values().flatten().filter(on_disk).map(|book| book.material).collect();
        found.sort();
        found.dedup();
        found
    }

    /// What was wrong with files so far, each told once.
    pub fn take_warnings(&self) -> Vec<TableWarning> {
        self.warnings.lock().map(|mut remarks| std::mem::take(&mut *remarks)).unwrap_or_default()
    }

    fn warn(&self, remark: TableWarning) {
        log::warn!("{remark}");
        if let Ok(mut remarks) = self.warnings.lock() {
            remarks.push(remark);
        }
    }

    /// Whether so few attackers are left that a table may know the position. This is asked at every node.
    #[inline]
    pub fn may_probe(&self, position: &Position) -> bool {
        let count = |color| {
            KIND_LIMITS[..ATTACKER_KINDS].iter().map(move |&(kind, _)| position.count(color, kind)).sum::<usize>()
        };
        !position.promotion() && count(Color::Red) + count(Color::Black) <= self.max_attackers
    }

    /// What the tables know of a position.
    pub fn probe(&self, position: &Position) -> Option<ProbeResult> {
        if !self.may_probe(position) {
            return None;
        }
        let (material, exchanged) = Material::of(position)?;
        if !material.has_attackers() {
            return Some(if position.has_legal_move() { ProbeResult::Draw } else { ProbeResult::Loss(Some(0)) });
        }
        let books = self.tables.get(&material.key())?;
        books.iter().find_map(|book| self.probe_table(book, position, exchanged))
    }

    fn probe_table(&self, book: &RegisteredTable, position: &Position, exchanged: bool) -> Option<ProbeResult> {
        if book.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let file = book.opened_file.get_or_init(|| self.open_table(book)).as_ref()?;
        let (men, mover) = PiecePlacement::of_position(position, exchanged);
        let (block, place) = file.locate(mover, file.layout.index_of(&men));
        let page = match self.read_cached_block(book, file, block) {
            Ok(page) => page,
            Err(error) => {
                if !book.is_damaged.swap(true, Ordering::Relaxed) {
                    self.warn(book.disable(error));
                }
                return None;
            }
        };
        let cell = file.cell(&page, place);
        match file.format {
            TableFormat::Dtm => TableValue::from_cell(cell).map(ProbeResult::from),
            TableFormat::Wdl => {
                [ProbeResult::Draw, ProbeResult::Win(None), ProbeResult::Loss(None), ProbeResult::Doubtful]
                    .get(usize::from(cell))
                    .copied()
            }
        }
    }

    fn open_table(&self, book: &RegisteredTable) -> Option<TableFile> {
        let opened = match &book.location {
            TableLocation::File(path) => TableFile::open(path),
            TableLocation::Embedded(bytes) => TableFile::from_static(bytes),
        };
        let checked = opened.and_then(|file| {
            let found = file.material();
            if found == book.material { Ok(file) } else { Err(TableFileError::OtherMaterial(found)) }
        });
        match checked {
            Ok(file) => Some(file),
            Err(error) => {
                self.warn(book.disable(error));
                None
            }
        }
    }

    /// A block, from the cache if it is there.
    fn read_cached_block(
        &self,
        book: &RegisteredTable,
        file: &TableFile,
        block: usize,
    ) -> Result<Arc<Vec<u8>>, TableFileError> {
        let place = (book.number as usize * 31 + block) % CACHE_SLOTS;
        let slot = &self.cache[place];
        if let Ok(slot) = slot.lock()
            && let Some((number, index, page)) = &*slot
            && (*number, *index) == (book.number, block as u32)
        {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(file.read_block(block)?);
        if let Ok(mut slot) = slot.lock() {
            *slot = Some((book.number, block as u32, Arc::clone(&page)));
        }
        Ok(page)
    }
}

impl RegisteredTable {
    /// It is not used any more because of this.
    fn disable(&self, error: TableFileError) -> TableWarning {
        match &self.location {
            TableLocation::File(path) => TableWarning::File(path.clone(), error),
            TableLocation::Embedded(_) => TableWarning::Embedded(self.material, error),
        }
    }
}

/// The files of a folder that are named as tables are, by name.
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
    found.sort();
    Ok(found)
}
