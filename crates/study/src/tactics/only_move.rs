//! Whether a position has one best move, by a search of two lines; whether a solution holds, and whether a move that was
//! tried solves it.
//!
//! Another move is a *second solution* if it mates as fast, or if it leaves chances that are less than 15 % lower. Every
//! mate is worth all chances: a slower one is a second solution, too.

use super::tactic::Tactic;
use crate::review::expected_score;
use chuhe_engine::score::{self, Score, mate_plies};
use chuhe_engine::search::{
    Bound, Control, HashSizeError, Info, Limits, NoReporter, Options, Reporter, SearchResult, Searcher,
};
use std::time::Duration;
use xiangqi::{Move, Position};

/// A move whose chances are this much lower than those of the best one, or more, is no second solution.
pub const SECOND_SOLUTION: f64 = 0.15;

/// What the best move is worth, and how much more than any other.
#[derive(Clone, Debug)]
pub struct BestMove {
    pub mv: Move,
    /// The expected result of the side to move, 0 to 1.
    pub chance: f64,
    /// What the next best move is worth less; all if there is no other.
    pub margin: f64,
    /// The moves until mate if it mates.
    pub mate: Option<u32>,
    /// The expected answer.
    pub reply: Option<Move>,
}

/// Searches positions with two lines.
pub struct TwoLines {
    searcher: Searcher,
}

impl TwoLines {
    pub fn new(hash_mb: usize) -> Result<TwoLines, HashSizeError> {
        let options = Options { multi_pv: 2, overhead: Duration::ZERO, ..Options::default() };
        Ok(TwoLines { searcher: Searcher::new(options, hash_mb)? })
    }

    /// Forgets what was searched, so that an answer does not depend on the questions before.
    pub fn forget(&mut self) {
        self.searcher.new_game();
    }

    /// A search of so many lines, with what it has told of them last; nothing if it was stopped.
    fn search(
        &mut self,
        position: &Position,
        lines: usize,
        nodes: u64,
        control: &Control,
    ) -> Option<(SearchResult, Vec<(Move, Score)>)> {
        let mut told = Lines::default();
        self.searcher.options.multi_pv = lines;
        let found = self.searcher.search(position, &Limits::nodes(nodes), control, &mut told);
        (!control.stopped()).then_some((found, told.0))
    }

    /// The best move by so many nodes; nothing if there is none, or if it was stopped.
    pub fn best(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<BestMove> {
        let (found, lines) = self.search(position, 2, nodes, control)?;
        let mv = found.best_move?;
        let chance = expected_score(found.score, position);
        let second = lines.into_iter().find(|line| line.0 != mv);
        let margin = match second {
            Some((_, score)) => chance - expected_score(score, position),
            None if position.count_legal() == 1 => 1.0,
            None => 0.0,
        };
        let mate = mate_plies(found.score).and_then(|plies| u32::try_from(score::plies_to_moves(plies)).ok());
        Some(BestMove { mv, chance, margin, mate, reply: found.pv.get(1).copied() })
    }

    /// The chance of the side to move, by a search of one line.
    pub fn chance(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<f64> {
        Some(expected_score(self.search(position, 1, nodes, control)?.0.score, position))
    }

    /// The best move of the side to move, by a search of one line.
    pub fn reply(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<Move> {
        self.search(position, 1, nodes, control)?.0.best_move
    }
}

/// The first moves of lines with their scores, as they were told last.
#[derive(Default)]
pub(super) struct Lines(pub Vec<(Move, Score)>);

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        match self.0.get_mut(info.multipv - 1) {
            Some(place) => *place = (info.pv[0], info.score),
            None => self.0.push((info.pv[0], info.score)),
        }
    }
}

/// What is wrong with a step of a solution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The moves are not legal, or end with the other side.
    NotLegal,
    /// Another move is better at this move of the solver, from 1.
    Better { step: usize, mv: Move },
    /// There is a second solution there: it is worth only so much less.
    Second { step: usize, margin: f64 },
}

/// The first fault of a tactic by so many nodes at each move of the solver. Nothing outside if it was stopped.
pub fn find_fault(tactic: &Tactic, lines: &mut TwoLines, nodes: u64, control: &Control) -> Option<Option<Fault>> {
    if !tactic.is_sound() {
        return Some(Some(Fault::NotLegal));
    }
    let mut position = tactic.position()?;
    lines.forget();
    for (index, &mv) in tactic.moves.iter().enumerate() {
        if index % 2 == 0 {
            let best = lines.best(&position, nodes, control)?;
            let step = index / 2 + 1;
            if best.mv != mv {
                return Some(Some(Fault::Better { step, mv: best.mv }));
            }
            if best.margin < SECOND_SOLUTION {
                return Some(Some(Fault::Second { step, margin: best.margin }));
            }
        }
        position.play_unchecked(mv);
    }
    Some(None)
}

/// What a move is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacticTrial {
    /// The last move of the solution.
    Solved,
    /// A move of the solution; the other side answers.
    Right(Move),
    /// Another move that is worth as much.
    AsGood,
    /// What follows it shows why.
    Wrong(Vec<Move>),
}

/// Judges the move of the solver at this step, from 0; nothing if there is no such step, the move is not legal, or the search
/// was stopped.
pub fn try_move(
    tactic: &Tactic,
    step: usize,
    mv: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<TacticTrial> {
    let before = tactic.position_at(2 * step)?;
    let &wanted = tactic.moves.get(2 * step)?;
    let mut after = before.clone();
    after.play(mv).ok()?;
    if mv == wanted {
        return Some(tactic.moves.get(2 * step + 1).map_or(TacticTrial::Solved, |&reply| TacticTrial::Right(reply)));
    }
    let (is_as_good, line) = judge_other(&before, &after, wanted, searcher, nodes, control)?;
    Some(if is_as_good { TacticTrial::AsGood } else { TacticTrial::Wrong(line) })
}

/// Whether a position is as good for who has moved as the one after the solution's move, and what follows in it; nothing if the
/// search was stopped.
fn judge_other(
    before: &Position,
    after: &Position,
    wanted: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<(bool, Vec<Move>)> {
    if !after.has_legal_move() {
        return Some((true, Vec::new()));
    }
    let solved = before.after(&[wanted]);
    let limits = Limits::nodes(nodes);
    let other = searcher.search(after, &limits, control, &mut NoReporter);
    let best = searcher.search(&solved, &limits, control, &mut NoReporter);
    if control.stopped() {
        return None;
    }
    let is_as_good = match (mate_plies(-best.score), mate_plies(-other.score)) {
        (Some(best), Some(other)) if best > 0 && other > 0 => other <= best,
        _ => expected_score(other.score, after) - expected_score(best.score, &solved) < SECOND_SOLUTION,
    };
    Some((is_as_good, other.pv))
}
