//! Tests of the motifs of lines.

use crate::support::{moves, placed, played_out};
use MatingPattern::*;
use Motif::*;
use chuhe_study::motifs::{MatingPattern, Motif, find_motifs, motifs};
use std::collections::{BTreeMap, HashSet};
use xiangqi::{Move, Piece, Position, Setup};

// Lines that show a motif, and lines that come near to it.

/// The motif, the pieces (red's capital, red to move), a line that shows it, and what is about it.
const SHOWN: [(Motif, &str, &str, &str); 23] = [
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6f7", "a horse attacks two rooks"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6", "the same, and the line ends there"),
    (Fork, "Kd0 Nc5 ke9 rb8", "c5d7 e9e8 d7b8", "a horse checks, and attacks a rook"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2", "d2e4 f9f8 a2h2", "the horse leaves the line of the rook"),
    (DiscoveredAttack, "Kd0 Ca2 Nd2 kf9 nh2 pe2", "d2c4 f9f8 a2h2", "one of two screens goes away"),
    (DiscoveredAttack, "Kd0 Nd2 Re2 kf9 nf3", "e2e5 f9f8 d2f3", "the leg of a horse is freed"),
    (DiscoveredCheck, "Kf0 Re2 Ne5 ke9 rc6", "e5c6 e9d9", "the horse takes, the rook behind checks"),
    (Motif::DoubleCheck, "Kd0 Re2 Ne5 ke9 rb8", "e5d7 e9f9 d7b8", "horse and rook check"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9", "h5a5 a9b7 b6b7", "a horse in the corner, both its points are taken"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9", "h5a5", "the same, and the line ends there"),
    (Pin, "Kd0 Ce2 Rg2 ke9 ne7 pe6 cg6 pi6", "g2g6 i6i5", "a horse before the king may not take the rook"),
    (Pin, "Kd0 Re2 Nb3 ke9 ne6 rh6 pi6", "b3c5 i6i5 c5e6", "a horse before the king is attacked twice"),
    (Skewer, "Kf0 Ra3 ke8 re9", "a3e3 e8d8 e3e9", "the king leaves the file, and the rook behind it is lost"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf6 pa6", "d1d7 a6a5 f0f6", "the horse protects the cannon"),
    (Deflection, "Kd0 Pe4 Rf0 ke9 nd7 cf6", "e4e5 d7e5 f0f6", "the horse is drawn off the cannon"),
    (OpenedLine, "Kd0 Ra5 Pe6 kf9 nd5 ce7 rh5", "e6e7 d5e7 a5h5", "the horse takes back, and leaves the rank"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6", "c4d2 i6i5 a2h2", "a horse becomes the screen"),
    (Defence, "Kd0 Rd2 ke9 nc4 pi6", "d2d5 i6i5", "the rook goes away from the horse"),
    (QuietMove, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6f7", "the fork is no capture and no check"),
    (HangingPiece, "Kd0 Ra5 kf9 rh5", "a5h5", "a rook takes a rook"),
    (Sacrifice, "Ke0 Rd1 Rf0 Ce5 Cc7 ke9 ra9", "d1d9 a9d9 c7e7", "a rook is given, and mates"),
    (Pattern(MatingPattern::TandemCannons), "Ke0 Rf0 Ce5 Cc7 ke9 rd9", "c7e7", "two cannons on a file"),
    (Mate, "Kd0 Ra5 Pe8 kf9", "a5a9", "a mate without a name"),
];

/// The motif, the pieces, a line that comes near to it, and what it lacks.
const NEAR_MISSES: [(Motif, &str, &str, &str); 27] = [
    (Fork, "Kd0 Nc4 kf9 rb7 cf7 ae8", "c4d6 b7b1 d6f7", "the cannon is protected, and not worth a horse"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7 ne8", "c4d6 b7b1 d6f7", "a horse takes the horse"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6c4", "neither is taken"),
    (Fork, "Kd0 Nc4 Rb0 kf9 rb7 rf7 be7", "c4d6 b7b1 d6f7", "one of the rooks could be taken before"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2 rh9", "d2e4 f9f8 a2h2", "the horse is protected"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 Rh0 kf9 nh2", "d2e4 f9f8 a2h2", "another rook attacked it before"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2", "d2e4 h2f3 e4f6", "the horse goes away"),
    (DiscoveredAttack, "Kd0 Ra2 Na3 kf9 nh2", "a3b5 f9f8 a2h2", "the line was free before"),
    (DiscoveredCheck, "Kf0 Re2 Ne5 ke9", "e5c6 e9d9", "the check wins nothing"),
    (Motif::DoubleCheck, "Kf0 Re2 Ne5 ke9 rc6", "e5c6 e9d9", "the horse does not check"),
    (TrappedPiece, "Kd0 Rh5 Pb6 kf9 na9", "h5a5 a9b7 b6b7", "one point is safe"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9 rc9", "h5a5 a9b7 b6b7", "a rook protects the horse"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9 rh9", "h5a5 a9b7 b6b7", "a rook comes to protect the horse with check"),
    (Pin, "Kd0 Rd2 Rg2 ke9 ne7 cg6 pe6", "g2g6 e7g6", "nothing holds the horse"),
    (Pin, "Kd0 Re2 Nb3 ke9 re6 pi6", "b3c5 i6i5 c5e6", "the rook may move along the file"),
    (Pin, "Kd0 Ce2 Rg2 ke9 ne7 pe6 cg6 rg9", "g2g6 g9g6", "a rook takes in its place"),
    (Skewer, "Kf0 Ra3 ke8 ne9 ra9", "a3e3 e8d8 e3e9", "the horse behind is protected"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf6 rf9 pa6", "d1d7 a6a5 f0f6", "a rook protects the cannon as well"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf5 pa6", "d1d7 a6a5 f0f5", "the horse protects nothing"),
    (Deflection, "Kd0 Pe4 Rf0 ke9 nd7 cf6 rf9", "e4e5 d7e5 f0f6", "a rook protects the cannon as well"),
    (OpenedLine, "Kd0 Ra5 Pe6 kf9 nd5 ce7 rh5 rh9", "e6e7 d5e7 a5h5", "the rook is protected"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6 rh9", "c4d2 i6i5 a2h2", "the horse is protected, and not worth a cannon"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6 pe2", "c4b2 i6i5 b2d3", "there are two pieces between"),
    (Defence, "Kd0 Rd2 kf9 nc4 pi6", "d0e0 i6i5", "the rook stays where the horse takes it"),
    (Defence, "Kd0 Rd5 ke9 nc4 pi6", "d5c5 i6i5", "nothing was attacked"),
    (Sacrifice, "Ke0 Rf0 Ce5 Cc7 Pa3 Ni5 ke9 rd9 ri9", "a3a4 i9i5 c7e7", "the horse could be taken before"),
    (HangingPiece, "Kd0 Ra5 kf9 rh5 rh9", "a5h5 h9h5", "the rook is protected"),
];

/// The motifs of a line, all moves of which must be legal.
fn shown(pieces: &str, line: &str) -> Vec<Motif> {
    let (start, line) = (placed(pieces), moves(line));
    played_out(&start, &line);
    motifs(&start, &line)
}

#[test]
fn motifs_are_found_in_lines_that_show_them() {
    for (motif, pieces, line, what) in SHOWN {
        let found = shown(pieces, line);
        assert!(found.contains(&motif), "{motif:?}: {pieces} {line}: {what}, found {found:?}");
    }
}

#[test]
fn lines_that_come_near_to_a_motif_do_not_show_it() {
    let shows = |(motif, pieces, line, _): &(Motif, &str, &str, &str)| shown(pieces, line).contains(motif);
    let found: Vec<_> = NEAR_MISSES.into_iter().filter(shows).collect();
    assert_eq!(found, []);
}

#[test]
fn every_motif_is_shown_by_a_line() {
    let plain = Motif::all().filter(|motif| !matches!(motif, Pattern(_)));
    for motif in plain {
        assert!(SHOWN.iter().any(|(shown, ..)| *shown == motif), "{motif:?}");
    }
}

// The names of mates: those of `docs/mating-patterns.md`, and positions that come near.

/// Mates with all their names, the first one being how they are called; with the mating move where it matters.
const MATES: [(&str, &str, &[MatingPattern]); 16] = [
    ("4k4/4a4/6N2/9/9/4R4/9/9/9/3K5 w", "e4e8", &[SwordThroughTheHeart, AnglersHorse, FacingKings]),
    ("C1bRk4/4a4/4b4/9/9/9/9/4C4/9/4K4 b", "", &[HeavenAndEarthCannons, IronBolt]),
    ("3Rk4/4a4/4b4/9/9/9/9/4C4/9/3K5 b", "", &[IronBolt, FacingKings]),
    ("4k4/9/4N4/9/4C4/9/9/9/9/3K5 b", "", &[CannonBehindHorse]),
    ("3rk4/9/4C4/9/4C4/9/9/9/9/4KR3 b", "", &[TandemCannons]),
    ("C2ak4/4a4/9/9/9/9/9/9/9/3K1R3 b", "", &[SmotheredPalace]),
    ("3aka3/2N1n4/9/9/9/9/9/9/9/4K4 b", "", &[Smothered, PalcornerHorse]),
    ("4ka3/9/5N3/9/4R4/9/9/9/9/3RK4 b", "", &[MatingPattern::DoubleCheck, CornerHorse]),
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
const PATTERN_NEAR_MISSES: [(&str, MatingPattern, &str); 9] = [
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
    let pages =
        [include_str!("../../../docs/mating-patterns.md"), include_str!("../../../docs/mating-patterns.zh-CN.md")];
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
    for (fen, pattern, why) in PATTERN_NEAR_MISSES {
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

// What holds for the motifs of every line: names, order, symmetry.

/// Problems of mate: moves, position, the only first move.
const PROBLEMS: &str = include_str!("../../engine/tests/data/mates.txt");

/// Short mates as lines, found by trying everything, the checks first.
fn mating_lines() -> Vec<(Position, Vec<Move>)> {
    let problems = PROBLEMS.lines().filter(|line| !line.starts_with('#'));
    let lines = problems.filter_map(|problem| {
        let mut fields = problem.split(';');
        let count: u32 = fields.next()?.parse().ok()?;
        let position = Position::from_fen(fields.next()?).ok().filter(|_| count <= 2)?;
        let line = mate(&mut position.clone(), count)?;
        Some((position, line))
    });
    lines.take(150).collect()
}

/// A mate within so many moves, with a defence that takes something where there is one.
fn mate(position: &mut Position, count: u32) -> Option<Vec<Move>> {
    let moves: Vec<Move> = position.legal_moves().to_vec();
    for mv in moves.into_iter().filter(|&mv| position.gives_check(mv)).collect::<Vec<_>>() {
        position.play_unchecked(mv);
        let mut replies: Vec<Move> = position.legal_moves().to_vec();
        replies.sort_by_key(|reply| position.piece_at(reply.to()).is_none());
        let mut line = vec![mv];
        let mates = (count > 1 || replies.is_empty())
            && replies.into_iter().all(|reply| {
                position.play_unchecked(reply);
                let rest = mate(position, count - 1);
                position.undo();
                if let (Some(rest), 1) = (&rest, line.len()) {
                    line.push(reply);
                    line.extend(rest);
                }
                rest.is_some()
            });
        position.undo();
        if mates {
            return Some(line);
        }
    }
    None
}

#[test]
fn names_of_motifs_are_theirs_alone_and_are_read_again() {
    let names: HashSet<&str> = Motif::all().map(Motif::name).collect();
    assert_eq!(names.len(), Motif::all().count());
    for motif in Motif::all() {
        assert_eq!(Motif::from_name(motif.name()), Some(motif));
        let text = serde_json::to_string(&motif).expect("json");
        assert_eq!(text, format!("\"{}\"", motif.name()));
        assert_eq!(serde_json::from_str::<Motif>(&text).expect("a motif"), motif);
    }
    assert_eq!(Motif::from_name("frok"), None);
}

#[test]
fn mates_end_with_their_name_and_some_are_sacrifices() {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (start, line) in mating_lines() {
        let found = motifs(&start, &line);
        let is_mate = |motif: &Motif| matches!(motif, Motif::Mate | Motif::Pattern(_));
        assert_eq!(found.iter().filter(|motif| is_mate(motif)).count(), 1, "{start} {line:?} {found:?}");
        assert!(found.len() == found.iter().collect::<HashSet<_>>().len(), "{found:?}");
        found.iter().for_each(|motif| *counts.entry(motif.name()).or_default() += 1);
        // Without its last move the line mates no more.
        assert!(!motifs(&start, &line[..line.len() - 1]).iter().any(is_mate));
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or_default();
    assert!(count("mate") > 0 && count("sacrifice") > 0 && count("iron-bolt") > 0, "{counts:?}");
}

#[test]
fn motifs_do_not_depend_on_side_and_wing() {
    let names = |start: &Position, line: &[Move]| -> Vec<(Motif, usize)> {
        find_motifs(start, line).into_iter().map(|finding| (finding.motif, finding.ply)).collect()
    };
    for (start, line) in mating_lines() {
        let found = names(&start, &line);
        let mirrored: Vec<Move> = line.iter().map(|mv| mv.mirror()).collect();
        assert_eq!(names(&start.mirrored(), &mirrored), found, "{start} {line:?}");
        let flipped: Vec<Move> = line.iter().map(|mv| mv.flip()).collect();
        assert_eq!(names(&start.color_flipped(), &flipped), found, "{start} {line:?}");
    }
}

#[test]
fn lines_that_are_no_lines_show_nothing() {
    let start = Position::start();
    assert_eq!(motifs(&start, &[]), []);
    let illegal: Move = "a0a9".parse().expect("a move");
    assert_eq!(motifs(&start, &[illegal]), []);
    let first: Move = "h2e2".parse().expect("a move");
    assert_eq!(motifs(&start, &[first, illegal, illegal]), motifs(&start, &[first]));
}
