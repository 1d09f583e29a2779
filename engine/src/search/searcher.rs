//! The searcher as others see it, and its threads: all run the same code over one hash table (lazy SMP) and
//! vote for the move in the end.

use super::history::{ContinuationHistory, Histories};
use super::info::{Bound, NoReporter, Reporter, SearchResult};
use super::lazy_smp::{Abdada, DepthSync};
use super::limits::{Control, Limits};
use super::options::{Level, Options, Style};
use super::search_thread::{SearchThread, SharedState};
use super::skill::Skill;
use super::tablebase_probe::TablebaseProbe;
use super::time_manager::TimeManager;
use super::transposition_table::{HashSizeError, TranspositionTable};
use crate::board::Position;
use crate::nnue::{Network, evaluate};
use crate::rules::Rules;
use crate::tablebase::Tablebase;
use crate::types::{Color, Move, Score, score};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::Builder;
use std::time::Duration;

/// What the hash table knows about a position, for `probe_hash`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HashProbe {
    /// The stored move, if legal here.
    pub best: Option<Move>,
    /// The stored score and what it is.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// Depth of the search behind it.
    pub depth: u32,
}

/// What a hash table knows about a position; may be asked while a search is running.
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

/// A search goes hundreds of plies deep, with a list of moves at each.
const THREAD_STACK_BYTES: usize = 16 << 20;

/// A thread that has the stack to search on. Whoever calls `Searcher::search` on a thread of his own takes this one.
pub fn thread_builder(name: &str) -> Builder {
    Builder::new().name(name.to_string()).stack_size(THREAD_STACK_BYTES)
}

/// An engine's mind: hash table and histories that live from move to move.
pub struct Searcher {
    /// How it plays; may be changed between searches.
    pub options: Options,
    /// Endgame tables, if they are to be used.
    pub tablebase: Option<Arc<Tablebase>>,
    tt: Arc<TranspositionTable>,
    continuation_history: Arc<ContinuationHistory>,
    /// One place per thread, each filled by the thread that first needs it.
    histories: Vec<Option<Histories>>,
    /// What the table and the histories were filled under.
    score_context: Option<ScoreContext>,
    /// How long this machine puts a thread aside, as far as searches have noticed.
    expected_stall: Duration,
    /// What the last search of this game thought of it, and from whose side.
    previous_score: Option<(Color, Score)>,
}

/// What a thread brings home.
struct Vote {
    best: Move,
    score: Score,
    depth: i32,
    pv: Vec<Move>,
}

impl Searcher {
    /// A searcher with a table of this many megabytes (at least 1).
    pub fn new(options: Options, hash_mb: usize) -> Result<Searcher, HashSizeError> {
        Ok(Searcher::with_transposition_table(options, TranspositionTable::new(hash_mb)?))
    }

    /// A searcher over this table.
    pub fn with_transposition_table(options: Options, table: TranspositionTable) -> Searcher {
        // The main thread's histories are there before anyone waits for it.
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

    /// The hash table, to be probed from anywhere.
    pub fn transposition_table(&self) -> &Arc<TranspositionTable> {
        &self.tt
    }

    /// Replaces the table by one of another size; on failure the old one stays.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        let table = TranspositionTable::reserve(hash_mb, self.tt.megabytes())?;
        // First the old memory goes back, then the new is handed out: there need not be room for both.
        self.tt = Arc::new(table);
        self.tt.populate();
        Ok(())
    }

    /// Forgets everything: a new game begins. Takes hardly any time.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.continuation_history.clear();
        self.previous_score = None;
        self.histories.iter_mut().flatten().for_each(Histories::mark_stale);
    }

    /// The static evaluation from the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(&self.options.eval_mode(), position)
    }

    /// Searches until a limit is reached or `control` says stop. The position is not changed.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let handicap = Skill::from_options(&self.options);
        let limits = &handicap.apply_to(limits);
        let of_time = limits.time_limits(position.game_ply() / 2);
        let plan = TimeManager::new(&of_time, self.options.overhead, self.options.ponder, self.expected_stall);
        let lines = handicap.multi_pv(self.options.multi_pv.max(1));
        // Whoever plays below his strength does not know his endgames by heart.
        let shelf = self.tablebase.clone().filter(|_| !handicap.is_limited());
        let natural_limit = self.options.rules.natural_limit;
        let tables = shelf.as_deref().map(|shelf| TablebaseProbe::new(shelf, position, natural_limit, lines == 1));
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
            // What was scored with other eyes is no score now: a fresh mind answers, whatever was searched before.
            self.new_game();
        }
        let threads = self.options.threads.max(1);
        self.histories.resize_with(threads, || None);
        self.tt.new_search();

        let done = Control::new(false);
        let nodes: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let abdada = (threads > 1).then(Abdada::new);
        let relay = (threads > 1).then(DepthSync::new);
        let shared = SharedState {
            tt: &self.tt,
            continuation_history: &self.continuation_history,
            control,
            done: &done,
            nodes: &nodes,
            abdada: abdada.as_ref(),
            depth_sync: relay.as_ref(),
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
                    let mut worker = SearchThread::new(index + 1, shared, position, root_moves, histories, plan);
                    worker.iterative_deepening(&mut NoReporter);
                    thread_vote(&worker)
                });
                // A machine that has no thread left to give is searched on with those that are there.
                match spawned {
                    Ok(handle) => running.push(handle),
                    Err(error) => {
                        log::warn!("only {} threads could be started: {error}", index + 1);
                        break;
                    }
                }
            }
            let mut worker = SearchThread::new(0, &shared, position, &root_moves, main, plan);
            worker.iterative_deepening(reporter);
            done.stop();
            worker.wait_for_stop_or_ponderhit();
            let mut votes =
                vec![if handicap.is_limited() { skill_vote(&worker, &handicap) } else { thread_vote(&worker).0 }];
            let mut total = worker.nodes;
            for (vote, nodes) in running.into_iter().filter_map(|handle| handle.join().ok()) {
                votes.push(vote);
                total += nodes;
            }
            let depth = votes[0].depth.max(0) as u32;
            let winner = if handicap.is_limited() { votes.into_iter().next() } else { choose_best_vote(votes) };
            let mut winner = winner.expect("the main thread votes");
            if let Some(tables) = &shared.tablebase {
                winner.score = tables.tb_score(position, winner.best, winner.score);
            }
            worker.report_final(&mut winner.pv, winner.score, winner.depth, reporter);
            reporter.finished(total, worker.time.elapsed());
            self.expected_stall = worker.expected_stall();
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

    /// The legal moves that the limits leave; all of them if they leave none.
    fn root_moves(&self, position: &Position, limits: &Limits) -> Vec<Move> {
        let legal = position.legal_moves();
        let wanted = |mv: &Move| {
            (limits.search_moves.is_empty() || limits.search_moves.contains(mv)) && !limits.excluded_moves.contains(mv)
        };
        let moves: Vec<Move> = legal.moves().filter(wanted).collect();
        if moves.is_empty() { legal.moves().collect() } else { moves }
    }
}

