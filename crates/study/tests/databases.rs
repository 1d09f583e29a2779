//! Opening books in SQLite databases, created here with plain SQL as other programs do.

#[path = "book/support.rs"]
#[allow(dead_code, reason = "the tests of other formats use all of it")]
mod support;

use chuhe_study::book::database::{obk_key, xqb_key, xqb_move};
use chuhe_study::book::{
    Book, BookEntry, BookFormat, GameCounts, MemoryBook, collect_reachable, open_book, write_book,
};
use chuhe_support::files::OverwritePolicy;
use chuhe_testing::Folder;
use rusqlite::{Connection, params};
use std::path::PathBuf;
use std::sync::Arc;
use support::after;
use xiangqi::Position;

fn told(book: &Arc<dyn Book>, moves: &str) -> Vec<(String, u32)> {
    let moves = book.moves(&after(moves)).expect("an answer");
    moves.iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
}

#[test]
fn obk_keys_match_the_format() {
    for (moves, key) in [
        ("", 0x628D_04D7_C9C1_44AE),
        ("h2e2", 0xA1EA_D1F6_470E_07EE),
        ("h2e2 h9g7", 0x377A_45B3_F4DA_AEE9),
        ("b2e2", 3_014_087_590_936_550_302),
        ("h2e2 h9g7 g3g4", 5_102_328_636_083_531_887),
    ] {
        assert_eq!(obk_key(&after(moves)), key, "{moves}");
    }
    assert_eq!(f64::from_bits(obk_key(&after("h2e2"))), -2.684809862467861e-145);
    let black = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b");
    assert_eq!(obk_key(&black.expect("a position")), 0xC243_2E2E_C584_6BF6);
}

/// A book in the format of 兵河五四: position, move, score, valid.
fn obk(folder: &Folder, table: &str, rows: &[(&str, i64, i64, i64)]) -> PathBuf {
    let path = folder.path(&format!("{table}.obk"));
    let connection = Connection::open(&path).expect("a database");
    connection
        .execute_batch(&format!(
            "CREATE TABLE {table}(id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER,
             vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER)"
        ))
        .expect("a table");
    let insert = format!(
        "INSERT INTO {table}(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?1, ?2, ?3, 3, 2, 1, ?4)"
    );
    for &(moves, mv, score, valid) in rows {
        let key = obk_key(&after(moves));
        let done = match i64::try_from(key) {
            Err(_) if table == "bhobk" => connection.execute(&insert, params![f64::from_bits(key), mv, score, valid]),
            _ => connection.execute(&insert, params![key as i64, mv, score, valid]),
        };
        done.expect("a row");
    }
    path
}

const H2E2: i64 = 0xAAA7;
const H9G7: i64 = 0x3A59;
const C3C4: i64 = 0x9585;

#[test]
fn obk_reads_both_kinds_of_keys_in_both_orientations() {
    for table in ["bhobk", "pfBook"] {
        let rows =
            [("", H2E2, 90, 1), ("", C3C4, 10, 1), ("", 0x3333, 99, 1), ("", 0xA4A5, 50, 0), ("h2e2", H9G7, 7, 1)];
        let folder = Folder::new();
        let book = open_book(&obk(&folder, table, &rows)).expect("a book");
        assert_eq!(told(&book, ""), [("h2e2".to_string(), 90), ("c3c4".to_string(), 10)], "{table}");
        assert_eq!(told(&book, "h2e2"), [("h9g7".to_string(), 7)], "stored as a floating-point number");
        assert_eq!(told(&book, "b2e2"), [("b9c7".to_string(), 7)], "in the mirror");
        assert!(told(&book, "g3g4").is_empty());
        let games = book.moves(&after("")).expect("an answer")[0].games;
        assert_eq!(games, GameCounts { won: 3, drawn: 2, lost: 1 });
        assert_eq!(book.entries(), 5);
    }
}

#[test]
fn obk_detects_swapped_moves() {
    let swap = |mv: i64| (mv & 0xFF) << 8 | mv >> 8;
    let folder = Folder::new();
    let path = obk(&folder, "bhobk", &[("", swap(H2E2), 0, 1), ("h2e2", swap(H9G7), 0, 1)]);
    let book = open_book(&path).expect("a book");
    assert_eq!(told(&book, ""), [("h2e2".to_string(), 1)], "without scores all are played alike");
    assert_eq!(told(&book, "h2e2"), [("h9g7".to_string(), 1)]);
}

#[test]
fn xqb_keys_and_moves_match_the_format() {
    let hex = |moves: &str| -> String { xqb_key(&after(moves)).iter().map(|byte| format!("{byte:02x}")).collect() };
    assert_eq!(hex(""), "ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440");
    let cannon = "ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440";
    assert_eq!((hex("h2e2").as_str(), hex("b2e2").as_str()), (cannon, cannon));
    let code = |moves: &str, mv: &str| xqb_move(&after(moves), mv.parse().expect("a move"));
    assert_eq!(code("", "h2e2"), 30_580);
    assert_eq!(code("h2e2", "h9g7"), code("b2e2", "b9c7"));
    let answers: Vec<u16> = ["h9g7", "b9c7"].iter().map(|mv| code("h2e2", mv)).collect();
    assert!(answers.contains(&38_774), "{answers:?}");
}

