//! The pool: many queries, one final update for each, all of them cancellable.

use super::support::{Answers, equipment, query, spot};
use chuhe_study::analyse::{AnalysisUpdate, AnalystPool, Query};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn endless() -> Query {
    Query { report_interval: Some(Duration::ZERO), ..Query::new(spot("startpos")) }
}

#[test]
fn infinite_query_sends_updates_and_ends_when_cancelled() {
    let pool = AnalystPool::open(1, &equipment()).expect("a pool");
    let running = Answers::to(&pool, endless(), 0);
    let AnalysisUpdate::Partial(first) = running.next() else { panic!("it has no end") };
    assert!(!first.complete && first.assessment.is_some());
    let waiting = Answers::to(&pool, endless(), 0);
    assert_eq!(pool.pending(), 2);
    // The query is still queued, since the only analyst is busy.
    assert!(pool.cancel(waiting.ticket));
    let (untouched, before) = waiting.last();
    assert!(!untouched.complete && untouched.lines.is_empty() && before == 0);
    assert!(pool.cancel(running.ticket));
    let (last, _) = running.last();
    assert!(!last.complete && last.nodes >= first.nodes && !last.lines.is_empty());
    pool.wait_for_pending(0);
    assert!(!pool.cancel(running.ticket), "it has its last word");
    assert!(!pool.cancel(waiting.ticket));
}

#[test]
fn pool_serves_by_priority_then_by_age() {
    let pool = AnalystPool::open(1, &equipment()).expect("a pool");
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let order = Arc::new(Mutex::new(Vec::new()));
    for (name, priority) in [("second", 0), ("last", -7), ("third", 0), ("first", 3)] {
        let order = Arc::clone(&order);
        let asker = Box::new(move |_| order.lock().expect("names").push(name));
        pool.submit(query("startpos", 50), priority, asker);
    }
    pool.cancel(busy.ticket);
    pool.wait_for_pending(0);
    assert_eq!(*order.lock().expect("names"), ["first", "second", "third", "last"]);
}

#[test]
fn pool_sends_one_final_update_per_query_when_closed() {
    let pool = AnalystPool::open(3, &equipment()).expect("a pool");
    let asked: Vec<Answers> = (0..50).map(|number| Answers::to(&pool, endless(), number % 3)).collect();
    asked[2].next();
    drop(pool);
    assert!(asked.iter().all(|answers| !answers.last().0.complete));
}

#[test]
fn update_handler_may_submit_another_query() {
    let pool = Arc::new(AnalystPool::open(1, &equipment()).expect("a pool"));
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let again = Arc::new(Mutex::new(Vec::new()));
    let (other, kept) = (Arc::downgrade(&pool), Arc::clone(&again));
    let asker = Box::new(move |_| {
        let pool = other.upgrade().expect("open");
        kept.lock().expect("answers").push(Answers::to(&pool, query("startpos", 50), 0));
    });
    let waiting = pool.submit(query("startpos", 50), 0, asker);
    pool.cancel(waiting);
    pool.cancel(busy.ticket);
    pool.wait_for_pending(0);
    assert!(again.lock().expect("answers")[0].last().0.complete);
}

#[test]
fn cleared_hash_makes_answers_independent_of_earlier_queries() {
    let afresh = || Query { clear_hash: true, lines: 3, ..query("startpos moves h2e2 h9g7", 3000) };
    let pool = AnalystPool::open(1, &equipment()).expect("a pool");
    let first = Answers::to(&pool, afresh(), 0).last().0;
    for line in ["startpos moves h2e2", "startpos moves b2e2 h9g7"] {
        Answers::to(&pool, query(line, 5000), 0).last();
    }
    let again = Answers::to(&pool, afresh(), 0).last().0;
    assert_eq!((first.lines, first.nodes), (again.lines, again.nodes));
}
