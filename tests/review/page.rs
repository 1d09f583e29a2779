//! The page of a review, as a file; `tests/browser` tests it in a browser.

use super::support::{GAME, complains, says};
use crate::common::Folder;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// A page without the words of its pictures: pieces have Chinese names.
fn without_drawings(page: &str) -> String {
    page.split("<text").map(|part| part.split_once("</text>").map_or(part, |(_, behind)| behind)).collect()
}

/// Checks the tags of a page: each one that is opened is closed again, in order.
pub fn is_well_formed(page: &str) -> Result<usize, String> {
    const VOID: [&str; 3] = ["meta", "br", "link"];
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = page;
    while let Some(begin) = rest.find('<') {
        rest = &rest[begin + 1..];
        let end = rest.find('>').ok_or("a tag without an end")?;
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        count += 1;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop().unwrap_or_default();
            if opened != name {
                return Err(format!("</{name}> where <{opened}> is open"));
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if !tag.matches('"').count().is_multiple_of(2) {
            return Err(format!("<{tag}> has an open quotation mark"));
        }
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        if matches!(name, "script" | "style") {
            let close = format!("</{name}>");
            rest = &rest[rest.find(&close).ok_or("a script without an end")?..];
        }
    }
    if open.is_empty() { Ok(count) } else { Err(format!("{open:?} stay open")) }
}

#[test]
fn page_is_well_formed_in_one_language_and_self_contained() {
    let folder = Folder::new();
    says(&folder, &["review", GAME, "--nodes", "3000", "--threads", "1", "--lang", "zh", "--html", "a.html"]);
    let page = folder.text("a.html");
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"zh\">"));
    assert!(is_well_formed(&page).expect("well formed") > 300);
    for word in ["炮二平五", "准确率", "转折点", "红方"] {
        assert!(page.contains(word), "{word}");
    }
    for word in ["C2.5", ">accuracy<", "better:", ">Red<"] {
        assert!(!page.contains(word), "{word}");
    }
    says(&folder, &["review", GAME, "--nodes", "3000", "--threads", "1", "--lang", "en", "--html", "en.html"]);
    let english = folder.text("en.html");
    assert!(["C2.5", "accuracy", "Red"].iter().all(|word| english.contains(word)));
    let is_chinese = |letter: char| ('\u{4e00}'..'\u{a000}').contains(&letter);
    let style = english.find("</head>").expect("a head");
    let chinese: Vec<char> = without_drawings(&english[style..]).chars().filter(|&letter| is_chinese(letter)).collect();
    assert!(chinese.is_empty(), "{chinese:?}");
    assert_eq!(page.matches("class=\"move").count(), 13 + 1, "the moves, and their list");
    for foreign in ["http://", "https://", "src=", "@import", "url("] {
        let own = match foreign {
            "http://" => page.matches("http://www.w3.org/2000/svg").count(),
            "url(" => page.matches("url(#").count(),
            _ => 0,
        };
        assert_eq!(page.matches(foreign).count(), own, "{foreign}");
    }
    let begin = page.find("const GAME = ").expect("the lines") + "const GAME = ".len();
    let end = begin + page[begin..].find(";\n").expect("their end");
    let game: serde_json::Value = serde_json::from_str(&page[begin..end]).expect("JSON");
    assert_eq!(game["lines"][0]["moves"].as_array().expect("moves").len(), 13);
    assert_eq!(game["bad"].as_array().expect("a list"), &[11]);
    let offered = page.matches("<button class=\"step\"").count();
    let steps: usize = game["lines"].as_array().expect("lines")[1..]
        .iter()
        .map(|line| line["moves"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(offered, steps, "every move of every line can be clicked");
}

#[test]
fn page_escapes_the_texts_of_a_game() {
    let folder = Folder::new();
    let game = "[Red \"</script><b>\\\"&\"]\n[Event \"<u>\"]\n\n1. C2.5 {</script><img src=x>} h8+7 *\n";
    std::fs::write(folder.path("game.pgn"), game).expect("a file");
    says(&folder, &["review", "game.pgn", "--nodes", "500", "--threads", "1", "--lang", "en", "--html", "a.html"]);
    let page = folder.text("a.html");
    is_well_formed(&page).expect("well formed");
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(page.contains("&lt;/script&gt;&lt;b&gt;&quot;&amp;") && page.contains("&lt;img src=x&gt;"));
    assert!(!page.contains("<img") && !page.contains("<u>"));
    assert!(page.contains("&lt;u&gt;"), "the event is told");
}

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
