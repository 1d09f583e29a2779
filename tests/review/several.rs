//! Reviews of many games: files and folders, parts of them, one person's; what cannot be read.

use super::page::is_well_formed;
use super::support::{complains, says};
use crate::common::{Folder, answered, refusal, stderr, stdout, success};
use serde_json::Value;
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

pub const GAMES: &str = "[Red \"Li\"]\n[Black \"Wang Jialiang\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n\n\
    [Red \"王嘉良\"]\n[Black \"Li\"]\n\n1. b2e2 *\n\n[Red \"Zhao\"]\n\n1. h2d2 a9a8 2. h0g2 *\n";

pub fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["review", "games.pgn", "--nodes", "200", "--threads", "1", "--hash", "1"], more].concat()
}

pub fn reviews(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The file and the number of each game.
fn places(text: &str) -> Vec<(String, u64)> {
    let place = |review: &Value| Some((review["file"].as_str()?.to_string(), review["game"].as_u64()?));
    reviews(text).iter().map(|review| place(review).expect("a place")).collect()
}

fn numbers(text: &str) -> Vec<u64> {
    places(text).into_iter().map(|(_, number)| number).collect()
}

#[test]
fn several_games_are_reviewed_as_one_would_be() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let all = says(&folder, &words(&["--json", "-"]));
    assert_eq!(numbers(&all), [1, 2, 3]);
    for (mut review, number) in reviews(&all).into_iter().zip(["1", "2", "3"]) {
        let alone = reviews(&says(&folder, &words(&["--game", number, "--json", "-"]))).remove(0);
        let fields = review.as_object_mut().expect("an object");
        assert!(fields.remove("game").is_some() && fields.remove("file").is_some());
        assert_eq!(review, alone);
    }
    let at_once = ["review", "games.pgn", "--nodes", "200", "--threads", "3", "--hash", "1", "--json", "-"];
    assert_eq!(says(&folder, &at_once), all, "the order is that of the file, whatever is ready first");
    assert_eq!(numbers(&says(&folder, &words(&["--game", "2..3", "--json", "-"]))), [2, 3]);
    let text = says(&folder, &words(&["--game", "1..2", "--pgn", "out.pgn", "--json", "out.jsonl", "--lang", "en"]));
    assert!(text.starts_with("games: 2; red wins 1") && text.ends_with("out.jsonl\n"), "{text}");
    assert_eq!(folder.text("out.pgn").matches("[Annotator \"Chuhe").count(), 2);
    assert_eq!(numbers(&folder.text("out.jsonl")), [1, 2]);
}

#[test]
fn files_and_folders_are_read_in_the_order_of_their_names() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    std::fs::create_dir_all(folder.path("pupils/b")).expect("folders");
    folder.write("pupils/b/two.pgn", GAMES);
    folder.write("pupils/a.txt", "startpos moves h2e2");
    folder.write("pupils/notes.doc", "none");
    let fixed = ["--nodes", "50", "--threads", "2", "--json", "-"];
    let found = places(&says(&folder, &[&["review", "pupils", "games.pgn"], &fixed[..]].concat()));
    let shown = |parts: &[&str], number| (parts.iter().collect::<PathBuf>().display().to_string(), number);
    let two = |number| shown(&["pupils", "b", "two.pgn"], number);
    let wanted = [shown(&["pupils", "a.txt"], 1), two(1), two(2), two(3)];
    assert_eq!(found[..4], wanted);
    assert_eq!(found.len(), 7);
    let piped = answered(&mut folder.command(&[&["review", "-"], &fixed[..]].concat()), GAMES.as_bytes());
    assert_eq!(numbers(&success(&piped)), [1, 2, 3]);
}

#[test]
fn shards_review_each_game_once() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let part = |shard| numbers(&says(&folder, &words(&["--shard", shard, "--json", "-"])));
    assert_eq!((part("1/2"), part("2/2")), (vec![1, 3], vec![2]));
    folder.write("games2.pgn", GAMES);
    let part = |shard| {
        let both = ["review", "games.pgn", "games2.pgn", "--nodes", "50", "--threads", "1", "--json", "-"];
        numbers(&says(&folder, &[&both[..], &["--shard", shard]].concat()))
    };
    assert_eq!((part("1/2"), part("2/2")), (vec![1, 3, 2], vec![2, 1, 3]), "games are counted over all files");
}

#[test]
fn faults_of_one_game_do_not_keep_the_others_from_a_review() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES.replace("[Red \"王嘉良\"]", "[FEN \"rubbish\"]"));
    let output = folder.chuhe(&words(&["--json", "-"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("game 2"), "{}", stderr(&output));
    let told = reviews(&stdout(&output));
    assert_eq!(numbers(&stdout(&output)), [1, 2, 3]);
    assert!(told[1]["error"].as_str().is_some_and(|error| error.starts_with("game 2")), "{}", told[1]);
    // A file without games is named as well.
    folder.write("empty.pgn", "");
    let output = folder.chuhe(&["review", "empty.pgn", "missing.pgn", "games.pgn", "--nodes", "50", "--json", "-"]);
    assert_eq!((output.status.code(), numbers(&stdout(&output)).len()), (Some(1), 3));
    assert!(["empty.pgn", "missing.pgn"].iter().all(|file| stderr(&output).contains(file)), "{}", stderr(&output));
    let output = folder.chuhe(&["review", "empty.pgn", "missing.pgn", "--nodes", "50"]);
    assert_eq!(output.status.code(), Some(2), "nothing could be read");
}

#[test]
fn games_of_a_person_are_chosen_by_any_of_the_names() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let of = |names: &[&str]| {
        let options: Vec<&str> = names.iter().flat_map(|name| ["--player", name]).collect();
        folder.chuhe(&words(&[&options[..], &["--lang", "en"]].concat()))
    };
    let text = success(&of(&["王嘉良", "wang jialiang"]));
    assert!(
        text.starts_with("王嘉良 / wang jialiang, games: 2; wins 0, draws 0, losses 1, 0% of the points"),
        "{text}"
    );
    assert!(!text.contains("--player NAME") && !text.contains("\nLi "), "{text}");
    assert!(success(&of(&["Zhao"])).starts_with("Zhao, games: 1"));
    let told = refusal(&of(&["Hu Ronghua"]));
    assert_eq!(told, "chuhe: no game of Hu Ronghua; names that recur: Li (2)\n");
    assert!(refusal(&of(&["…"])).contains("--player: expected a name"));
    let text = says(&folder, &words(&["--lang", "en"]));
    let row: Vec<&str> = text.lines().find(|line| line.starts_with("Li ")).expect("a row").split_whitespace().collect();
    assert_eq!(row[..5], ["Li", "2", "1", "0", "0"], "the name that recurs");
    assert!(text.contains("--player NAME") && !text.contains("\nZhao "), "{text}");
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
