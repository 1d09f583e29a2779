//! The Vietnamese notation: written, read, and told from WXF.

use super::support::told;
use chuhe_testing::position;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use xiangqi::fen::START_FEN as START;
use xiangqi::{Color, Move, PieceKind, Position, Square};
use xiangqi_record::notation::{self, ReadOptions, format, parse};
use xiangqi_record::{Notation, PositionSpec, intended_move, short_notation};

const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
/// `C7.1` is the cannon that goes to file 1 in WXF, and the pawn that goes forward in Vietnamese.
const TWO_MEANINGS: &str = "3k5/9/9/9/9/9/2P6/9/2C6/4K4 w";
/// `P3.2` is the pawn that goes to file 2 in WXF, and the cannon that goes forward in Vietnamese.
const PAWN_OR_CANNON: &str = "1c1k5/9/9/6P2/9/9/9/6C2/9/5K3 w";

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn parse_as(position: &Position, text: &str, notation: Notation) -> Option<Move> {
    notation::parse_with(position, text, Some(notation)).ok()
}

/// FEN, move, text; written down by hand.
const CASES: [(&str, &str, &str); 42] = [
    (START, "h2e2", "P2-5"),
    (START, "b2e2", "P8-5"),
    (START, "b2b6", "P8.4"),
    (START, "h2h1", "P2/1"),
    (START, "h0g2", "M2.3"),
    (START, "i0i1", "X1.1"),
    (START, "c3c4", "B7.1"),
    (START, "c0e2", "T7.5"),
    (START, "d0e1", "S6.5"),
    (START, "e0e1", "Tg5.1"),
    (START_BLACK, "h9g7", "M8.7"),
    (START_BLACK, "b7e7", "P2-5"),
    (START_BLACK, "b7b8", "P2/1"),
    (START_BLACK, "a9a7", "X1.2"),
    (START_BLACK, "c6c5", "B3.1"),
    (START_BLACK, "c9e7", "T3.5"),
    (START_BLACK, "f9e8", "S6.5"),
    (START_BLACK, "e9e8", "Tg5.1"),
    ("3k5/9/9/9/R8/4N4/9/4B4/4A4/4K4 w", "a5a0", "X9/5"),
    ("3k5/9/9/9/R8/4N4/9/4B4/4A4/4K4 w", "e4d2", "M5/6"),
    ("3k5/9/9/9/R8/4N4/9/4B4/4A4/4K4 w", "e2c0", "T5/7"),
    ("3k5/9/9/9/R8/4N4/9/4B4/4A4/4K4 w", "e1f0", "S5/4"),
    // Two on a file: the front one is the one farther from home, for either side.
    ("3k5/9/9/4R4/9/9/9/4R4/9/5K3 w", "e6f6", "Xt-4"),
    ("3k5/9/9/4R4/9/9/9/4R4/9/5K3 w", "e2e4", "Xs.2"),
    ("3k5/9/4r4/9/9/9/9/4r4/9/5K3 b", "e2e3", "Xt/1"),
    ("3k5/9/4r4/9/9/9/9/4r4/9/5K3 b", "e7i7", "Xs-9"),
    ("4k4/9/9/4N4/9/4N4/9/9/9/4K4 w", "e6c7", "Mt.7"),
    ("4k4/9/9/4N4/9/4N4/9/9/9/4K4 w", "e4c5", "Ms.7"),
    ("4k4/2c6/9/9/9/2c6/9/9/9/3K5 b", "c4f4", "Pt-6"),
    ("4k4/2c6/9/9/9/2c6/9/9/9/3K5 b", "c8c6", "Ps.2"),
    // Three pawns on a file, for either side.
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e7e8", "Bt.1"),
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e6f6", "Bg-4"),
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e5d5", "Bs-6"),
    ("5k3/9/9/9/9/4p4/4p4/4p4/9/3K5 b", "e2e1", "Bt.1"),
    ("5k3/9/9/9/9/4p4/4p4/4p4/9/3K5 b", "e3d3", "Bg-4"),
    ("5k3/9/9/9/9/4p4/4p4/4p4/9/3K5 b", "e4f4", "Bs-6"),
    // Two files with several pawns each, and more than three on one.
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "g7g8", "Bt3.1"),
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "c6b6", "Bs7-8"),
    ("3k5/4P4/2P1P4/2P1P4/9/9/9/9/9/5K3 w", "e7f7", "Bg5-4"),
    ("5k3/9/9/9/9/1p4p2/1p4p2/9/9/3K5 b", "b3a3", "Bt2-1"),
    ("3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w", "e8f8", "1B-4"),
    ("3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w", "e5f5", "4B-4"),
];