/// All that scores depend on beside the position: what was learned under one view is worth nothing under another.
#[derive(Clone, PartialEq, Debug)]
struct ScoreContext {
    rules: Rules,
    promotion: bool,
    pruning: Level,
    knowledge: Level,
    network: Arc<Network>,
    /// For whose good the style is, if it is any.
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

fn thread_vote(worker: &SearchThread) -> (Vote, u64) {
    let (best, score, depth, pv) = worker.best_line();
    (Vote { best, score, depth, pv: pv.to_vec() }, worker.nodes)
}

/// The line that a handicapped player chooses.
fn skill_vote(worker: &SearchThread, handicap: &Skill) -> Vote {
    let lines = worker.multi_pv_lines();
    let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
    let line = &lines[handicap.pick_line(&scores, &mut rand::rng())];
    Vote { best: line.mv, score: line.score, depth: worker.best_line().2, pv: line.pv.clone() }
}

/// Each thread votes for its move, deeper and better results with more weight. What is proven outweighs estimates: a win
/// outright, a loss those that have not looked deeper than its proof.
fn choose_best_vote(votes: Vec<Vote>) -> Option<Vote> {
    let lowest = votes.iter().map(|vote| vote.score).min().unwrap_or(0);
    let weight = |vote: &Vote| i64::from(vote.score - lowest + 14) * i64::from(vote.depth.max(1));
    let support = |mv: Move| votes.iter().filter(|vote| vote.best == mv).map(weight).sum::<i64>();
    let proven = |vote: &Vote| if score::is_decisive(vote.score) { vote.score.signum() } else { 0 };
    let mut chosen = 0;
    for (index, vote) in votes.iter().enumerate().skip(1) {
        let leader = &votes[chosen];
        let better = match (proven(leader), proven(vote)) {
            (0, 0) => (support(vote.best), vote.depth) > (support(leader.best), leader.depth),
            // The shorter win, the longer defence.
            (1, _) | (_, 1) => vote.score > leader.score && vote.depth > 0,
            (-1, -1) => vote.score > leader.score,
            _ => vote.depth > leader.depth,
        };
        if better {
            chosen = index;
        }
    }
    votes.into_iter().nth(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Half a stack of a search, on which a thread of the usual kind would end the whole program.
    #[inline(never)]
    fn dive(kilobytes: usize) -> u8 {
        let frame = black_box([kilobytes as u8; 1024]);
        if kilobytes == 0 { frame[0] } else { dive(kilobytes - 1) ^ frame[kilobytes % 1024] }
    }

    fn winner(votes: &[(u16, Score, i32)]) -> u16 {
        let vote = |&(number, score, depth): &(u16, Score, i32)| Vote {
            best: Move::from_bits(number),
            score,
            depth,
            pv: Vec::new(),
        };
        choose_best_vote(votes.iter().map(vote).collect()).expect("a vote").best.bits()
    }

    #[test]
    fn what_is_proven_outweighs_estimates_that_have_not_looked_deeper() {
        let (win, loss) = (score::mate_in, score::mated_in);
        assert_eq!(winner(&[(7, 20, 14), (8, win(9), 10), (9, win(5), 9)]), 9, "the shorter win");
        assert_eq!(winner(&[(7, loss(8), 14), (8, -300, 12)]), 7, "shallower: it has not seen the mate");
        assert_eq!(winner(&[(7, loss(8), 14), (8, -300, 15)]), 8, "deeper: it has found a way out");
        assert_eq!(winner(&[(7, -300, 12), (8, loss(8), 14)]), 8);
        assert_eq!(winner(&[(7, loss(8), 14), (8, loss(12), 14)]), 8, "the longer defence");
        assert_eq!(winner(&[(7, 20, 12), (8, 30, 12), (8, 25, 12)]), 8, "two against one");
    }

    #[test]
    fn a_thread_of_the_search_has_room_to_go_deep() {
        let handle = thread_builder("deep").spawn(|| dive(THREAD_STACK_BYTES / 1024 / 2)).expect("a thread");
        handle.join().expect("it comes back up");
    }
}
