//! Names of openings in Chinese and English.
//!
//! Each line of `names.txt` holds a name and a move sequence. The name belongs to the final position, regardless of
//! move order and mirroring.

use super::moves::MirrorKey;
use chuhe_support::language::Language;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::LazyLock;
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position};

static NAMES_TEXT: &str = include_str!("names.txt");

/// Positions after this ply have no name.
pub const MAX_NAMED_PLY: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct OpeningName {
    pub chinese: &'static str,
    pub english: &'static str,
}

impl OpeningName {
    /// The name in the current language.
    pub fn localized(self) -> &'static str {
        let language = Language::current();
        if language == Language::CHINESE { self.chinese } else { language.translate(self.english) }
    }

    /// The same with the Chinese name before a foreign one.
    pub fn bilingual(self) -> String {
        let name = self.localized();
        if Language::current().is_chinese() { name.to_string() } else { format!("{} {name}", self.chinese) }
    }

    /// The name with this English form.
    pub fn with_english(english: &str) -> Option<OpeningName> {
        static NAMES: LazyLock<HashMap<&str, OpeningName>> =
            LazyLock::new(|| named_openings().iter().map(|opening| (opening.name.english, opening.name)).collect());
        NAMES.get(english).copied()
    }
}

/// A named opening or variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    pub name: OpeningName,
    /// The defining moves from the start position.
    pub moves: Vec<Move>,
}

/// All named openings, in table order.
pub fn named_openings() -> &'static [NamedOpening] {
    static SYSTEMS: LazyLock<Vec<NamedOpening>> = LazyLock::new(|| NAMES_TEXT.lines().filter_map(parse_line).collect());
    &SYSTEMS
}

fn parse_line(line: &'static str) -> Option<NamedOpening> {
    let mut words = line.split('\t');
    let moves = words.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(NamedOpening { name: OpeningName { chinese: words.next()?, english: words.next()? }, moves })
}

fn names_by_key() -> &'static HashMap<Key, OpeningName> {
    static NAMES: LazyLock<HashMap<Key, OpeningName>> = LazyLock::new(|| {
        let named = |system: &NamedOpening| {
            let mut position = Position::start();
            system.moves.iter().try_for_each(|&mv| position.play(mv)).ok()?;
            Some((MirrorKey::of(&position).key, system.name))
        };
        named_openings().iter().filter_map(named).collect()
    });
    &NAMES
}

/// The name of exactly this position.
pub fn name_of_position(position: &Position) -> Option<OpeningName> {
    names_by_key().get(&MirrorKey::of(position).key).copied()
}

/// The name of the position after a move.
pub fn name_after(position: &Position, mv: Move) -> Option<OpeningName> {
    name_of_position(&position.after(&[mv]))
}

/// The name of the latest named position of a game.
pub fn name_of_game(game: &Position) -> Option<OpeningName> {
    last_named(game).map(|(name, _)| name)
}

/// The latest named position of a game: its name, and the plies before it. Behind it the game leaves what has a name.
pub fn last_named(game: &Position) -> Option<(OpeningName, usize)> {
    let mut position = game.clone();
    while position.history_len() > MAX_NAMED_PLY {
        position.undo();
    }
    loop {
        if let Some(name) = name_of_position(&position) {
            return Some((name, position.history_len()));
        }
        if position.history_len() == 0 {
            return None;
        }
        position.undo();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn name_table_lines_name_distinct_positions() {
        assert_eq!(named_openings().len(), NAMES_TEXT.lines().count(), "every line can be read");
        assert!(named_openings().len() >= 60);
        assert_eq!(names_by_key().len(), named_openings().len(), "no two lines lead to the same position");
        let chinese: HashSet<&str> = named_openings().iter().map(|system| system.name.chinese).collect();
        let english: HashSet<&str> = named_openings().iter().map(|system| system.name.english).collect();
        assert_eq!((chinese.len(), english.len()), (named_openings().len(), named_openings().len()));
    }

    #[test]
    fn name_ignores_mirroring_and_move_order_and_lasts_until_the_next() {
        let called = |moves: &str| {
            let mut game = Position::start();
            for mv in moves.split_whitespace() {
                game.play(mv.parse().expect("a move")).expect("legal");
            }
            name_of_game(&game).map(|name| name.chinese)
        };
        assert_eq!(called(""), None);
        assert_eq!(called("h2e2 h7e7"), Some("顺炮"));
        assert_eq!(called("b2e2 b7e7"), Some("顺炮"), "in the mirror");
        assert_eq!(called("h2e2 h7e7 a0a1 a9a8"), Some("顺炮"), "until another name comes");
        let screen = Some("中炮对屏风马");
        assert_eq!(called("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"), screen);
        assert_eq!(called("h2e2 b9c7 h0g2 h9g7 i0h0 i9h9"), screen, "in another order");
        assert_eq!(called("e0e1"), None);
        let mut game = Position::start();
        for mv in ["h2e2", "h7e7", "a0a1", "a9a8"] {
            game.play(mv.parse().expect("a move")).expect("legal");
        }
        assert_eq!(last_named(&game).map(|(name, plies)| (name.chinese, plies)), Some(("顺炮", 2)), "where it is left");
    }
}
