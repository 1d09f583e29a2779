//! The tree of a composition: the solution, every defence, and what answers it; and a walk through it with its positions,
//! for the outputs.

use super::report::{CheckReport, Composition, MovePoint, OtherMove, TreeMove, points_of_attack, points_of_defence};
use crate::reader::{line_in, move_in};
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{AttackerMoves, Control, Limits, MateProof, MateProver, Searcher};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::with_values;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position, Rules};
use xiangqi_record::notation::Notation;

/// The part of what is left of the budget that the tree may take without its duals.
const TREE_PART: f64 = 0.5;
/// Nodes for each defence, whose mate is known to be near.
const MOVE_NODES: u64 = 300_000;
/// Nodes that rule out a shorter mate after a defence.
const EXACT_NODES: u64 = 200_000;
/// Nodes for each move of a step that looks for duals.
const DUAL_NODES: u64 = 1_000_000;

/// A position of the attacker whose answer is still to be found.
struct Pending {
    /// The defence before it; none at the root.
    after: Option<u32>,
    line: Vec<Move>,
    /// Plies until mate at most.
    plies: u32,
    exact: bool,
    main: bool,
}

struct TreeBuilder<'a> {
    report: &'a mut CheckReport,
    prover: &'a mut BudgetedProver,
    stated: &'a [Move],
    limit: usize,
    /// The part of the budget at which no more is added.
    share: f64,
    /// The positions of the attacker that have their continuation, with the defence before them.
    seen: HashMap<Key, Option<u32>>,
}

/// Builds the tree of a proven win: the main lines first, and their duals last.
pub(super) fn build(report: &mut CheckReport, problem: &Composition, limit: usize, prover: &mut BudgetedProver) {
    let Some(solution) = report.solution else { return };
    let share = prover.part_of_rest(TREE_PART);
    let mut builder = TreeBuilder { report, prover, stated: &problem.stated, limit, share, seen: HashMap::new() };
    let root =
        Pending { after: None, line: Vec::new(), plies: 2 * solution.moves - 1, exact: solution.shortest, main: true };
    let (mut main, mut others) = (VecDeque::from([root]), VecDeque::new());
    while let Some(next) = main.pop_front().or_else(|| others.pop_front()) {
        for below in builder.expand(next) {
            if below.main { main.push_back(below) } else { others.push_back(below) }
        }
    }
    builder.find_duals();
}

