//! Writing and reading move notations.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use xiangqi::{Move, Position};
use xiangqi_record::notation::{NotationError, format, parse, parse_with};
use xiangqi_record::{Notation, RankBase};

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
    // Three pawns on a file, and two files with two pawns each.
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e6f6", "bP.4", "中兵平四"),
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "g7g8", "aP+1", "一兵进一"),
    ("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w", "c6b6", "dP.8", "四兵平八"),
];
const START: &str = xiangqi::fen::START_FEN;
const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

#[test]
fn notations_match_published_examples() {
    for (fen, text, wxf, chinese) in CASES {
        let position = Position::from_fen(fen).expect(fen);
        for (notation, expected) in [(Notation::Wxf, wxf), (Notation::Chinese, chinese)] {
            assert_eq!(format(&position, mv(text), notation), expected);
            assert_eq!(parse(&position, expected), Ok(mv(text)), "{expected}");
        }
    }
    assert_eq!(format(&Position::start(), mv("h2e2"), Notation::Iccs), "H2-E2");
    assert_eq!(format(&Position::start(), mv("h2e2"), Notation::Uci), "h2e2");
}

#[test]
fn reader_accepts_variants_of_other_programs() {
    let start = Position::start();
    for text in ["h2e2", "H2-E2", "C2=5", "c2.5", "砲二平五", "炮２平５", "包2平5"] {
        assert_eq!(parse(&start, text), Ok(mv("h2e2")), "{text}");
    }
    for text in ["N2+3", "n2+3", "h2+3", "馬二進三", "傌二進三"] {
        assert_eq!(parse(&start, text), Ok(mv("h0g2")), "{text}");
    }
    assert_eq!(parse(&start, "B7+5"), Ok(mv("c0e2")));
    for text in ["Ｃ２＝５", "Ｃ２．５", "Che2", "Ce2+", "ch2e2", "C2e2"] {
        // Both cannons can go to e2.
        let is_one = !text.starts_with('c') && !["Ce2+", "C2e2"].contains(&text);
        let expected = is_one.then(|| mv("h2e2"));
        assert_eq!(parse(&start, text).ok(), expected, "{text}");
    }
    let two = Position::from_fen("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w").expect("a position");
    for text in ["+C.4", "C+.4", "C+=4", "前炮平四", "前砲平四"] {
        assert_eq!(parse(&two, text), Ok(mv("e6f6")), "{text}");
    }
    // The file is sufficient where only one of the two can make the move.
    assert_eq!(parse(&two, "C5-2"), Err(NotationError { text: "C5-2".to_string(), why: None }));
    let advisors = Position::from_fen("3k5/9/9/9/9/9/9/3A5/9/3AK4 w").expect("a position");
    assert_eq!(parse(&advisors, "A6+5"), Ok(mv("d0e1")));
    assert_eq!(parse(&advisors, "仕六退五"), Ok(mv("d2e1")));
}

#[test]
fn reader_accepts_algebraic_notation() {
    let crowd = Position::from_fen("3k4r/9/9/4P1P2/2p1n4/9/9/2R6/9/R3K4 w").expect("a position");
    // xboard counts from 0 and gives pawns no letter; Fairy-Stockfish counts from 1.
    for (zero, one, expected) in [
        ("fe6", "Pfe7", None),
        ("e7", "Pe8", Some("e6e7")),
        ("gf6", "Pgf7", Some("g6f6")),
        ("ef6", "Pef7", Some("e6f6")),
        ("Rxc5", "Rxc6", Some("c2c5")),
        ("Raa2", "Raa3", Some("a0a2")),
        ("R2a2", "R3a3", Some("c2a2")),
        ("Ra2", "Ra3", None),
        ("Ke1", "Ke2", Some("e0e1")),
        ("a0a9", "a1a10", Some("a0a9")),
        ("A0-A9", "A1-A10", Some("a0a9")),
        ("Ra9+", "Ra10+", Some("a0a9")),
    ] {
        let expected = expected.map(mv);
        assert_eq!(parse_with(&crowd, zero, RankBase::Zero).ok(), expected, "{zero}");
        assert_eq!(parse_with(&crowd, one, RankBase::One).ok(), expected, "{one}");
    }
    // A pawn that goes straight ahead needs no file, one that moves sideways does.
    let pawns = Position::from_fen("3k5/9/9/4P4/3P5/9/9/9/9/4K4 w").expect("a position");
    assert_eq!(parse(&pawns, "d6"), Ok(mv("d5d6")));
    assert_eq!(parse(&pawns, "ed6"), Ok(mv("e6d6")));
    // PlayOK doubles the sign, and WXF numbers several pawns from the front.
    let horses = Position::from_fen("4k4/9/9/4H4/9/4H4/9/9/9/4K4 w").expect("a position");
    assert_eq!(parse(&horses, "H++7"), Ok(mv("e6c7")));
    assert_eq!(parse(&horses, "H-+7"), Ok(mv("e4c5")));
    let file = Position::from_fen("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w").expect("a position");
    assert_eq!(parse(&file, "25=4"), Ok(mv("e6f6")));
    assert_eq!(parse(&file, "15+1"), Ok(mv("e7e8")));
}

#[test]
fn reader_rejects_invalid_moves() {
    let start = Position::start();
    for text in ["", "x", "C2.4x", "h2h9x", "h0h5", "C1.5", "炮一平五", "炮", "前炮平五", "+C.5", "C2.5.", "\u{FFFD}"]
    {
        assert!(parse(&start, text).is_err(), "{text}");
    }
}

#[test]
fn notations_round_trip_and_are_unambiguous() {
    let mut random = StdRng::seed_from_u64(11);
    for _ in 0..40 {
        let mut position = Position::start();
        for _ in 0..120 {
            let moves: Vec<Move> = position.legal_moves().to_vec();
            let Some(&chosen) = moves.get(random.random_range(0..moves.len().max(1))) else { break };
            for notation in Notation::ALL {
                let written: BTreeSet<String> = moves.iter().map(|&mv| format(&position, mv, notation)).collect();
                assert_eq!(written.len(), moves.len(), "{notation} in {}", position.fen());
                let text = format(&position, chosen, notation);
                assert_eq!(parse_with(&position, &text, Some(notation)), Ok(chosen), "{text} in {}", position.fen());
            }
            position.play_unchecked(chosen);
        }
    }
}

#[test]
fn notations_distinguish_many_pawns() {
    for fen in [
        "3k5/2P1P4/2P1P4/2P6/9/9/9/9/9/5K3 w",
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w",
        "3k5/9/9/9/4p4/4p4/2p1p4/2p6/9/5K3 b",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for notation in Notation::ALL {
            for mv in position.legal_moves() {
                let text = format(&position, mv, notation);
                assert_eq!(parse(&position, &text), Ok(mv), "{text} in {fen}");
            }
        }
    }
}
