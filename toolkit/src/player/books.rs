//! Opening books as the host wants them: which files, whether at all, and what is to be said about them.

use super::{beside_program, split_path_list};
use crate::book::{self, Book, BookMove, EMBEDDED_BOOK_NAME, OpeningHistory, Variety};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::types::Move;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Moves that are named at most when a book is told of.
const MAX_MOVES_NAMED: usize = 8;

/// What a host may set about books, and what the position adds.
pub struct BookOptions<'a> {
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
    pub description: String,
}

/// A book that is asked, by its name.
struct OpenBook {
    name: String,
    book: Arc<dyn Book>,
}

/// The books in use, the settings that they were opened by, and what was played out of them.
#[derive(Default)]
pub struct PlayerBooks {
    books: Vec<OpenBook>,
    opened_by: Option<PathBuf>,
    history: OpeningHistory,
    remarks: Vec<String>,
}

impl PlayerBooks {
    /// Opens the books that are asked for, if they are others than before. What was wrong is remembered for
    /// `take_warnings`.
    pub fn configure(&mut self, files: &Path) {
        if self.opened_by.as_deref() == Some(files) {
            return;
        }
        self.opened_by = Some(files.to_path_buf());
        self.books.clear();
        for file in split_book_list(files) {
            match book::open_book(&locate(&file)) {
                Ok(book) => self.books.push(OpenBook { name: file.display().to_string(), book }),
                Err(error) => self.remarks.push(tr!("book: {error}; play goes on without it", error)),
            }
        }
    }

    /// What was wrong with books, each told once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// What the first book says that knows the position. A book that does not answer any more is put aside.
    fn moves(&mut self, position: &Position) -> (String, Vec<BookMove>) {
        let mut index = 0;
        while let Some(OpenBook { name, book }) = self.books.get(index) {
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
    pub fn describe(&mut self, position: &Position, depth: u32) -> Option<String> {
        if !is_in_book_range(position, depth) {
            return None;
        }
        let (name, moves) = self.moves(position);
        (!moves.is_empty()).then(|| describe_moves(&name, &moves))
    }

    /// The move to be played, if the books know one.
    pub fn choose_move(&mut self, position: &Position, wishes: &BookOptions) -> Option<BookAnswer> {
        let (name, moves) =
            if is_in_book_range(position, wishes.depth) { self.moves(position) } else { Default::default() };
        let playable = book::playable_moves(position, &moves, wishes.allowed);
        if playable.is_empty() {
            self.history.leave_book(position);
            return None;
        }
        let chosen = book::choose_move(position, &playable, wishes.variety, &mut self.history, &mut rand::rng())?;
        let mut next = position.clone();
        next.make_unchecked(chosen.mv);
        let (_, replies) = self.moves(&next);
        let reply = book::playable_moves(&next, &replies, &[]).first().map(|entry| entry.mv);
        Some(BookAnswer { chosen, reply, description: describe_moves(&name, &playable) })
    }
}

/// Books know the usual game, and its beginning.
fn is_in_book_range(position: &Position, depth: u32) -> bool {
    !position.promotion() && position.game_ply() < depth
}

/// `book own: h2e2 41 %, g3g4 30 %, ...`
fn describe_moves(name: &str, moves: &[BookMove]) -> String {
    let one = |entry: &BookMove| {
        let score = entry.score.map_or(String::new(), |score| format!(" ({score:+})"));
        format!("{} {:.0} %{score}", entry.mv, book::weight_percent(entry, moves))
    };
    let listed: Vec<String> = moves.iter().take(MAX_MOVES_NAMED).map(one).collect();
    let more = if moves.len() > MAX_MOVES_NAMED { ", ..." } else { "" };
    tr!("book {name}: {moves}{more}", name, moves = listed.join(", "), more)
}

/// The books of a list; nothing is the book inside the program.
fn split_book_list(list: &Path) -> Vec<PathBuf> {
    let names = split_path_list(list);
    if names.is_empty() { vec![PathBuf::from(EMBEDDED_BOOK_NAME)] } else { names }
}

/// Where a book lies: where its name says, or else beside the program.
fn locate(file: &Path) -> PathBuf {
    if file.is_absolute() || file.as_os_str() == EMBEDDED_BOOK_NAME || file.exists() {
        return file.to_path_buf();
    }
    beside_program(file).filter(|path| path.exists()).unwrap_or_else(|| file.to_path_buf())
}
