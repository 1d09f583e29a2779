//! Every move generator, compared with the plain rules and with the other generators.

use super::samples::{point, positions, scattered, sharp};
use chuhe_testing::plain::{Plain, move_name};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;
use xiangqi::{Move, MoveList, Piece, Position, Square};

pub fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut names: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    names.sort();
    names
}

pub fn by_plain_rules(position: &Position) -> Vec<String> {
    let mut names: Vec<String> =
        Plain::of(position).legal_moves().into_iter().map(|(from, to)| move_name(from, to)).collect();
    names.sort();
    names
}

fn filled(generate: impl Fn(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    list.into_iter().collect()
}

#[test]
fn legal_moves_equal_the_plain_rules() {
    for position in positions(30_000, 1).into_iter().chain(sharp()) {
        let legal = position.legal_moves();
        assert_eq!(sorted(legal.iter().copied()), by_plain_rules(&position), "{}", position.fen());
        assert_eq!(position.count_legal(), legal.len() as u64, "{}", position.fen());
        assert_eq!(position.has_legal_move(), !legal.is_empty(), "{}", position.fen());
    }
}

#[test]
fn pseudo_legal_accepts_exactly_the_generated_moves() {
    let mut rng = StdRng::seed_from_u64(51);
    let variant = (0..100).map(|_| scattered(&mut rng, true));
    for position in positions(1_500, 2).into_iter().chain(sharp()).chain(variant) {
        let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let passes = position.is_pseudo_legal(mv) && position.is_legal(mv);
            assert_eq!(passes, legal.contains(&mv), "{mv} in {}", position.fen());
        }
    }
}

#[test]
fn captures_and_quiets_partition_the_pseudo_legal_moves() {
    for position in positions(10_000, 3).into_iter().chain(sharp()) {
        let captures = filled(|list| position.generate_captures(list));
        let quiets = filled(|list| position.generate_quiets(list));
        assert!(captures.iter().all(|mv| position.piece_at(mv.to()).map(Piece::color) == Some(!position.side())));
        assert!(quiets.iter().all(|mv| position.piece_at(mv.to()).is_none()));

        let both: Vec<Move> = captures.into_iter().chain(quiets).collect();
        assert!(both.iter().all(|&mv| position.is_pseudo_legal(mv)));
        let legal = both.iter().copied().filter(|&mv| position.is_legal(mv));
        assert_eq!(sorted(legal), sorted(position.legal_moves().into_iter()), "{}", position.fen());

        let own = Square::all().filter(|&from| position.piece_at(from).map(Piece::color) == Some(position.side()));
        let piece_by_piece = own.flat_map(|from| filled(|list| position.generate_from(from, list)));
        assert_eq!(sorted(piece_by_piece), sorted(both), "{}", position.fen());
    }
}

#[test]
fn evasions_are_the_legal_moves_in_check() {
    let mut seen = 0;
    for position in positions(20_000, 4).into_iter().chain(sharp()).filter(Position::in_check) {
        seen += 1;
        let evasions = filled(|list| position.generate_evasions(list));
        assert_eq!(sorted(evasions), by_plain_rules(&position), "{}", position.fen());
    }
    assert!(seen > 500, "only {seen} positions in check");
}

#[test]
fn quiet_checks_are_the_quiet_moves_that_give_check() {
    let mut seen = 0;
    for position in positions(10_000, 5).into_iter().chain(sharp()) {
        let found = filled(|list| position.generate_quiet_checks(list));
        let quiets = filled(|list| position.generate_quiets(list));
        let board = Plain::of(&position);
        let checks = |mv: Move| board.after(point(mv.from()), point(mv.to())).in_check(!board.red_to_move);
        let legal = |mv: &Move| position.is_legal(*mv);
        seen += found.len();
        let expected = quiets.into_iter().filter(legal).filter(|&mv| checks(mv));
        assert_eq!(sorted(found.into_iter().filter(legal)), sorted(expected), "{}", position.fen());
    }
    assert!(seen > 1_000, "only {seen} quiet checks");
}

#[test]
fn generators_append_to_the_list() {
    let stranger = Move::new(Square::new(0, 9), Square::new(8, 0));
    for position in positions(300, 6).into_iter().chain(sharp()) {
        let mut list = MoveList::new();
        list.add(stranger);
        position.generate_legal(&mut list);
        assert_eq!(list[0], stranger);
        assert_eq!(list.len() as u64, 1 + position.count_legal());

        let alone = filled(|list| position.generate_quiet_checks(list)).len();
        list.clear();
        list.add(stranger);
        position.generate_quiet_checks(&mut list);
        assert!(list.contains(&stranger) && list.len() == 1 + alone);
    }
}

#[test]
fn move_list_holds_the_most_mobile_pieces() {
    let fen = "4k4/R8/1R7/2R6/5R3/6R2/7R1/8R/RRRR1RRRR/5K3 w";
    let rooks = Position::from_fen(fen).expect("fifteen rooks and a king");
    assert!(rooks.count_legal() > 130);
    assert_eq!(sorted(rooks.legal_moves().into_iter()), by_plain_rules(&rooks));
}

// Perft counts from another program (Fairy-Stockfish).

