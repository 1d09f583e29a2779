//! Random games that shuffle pieces until they repeat, with properties of every repetition, and the asian chase
//! computed a second time from legal moves alone.

use super::endings::{Cycle, outcome};
use chuhe_testing::sample_count;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use xiangqi::{Color, Ending, Move, PieceKind, Position, RuleSet, Rules, Square};

/// Random cycles, determined by the seed.
pub fn cycles(count: usize, seed: u64) -> Vec<Cycle> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        if let Some(cycle) = sparse(&mut rng).and_then(|start| shuffle(&mut rng, start)) {
            found.push(cycle);
        }
    }
    found
}

/// A random position with few pieces, so that they interact.
fn sparse(rng: &mut StdRng) -> Option<Position> {
    let mut board = [['.'; 9]; 10];
    for letters in ["KAABRNCPPRNC", "kaabrncpprnc"] {
        for letter in letters.chars() {
            if !matches!(letter, 'K' | 'k') && rng.random_bool(0.5) {
                continue;
            }
            let (file, rank) = match letter {
                'K' | 'A' => (rng.random_range(3..6), rng.random_range(0..3)),
                'k' | 'a' => (rng.random_range(3..6), rng.random_range(7..10)),
                _ => (rng.random_range(0..9), rng.random_range(0..10)),
            };
            if board[rank][file] == '.' {
                board[rank][file] = letter;
            }
        }
    }
    let rows: Vec<String> = board.iter().rev().map(|row| row.iter().collect::<String>().replace('.', "1")).collect();
    Position::from_fen(&format!("{} w", rows.join("/"))).ok()
}

/// Plays quiet moves, preferring to go back, until the position repeats.
fn shuffle(rng: &mut StdRng, start: Position) -> Option<Cycle> {
    let mut position = start.clone();
    let mut played: Vec<Move> = Vec::new();
    for _ in 0..24 {
        let legal: Vec<Move> = position.legal_moves().to_vec();
        let quiet = |mv: &Move| position.piece_at(mv.to()).is_none();
        let back = played.len().checked_sub(2).map(|last| Move::new(played[last].to(), played[last].from()));
        let forcing: Vec<Move> =
            legal.iter().copied().filter(|mv| quiet(mv) && (position.gives_check(*mv) || back == Some(*mv))).collect();
        let any: Vec<Move> = legal.iter().copied().filter(quiet).collect();
        let pool = if !forcing.is_empty() && rng.random_bool(0.75) { &forcing } else { &any };
        let &mv = pool.choose(rng)?;
        position.play_unchecked(mv);
        played.push(mv);
        if let Some(length) = position.repetition_distance() {
            let moves = played.split_off(played.len() - length);
            return Some(Cycle { fen: start.fen(), before: played, moves });
        }
    }
    None
}

#[test]
fn verdicts_do_not_depend_on_the_start_of_a_random_cycle() {
    let mut losses = 0;
    for cycle in cycles(sample_count(3000), 1) {
        // Counters cover the whole game, not a cycle.
        for set in RuleSet::ALL.into_iter().filter(|&set| set != RuleSet::Tiantian) {
            let expected = cycle.verdict(set);
            assert!(expected.ending.is_some(), "{set}: {cycle:?}");
            losses += usize::from(expected.ending != Some(Ending::Draw));
            for plies in 1..cycle.moves.len() {
                let verdict = cycle.rotated(plies).verdict(set);
                assert_eq!(verdict.ending, expected.ending, "{set}, {plies} later: {cycle:?}");
            }
        }
    }
    assert!(losses > sample_count(100), "only {losses} random cycles were anybody's loss");
}

#[test]
fn verdicts_follow_the_image_of_a_random_cycle() {
    for cycle in cycles(sample_count(3000), 2) {
        for set in RuleSet::ALL {
            let ending = cycle.verdict(set).ending;
            assert_eq!(cycle.mirrored().verdict(set).ending, ending, "{set}: {cycle:?}");
            let flipped = cycle.color_flipped().verdict(set).ending;
            assert_eq!(flipped.map(Ending::flipped), ending, "{set}: {cycle:?}");
        }
    }
}

#[test]
fn judge_is_deterministic() {
    for cycle in cycles(200, 3) {
        let position = cycle.played(2);
        let (fen, key) = (position.fen(), position.key());
        let rules = Rules::default();
        assert_eq!(rules.judge(&position), rules.judge(&position));
        assert_eq!(rules.explain(&position).len(), 2 * cycle.moves.len());
        assert_eq!((position.fen(), position.key()), (fen, key));
    }
}

