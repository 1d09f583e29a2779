//! Words of letters and digits are WXF or Vietnamese. `M8.7` can only be one of them, but `C7.1` is a cannon that goes
//! sideways in WXF, and in Vietnamese a pawn (chốt) that goes forward. So that none is taken for the other, the words of a
//! game are read in the same notation, which is the one that its words show, or the one in which all of them are legal.

use super::format::{MAX_BYTES, Notation, VietnameseWord, is_possible_wxf, narrow, normalize_chinese, wxf_sign};
use crate::encoding::to_halfwidth;
use crate::move_words::without_number;

/// How words of letters and digits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Letters {
    /// As WXF.
    Wxf,
    /// As Vietnamese.
    Vietnamese,
    /// As either; a word that is legal in both and means two moves is refused.
    Any,
}

impl Letters {
    /// Those of a notation that was chosen, for a single word: one that cannot be of it is read as of the other.
    pub fn of_word(text: &str, chosen: Option<Notation>) -> Letters {
        match (chosen, VietnameseWord::read(text)) {
            (Some(Notation::Wxf), Some(word)) if word.is_unmistakable => Letters::Vietnamese,
            (Some(Notation::Wxf), _) => Letters::Wxf,
            (Some(Notation::Vietnamese), Some(_)) => Letters::Vietnamese,
            (Some(Notation::Vietnamese), None) => Letters::Wxf,
            _ => Letters::Any,
        }
    }
}

/// The notations that an ASCII word may be in, each with the normalised word; not those in which it names no piece.
fn readings(text: &str, letters: Letters) -> Vec<(Notation, String)> {
    let wxf = || (Notation::Wxf, text.chars().map(|sign| wxf_sign(sign.to_ascii_uppercase())).collect());
    let word = VietnameseWord::read(text).filter(|_| letters != Letters::Wxf);
    let Some(word) = word else { return vec![wxf()] };
    let vietnamese = (Notation::Vietnamese, word.text.clone());
    let only_vietnamese = word.is_unmistakable || word.is_possible() && !is_possible_wxf(text);
    match letters {
        Letters::Vietnamese => vec![vietnamese],
        _ if word.has_chot => vec![wxf()],
        _ if only_vietnamese => vec![vietnamese],
        _ => vec![wxf(), vietnamese],
    }
}

/// What the words of a game show of its notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LetterEvidence {
    /// A word can only be WXF.
    wxf: bool,
    /// A word can only be Vietnamese.
    vietnamese: bool,
    /// A word can only be Vietnamese, but has a sign of WXF.
    loosely: bool,
    /// A word may be either.
    shared: bool,
    /// A pawn may be called `C`.
    chot: bool,
}

impl LetterEvidence {
    /// That of these words.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> LetterEvidence {
        let mut evidence = LetterEvidence::default();
        words.into_iter().for_each(|word| evidence.add(word));
        evidence
    }

    /// Adds a word, with or without a number and marks.
    pub fn add(&mut self, word: &str) {
        let bare = without_number(word).trim_end_matches(['!', '?', '#']);
        let mut signs = bare.chars().rev().map(to_halfwidth);
        let ends_as_one = signs.next().is_some_and(|sign| sign.is_ascii_digit())
            && signs.next().is_some_and(|sign| "+-./=,".contains(sign));
        if !ends_as_one || bare.len() > MAX_BYTES {
            return;
        }
        let text = narrow(bare);
        let word = VietnameseWord::read(&text).filter(VietnameseWord::is_possible);
        if word.is_none() && self.wxf {
            return;
        }
        let is_wxf = is_possible_wxf(&text);
        match word {
            None => self.wxf |= is_wxf,
            Some(word) if is_wxf => {
                (self.wxf, self.shared) = (self.wxf || word.is_loose, self.shared || !word.is_loose);
                self.chot |= word.has_chot;
            }
            Some(word) if word.has_chot => self.chot = true,
            Some(word) if word.is_loose && !word.is_unmistakable => self.loosely = true,
            Some(_) => self.vietnamese = true,
        }
    }

    /// Reads a game in the notation of its words. Where they do not tell, in the one in which more of it is good; where
    /// that does not tell either and the moves differ, a word that means two moves is refused.
    pub fn read<T, Q: Ord>(
        self,
        read: impl Fn(Letters) -> T,
        quality: impl Fn(&T) -> Q,
        is_same: impl Fn(&T, &T) -> bool,
    ) -> T {
        match (self.wxf, self.vietnamese || self.loosely, self.shared) {
            (true, false, _) | (false, false, false) => return read(Letters::Wxf),
            (true, true, _) if !self.vietnamese => return read(Letters::Wxf),
            (false, true, _) => return read(Letters::Vietnamese),
            (true, true, _) | (false, false, true) => {}
        }
        let [wxf, vietnamese] = [read(Letters::Wxf), read(Letters::Vietnamese)];
        match quality(&wxf).cmp(&quality(&vietnamese)) {
            // Pawns are called `C` only where another word shows the notation.
            std::cmp::Ordering::Less if self.vietnamese || !self.chot => vietnamese,
            std::cmp::Ordering::Equal if !is_same(&wxf, &vietnamese) => read(Letters::Any),
            _ => wxf,
        }
    }
}

/// The notations that a text may be in, the likeliest first, each with the text normalised for comparison.
pub(crate) fn detect_notations(text: &str, letters: Letters) -> Vec<(Notation, String)> {
    let text = &*narrow(text);
    let is_square = matches!(text.as_bytes(), [file, rank] if (b'a'..=b'i').contains(file) && rank.is_ascii_digit());
    if is_square {
        vec![(Notation::Uci, text.to_string())]
    } else if text.is_ascii() {
        readings(text, letters)
    } else {
        vec![(Notation::Chinese, normalize_chinese(text))]
    }
}
