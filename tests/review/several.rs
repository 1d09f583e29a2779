//! Reviews of many games: each as it would be alone, their summary and their page. `transcripts::review` has the rest.

use super::page::is_well_formed;
use super::support::{complains, says};
use crate::common::Folder;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

const GAMES: &str = "[Red \"Li\"]\n[Black \"Wang Jialiang\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n\n\
    [Red \"王嘉良\"]\n[Black \"Li\"]\n\n1. b2e2 *\n\n[Red \"Zhao\"]\n\n1. h2d2 a9a8 2. h0g2 *\n";

fn reviews(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn several_games_are_reviewed_as_one_would_be() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let words = ["review", "games.pgn", "--nodes", "200", "--threads", "1", "--hash", "1", "--json", "-"];
    for (mut review, number) in reviews(&says(&folder, &words)).into_iter().zip(["1", "2", "3"]) {
        let alone = reviews(&says(&folder, &[&words[..], &["--game", number]].concat())).remove(0);
        let fields = review.as_object_mut().expect("an object");
        assert!(fields.remove("game").is_some() && fields.remove("file").is_some());
        assert_eq!(review, alone);
    }
}

/// A game in which red leaves a rook en prise with the sixth move.
const BLUNDER: &str = "[Red \"One\"]\n[Black \"Two\"]\n[Result \"0-1\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 \
    4. g3g4 c6c5 5. b0c2 c9e7 6. a0b0 b7b0 7. c2b0 0-1\n\n";

#[test]
fn summary_names_the_costliest_mistakes_and_fits() {
    let folder = Folder::new();
    folder.write("games.pgn", format!("{GAMES}\n{BLUNDER}"));
    let fixed = ["review", "games.pgn", "--nodes", "5000", "--threads", "2", "--lang"];
    for (language, parts) in [
        (
            "en",
            [
                "games: 4; red wins 1, draws 0, black wins 1",
                "The costliest mistakes",
                "game 4       6. R9.8??  One",
                "better:",
            ],
        ),
        ("zh", ["4 盘：红胜 1，和 0，黑胜 1", "损失最大的失误", "第 4 盘      6. 车九平八??  One", "应走"]),
    ] {
        let text = says(&folder, &[&fixed[..], &[language]].concat());
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(text.lines().all(|line| line.width() <= 100), "{text}");
    }
}

#[test]
fn page_of_games_lists_and_holds_them_all() {
    let folder = Folder::new();
    let named = GAMES.replace("Zhao", "</script><b>\\\"&");
    folder.write("games.pgn", format!("{named}\n{BLUNDER}"));
    let fixed = ["review", "games.pgn", "--nodes", "3000", "--threads", "2", "--html", "page.html", "--lang", "en"];
    assert!(says(&folder, &fixed).ends_with("written: page.html\n"));
    let page = folder.text("page.html");
    is_well_formed(&page).expect("well formed");
    assert_eq!((page.matches("<tr data-game=").count(), page.matches("</script>").count()), (4, 1));
    let begin = page.find("const GAMES = ").expect("the games") + "const GAMES = ".len();
    let end = begin + page[begin..].find(";\n").expect("their end");
    let games: Vec<Value> = serde_json::from_str(&page[begin..end]).expect("JSON");
    assert_eq!(games.len(), 4);
    assert_eq!((&games[3]["k"][10], games[3]["c"].as_array().map(Vec::len)), (&"??".into(), Some(13)));
    assert!(games[3]["t"][10].as_str().is_some_and(|note| note.contains("better:")), "{}", games[3]["t"][10]);
    assert!(page.contains("<button type=\"button\" data-game=\"3\" data-ply=\"10\">"), "the mistake can be opened");
    for foreign in ["https://", "src=", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // The page of another command is not overwritten, its own is.
    says(&folder, &fixed);
    folder.write("page.html", "mine");
    assert!(complains(&folder, &fixed).contains("page.html exists"));
}
