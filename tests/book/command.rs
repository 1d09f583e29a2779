//! `chuhe book` on the command line.

use super::support::{complaint, random_book, report};
use crate::common::Folder;
use chuhe_study::book::write;
use serde_json::Value;

const GAMES: &str = "\
[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Black \"b\"]\n[RedElo \"2400\"]\n[BlackElo \"2300\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n
[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Black \"b\"]\n\n1. 炮八平五 马２进３ 2. 马八进七 车１平２ 0-1\n
[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Black \"b\"]\n\n1. 兵七进一 卒７进１ 1/2-1/2\n
[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Black \"b\"]\n\n1. 马二进三 *\n";

#[test]
fn book_show_prints_a_table() {
    let folder = Folder::new();
    let told = report(&folder, &["show"]);
    assert!(told.starts_with("move "), "{told}");
    assert!(told.contains("炮二平五  h2e2") && told.contains("中炮 Central Cannon"), "{told}");
    let shares: f64 =
        told.lines().filter_map(|line| line.split(" %").next()?.rsplit(' ').next()?.parse::<f64>().ok()).sum();
    assert!((99.0..101.0).contains(&shares), "{shares}: {told}");
    let json = report(&folder, &["show", "--json", "h2e2", "h9g7"]);
    assert!(json.contains("\"opening\":{\"chinese\":\"中炮\""), "{json}");
    // The same position in every notation.
    let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
    let moves = |text: String| serde_json::from_str::<Value>(&text).expect("JSON")["moves"].clone();
    assert_eq!(moves(report(&folder, &["show", "--json", fen])), moves(json.clone()));
    assert_eq!(moves(report(&folder, &["show", "--json", "炮二平五 马８进７"])), moves(json));
    let told = report(&folder, &["show", "4k4/9/9/9/9/9/9/9/9/3K4R w"]);
    assert_eq!(told, "the book does not know this position\n");
}

#[test]
fn book_line_prints_a_tree_and_its_leaves_as_openings() {
    let folder = Folder::new();
    let tree = report(&folder, &["line", "--depth", "2"]);
    assert!(tree.lines().any(|line| line.contains("h2e2") && !line.starts_with(' ')) || tree.contains("b2e2"));
    assert!(tree.lines().any(|line| line.starts_with("  ")), "{tree}");
    assert!(tree.lines().all(|line| !line.starts_with("    ")), "{tree}");
    let leaves = report(&folder, &["line", "--leaves", "--depth", "3"]);
    assert!(leaves.lines().count() > 10, "{leaves}");
    folder.write("openings.txt", &leaves);
    let arena = |words: &[&str]| {
        let engine = |name: &str| format!("name={name},cmd={},proto=uci", env!("CARGO_BIN_EXE_chuhe"));
        let (a, b) = (engine("a"), engine("b"));
        let words = [&["arena", "--engine", &a, "--engine", &b], words].concat();
        let output = folder.chuhe(&words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let common = ["--nodes", "30", "--games", "2", "--max-moves", "6", "--pgn"];
    arena(&[&common[..], &["file.pgn", "--openings", "openings.txt"]].concat());
    arena(&[&common[..], &["book.pgn", "--book", "own", "--plies", "3"]].concat());
    for name in ["file.pgn", "book.pgn"] {
        let text = folder.text(name);
        let prescribed = text.matches("{book}").count();
        assert!((2..=6).contains(&prescribed) && prescribed.is_multiple_of(2), "in both games: {text}");
        assert!(text.contains("[Opening \""), "{text}");
    }
}

#[test]
fn book_import_makes_a_book_of_games() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let told = report(&folder, &["import", "games.pgn", "--out", "my.chb"]);
    assert!(told.starts_with("3 games taken, 1 left out\n"), "{told}");
    let json = report(&folder, &["show", "--book", "my.chb", "--json"]);
    // The first two games are mirror images: one win and one loss of the same move.
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let of = |mv: &str| {
        let moves = json["moves"].as_array().expect("moves");
        moves.iter().find(|entry| entry["move"] == mv).unwrap_or_else(|| panic!("no {mv}: {json}"))
    };
    let counts = |mv| ["weight", "won", "drawn", "lost"].map(|name| of(mv)[name].as_u64());
    assert_eq!(of("h2e2")["chinese"], "炮二平五");
    assert_eq!(counts("h2e2"), [1000, 1, 0, 1].map(Some));
    assert_eq!(counts("g3g4")[..3], [500, 0, 1].map(Some));
    for (filter, said) in [
        (["--result", "red"], "1 games taken, 3 left out"),
        (["--rating", "2300"], "1 games taken, 3 left out"),
        (["--shortest", "3"], "2 games taken, 2 left out"),
    ] {
        let told = report(&folder, &[&["import", "games.pgn", "--out", "my.chb"], &filter[..]].concat());
        assert!(told.starts_with(said), "{filter:?}: {told}");
    }
    let told = report(&folder, &["import", "games.pgn", "--out", "my.chb", "--plies", "1", "--often", "2"]);
    assert!(told.contains("\n1 positions, 1 moves, "), "{told}");
    assert!(complaint(&folder, &["import", "games.pgn", "--out", "my.chb", "--rating", "9999"]).contains("no game"));
    let bytes = std::fs::read(folder.path("my.chb")).expect("a book");
    assert!(complaint(&folder, &["import", "none.pgn", "--out", "my.chb"]).contains("none.pgn: "));
    assert_eq!(std::fs::read(folder.path("my.chb")).expect("a book"), bytes);
}

#[test]
fn book_merge_combines_books() {
    let folder = Folder::new();
    let (one, two) = (random_book(11, true), random_book(12, true));
    folder.write("one.chb", write(&one, ""));
    folder.write("two.chb", write(&two, ""));
    report(&folder, &["merge", "one.chb", "two.chb", "--out", "both.chb"]);
    report(&folder, &["merge", "two.chb", "one.chb", "--out", "both2.chb"]);
    let both = chuhe_study::book::open_book(&folder.path("both.chb")).expect("a book");
    let pages = chuhe_study::book::collect_reachable(&*both).expect("answers").pages;
    let total = |pages: &chuhe_study::book::MemoryBook| -> u64 {
        pages.positions.values().flat_map(|moves| moves.values()).map(|entry| u64::from(entry.games.lost)).sum()
    };
    assert_eq!(total(&pages), total(&one) + total(&two), "games are added up");
    let keys = |pages: &chuhe_study::book::MemoryBook| {
        pages.positions.keys().copied().collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(keys(&pages), &keys(&one) | &keys(&two));
    let told = report(&folder, &["check", "both.chb", "one.chb"]);
    assert_eq!(told.lines().count(), 2, "{told}");
}

#[test]
fn book_errors_are_one_line_and_lose_no_file() {
    let folder = Folder::new();
    folder.write("text.txt", "no book at all, but long enough");
    folder.write("mine.chb", "a letter to a friend, which is no book");
    for (words, said) in [
        (["show", "--book", "none.chb"].as_slice(), "'none.chb' cannot be read"),
        (&["show", "--book", "text.txt"], "'text.txt' is no BOOK.DAT"),
        (&["show", "h2h2"], "move 1"),
        (&["show", "9/9 w"], "ranks"),
        (&["convert", "own", "a.pdf"], "'a.pdf': the name must end in"),
        (&["convert", "own", "mine.chb"], "mine.chb exists; use --force to overwrite it, or another name"),
        (&["convert", "own", "/no/such/folder/a.chb"], "/no/such/folder/a.chb"),
        (&["check", "text.txt"], "'text.txt' is no BOOK.DAT"),
        (&["merge", "own", "text.txt", "--out", "b.chb"], "'text.txt'"),
        (
            &["make", "--out", "mine.chb", "--positions", "1", "--survey", "10", "--proof", "10", "--nameless"],
            "mine.chb exists",
        ),
    ] {
        let told = complaint(&folder, words);
        assert!(told.contains(said), "{words:?}: {told}");
    }
    let kept = folder.text("mine.chb");
    assert!(kept.starts_with("a letter"));
    // A truncated book is refused, and one of a later version too.
    let bytes = write(&random_book(1, false), "");
    folder.write("cut.chb", &bytes[..bytes.len() - 3]);
    assert!(complaint(&folder, &["show", "--book", "cut.chb"]).contains("'cut.chb' is damaged"));
}