#[test]
fn chases_agree_with_legal_moves() {
    let mut compared = 0;
    for cycle in cycles(8000, 4) {
        let position = cycle.played(2);
        let explanations = Rules::default().explain(&position);
        if explanations.iter().any(|done| done.check) {
            continue;
        }
        compared += usize::from(explanations.iter().any(|done| !done.newly_chased.is_empty()));
        let mut walk = cycle.played(0);
        for done in explanations {
            let before = plain_chases(&walk, walk.side(), done.mv.from(), done.mv.to());
            walk.play_unchecked(done.mv);
            let after = plain_chases(&walk, !walk.side(), done.mv.to(), done.mv.to());
            let new: BTreeSet<Square> = after.difference(&before).map(|&(_, victim)| victim).collect();
            let told: BTreeSet<Square> = done.newly_chased.iter().map(|&(_, square)| square).collect();
            assert_eq!(told, new, "after {} in {}: {cycle:?}", done.mv, walk.fen());
        }
    }
    assert!(compared > 500, "only {compared} cycles without checks had a chase in them");
}

/// The pairs of attacker and victim, computed from legal moves of `hunter` and legal answers alone; neither side may be
/// in check. The piece that will move from `moving` to `to` is named by `to`; before its move, protection through the
/// attacker's square does not count.
fn plain_chases(position: &Position, hunter: Color, moving: Square, to: Square) -> BTreeSet<(Square, Square)> {
    let kind = |position: &Position, square: Square| position.piece_at(square).expect("a piece").kind();
    let turned = |position: &Position, side: Color| {
        let fen = position.fen();
        let board = fen.split(' ').next().unwrap_or_default().to_string();
        let side = if side == Color::Red { "w" } else { "b" };
        Position::from_fen(&format!("{board} {side}")).unwrap_or_else(|error| panic!("{error}: {fen}"))
    };
    let now = turned(position, hunter);
    let mut chases = BTreeSet::new();
    for capture in now.legal_moves().into_iter().filter(|mv| now.piece_at(mv.to()).is_some()) {
        let (from, at) = (capture.from(), capture.to());
        let (attacker, victim) = (kind(&now, from), kind(&now, at));
        let home_pawn = victim == PieceKind::Pawn && at.is_home(!hunter);
        if matches!(attacker, PieceKind::King | PieceKind::Pawn) || home_pawn {
            continue;
        }
        let answered = turned(position, !hunter);
        if attacker == victim && answered.legal_moves().contains(&Move::new(at, from)) {
            continue;
        }
        let mut taken = now.clone();
        taken.play_unchecked(capture);
        let between = |square: Square, a: Square, b: Square| {
            let along = |line: fn(Square) -> usize| line(square) == line(a) && line(square) == line(b);
            (along(Square::row) || along(Square::col)) && a.min(b) < square && square < a.max(b)
        };
        let guards = |mv: Move| mv.to() == at && (moving == to || !between(from, mv.from(), at));
        let retaken = taken.legal_moves().into_iter().any(guards);
        let greater = match attacker {
            PieceKind::Horse | PieceKind::Cannon => victim == PieceKind::Rook,
            PieceKind::Advisor | PieceKind::Bishop => {
                matches!(victim, PieceKind::Rook | PieceKind::Horse | PieceKind::Cannon)
            }
            _ => false,
        };
        if greater || !retaken {
            chases.insert((if from == moving { to } else { from }, at));
        }
    }
    chases
}

#[test]
fn perpetual_check_loses_against_less() {
    let mut seen = 0;
    for cycle in cycles(6000, 5) {
        let explanations = Rules::default().explain(&cycle.played(2));
        let perpetual = |color: Color| explanations.iter().filter(|done| done.mover == color).all(|done| done.check);
        for color in Color::ALL {
            if perpetual(color) && !perpetual(!color) {
                seen += 1;
                for set in [RuleSet::Asian, RuleSet::League, RuleSet::Computer] {
                    let verdict = cycle.verdict(set);
                    assert_eq!(verdict.ending, Some(Ending::Loss(color)), "{set}: {cycle:?}");
                    assert!(outcome(&verdict).ends_with("loses"));
                }
            }
        }
    }
    assert!(seen > 20, "only {seen} perpetual checks");
}
