//! The check of one composition: is there a win, is it the shortest, is the first move the only one, and what are the
//! defences. Each step gets what is left of its share of the budget.

use super::report::{CheckReport, Claim, Composition, CompositionKind, Finding, Solution, Soundness};
use super::tree;
use super::tree::{BudgetedProver, CheckBudget, ProofLimits};
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, MateProgress, MateProof, Reporter, SearchResult, Searcher};
use chuhe_engine::tablebase::ProbeResult;
use std::sync::Arc;
use xiangqi::Move;

/// The part of the budget for the search for a mate, and for another one if the first finds none.
const SEARCH_PARTS: [f64; 2] = [0.3, 0.4];
/// The parts of what is left then that each step may take. Duals get what is left at last.
const PROOF_PART: f64 = 0.5;
const SHORTER_PART: f64 = 0.25;
const STATED_PART: f64 = 0.25;
const COOKS_PART: f64 = 0.5;
/// Nodes for each other first move.
const COOK_NODES: u64 = 64_000_000;
/// Nodes for each position of a line that is proven from its end back.
const LINE_NODES: u64 = 400_000;

/// How a composition is checked.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// The longest mate that is looked for, in moves.
    pub longest: u32,
    /// So many moves are kept in the tree of solution and defences.
    pub tree_moves: usize,
    /// Memory of the provers in megabytes.
    pub megabytes: usize,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings { longest: 60, tree_moves: 1_000, megabytes: 64 }
    }
}

impl CheckSettings {
    /// Memory for a check in megabytes, where nothing else is asked for.
    pub const USUAL_MEGABYTES: usize = if cfg!(target_family = "wasm") { 32 } else { 128 };

    /// How this memory is shared: half of it is the transposition table of the search, the rest is the provers'.
    pub fn memory_shares(megabytes: usize) -> [usize; 2] {
        [megabytes / 2, megabytes * 2 / 5].map(|share| share.max(1))
    }
}

/// Receives the progress of a check.
pub trait CheckObserver: Send {
    /// There is no mate in so many moves.
    fn ruled_out(&mut self, _moves: u32) {}
}

impl CheckObserver for () {}

/// Checks a composition. The searcher forgets what it knew; its rules and tables apply.
pub fn check(
    problem: &Composition,
    searcher: &mut Searcher,
    settings: &CheckSettings,
    budget: CheckBudget,
    control: &Arc<Control>,
    observer: &mut dyn CheckObserver,
) -> CheckReport {
    let mut prover = BudgetedProver::new(&problem.start, searcher, settings.megabytes, budget, control);
    let report = CheckReport {
        number: 1,
        title: problem.title.clone(),
        tags: problem.tags.clone(),
        fen: problem.start.fen(),
        stated: problem.stated.clone(),
        claim: problem.claim,
        soundness: Soundness::Unsettled,
        kind: None,
        solution: None,
        ruled_out: 0,
        findings: Vec::new(),
        tree: Vec::new(),
        nodes: 0,
        finished: true,
    };
    let mut check = Check { problem, settings, prover: &mut prover, observer, report };
    check.run(searcher, budget, control);
    let mut report = check.report;
    report.nodes = prover.nodes();
    report.finished = !control.stopped();
    report
}

/// A check that is running.
struct Check<'a> {
    problem: &'a Composition,
    settings: &'a CheckSettings,
    prover: &'a mut BudgetedProver,
    observer: &'a mut dyn CheckObserver,
    report: CheckReport,
}

/// Records how far a search for a mate has come, and passes it on.
struct ProgressListener<'a> {
    last: Option<MateProgress>,
    observer: &'a mut dyn CheckObserver,
}

impl Reporter for ProgressListener<'_> {
    fn mate_progress(&mut self, search: &MateProgress) {
        self.last = Some(*search);
        self.observer.ruled_out(search.ruled_out);
    }
}

