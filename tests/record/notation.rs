//! Moves as people write them, both ways.

use chuhe::board::Position;
use chuhe::record::Notation;
use chuhe::record::notation::{read, write};
use chuhe::types::Move;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeSet;

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

/// FEN, move, WXF, Chinese.
const CASES: [(&str, &str, &str, &str); 17] = [
    (START, "h2e2", "C2.5", "炮二平五"),
    (START, "b2b6", "C8+4", "炮八进四"),
    (START, "h0g2", "H2+3", "马二进三"),
    (START, "c0e2", "E7+5", "相七进五"),
    (START, "d0e1", "A6+5", "仕六进五"),
    (START, "a0a2", "R9+2", "车九进二"),
    (START, "e0e1", "K5+1", "帅五进一"),
    (START, "g3g4", "P3+1", "兵三进一"),
    (START_BLACK, "h9g7", "H8+7", "马８进７"),
    (START_BLACK, "b7e7", "C2.5", "炮２平５"),
    (START_BLACK, "c6c5", "P3+1", "卒３进１"),
    // Two rooks on a file: the front one is the one farther from home, for either side.
    ("3k5/9/9/4R4/9/9/9/4R4/9/5K3 w", "e6f6", "+R.4", "前车平四"),
    ("3k5/9/9/4R4/9/9/9/4R4/9/5K3 w", "e2e4", "-R+2", "后车进二"),
    ("3k5/9/4r4/9/9/9/9/4r4/9/5K3 b", "e2e3", "+R-1", "前车退１"),
    // Three pawns on a file, and two files with two of them.
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e6f6", "bP.4", "中兵平四"),
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "g7g8", "aP+1", "一兵进一"),
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "c6b6", "dP.8", "四兵平八"),
];
const START: &str = chuhe::board::START_FEN;
const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

#[test]
fn moves_are_written_and_read_as_the_books_do() {
    for (fen, text, wxf, chinese) in CASES {
        let position = Position::from_fen(fen).expect(fen);
        for (notation, expected) in [(Notation::Wxf, wxf), (Notation::Chinese, chinese)] {
            assert_eq!(write(&position, mv(text), notation), expected);
            assert_eq!(read(&position, expected), Ok(mv(text)), "{expected}");
        }
    }
    assert_eq!(write(&Position::start(), mv("h2e2"), Notation::Iccs), "H2-E2");
    assert_eq!(write(&Position::start(), mv("h2e2"), Notation::Uci), "h2e2");
}

#[test]
fn the_habits_of_other_programs_are_understood() {
    let start = Position::start();
    for text in ["h2e2", "H2-E2", "C2=5", "c2.5", "砲二平五", "炮２平５", "包2平5"] {
        assert_eq!(read(&start, text), Ok(mv("h2e2")), "{text}");
    }
    for text in ["N2+3", "n2+3", "h2+3", "馬二進三", "傌二進三"] {
        assert_eq!(read(&start, text), Ok(mv("h0g2")), "{text}");
    }
    assert_eq!(read(&start, "B7+5"), Ok(mv("c0e2")));
    let two = Position::from_fen("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w").expect("a position");
    for text in ["+C.4", "C+.4", "C+=4", "前炮平四", "前砲平四"] {
        assert_eq!(read(&two, text), Ok(mv("e6f6")), "{text}");
    }
    // The file says enough where only one of the two can go there.
    assert_eq!(read(&two, "C5-2"), Err(chuhe::record::notation::NotationError("C5-2".to_string())));
    let advisors = Position::from_fen("3k5/9/9/9/9/9/9/3A5/9/3AK4 w").expect("a position");
    assert_eq!(read(&advisors, "A6+5"), Ok(mv("d0e1")));
    assert_eq!(read(&advisors, "仕六退五"), Ok(mv("d2e1")));
}

#[test]
fn nonsense_is_refused() {
    let start = Position::start();
    for text in
        ["", "x", "C2.4x", "h2h9x", "h0h5", "C1.5", "炮一平五", "炮", "前炮平五", "+C.5", "C2.5.", "\u{FFFD}"]
    {
        assert!(read(&start, text).is_err(), "{text}");
    }
}

#[test]
fn whatever_is_written_is_read_back_and_no_two_moves_are_written_alike() {
    let mut random = StdRng::seed_from_u64(11);
    for _ in 0..40 {
        let mut position = Position::start();
        for _ in 0..120 {
            let moves: Vec<Move> = position.legal_moves().moves().collect();
            let Some(&chosen) = moves.get(random.random_range(0..moves.len().max(1))) else { break };
            for notation in Notation::ALL {
                let written: BTreeSet<String> =
                    moves.iter().map(|&mv| write(&position, mv, notation)).collect();
                assert_eq!(written.len(), moves.len(), "{notation} in {}", position.fen());
                let text = write(&position, chosen, notation);
                assert_eq!(read(&position, &text), Ok(chosen), "{text} in {}", position.fen());
            }
            position.make(chosen);
        }
    }
}

#[test]
fn crowds_of_pawns_are_told_apart() {
    for fen in [
        "3k5/2P1P4/2P1P4/2P6/9/9/9/9/9/5K3 w",
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w",
        "3k5/9/9/9/4p4/4p4/2p1p4/2p6/9/5K3 b",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for notation in Notation::ALL {
            for mv in position.legal_moves().moves() {
                let text = write(&position, mv, notation);
                assert_eq!(read(&position, &text), Ok(mv), "{text} in {fen}");
            }
        }
    }
}
