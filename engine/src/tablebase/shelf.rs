//! The tables at hand while somebody plays: those in folders and those in the program, opened when they are needed first.
//!
//! Nothing here is trusted or fatal: a file that turns out to be damaged is put aside with one remark, and what the
//! program itself knows of its material is used instead. Many threads may ask at once.

use super::cell::Value;
use super::file::{Content, EXTENSION, FileError, TableFile, name_of};
use super::layout::Men;
use super::material::{ATTACKERS, KINDS, Material};
use crate::board::Position;
use crate::language::{reason, tr};
use crate::types::Color;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Wins, draws and losses of the set *core*, made by `chuhe tables pack` (see `docs/tables.md`).
static CORE: &[u8] = include_bytes!("core.bin");

/// How many unpacked blocks are kept.
const CACHE: usize = 2048;

/// What a table says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Won for the side to move, in so many plies where the table knows.
    Win(Option<u16>),
    /// Lost for the side to move.
    Loss(Option<u16>),
    /// A draw under any rules.
    Draw,
    /// A draw, if the rules of repetition let both hold it.
    Doubtful,
}

impl Answer {
    /// What it is called where programs read it.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Win(_) => "win",
            Answer::Loss(_) => "loss",
            Answer::Draw => "draw",
            Answer::Doubtful => "doubtful",
        }
    }

    /// The plies to the mate, where the table knows.
    pub fn plies(self) -> Option<u16> {
        match self {
            Answer::Win(plies) | Answer::Loss(plies) => plies,
            Answer::Draw | Answer::Doubtful => None,
        }
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        match value {
            Value::Win(plies) => Answer::Win(Some(plies)),
            Value::Loss(plies) => Answer::Loss(Some(plies)),
            Value::Draw => Answer::Draw,
            Value::Doubtful => Answer::Doubtful,
        }
    }
}

/// Where a table is.
enum Place {
    File(PathBuf),
    Program(&'static [u8]),
}

/// A table that may have been opened.
struct Book {
    material: Material,
    place: Place,
    opened: OnceLock<Option<TableFile>>,
    /// Found to be damaged.
    spoilt: AtomicBool,
    /// Its own number among the blocks in the cache.
    number: u32,
}

/// What is to be said about tables that are not used. It is said later, by whoever asked for them.
#[derive(Debug, thiserror::Error)]
pub enum Remark {
    #[error("{}", tr!("tables: cannot read '{folder}': {cause}", folder = _0.display(), cause = reason(_1)))]
    Folder(PathBuf, io::Error),
    #[error("{}", tr!("tables: '{path}', which {error}, is put aside", path = _0.display(), error = _1))]
    File(PathBuf, FileError),
    #[error("{}", tr!("tables: the table {material} of the program, which {error}, is put aside", material = _0, error = _1))]
    Program(Material, FileError),
}

/// An unpacked block: of which book, which one.
type Page = (u32, u32, Arc<Vec<u8>>);

/// All tables at hand.
pub struct Shelf {
    /// By material, the best first.
    books: HashMap<u64, Vec<Book>>,
    /// The most attackers that any of them has.
    attackers: usize,
    cache: Vec<Mutex<Option<Page>>>,
    remarks: Mutex<Vec<Remark>>,
    files: usize,
}

impl Shelf {
    /// Only what the program brings along.
    pub fn built_in() -> Shelf {
        Shelf::open(&[])
    }

    /// What the program brings along and every table in these folders. The files are looked for, not opened.
    pub fn open(folders: &[PathBuf]) -> Shelf {
        let mut shelf = Shelf {
            books: HashMap::new(),
            attackers: 0,
            cache: (0..CACHE).map(|_| Mutex::new(None)).collect(),
            remarks: Mutex::new(Vec::new()),
            files: 0,
        };
        for folder in folders {
            match files_in(folder) {
                Ok(found) => {
                    for (material, path) in found {
                        shelf.add(material, Place::File(path));
                        shelf.files += 1;
                    }
                }
                Err(error) => shelf.remark(Remark::Folder(folder.clone(), error)),
            }
        }
        let mut rest = CORE;
        while let Some((length, more)) = rest.split_first_chunk::<4>() {
            let Some((image, more)) = more.split_at_checked(u32::from_le_bytes(*length) as usize) else {
                break;
            };
            if let Some(material) = name_of(image) {
                shelf.add(material, Place::Program(image));
            }
            rest = more;
        }
        shelf
    }

