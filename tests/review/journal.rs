//! The file of `--out`, from which a review of many games goes on.

use super::several::{GAMES, reviews, words};
use super::support::{complains, says};
use crate::common::{Folder, stderr, success};

fn review_count(folder: &Folder) -> usize {
    let text = folder.text("out.jsonl");
    assert!(reviews(&text).iter().all(|review| review["complete"] == true && review["conditions"]["nodes"] == 200));
    text.lines().count()
}

#[test]
fn reviews_in_the_journal_are_not_made_again() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let fresh = says(&folder, &words(&["--json", "-"]));
    says(&folder, &words(&["--game", "2", "--out", "out.jsonl"]));
    assert_eq!(review_count(&folder), 1);
    assert_eq!(says(&folder, &words(&["--out", "out.jsonl", "--json", "-"])), fresh, "a kept review is the same");
    assert_eq!(review_count(&folder), 3);
    let before = folder.text("out.jsonl");
    let summary = says(&folder, &words(&["--lang", "en"]));
    // The games may be elsewhere now, and their players may have got names.
    folder.write("games.pgn", format!("[Red \"new\"]\n\n1. h2e2 *\n\n{GAMES}"));
    let moved = says(&folder, &words(&["--game", "2..4", "--out", "out.jsonl", "--lang", "en"]));
    assert_eq!(moved.replace("game 4", "game 3"), summary);
    assert_eq!(folder.text("out.jsonl"), before);
    says(&folder, &words(&["--out", "out.jsonl"]));
    assert_eq!(review_count(&folder), 4, "only the new game was reviewed");
}

#[test]
fn equal_games_have_one_line() {
    let folder = Folder::new();
    folder.write("games.pgn", "1. h2e2 h9g7 2. h0g2 *\n\n".repeat(9));
    let shown = says(
        &folder,
        &[
            "review",
            "games.pgn",
            "--nodes",
            "200",
            "--threads",
            "3",
            "--hash",
            "1",
            "--out",
            "out.jsonl",
            "--json",
            "-",
        ],
    );
    assert_eq!((review_count(&folder), reviews(&shown).len()), (1, 9));
    assert_eq!(says(&folder, &words(&["--out", "out.jsonl", "--json", "-"])), shown);
}

#[test]
fn journal_is_cut_to_whole_lines_and_never_mixed() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    says(&folder, &words(&["--out", "out.jsonl"]));
    let whole = folder.text("out.jsonl");
    let cut = whole.len() - 40;
    folder.write("out.jsonl", &whole[..cut]);
    says(&folder, &words(&["--out", "out.jsonl"]));
    assert_eq!(folder.text("out.jsonl"), whole);
    let told = complains(&folder, &["review", "games.pgn", "--nodes", "300", "--hash", "1", "--out", "out.jsonl"]);
    assert!(told.contains("out.jsonl, line 1: made under another 'nodes' (200, now 300)"), "{told}");
    for foreign in ["[Red \"x\"]\n", "{\"generator\":\"Chuhe 0.2.0 review\"}\n", "no line end"] {
        folder.write("other.jsonl", foreign);
        let told = complains(&folder, &words(&["--out", "other.jsonl"]));
        assert_eq!(told, "chuhe: other.jsonl has no reviews; use --force to start anew, or another name\n");
        assert_eq!(folder.text("other.jsonl"), foreign);
    }
    says(&folder, &words(&["--out", "other.jsonl", "--force"]));
    assert_eq!(folder.text("other.jsonl"), whole);
    says(&folder, &words(&["--game", "1", "--out", "out.jsonl", "--force"]));
    assert_eq!(folder.text("out.jsonl"), whole, "reviews that can be gone on with stay");
    assert!(complains(&folder, &words(&["--out", "-"])).contains("- is standard output"));
    let told = complains(&folder, &words(&["--out", "out.jsonl", "--json", "out.jsonl", "--force"]));
    assert!(told.contains("out.jsonl is named twice"), "{told}");
    assert!(complains(&folder, &words(&["--json", "out.jsonl"])).contains("out.jsonl exists"), "it stays");
}

/// Two games, in each of which red gives away a rook with the fourth move.
const PUPILS: &str = "[Red \"Hu\"]\n[Black \"Xu\"]\n[Date \"2026.05.01\"]\n\n1. h2e2 h9g7 2. i0i1 i9i8 3. i1f1 a9a8 \
    4. f1f9 e9f9 5. h0g2 f9e9 *\n\n[Red \"Xu\"]\n[Black \"Hu\"]\n\n1. b2e2 b9c7 2. i0i1 i9i8 3. i1f1 a9a8 4. f1f9 e9f9 *\n";

