//! The rule tolerance test: tables without and with doubtful draws.

use super::name;
use chuhe_engine::tablebase::TableBuilder;
use xiangqi::Color;

#[test]
fn tables_without_forced_checks_or_chases_are_exact() {
    let mut builder = TableBuilder::new(2);
    for text in [
        "KRKAABB", "KNKAAB", "KNKABB", "KPKABB", "KCAKAB", "KCAKBB", "KCAAKB", "KCBKABB", "KNAAKB", "KRAKAB", "KPPKAA",
        "KPPKAB", "KNNKA", "KCPKA", "KCCKB", "KNCKA", "KRKR", "KRKC", "KRKP", "KNKN", "KNKC", "KNKP", "KCKC", "KCKP",
        "KPKP",
    ] {
        let table = builder.table(name(text)).expect("short mates");
        assert!(!table.doubtful, "{text}");
    }
}

#[test]
fn table_draws_held_by_a_perpetual_chase_are_doubtful() {
    let table = TableBuilder::new(2).table(name("KRKN")).expect("short mates");
    assert!(table.doubtful);
    let doubtful = |mover| table.count(mover, 2).doubtful;
    let (red, black) = (doubtful(Color::Red), doubtful(Color::Black));
    // Fewer than one position in a hundred.
    assert!((1..2_000).contains(&red) && (1..6_000).contains(&black), "{red}, {black}");
}
