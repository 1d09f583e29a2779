//! What a node takes from the transposition table, and what it leaves there.

use super::history::ContinuationHistory;
use super::limits::{Control, Limits};
use super::node::NonPv;
use super::options::Options;
use super::params;
use super::search_clock::SearchClock;
use super::search_thread::{SearchThread, SharedState};
use super::transposition_table::{TranspositionTable, TtEntry};
use crate::score::{self, Bound, Score};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use xiangqi::{Move, Position};

const MIDDLEGAME: &str = "r1bakab1r/9/1cn4c1/p1p1p1p1p/5n3/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w";

/// Calls `work` with a thread at this position, over an empty table.
fn with_thread<R: Send>(position: &Position, work: impl FnOnce(&mut SearchThread) -> R + Send) -> R {
    let (tt, options, limits) =
        (TranspositionTable::new(1).expect("a megabyte"), Options::default(), Limits::default());
    let (control, done) = (Control::default(), Control::default());
    let (continuation, nodes) = (Arc::new(ContinuationHistory::new()), [AtomicU64::new(0)]);
    let shared = SharedState {
        tt: &tt,
        continuation_history: &continuation,
        control: &control,
        done: &done,
        nodes: &nodes,
        abdada: None,
        depth_sync: None,
        tablebase: None,
        limits: &limits,
        options: &options,
        multi_pv: 1,
        previous_score: None,
    };
    let clock = SearchClock::new(&limits.time_limits(0), Duration::ZERO, false, Duration::ZERO);
    let moves = position.legal_moves();
    let mut work = Some(work);
    super::thread_stacks::run_main_thread(|| {
        let mut histories = None;
        let mut thread = SearchThread::new(0, &shared, position, &moves, &mut histories, clock.clone());
        thread.root_depth = 12;
        (work.take().expect("called once"))(&mut thread)
    })
}

fn entry(mv: Option<Move>, score: Score, depth: i32, was_pv: bool) -> TtEntry {
    TtEntry { mv, score, eval: score::NONE, depth, bound: Bound::Exact, was_pv }
}

#[test]
fn quiescence_without_quiet_checks_does_not_stand_for_one_with_them() {
    let position = Position::from_fen(MIDDLEGAME).expect("a position");
    for (level, depth) in [(0, 0), (params::qs_check_plies(), -1)] {
        with_thread(&position, |thread| {
            let window = (-score::MINOR * 20, score::MINOR * 20);
            thread.quiescence::<NonPv>(window.0, window.1, level, 1);
            let stored = thread.tt.probe(thread.position.key()).expect("an entry");
            assert_eq!(stored.depth, depth, "at level {level}");
        });
    }
    // Far below what the capture of the rook brings.
    let planted = -score::MINOR * 7;
    let position = Position::from_fen("3k5/9/9/4r4/9/9/9/9/4R4/5K3 w").expect("a position");
    let found = |depth: i32| {
        with_thread(&position, |thread| {
            let stored = TtEntry { bound: Bound::Upper, ..entry(None, planted, depth, false) };
            thread.tt.store(thread.position.key(), stored);
            thread.quiescence::<NonPv>(planted + 1, planted + 2, 0, 1)
        })
    };
    assert_eq!(found(0), planted, "a result with quiet checks cuts off");
    assert!(found(-1) > planted, "one without them does not");
}

#[test]
fn singular_search_knows_the_move_of_the_table_and_is_not_cut_off() {
    let position = Position::from_fen(MIDDLEGAME).expect("a position");
    let tt_move: Move = "e2e6".parse().expect("a move");
    assert!(position.legal_moves().contains(&tt_move));
    let planted = score::MINOR * 7;
    // The score and the nodes of a search without the table's move.
    let search = |stored: Option<TtEntry>| {
        with_thread(&position, |thread| {
            if let Some(stored) = stored {
                thread.tt.store(thread.position.key(), stored);
            }
            thread.stack[1].excluded = Some(tt_move);
            (thread.negamax::<NonPv>(planted - 1, planted, 7, 1, true), thread.nodes)
        })
    };
    let (score, nodes) = search(None);
    let (with_entry, more_nodes) = search(Some(entry(Some(tt_move), planted, 20, true)));
    assert!(score < planted && with_entry < planted, "the stored score is not taken for the node: {with_entry}");
    assert_ne!(nodes, more_nodes, "a node that was on a PV and has a table move is reduced as such");
}
