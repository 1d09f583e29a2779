//! The names of mates: those of `docs/mating-patterns.md`, and positions that come near.

use MatingPattern::*;
use chuhe_study::motifs::MatingPattern;
use xiangqi::{Move, Piece, Position, Setup};

/// Mates with all their names, the first one being how they are called; with the mating move where it matters.
const MATES: [(&str, &str, &[MatingPattern]); 16] = [
    ("4k4/4a4/6N2/9/9/4R4/9/9/9/3K5 w", "e4e8", &[SwordThroughTheHeart, AnglersHorse, FacingKings]),
    ("C1bRk4/4a4/4b4/9/9/9/9/4C4/9/4K4 b", "", &[HeavenAndEarthCannons, IronBolt]),
    ("3Rk4/4a4/4b4/9/9/9/9/4C4/9/3K5 b", "", &[IronBolt, FacingKings]),
    ("4k4/9/4N4/9/4C4/9/9/9/9/3K5 b", "", &[CannonBehindHorse]),
    ("3rk4/9/4C4/9/4C4/9/9/9/9/4KR3 b", "", &[TandemCannons]),
    ("C2ak4/4a4/9/9/9/9/9/9/9/3K1R3 b", "", &[SmotheredPalace]),
    ("3aka3/2N1n4/9/9/9/9/9/9/9/4K4 b", "", &[Smothered, PalcornerHorse]),
    ("4ka3/9/5N3/9/4R4/9/9/9/9/3RK4 b", "", &[DoubleCheck, CornerHorse]),
    ("3ak4/4a1N2/9/9/9/9/9/9/9/4KR3 b", "", &[PalcornerHorse]),
    ("3k5/2N6/9/9/9/9/9/9/9/3R1K3 b", "", &[PalcornerHorse]),
    ("3k5/9/5N3/9/9/9/9/9/9/3R1K3 b", "", &[OctagonalHorse, CornerHorse]),
    ("3ak4/9/3NP4/9/9/9/9/9/9/3K1R3 b", "", &[CornerHorse]),
    ("R3k4/9/6N2/9/9/9/9/9/9/3K5 b", "", &[AnglersHorse]),
    ("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", "", &[AlternatingRooks]),
    ("3k5/9/9/9/9/9/9/9/9/3RK4 b", "", &[FacingKings]),
    ("3k5/R8/9/9/9/9/9/9/4R4/5K3 b", "", &[Stalemate]),
];

/// Mates that come near to a pattern, and what it lacks.
const NEAR_MISSES: [(&str, MatingPattern, &str); 9] = [
    ("3rk4/9/4P4/9/4C4/9/9/9/9/4KR3 b", TandemCannons, "the screen is a pawn"),
    ("4k4/9/9/4N4/9/4C4/9/9/9/3RKR3 b", CannonBehindHorse, "the horse stands three points away"),
    ("C2ak4/4c4/9/9/9/9/9/9/9/3K1R3 b", SmotheredPalace, "one advisor alone is beside the king"),
    ("3k5/2N6/9/9/9/9/9/9/9/3RK4 b", PalcornerHorse, "the king holds the home point as well"),
    ("R3k4/4c4/1R7/9/9/9/9/9/9/3K5 b", AlternatingRooks, "the other rook is two ranks away"),
    ("3k5/9/9/9/9/9/9/9/4R4/3RK4 b", AlternatingRooks, "the king holds the file as well"),
    ("3k5/9/9/9/9/9/9/9/4R4/3RK4 b", FacingKings, "the rook holds the file as well"),
    ("C2ak4/4a4/9/9/9/9/9/9/9/3K1R3 b", Smothered, "a rook takes one point"),
    ("3Rk4/4a4/4b4/9/9/9/9/4C4/9/3K5 b", SwordThroughTheHeart, "nothing was taken in the middle"),
];

fn names(position: &Position) -> Vec<MatingPattern> {
    MatingPattern::ALL.into_iter().filter(|pattern| pattern.holds(position)).collect()
}

fn position(fen: &str, mv: &str) -> Position {
    let mut position = Position::from_fen(fen).expect("a position");
    if !mv.is_empty() {
        position.play(mv.parse().expect("a move")).expect("a legal move");
    }
    position
}

/// The same with the sides exchanged, and left and right where asked.
fn image(fen: &str, mv: &str, mirrored: bool) -> Position {
    let before = Setup::from(&Position::from_fen(fen).expect("a position"));
    let mut setup = Setup::empty();
    for (piece, square) in before.pieces() {
        let square = if mirrored { square.flip().mirror() } else { square.flip() };
        setup.place(Piece::new(!piece.color(), piece.kind()), square);
    }
    setup.side = !before.side;
    let mut position = Position::try_from(setup).expect("a position");
    if let Ok(mv) = mv.parse::<Move>() {
        let mv = if mirrored { mv.flip().mirror() } else { mv.flip() };
        position.play(mv).expect("a legal move");
    }
    position
}

#[test]
fn mates_have_the_names_of_the_page() {
    for (fen, mv, expected) in MATES {
        let position = position(fen, mv);
        assert_eq!(names(&position), expected, "{fen} {mv}");
        assert_eq!(MatingPattern::of(&position), expected.first().copied(), "{fen} {mv}");
    }
}

#[test]
fn mates_are_those_of_the_page_in_its_order() {
    let pages = [
        include_str!("../../../../docs/mating-patterns.md"),
        include_str!("../../../../docs/mating-patterns.zh-CN.md"),
    ];
    for page in pages {
        let places: Vec<usize> = MATES.iter().map(|(fen, ..)| page.find(fen).expect("on the page")).collect();
        assert!(places.is_sorted(), "in the order of the table");
    }
}

#[test]
fn every_pattern_is_the_name_of_a_mate() {
    for pattern in MatingPattern::ALL {
        assert!(MATES.iter().any(|(_, _, names)| names[0] == pattern), "{pattern:?}");
    }
}

#[test]
fn names_of_mates_do_not_depend_on_side_and_wing() {
    for (fen, mv, expected) in MATES {
        for mirrored in [false, true] {
            assert_eq!(names(&image(fen, mv, mirrored)), expected, "{fen} {mv}, mirrored: {mirrored}");
        }
    }
}

#[test]
fn mates_that_come_near_have_another_name_or_none() {
    for (fen, pattern, why) in NEAR_MISSES {
        let position = position(fen, "");
        assert!(!position.has_legal_move(), "{fen} is a mate");
        assert!(!pattern.holds(&position), "{fen} is no {pattern:?}: {why}");
    }
}

#[test]
fn positions_that_are_no_mates_have_no_name() {
    // Each mate with an empty square more for the king: the checker or another piece is taken away.
    for (fen, mv, _) in MATES {
        let mate = position(fen, mv);
        for (piece, square) in Setup::from(&mate).pieces() {
            let mut setup = Setup::from(&mate);
            setup.remove(square);
            let Ok(without) = Position::try_from(setup) else { continue };
            if without.has_legal_move() {
                assert_eq!(names(&without), [], "{fen} without {piece} on {square}");
            }
        }
    }
    assert_eq!(MatingPattern::of(&Position::start()), None);
}