#[test]
fn vietnamese_is_written_as_players_write_it_and_read_back() {
    for (fen, text, expected) in CASES {
        let position = position(fen);
        assert_eq!(format(&position, mv(text), Notation::Vietnamese), expected, "{text} in {fen}");
        assert_eq!(parse_as(&position, expected, Notation::Vietnamese), Some(mv(text)), "{expected} in {fen}");
        // None of them means another move in WXF.
        assert_eq!(parse(&position, expected), Ok(mv(text)), "{expected} in {fen}");
    }
}

#[test]
fn vietnamese_is_read_as_players_type_it() {
    let start = position(START);
    for (expected, texts) in [
        ("h2e2", &["p2-5", "Ｐ２－５", "P2–5", "P2=5", "1. P2-5.", "P2-5!"][..]),
        ("h0g2", &["m2.3", "Ｍ２．３", "M2,3", "M2+3", "M.3", "M3"]),
        ("e0e1", &["TG5.1", "tg5.1", "Tg.1", "Tg"]),
        ("c0e2", &["t7.5", "T7,5"]),
        ("c3c4", &["b7.1", "B7,1"]),
        ("i0i1", &["x1.1", "X1.1?"]),
    ] {
        for text in texts {
            assert_eq!(short_notation::parse(&start, text), Ok(mv(expected)), "{text}");
            assert_eq!(
                short_notation::parse_with(&start, text, Some(Notation::Vietnamese)),
                Ok(mv(expected)),
                "{text}"
            );
        }
    }
    // Pawns in short are bishops in WXF, as other programs write them.
    assert_eq!(short_notation::parse_with(&start, "B7", Some(Notation::Vietnamese)), Ok(mv("c3c4")));
    let told = short_notation::parse(&start, "B7").map_err(|error| error.to_string());
    assert_eq!(told, Err("'B7' may be B7.1 or E7+5 or E7+9".to_string()));
    let pawns = position("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w");
    for (expected, texts) in [("e7f7", ["Bt-4", "BT-4", "bt5-4", "1B-4"]), ("e5f5", ["Bs-4", "Cs-4", "Bs5=4", "3B-4"])]
    {
        for text in texts {
            assert_eq!(parse_as(&pawns, text, Notation::Vietnamese), Some(mv(expected)), "{text}");
        }
    }
    for text in ["", "P", "Px-5", "P2--5", "P2-5-", "P0-5", "Z2-5", "Tg5.11", "P22-5", "Pt", "\u{ff30}", "P2 -5"] {
        assert_eq!(parse_as(&start, text, Notation::Vietnamese), None, "{text}");
    }
}

#[test]
fn illegal_vietnamese_moves_are_explained_in_their_names() {
    let start = position(START);
    let told = |text: &str| intended_move::parse(&start, text).expect_err("no move").to_string();
    assert_eq!(told("M2.4"), "'M2.4' is not possible: T3 blocks the leg of the horse");
    assert_eq!(told("X1.5"), "'X1.5' is not possible: B1 stands in between");
    assert_eq!(told("M3.5"), "'M3.5' is not possible: there is no M3");
    assert_eq!(told("Tg5-4"), "'Tg5-4' is not possible: its own S4 stands there");
    assert_eq!(told("Tg4.1"), "'Tg4.1' is not possible: there is no Tg4");
    assert_eq!(told("B5-6"), "'B5-6' is not possible: a pawn goes sideways only beyond the river");
    assert_eq!(told("P2.5"), "'P2.5' is not possible: a cannon takes over exactly one piece in between");
    assert_eq!(told("P5"), "'P5' may be P2-5 or P5+1 or P8-5");
    let chosen = short_notation::parse_with(&start, "P5", Some(Notation::Wxf));
    assert_eq!(chosen, Ok(mv("e3e4")));
}

