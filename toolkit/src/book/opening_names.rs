//! What openings are called: a table of names, in Chinese and English, for positions of the first moves.
//!
//! A line of `names_by_key.txt` is a name and the moves by which players know it; the position that they lead to bears it,
//! in whatever order it came about and on whichever wing.

use super::mirror::MirrorKey;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use std::collections::HashMap;
use std::sync::LazyLock;

static NAMES_TEXT: &str = include_str!("names.txt");

/// Later in a game no position has a name.
pub const MAX_NAMED_PLY: usize = 40;

/// The name of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct OpeningName {
    /// As Chinese players say it.
    pub chinese: &'static str,
    /// The same for the world.
    pub english: &'static str,
}

/// A system or one of its variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    /// What it is called.
    pub name: OpeningName,
    /// The moves from the start position by which it is known.
    pub moves: Vec<Move>,
}

/// All of them, in the order of the table.
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

/// The name of this very position.
pub fn name_of_position(position: &Position) -> Option<OpeningName> {
    names_by_key().get(&MirrorKey::of(position).key).copied()
}

/// What the opening is called after a move.
pub fn name_after(position: &Position, mv: Move) -> Option<OpeningName> {
    let mut next = position.clone();
    next.make_unchecked(mv);
    name_of_position(&next)
}

/// The name of the opening of a game: of its latest position that has one.
pub fn name_of_game(game: &Position) -> Option<OpeningName> {
    let mut position = game.clone();
    while position.history_len() > MAX_NAMED_PLY {
        position.unmake();
    }
    loop {
        if let Some(name) = name_of_position(&position) {
            return Some(name);
        }
        if position.history_len() == 0 {
            return None;
        }
        if position.last_move().is_none() {
            position.unmake_null();
        } else {
            position.unmake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_names_a_position_of_its_own() {
        assert_eq!(named_openings().len(), NAMES_TEXT.lines().count(), "every line can be read");
        assert!(named_openings().len() >= 60);
        assert_eq!(names_by_key().len(), named_openings().len(), "no two lines lead to the same position");
        let chinese: HashSet<&str> = named_openings().iter().map(|system| system.name.chinese).collect();
        let english: HashSet<&str> = named_openings().iter().map(|system| system.name.english).collect();
        assert_eq!((chinese.len(), english.len()), (named_openings().len(), named_openings().len()));
    }

    #[test]
    fn a_name_holds_on_either_wing_in_any_order_and_until_another_comes() {
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
    }
}
