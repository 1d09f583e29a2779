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

/// The notation that the reader has chosen.
pub fn chosen_notation() -> Option<Notation> {
    Notation::ALL.get(CHOSEN.load(Ordering::Relaxed)).copied()
}

/// The notation that the reader has chosen, or else that of the current language.
pub fn default_notation() -> Notation {
    chosen_notation().unwrap_or(Language::choose(Notation::Chinese, Notation::Wxf))
}

/// The notation that decides what a typed move means that may be WXF or Vietnamese. Without a choice WXF does not decide.
pub fn typed_notation() -> Option<Notation> {
    chosen_notation().or(Some(default_notation()).filter(|notation| *notation == Notation::Vietnamese))
}

/// A move as the reader writes it.
pub fn move_name(position: &Position, mv: Move) -> String {
    notation::format(position, mv, default_notation())
}

/// The moves of a line.
pub fn line_names(start: &Position, moves: &[Move]) -> Vec<String> {
    notation::format_line(start, moves, default_notation())
}
