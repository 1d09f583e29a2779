//! [`Searcher`], the public interface of the search. It starts the threads (lazy SMP: all run the same search over one
//! transposition table), and they vote for the best move.

use super::history::{ContinuationHistory, Histories};
use super::info::{Bound, NoReporter, Reporter, SearchResult};
use super::lazy_smp::{Abdada, DepthSync, Vote, choose_best_vote};
use super::limits::{Control, Limits};
use super::options::{Level, Options, Style};
use super::search_clock::SearchClock;
use super::search_thread::{SearchThread, SharedState};
use super::skill::Skill;
use super::tablebase_probe::TablebaseProbe;
use super::transposition_table::{HashSizeError, TranspositionTable};
use crate::memory::available_memory_mb;
use crate::nnue::{Network, evaluate};
use crate::score::{self, Score};
use crate::tablebase::Tablebase;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::Builder;
use std::time::Duration;
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
    let legal = position.is_pseudo_legal(entry.mv) && position.is_legal(entry.mv);
    Some(HashProbe {
        best: legal.then_some(entry.mv),
        score: entry.score,
        bound: entry.bound,
        depth: entry.depth.max(0) as u32,
    })
}

/// The search recurses hundreds of plies deep.
const THREAD_STACK_BYTES: usize = 16 << 20;

/// A thread builder with the stack size that [`Searcher::search`] needs.
pub fn thread_builder(name: &str) -> Builder {
    Builder::new().name(name.to_string()).stack_size(THREAD_STACK_BYTES)
}

/// There is not enough memory for this many search threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for {0} threads")]
pub struct ThreadMemoryError(pub usize);

/// Memory that a thread needs besides its stack, in megabytes.
const THREAD_MB: usize = 4;

/// Checks that there is memory for this many threads, because the allocations of a thread cannot fail with a message.
pub fn check_thread_memory(threads: usize) -> Result<(), ThreadMemoryError> {
    // There a search has one thread, and memory that was asked for once is not given back.
    if cfg!(target_family = "wasm") {
        return Ok(());
    }
    let refusal = ThreadMemoryError(threads);
    if available_memory_mb().is_some_and(|available| threads.saturating_mul(THREAD_MB) > available) {
        return Err(refusal);
    }
    // In pieces, as the threads will ask for it: the system may limit the address space.
    let mut pieces = Vec::with_capacity(threads);
    for _ in 0..threads {
        let mut piece = Vec::<u8>::new();
        piece.try_reserve_exact(THREAD_STACK_BYTES + (THREAD_MB << 20)).map_err(|_| refusal)?;
        pieces.push(black_box(piece));
    }
    Ok(())
}

/// A search engine: options, transposition table and histories that persist from move to move.
pub struct Searcher {
    /// Options; may be changed between searches.
    pub options: Options,
    /// Endgame tablebases, if any.
    pub tablebase: Option<Arc<Tablebase>>,
    tt: Arc<TranspositionTable>,
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