/// Positions with their counts at depth 1, 2, 3 …
pub const TABLE: &[(&str, &[u64])] = &[
    // The start position.
    (
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        &[44, 1_920, 79_666, 3_290_240, 133_312_995],
    ),
    // A quiet middlegame.
    ("2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7", &[42, 1_843, 76_386, 3_217_689]),
    // A sharp middlegame: cannons in the enemy half, a rook beyond the river.
    (
        "r1bakab1r/4n4/2n4c1/p1p1C1p1p/4p4/2PR5/P3P1P1P/1C2B3N/3c5/1N1AKAB1R b - - 0 1",
        &[7, 308, 11_995, 509_458, 20_002_078],
    ),
    // A cannon checks over the defender's own horse, which may leave, be doubled, or capture.
    ("3ak4/9/4n4/9/4C4/9/9/4B4/4A4/3RK4 b - - 0 1", &[9, 281, 1_925, 63_117, 537_501, 17_639_883]),
    // A cannon checks over a cannon, with a rook behind it.
    ("r1bakab1r/9/2n1c1n2/p1p5p/4C4/9/P1P1P1P1P/4R4/9/1NBAKABN1 b - - 0 1", &[9, 283, 6_590, 213_021, 5_809_753]),
    // A hollow cannon without check: every piece that enters the gap becomes a screen.
    ("r1bakab1r/9/2n3n2/p1p5p/4C4/2c6/P1P1P1P1P/4R4/9/1NBAKABN1 b - - 0 1", &[28, 923, 28_326, 945_959, 30_980_420]),
    // Two cannons, one of them the other's second screen.
    ("2bak4/4a4/9/9/4C4/4C4/9/4B4/4A4/3AK1B2 b - - 0 1", &[2, 55, 160, 5_195, 33_199, 1_106_711]),
    // Double check by rook and cannon along one file.
    ("3k5/3R5/9/3C5/9/9/9/9/4A4/3AK4 b - - 0 1", &[2, 43, 85, 2_025, 3_500, 79_919]),
    // Double check by two horses.
    ("4ka3/9/3N1N3/9/9/9/9/9/9/5K3 b - - 0 1", &[2, 35, 62, 739, 2_170, 28_254]),
    // The kings face each other but for one pawn of each side.
    ("4k4/9/9/9/4p4/4P4/9/9/9/4K4 w - - 0 1", &[4, 13, 47, 149, 560, 1_947]),
    // A cannon between the kings may move along the file only.
    ("4k4/9/9/9/4C4/9/9/9/3r5/4K4 w - - 0 1", &[8, 154, 1_487, 27_053, 317_513, 5_710_112]),
    // Horses blocked by pieces of both sides, some of which open a check when they leave.
    ("4k4/4a4/2PnP4/4N4/9/9/4n4/2pNp4/4A4/4K4 w - - 0 1", &[19, 343, 6_551, 123_733, 2_357_890]),
    // Rooks and cannons along the kings' ranks.
    ("R1b1kac1C/9/9/9/4p4/9/9/9/9/c2AKA1r1 w - - 0 1", &[3, 73, 1_679, 50_891, 1_301_790]),
    // Pawns at both palaces.
    ("3k5/2P1P4/9/9/9/9/9/9/3p1p3/4K4 w - - 0 1", &[6, 12, 30, 137, 681, 3_026]),
    // An endgame full of cannon screens.
    ("4kab2/4a4/4b4/9/2p1C4/4C1P2/9/3AB4/4A4/2BK1c3 b - - 0 1", &[16, 340, 4_673, 116_637, 1_759_827]),
    // A side with its king only.
    ("2b1k1b2/4a4/9/9/9/9/9/9/4R4/3K5 b - - 0 1", &[5, 88, 682, 11_739, 85_802, 1_483_241]),
    // Only cannons: every move gives or takes a screen.
    ("2c1kc1c1/4c4/9/2c3c2/9/9/2C3C2/4C4/9/C1CK2C2 b - - 0 1", &[10, 575, 29_818, 1_698_133]),
    // Only horses.
    ("n1n1k1n1n/9/2n3n2/9/4N4/4n4/9/2N3N2/9/N1N1K1N1N b - - 0 1", &[37, 1_265, 39_530, 1_216_308]),
];

/// Tests run with debug assertions, so the largest counts are left to `chuhe perft`.
const LONGEST: u64 = 40_000_000;

#[test]
fn perft_equals_another_program() {
    for &(fen, expected) in TABLE {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, &nodes) in (1..).zip(expected).filter(|(_, nodes)| **nodes <= LONGEST) {
            assert_eq!(position.clone().perft(depth), nodes, "depth {depth} from {fen}");
        }
    }
}

#[test]
fn perft_is_equal_for_any_number_of_threads() {
    for position in sharp() {
        let alone = position.divide(3, 1);
        assert_eq!(alone, position.divide(3, 5));
        assert_eq!(alone.nodes, position.clone().perft(3));
        assert_eq!(alone.below.len() as u64, position.clone().perft(1));
    }
}

#[test]
fn perft_at_depth_zero_is_one() {
    assert_eq!(Position::start().divide(0, 4).nodes, 1);
    assert!(Position::start().divide(0, 4).below.is_empty());
}

#[test]
fn perft_of_a_mated_side_is_zero() {
    let mated = Position::from_fen("R3k4/1R7/9/9/9/9/9/9/9/3K5 b").unwrap();
    assert_eq!(mated.divide(1, 2).nodes, 0);
    assert_eq!(mated.divide(5, 2).nodes, 0);
}
