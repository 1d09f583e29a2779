//! Lines that are added, changed, taken out, written and read back.

use super::{board, boards_after};
use crate::support::{after, moves};
use chuhe_study::repertoire::{OpeningCounts, Repertoire, colour_of};
use chuhe_testing::property_cases;
use proptest::prelude::*;
use std::collections::HashMap;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, RecordFile};

/// Lines in which few moves are chosen from, some of them in the mirror.
fn some_repertoire() -> impl Strategy<Value = Repertoire> {
    let line = (prop::collection::vec(0..3usize, 1..14), any::<bool>());
    (prop::collection::vec(line, 1..12), any::<bool>()).prop_map(|(lines, is_red)| {
        let mut repertoire = Repertoire::new(if is_red { Color::Red } else { Color::Black });
        for (choices, is_mirrored) in lines {
            let (mut position, mut line) = (Position::start(), Vec::new());
            for choice in choices {
                let legal = position.legal_moves();
                let mv: Move = legal[choice.min(legal.len() - 1)];
                position.play(mv).expect("a legal move");
                line.push(if is_mirrored { mv.mirror() } else { mv });
            }
            repertoire.add_line(&line).expect("room for it");
        }
        repertoire
    })
}

/// Where the moves of each position lead to.
fn told(repertoire: &Repertoire) -> HashMap<String, Vec<String>> {
    let mut told = HashMap::new();
    repertoire.walk(&mut |place| {
        let mut ends: Vec<String> = boards_after(place.position, place.moves).into_iter().collect();
        ends.sort_unstable();
        told.insert(board(place.position), ends);
    });
    told
}

proptest! {
    #![proptest_config(property_cases(60))]

    #[test]
    fn repertoire_is_the_same_after_a_file(repertoire in some_repertoire()) {
        for format in [OutputFormat::Pgn, OutputFormat::Xqf] {
            let bytes = format.write(&repertoire.to_game(), Notation::Chinese, Encoding::Utf8).expect("a full set");
            let games: Vec<Game> =
                RecordFile::read(bytes).games().map(|game| game.expect("readable").into_game().expect("sound")).collect();
            prop_assert_eq!(colour_of(&games), Some(repertoire.colour()));
            let mut read = Repertoire::new(repertoire.colour());
            prop_assert_eq!(read.add_games(&games).expect("lines"), repertoire.len());
            prop_assert_eq!(&read, &repertoire, "{}", format);
        }
    }

    #[test]
    fn removed_move_takes_what_it_alone_reached(repertoire in some_repertoire(), which in any::<prop::sample::Index>()) {
        let mut places = Vec::new();
        repertoire.walk(&mut |place| {
            places.extend(place.moves.iter().map(|&mv| (place.position.clone(), mv)));
        });
        let (position, mv) = which.get(&places);
        let mut left = repertoire.clone();
        prop_assert!(left.remove_move(position, *mv));
        prop_assert!(!left.has(position, *mv) && !left.remove_move(position, *mv));
        // Built anew of the moves that are left, from the start on.
        let (before, mut expected) = (told(&repertoire), HashMap::new());
        let gone = boards_after(position, &[*mv]);
        let mut open = vec![board(&Position::start())];
        while let Some(place) = open.pop() {
            expected.entry(place.clone()).or_insert_with(|| {
                let is_changed = place == board(position);
                let ends: Vec<String> =
                    before[&place].iter().filter(|end| !is_changed || !gone.contains(*end)).cloned().collect();
                open.extend(ends.iter().cloned());
                ends
            });
        }
        prop_assert_eq!(told(&left), expected);
        prop_assert_eq!(left.stored().values().filter(|moves| moves.is_empty()).count(), 0);
    }
}