#[test]
fn word_that_means_two_moves_is_refused_unless_a_notation_was_chosen() {
    for (fen, text, [wxf, vietnamese]) in [
        (TWO_MEANINGS, "C7.1", ["c1i1", "c3c4"]),
        (PAWN_OR_CANNON, "P3.2", ["g6h6", "g2g4"]),
        ("3k5/9/9/4P4/4C4/9/9/9/9/5K3 w", "C5-4", ["e5e1", "e6f6"]),
        ("3k5/9/9/4P4/4C4/9/9/9/9/5K3 w", "Ｃ5-4", ["e5e1", "e6f6"]),
    ] {
        let position = position(fen);
        let sentence = format!("'{text}' is {wxf} in WXF and {vietnamese} in Vietnamese notation");
        assert_eq!(parse(&position, text).map_err(|error| error.to_string()), Err(sentence.clone()));
        let typed = intended_move::parse(&position, text).map_err(|error| error.to_string());
        assert_eq!(typed, Err(sentence));
        assert_eq!(parse_as(&position, text, Notation::Wxf), Some(mv(wxf)));
        assert_eq!(parse_as(&position, text, Notation::Vietnamese), Some(mv(vietnamese)));
    }
    // The sign of WXF tells.
    assert_eq!(parse(&position(TWO_MEANINGS), "C7=1"), Ok(mv("c1i1")));
    // Without a choice a cannon is meant, whatever may move.
    let start = position(START);
    let error = parse(&start, "C7.1").expect_err("no cannon").to_string();
    assert_eq!(error, "'C7.1' is no legal move in this position: there is no C7");
    assert_eq!(parse_as(&start, "C7.1", Notation::Vietnamese), Some(mv("c3c4")));
    // The notation that was chosen is not left for a move that is not legal in it.
    assert_eq!(parse_as(&start, "P2.3", Notation::Wxf), None);
    assert_eq!(parse(&start, "P2.3"), Ok(mv("h2h5")));
    // Words that cannot be of it are read as ever.
    assert_eq!(parse_as(&start, "M2.3", Notation::Wxf), Some(mv("h0g2")));
    assert_eq!(parse_as(&start, "H2+3", Notation::Vietnamese), Some(mv("h0g2")));
    assert_eq!(parse_as(&start, "炮二平五", Notation::Vietnamese), Some(mv("h2e2")));
}

