//! The history of a position: repetitions, counters, earlier keys.

use xiangqi::{Move, Position};

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv: Move = text.parse().expect("a move");
        position.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn occurrence_count_starts_at_the_last_capture() {
    let mut position = Position::start();
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (None, 1));
    play(&mut position, "h0g2 h9g7 g2h0 g7h9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (Some(4), 2));
    play(&mut position, "h0g2 h9g7 g2h0 g7h9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (Some(4), 3));
    play(&mut position, "b2b9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (None, 1));
    assert_eq!(position.plies_since_capture(), 0);
}

#[test]
fn repetition_distance_finds_long_cycles() {
    let mut position = Position::start();
    play(&mut position, "a0a1 a9a8 a1d1 a8d8 d1a1 d8a8 a1a0 a8a9");
    assert_eq!(position.repetition_distance(), Some(8));
    assert_eq!(position.key_before(8), Some(position.key()));
    assert_eq!(position.key_before(0), Some(position.key()));
    assert_eq!(position.key_before(9), None);
}

#[test]
fn move_before_tells_move_and_check() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/5K3 w").expect("a position");
    play(&mut position, "a1d1 d9e9 f0f1");
    let remembered = |plies| position.move_before(plies).map(|(mv, check)| (mv.to_string(), check));
    assert_eq!(remembered(0), Some(("f0f1".into(), false)));
    assert_eq!(remembered(1), Some(("d9e9".into(), false)));
    assert_eq!(remembered(2), Some(("a1d1".into(), true)));
    assert_eq!(remembered(3), None);
}

#[test]
fn key_includes_the_side_to_move() {
    let red = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 w").expect("a position");
    let black = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 b").expect("a position");
    assert_ne!(red.key(), black.key());
}

#[test]
fn counters_continue_from_the_fen() {
    let mut position = Position::from_fen("4k4/9/9/9/9/4p4/9/9/9/4K4 b - - 118 40").expect("a position");
    assert_eq!((position.plies_since_capture(), position.game_ply()), (118, 79));
    play(&mut position, "e9e8 e0e1 e8e9");
    assert_eq!(position.fen(), "4k4/9/9/9/9/4p4/9/9/4K4/9 w - - 121 42");
    // An earlier repetition does not reach back before the history.
    assert_eq!(position.repetition_distance(), None);
}

#[test]
fn counters_saturate_in_long_games() {
    let mut position = Position::from_fen("4k4/9/9/9/9/4p4/9/9/9/4K4 w - - 65530 65530").expect("a position");
    for _ in 0..20_000 {
        play(&mut position, "e0e1 e9e8 e1e0 e8e9");
    }
    assert_eq!(position.plies_since_capture(), usize::from(u16::MAX));
    assert_eq!(position.repetition_distance(), Some(4));
    let reread = Position::from_fen(&position.fen()).expect("what is written can be read");
    assert_eq!(reread.key(), position.key());
}
