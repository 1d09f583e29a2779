//! Checks agree with brute force, on small positions.

use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::composition::{CheckBudget, CheckReport, CheckSettings, Composition, Finding, Soundness, check};
use chuhe_testing::sparse_positions;
use std::collections::BTreeSet;
use std::sync::Arc;
use xiangqi::{Move, Position};

/// Plies until mate or stalemate with best play, at most so many; an odd number with the attacker to move.
fn distance(position: &mut Position, plies: u32) -> Option<u32> {
    let attacks = plies % 2 == 1;
    let moves: Vec<Move> = position.legal_moves().to_vec();
    if moves.is_empty() {
        return (!attacks).then_some(0);
    }
    if plies == 0 {
        return None;
    }
    let mut below = moves.into_iter().map(|mv| {
        position.play_unchecked(mv);
        let found = distance(position, plies - 1);
        position.undo();
        found.map(|found| found + 1)
    });
    if attacks { below.flatten().min() } else { below.try_fold(0, |longest: u32, found| Some(longest.max(found?))) }
}

/// The moves of the attacker that mate within so many plies, themselves counted.
fn mating_moves(position: &mut Position, plies: u32) -> BTreeSet<String> {
    let moves: Vec<Move> = position.legal_moves().to_vec();
    let mates = |mv: &Move| {
        position.play_unchecked(*mv);
        let found = distance(position, plies - 1);
        position.undo();
        found.is_some()
    };
    moves.into_iter().filter(mates).map(|mv| mv.to_string()).collect()
}

fn checked(root: &Position) -> CheckReport {
    let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
    let settings = CheckSettings { megabytes: 4, ..CheckSettings::default() };
    let control = Arc::new(Control::new(false));
    check(&Composition::new(root), &mut searcher, &settings, CheckBudget::Nodes(20_000_000), &control, &mut ())
}

#[test]
fn composition_check_agrees_with_brute_force() {
    let (mut cooked, mut sound, mut with_duals) = (0, 0, 0);
    let problems = sparse_positions(49, 0..4).filter_map(|mut position| {
        let plies = (1..=5).step_by(2).find_map(|plies| distance(&mut position, plies))?;
        (plies >= 3).then_some((position, plies))
    });
    for (mut root, plies) in problems.take(25) {
        let fen = root.fen();
        let report = checked(&root);
        let solution = report.solution.expect(&fen);
        assert_eq!((solution.moves, solution.shortest), (plies.div_ceil(2), true), "{fen}");
        assert_eq!(report.ruled_out, solution.moves - 1, "{fen}");

        let mut keys = mating_moves(&mut root, plies);
        assert!(keys.remove(&solution.key.to_string()), "{fen}");
        let mut cooks = BTreeSet::new();
        for finding in &report.findings {
            match finding {
                Finding::Cook(other) => drop(cooks.insert(other.mv.to_string())),
                other => panic!("{other:?} in {fen}"),
            }
        }
        assert_eq!(cooks, keys, "{fen}");

        let mut duals = false;
        for (index, node) in report.tree.iter().enumerate() {
            let line = report.line_to(index as u32);
            let mut position = root.clone();
            for &mv in &line[..line.len() - 1] {
                position.play(mv).expect("a legal move");
            }
            let mut before = position.clone();
            position.play(node.mv).expect("a legal move");
            let left = plies - line.len() as u32;
            let found = distance(&mut position, left).expect("a mate");
            assert!(found <= node.plies && (!node.exact || found == node.plies), "{line:?} in {fen}");
            if !node.main {
                continue;
            }
            assert!(node.exact && found == left, "{line:?} in {fen}");
            if line.len() % 2 == 1 && line.len() > 1 {
                let mut others = mating_moves(&mut before, left + 1);
                others.remove(&node.mv.to_string());
                let told: BTreeSet<String> = node.duals.iter().map(|dual| dual.mv.to_string()).collect();
                assert_eq!(told, others, "{line:?} in {fen}");
                duals |= node.plies > 0 && !told.is_empty();
            }
            // All defences are there, and those that hold out longest are main lines.
            if line.len() % 2 == 1 && node.same_as.is_none() {
                let told: Vec<u32> = report.children(Some(index as u32)).collect();
                assert_eq!(told.len() as u64, position.count_legal(), "{line:?} in {fen}");
            }
        }
        let expected = match (cooks.is_empty(), duals) {
            (false, _) => Soundness::Cooked,
            (true, true) => Soundness::Duals,
            (true, false) => Soundness::Sound,
        };
        assert_eq!(report.soundness, expected, "{fen}");
        cooked += u32::from(expected == Soundness::Cooked);
        with_duals += u32::from(expected == Soundness::Duals);
        sound += u32::from(expected == Soundness::Sound);
    }
    assert!(cooked > 0 && sound > 0 && with_duals > 0, "{cooked} cooked, {sound} sound, {with_duals} with duals");
}
