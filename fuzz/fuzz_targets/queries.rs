//! Any bytes parse to a query or an error with its field; an accepted query has a valid position and legal moves.
#![no_main]

use chuhe_study::analyse::{AnalyseRequest, GamePosition, Query};
use libfuzzer_sys::fuzz_target;
use xiangqi::Position;

fuzz_target!(|line: &[u8]| match AnalyseRequest::read(
    line,
    &Query::new(GamePosition::from_position(&Position::start()))
) {
    Ok(heard) => {
        if let AnalyseRequest::Analyse(asking) = heard.request {
            assert!(!asking.queries.is_empty());
            for query in asking.queries.iter().take(8) {
                let position = query.position.position();
                assert!(position.is_consistent() && position.history_len() == query.position.ply());
                let legal = position.legal_moves();
                assert!(query.include_moves.iter().chain(&query.exclude_moves).all(|&mv| legal.contains(&mv)));
            }
        }
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
