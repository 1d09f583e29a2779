//! [`Searcher`], the public interface of the search. It starts the threads (lazy SMP: all run the same search over one
//! transposition table), which vote for the best move.

use super::abdada::Abdada;
use super::history::{ContinuationHistory, Histories};
use super::lazy_smp::{Vote, choose_best_vote, collect_votes, start_helpers};
use super::limits::{Control, Limits};
use super::options::{Level, Options, Style};
use super::report::{Reporter, SearchResult};
use super::search_clock::SearchClock;
use super::search_thread::{DepthSync, SearchThread, SharedState};
use super::skill::Skill;
use super::tablebase_probe::TablebaseProbe;
use super::thread_stacks::run_main_thread;
use super::transposition_table::{HashSizeError, TableInPreparation, TranspositionTable};
use crate::nnue::{Network, evaluate};
use crate::score::{Bound, Score};
use crate::tablebase::Tablebase;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use std::{fmt, thread};
use xiangqi::{Color, DrawRule, Move, Position, Rules};

/// Result of [`probe_hash`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HashProbe {
    /// The stored move, if legal here.
    pub best: Option<Move>,
    /// The stored score.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Search depth of the score.
    pub depth: u32,
}

/// Looks a position up in a transposition table, also while a search is running.
pub fn probe_hash(table: &TranspositionTable, position: &Position) -> Option<HashProbe> {
    let entry = table.probe(position.key())?;
    Some(HashProbe {
        best: entry.mv.filter(|&mv| position.is_pseudo_legal(mv) && position.is_legal(mv)),
        score: entry.score,
        bound: entry.bound,
        depth: entry.depth.max(0) as u32,
    })
}

/// A search engine: options, transposition table and histories that persist from move to move.
pub struct Searcher {
    /// Options; may be changed between searches.
    pub options: Options,
    /// Endgame tablebases, if any.
    pub tablebase: Option<Arc<Tablebase>>,
    tt: Arc<TranspositionTable>,
    /// A new table whose memory is being populated; it replaces the other before a search.
    coming_table: Option<TableInPreparation>,
    continuation_history: Arc<ContinuationHistory>,
    /// One entry per thread, created by the thread itself.
    histories: Vec<Option<Histories>>,
    /// The context of the stored scores.
    score_context: Option<ScoreContext>,
    /// The longest stall of a thread in earlier searches, decayed.
    expected_stall: Duration,
    /// Score of the last search of this game, with its side to move.
    previous_score: Option<(Color, Score)>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("options", &self.options)
            .field("tablebase", &self.tablebase)
            .field("transposition_table", &self.tt)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// Creates a searcher with a transposition table of this many megabytes (at least 1).
    pub fn new(options: Options, hash_mb: usize) -> Result<Searcher, HashSizeError> {
        Ok(Searcher::with_transposition_table(options, TranspositionTable::new(hash_mb)?))
    }

    /// Creates a searcher with this transposition table.
    pub fn with_transposition_table(options: Options, table: TranspositionTable) -> Searcher {
        // Allocate the histories of the main thread before the first search.
        let continuation = Arc::new(ContinuationHistory::new());
        let histories = vec![Some(Histories::new(&continuation))];
        Searcher {
            options,
            tablebase: None,
            tt: Arc::new(table),
            coming_table: None,
            continuation_history: continuation,
            histories,
            score_context: None,
            expected_stall: Duration::ZERO,
            previous_score: None,
        }
    }

    /// The transposition table, which may be probed during a search.
    pub fn transposition_table(&self) -> &Arc<TranspositionTable> {
        &self.tt
    }

