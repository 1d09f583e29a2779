//! The files of a review: a table, a PGN that can be read again, JSON; and an interrupted review.

use super::support::{GAME, complains, reviewed, says};
use crate::common::{Folder, stderr};
use unicode_width::UnicodeWidthStr;
use xiangqi_record::{NodeId, pgn};

#[test]
fn table_fits_a_hundred_columns_in_both_languages() {
    let folder = Folder::new();
    for (language, words) in
        [("zh", ["红方胜率", "准确率", "转折点", "应走"]), ("en", ["winning chance", "accuracy", "turned", "better:"])]
    {
        let text = says(&folder, &["review", GAME, "--nodes", "2000", "--threads", "1", "--lang", language]);
        for line in text.lines() {
            assert!(line.width() <= 100, "{} columns: {line}", line.width());
        }
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(text.contains("??") && text.contains('█') && !text.contains('\x1b'), "{text}");
    }
}

#[test]
fn pgn_in_gbk_has_the_line_ends_of_windows() {
    let folder = Folder::new();
    let arguments = ["review", GAME, "--nodes", "500", "--threads", "1", "--notation", "Chinese"];
    says(&folder, &[&arguments[..], &["--encoding", "gbk", "--pgn", "game.pgn"]].concat());
    let bytes = std::fs::read(folder.path("game.pgn")).expect("a file");
    assert!(bytes.starts_with(b"[Game \"Chinese Chess\"]\r\n"));
    assert!(bytes.windows(2).all(|pair| pair[1] != b'\n' || pair[0] == b'\r'));
    assert!(std::str::from_utf8(&bytes).is_err());
}

#[test]
fn pgn_is_readable_and_keeps_its_annotations() {
    let folder = Folder::new();
    let own = "[Red \"One {1}\"]\n[Black \"Two\"]\n[Annotator \"Somebody\"]\n\n{Before} 1. C2.5 {usual} (1. C8.5 {too}) h8+7 2. H2+3 1-0\n";
    std::fs::write(folder.path("game.pgn"), own).expect("a file");
    for (language, notation) in [("zh", "Chinese"), ("en", "ICCS")] {
        let name = format!("{language}.pgn");
        let fixed = ["review", "game.pgn", "--nodes", "1000", "--threads", "1"];
        says(&folder, &[&fixed[..], &["--lang", language, "--notation", notation, "--pgn", &name]].concat());
        let games = pgn::read(&folder.text(&name));
        let game = games.into_iter().next().expect("one game").expect("it can be read");
        let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2"]);
        assert_eq!((game.tag("Red"), game.tag("Black")), (Some("One {1}"), Some("Two")));
        assert!(game.tag("Annotator").is_some_and(|name| name.starts_with("Chuhe ") && name.ends_with(", Somebody")));
        assert_eq!(game[NodeId::ROOT].comment, "Before");
        let first = game.main_line_nodes().next().expect("a move");
        assert!(first.comment.starts_with("usual ") && first.comment.contains('%'), "{}", first.comment);
        assert!(game[NodeId::ROOT].children().len() >= 2, "the variation is still there");
    }
    says(&folder, &["review", GAME, "--nodes", "5000", "--threads", "1", "--lang", "en", "--pgn", "blunder.pgn"]);
    let game = pgn::read(&folder.text("blunder.pgn")).into_iter().next().expect("one").expect("it can be read");
    let last = game.main_line().nth(10).expect("the blunder");
    assert_eq!(game[last].marks.iter().map(ToString::to_string).collect::<Vec<_>>(), ["$4"]);
    let others = game[game[last].parent()].children();
    assert_eq!(others.len(), 2, "the better line is a variation");
    assert_eq!(game[others[1]].children().len(), 1, "of several moves");
}

#[test]
fn annotated_game_is_not_overwritten() {
    let folder = Folder::new();
    std::fs::write(folder.path("game.pgn"), "1. C2.5 *\n").expect("a file");
    let told = complains(&folder, &["review", "game.pgn", "--nodes", "100", "--pgn", "game.pgn"]);
    assert_eq!(told, "chuhe: game.pgn exists; use --force to overwrite it, or another name\n");
    assert_eq!(folder.text("game.pgn"), "1. C2.5 *\n");
    let told = complains(&folder, &["review", "game.pgn", "--game", "2"]);
    assert_eq!(told, "chuhe: game.pgn: there is no game 2: it holds 1\n");
    for (words, part) in [
        (["--nodes", "0"], "0"),
        (["--time-per-move", "-1"], "-1"),
        (["--lang", "xx"], "'xx' is no language"),
        (["--depth", "many"], "many"),
    ] {
        let told = complains(&folder, &[&["review", "game.pgn"], &words[..]].concat());
        assert!(told.starts_with("chuhe: ") && told.contains(part), "{told}");
    }
}