impl TreeBuilder<'_> {
    /// Adds the answer of the attacker and all defences against it; returns what is to be expanded then.
    fn expand(&mut self, at: Pending) -> Vec<Pending> {
        let key = self.prover.position_after(&at.line).key();
        let is_root = at.after.is_none();
        if let Some(after) = at.after {
            // A mate in one is repeated: that is shorter than a reference.
            if let Some(&Some(same)) = self.seen.get(&key).filter(|_| at.plies > 1) {
                self.report.tree[after as usize].same_as = Some(same);
                return Vec::new();
            }
            if self.report.tree.len() >= self.limit || self.prover.is_spent(self.share) {
                self.report.tree[after as usize].cut = true;
                return Vec::new();
            }
        }
        let first: Vec<Move> = if is_root {
            self.report.solution.iter().map(|solution| solution.key).collect()
        } else {
            self.stated_answer(&at.line).into_iter().collect()
        };
        let Some(mv) = self.prover.winning_move(&at.line, at.plies, &first) else {
            if let Some(after) = at.after {
                self.report.tree[after as usize].cut = true;
            }
            return Vec::new();
        };
        self.seen.insert(key, at.after);
        let answer = self.add(at.after, mv, at.plies - 1, at.exact, at.main);
        let line = [&at.line[..], &[mv]].concat();
        self.add_defences(answer, line, &at)
    }

    /// What the stated solution plays after a line that it begins with.
    fn stated_answer(&self, line: &[Move]) -> Option<Move> {
        self.stated.strip_prefix(line)?.first().copied()
    }

    fn add(&mut self, parent: Option<u32>, mv: Move, plies: u32, exact: bool, main: bool) -> u32 {
        let (same_as, cut) = (None, false);
        let (duals, open_duals) = (Vec::new(), Vec::new());
        self.report.tree.push(TreeMove { parent, mv, plies, exact, main, same_as, cut, duals, open_duals });
        self.report.tree.len() as u32 - 1
    }

    /// Adds the defences after a move of the attacker, the longest first.
    fn add_defences(&mut self, answer: u32, line: Vec<Move>, at: &Pending) -> Vec<Pending> {
        let bound = at.plies - 1;
        let replies: Vec<Move> = self.prover.position_after(&line).legal_moves().into_iter().collect();
        if replies.is_empty() {
            self.report.tree[answer as usize].plies = 0;
            return Vec::new();
        }
        let limits = ProofLimits { share: self.share, nodes: MOVE_NODES };
        let mut defences: Vec<(Move, u32, bool)> = Vec::new();
        for mv in replies {
            let next = [&line[..], &[mv]].concat();
            // Proven within the bound, as the move before it is; a table that forgot is no reason to doubt it.
            let plies = match self.prover.prove(&next, bound.saturating_sub(1), limits) {
                MateProof::Mate(plies) => plies,
                _ => bound.saturating_sub(1),
            };
            let (plies, exact) = if at.main { self.shortest(&next, plies) } else { (plies, plies == 1) };
            defences.push((mv, plies, exact));
        }
        let longest = defences.iter().map(|&(_, plies, _)| plies).max().unwrap_or(0);
        // Somebody must hold out as long as the move before it promises.
        let most = defences.iter().filter(|&&(_, plies, _)| plies == longest).count();
        if at.exact && longest + 1 == bound && most == 1 {
            defences.iter_mut().filter(|defence| defence.1 == longest).for_each(|defence| defence.2 = true);
        }
        let stated = self.stated_answer(&line);
        defences.order_by_key(|&(mv, plies, exact)| (std::cmp::Reverse(plies), Some(mv) != stated, !exact));
        self.report.tree[answer as usize].plies = longest + 1;
        let all_exact = defences.iter().all(|defence| defence.2);
        self.report.tree[answer as usize].exact |= all_exact;
        let mut below = Vec::new();
        for (mv, plies, exact) in defences {
            let main = at.main && plies == longest;
            let after = self.add(Some(answer), mv, plies, exact, main);
            let line = [&line[..], &[mv]].concat();
            below.push(Pending { after: Some(after), line, plies, exact, main });
        }
        below
    }

    /// Shortens the bound of a defence, and says whether it is exact then.
    fn shortest(&mut self, line: &[Move], plies: u32) -> (u32, bool) {
        let mut plies = plies;
        while plies > 1 {
            let limits = ProofLimits { share: self.share, nodes: EXACT_NODES };
            match self.prover.prove(line, plies - 2, limits) {
                MateProof::Mate(shorter) => plies = shorter,
                MateProof::NoMate { .. } => return (plies, true),
                MateProof::Open => return (plies, false),
            }
        }
        (plies, true)
    }

    /// Looks on the main lines for moves that mate as fast as the one that was taken; those of the first move are cooks.
    fn find_duals(&mut self) {
        for index in 0..self.report.tree.len() as u32 {
            let TreeMove { parent, mv, plies, main, .. } = self.report.tree[index as usize];
            let is_attack = self.report.line_to(index).len() % 2 == 1;
            if !main || !is_attack || parent.is_none() {
                continue;
            }
            let line = parent.map(|parent| self.report.line_to(parent)).unwrap_or_default();
            let legal = self.prover.position_after(&line).legal_moves();
            let limits = ProofLimits { share: 1.0, nodes: DUAL_NODES };
            let mut open: Vec<Move> = legal.iter().copied().filter(|&other| other != mv).collect();
            let duals = self.prover.classify_moves(&line, &mut open, plies, limits);
            let node = &mut self.report.tree[index as usize];
            (node.duals, node.open_duals) = (duals, open);
        }
    }
}

/// A move of the tree, as an output shows it.
pub(super) struct ShownMove<'a> {
    pub entry: &'a TreeMove,
    /// Its place in the tree.
    pub index: u32,
    /// Moves of both sides before it.
    pub ply: u32,
    /// The position before it.
    pub before: Position,
    /// The moves after it.
    pub below: Vec<ShownMove<'a>>,
}

