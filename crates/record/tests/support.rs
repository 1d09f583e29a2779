//! Random games, and functions that compare games.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::{Move, Position};
use xiangqi_record::{Game, GameCursor, GameResult, Nag, NodeId, ParsedGame, RecordError, RecordFile};

/// An endgame position with black to move.
pub const ENDGAME: &str = "3ak4/9/4b4/9/9/5N3/9/4B4/4A4/3AK4 b - - 7 41";

/// A random game with this many nodes, a third of them in variations, with comments and marks.
pub fn random_tree(start: &Position, places: usize, seed: u64) -> Game {
    let mut random = StdRng::seed_from_u64(seed);
    let mut game = Game::new(start);
    let mut cursor = GameCursor::new(&game);
    game[NodeId::ROOT].comment = ["", "about the game"][seed as usize % 2].to_string();
    for place in 0..places {
        let all: Vec<NodeId> = game.nodes().collect();
        let from = if random.random_range(0..6) == 0 { all[random.random_range(0..all.len())] } else { cursor.at() };
        cursor.go_to(&game, from);
        let has = |mv: &Move| game[from].children().iter().any(|&child| game[child].mv() == Some(*mv));
        let list: Vec<Move> = cursor.position().legal_moves().into_iter().filter(|mv| !has(mv)).collect();
        if list.is_empty() {
            continue;
        }
        let mv = list[random.random_range(0..list.len())];
        let id = cursor.play(&mut game, mv).expect("a legal move");
        match random.random_range(0..8) {
            0 => game[id].comment = format!("+0.{place}/7 1.0s"),
            1 => game[id].comment = "好棋\n后面还有".to_string(),
            2 => game[id].marks = vec![Nag(random.random_range(1..=6))],
            _ => {}
        }
    }
    game.set_tag("Event", "A \"test\" with \\ and 炮");
    game.set_tag("Red", "甲");
    game.result = GameResult::ALL[seed as usize % 4];
    game
}

/// Games of all kinds.
pub fn games() -> Vec<Game> {
    let endgame = Position::from_fen(ENDGAME).expect("a position");
    let mut games = vec![random_tree(&Position::start(), 0, 0)];
    games.extend((1..8).map(|seed| random_tree(&Position::start(), 120, seed)));
    games.extend((8..12).map(|seed| random_tree(&endgame, 60, seed)));
    games
}

/// The main line of a game.
pub fn moves(game: &Game) -> String {
    game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The contents of a game except its tags: start, tree, result.
pub fn shape(game: &Game) -> (String, String, GameResult) {
    (game.start().fen(), tree(game), game.result)
}

/// The tree of a game on one line: alternatives in brackets after the move that they replace.
pub fn tree(game: &Game) -> String {
    fn line(game: &Game, first: NodeId, alone: bool, text: &mut String) {
        let mut id = first;
        loop {
            let node = &game[id];
            if text.ends_with(|letter: char| letter.is_ascii_digit()) {
                text.push(' ');
            }
            text.push_str(&node.mv().expect("no root").to_string());
            node.marks.iter().for_each(|mark| text.push_str(&mark.to_string()));
            if !node.comment.is_empty() {
                text.push_str(&format!("{{{}}}", node.comment));
            }
            if alone || id != first {
                for &other in &game[node.parent()].children()[1..] {
                    text.push('(');
                    line(game, other, false, text);
                    text.push(')');
                }
            }
            match node.children().first() {
                Some(&next) => id = next,
                None => return,
            }
        }
    }
    let mut text = String::new();
    if !game[NodeId::ROOT].comment.is_empty() {
        text = format!("{{{}}}", game[NodeId::ROOT].comment);
    }
    if let Some(&first) = game[NodeId::ROOT].children().first() {
        line(game, first, true, &mut text);
    }
    text
}

/// A text in each encoding that can represent it.
pub fn in_all_encodings(text: &str) -> Vec<Vec<u8>> {
    let tables = [encoding_rs::UTF_8, encoding_rs::GBK, encoding_rs::BIG5];
    let written = tables.map(|table| table.encode(text));
    written.into_iter().filter(|(.., lost)| !lost).map(|(bytes, ..)| bytes.into_owned()).collect()
}

/// The detected format of a file, and the moves and errors of its games.
pub fn told(bytes: &[u8]) -> Vec<String> {
    let source = RecordFile::read(bytes.to_vec());
    let tell = |reading: Result<ParsedGame, RecordError>| match reading {
        Ok(reading) => {
            let words: Vec<String> = [tree(&reading.game), reading.game.result.to_string()]
                .into_iter()
                .chain(reading.errors.iter().map(ToString::to_string))
                .filter(|word| !word.is_empty())
                .collect();
            words.join(" | ")
        }
        Err(fault) => fault.to_string(),
    };
    [source.format().to_string()].into_iter().chain(source.games().map(tell)).collect()
}
