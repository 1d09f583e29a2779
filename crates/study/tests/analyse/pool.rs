//! The pool: many queries, one final update for each, all of them cancellable.

use super::support::{Answers, PATIENCE, equipment, query, spot};
use chuhe_study::analyse::{AnalystPool, Query};
use std::sync::{Arc, mpsc};
use std::time::Duration;

fn endless() -> Query {
    Query { report_interval: Some(Duration::ZERO), ..Query::new(spot("startpos")) }
}

#[test]
fn pool_serves_by_priority_then_by_age() {
    let pool = AnalystPool::open(1, &equipment()).expect("a pool");
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let (sender, order) = mpsc::channel();
    for (name, priority) in [("second", 0), ("last", -7), ("third", 0), ("first", 3)] {
        let sender = sender.clone();
        pool.submit(query("startpos", 50), priority, Box::new(move |_| sender.send(name).expect("heard")));
    }
    pool.cancel(busy.ticket);
    let order: Vec<&str> = (0..4).map(|_| order.recv_timeout(PATIENCE).expect("an answer")).collect();
    assert_eq!(order, ["first", "second", "third", "last"]);
}

#[test]
fn update_handler_may_submit_another_query() {
    let pool = Arc::new(AnalystPool::open(1, &equipment()).expect("a pool"));
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let (other, (sender, again)) = (Arc::downgrade(&pool), mpsc::channel());
    let asker = Box::new(move |_| {
        let pool = other.upgrade().expect("open");
        sender.send(Answers::to(&pool, query("startpos", 50), 0)).expect("heard");
    });
    let waiting = pool.submit(query("startpos", 50), 0, asker);
    pool.cancel(waiting);
    pool.cancel(busy.ticket);
    assert!(again.recv_timeout(PATIENCE).expect("another query").last().0.complete);
}