    /// Replaces the transposition table by one of another size; on failure the old one stays. The memory is populated in the
    /// background, as every access to new memory costs time: searches on a clock use the old table until that is done,
    /// other searches, and [`Searcher::wait_for_hash`], wait.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        self.coming_table = None;
        match TranspositionTable::reserve(hash_mb, 0) {
            Ok(table) => self.coming_table = Some(TableInPreparation::of(table)),
            // There is no memory for both.
            Err(_) => {
                let table = TranspositionTable::reserve(hash_mb, self.tt.megabytes())?;
                // Free the old memory before populating the new.
                self.tt = Arc::new(table);
                self.tt.populate();
            }
        }
        Ok(())
    }

    /// Waits until a new table is populated.
    pub fn wait_for_hash(&mut self) {
        self.take_coming_table(|_| true);
    }

    /// Replaces the table by the new one, if this says so.
    fn take_coming_table(&mut self, is_taken: impl Fn(&TableInPreparation) -> bool) {
        if let Some(coming) = self.coming_table.take_if(|coming| is_taken(coming)) {
            self.tt = coming.finished();
        }
    }

    /// Clears the transposition table and the histories for a new game.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.continuation_history.clear();
        self.previous_score = None;
        self.histories.iter_mut().flatten().for_each(Histories::mark_stale);
    }

    /// The static evaluation, from the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(&self.options.eval_mode(), position)
    }

    /// Searches until a limit is reached or `control` is stopped. The search runs in a thread of its own, with a stack
    /// for its recursion; the caller waits. In WebAssembly, where there are no threads, it runs on the caller's stack and
    /// needs a megabyte of it in an optimized build.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        run_main_thread(|| self.search_on_this_thread(position, limits, control, reporter))
    }

    fn search_on_this_thread(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        // 1. Limits, of time and of skill.
        let skill = Skill::from_options(&self.options);
        let limits = &skill.apply_to(limits);
        let multi_pv = skill.multi_pv(self.options.multi_pv.max(1));
        let time_limits = limits.time_limits(position.game_ply() / 2);
        let clock = SearchClock::new(&time_limits, self.options.overhead, self.options.ponder, self.expected_stall)
            .count_nodes(self.options.nodes_per_millisecond);

        // 2. Root moves. Limited skill does not use tablebases. They know draws only, and not what wins where one side
        // wins by a draw.
        let tablebase = self.tablebase.clone();
        let uses_tablebase = !skill.is_limited() && self.options.rules.draws == DrawRule::Draw;
        let tablebase = tablebase
            .as_deref()
            .filter(|_| uses_tablebase)
            .map(|tablebase| TablebaseProbe::new(tablebase, position, &self.options.rules, multi_pv == 1));
        let mut root_moves = self.root_moves(position, limits);
        if let Some(tablebase) = &tablebase {
            root_moves = tablebase.filter_root_moves(position, root_moves);
        }
        if root_moves.is_empty() {
            return SearchResult::without_moves();
        }

        // 3. Tables.
        let threads = self.options.threads.max(1);
        self.prepare_tables(position, limits, threads);

        // 4. Iterative deepening on all threads.
        let done = Control::new(false);
        let nodes: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let abdada = (threads > 1).then(Abdada::new);
        let depth_sync = (threads > 1).then(DepthSync::new);
        let from_this_side = |(side, score): (Color, Score)| if side == position.side() { score } else { -score };
        let shared = SharedState {
            tt: &self.tt,
            continuation_history: &self.continuation_history,
            control,
            done: &done,
            nodes: &nodes,
            abdada: abdada.as_ref(),
            depth_sync: depth_sync.as_ref(),
            tablebase,
            limits,
            options: &self.options,
            multi_pv,
            previous_score: self.previous_score.map(from_this_side),
        };
        let (main_histories, helper_histories) = self.histories.split_first_mut().expect("at least one thread");
        thread::scope(|scope| {
            let helpers = start_helpers(scope, &shared, position, &root_moves, helper_histories, &clock);
            let mut main = SearchThread::new(0, &shared, position, &root_moves, main_histories, clock);
            main.iterative_deepening(reporter);
            done.stop();
            main.wait_for_stop_or_ponderhit();

            // 5. The threads vote for the move to play; what the next search needs is kept.
            let (votes, helper_nodes) = collect_votes(helpers);
            let result = conclude(&mut main, votes, helper_nodes, &skill, reporter);
            self.expected_stall = main.expected_stall();
            self.previous_score = Some((position.side(), result.score));
            result
        })
    }

    /// Scores of another context are not comparable.
    fn prepare_tables(&mut self, position: &Position, limits: &Limits, threads: usize) {
        let context = ScoreContext::new(&self.options, position);
        if self.score_context.replace(context.clone()).is_some_and(|previous| previous != context) {
            self.new_game();
        }
        self.histories.resize_with(threads, || None);
        self.take_coming_table(|coming| coming.is_populated() || !limits.has_time_limit());
        self.tt.new_search();
    }

    /// The moves that a search chooses from: the legal moves within `search_moves`, without `excluded_moves` and without
    /// those that lose by rule at once. A filter that would leave no move is skipped.
    pub fn root_moves(&self, position: &Position, limits: &Limits) -> Vec<Move> {
        let losing = self.options.rules.losing_moves(position);
        let filters: [&dyn Fn(&Move) -> bool; 3] =
            [&|mv| limits.search_moves.contains(mv), &|mv| !limits.excluded_moves.contains(mv), &|mv| {
                !losing.contains(mv)
            }];
        filters.into_iter().fold(position.legal_moves().to_vec(), |moves: Vec<Move>, keep| {
            let kept: Vec<Move> = moves.iter().copied().filter(keep).collect();
            if kept.is_empty() { moves } else { kept }
        })
    }
}

/// All that scores depend on besides the position. Stored scores of another context are discarded.
#[derive(Clone, PartialEq, Debug)]
struct ScoreContext {
    rules: Rules,
    promotion: bool,
    pruning: Level,
    knowledge: Level,
    network: Arc<Network>,
    /// The style and the side it favours, unless normal.
    style: Option<(Style, Color)>,
}

impl ScoreContext {
    fn new(options: &Options, position: &Position) -> ScoreContext {
        let &Options { rules, pruning, knowledge, style, .. } = options;
        let style = (style != Style::Normal).then(|| (style, position.side()));
        let network = Arc::clone(&options.network);
        ScoreContext { rules, promotion: position.promotion(), pruning, knowledge, network, style }
    }
}

/// Chooses the lines to play and reports them; with limited skill the main thread chooses alone.
fn conclude(
    main: &mut SearchThread,
    votes: Vec<Vote>,
    helper_nodes: u64,
    skill: &Skill,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let nodes = main.nodes + helper_nodes;
    let main_vote = if skill.is_limited() { skill_vote(main, skill) } else { Vote::of(main) };
    let depth = main_vote.depth.max(0) as u32;
    let mut lines = if skill.is_limited() { main_vote } else { choose_best_vote(main_vote, votes) }.lines;
    main.report_final(&mut lines, skill.is_limited(), reporter);
    reporter.finished(nodes, main.time.elapsed());
    let score = main.reported_score(&lines[0]);
    let pv = lines.swap_remove(0).pv;
    let (best_move, ponder_move) = (Some(pv[0]), pv.get(1).copied());
    SearchResult { best_move, ponder_move, score, depth, nodes, pv }
}

/// The vote of a search with limited skill or randomness.
fn skill_vote(thread: &SearchThread, skill: &Skill) -> Vote {
    let lines = thread.multi_pv_lines();
    let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
    let line = lines[skill.pick_line(&scores, &mut rand::rng())].clone();
    Vote { depth: thread.completed_depth, lines: vec![line] }
}
