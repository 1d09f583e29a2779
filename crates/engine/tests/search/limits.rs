//! Limits and reporting of the search.

use super::support::{search, searcher};
use chuhe_engine::search::{Clock, Control, Info, Limits, NoReporter, Reporter};
use chuhe_testing::{position, random_positions};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xiangqi::{Move, Position};

const MIDDLEGAME: &str = "2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7";

/// Records every line.
#[derive(Default)]
struct Lines(Vec<(u32, usize, i32, Vec<Move>)>);

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        self.0.push((info.depth, info.multipv, info.score, info.pv.to_vec()));
    }
}

#[test]
fn search_with_one_thread_is_deterministic() {
    for fen in [MIDDLEGAME, xiangqi::fen::START_FEN] {
        let position = position(fen);
        let first = search(&mut searcher(), &position, &Limits::depth(9));
        let second = search(&mut searcher(), &position, &Limits::depth(9));
        assert_eq!(first, second);
        let mut used = searcher();
        search(&mut used, &Position::start(), &Limits::depth(8));
        used.new_game();
        assert_eq!(search(&mut used, &position, &Limits::depth(9)), first, "new_game clears everything");
    }
}

#[test]
fn node_limit_holds_within_a_thousand() {
    for nodes in [1, 500, 5_000, 100_000] {
        let outcome = search(&mut searcher(), &position(MIDDLEGAME), &Limits::nodes(nodes));
        assert!(outcome.nodes <= nodes + 1_000, "{} for {nodes}", outcome.nodes);
        assert!(outcome.best_move.is_some());
    }
    let soft = Limits { soft_nodes: Some(50_000), ..Limits::default() };
    let outcome = search(&mut searcher(), &position(MIDDLEGAME), &soft);
    assert!(outcome.nodes >= 50_000);
}

#[test]
fn search_under_every_limit_returns_a_legal_move_and_keeps_the_position() {
    let mut searcher = searcher();
    for (index, position) in random_positions(5, 120).into_iter().enumerate() {
        let before = (position.fen(), position.key(), position.history_len());
        let limits = match index % 4 {
            0 => Limits::nodes(index as u64 * 17 + 1),
            1 => Limits::depth(1 + index as u32 % 6),
            2 => Limits::move_time(Duration::from_millis(2)),
            _ => Limits { mate: Some(2), nodes: Some(20_000), ..Limits::default() },
        };
        let outcome = search(&mut searcher, &position, &limits);
        assert_eq!((position.fen(), position.key(), position.history_len()), before);
        let best = outcome.best_move.expect("a legal move exists");
        assert!(position.legal_moves().contains(&best), "{best} in {}", position.fen());
        let mut line = position.clone();
        for mv in outcome.pv {
            line.play(mv).expect("the variation is legal");
        }
    }
}

#[test]
fn search_without_legal_moves_has_no_best_move() {
    // The red king is smothered and mated; black is stalemated in the second.
    for fen in ["3k5/9/9/9/9/9/9/4p4/3p1p3/4K4 w", "3k5/4P4/9/9/9/9/9/9/9/4K4 b"] {
        let position = position(fen);
        let outcome = search(&mut searcher(), &position, &Limits::depth(5));
        assert_eq!(outcome.best_move.is_some(), position.has_legal_move(), "{fen}");
    }
}

#[test]
fn excluded_moves_are_ignored_when_no_other_is_left() {
    let position = position(MIDDLEGAME);
    let all: Vec<Move> = position.legal_moves().to_vec();
    let first = search(&mut searcher(), &position, &Limits::depth(6)).best_move.unwrap();
    let limits = Limits { excluded_moves: vec![first], ..Limits::depth(6) };
    let second = search(&mut searcher(), &position, &limits).best_move.unwrap();
    assert_ne!(first, second);
    let keep = all[7];
    let limits = Limits { search_moves: vec![keep], ..Limits::depth(4) };
    assert_eq!(search(&mut searcher(), &position, &limits).best_move, Some(keep));
    let limits = Limits { excluded_moves: all.clone(), ..Limits::depth(4) };
    assert!(all.contains(&search(&mut searcher(), &position, &limits).best_move.unwrap()));
}

