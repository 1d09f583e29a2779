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
