//! Phrases with holes, and what they are in another language.
//!
//! The file has a phrase on a line, and what it is in the other language on the next one, behind a tab; `##` begins a remark. `{}` stands for
//! anything; the translation takes what stood there in the same order, or by number (`{2}`). What stands in a hole is
//! translated too, except between quotation marks, where people's own words are.

use std::collections::HashMap;
use std::sync::OnceLock;

/// How deep phrases stand in the holes of others.
const DEEPEST: usize = 6;
/// Letters of a phrase that is more than a word between two holes.
const TELLING: usize = 4;

/// A phrase, cut at its holes.
struct Phrase {
    pieces: Vec<&'static str>,
    translation: &'static str,
}

/// All phrases of a language.
pub struct Phrasebook {
    plain: HashMap<&'static str, &'static str>,
    /// Those with holes, the most telling first.
    holed: Vec<Phrase>,
}

impl Phrasebook {
    /// The phrases in Chinese.
    pub fn chinese() -> &'static Phrasebook {
        static BOOK: OnceLock<Phrasebook> = OnceLock::new();
        BOOK.get_or_init(|| Phrasebook::read(include_str!("chinese.txt")))
    }

    fn read(text: &'static str) -> Phrasebook {
        let mut book = Phrasebook { plain: HashMap::new(), holed: Vec::new() };
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("##"));
        while let (Some(phrase), Some(translation)) = (lines.next(), lines.next()) {
            let translation = translation.strip_prefix('\t').unwrap_or(translation);
            if phrase.contains("{}") {
                book.holed.push(Phrase { pieces: phrase.split("{}").collect(), translation });
            } else {
                book.plain.insert(phrase, translation);
            }
        }
        let told = |phrase: &Phrase| phrase.pieces.iter().map(|piece| piece.len()).sum::<usize>();
        book.holed.sort_by_key(|phrase| std::cmp::Reverse(told(phrase)));
        book
    }

    /// Whether this is one of the phrases.
    pub fn holds(&self, phrase: &str) -> bool {
        self.plain.contains_key(phrase) || self.holed.iter().any(|known| known.pieces.join("{}") == phrase)
    }

    /// A text, line by line.
    pub fn text(&self, text: &str) -> String {
        let lines: Vec<String> = text.split('\n').map(|line| self.line(line)).collect();
        lines.join("\n")
    }

    /// A line: as a whole, or else the columns of it, which stand two blanks apart.
    fn line(&self, line: &str) -> String {
        let (body, end) = line.split_at(line.trim_end().len());
        let (margin, body) = body.split_at(body.len() - body.trim_start().len());
        if let Some(whole) = self.phrase(body, DEEPEST) {
            return format!("{margin}{whole}{end}");
        }
        let mut translated = String::from(margin);
        let mut rest = body;
        while let Some(gap) = rest.find("  ") {
            let column = &rest[..gap];
            let behind = rest[gap..].trim_start();
            translated.push_str(&self.part(column, DEEPEST));
            translated.push_str(&rest[gap..rest.len() - behind.len()]);
            rest = behind;
        }
        translated + &self.part(rest, DEEPEST) + end
    }

    /// What stands in a hole or a column: a phrase, or something else.
    fn part(&self, text: &str, depth: usize) -> String {
        self.phrase(text, depth).unwrap_or_else(|| text.to_string())
    }

    fn phrase(&self, text: &str, depth: usize) -> Option<String> {
        if let Some(translation) = self.plain.get(text) {
            return Some((*translation).to_string());
        }
        if depth == 0 {
            return None;
        }
        let known = |phrase: &Phrase, least: usize| {
            let held = phrase.holes(text)?;
            let translated = |(index, &part): (usize, &&str)| {
                let is_quoted = phrase.pieces[index].ends_with(['\'', '`']);
                if is_quoted { None } else { self.phrase(part, depth - 1) }
            };
            let parts: Vec<Option<String>> = held.iter().enumerate().map(translated).collect();
            let parts_say = parts.iter().any(Option::is_some);
            let words: Vec<&str> =
                parts.iter().zip(&held).map(|(known, &part)| known.as_deref().unwrap_or(part)).collect();
            (phrase.letters() >= least || parts_say).then(|| filled(phrase.translation, &words))
        };
        // A phrase that is little but holes says something only if it knows what is in them, and one with a word like
        // `or` is taken for what it seems to be only if nothing else is.
        let with = |least: usize| self.holed.iter().find_map(|phrase| known(phrase, least));
        with(TELLING).or_else(|| with(1))
    }
}

