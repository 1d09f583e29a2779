//! `chuhe repertoire` on the command line.

use crate::common::{Folder, refusal, stderr, stdout, success};
use serde_json::Value;

/// Games of a player with red, who plays 炮二平五 most, in the mirror too; two answers, of which one has no move twice.
const GAMES: &str = "\
[Red \"王嘉良\"]\n[Black \"甲\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n\
[Red \"王嘉良\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n1. b2e2 b9c7 2. b0c2 1-0\n\n\
[Red \"王嘉良\"]\n[Black \"丙\"]\n[Result \"0-1\"]\n\n1. h2e2 h7e7 2. h0g2 0-1\n\n\
[Red \"王嘉良\"]\n[Black \"丙\"]\n[Result \"0-1\"]\n\n1. h2e2 h7e7 2. b0c2 0-1\n\n\
[Red \"丁\"]\n[Black \"王嘉良\"]\n[Result \"0-1\"]\n\n1. c3c4 b7d7 0-1\n\n\
[Red \"王嘉良\"]\n[Black \"戊\"]\n[Date \"2026.11.20\"]\n[Result \"0-1\"]\n\n1. c3c4 b7d7 0-1\n";

fn made() -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let words = ["repertoire", "make", "games.pgn", "--player", "王嘉良", "--colour", "red", "--out"];
    for name in ["red.pgn", "red.xqf"] {
        let said = success(&folder.chuhe(&[&["--lang", "en"], &words[..], &[name]].concat()));
        assert!(said.starts_with("Red: 5 games, 2 positions with a move of yours, 3 moves"), "{said}");
        success(&folder.chuhe(&[&words[..], &[name]].concat()));
    }
    folder
}

/// The JSON of each line.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn repertoire_of_games_is_written_shown_and_compared() {
    let folder = made();
    let show = |name: &str| success(&folder.chuhe(&["repertoire", "show", name, "--json"]));
    assert_eq!(show("red.pgn"), show("red.xqf"), "PGN and XQF tell the same");
    let shown = lines(&show("red.pgn"));
    assert_eq!(shown[0]["colour"], "red");
    let moves: Vec<&Value> =
        shown[0]["positions"].as_array().expect("positions").iter().map(|at| &at["moves"]).collect();
    assert_eq!(
        moves.iter().map(|moves| moves[0]["move"].as_str()).collect::<Vec<_>>(),
        ["h2e2", "h9g7", "h0g2"].map(Some)
    );
    let text = success(&folder.chuhe(&["--lang", "zh", "repertoire", "show", "red.pgn", "--games", "games.pgn"]));
    assert!(text.contains("炮二平五 马８进７ (2) 2. 马二进三"), "{text}");

    let gaps = lines(&success(&folder.chuhe(&["repertoire", "gaps", "red.pgn", "--games", "games.pgn", "--json"])));
    let told: Vec<String> =
        gaps.iter().map(|gap| format!("{} {} {}", gap["line"], gap["games"], gap["share"])).collect();
    assert_eq!(told, [r#"["h2e2","h7e7"] 2 0.5"#]);
    let text = success(&folder.chuhe(&["--lang", "en", "repertoire", "gaps", "red.pgn", "--plies", "2"]));
    assert!(text.starts_with("   games     share      book  no move against"), "{text}");

    let words = ["repertoire", "check", "games.pgn", "--with", "red.xqf", "--player", "王嘉良", "--nodes", "500"];
    let checked = lines(&success(&folder.chuhe(&[&words[..], &["--json"]].concat())));
    let told: Vec<String> = checked
        .iter()
        .map(|game| {
            format!("{} {} {} {}", game["game"], game["departure"], game["plies"], game["played"]).replace('"', "")
        })
        .collect();
    assert_eq!(told, ["1 end 3 i9h9", "2 never 3 null", "3 other 1 h7e7", "4 other 1 h7e7", "6 mine 0 c3c4"]);
    assert!(checked[4]["chance"].is_f64() && checked[4]["chance_wanted"].is_f64() && checked[0]["chance"].is_null());
    assert_eq!((&checked[2]["opening"], &checked[2]["named_plies"]), (&"Same-Direction Cannons".into(), &2.into()));
    let text = success(&folder.chuhe(&[&["--lang", "zh"], &words[..]].concat()));
    assert!(
        text.contains("第 1 回合棋手脱谱：走了兵七进一，布局谱里是炮二平五。")
            && text.contains("到第 1 回合为止是顺炮。"),
        "{text}"
    );
}

#[test]
fn repertoire_refuses_what_it_cannot_use() {
    let folder = made();
    folder.write("ending.pgn", "[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\"]\n\n1. e1e2 *\n");
    folder.write("both.pgn", "1. h2e2 h9g7 *\n\n1. c3c4 *\n\n1. h2e2 b7e7 *\n\n1. c3c4 b7d7 2. h2e2\n");
    folder.write("mine.pgn", "my own");
    let refuses = |words: &[&str], reason: &str| {
        let message = refusal(&folder.chuhe(&[&["--lang", "en", "repertoire"], words].concat()));
        assert!(message.contains(reason), "{words:?}: {message}");
    };
    let make = ["make", "games.pgn", "--player"];
    refuses(&["make", "games.pgn", "--colour", "red"], "--player");
    refuses(&[&make[..], &["nobody", "--colour", "red"]].concat(), "no game of this player");
    refuses(&[&make[..], &["王嘉良", "--colour", "red", "--least", "9"]].concat(), "--least 1");
    refuses(&[&make[..], &["王嘉良", "--colour", "red", "--out", "red.ubb"]].concat(), "PGN or XQF");
    refuses(&[&make[..], &["王嘉良", "--colour", "red", "--out", "mine.pgn"]].concat(), "--force");
    refuses(&["show", "ending.pgn"], "no line begins in the start position");
    refuses(&["gaps", "missing.pgn"], "missing.pgn");
    refuses(&["check", "games.pgn", "--with", "red.pgn", "--player", "nobody"], "no game of this player");
    let shown = |words: &[&str]| {
        lines(&success(&folder.chuhe(&[&["repertoire", "show", "both.pgn", "--json"], words].concat())))
    };
    assert_eq!(shown(&[])[0]["colour"], "black", "as black has the last word in most lines");
    assert_eq!(shown(&["--colour", "red"])[0]["colour"], "red");
    folder.write("torn.pgn", "1. h2e2 h9g7 2. a0a9 *\n");
    let torn = folder.chuhe(&["repertoire", "show", "torn.pgn", "--colour", "red", "--json"]);
    assert_eq!(torn.status.code(), Some(1), "{}", stderr(&torn));
    assert_eq!(lines(&stdout(&torn))[0]["positions"].as_array().expect("positions").len(), 2, "what is sound counts");
}
