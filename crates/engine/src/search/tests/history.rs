//! Unit tests of histories.

use super::*;
use xiangqi::{Color, PieceKind};

fn histories() -> Histories {
    Histories::new(&Arc::new(ContinuationHistory::new()))
}

/// Some moves with their [`PieceTo`].
fn moves() -> Vec<(Move, PieceTo)> {
    let rook = Piece::new(Color::Red, PieceKind::Rook);
    let squares: Vec<Square> = Square::all().collect();
    squares.windows(2).map(|pair| (Move::new(pair[0], pair[1]), PieceTo::new(rook, pair[1]))).collect()
}

#[test]
fn gravity_stays_within_the_limit() {
    for limit in [HISTORY_MAX, CORRECTION_MAX] {
        for value in (-limit..=limit).step_by(61).chain([limit]) {
            for bonus in (-limit..=limit).step_by(127).chain([-limit, limit]) {
                let new = i32::from(gravity(value as i16, bonus, limit));
                assert!(new.abs() <= limit, "{value} {bonus}");
            }
        }
    }
}

#[test]
fn gravity_moves_the_value_towards_the_bonus() {
    for value in (-HISTORY_MAX..HISTORY_MAX).step_by(17) {
        for bonus in [1, 7, 150, 1700, HISTORY_MAX] {
            let raised = gravity(value as i16, bonus, HISTORY_MAX);
            assert!(i32::from(raised) > value, "{value} {bonus}");
            assert_eq!(gravity(-value as i16, -bonus, HISTORY_MAX), -raised, "a malus mirrors a bonus");
            assert_eq!(gravity(value as i16, 0, HISTORY_MAX), value as i16);
        }
    }
}

#[test]
fn gravity_has_less_effect_near_the_limit() {
    let gain = |value: i32| i32::from(gravity(value as i16, 1000, HISTORY_MAX)) - value;
    assert!((0..HISTORY_MAX).step_by(100).map(gain).is_sorted_by(|left, right| left >= right));
}

#[test]
fn piece_to_is_unique() {
    let mut seen = vec![false; PIECE_SQUARES];
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let index = PieceTo::new(Piece::new(color, kind), square).0 as usize;
                assert!(!std::mem::replace(&mut seen[index], true), "{color:?} {kind:?} {square}");
            }
        }
    }
}

#[test]
fn quiet_history_rises_by_a_bonus_and_falls_by_a_malus() {
    let mut histories = histories();
    let moves = moves();
    let keys = [Some(moves[3].1), None, Some(moves[9].1)];
    let (mv, piece_to) = moves[20];
    let score = |histories: &Histories| histories.quiet_score(Color::Red, mv, piece_to, &keys);
    histories.update_quiet(Color::Red, mv, piece_to, &keys, 500);
    let after_bonus = score(&histories);
    assert_eq!(after_bonus, 3 * 500, "butterfly and two continuation entries");
    histories.update_quiet(Color::Red, mv, piece_to, &keys, -700);
    assert!(score(&histories) < 0);
    let (other, other_to) = moves[21];
    assert_eq!(histories.quiet_score(Color::Red, other, other_to, &keys), 0, "other moves are unchanged");
    assert_eq!(histories.quiet_score(Color::Black, mv, piece_to, &[None; 3]), 0, "and the other side");
}

#[test]
fn quiet_rows_equal_quiet_scores() {
    let mut histories = histories();
    let moves = moves();
    let mover = Piece::new(Color::Black, PieceKind::Horse);
    let from = Square::new(4, 5);
    for (number, &(mv, piece_to)) in moves.iter().enumerate() {
        let keys = [Some(moves[number / 2].1), None, Some(piece_to)];
        let to = PieceTo::new(mover, mv.to());
        histories.update_quiet(Color::Black, Move::new(from, mv.to()), to, &keys, 100 + 7 * number as i32);
    }
    let mut found = 0;
    for keys in [[None; 3], [Some(moves[1].1), None, Some(moves[2].1)], [Some(moves[4].1); 3]] {
        let rows = histories.quiet_rows(mover, from, &keys);
        for to in Square::all().filter(|&to| to != from) {
            let expected = histories.quiet_score(Color::Black, Move::new(from, to), PieceTo::new(mover, to), &keys);
            assert_eq!(rows.score(to.dense()), expected);
            found += i32::from(expected != 0);
        }
    }
    assert!(found > 3);
}

#[test]
fn capture_history_separates_victims() {
    let mut histories = histories();
    let (_, piece_to) = moves()[5];
    let victim = |kind| Piece::new(Color::Black, kind);
    histories.update_capture(piece_to, victim(PieceKind::Horse), 300);
    assert_eq!(histories.capture_score(piece_to, victim(PieceKind::Horse)), 300);
    assert_eq!(histories.capture_score(piece_to, victim(PieceKind::Cannon)), 0);
}

#[test]
fn prepare_decays_butterfly_history_only() {
    let mut histories = histories();
    let (mv, piece_to) = moves()[5];
    let keys = [Some(piece_to), None, None];
    let horse = Piece::new(Color::Black, PieceKind::Horse);
    histories.update_butterfly(Color::Red, mv, 1000);
    histories.update_capture(piece_to, horse, 1000);
    histories.update_correction(Color::Red, &[7; CORRECTION_KEYS], 100, 20);
    histories.set_counter_move(keys[0], mv);
    let correction = histories.correction(Color::Red, &[7; CORRECTION_KEYS]);
    histories.prepare();
    let decayed = histories.quiet_score(Color::Red, mv, piece_to, &[None; 3]);
    assert_eq!(decayed, 1000 * params::history_decay() / 100);
    assert_eq!(histories.capture_score(piece_to, horse), 1000);
    assert_eq!(histories.correction(Color::Red, &[7; CORRECTION_KEYS]), correction);
    assert_eq!(histories.counter_move(keys[0]), Some(mv));

    histories.mark_stale();
    histories.prepare();
    assert_eq!(histories.quiet_score(Color::Red, mv, piece_to, &[None; 3]), 0);
    assert_eq!(histories.capture_score(piece_to, horse), 0);
    assert_eq!(histories.correction(Color::Red, &[7; CORRECTION_KEYS]), 0);
    assert_eq!(histories.counter_move(keys[0]), None);
}

#[test]
fn correction_history_follows_the_error_and_is_bounded() {
    let mut histories = histories();
    let keys = [1, 2, 3, 4];
    let bound = CORRECTION_KEYS as i32 * CORRECTION_MAX / CORRECTION_GRAIN;
    let mut last = 0;
    for _ in 0..200 {
        histories.update_correction(Color::Black, &keys, 3000, 30);
        let correction = histories.correction(Color::Black, &keys);
        assert!((last..=bound).contains(&correction), "{correction}");
        last = correction;
    }
    assert!(last > 0);
    assert_eq!(histories.correction(Color::Red, &keys), 0, "other side");
    histories.update_correction(Color::Black, &keys, -3000, 30);
    assert!(histories.correction(Color::Black, &keys) < last);
}
