//! `MateProver`: agreement with brute force at the nodes of both sides, and its limits.

use super::problems::{Problem, problems};
use chuhe_engine::search::{AttackerMoves, Control, MateProof, MateProver};
use chuhe_testing::{position, sparse_positions};
use std::sync::Arc;
use xiangqi::{Color, Move, Position, Rules};

const PLENTY: u64 = 5_000_000;

fn prover(root: &Position, attacker: Color) -> MateProver {
    MateProver::new(root, attacker, Rules::default(), 4, Arc::new(Control::new(false)))
}

/// Brute force: whether the side to move mates or stalemates within this many moves, all of them checks if so asked.
fn attacks(position: &mut Position, moves: u32, only_checks: bool) -> bool {
    let list: Vec<Move> = position.legal_moves().to_vec();
    list.into_iter().any(|mv| {
        position.play_unchecked(mv);
        let wins = (!only_checks || position.in_check()) && is_lost(position, moves - 1, only_checks);
        position.undo();
        wins
    })
}

/// Whether the side to move is mated or stalemated, or will be within this many moves of the other side.
fn is_lost(position: &mut Position, moves: u32, only_checks: bool) -> bool {
    if !position.has_legal_move() {
        return true;
    }
    let goes_on = |position: &Position| Rules::default().judge(position).ending.is_none();
    let list: Vec<Move> = position.legal_moves().to_vec();
    moves > 0
        && goes_on(position)
        && list.into_iter().all(|mv| {
            position.play_unchecked(mv);
            let lost = goes_on(position) && attacks(position, moves, only_checks);
            position.undo();
            lost
        })
}

fn is_mate(answer: MateProof, plies: u32) -> bool {
    match answer {
        MateProof::Mate(found) => {
            assert!(found <= plies);
            true
        }
        MateProof::NoMate { .. } => false,
        MateProof::Open => panic!("open after {PLENTY} nodes"),
    }
}

#[test]
fn prover_agrees_with_brute_force_for_both_sides() {
    let (mut mates, mut by_checks, mut losses) = (0, 0, 0);
    for mut root in sparse_positions(11, 0..3).take(60) {
        let fen = root.fen();
        let side = root.side();
        let (mut attacker, mut defender) = (prover(&root, side), prover(&root, !side));
        for moves in 1..=2 {
            let plies = 2 * moves - 1;
            for (method, only_checks) in [(AttackerMoves::ChecksOnly, true), (AttackerMoves::All, false)] {
                let expected = attacks(&mut root, moves, only_checks);
                let answer = attacker.prove(&[], plies, method, PLENTY);
                assert_eq!(is_mate(answer, plies), expected, "{moves} moves by {method:?}: {fen}");
                mates += u32::from(expected);
                by_checks += u32::from(expected && only_checks);
            }
            // The same side attacks, the other one is to move.
            for mv in root.clone().legal_moves().into_iter().step_by(5) {
                root.play_unchecked(mv);
                let expected = is_lost(&mut root, moves, false);
                root.undo();
                let answer = attacker.prove(&[mv], 2 * moves, AttackerMoves::All, PLENTY);
                assert_eq!(is_mate(answer, 2 * moves), expected, "{moves} moves after {mv}: {fen}");
            }
        }
        // The other side attacks.
        let expected = is_lost(&mut root, 1, false);
        assert_eq!(is_mate(defender.prove(&[], 2, AttackerMoves::All, PLENTY), 2), expected, "{fen}");
        losses += u32::from(expected);
    }
    assert!(mates > 20 && by_checks > 5 && mates > by_checks, "{mates} mates, {by_checks} by checks, {losses} losses");
}

#[test]
fn prover_leaves_open_what_it_cannot_settle_and_goes_on() {
    let Problem { fen, .. } = problems().find(|problem| problem.moves == 5).expect("a mate in five");
    let root = position(fen);
    let mut solver = prover(&root, root.side());
    assert_eq!(solver.prove(&[], 9, AttackerMoves::All, 500), MateProof::Open);
    assert!((400..=600).contains(&solver.nodes()), "{}", solver.nodes());
    let rounds = (0..2_000).take_while(|_| solver.prove(&[], 9, AttackerMoves::All, 5_000) == MateProof::Open).count();
    assert!(rounds < 2_000);
    assert_eq!(solver.prove(&[], 9, AttackerMoves::All, 500), MateProof::Mate(9), "remembered");

    let illegal: Move = "a0a9".parse().expect("a move");
    assert_eq!(solver.prove(&[illegal], 9, AttackerMoves::All, 500), MateProof::Open);

    let control = Arc::new(Control::new(false));
    control.stop();
    let mut stopped = MateProver::new(&root, root.side(), Rules::default(), 1, control);
    assert_eq!(stopped.prove(&[], 9, AttackerMoves::All, PLENTY), MateProof::Open);
    assert!(stopped.nodes() < 1_000);
}

#[test]
fn prover_knows_when_no_mate_will_ever_come() {
    // A lone advisor gives no check.
    let root = position("3ak4/9/9/9/9/9/9/9/4A4/3K5 w - - 0 1");
    let mut checks = prover(&root, Color::Red);
    assert_eq!(checks.prove(&[], 59, AttackerMoves::ChecksOnly, PLENTY), MateProof::NoMate { ever: true });
    // A rook alone against two advisors and two bishops may check, but not in one move mate.
    let root = position("2bak4/4a4/4b4/9/9/9/9/9/4R4/3K5 w - - 0 1");
    let mut all = prover(&root, Color::Red);
    assert_eq!(all.prove(&[], 1, AttackerMoves::All, PLENTY), MateProof::NoMate { ever: false });
}
