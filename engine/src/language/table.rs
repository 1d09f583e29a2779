//! A table says every template of the program in one language. A template is an English sentence with named holes; it is
//! looked up as it stands in the source and filled afterwards, so that what stands in a hole is never taken for a word of the
//! program.
//!
//! The file has a template on a line, and what it is in the language on the next one, behind a tab; `##` begins a remark.
//! A translation names the same holes, in the order that its language wants.

use std::collections::HashMap;
use std::fmt::{Display, Write};

/// The templates of a language, each with its translation.
#[derive(Default)]
pub struct Table(HashMap<&'static str, &'static str>);

impl Table {
    /// Reads a table from the texts of its parts.
    pub fn read(texts: &[&'static str]) -> Table {
        let mut table = Table::default();
        for text in texts {
            let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("##"));
            while let (Some(template), Some(translation)) = (lines.next(), lines.next()) {
                table.0.insert(template, translation.strip_prefix('\t').unwrap_or(translation));
            }
        }
        table
    }

    /// What the language says for a template; the template itself where it says nothing.
    pub fn translation<'a>(&self, template: &'a str) -> &'a str {
        self.0.get(template).copied().unwrap_or(template)
    }

    /// All templates that it translates.
    pub fn templates(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

/// A template, or a translation of one, with its holes filled by name.
pub fn filled(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    let mut text = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        text.push_str(before);
        if let Some((_, value)) = holes.iter().find(|(hole, _)| *hole == name) {
            // A string takes everything; a value that fails to show itself leaves its hole empty.
            let _ = write!(text, "{value}");
        }
        rest = after;
    }
    text + rest
}

/// Whether every hole of a template has one of these names, and every name a hole: the compiler asks for each template.
pub const fn fits(template: &str, names: &[&str]) -> bool {
    let text = template.as_bytes();
    let (mut at, mut used) = (0, 0_u64);
    while at < text.len() {
        if text[at] == b'{' {
            let mut which = 0;
            while which < names.len() && !is_hole(text, at, names[which].as_bytes()) {
                which += 1;
            }
            if which == names.len() {
                return false;
            }
            used |= 1 << which;
            at += names[which].len() + 1;
        } else if text[at] == b'}' {
            return false;
        }
        at += 1;
    }
    used == (1 << names.len()) - 1
}

/// Whether the hole of this name begins at this byte.
const fn is_hole(text: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + 1 + name.len();
    if end >= text.len() || text[end] != b'}' {
        return false;
    }
    let mut letter = 0;
    while letter < name.len() {
        if text[at + 1 + letter] != name[letter] {
            return false;
        }
        letter += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_name_and_what_they_hold_stays_as_it_is() {
        let holes: [(&str, &dyn Display); 2] = [("file", &"a{count}.pgn"), ("count", &3)];
        assert_eq!(filled("{file}: {count} games", &holes), "a{count}.pgn: 3 games");
        assert_eq!(filled("{count} 盘（{file}）", &holes), "3 盘（a{count}.pgn）");
        assert_eq!(filled("nothing", &[]), "nothing");
    }

    #[test]
    fn a_template_fits_the_names_that_are_its_holes() {
        assert!(fits("nothing", &[]) && fits("{side} and {side}", &["side"]) && fits("{a}{b}", &["b", "a"]));
        assert!(!fits("{side}", &[]) && !fits("{side}", &["sid"]) && !fits("{sid}", &["side"]));
        assert!(!fits("no hole", &["side"]) && !fits("{side", &["side"]) && !fits("side}", &["side"]));
        assert!(!fits("{}", &[]) && !fits("{side:?}", &["side"]));
    }

    #[test]
    fn what_a_table_does_not_know_stays_english() {
        let table = Table::read(&["## A remark.\nred\n\tđỏ\n", "{a} beats {b}\n\t{b} thua {a}\n"]);
        assert_eq!(table.translation("red"), "đỏ");
        assert_eq!(table.translation("black"), "black");
        assert_eq!(table.translation("{a} beats {b}"), "{b} thua {a}");
    }
}
