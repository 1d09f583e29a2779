//! The pool: many queries, one final update for each, all of them cancellable.

use super::support::{Answers, equipment, query, spot};
use chuhe_study::analyse::{AnalystPool, Query};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn endless() -> Query {
    Query { report_interval: Some(Duration::ZERO), ..Query::new(spot("startpos")) }
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