    fn add(&mut self, material: Material, place: Place) {
        let attackers = Color::ALL.into_iter().map(|color| material.army(color).attackers()).sum();
        self.attackers = self.attackers.max(attackers);
        let number = self.books.values().map(Vec::len).sum::<usize>() as u32;
        let books = self.books.entry(material.key()).or_default();
        books.push(Book { material, place, opened: OnceLock::new(), spoilt: AtomicBool::new(false), number });
    }

    /// How many files were found.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Every material that there is a file for, by name.
    pub fn materials_on_disk(&self) -> Vec<Material> {
        let on_disk = |book: &&Book| matches!(book.place, Place::File(_));
        let mut found: Vec<Material> =
            self.books.values().flatten().filter(on_disk).map(|book| book.material).collect();
        found.sort();
        found.dedup();
        found
    }

    /// What was wrong with files so far, each told once.
    pub fn take_remarks(&self) -> Vec<Remark> {
        self.remarks.lock().map(|mut remarks| std::mem::take(&mut *remarks)).unwrap_or_default()
    }

    fn remark(&self, remark: Remark) {
        log::warn!("{remark}");
        if let Ok(mut remarks) = self.remarks.lock() {
            remarks.push(remark);
        }
    }

    /// Whether so few attackers are left that a table may know the position. This is asked at every node.
    #[inline]
    pub fn may_know(&self, position: &Position) -> bool {
        let count = |color| {
            KINDS[..ATTACKERS].iter().map(move |&(kind, _)| position.count(color, kind)).sum::<usize>()
        };
        !position.promotion() && count(Color::Red) + count(Color::Black) <= self.attackers
    }

    /// What the tables know of a position.
    pub fn probe(&self, position: &Position) -> Option<Answer> {
        if !self.may_know(position) {
            return None;
        }
        let (material, exchanged) = Material::of(position)?;
        if !material.has_attackers() {
            return Some(if position.has_legal_move() { Answer::Draw } else { Answer::Loss(Some(0)) });
        }
        let books = self.books.get(&material.key())?;
        books.iter().find_map(|book| self.look_up(book, position, exchanged))
    }

    fn look_up(&self, book: &Book, position: &Position, exchanged: bool) -> Option<Answer> {
        if book.spoilt.load(Ordering::Relaxed) {
            return None;
        }
        let file = book.opened.get_or_init(|| self.open_book(book)).as_ref()?;
        let (men, mover) = Men::of_position(position, exchanged);
        let (block, place) = file.place(mover, file.layout.number(&men));
        let page = match self.page(book, file, block) {
            Ok(page) => page,
            Err(error) => {
                if !book.spoilt.swap(true, Ordering::Relaxed) {
                    self.remark(book.put_aside(error));
                }
                return None;
            }
        };
        let cell = file.cell(&page, place);
        match file.content {
            Content::Plies => Value::of(cell).map(Answer::from),
            Content::Outcomes => [Answer::Draw, Answer::Win(None), Answer::Loss(None), Answer::Doubtful]
                .get(usize::from(cell))
                .copied(),
        }
    }

    fn open_book(&self, book: &Book) -> Option<TableFile> {
        let opened = match &book.place {
            Place::File(path) => TableFile::open(path),
            Place::Program(bytes) => TableFile::in_memory(bytes),
        };
        let checked = opened.and_then(|file| {
            let found = file.material();
            if found == book.material { Ok(file) } else { Err(FileError::OtherMaterial(found)) }
        });
        match checked {
            Ok(file) => Some(file),
            Err(error) => {
                self.remark(book.put_aside(error));
                None
            }
        }
    }

    /// A block, from the cache if it is there.
    fn page(&self, book: &Book, file: &TableFile, block: usize) -> Result<Arc<Vec<u8>>, FileError> {
        let place = (book.number as usize * 31 + block) % CACHE;
        let slot = &self.cache[place];
        if let Ok(slot) = slot.lock()
            && let Some((number, index, page)) = &*slot
            && (*number, *index) == (book.number, block as u32)
        {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(file.unpack(block)?);
        if let Ok(mut slot) = slot.lock() {
            *slot = Some((book.number, block as u32, Arc::clone(&page)));
        }
        Ok(page)
    }
}

impl Book {
    /// It is not used any more because of this.
    fn put_aside(&self, error: FileError) -> Remark {
        match &self.place {
            Place::File(path) => Remark::File(path.clone(), error),
            Place::Program(_) => Remark::Program(self.material, error),
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