impl Phrase {
    /// How many letters it has outside its holes.
    fn letters(&self) -> usize {
        self.pieces.iter().map(|piece| piece.chars().filter(|letter| letter.is_alphabetic()).count()).sum()
    }

    /// What stands in the holes if this is what was said.
    fn holes<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.pieces.split_first()?;
        let mut rest = text.strip_prefix(first)?;
        let mut held = Vec::with_capacity(others.len());
        for (index, piece) in others.iter().enumerate() {
            let at = if index + 1 == others.len() {
                rest.ends_with(piece).then(|| rest.len() - piece.len())?
            } else {
                rest.find(piece)?
            };
            held.push(&rest[..at]);
            rest = &rest[at + piece.len()..];
        }
        Some(held)
    }
}

/// A translation with what stood in the holes.
fn filled(translation: &str, parts: &[&str]) -> String {
    let mut text = String::new();
    let (mut rest, mut next) = (translation, 0);
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((number, after)) = behind.split_once('}') else { break };
        let index = number.parse::<usize>().map_or(next, |number| number.saturating_sub(1));
        text.push_str(before);
        text.push_str(parts.get(index).copied().unwrap_or_default());
        (rest, next) = (after, next + 1);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Phrasebook {
        Phrasebook::read(
            "red\n\t红方\n'{}' is no move\n\t“{}”不是着法\n{} has {} pieces\n\t有{2}个子的是{1}\n{}: {}\n\t{}：{}\nover\n\t完\n",
        )
    }

    #[test]
    fn phrases_are_found_around_what_they_hold() {
        let book = book();
        assert_eq!(book.text("'red' is no move"), "“red”不是着法");
        assert_eq!(book.text("red has 3 pieces"), "有3个子的是红方");
        assert_eq!(book.text("a.txt: 'x' is no move"), "a.txt：“x”不是着法");
        assert_eq!(book.text("a.txt: nothing known"), "a.txt: nothing known");
        assert_eq!(book.text("  over   red  what\n\nover"), "  完   红方  what\n\n完");
    }

    #[test]
    fn a_word_between_two_holes_does_not_tear_a_known_phrase() {
        let book = Phrasebook::read(
            "{} or {}\n\t{}或{}\n{}: {}\n\t{}：{}\nno file or folder\n\t没有\nred\n\t红方\n",
        );
        assert_eq!(book.text("a.pgn: no file or folder"), "a.pgn：没有");
        assert_eq!(book.text("炮二平五 or 炮八平五"), "炮二平五或炮八平五");
        assert_eq!(book.text("x: red or blue"), "x：红方或blue");
    }

    /// Which holes a translation fills, by number.
    fn filled_holes(translation: &str) -> Vec<usize> {
        let holes = translation.split('{').skip(1).map(|behind| behind.split('}').next().unwrap_or_default());
        let number = |(place, hole): (usize, &str)| hole.parse().unwrap_or(place + 1);
        holes.enumerate().map(number).collect()
    }

    #[test]
    fn every_translation_takes_the_holes_of_its_phrase_once() {
        let text = include_str!("chinese.txt");
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.is_empty() && !line.starts_with("##")).collect();
        assert!(lines.len() > 1000 && lines.len().is_multiple_of(2));
        let mut phrases = std::collections::HashSet::new();
        for pair in lines.chunks(2) {
            let (phrase, translation) = (pair[0], pair[1]);
            assert!(!phrase.starts_with('\t') && translation.starts_with('\t'), "{phrase}");
            assert!(phrases.insert(phrase), "twice: {phrase}");
            if phrase.split('{').skip(1).any(|behind| !behind.starts_with('}')) {
                // A template with names, of the other mechanism.
                continue;
            }
            let mut holes = filled_holes(translation);
            holes.sort_unstable();
            let mut wanted: Vec<usize> = (1..=phrase.matches("{}").count()).collect();
            // Who numbers the holes leaves one out on purpose.
            if !translation.contains("{}") && !holes.is_empty() {
                wanted.retain(|hole| holes.contains(hole));
            }
            assert_eq!(holes, wanted, "{phrase}{translation}");
        }
    }

    #[test]
    fn holes_are_counted_by_place_or_by_number() {
        assert_eq!(filled_holes("没有"), [0; 0]);
        assert_eq!(filled_holes("{}：{}"), [1, 2]);
        assert_eq!(filled_holes("有{2}个子的是{1}"), [2, 1]);
    }
}