#[test]
fn exercises_of_a_pupil_are_made_of_reviews_that_are_there() {
    let folder = Folder::new();
    folder.write("games.pgn", PUPILS);
    says(&folder, &words(&["--out", "out.jsonl"]));
    let before = folder.text("out.jsonl");
    let mine = ["--out", "out.jsonl", "--player", "hu", "--sheet", "sheet.html", "--html", "page.html", "--lang", "en"];
    let written = says(&folder, &words(&mine));
    assert!(written.contains("sheet.html") && folder.text("out.jsonl") == before, "{written}");
    let (sheet, page) = (folder.text("sheet.html"), folder.text("page.html"));
    assert!(
        sheet.contains("Name <i>hu</i>") && sheet.contains("Hu (Red), move 4 · against Xu · 2026-05-01"),
        "{sheet}"
    );
    assert!(page.contains("What recurs") && page.contains("Hu (Red), move 4 · against Xu · 2026-05-01"));
    let chinese = ["--out", "out.jsonl", "--player", "hu", "--html", "-", "--lang", "zh"];
    let page_in_chinese = says(&folder, &words(&chinese));
    assert!(page_in_chinese.contains("常犯的错") && page_in_chinese.contains("Hu（红方），第 4 回合 · 对手：Xu"));
    assert_eq!(page.matches("<article>").count(), sheet.matches("<figure>").count());
    assert!(!sheet.contains("Xu (") && !page.contains("Xu ("), "the mistakes of the other are not theirs");
    // Both together without a name, and from one game alone; a sheet is written over a sheet.
    let all = says(&folder, &words(&["--out", "out.jsonl", "--sheet", "-", "--lang", "en"]));
    assert!(all.contains("Hu (Red), move 4") && all.contains("Xu (Red), move 4") && all.contains("Name <i></i>"));
    let one = says(&folder, &words(&["--game", "1", "--sheet", "sheet.html", "--lang", "en"]));
    assert!(one.contains("sheet.html") && folder.text("sheet.html").contains("Hu (Red), move 4"));
    let told = complains(&folder, &words(&["--sheet", "games.pgn"]));
    assert!(told.contains("games.pgn exists"), "{told}");
}

#[test]
fn exercises_are_chosen_by_number_date_and_theme() {
    let folder = Folder::new();
    folder.write("games.pgn", PUPILS);
    let all = says(&folder, &words(&["--out", "out.jsonl", "--sheet", "-", "--lang", "en"]));
    let some = |more: &[&str]| {
        says(&folder, &[&words(&["--out", "out.jsonl", "--sheet", "-", "--lang", "en"]), more].concat())
    };
    let newest = some(&["--newest", "--count", "1"]);
    assert!(newest.matches("<figure>").count() == 1 && newest.contains("Hu (Red), move 4"), "{newest}");
    // A sheet without exercises is told.
    let none = ["--out", "out.jsonl", "--sheet", "-", "--lang", "en", "--theme", "fork", "--theme", "mate"];
    let none = folder.chuhe(&words(&none));
    assert_eq!(success(&none).matches("<figure>").count(), 0);
    assert_eq!(stderr(&none), "chuhe: There is no mistake to practise.\n");
    assert!(some(&["--theme", "hanging-piece"]).matches("<figure>").count() <= all.matches("<figure>").count());
    let told = complains(&folder, &words(&["--sheet", "-", "--theme", "nosuch", "--lang", "en"]));
    assert!(told.contains("there is no theme 'nosuch': ") && told.contains("fork"), "{told}");
    complains(&folder, &words(&["--count", "3"]));
}

#[test]
fn later_commands_take_their_limits_from_the_reviews_that_are_there() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let first = ["review", "games.pgn", "--nodes", "200", "--hash", "1", "--rules", "cxa", "--out", "out.jsonl"];
    says(&folder, &first);
    let before = folder.text("out.jsonl");
    says(&folder, &["review", "games.pgn", "--out", "out.jsonl"]);
    assert_eq!(folder.text("out.jsonl"), before);
    // A game more is reviewed as the others were.
    folder.write("games.pgn", format!("[Red \"new\"]\n\n1. h2e2 *\n\n{GAMES}"));
    says(&folder, &["review", "games.pgn", "--out", "out.jsonl"]);
    let after = folder.text("out.jsonl");
    assert!(after.starts_with(&before) && after.lines().count() == before.lines().count() + 1);
    let conditions: Vec<_> = reviews(&after).into_iter().map(|review| review["conditions"].clone()).collect();
    assert!(conditions.iter().all(|other| *other == conditions[0]), "{conditions:?}");
    // What is given is meant.
    let told = complains(&folder, &["review", "games.pgn", "--rules", "asian", "--out", "out.jsonl"]);
    assert!(told.contains("out.jsonl, line 1: made under another 'rules'"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_games_that_are_done() {
    use super::files::listens;
    let folder = Folder::new();
    // Black is mated in the first one, so that nothing is searched.
    folder.write("games.pgn", "[FEN \"4k4/4R4/4R4/9/9/9/9/9/9/3K5 b\"]\n\n*\n\n1. h2e2 *\n\n1. b2e2 *\n");
    let arguments = ["review", "games.pgn", "--depth", "200", "--threads", "1", "--hash", "1"];
    let outputs = ["--out", "out.jsonl", "--json", "all.jsonl", "--html", "page.html", "--lang", "en"];
    let mut command = folder.command(&[&arguments[..], &outputs].concat());
    let child = command.stdout(std::process::Stdio::piped()).spawn().expect("chuhe runs");
    let is_empty = || std::fs::metadata(folder.path("out.jsonl")).is_ok_and(|there| there.len() == 0);
    while !listens(child.id()) || is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("games: 1"));
    assert_eq!((reviews(&folder.text("out.jsonl")).len(), reviews(&folder.text("all.jsonl")).len()), (1, 1));
    assert!(folder.text("page.html").ends_with("</html>\n"));
}