impl ShownMove<'_> {
    /// Whether the attacker plays it.
    pub fn is_attack(&self) -> bool {
        self.ply.is_multiple_of(2)
    }

    /// The move in this notation.
    pub fn text(&self, notation: Notation) -> String {
        move_in(&self.before, self.entry.mv, notation)
    }

    /// What the move does.
    pub fn points(&self) -> Vec<MovePoint> {
        let points = if self.is_attack() { points_of_attack } else { points_of_defence };
        points(&self.before, self.entry.mv)
    }

    /// The same in words.
    pub fn points_text(&self, notation: Notation) -> String {
        let mut passed = self.before.after(&[self.entry.mv]);
        if !passed.in_check() {
            passed.play_null();
        }
        let write = |mv: Move| move_in(&passed, mv, notation);
        self.points()
            .into_iter()
            .map(|point| point.text(write))
            .reduce(|one, next| tr!("{one}, {next}", one, next))
            .unwrap_or_default()
    }

    /// The moves until mate after a defence, at most if not exact.
    pub fn moves_left(&self) -> String {
        let moves = self.entry.plies.div_ceil(2);
        if self.entry.exact { tr!("mate in {moves}", moves) } else { tr!("mate in at most {moves}", moves) }
    }

    /// What stands in place of a continuation that is not there.
    pub fn remark(&self, report: &CheckReport, notation: Notation) -> Option<String> {
        if let Some(same) = self.entry.same_as {
            let line = report.line_to(same);
            let texts = line_in(&super::report::start_of(report)?, &line, notation);
            let ply = (texts.len() as u32).checked_sub(1)?;
            return Some(tr!("as after {mv}", mv = super::report::numbered(ply, texts.last()?)));
        }
        self.entry.cut.then(|| tr!("left out"))
    }
}

/// The first moves of the tree with all that follows; one that cannot be played is left out.
pub(super) fn shown_tree(report: &CheckReport) -> Vec<ShownMove<'_>> {
    let mut children = vec![Vec::new(); report.tree.len() + 1];
    for (index, entry) in report.tree.iter().enumerate() {
        let parent = entry.parent.map_or(0, |parent| parent as usize + 1);
        // A parent stands before its children.
        if parent <= index {
            children[parent].push(index as u32);
        }
    }
    let start = super::report::start_of(report);
    start.map(|start| shown_below(report, &children, None, &start, 0)).unwrap_or_default()
}

fn shown_below<'a>(
    report: &'a CheckReport,
    children: &[Vec<u32>],
    parent: Option<u32>,
    before: &Position,
    ply: u32,
) -> Vec<ShownMove<'a>> {
    let list = &children[parent.map_or(0, |parent| parent as usize + 1)];
    let shown = |&index: &u32| {
        let entry = &report.tree[index as usize];
        let mut after = before.clone();
        after.play(entry.mv).ok()?;
        let below = shown_below(report, children, Some(index), &after, ply + 1);
        Some(ShownMove { entry, index, ply, before: before.clone(), below })
    };
    list.iter().filter_map(shown).collect()
}

// Proves mates for a check: by the tables, or else by the engine's prover in slices, within a share of the budget: how much
// work the check of one composition may take.

/// A budget of time or of nodes, of which every step of a check gets a share.
#[derive(Clone, Copy, Debug)]
pub enum CheckBudget {
    /// What a check says does not depend on the machine.
    Nodes(u64),
    /// So much time from a moment on.
    Time(Instant, Duration),
}

impl CheckBudget {
    /// So many nodes, or this time from now on.
    pub fn new(nodes: Option<u64>, time: Duration) -> CheckBudget {
        nodes.map_or_else(|| CheckBudget::Time(Instant::now(), time), CheckBudget::Nodes)
    }

    /// The part that is spent, from 0 to 1 and beyond, after so many nodes.
    pub(super) fn spent(self, nodes: u64) -> f64 {
        match self {
            CheckBudget::Nodes(all) => nodes as f64 / all.max(1) as f64,
            CheckBudget::Time(begun, time) => begun.elapsed().as_secs_f64() / time.as_secs_f64(),
        }
    }

    /// Limits for a search that may take this part of the whole.
    pub(super) fn limits(self, part: f64) -> Limits {
        match self {
            CheckBudget::Nodes(all) => Limits::nodes((all as f64 * part) as u64),
            CheckBudget::Time(_, time) => Limits::move_time(time.mul_f64(part)),
        }
    }
}

