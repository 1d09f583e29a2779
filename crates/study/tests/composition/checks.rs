//! What a check says of stated solutions, claims, tables, and of what it cannot settle.

use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::composition::{
    CheckBudget, CheckReport, CheckSettings, Claim, Composition, CompositionKind, Finding, Soundness, check,
};
use std::sync::Arc;
use xiangqi::Position;

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
