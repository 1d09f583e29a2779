//! Which tables hold under every rule of repetition, and which have doubtful draws.

use chuhe_engine::tablebase::{Material, TableBuilder};
use chuhe_engine::types::Color;

fn name(text: &str) -> Material {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tables_in_which_nobody_is_bound_to_check_or_chase_are_exact() {
    let mut maker = TableBuilder::new(2);
    for text in [
        "KRKAABB", "KNKAAB", "KNKABB", "KPKABB", "KCAKAB", "KCAKBB", "KCAAKB", "KCBKABB", "KNAAKB", "KRAKAB", "KPPKAA",
        "KPPKAB", "KNNKA", "KCPKA", "KCCKB", "KNCKA", "KRKR", "KRKC", "KRKP", "KNKN", "KNKC", "KNKP", "KCKC", "KCKP",
        "KPKP",
    ] {
        let table = maker.table(name(text)).expect("short mates");
        assert!(!table.doubtful, "{text}");
    }
}

#[test]
fn a_horse_that_holds_by_attacking_a_rook_for_ever_is_doubtful() {
    let table = TableBuilder::new(2).table(name("KRKN")).expect("short mates");
    assert!(table.doubtful);
    let doubtful = |mover| table.count(mover, 2).doubtful;
    let (red, black) = (doubtful(Color::Red), doubtful(Color::Black));
    // Fewer than one position in a hundred.
    assert!((1..2_000).contains(&red) && (1..6_000).contains(&black), "{red}, {black}");
}
