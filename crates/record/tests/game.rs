//! The game tree: cursor positions match the moves that lead to them.

use super::support::{ENDGAME, games, moves, random_tree};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::{Move, Position};
use xiangqi_record::{Game, GameCursor, NodeId};

#[test]
fn cursor_position_matches_its_node() {
    let mut random = StdRng::seed_from_u64(3);
    for game in games() {
        let all: Vec<NodeId> = game.nodes().collect();
        let mut cursor = GameCursor::new(&game);
        for _ in 0..100 {
            let id = all[random.random_range(0..all.len())];
            cursor.go_to(&game, id);
            let mut plain = game.start().clone();
            for step in game.line_to(id) {
                plain.play(game[step].mv().expect("no root")).expect("a legal move");
            }
            assert_eq!(cursor.at(), id);
            assert_eq!(cursor.position().fen(), plain.fen());
            assert_eq!(cursor.position().key(), plain.key());
            assert_eq!(game[id].ply(), plain.history_len() - game.start().history_len());
            assert_eq!(game.position_at(id).fen(), plain.fen());
        }
    }
}

#[test]
fn main_line_follows_first_children() {
    let game = random_tree(&Position::start(), 80, 4);
    let line: Vec<NodeId> = game.main_line().collect();
    assert_eq!(game.line_to(game.last()), line);
    assert!(line.len() < game.nodes().count() - 1, "there are variations");
    let start = Position::from_fen(ENDGAME).expect("a position");
    let list: Vec<Move> = ["e9e8", "f4d5"].iter().map(|mv| mv.parse().expect("a move")).collect();
    let short = Game::from_moves(&start, list.clone()).expect("legal moves");
    assert_eq!(moves(&short), "e9e8 f4d5");
    assert!(Game::from_moves(&start, list.into_iter().rev()).is_err());
}

#[test]
fn tree_depth_is_unlimited() {
    let mut game = Game::new(&Position::start());
    let mut cursor = GameCursor::new(&game);
    let there_and_back: Vec<Move> =
        ["h0g2", "h9g7", "g2h0", "g7h9"].iter().map(|mv| mv.parse().expect("a move")).collect();
    for mv in there_and_back.iter().cycle().take(100_000) {
        cursor.play(&mut game, *mv).expect("a legal move");
    }
    assert_eq!(game.main_line_nodes().count(), 100_000);
    cursor.go_to(&game, NodeId::ROOT);
    assert_eq!(cursor.position().fen(), Position::start().fen());
}
