//! How the reader of a text writes moves.

use chuhe_support::language::Language;
use std::sync::atomic::{AtomicUsize, Ordering};
use xiangqi::{Move, Position};
use xiangqi_record::{Notation, notation};

/// The place of the chosen notation among all; any other stands for that of the language.
static CHOSEN: AtomicUsize = AtomicUsize::new(usize::MAX);

/// From now on this program writes moves for readers in this notation, or in that of their language.
pub fn choose_notation(notation: Option<Notation>) {
    let place = Notation::ALL.iter().position(|choice| Some(*choice) == notation);
    CHOSEN.store(place.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// The notation that the reader has chosen; in Vietnamese it is the Vietnamese one without a choice.
pub fn chosen_notation() -> Option<Notation> {
    let of_language = Some(Notation::Vietnamese).filter(|_| Language::current() == Language::VIETNAMESE);
    Notation::ALL.get(CHOSEN.load(Ordering::Relaxed)).copied().or(of_language)
}

/// The notation that the reader has chosen, or else that of the current language.
pub fn default_notation() -> Notation {
    chosen_notation().unwrap_or(Language::choose(Notation::Chinese, Notation::Wxf))
}

/// A move as the reader writes it.
pub fn move_name(position: &Position, mv: Move) -> String {
    move_in(position, mv, default_notation())
}

/// The moves of a line.
pub fn line_names<'a>(start: &Position, moves: impl IntoIterator<Item = &'a Move>) -> Vec<String> {
    line_in(start, moves, default_notation())
}

/// A move in a notation, in the characters of the current language.
pub fn move_in(position: &Position, mv: Move, notation: Notation) -> String {
    Language::in_script(notation::format(position, mv, notation))
}

/// The moves of a line in a notation.
pub fn line_in<'a>(start: &Position, moves: impl IntoIterator<Item = &'a Move>, notation: Notation) -> Vec<String> {
    notation::format_line(start, moves, notation).into_iter().map(Language::in_script).collect()
}
