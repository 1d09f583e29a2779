//! Iterative deepening: searches the root at increasing depth, each PV line with an aspiration window, until a limit is
//! reached.

use super::mate::{CheckSeriesSolver, MateSolver, SolverStatus};
use super::params;
use super::report::{LONG_SEARCH, Reporter};
use super::search_thread::{RootMove, SearchThread};
use super::tablebase_probe::TablebaseProbe;
use super::time_manager::{TimeFactors, percent};
use crate::score::{self, Bound, INFINITE, Score};
use xiangqi::Move;

/// Nodes of the main search before it looks for a series of checks.
const CHECK_SERIES_MIN_NODES: u64 = 10_000;

impl SearchThread<'_> {
    /// Iterates until a limit is reached and sends each line to the reporter.
    pub fn iterative_deepening(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let lines = self.shared.multi_pv.clamp(1, self.root_moves.len().max(1));
        let shown = lines.min(self.shared.options.multi_pv.max(1));
        let last_depth = limits.max_depth() as i32;
        let mut factors = TimeFactors::default();
        // The mate solver runs in the main thread only.
        let mut solver = limits.mate.filter(|_| self.id == 0).map(|moves| MateSolver::new(self, moves));
        let looks_for_checks = self.looks_for_check_series(lines);
        let mut check_series = None;
        self.time.throttled();
        let mut scores = Vec::new();

        while self.root_depth < last_depth {
            // 1. Search each PV line at the next depth.
            self.root_depth = (self.root_depth + self.depth_skip()).min(last_depth);
            if lines > 1 {
                self.previous_iteration.clone_from(&self.root_moves);
            }
            self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspiration_search(reporter);
                if self.stopped {
                    break;
                }
            }
            // 2. Rank the lines.
            if !self.end_iteration(lines) {
                break;
            }
            debug_assert_eq!(self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>(), self.nodes);
            let depth = self.root_depth;
            self.completed_depth = depth;
            self.publish_nodes();
            if self.id > 0 {
                continue;
            }
            // 3. Report the lines.
            for index in 0..shown {
                self.report_line(reporter, index);
            }

            // 4. Time management and the mate solver.
            self.update_time_factors(&mut factors, &mut scores);
            if self.should_stop(depth, &factors) || self.run_mate_solver(&mut solver, false, reporter) {
                break;
            }
            if looks_for_checks && self.finds_check_series(&mut check_series, reporter) {
                break;
            }
        }
        // After the last depth the mate solver continues alone.
        if self.completed_depth >= last_depth && limits.depth.is_none() {
            self.run_mate_solver(&mut solver, true, reporter);
        }
        if let Some(mut solver) = solver {
            solver.finish(self, reporter);
        }
    }

    /// Ranks the lines of an iteration. If it was stopped, adopts a deeper one of another thread, or keeps what this one has
    /// found so far; false if the search ends.
    fn end_iteration(&mut self, lines: usize) -> bool {
        if self.stopped {
            if !self.adopt_depth() {
                self.finish_aborted_iteration();
            }
            let goes_on = std::mem::take(&mut self.preempted);
            self.stopped = !goes_on;
            return goes_on;
        }
        self.rank_lines(lines);
        if let Some(depth_sync) = self.shared.depth_sync {
            depth_sync.publish(self.root_depth, &self.root_moves);
        }
        true
    }

    /// Depth increment of the next iteration. Threads with odd ids skip one depth; if one of them finishes first, the
    /// others adopt its result and skip the depth between.
    fn depth_skip(&self) -> i32 {
        let ahead = self.id % 2 == 1 && self.root_depth >= params::depth_skip_min_depth();
        1 + i32::from(ahead)
    }

    /// Adopts an iteration of at least this depth that another thread has finished; false if there is none.
    fn adopt_depth(&mut self) -> bool {
        let Some(depth_sync) = self.shared.depth_sync.filter(|depth_sync| depth_sync.depth() >= self.root_depth) else {
            return false;
        };
        self.root_depth = depth_sync.adopt(&mut self.root_moves);
        self.completed_depth = self.root_depth;
        true
    }

    /// Updates the time factors after an iteration. `scores` are the scores of all earlier iterations.
    fn update_time_factors(&mut self, factors: &mut TimeFactors, scores: &mut Vec<Score>) {
        let best = &self.root_moves[0];
        factors.best_move_changes = factors.best_move_changes * percent(params::time_best_move_change_decay())
            + f64::from(std::mem::take(&mut self.best_move_changes));
        let is_stable = Some(best.mv) == self.previous_best_move;
        factors.stable_iterations = if is_stable { factors.stable_iterations + 1 } else { 0 };
        let drop_from = |earlier: Option<Score>| match earlier {
            Some(earlier) if self.completed_depth >= params::time_drop_min_depth() && !score::is_decisive(earlier) => {
                earlier - best.score
            }
            _ => 0,
        };
        // The drop compares best scores, whichever move had them.
        factors.recent_drop = drop_from(scores.iter().rev().nth(params::time_drop_iterations() as usize - 1).copied());
        factors.drop_since_previous_move = drop_from(self.shared.previous_score);
        factors.best_move_node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let in_panic = drop_from(scores.last().copied()) >= params::time_panic_drop();
        self.previous_best_move = Some(best.mv);
        scores.push(best.score);
        self.time.set_panic(in_panic);
    }

    /// Whether to stop before the last depth.
    fn should_stop(&mut self, depth: i32, factors: &TimeFactors) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        if limits.soft_nodes.is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        if !self.shared.control.pondering() {
            self.time.start_clock();
        }
        if self.time.has_running_clock() {
            // A single legal move, or a mate that a deeper search is unlikely to shorten.
            if self.root_moves.len() == 1 && depth >= params::time_single_move_depth() {
                return true;
            }
            if is_mate_searched_out(best.score, depth) {
                return true;
            }
        }
        if limits.is_unlimited() && self.is_result_final(depth) {
            return true;
        }
        self.time.set_nodes(self.shared.total_nodes());
        self.time.is_soft_limit_reached(factors)
    }

    /// Whether a deeper search can change nothing of what is shown: each line is a mate that was searched out, or the
    /// root is drawn by the tables.
    fn is_result_final(&self, depth: i32) -> bool {
        let shown = self.shared.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        if self.root_moves.iter().take(shown).all(|line| is_mate_searched_out(line.score, depth)) {
            return true;
        }
        let is_drawn = || self.shared.tablebase.as_ref().is_some_and(TablebaseProbe::is_root_drawn);
        is_drawn() && depth >= params::tablebase_draw_depth()
    }

    /// Runs the mate solver of `go mate` for a while; true if the search may end. Alone it runs until a limit is reached.
    fn run_mate_solver(
        &mut self,
        solver: &mut Option<MateSolver>,
        is_alone: bool,
        reporter: &mut dyn Reporter,
    ) -> bool {
        let Some(solver) = solver else { return false };
        let before = self.nodes;
        let status = solver.run(self, is_alone, reporter);
        // Attribute the nodes of the solver to the first move, so that the sum over the root moves stays right.
        self.root_moves[0].nodes += self.nodes - before;
        status == SolverStatus::Done || self.stopped
    }

    /// Whether this thread looks for a series of checks beside its iterations: the main thread of an analysis, or of a move
    /// without a game clock. A search to a given depth is left as it is.
    fn looks_for_check_series(&self, lines: usize) -> bool {
        let limits = self.shared.limits;
        let has_other_goal = limits.mate.is_some() || limits.depth.is_some() || limits.soft_nodes.is_some();
        self.id == 0 && lines == 1 && limits.clock.is_none() && !has_other_goal
    }

    /// Looks for a series of checks for a while; true if one is proven.
    fn finds_check_series(&mut self, solver: &mut Option<CheckSeriesSolver>, reporter: &mut dyn Reporter) -> bool {
        if self.nodes < CHECK_SERIES_MIN_NODES {
            return false;
        }
        let before = self.nodes;
        let found = solver.get_or_insert_with(|| CheckSeriesSolver::new(self)).run(self, reporter);
        // As those of the mate solver.
        self.root_moves[0].nodes += self.nodes - before;
        found
    }

    /// Makes a mate that the solver has proven the best line and reports it.
    pub(super) fn set_proven_mate(&mut self, line: &[Move], plies: usize, reporter: &mut dyn Reporter) {
        let index = self.root_moves.iter().position(|root_move| root_move.mv == line[0]).unwrap_or(0);
        self.root_moves[..=index].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.set_result((score::mate_in(plies), Bound::Exact), self.root_depth, plies as u32, &line[1..]);
        self.report_line(reporter, 0);
    }

    /// Searches one PV line with an aspiration window around its previous score.
    fn aspiration_search(&mut self, reporter: &mut dyn Reporter) {
        let depth = self.root_depth;
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= params::aspiration_depth() && !score::is_decisive(expected) && expected != -INFINITE {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut reduction = 0;
        loop {
            let search_depth = (depth - reduction).max(1);
            let score = self.search_root(alpha, beta, search_depth, reporter);
            // A stable sort keeps the order of moves that did not raise alpha.
            self.root_moves[self.pv_index..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            // Fail low: widen the window downwards. Fail high: widen it upwards and reduce the depth.
            if score <= alpha {
                let fall = expected - score;
                if self.pv_index == 0 && !score::is_decisive(expected) && fall >= params::time_panic_drop() {
                    self.time.set_panic(true);
                }
                self.report_bound(reporter);
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.report_bound(reporter);
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(params::aspiration_max_reduction());
            } else {
                break;
            }
            delta += delta * params::aspiration_growth() / 100 + params::aspiration_growth_base();
            if delta > params::aspiration_max_delta() {
                alpha = -INFINITE;
                beta = INFINITE;
            }
        }
        self.root_moves[..=self.pv_index].sort_by_key(|root_move| -root_move.score);
    }

    /// Reports a fail-low or fail-high of a long search.
    fn report_bound(&mut self, reporter: &mut dyn Reporter) {
        if self.id == 0 && self.shared.multi_pv == 1 && self.time.elapsed() > LONG_SEARCH {
            self.report_line(reporter, self.pv_index);
        }
    }

    /// Completes the scores after an aborted iteration: moves that it did not reach keep their previous score. Of several
    /// lines, those for which it has no exact score stay as they were after the iteration before, and all are ranked.
    fn finish_aborted_iteration(&mut self) {
        for root_move in &mut self.root_moves {
            let has_score = root_move.score != -INFINITE;
            if let Some(previous) = self.previous_iteration.iter().find(|previous| previous.mv == root_move.mv) {
                if !has_score || root_move.bound != Bound::Exact {
                    *root_move = RootMove { nodes: root_move.nodes, ..previous.clone() };
                }
            } else if !has_score {
                root_move.score = root_move.previous_score;
            }
        }
        if !self.previous_iteration.is_empty() {
            self.rank_lines(self.root_moves.len());
        }
        if self.root_moves[0].score == -INFINITE {
            // Aborted before any move was searched.
            let raw = self.evaluate();
            self.root_moves[0].score = self.corrected_eval(raw);
        }
    }

    /// Sorts the first root moves by the scores that are reported, which tablebases may know better than the search.
    fn rank_lines(&mut self, count: usize) {
        let mut root_moves = std::mem::take(&mut self.root_moves);
        root_moves[..count].sort_by_cached_key(|root_move| -self.reported_score(root_move));
        self.root_moves = root_moves;
    }
}

/// Whether the score is a mate, and the depth so much larger than its plies that a deeper search is unlikely to shorten it.
fn is_mate_searched_out(score: Score, depth: i32) -> bool {
    score::mate_plies(score).is_some_and(|plies| plies.abs() * params::time_mate_depth_ratio() <= depth)
}