#[test]
fn games_are_read_in_one_notation() {
    let with_fen = |fen: &str, rest: &str| format!("[FEN \"{fen}\"]\n{rest}");
    for (text, expected) in [
        ("1. P2-5 M8.7 2. M2.3 X9-8 3. X1-2 P8.4 *\n".to_string(), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 | *"),
        // The words around it say that a pawn is meant.
        ("1. C7.1 M8.7 2. P2-5 C7.1 *\n".to_string(), "c3c4 h9g7 h2e2 g6g5 | *"),
        // Either notation is shown by the other move.
        (with_fen(PAWN_OR_CANNON, "\n1. P3.2 Tg4-5 *\n"), "g2g4 d9e9 | *"),
        (with_fen(PAWN_OR_CANNON, "\n1. P3.2 K4.5 *\n"), "g6h6 d9e9 | *"),
        // Only one of them is legal to the end.
        (with_fen(PAWN_OR_CANNON, "\n1. P3.2 P2.3 *\n"), "g2g4 b9b6 | *"),
        // The record says which one it is.
        (with_fen(TWO_MEANINGS, "[Format \"WXF\"]\n\n1. C7.1 *\n"), "c1i1 | *"),
        (with_fen(TWO_MEANINGS, "[Format \"Vietnamese\"]\n\n1. C7.1 *\n"), "c3c4 | *"),
        // Nothing does.
        (
            with_fen(TWO_MEANINGS, "\n1. C7.1 *\n"),
            "* | game 1, line 3: move 1: 'C7.1' is c1i1 in WXF and c3c4 in Vietnamese notation",
        ),
        (
            with_fen(PAWN_OR_CANNON, "\n1. P3.2 d9e9 2. f0f1 *\n"),
            "* | game 1, line 3: move 1: 'P3.2' is g6h6 in WXF and g2g4 in Vietnamese notation",
        ),
        (
            with_fen(PAWN_OR_CANNON, "\n1. g2g3 (1. P3.2) d9e9 *\n"),
            "g2g3{1. P3.2}d9e9 | * | game 1, line 3: move 1: 'P3.2' is g6h6 in WXF and g2g4 in Vietnamese notation",
        ),
        // A game is not read in both.
        (
            "1. P2-5 H8+7 *\n".to_string(),
            "h2e2 | * | game 1, line 1: move 1: 'H8+7' is no legal move in this position: it is in WXF notation, and the rest is in \
             Vietnamese notation",
        ),
        // A pawn is not called C where nothing shows the notation.
        ("1. C7.1 *\n".to_string(), "game 1, line 1: move 1: 'C7.1' is no legal move in this position: there is no C7"),
        // What may be WXF with a slip is not taken for the other notation.
        (
            "1. C2.5 H8+7 2. P2+5 *\n".to_string(),
            "h2e2 h9g7 | * | game 1, line 1: move 2: 'P2+5' is no legal move in this position: there is no P2",
        ),
    ] {
        assert_eq!(told(text.as_bytes())[1..], [expected], "{text}");
    }
    // In other formats.
    let playok = "FORMAT\tWXF\nSTART{\n1. P7+1 p7+1\n2. P3.4\n}END\n";
    assert!(told(playok.as_bytes())[1].contains("a pawn goes sideways only beyond the river"));
    assert_eq!(told("P2-5 M8,7 {Xe} M2.3,X9-8".as_bytes())[1..], ["h2e2 h9g7{Xe}h0g2 i9h9 | *"]);
    assert_eq!(told("startpos moves P2-5 M8.7\n".as_bytes())[1..], ["h2e2 h9g7 | *"]);
}

#[test]
fn lists_of_moves_are_read_in_one_notation() {
    let play = |line: &str, notation| {
        let spec = PositionSpec::parse_line(line);
        let mut start = spec.start_position(false).expect("a position");
        let options = ReadOptions { notation, ..ReadOptions::default() };
        let moves = spec.play_moves(&mut start, options).map_err(|error| error.to_string())?;
        assert_eq!(start.history_len(), moves.len());
        Ok::<_, String>(moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
    };
    // The first word has a slash and is no board.
    assert_eq!(play("P2/1 M8.7 P2.1", None).as_deref(), Ok("h2h1 h9g7 h1h2"));
    assert_eq!(play("P2-5 炮8平5 h0g2", None).as_deref(), Ok("h2e2 h7e7 h0g2"));
    assert_eq!(play(&format!("{PAWN_OR_CANNON} moves P3.2 P2.3"), None).as_deref(), Ok("g2g4 b9b6"));
    let both = format!("{TWO_MEANINGS} moves C7.1");
    let refused = "move 1: 'C7.1' is c1i1 in WXF and c3c4 in Vietnamese notation";
    assert_eq!(play(&both, None), Err(refused.to_string()));
    assert_eq!(play(&both, Some(Notation::Wxf)).as_deref(), Ok("c1i1"));
    assert_eq!(play(&both, Some(Notation::Vietnamese)).as_deref(), Ok("c3c4"));
}

/// A move in Vietnamese, from its WXF.
fn from_wxf(position: &Position, wxf: &str) -> String {
    let [first, second, sign, number] = wxf.chars().collect::<Vec<_>>()[..] else { panic!("{wxf}") };
    let letters = |letter: char| {
        let place = "KAEHRCP".find(letter).expect(wxf);
        ["Tg", "S", "T", "M", "X", "P", "B"][place]
    };
    let head = match first {
        '+' => format!("{}t", letters(second)),
        '-' => format!("{}s", letters(second)),
        'a'..='z' => {
            // The pawns that share their file, a file after the other from the mover's right, each from the front.
            let side = position.side();
            let pawns: Vec<Square> = position.squares(side, PieceKind::Pawn).to_vec();
            let mut files: Vec<Vec<Square>> = (0..9)
                .map(|file| if side == Color::Red { 8 - file } else { file })
                .map(|file| pawns.iter().copied().filter(|pawn| pawn.file() == file).collect())
                .filter(|file: &Vec<Square>| file.len() > 1)
                .collect();
            for file in &mut files {
                file.sort_unstable_by_key(|pawn| pawn.rank());
                if side == Color::Red {
                    file.reverse();
                }
            }
            let mut index = first as usize - 'a' as usize;
            let own = files.iter().find(|file| index < file.len() || (index -= file.len(), false).1).expect(wxf);
            let number = if side == Color::Red { 9 - own[0].file() } else { own[0].file() + 1 };
            let head = match own.len() {
                2 => format!("B{}", ["t", "s"][index]),
                3 => format!("B{}", ["t", "g", "s"][index]),
                _ => format!("{}B", index + 1),
            };
            if files.len() == 1 { head } else { format!("{head}{number}") }
        }
        letter => format!("{}{second}", letters(letter)),
    };
    let sign = match sign {
        '+' => '.',
        '-' => '/',
        _ => '-',
    };
    format!("{head}{sign}{number}")
}

/// Positions with a few pieces and many pawns, which share files.
fn pawn_positions(count: usize) -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(5);
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = [['1'; 9]; 10];
        for _ in 0..random.random_range(2..6) {
            board[random.random_range(1..5)][3 + random.random_range(0..3) * 2 % 3] = 'P';
            board[random.random_range(5..9)][random.random_range(2..5)] = 'p';
        }
        for (piece, black) in [('C', 'c'), ('N', 'n'), ('R', 'r')] {
            board[random.random_range(0..10)][random.random_range(0..9)] = piece;
            board[random.random_range(0..10)][random.random_range(0..9)] = black;
        }
        board[0][3 + random.random_range(0..3)] = 'k';
        board[9][3 + random.random_range(0..3)] = 'K';
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let side = ['w', 'b'][found.len() % 2];
        found.extend(Position::from_fen(&format!("{} {side}", ranks.join("/"))).ok());
    }
    found
}