/// Nodes of the first slice of a proof, and of the largest.
const SLICE_NODES: [u64; 2] = [4_000, 150_000];
/// Nodes for each move in the first round of [`BudgetedProver::classify_moves`].
const FIRST_ROUND_NODES: u64 = 4_000;
/// Nodes for each move in the rounds of [`BudgetedProver::winning_move`]. What is in the prover's hash table costs a few
/// nodes, so all moves are tried with few before one gets many.
const WINNING_MOVE_NODES: [u64; 5] = [50, 2_000, 20_000, 300_000, 3_000_000];
/// Longest mate of the defender that is looked for, in plies.
const COUNTER_PLIES: u32 = 39;

/// The limits of a proof.
#[derive(Clone, Copy)]
pub(super) struct ProofLimits {
    /// It ends when this part of the whole budget is spent.
    pub share: f64,
    /// The nodes for this proof.
    pub nodes: u64,
}

with_values! {
    /// Proves and refutes mates in the positions below the root.
    pub(super) struct BudgetedProver {
        root: Position = root.clone(),
        attacker: MateProver = prover(root.side(), megabytes),
        /// Searches for mates by the defender, which refute every mate of the attacker.
        defender: MateProver = prover(!root.side(), megabytes / 4),
        tables: Option<Arc<Tablebase>> = searcher.tablebase.clone(),
        natural_limit: usize = rules.natural_limit,
        budget: CheckBudget = budget,
        control: Arc<Control> = Arc::clone(control),
        /// Nodes of searches that are not the provers'.
        pub other_nodes: u64 = 0,
    }
    /// A prover for this root; a quarter of the memory is for the defender's mates.
    pub fn new(root: &Position, searcher: &Searcher, megabytes: usize, budget: CheckBudget, control: &Arc<Control>) {
        let rules: Rules = searcher.options.rules;
        let prover = |side, megabytes: usize| {
            let mut prover = MateProver::new(root, side, rules, megabytes.max(1), Arc::clone(control));
            prover.set_hints(Arc::clone(searcher.transposition_table()));
            prover
        };
    }
}

impl BudgetedProver {
    /// All nodes so far.
    pub fn nodes(&self) -> u64 {
        self.attacker.nodes() + self.defender.nodes() + self.other_nodes
    }

    /// Whether this part of the budget is spent, or the check was stopped.
    pub fn is_spent(&self, share: f64) -> bool {
        self.control.stopped() || self.budget.spent(self.nodes()) >= share
    }

    /// The end of a step that may take this part of what is left of the budget.
    pub fn part_of_rest(&self, part: f64) -> f64 {
        let spent = self.budget.spent(self.nodes()).min(1.0);
        spent + (1.0 - spent) * part
    }

    /// The position after a line.
    pub fn position_after(&self, line: &[Move]) -> Position {
        self.root.after(line)
    }

    /// What the tables say about the position after a line, from its side to move.
    pub fn probe(&self, line: &[Move]) -> Option<ProbeResult> {
        self.tables.as_ref()?.probe(&self.position_after(line))
    }

    /// Whether the attacker mates within so many plies after a line.
    pub fn prove(&mut self, line: &[Move], plies: u32, limits: ProofLimits) -> MateProof {
        if let Some(answer) = self.probe_mate(line, plies) {
            return answer;
        }
        if plies == 0 {
            let is_mate = !self.position_after(line).has_legal_move();
            return if is_mate { MateProof::Mate(0) } else { MateProof::NoMate { ever: false } };
        }
        let end = self.attacker.nodes().saturating_add(limits.nodes);
        let (mut slice, mut checks_left) = (SLICE_NODES[0], true);
        loop {
            let room = end.saturating_sub(self.attacker.nodes()).min(slice);
            if room == 0 || self.is_spent(limits.share) {
                return MateProof::Open;
            }
            if checks_left {
                match self.attacker.prove(line, plies, AttackerMoves::ChecksOnly, room.div_ceil(2)) {
                    MateProof::Mate(plies) => return MateProof::Mate(plies),
                    MateProof::NoMate { .. } => checks_left = false,
                    MateProof::Open => {}
                }
            }
            match self.attacker.prove(line, plies, AttackerMoves::All, room) {
                MateProof::Open => {}
                settled => return settled,
            }
            slice = (2 * slice).min(SLICE_NODES[1]);
        }
    }