impl Check<'_> {
    fn run(&mut self, searcher: &mut Searcher, budget: CheckBudget, control: &Control) {
        let table = self.prover.probe(&[]);
        self.report.kind = match table {
            Some(ProbeResult::Win(_)) => Some(CompositionKind::KnownWin),
            Some(ProbeResult::Draw) => Some(CompositionKind::KnownDraw),
            _ => None,
        };
        if !self.problem.start.has_legal_move() {
            self.report.findings.push(Finding::Lost { moves: Some(0) });
        } else {
            match table {
                Some(ProbeResult::Draw) => self.report.findings.push(Finding::DrawnByTable),
                Some(ProbeResult::Loss(plies)) => {
                    self.report.findings.push(Finding::Lost { moves: plies.map(|plies| u32::from(plies).div_ceil(2)) });
                }
                _ => self.look_for_mate(searcher, budget, control),
            }
        }
        if let Some(Solution { moves, .. }) = self.report.solution {
            self.rule_out_shorter(moves);
            self.look_for_checks();
            self.look_at_stated_line();
            self.look_for_cooks();
            tree::build(&mut self.report, self.problem, self.settings.tree_moves, self.prover);
        } else if matches!(table, Some(ProbeResult::Win(_))) {
            self.note_table_wins();
        }
        self.report.soundness = self.soundness(table);
    }

    /// Searches for a mate, and proves it.
    fn look_for_mate(&mut self, searcher: &mut Searcher, budget: CheckBudget, control: &Control) {
        searcher.new_game();
        let (mut found, mut progress) = self.search(searcher, budget.limits(SEARCH_PARTS[0]), control);
        let is_settled = |progress: Option<MateProgress>| {
            progress.is_some_and(|progress| progress.found.is_some() || progress.ruled_out >= progress.requested)
        };
        if !is_settled(progress) && !control.stopped() {
            // What the first one has seen helps the second one.
            (found, progress) = self.search(searcher, budget.limits(SEARCH_PARTS[1]), control);
        }
        self.report.ruled_out = progress.map_or(0, |progress| progress.ruled_out);
        if progress.is_some_and(|progress| progress.finished && progress.ruled_out >= self.settings.longest) {
            // Ruled out for all lengths that were asked for; perhaps for ever.
            let plies = 2 * self.settings.longest - 1;
            let limits = ProofLimits { share: self.prover.part_of_rest(PROOF_PART), nodes: u64::MAX };
            if self.prover.prove(&[], plies, limits) == (MateProof::NoMate { ever: true }) {
                self.report.findings.push(Finding::NoMate);
            }
            return;
        }
        self.prove(&found);
        if self.report.solution.is_none() {
            self.look_for_defeat(&found);
        }
    }

    /// Searches for a mate; returns the result, and what is ruled out.
    fn search(
        &mut self,
        searcher: &mut Searcher,
        limits: Limits,
        control: &Control,
    ) -> (SearchResult, Option<MateProgress>) {
        let mut listener = ProgressListener { last: None, observer: &mut *self.observer };
        let limits = Limits { mate: Some(self.settings.longest), ..limits };
        let found = searcher.search(&self.problem.start, &limits, control, &mut listener);
        self.prover.other_nodes += found.nodes;
        (found, listener.last)
    }

    /// Proves a mate that the search claims, or that is stated.
    fn prove(&mut self, found: &SearchResult) {
        let claimed = score::mate_plies(found.score).filter(|&plies| plies > 0).map(|plies| plies as u32);
        let stated = self.problem.stated_moves().map(|moves| 2 * moves - 1);
        let candidates = [(stated, &self.problem.stated), (claimed, &found.pv)];
        let proofs = candidates.map(|(plies, line)| self.prove_along(line, plies?));
        let shortest = proofs.into_iter().flatten().min();
        let Some(plies) = shortest else { return };
        let first = [self.problem.stated.first(), found.pv.first()].into_iter().flatten().copied();
        if let Some(key) = self.prover.winning_move(&[], plies, &Vec::from_iter(first)) {
            let moves = plies.div_ceil(2);
            self.report.solution = Some(Solution { moves, shortest: self.report.ruled_out + 1 >= moves, key });
        }
    }

    /// Proves the root within so many plies, from the end of a line back: what is near the mate is proven easily, and
    /// helps with what is before it.
    fn prove_along(&mut self, line: &[Move], plies: u32) -> Option<u32> {
        let limits = ProofLimits { share: self.prover.part_of_rest(PROOF_PART), nodes: LINE_NODES };
        for length in (1..=line.len().min(plies as usize)).rev() {
            self.prover.prove(&line[..length], plies - length as u32, limits);
        }
        match self.prover.prove(&[], plies, ProofLimits { nodes: u64::MAX, ..limits }) {
            MateProof::Mate(plies) => Some(plies),
            _ => None,
        }
    }

    /// The search sees the side to move lost: tries to prove it.
    fn look_for_defeat(&mut self, found: &SearchResult) {
        let Some(plies) = score::mate_plies(found.score).filter(|&plies| plies < 0) else { return };
        let moves: Vec<Move> = self.problem.start.legal_moves().to_vec();
        let (mut longest, share) = (0, self.prover.part_of_rest(COOKS_PART));
        for mv in moves {
            match self.prover.prove_counter_mate(&[mv], LINE_NODES) {
                Some(plies) if !self.prover.is_spent(share) => longest = longest.max(plies.div_ceil(2)),
                _ => {
                    log::debug!("a mate against the side to move in {} plies is not proven", -plies);
                    return;
                }
            }
        }
        self.report.findings.push(Finding::Lost { moves: Some(longest) });
    }

    /// Asks for shorter mates until none is left.
    fn rule_out_shorter(&mut self, moves: u32) {
        let (mut moves, share) = (moves, self.prover.part_of_rest(SHORTER_PART));
        while moves > 1 && !self.report.solution.is_some_and(|solution| solution.shortest) {
            let plies = 2 * (moves - 1) - 1;
            match self.prover.prove(&[], plies, ProofLimits { share, nodes: u64::MAX }) {
                MateProof::Mate(shorter) => {
                    moves = shorter.div_ceil(2);
                    let Some(key) = self.prover.winning_move(&[], shorter, &self.problem.stated) else { break };
                    let shortest = self.report.ruled_out + 1 >= moves;
                    self.report.solution = Some(Solution { moves, shortest, key });
                }
                MateProof::NoMate { .. } => {
                    self.report.ruled_out = moves - 1;
                    self.report.solution.iter_mut().for_each(|solution| solution.shortest = true);
                }
                MateProof::Open => break,
            }
        }
        if moves == 1 {
            self.report.solution.iter_mut().for_each(|solution| solution.shortest = true);
        }
    }

    /// Whether checks alone win as fast.
    fn look_for_checks(&mut self) {
        let Some(Solution { moves, .. }) = self.report.solution else { return };
        let limits = ProofLimits { share: self.prover.part_of_rest(SHORTER_PART), nodes: 4 * LINE_NODES };
        let by_checks = match self.prover.prove_by_checks(&[], 2 * moves - 1, limits) {
            MateProof::Mate(_) => CompositionKind::SeriesOfChecks,
            MateProof::NoMate { .. } => CompositionKind::QuietAndChecks,
            MateProof::Open => return,
        };
        self.report.kind.get_or_insert(by_checks);
    }

    /// Compares the stated solution with what is proven.
    fn look_at_stated_line(&mut self) {
        let Some(solution) = self.report.solution else { return };
        let stated_moves = self.problem.stated_moves();
        if let Some(stated) = stated_moves {
            if solution.moves < stated {
                self.report.findings.push(Finding::Shorter { stated, moves: solution.moves });
            } else if !solution.shortest {
                let ruled_out = self.report.ruled_out;
                self.report.findings.push(Finding::ShorterOpen { stated, ruled_out });
            }
        }
        // Each move of the attacker must keep the mate in as many moves as are left.
        let plies = 2 * stated_moves.unwrap_or(solution.moves).max(solution.moves) - 1;
        let line = &self.problem.stated;
        let limits = ProofLimits { share: self.prover.part_of_rest(STATED_PART), nodes: LINE_NODES };
        for ply in (0..line.len().min(plies as usize)).step_by(2) {
            let ply_number = ply as u32;
            match self.prover.prove(&line[..=ply], plies - 1 - ply_number, limits) {
                MateProof::Mate(_) => {}
                MateProof::NoMate { .. } => {
                    self.report.findings.push(Finding::StatedMoveFails { ply: ply_number });
                    break;
                }
                MateProof::Open => {
                    self.report.findings.push(Finding::StatedMoveOpen { ply: ply_number });
                    break;
                }
            }
        }
    }

    /// Looks for other first moves that mate as fast.
    fn look_for_cooks(&mut self) {
        let Some(Solution { moves, key, .. }) = self.report.solution else { return };
        let mut open: Vec<Move> = self.problem.start.legal_moves().into_iter().filter(|&mv| mv != key).collect();
        let share = self.prover.part_of_rest(COOKS_PART);
        let limits = ProofLimits { share, nodes: COOK_NODES };
        let found = self.prover.classify_moves(&[], &mut open, 2 * moves - 2, limits);
        self.report.findings.extend(found.into_iter().map(Finding::Cook));
        if !open.is_empty() {
            self.report.findings.push(Finding::CooksOpen { moves: open });
        }
    }

    /// The first moves that win by the tables, where they know no distance.
    fn note_table_wins(&mut self) {
        let moves: Vec<Move> = self.problem.start.legal_moves().to_vec();
        let wins = |&mv: &Move| matches!(self.prover.probe(&[mv]), Some(ProbeResult::Loss(_)));
        let moves = moves.into_iter().filter(wins).collect();
        self.report.findings.push(Finding::TableWins { moves });
    }

    /// The verdict from everything that was found.
    fn soundness(&mut self, table: Option<ProbeResult>) -> Soundness {
        let report = &mut self.report;
        let wins = report.solution.is_some() || matches!(table, Some(ProbeResult::Win(_)));
        let is_lost = report.findings.iter().any(|finding| matches!(finding, Finding::Lost { .. }));
        let is_drawn = report.findings.contains(&Finding::DrawnByTable);
        let refuted = match report.claim {
            Claim::None | Claim::Win => is_lost || is_drawn || report.findings.contains(&Finding::NoMate),
            Claim::Draw => wins || is_lost,
            Claim::Loss => wins || is_drawn,
        };
        if refuted {
            if wins {
                report.findings.push(Finding::ClaimRefuted);
            }
            return Soundness::Refuted;
        }
        if report.solution.is_none() {
            let is_known = is_lost && report.claim == Claim::Loss || is_drawn || wins;
            return if is_known { Soundness::Known } else { Soundness::Unsettled };
        }
        let has = |test: fn(&Finding) -> bool| report.findings.iter().any(test);
        if has(|finding| matches!(finding, Finding::StatedMoveFails { .. })) {
            Soundness::Refuted
        } else if has(|finding| matches!(finding, Finding::Shorter { .. })) {
            Soundness::Shorter
        } else if has(|finding| matches!(finding, Finding::Cook(_))) {
            Soundness::Cooked
        } else if has(|finding| {
            matches!(finding, Finding::CooksOpen { .. } | Finding::ShorterOpen { .. } | Finding::StatedMoveOpen { .. })
        }) {
            Soundness::Unsettled
        } else if report.tree.iter().any(|mv| mv.plies > 0 && !mv.duals.is_empty()) {
            Soundness::Duals
        } else if report.tree.iter().any(|mv| !mv.open_duals.is_empty()) {
            Soundness::Unsettled
        } else {
            Soundness::Sound
        }
    }
}