#[test]
fn multi_pv_lines_are_ordered_and_begin_differently() {
    let mut searcher = searcher();
    searcher.options.multi_pv = 5;
    let mut lines = Lines::default();
    let limits = Limits::depth(7);
    searcher.search(&position(MIDDLEGAME), &limits, &Control::new(false), &mut lines);
    for depth in 1..=7 {
        let of_depth: Vec<_> = lines.0.iter().filter(|line| line.0 == depth).collect();
        assert_eq!(of_depth.iter().map(|line| line.1).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert!(of_depth.windows(2).all(|pair| pair[0].2 >= pair[1].2), "depth {depth}");
        let mut heads: Vec<_> = of_depth.iter().map(|line| line.3[0]).collect();
        heads.sort();
        heads.dedup();
        assert_eq!(heads.len(), 5);
    }
}

#[test]
fn reporter_gets_a_variation_for_every_iteration() {
    let mut lines = Lines::default();
    searcher().search(&Position::start(), &Limits::depth(9), &Control::new(false), &mut lines);
    for depth in 1..=9 {
        assert!(lines.0.iter().any(|line| line.0 == depth && !line.3.is_empty()), "depth {depth}");
    }
}

#[test]
fn control_stop_and_ponderhit_end_a_running_search() {
    for ponder in [false, true] {
        let control = Arc::new(Control::new(ponder));
        let limits = Limits {
            ponder,
            clock: ponder.then(|| Clock { time: Duration::from_millis(50), ..Clock::default() }),
            ..Limits::default()
        };
        let inner = control.clone();
        let begun = Instant::now();
        let thread =
            std::thread::spawn(move || searcher().search(&Position::start(), &limits, &inner, &mut NoReporter));
        std::thread::sleep(Duration::from_millis(150));
        assert!(!thread.is_finished(), "unlimited and ponder searches do not end by themselves");
        if ponder {
            control.ponderhit()
        } else {
            control.stop()
        }
        let outcome = thread.join().unwrap();
        assert!(outcome.best_move.is_some());
        assert!(begun.elapsed() >= Duration::from_millis(150));
    }
}

#[test]
fn threads_share_the_node_limit_and_return_a_legal_move() {
    let mut searcher = searcher();
    searcher.options.threads = 4;
    let position = position(MIDDLEGAME);
    let outcome = search(&mut searcher, &position, &Limits::nodes(40_000));
    assert!(outcome.nodes >= 20_000);
    assert!(position.legal_moves().contains(&outcome.best_move.unwrap()));
    searcher.options.threads = 256;
    let outcome = search(&mut searcher, &position, &Limits::depth(3));
    assert!(position.legal_moves().contains(&outcome.best_move.unwrap()));
}

#[test]
fn threads_report_depths_in_order_up_to_the_last() {
    let mut searcher = searcher();
    searcher.options.threads = 6;
    let mut lines = Lines::default();
    let position = position(MIDDLEGAME);
    let outcome = searcher.search(&position, &Limits::depth(10), &Control::new(false), &mut lines);
    assert_eq!(outcome.depth, 10);
    let depths: Vec<u32> = lines.0.iter().map(|line| line.0).collect();
    assert!(depths.is_sorted() && depths.last() == Some(&10), "{depths:?}");
    assert!(lines.0.iter().all(|line| position.legal_moves().contains(&line.3[0])));
}

#[test]
fn last_reported_line_begins_with_the_best_move() {
    for threads in [1, 3] {
        let mut searcher = searcher();
        searcher.options.threads = threads;
        for fen in [MIDDLEGAME, "3k5/9/4b4/9/9/9/9/4B4/4A4/R3K4 w"] {
            for nodes in [1, 30, 300, 1000, 2500, 6000, 12_000, 30_000, 31_000, 32_000] {
                searcher.new_game();
                let mut lines = Lines::default();
                let limits = Limits::nodes(nodes);
                let outcome = searcher.search(&position(fen), &limits, &Control::new(false), &mut lines);
                let reported = lines.0.last().map(|line| line.3[0]);
                assert_eq!(reported, outcome.best_move, "{threads} threads, {nodes} nodes, {fen}");
                assert_eq!(outcome.ponder_move, outcome.pv.get(1).copied());
            }
        }
    }
}
