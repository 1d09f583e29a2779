//! Small endings: the search must find the distances of the tables, which another solver has confirmed.

use super::support::{search, searcher};
use chuhe_engine::score;
use chuhe_engine::search::Limits;
use chuhe_engine::tablebase::{TableBuilder, TableValue};
use std::collections::BTreeMap;
use xiangqi::{Color, Position};

/// Node limit; most positions need a tenth of it.
const BUDGET: u64 = 6_000_000;

#[test]
fn mate_search_finds_the_distances_of_the_tables() {
    let mut builder = TableBuilder::new(2);
    let mut tried = 0;
    // A horse against a bishop, a rook against two advisors, two pawns.
    for material in ["KNKB", "KRKAA", "KPPK"] {
        let table = builder.table(material.parse().expect("a name")).expect("short mates");
        let mut wins: BTreeMap<u16, Vec<Position>> = BTreeMap::new();
        for number in (0..table.indexing.size() as u64).step_by(37) {
            let position = table.fen(Color::Red, number).and_then(|fen| Position::from_fen(&fen).ok());
            let Some(position) = position else { continue };
            match table.value(&position) {
                Some(TableValue::Win(plies)) if plies <= 21 => wins.entry(plies).or_default().push(position),
                _ => {}
            }
        }
        for (plies, positions) in wins {
            for position in positions.iter().step_by((positions.len() / 4).max(1)).take(4) {
                let limits = Limits { mate: Some(u32::from(plies).div_ceil(2)), ..Limits::nodes(BUDGET) };
                let outcome = search(&mut searcher(), position, &limits);
                assert_eq!(score::mate_plies(outcome.score), Some(plies.into()), "{}", position.fen());
                tried += 1;
            }
        }
    }
    assert!(tried > 80, "{tried}");
}