    /// Whether checks alone mate within so many plies after a line.
    pub fn prove_by_checks(&mut self, line: &[Move], plies: u32, limits: ProofLimits) -> MateProof {
        let end = self.attacker.nodes().saturating_add(limits.nodes);
        loop {
            let room = end.saturating_sub(self.attacker.nodes()).min(SLICE_NODES[1]);
            if room == 0 || self.is_spent(limits.share) {
                return MateProof::Open;
            }
            match self.attacker.prove(line, plies, AttackerMoves::ChecksOnly, room) {
                MateProof::Open => {}
                settled => return settled,
            }
        }
    }

    /// The plies until the defender himself mates after a line by checks alone, which refutes every mate of the attacker.
    pub fn prove_counter_mate(&mut self, line: &[Move], nodes: u64) -> Option<u32> {
        match self.defender.prove(line, COUNTER_PLIES, AttackerMoves::ChecksOnly, nodes) {
            MateProof::Mate(plies) => Some(plies),
            _ => None,
        }
    }

    /// Whether each of these moves of the attacker after a line mates so many plies later: those that do. Those that were
    /// not settled are left in the list. Each round gives every move more nodes than the last, up to the limits.
    pub fn classify_moves(
        &mut self,
        line: &[Move],
        open: &mut Vec<Move>,
        plies: u32,
        limits: ProofLimits,
    ) -> Vec<OtherMove> {
        let share = limits.share;
        let mut mating = Vec::new();
        let mut nodes = FIRST_ROUND_NODES;
        while !open.is_empty() && nodes <= limits.nodes && !self.is_spent(share) {
            for mv in std::mem::take(open) {
                let next = [line, &[mv]].concat();
                match self.prove(&next, plies, ProofLimits { share, nodes }) {
                    MateProof::Mate(plies) => mating.push(OtherMove { mv, moves: plies / 2 + 1 }),
                    MateProof::NoMate { .. } => {}
                    MateProof::Open => {
                        if self.is_spent(share) || self.prove_counter_mate(&next, nodes / 2).is_none() {
                            open.push(mv);
                        }
                    }
                }
            }
            nodes *= 4;
        }
        mating
    }

    /// A move after this line that mates within so many plies, which is known to exist; these moves are tried first.
    pub fn winning_move(&mut self, line: &[Move], plies: u32, first: &[Move]) -> Option<Move> {
        let position = self.position_after(line);
        let legal = position.legal_moves();
        let mut others: Vec<Move> = legal.iter().copied().filter(|mv| !first.contains(mv)).collect();
        others.order_by_key(|&mv| !position.gives_check(mv));
        let first = first.iter().copied().filter(|&mv| legal.contains(&mv));
        let moves: Vec<Move> = first.chain(others).collect();
        for nodes in WINNING_MOVE_NODES {
            for &mv in &moves {
                let limits = ProofLimits { share: f64::INFINITY, nodes };
                let proof = self.prove(&[line, &[mv]].concat(), plies.saturating_sub(1), limits);
                if matches!(proof, MateProof::Mate(_)) {
                    return Some(mv);
                }
            }
            if self.is_spent(1.0) {
                break;
            }
        }
        None
    }

    /// The answer of the tables, if they know the distance to mate or that the attacker does not win.
    fn probe_mate(&self, line: &[Move], plies: u32) -> Option<MateProof> {
        let tables = self.tables.as_ref()?;
        let position = self.position_after(line);
        let attacks = position.side() == self.root.side();
        let known = match (tables.probe(&position)?, attacks) {
            (ProbeResult::Win(plies), true) | (ProbeResult::Loss(plies), false) => u32::from(plies?),
            // A draw that a rule may turn is no mate, either.
            _ => return Some(MateProof::NoMate { ever: true }),
        };
        // The tables count no plies without a capture.
        let quiet = position.plies_since_capture() + known as usize;
        let is_in_time = self.natural_limit == 0 || quiet <= self.natural_limit;
        match () {
            () if known > plies => Some(MateProof::NoMate { ever: false }),
            () if is_in_time => Some(MateProof::Mate(known)),
            () => None,
        }
    }
}
