//! Moves, lines and pieces in the notations of both languages, or in the one that the reader has chosen for both.

use chuhe_support::language::Language;
use std::sync::atomic::{AtomicUsize, Ordering};
use xiangqi::{Move, Position, Square};
use xiangqi_record::{Notation, notation};

/// The notations that can be chosen, and the place of the choice among them; any other stands for that of the language.
const CHOICES: [Notation; 3] = [Notation::Chinese, Notation::Wxf, Notation::Iccs];
static CHOSEN: AtomicUsize = AtomicUsize::new(usize::MAX);

/// From now on this program writes moves for readers in this notation, or in that of their language.
pub fn choose_notation(notation: Option<Notation>) {
    let place = CHOICES.iter().position(|choice| Some(*choice) == notation);
    CHOSEN.store(place.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// The notation that the reader has chosen, if any.
pub fn chosen_notation() -> Option<Notation> {
    CHOICES.get(CHOSEN.load(Ordering::Relaxed)).copied()
}

/// The same in Chinese and in WXF notation, or twice in the one that was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationPair<T = String> {
    /// `炮二平五`
    pub chinese: T,
    /// `C2.5`
    pub wxf: T,
}

impl<T> NotationPair<T> {
    fn new(write: impl Fn(Notation) -> T) -> NotationPair<T> {
        let [chinese, wxf] = chosen_notation().map_or([Notation::Chinese, Notation::Wxf], |chosen| [chosen; 2]);
        NotationPair { chinese: write(chinese), wxf: write(wxf) }
    }

    /// That of the current language.
    pub fn localized(&self) -> &T {
        Language::choose(&self.chinese, &self.wxf)
    }
}

impl NotationPair {
    /// A move.
    pub fn of_move(position: &Position, mv: Move) -> NotationPair {
        NotationPair::new(|way| notation::format(position, mv, way))
    }

    /// The piece on a square.
    pub fn of_piece(position: &Position, square: Square) -> NotationPair {
        NotationPair::new(|way| notation::piece_name(position, square, way).unwrap_or_default())
    }

    /// The text in this notation, if it is one of the two.
    pub fn get(&self, notation: Notation) -> Option<&str> {
        match notation {
            Notation::Chinese => Some(&self.chinese),
            Notation::Wxf => Some(&self.wxf),
            Notation::Iccs | Notation::Uci => None,
        }
    }
}

impl NotationPair<Vec<String>> {
    /// The moves of a line.
    pub fn of_line(start: &Position, moves: &[Move]) -> NotationPair<Vec<String>> {
        NotationPair::new(|way| notation::format_line(start, moves, way))
    }
}
