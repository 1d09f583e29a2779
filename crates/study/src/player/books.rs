//! The opening books of a player: opening them by name, choosing a move, and messages about them.

use super::{beside_program, split_path_list};
use crate::book::{self, Book, BookMove, EMBEDDED_BOOK_NAME, OpeningHistory, Variety};
use chuhe_support::language::tr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xiangqi::{Move, Position};

/// The maximum number of moves named in a message.
const MAX_MOVES_NAMED: usize = 8;

/// Book options of the host, and the root moves.
pub struct BookOptions<'a> {
    /// The root moves to choose from; empty = all.
    pub allowed: &'a [Move],
    /// The books are probed up to this ply.
    pub depth: u32,
    /// How much openings vary.
    pub variety: Variety,
}

/// The chosen book move.
pub struct BookAnswer {
    pub chosen: BookMove,
    /// The expected reply.
    pub reply: Option<Move>,
    /// All candidates, as text.
    pub description: String,
}

/// An open book and its name.
struct OpenBook {
    name: String,
    book: Arc<dyn Book>,
}

/// The open books, the setting they were opened by, and the history of openings.
#[derive(Default)]
pub struct PlayerBooks {
    books: Vec<OpenBook>,
    opened_by: Option<PathBuf>,
    history: OpeningHistory,
    remarks: Vec<String>,
}

impl PlayerBooks {
    /// Opens these books if the setting has changed. Errors are kept for `take_warnings`.
    pub fn configure(&mut self, files: &Path) {
        if self.opened_by.as_deref() == Some(files) {
            return;
        }
        self.opened_by = Some(files.to_path_buf());
        self.books.clear();
        for file in split_book_list(files) {
            match book::open_book(&locate(&file)) {
                Ok(book) => self.books.push(OpenBook { name: file.display().to_string(), book }),
                Err(error) => self.remarks.push(tr!("book: {error}; continuing without it", error)),
            }
        }
        self.use_embedded_if_empty();
    }

    /// A book that cannot be read does not cost the one inside the program.
    fn use_embedded_if_empty(&mut self) {
        if self.books.is_empty() {
            let own = Path::new(EMBEDDED_BOOK_NAME);
            let open = |book| OpenBook { name: String::from(EMBEDDED_BOOK_NAME), book };
            self.books.extend(book::open_book(own).ok().map(open));
        }
    }

    /// The errors since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// The moves of the first book that knows the position. A book that fails is closed.
    fn moves(&mut self, position: &Position) -> (String, Vec<BookMove>) {
        let mut index = 0;
        while let Some(OpenBook { name, book }) = self.books.get(index) {
            match book.moves(position) {
                Ok(moves) if moves.is_empty() => index += 1,
                Ok(moves) => return (name.clone(), moves),
                Err(error) => {
                    self.remarks.push(tr!("book: '{name}': {error}; it is not used", name, error));
                    self.books.remove(index);
                    self.use_embedded_if_empty();
                }
            }
        }
        (String::new(), Vec::new())
    }

    /// Describes the book moves of a position; `None` if no book knows it.
    pub fn describe(&mut self, position: &Position, depth: u32) -> Option<String> {
        if !is_in_book_range(position, depth) {
            return None;
        }
        let (name, moves) = self.moves(position);
        (!moves.is_empty()).then(|| describe_moves(&name, &moves))
    }

    /// The book move to play, if any.
    pub fn choose_move(&mut self, position: &Position, options: &BookOptions) -> Option<BookAnswer> {
        let (name, moves) =
            if is_in_book_range(position, options.depth) { self.moves(position) } else { Default::default() };
        let playable = book::playable_moves(position, &moves, options.allowed);
        if playable.is_empty() {
            self.history.leave_book(position);
            return None;
        }
        let chosen = book::choose_move(position, &playable, options.variety, &mut self.history, &mut rand::rng())?;
        let next = position.after(&[chosen.mv]);
        let (_, replies) = self.moves(&next);
        let reply = book::playable_moves(&next, &replies, &[]).first().map(|entry| entry.mv);
        Some(BookAnswer { chosen, reply, description: describe_moves(&name, &playable) })
    }
}

/// Books cover the standard game, and only its first plies.
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

/// The books of a list; an empty list means the embedded book.
fn split_book_list(list: &Path) -> Vec<PathBuf> {
    let names = split_path_list(list);
    if names.is_empty() { vec![PathBuf::from(EMBEDDED_BOOK_NAME)] } else { names }
}

/// The path of a book: as given, or else beside the program.
fn locate(file: &Path) -> PathBuf {
    if file.is_absolute() || file.as_os_str() == EMBEDDED_BOOK_NAME || file.exists() {
        return file.to_path_buf();
    }
    beside_program(file).filter(|path| path.exists()).unwrap_or_else(|| file.to_path_buf())
}
