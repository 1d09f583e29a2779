//! What openings are called: a table of names, in Chinese and English, for positions of the first moves.
//!
//! A line of `names.txt` is a name and the moves by which players know it; the position that they lead to bears it,
//! in whatever order it came about and on whichever wing.

use super::fold::Folded;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use std::collections::HashMap;
use std::sync::LazyLock;

static TABLE: &str = include_str!("names.txt");

/// Later in a game no position has a name.
pub const LATEST: usize = 40;

/// The name of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Name {
    /// As Chinese players say it.
    pub chinese: &'static str,
    /// The same for the world.
    pub english: &'static str,
}

/// A system or one of its variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// What it is called.
    pub name: Name,
    /// The moves from the start position by which it is known.
    pub moves: Vec<Move>,
}

/// All of them, in the order of the table.
pub fn systems() -> &'static [System] {
    static SYSTEMS: LazyLock<Vec<System>> = LazyLock::new(|| TABLE.lines().filter_map(system).collect());
    &SYSTEMS
}

fn system(line: &'static str) -> Option<System> {
    let mut words = line.split('\t');
    let moves = words.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(System { name: Name { chinese: words.next()?, english: words.next()? }, moves })
}

fn names() -> &'static HashMap<Key, Name> {
    static NAMES: LazyLock<HashMap<Key, Name>> = LazyLock::new(|| {
        let named = |system: &System| {
            let mut position = Position::start();
            system.moves.iter().try_for_each(|&mv| position.play(mv)).ok()?;
            Some((Folded::of(&position).key, system.name))
        };
        systems().iter().filter_map(named).collect()
    });
    &NAMES
}

/// The name of this very position.
pub fn of_position(position: &Position) -> Option<Name> {
    names().get(&Folded::of(position).key).copied()
}

/// What the opening is called after a move.
pub fn after(position: &Position, mv: Move) -> Option<Name> {
    let mut next = position.clone();
    next.make(mv);
    of_position(&next)
}

/// The name of the opening of a game: of its latest position that has one.
pub fn of_game(game: &Position) -> Option<Name> {
    let mut position = game.clone();
    while position.history_len() > LATEST {
        position.unmake();
    }
    loop {
        if let Some(name) = of_position(&position) {
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
        assert_eq!(systems().len(), TABLE.lines().count(), "every line can be read");
        assert!(systems().len() >= 60);
        assert_eq!(names().len(), systems().len(), "no two lines lead to the same position");
        let chinese: HashSet<&str> = systems().iter().map(|system| system.name.chinese).collect();
        let english: HashSet<&str> = systems().iter().map(|system| system.name.english).collect();
        assert_eq!((chinese.len(), english.len()), (systems().len(), systems().len()));
    }

    #[test]
    fn a_name_holds_on_either_wing_in_any_order_and_until_another_comes() {
        let called = |moves: &str| {
            let mut game = Position::start();
            for mv in moves.split_whitespace() {
                game.play(mv.parse().expect("a move")).expect("legal");
            }
            of_game(&game).map(|name| name.chinese)
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