#[test]
fn other_orders_and_mirror_images_are_the_same_position() {
    let mut red = Repertoire::new(Color::Red);
    red.add_line(&moves("h2e2 h9g7 h0g2 i9h9 i0h0")).expect("room");
    let other = after("b2e2 b9c7 b0c2 a9b9");
    assert_eq!(red.moves(&other), moves("a0b0"), "in the mirror");
    red.add_line(&moves("h2e2 h9g7 h0g2 b9c7 c3c4")).expect("room");
    let turned = after("h2e2 b9c7 h0g2 h9g7");
    assert_eq!(red.moves(&turned), moves("c3c4"), "by another order of moves");
    assert!(red.has(&Position::start(), moves("b2e2")[0]), "the start is its own mirror image");
    assert_eq!(red.add_line(&moves("b2e2 b9c7 b0c2 a9b9 a0b0")).expect("room"), 0, "nothing new");
    assert_eq!(red.moves(&Position::start()), moves("h2e2"), "as it was added");
    red.add_line(&moves("c3c4 b7d7")).expect("room");
    assert_eq!(red.moves(&Position::start()), moves("h2e2 c3c4"));
    red.set_main(&Position::start(), moves("g3g4")[0]);
    assert_eq!(red.moves(&Position::start()), moves("c3c4 h2e2"), "the mirror image of a move means it");
    assert_eq!(red.main_line(&Position::start()), moves("c3c4 b7d7"));
    assert!(red.remove_move(&Position::start(), moves("g3g4")[0]));
    assert_eq!((red.moves(&Position::start()), red.len()), (moves("h2e2"), 7));
}

#[test]
fn most_played_and_least_lost_is_the_move() {
    let game = |line: &str, result| {
        let mut game = Game::from_moves(&Position::start(), moves(line)).expect("legal moves");
        game.result = result;
        game
    };
    use xiangqi_record::GameResult::{BlackWins, RedWins};
    let mut counts = OpeningCounts::new(24);
    // Ten games lost with one move, six won with another.
    (0..10).for_each(|_| _ = counts.add(&game("h2e2 h9g7", BlackWins)));
    (0..3).for_each(|_| _ = counts.add(&game("c3c4 b7d7 h2e2", RedWins)));
    (0..3).for_each(|_| _ = counts.add(&game("g3g4 h7f7 b2e2", RedWins)));
    let of = |colour| Repertoire::of_games(colour, &counts, 2).expect("room");
    assert_eq!(of(Color::Red).main_line(&Position::start()), moves("g3g4 h7f7 b2e2"));
    assert_eq!(of(Color::Black).moves(&after("h2e2")), moves("h9g7"));
    assert_eq!(Repertoire::of_games(Color::Red, &counts, 7).expect("room").len(), 1);
    assert!(Repertoire::of_games(Color::Red, &counts, 11).expect("room").is_empty());
    // What is there stays, and is gone on from.
    let mut mine = Repertoire::new(Color::Red);
    mine.add_line(&moves("h2e2")).expect("room");
    let more = mine.with_games(&counts, 2).expect("room");
    assert_eq!((more.moves(&Position::start()), more.len()), (moves("h2e2"), 1), "no answer has a move of red");
    let mut mine = Repertoire::new(Color::Red);
    mine.add_line(&moves("g3g4 g6g5 g0e2")).expect("room");
    let more = mine.with_games(&counts, 2).expect("room");
    assert_eq!(more.moves(&after("g3g4")), moves("g6g5 h7f7"), "what is there comes first");
    assert_eq!(more.own_positions_from(&after("g3g4 h7f7")), 1);
}

#[test]
fn colour_is_told_by_the_file_or_by_its_alternatives() {
    let read = |text: &str| -> Vec<Game> {
        RecordFile::read(text.as_bytes()).games().map(|game| game.expect("readable").game).collect()
    };
    assert_eq!(colour_of(&read("1. h2e2 (1. c3c4 b7d7) h9g7 *")), Some(Color::Black), "red has an alternative");
    assert_eq!(colour_of(&read("1. h2e2 h9g7 (1... b9c7 2. b0c2) 2. h0g2 *")), Some(Color::Red));
    assert_eq!(colour_of(&read("1. h2e2 h9g7 2. h0g2 *")), Some(Color::Red), "red has the last word");
    assert_eq!(colour_of(&read("1. h2e2 h9g7 *\n\n1. h2e2 b7e7 *")), Some(Color::Red), "two games as well");
    assert_eq!(colour_of(&read("[Event \"Repertoire: black\"]\n\n1. h2e2 h9g7 2. h0g2 *")), Some(Color::Black));
    assert_eq!(
        colour_of(&read("1. h2e2 h9g7 *\n\n1. h2e2 h9g7 2. h0g2 (2. c3c4) b9c7 (2... c6c5) *")),
        Some(Color::Black)
    );
    assert_eq!(colour_of(&[]), None);
    let ending = read("[FEN \"4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 0 1\"]\n\n1. d1e1 *");
    Repertoire::new(Color::Red).add_games(&ending).expect_err("it begins elsewhere");
    assert_eq!(Repertoire::new(Color::Red).follow(&ending[0]), None);
}