#[test]
fn json_numbers_are_in_bounds() {
    let review = reviewed(&Folder::new(), GAME, &["--nodes", "2000"]);
    assert_eq!(review["format"], 1);
    assert_eq!(review["complete"], true);
    let (moves, positions) =
        (review["moves"].as_array().expect("moves"), review["positions"].as_array().expect("positions"));
    assert_eq!((moves.len(), positions.len()), (13, 14));
    for (index, entry) in moves.iter().enumerate() {
        assert_eq!(entry["ply"], index + 1);
        let (before, after) = (&entry["before"]["chance"], &entry["after"]["chance"]);
        assert!(before == &positions[index]["chance"] && after == &positions[index + 1]["chance"], "{entry}");
        assert!(entry["loss"].as_f64().is_some_and(|loss| (0.0..=1.0).contains(&loss)), "{entry}");
    }
    for (side, count) in [("red", 7), ("black", 6)] {
        assert_eq!(review["sides"][side]["moves"], count);
        assert!(review["sides"][side]["accuracy"].as_f64().is_some_and(|value| (0.0..=100.0).contains(&value)));
    }
}

/// Waits until a program has installed its handler for Ctrl-C.
#[cfg(target_os = "linux")]
pub fn listens(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> 1 & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_writes_the_finished_part() {
    let folder = Folder::new();
    let words = ["review", GAME, "--depth", "200", "--threads", "1", "--json", "out.json", "--html", "out.html"];
    let child = folder.command(&words).stdout(std::process::Stdio::piped()).spawn().expect("chuhe runs");
    while !listens(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let review: serde_json::Value = serde_json::from_str(&folder.text("out.json")).expect("JSON");
    assert_eq!(review["complete"], false);
    assert_eq!(review["moves"].as_array().expect("moves").len(), 13);
    assert!(folder.text("out.html").ends_with("</html>\n"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Interrupted"));
}

#[test]
fn annotated_game_keeps_the_opening_that_the_file_names() {
    let folder = Folder::new();
    let moves = "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 *\n";
    for (tag, kept) in
        [("[Opening \"My own name\"]\n\n", true), ("[Opening \"?\"]\n\n", false), ("[Event \"E\"]\n\n", false)]
    {
        std::fs::write(folder.path("game.pgn"), format!("{tag}{moves}")).expect("a file");
        says(&folder, &["review", "game.pgn", "--nodes", "100", "--threads", "1", "--pgn", "out.pgn", "--force"]);
        let game = pgn::read(&folder.text("out.pgn")).into_iter().next().expect("one").expect("it can be read");
        let opening = game.tag("Opening").unwrap_or_default();
        assert_eq!((opening == "My own name", opening.len() > 1), (kept, true), "{tag}{opening}");
    }
}

#[test]
fn file_of_several_games_is_spoken_of() {
    let folder = Folder::new();
    folder.write("games.pgn", "1. h2e2 *\n\n1. b2e2 h9g7 *\n");
    let output = folder.chuhe(&["show", "games.pgn"]);
    assert!(output.status.success() && stderr(&output).contains("several games"), "{}", stderr(&output));
    assert!(stderr(&output).contains("--game N"), "{}", stderr(&output));
    for command in [&["review", "games.pgn", "--depth", "1"][..], &["show", "games.pgn"]] {
        assert_eq!(stderr(&folder.chuhe(&[command, &["--game", "2"]].concat())), "");
    }
    assert!(complains(&folder, &["show", "."]).contains(". is a folder: name a file of games in it"));
    let folder = Folder::new();
    assert!(complains(&folder, &["review", "."]).contains("no file of games in this folder"));
}

#[test]
fn names_that_the_program_wrote_are_in_the_language_of_the_reader() {
    let folder = Folder::new();
    folder.write("game.pgn", "[Red \"Player\"]\n[Black \"Chuhe 0.2.0, level 5\"]\n\n1. h2e2 *\n");
    let words = ["review", "game.pgn", "--nodes", "100", "--html", "page.html", "--lang"];
    let chinese = says(&folder, &[&words[..], &["zh"]].concat());
    assert!(chinese.starts_with("红方 棋手 – 黑方 楚河 0.2.0，5 级  *\n"), "{chinese}");
    assert!(folder.text("page.html").contains("楚河 0.2.0，5 级"));
    let english = says(&folder, &[&words[..], &["en"]].concat());
    // XQF has no room for the version.
    folder.write("short.pgn", "[Red \"Player\"]\n[Black \"Chuhe level 5\"]\n\n1. h2e2 *\n");
    let words = ["review", "short.pgn", "--nodes", "50", "--threads", "1", "--lang", "zh"];
    let short = says(&folder, &words);
    assert!(short.contains("楚河，5 级") && !short.contains("level"), "{short}");
    assert!(english.starts_with("Red Player – Black Chuhe 0.2.0, level 5  *\n"), "{english}");
}
