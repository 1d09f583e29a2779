//! How the reader of a text writes moves.

use chuhe_support::language::{Language, Phrase, phrase};
use chuhe_support::messages::Localize;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::sync::atomic::{AtomicUsize, Ordering};
use xiangqi::rules::piece_on_square;
use xiangqi::{Color, Move, Position, Reason, Verdict};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

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

/// The name of a side, capitalised.
pub fn side_name(color: Color) -> Phrase {
    match color {
        Color::Red => phrase!("Red"),
        Color::Black => phrase!("Black"),
    }
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

// A verdict whose sentence calls a chased piece as the moves beside it do.

/// A verdict, and how the piece is called that was chased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// In each notation that names pieces.
    chased: Option<[(Notation, String); 3]>,
}

impl NamedVerdict {
    /// The verdict on this position.
    pub fn new(verdict: Verdict, position: &Position) -> NamedVerdict {
        let chased = match verdict.reason {
            Reason::PerpetualChase { square, .. } => {
                let name = |way| (way, notation::piece_name(position, square, way).unwrap_or_default());
                Some([Notation::Chinese, Notation::Wxf, Notation::Vietnamese].map(name))
            }
            _ => None,
        };
        NamedVerdict { verdict, chased }
    }

    /// A sentence with the result and the reason.
    pub fn sentence(&self, notation: Notation) -> String {
        let named = self.chased.iter().flatten().find(|(way, _)| *way == notation);
        let words = self.verdict.sentence_words(&|piece, square| match named {
            Some((_, name)) => Language::in_script(name.clone()).into(),
            None => piece_on_square(piece, square),
        });
        words.localized()
    }
}

impl Serialize for NamedVerdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let result = self.verdict.ending.map_or(GameResult::Unknown, |ending| GameResult::from_winner(ending.winner()));
        let mut fields = to.serialize_struct("NamedVerdict", 2)?;
        fields.serialize_field("result", result.token())?;
        fields.serialize_field("reason", &self.verdict.reason.to_string())?;
        fields.end()
    }
}
