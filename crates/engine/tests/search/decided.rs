//! Where little or nothing is left to decide, a search must hear `stop` and keep its limits all the same: it may run
//! through its iterations without a node. Nodes are counted, not time.

use super::support::{search, searcher};
use chuhe_engine::search::{Clock, Control, Limits, NoReporter};
use chuhe_engine::tablebase::Tablebase;
use chuhe_testing::sparse_positions;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Position;

/// Positions with few pieces: most are won in a few moves, lost, or drawn by the tables.
fn decided_positions() -> Vec<Position> {
    let both = sparse_positions(1950, 0..3).take(40).flat_map(|position| {
        // The same with the other side to move, where that is a position.
        let fen = position.fen().replacen(" w ", " b ", 1);
        [Some(position), Position::from_fen(&fen).ok().filter(Position::has_legal_move)]
    });
    both.flatten().collect()
}

#[test]
fn stop_is_heard_in_decided_positions() {
    let clock = Clock { time: Duration::from_secs(3600), increment: Duration::ZERO, ..Clock::default() };
    let all = [
        Limits::default(),
        Limits { mate: Some(60), ..Limits::default() },
        Limits { mate: Some(60), ..Limits::move_time(Duration::from_secs(3600)) },
        Limits { mate: Some(60), clock: Some(clock), ..Limits::default() },
        Limits::move_time(Duration::from_secs(3600)),
        Limits { clock: Some(clock), ..Limits::default() },
        Limits { ponder: true, clock: Some(clock), ..Limits::default() },
        Limits::depth(200),
    ];
    let mut searcher = searcher();
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    for position in decided_positions() {
        for limits in &all {
            let control = Control::new(limits.ponder);
            control.stop();
            let found = searcher.search(&position, limits, &control, &mut NoReporter);
            assert!(found.best_move.is_some() && found.nodes < 2_000, "{limits:?}: {}", position.fen());
        }
    }
}

#[test]
fn node_limit_holds_in_decided_positions() {
    let mut searcher = searcher();
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    for position in decided_positions() {
        for (nodes, mate) in [(1, None), (3_000, None), (1, Some(60)), (3_000, Some(60)), (20_000, Some(3))] {
            let limits = Limits { mate, ..Limits::nodes(nodes) };
            let found = search(&mut searcher, &position, &limits);
            assert!(found.best_move.is_some() && found.nodes <= nodes + 1_000, "{limits:?}: {}", position.fen());
        }
    }
}