    /// Replaces the transposition table by one of another size; on failure the old one stays.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        let table = TranspositionTable::reserve(hash_mb, self.tt.megabytes())?;
        // Free the old memory before populating the new, so that both need not fit at once.
        self.tt = Arc::new(table);
        self.tt.populate();
        Ok(())
    }

    /// The same without waiting for the memory, which is populated while the search may already run.
    pub fn resize_hash_in_background(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        self.tt = Arc::new(TranspositionTable::reserve(hash_mb, self.tt.megabytes())?);
        TranspositionTable::populate_in_background(&self.tt);
        Ok(())
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

    /// Searches until a limit is reached or `control` is stopped.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let skill = Skill::from_options(&self.options);
        let limits = &skill.apply_to(limits);
        let of_time = limits.time_limits(position.game_ply() / 2);
        let plan = SearchClock::new(&of_time, self.options.overhead, self.options.ponder, self.expected_stall)
            .count_nodes(self.options.nodes_per_millisecond);
        let lines = skill.multi_pv(self.options.multi_pv.max(1));
        // Limited skill does not use tablebases. They know draws only, and not what wins where one side wins by a draw.
        let draws_are_draws = self.options.rules.draws == DrawRule::Draw;
        let registry = self.tablebase.clone().filter(|_| !skill.is_limited() && draws_are_draws);
        let natural_limit = self.options.rules.natural_limit;
        let tables =
            registry.as_deref().map(|registry| TablebaseProbe::new(registry, position, natural_limit, lines == 1));
        let mut root_moves = self.options.rules.playable_moves(position, self.root_moves(position, limits));
        if let Some(tables) = &tables {
            root_moves = tables.filter_root_moves(position, root_moves);
        }
        if root_moves.is_empty() {
            // Mate or stalemate: nothing to search.
            return SearchResult {
                best_move: None,
                ponder_move: None,
                score: -score::MATE,
                depth: 0,
                nodes: 0,
                pv: Vec::new(),
            };
        }
        let view = ScoreContext::of(&self.options, position);
        if self.score_context.replace(view.clone()).is_some_and(|before| before != view) {
            // Scores of another context are not comparable: start afresh.
            self.new_game();
        }
        let threads = self.options.threads.max(1);
        self.histories.resize_with(threads, || None);
        self.tt.new_search();

        let done = Control::new(false);
        let nodes: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let abdada = (threads > 1).then(Abdada::new);
        let depth_sync = (threads > 1).then(DepthSync::new);
        let shared = SharedState {
            tt: &self.tt,
            continuation_history: &self.continuation_history,
            control,
            done: &done,
            nodes: &nodes,
            abdada: abdada.as_ref(),
            depth_sync: depth_sync.as_ref(),
            tablebase: tables,
            limits,
            options: &self.options,
            multi_pv: lines,
            previous_score: self
                .previous_score
                .map(|(side, score)| if side == position.side() { score } else { -score }),
        };
        let (main, helpers) = self.histories.split_first_mut().expect("at least one thread");
        let (winner, depth, total) = std::thread::scope(|scope| {
            let mut running = Vec::with_capacity(helpers.len());
            for (index, histories) in helpers.iter_mut().enumerate() {
                let (shared, plan, root_moves) = (&shared, plan.clone(), &root_moves);
                let spawned = thread_builder(&format!("search-{}", index + 1)).spawn_scoped(scope, move || {
                    let mut thread = SearchThread::new(index + 1, shared, position, root_moves, histories, plan);
                    thread.iterative_deepening(&mut NoReporter);
                    thread_vote(&thread)
                });
                // If the system starts no more threads, search with those that run.
                match spawned {
                    Ok(handle) => running.push(handle),
                    Err(error) => {
                        log::warn!("only {} threads could be started: {error}", index + 1);
                        break;
                    }
                }
            }
            let mut thread = SearchThread::new(0, &shared, position, &root_moves, main, plan);
            thread.iterative_deepening(reporter);
            done.stop();
            thread.wait_for_stop_or_ponderhit();
            let mut votes = vec![if skill.is_limited() { skill_vote(&thread, &skill) } else { thread_vote(&thread).0 }];
            let mut total = thread.nodes;
            for (vote, nodes) in running.into_iter().filter_map(|handle| handle.join().ok()) {
                votes.push(vote);
                total += nodes;
            }
            let depth = votes[0].depth.max(0) as u32;
            let winner = if skill.is_limited() { votes.into_iter().next() } else { choose_best_vote(votes) };
            let mut winner = winner.expect("the main thread votes");
            if let Some(tables) = &shared.tablebase {
                winner.score = tables.tb_score(position, winner.best, winner.score);
            }
            thread.report_final(&mut winner.pv, winner.score, winner.depth, reporter);
            reporter.finished(total, thread.time.elapsed());
            self.expected_stall = thread.expected_stall();
            self.previous_score = Some((position.side(), winner.score));
            (winner, depth, total)
        });
        SearchResult {
            best_move: Some(winner.best),
            ponder_move: winner.pv.get(1).copied(),
            score: winner.score,
            depth,
            nodes: total,
            pv: winner.pv,
        }
    }

    /// The legal moves within `search_moves` and `excluded_moves`; all legal moves if none is left.
    fn root_moves(&self, position: &Position, limits: &Limits) -> Vec<Move> {
        let legal = position.legal_moves();
        let wanted = |mv: &Move| {
            (limits.search_moves.is_empty() || limits.search_moves.contains(mv)) && !limits.excluded_moves.contains(mv)
        };
        let moves: Vec<Move> = legal.moves().filter(wanted).collect();
        if moves.is_empty() { legal.moves().collect() } else { moves }
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
    fn of(options: &Options, position: &Position) -> ScoreContext {
        let &Options { rules, pruning, knowledge, style, .. } = options;
        let style = (style != Style::Normal).then(|| (style, position.side()));
        let network = Arc::clone(&options.network);
        ScoreContext { rules, promotion: position.promotion(), pruning, knowledge, network, style }
    }
}

fn thread_vote(thread: &SearchThread) -> (Vote, u64) {
    let (best, score, depth, pv) = thread.best_line();
    (Vote { best, score, depth, pv: pv.to_vec() }, thread.nodes)
}

/// The vote of a search with limited skill or randomness.
fn skill_vote(thread: &SearchThread, skill: &Skill) -> Vote {
    let lines = thread.multi_pv_lines();
    let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
    let line = &lines[skill.pick_line(&scores, &mut rand::rng())];
    Vote { best: line.mv, score: line.score, depth: thread.best_line().2, pv: line.pv.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses this much stack.
    #[inline(never)]
    fn dive(kilobytes: usize) -> u8 {
        let frame = black_box([kilobytes as u8; 1024]);
        if kilobytes == 0 { frame[0] } else { dive(kilobytes - 1) ^ frame[kilobytes % 1024] }
    }

    #[test]
    fn thread_builder_gives_enough_stack() {
        let handle = thread_builder("deep").spawn(|| dive(THREAD_STACK_BYTES / 1024 / 2)).expect("a thread");
        handle.join().expect("no stack overflow");
    }
}