#[test]
fn vietnamese_says_what_wxf_says_and_is_read_back() {
    let mut random = StdRng::seed_from_u64(23);
    let mut refused = 0;
    let mut check = |position: &Position, all: bool| {
        let moves: Vec<Move> = position.legal_moves().to_vec();
        let texts: Vec<String> = moves.iter().map(|&mv| format(position, mv, Notation::Vietnamese)).collect();
        assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), moves.len(), "{}", position.fen());
        let sample = if moves.is_empty() { 0 } else { random.random_range(0..moves.len()) };
        for (index, (&mv, text)) in moves.iter().zip(&texts).enumerate() {
            let wxf = format(position, mv, Notation::Wxf);
            assert_eq!(from_wxf(position, &wxf), *text, "{wxf} in {}", position.fen());
            assert_eq!(parse_as(position, text, Notation::Vietnamese), Some(mv), "{text} in {}", position.fen());
            if all || index == sample {
                assert_eq!(parse_as(position, &wxf, Notation::Wxf), Some(mv), "{wxf} in {}", position.fen());
                // Without a choice neither is taken for another move.
                for text in [&wxf, text] {
                    let found = parse(position, text);
                    refused += usize::from(found.is_err());
                    assert!(
                        found == Ok(mv) || found.is_err_and(|error| error.to_string().contains("in WXF and")),
                        "{text} in {}",
                        position.fen()
                    );
                }
            }
        }
    };
    chuhe_testing::random_positions(31, 9000).iter().for_each(|position| check(position, false));
    pawn_positions(1000).iter().for_each(|position| check(position, true));
    assert!(refused > 0);
}
