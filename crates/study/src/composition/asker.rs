//! Asks the prover in slices, within a share of the budget, and the tables before it.

use super::budget::CheckBudget;
use chuhe_engine::search::{AttackerMoves, Control, MateProof, MateProver, Searcher};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use std::sync::Arc;
use xiangqi::{Move, Position, Rules};

/// Nodes of the first slice of a question, and of the largest.
const SLICE_NODES: [u64; 2] = [4_000, 150_000];
/// Longest mate of the defender that is looked for, in plies.
const COUNTER_PLIES: u32 = 39;

/// How far a question may go.
#[derive(Clone, Copy)]
pub(super) struct Allowance {
    /// Until this part of the whole budget is spent.
    pub share: f64,
    /// So many nodes for this question.
    pub nodes: u64,
}

/// Answers questions about the positions below the root.
pub(super) struct Asker<'a> {
    root: Position,
    attacker: MateProver,
    /// Looks for mates by the defender: a refutation for good.
    defender: MateProver,
    tables: Option<Arc<Tablebase>>,
    natural_limit: usize,
    budget: &'a dyn CheckBudget,
    control: Arc<Control>,
    /// Nodes of searches that are not the provers'.
    pub other_nodes: u64,
}

impl<'a> Asker<'a> {
    /// An asker for this root; a quarter of the memory is for the defender's mates.
    pub fn new(
        root: &Position,
        searcher: &Searcher,
        megabytes: usize,
        budget: &'a dyn CheckBudget,
        control: &Arc<Control>,
    ) -> Asker<'a> {
        let rules: Rules = searcher.options.rules;
        let prover = |side, megabytes: usize| {
            let mut prover = MateProver::new(root, side, rules, megabytes.max(1), Arc::clone(control));
            prover.set_hints(Arc::clone(searcher.transposition_table()));
            prover
        };
        Asker {
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
        let mut position = self.root.clone();
        line.iter().for_each(|&mv| position.play_unchecked(mv));
        position
    }

    /// What the tables say about the position after a line, from its side to move.
    pub fn probe(&self, line: &[Move]) -> Option<ProbeResult> {
        self.tables.as_ref()?.probe(&self.position_after(line))
    }

    /// Whether the attacker mates within so many plies after a line.
    pub fn ask(&mut self, line: &[Move], plies: u32, allowance: Allowance) -> MateProof {
        if let Some(answer) = self.ask_tables(line, plies) {
            return answer;
        }
        if plies == 0 {
            let is_mate = !self.position_after(line).has_legal_move();
            return if is_mate { MateProof::Mate(0) } else { MateProof::NoMate { ever: false } };
        }
        let end = self.attacker.nodes().saturating_add(allowance.nodes);
        let (mut slice, mut checks_left) = (SLICE_NODES[0], true);
        loop {
            let room = end.saturating_sub(self.attacker.nodes()).min(slice);
            if room == 0 || self.is_spent(allowance.share) {
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
    pub fn ask_checks(&mut self, line: &[Move], plies: u32, allowance: Allowance) -> MateProof {
        let end = self.attacker.nodes().saturating_add(allowance.nodes);
        loop {
            let room = end.saturating_sub(self.attacker.nodes()).min(SLICE_NODES[1]);
            if room == 0 || self.is_spent(allowance.share) {
                return MateProof::Open;
            }
            match self.attacker.prove(line, plies, AttackerMoves::ChecksOnly, room) {
                MateProof::Open => {}
                settled => return settled,
            }
        }
    }

    /// Whether the defender himself mates after a line by checks alone: a refutation for good. The plies until then.
    pub fn ask_counter(&mut self, line: &[Move], nodes: u64) -> Option<u32> {
        match self.defender.prove(line, COUNTER_PLIES, AttackerMoves::ChecksOnly, nodes) {
            MateProof::Mate(plies) => Some(plies),
            _ => None,
        }
    }

    /// The distance of a table, or that it knows no win for the attacker.
    fn ask_tables(&self, line: &[Move], plies: u32) -> Option<MateProof> {
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
