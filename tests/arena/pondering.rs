//! Pondering: the commands sent after the expected move, after another move, and at the end of a game.

use super::program::{report, script};
use crate::common::{CHUHE, Folder};

/// An engine that plays these answers in order, and another move after `stop`.
fn player(folder: &Folder, name: &str, answers: &[&str]) -> String {
    let cases: String =
        answers.iter().enumerate().map(|(index, answer)| format!("{index}) echo bestmove {answer};; ")).collect();
    let body = format!(
        "n=0\nsay() {{ case $n in {cases} esac; n=$((n + 1)); }}\n\
         while read -r word rest; do case \"$word\" in ucci) echo option ponder type check default false; \
         echo ucciok;; isready) echo readyok;; stop) echo bestmove a0a1;; ponderhit) say;; quit) exit;; \
         go) case \"$rest\" in ponder*) ;; *) say;; esac;; esac; done"
    );
    script(folder, name, &body)
}

/// The report of a match with pondering, whose conversations are kept.
fn pondered(folder: &Folder, [one, other]: &[String; 2], words: &[&str]) -> String {
    let fixed = ["--engine", one, "--engine", other, "--ponder", "--traffic", "talk"];
    report(folder, &[&fixed[..], words].concat())
}

/// The commands sent to an engine, without positions and times.
fn said_to(folder: &Folder, name: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder.path("talk")).expect("a folder");
    let file = files
        .map(|entry| entry.expect("a file").path())
        .find(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
        .expect("the engine's file");
    let text = std::fs::read_to_string(file).expect("a text");
    let lines = text.lines().filter_map(|line| line.split_once(" > ").map(|(_, said)| said));
    let wanted = ["go", "stop", "ponderhit", "setoption"];
    let lines = lines.filter(|line| wanted.iter().any(|word| line.starts_with(word)));
    lines.map(|line| line.split(" time").next().unwrap_or(line).to_string()).collect()
}

#[test]
fn pondering_ends_with_ponderhit_after_the_expected_move_and_with_stop_after_another() {
    let folder = Folder::new();
    let dreamer = player(&folder, "dreamer", &["h2e2 ponder h9g7", "h0g2 ponder i9h9", "i0h0 ponder i9h9"]);
    let other = player(&folder, "other", &["h9g7", "b9c7", "resign", "resign"]);
    folder.write("start.fen", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n");
    let engines =
        [("dreamer", &dreamer), ("other", &other)].map(|(name, path)| format!("name={name},cmd={path},proto=ucci"));
    let words = ["--openings", "start.fen", "--games", "1", "--movetime", "5000"];
    let text = pondered(&folder, &engines, &words);
    assert!(text.contains("black resigns"), "{text}");
    let expected =
        ["setoption ponder true", "go", "go ponder", "ponderhit", "go ponder", "stop", "go", "go ponder", "stop"];
    assert_eq!(said_to(&folder, "dreamer"), expected);
    assert_eq!(said_to(&folder, "other"), ["setoption ponder true", "go", "go", "go", "go"]);
}

#[test]
fn pondering_works_in_both_protocols() {
    let folder = Folder::new();
    let engines =
        [("a", "ucci"), ("b", "uci")].map(|(name, protocol)| format!("name={name},cmd={CHUHE},proto={protocol}"));
    let words = ["--games", "2", "--movetime", "20", "--margin", "5000", "--max-moves", "12"];
    let text = pondered(&folder, &engines, &words);
    assert!(!text.contains("fault"), "{text}");
    for name in ["a", "b"] {
        let said = said_to(&folder, name);
        let count = |wanted: &str| said.iter().filter(|line| line.starts_with(wanted)).count();
        assert!(count("go ponder") > 3, "{said:?}");
        assert_eq!(count("go ponder"), count("ponderhit") + count("stop"), "{said:?}");
    }
}
