//! Tests of the checks of compositions.

use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::composition::{
    CheckBudget, CheckReport, CheckSettings, Claim, Composition, CompositionKind, Finding, Soundness, check,
};
use chuhe_testing::sparse_positions;
use std::collections::BTreeSet;
use std::sync::Arc;
use xiangqi::{Move, Position};

// What a check says of stated solutions, claims, tables, and of what it cannot settle.

fn problem(fen: &str, stated: &[&str]) -> Composition {
    let mut problem = Composition::new(&Position::from_fen(fen).expect(fen));
    problem.stated = stated.iter().map(|text| text.parse().expect("a move")).collect();
    problem
}

fn checked(problem: &Composition, nodes: u64) -> CheckReport {
    let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    let settings = CheckSettings { megabytes: 4, ..CheckSettings::default() };
    check(problem, &mut searcher, &settings, CheckBudget::Nodes(nodes), &Arc::new(Control::new(false)), &mut ())
}

/// Mate in two moves by e8f7 alone.
const TWO: &str = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1";

#[test]
fn check_compares_the_stated_solution() {
    let report = checked(&problem(TWO, &[]), 3_000_000);
    let solution = report.solution.expect("a mate");
    assert_eq!((solution.moves, solution.key.to_string().as_str()), (2, "e8f7"));
    let line: Vec<String> = report.main_line().iter().map(|&at| report.tree[at as usize].mv.to_string()).collect();
    assert_eq!(line.len(), 3, "{line:?}");

    // The same line, stated.
    let stated: Vec<&str> = line.iter().map(String::as_str).collect();
    let again = checked(&problem(TWO, &stated), 3_000_000);
    assert_eq!((again.soundness, &again.findings), (report.soundness, &report.findings));

    // A first move that does not mate in two.
    let wrong = checked(&problem(TWO, &["a3a2"]), 3_000_000);
    assert_eq!(wrong.soundness, Soundness::Refuted);
    assert!(wrong.findings.contains(&Finding::StatedMoveFails { ply: 0 }), "{:?}", wrong.findings);

    // A solution that takes its time: the two rooks mate in one.
    let slow = problem("3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1", &["a1a2", "d9d8", "b0b8", "d8d9", "a2a9"]);
    assert_eq!(slow.stated_moves(), Some(3));
    let report = checked(&slow, 3_000_000);
    assert_eq!(report.soundness, Soundness::Shorter, "{:?}", report.findings);
    assert!(report.findings.contains(&Finding::Shorter { stated: 3, moves: 1 }), "{:?}", report.findings);
}

#[test]
fn check_trusts_the_tables() {
    // A rook beats an advisor; the tables in the program know no distance, and a mate is found anyway or not.
    let mut claimed = problem("3ak4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1", &[]);
    claimed.claim = Claim::Win;
    let report = checked(&claimed, 200_000);
    assert_eq!(report.kind, Some(CompositionKind::KnownWin));
    assert_ne!(report.soundness, Soundness::Refuted);
    claimed.claim = Claim::Draw;
    let report = checked(&claimed, 200_000);
    assert_eq!((report.soundness, report.findings.last()), (Soundness::Refuted, Some(&Finding::ClaimRefuted)));

    // A horse does not beat two advisors.
    let mut drawn = problem("3aka3/9/9/9/9/9/9/9/4N4/3K5 w - - 0 1", &[]);
    let report = checked(&drawn, 200_000);
    assert_eq!((report.kind, report.soundness), (Some(CompositionKind::KnownDraw), Soundness::Refuted));
    drawn.claim = Claim::Draw;
    assert_eq!(checked(&drawn, 200_000).soundness, Soundness::Known);
}

#[test]
fn check_says_what_it_could_not_settle() {
    let start = Composition::new(&Position::start());
    let report = checked(&start, 50_000);
    assert_eq!((report.soundness, report.solution), (Soundness::Unsettled, None));
    assert!(report.ruled_out >= 1 && report.finished);

    // Stopped at once: nothing is claimed.
    let control = Arc::new(Control::new(false));
    control.stop();
    let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
    let settings = CheckSettings { megabytes: 1, ..CheckSettings::default() };
    let report = check(&problem(TWO, &[]), &mut searcher, &settings, CheckBudget::Nodes(1_000_000), &control, &mut ());
    assert!(!report.finished);
    assert_eq!(report.soundness, Soundness::Unsettled);

    // A position without a move is lost.
    let report = checked(&problem("3R1k3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1", &[]), 1_000);
    assert_eq!(report.findings, [Finding::Lost { moves: Some(0) }]);
}

// Checks agree with brute force, on small positions.

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

fn brute_checked(root: &Position) -> CheckReport {
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
        let report = brute_checked(&root);
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
