//! A hash table full of lies does no harm.

use super::support::{random_positions, search};
use chuhe_engine::search::{Limits, Options, Searcher, TranspositionTable};

#[test]
fn colliding_keys_never_lead_to_an_illegal_move() {
    for bits in [1, 4, 9] {
        let mut searcher =
            Searcher::with_transposition_table(Options::default(), TranspositionTable::with_key_bits(bits));
        for position in random_positions(u64::from(bits), 60) {
            let outcome = search(&mut searcher, &position, &Limits::depth(5));
            let best = outcome.best_move.expect("a legal move exists");
            assert!(position.legal_moves().contains_move(best));
        }
    }
}
