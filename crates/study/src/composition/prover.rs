//! Proves mates for a check: by the tables, or else by the engine's prover in slices, within a share of the budget: how much
//! work the check of one composition may take.

use super::report::OtherMove;
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{AttackerMoves, Control, Limits, MateProof, MateProver, Searcher};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_support::small_sort::SmallSort;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Move, Position, Rules};

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

/// Proves and refutes mates in the positions below the root.
pub(super) struct BudgetedProver {
    root: Position,
    attacker: MateProver,
    /// Searches for mates by the defender, which refute every mate of the attacker.
    defender: MateProver,
    tables: Option<Arc<Tablebase>>,
    natural_limit: usize,
    budget: CheckBudget,
    control: Arc<Control>,
    /// Nodes of searches that are not the provers'.
    pub other_nodes: u64,
}

impl BudgetedProver {
    /// A prover for this root; a quarter of the memory is for the defender's mates.
    pub fn new(
        root: &Position,
        searcher: &Searcher,
        megabytes: usize,
        budget: CheckBudget,
        control: &Arc<Control>,
    ) -> BudgetedProver {
        let rules: Rules = searcher.options.rules;
        let prover = |side, megabytes: usize| {
            let mut prover = MateProver::new(root, side, rules, megabytes.max(1), Arc::clone(control));
            prover.set_hints(Arc::clone(searcher.transposition_table()));
            prover
        };
        BudgetedProver {
            root: root.clone(),
            attacker: prover(root.side(), megabytes),
            defender: prover(!root.side(), megabytes / 4),
            tables: searcher.tablebase.clone(),
            natural_limit: rules.natural_limit,
            budget,
            control: Arc::clone(control),
            other_nodes: 0,
        }
    }

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
