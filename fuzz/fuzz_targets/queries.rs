//! Any bytes parse to a query or an error with its field; an accepted query has a valid position and legal moves.
#![no_main]

use chuhe_engine::board::Position;
use chuhe_toolkit::analyse::request::Request;
use chuhe_toolkit::analyse::{Query, Spot};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| match Request::read(line, &Query::about(Spot::of(&Position::start()))) {
    Ok(heard) => {
        if let Request::Analyse(asking) = heard.request {
            assert!(!asking.queries.is_empty());
            for query in asking.queries.iter().take(8) {
                let position = query.spot.position();
                assert!(position.is_consistent() && position.history_len() == query.spot.ply());
                let legal = position.legal_moves();
                assert!(query.only.iter().chain(&query.avoid).all(|&mv| legal.has(mv)));
            }
        }
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
