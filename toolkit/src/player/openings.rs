//! Opening books as the host wants them: which files, whether at all, and what is to be said about them.

use super::listed::{beside_program, listed};
use crate::book::{self, Book, BookMove, EMBEDDED, Memory, Variety};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::types::Move;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Moves that are named at most when a book is told of.
const NAMED: usize = 8;

/// What a host may set about books, and what the position adds.
pub struct Wishes<'a> {
    /// The root moves to choose from; empty = all of them.
    pub allowed: &'a [Move],
    /// Plies from the beginning of the game in which a book is asked.
    pub depth: u32,
    /// How much openings vary.
    pub variety: Variety,
}

/// What a book answers.
pub struct BookAnswer {
    pub chosen: BookMove,
    /// The answer that the book expects.
    pub reply: Option<Move>,
    /// All that there was to choose from, for people.
    pub told: String,
}

/// A book that is asked, by its name.
struct Opened {
    name: String,
    book: Arc<dyn Book>,
}

/// The books in use, the settings that they were opened by, and what was played out of them.
#[derive(Default)]
pub struct Openings {
    books: Vec<Opened>,
    opened_by: Option<PathBuf>,
    memory: Memory,
    remarks: Vec<String>,
}

impl Openings {
    /// Opens the books that are asked for, if they are others than before. What was wrong is remembered for
    /// `take_remarks`.
    pub fn choose(&mut self, files: &Path) {
        if self.opened_by.as_deref() == Some(files) {
            return;
        }
        self.opened_by = Some(files.to_path_buf());
        self.books.clear();
        for file in books(files) {
            match book::open(&found(&file)) {
                Ok(book) => self.books.push(Opened { name: file.display().to_string(), book }),
                Err(error) => self.remarks.push(tr!("book: {error}; play goes on without it", error)),
            }
        }
    }

    /// What was wrong with books, each told once.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// What the first book says that knows the position. A book that does not answer any more is put aside.
    fn moves(&mut self, position: &Position) -> (String, Vec<BookMove>) {
        let mut index = 0;
        while let Some(Opened { name, book }) = self.books.get(index) {
            match book.moves(position) {
                Ok(moves) if moves.is_empty() => index += 1,
                Ok(moves) => return (name.clone(), moves),
                Err(error) => {
                    self.remarks.push(tr!("book: '{name}': {error}; it is put aside", name, error));
                    self.books.remove(index);
                }
            }
        }
        (String::new(), Vec::new())
    }

    /// What the books have to say about a position, in words; `None` if they do not know it.
    pub fn tell(&mut self, position: &Position, depth: u32) -> Option<String> {
        if !is_asked(position, depth) {
            return None;
        }
        let (name, moves) = self.moves(position);
        (!moves.is_empty()).then(|| words(&name, &moves))
    }

    /// The move to be played, if the books know one.
    pub fn answer(&mut self, position: &Position, wishes: &Wishes) -> Option<BookAnswer> {
        let (name, moves) =
            if is_asked(position, wishes.depth) { self.moves(position) } else { Default::default() };
        let playable = book::playable(position, &moves, wishes.allowed);
        if playable.is_empty() {
            self.memory.left(position);
            return None;
        }
        let chosen = book::choose(position, &playable, wishes.variety, &mut self.memory, &mut rand::rng())?;
        let mut next = position.clone();
        next.make(chosen.mv);
        let (_, replies) = self.moves(&next);
        let reply = book::playable(&next, &replies, &[]).first().map(|entry| entry.mv);
        Some(BookAnswer { chosen, reply, told: words(&name, &playable) })
    }
}

/// Books know the usual game, and its beginning.
fn is_asked(position: &Position, depth: u32) -> bool {
    !position.promotion() && position.game_ply() < depth
}

/// `book own: h2e2 41 %, g3g4 30 %, ...`
fn words(name: &str, moves: &[BookMove]) -> String {
    let one = |entry: &BookMove| {
        let score = entry.score.map_or(String::new(), |score| format!(" ({score:+})"));
        format!("{} {:.0} %{score}", entry.mv, book::percent(entry, moves))
    };
    let listed: Vec<String> = moves.iter().take(NAMED).map(one).collect();
    let more = if moves.len() > NAMED { ", ..." } else { "" };
    tr!("book {name}: {moves}{more}", name, moves = listed.join(", "), more)
}

/// The books of a list; nothing is the book inside the program.
fn books(list: &Path) -> Vec<PathBuf> {
    let names = listed(list);
    if names.is_empty() { vec![PathBuf::from(EMBEDDED)] } else { names }
}

/// Where a book lies: where its name says, or else beside the program.
fn found(file: &Path) -> PathBuf {
    if file.is_absolute() || file.as_os_str() == EMBEDDED || file.exists() {
        return file.to_path_buf();
    }
    beside_program(file).filter(|path| path.exists()).unwrap_or_else(|| file.to_path_buf())
}