#[test]
fn xqb_survives_a_round_trip() {
    let mut pages = MemoryBook::default();
    for (moves, mv, weight) in
        [("", "h2e2", 900), ("", "g3g4", 50), ("h2e2", "h9g7", 7), ("h2e2", "b9c7", 5), ("g3g4", "g6g5", 3)]
    {
        let games = GameCounts { won: weight.into(), drawn: 1, lost: 2 };
        *pages.entry(&after(moves), mv.parse().expect("a move")) = BookEntry { weight, score: None, games };
    }
    let folder = Folder::new();
    let path = folder.path("written.xqb");
    write_book(&path, OverwritePolicy::Never, &pages, BookFormat::Xqb, "").expect("written");
    let book = open_book(&path).expect("a book");
    assert_eq!(collect_reachable(&*book).expect("answers").pages, pages);
    assert_eq!(told(&book, "b2e2"), [("b9c7".to_string(), 7), ("h9g7".to_string(), 5)]);
    drop(book);
    // Overwritten only if requested.
    write_book(&path, OverwritePolicy::Always, &pages, BookFormat::Xqb, "").expect("written again");
    assert!(write_book(&path, OverwritePolicy::Never, &pages, BookFormat::Xqb, "").is_err());
}

#[test]
fn open_rejects_files_that_are_not_books() {
    let problem = |path: &PathBuf| match open_book(path) {
        Ok(_) => panic!("{} is no book", path.display()),
        Err(error) => error.problem.to_string(),
    };
    let folder = Folder::new();
    let encrypted = folder.write("encrypted.obk", [0x5A; 4096]);
    assert!(problem(&encrypted).contains("is encrypted or damaged"));
    let other = folder.path("other.xqb");
    Connection::open(&other).expect("a database").execute_batch("CREATE TABLE t(a)").expect("a table");
    assert!(problem(&other).contains("without a table of a book"));
    let lacking = folder.path("lacking.obk");
    Connection::open(&lacking).expect("a database").execute_batch("CREATE TABLE bhobk(vkey)").expect("a table");
    assert!(problem(&lacking).contains("table bhobk has no column vmove"));
}

#[test]
fn database_that_is_a_program_is_refused_or_stopped() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let columns = "i AS vkey, i AS vmove, i AS vscore, i AS vwin, i AS vdraw, i AS vlost, 1 AS vvalid";
    let folder = Folder::new();
    let make = |name: &str, sql: &str| {
        let path = folder.path(name);
        Connection::open(&path).expect("a database").execute_batch(sql).expect("made");
        path
    };
    let view = make("view.obk", &format!("CREATE VIEW bhobk AS {endless} SELECT {columns} FROM n"));
    let other = make("view.xqb", &format!("CREATE VIEW book AS {endless} SELECT i AS key, i AS move FROM n"));
    for file in [&view, &other] {
        let problem = open_book(file).map(|_| ()).expect_err("a view is no book").problem.to_string();
        assert!(problem.contains("without a table of a book"), "{problem}");
    }
    // A table without an index is searched through; a column that is computed is not read.
    let computed = make(
        "computed.obk",
        "CREATE TABLE bhobk(vkey INTEGER, vmove INTEGER, vscore AS (length(hex(zeroblob(30000000)))), vvalid);
         INSERT INTO bhobk(vkey, vmove, vvalid) VALUES (7101337512282506414, 43687, 1);",
    );
    let book = open_book(&computed).expect("a table");
    assert_eq!(told(&book, ""), [("h2e2".to_string(), 1)]);
    // However many rows a position has, only so many are taken.
    let many = make(
        "many.obk",
        "CREATE TABLE bhobk(vkey INTEGER, vmove INTEGER);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
         INSERT INTO bhobk SELECT 7101337512282506414, 43687 FROM n;",
    );
    let book = open_book(&many).expect("a table");
    assert_eq!((told(&book, "").len(), book.entries()), (1, 300_000));
}

#[test]
fn database_is_read_or_refused_wherever_a_byte_is_changed() {
    let folder = Folder::new();
    let whole = obk(&folder, "bhobk", &[("", H2E2, 1, 1), ("h2e2", H9G7, 2, 1)]);
    let bytes = std::fs::read(whole).expect("a file");
    for place in (0..600).chain((600..bytes.len()).step_by(37)) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0xFF;
        for bytes in [&bytes[..], &bytes[..place]] {
            if let Ok(book) = open_book(&folder.write("changed.obk", bytes)) {
                let _ = (book.moves(&after("")), book.entries());
            }
        }
    }
}
