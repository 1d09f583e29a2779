//! `chuhe board` as a process: it prints its address, saves the game as `chuhe play` does, and exits on request.
#![cfg(unix)]

use super::client::{Page, exchange, status};
use crate::common::Folder;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The running program, its port and its token.
pub struct Board(pub Child, pub u16, pub String);

impl Board {
    pub fn begin(folder: &Folder, words: &[&str]) -> Board {
        let words = [&["board", "--no-open"], words].concat();
        Board::start(folder.command(&words).env("XDG_STATE_HOME", folder.path("state")))
    }

    fn start(command: &mut Command) -> Board {
        Board::try_start(command).expect("an address")
    }

    /// The same; `None` if the program has ended without telling its address.
    pub fn try_start(command: &mut Command) -> Option<Board> {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("chuhe runs");
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut address).expect("a line");
        let told = address.trim().strip_prefix("http://127.0.0.1:").and_then(|address| address.split_once("/#"));
        let Some((port, token)) = told else {
            child.wait().expect("an end");
            return None;
        };
        Some(Board(child, port.parse().expect("a port"), token.to_string()))
    }

    pub fn end(mut self) {
        kill_process(Pid::from_child(&self.0), Signal::INT).expect("a signal");
        assert!(self.0.wait().expect("an end").success());
    }
}

#[test]
fn game_is_saved_when_the_program_ends() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    assert_eq!(status(&page_in(board.1, "")), 200);
    let page = Page::open(board.1, &board.2);
    page.begin("both", "cxa");
    page.play("h2e2");
    board.end();
    let kept = folder.text("state/chuhe/unfinished.pgn");
    assert!(kept.contains("[Rules \"cxa\"]") && kept.contains("H2-E2"), "{kept}");

    let board = Board::begin(&folder, &[]);
    let page = Page { port: board.1, token: board.2.clone(), id: String::new() };
    let welcome = page.ask("/open", "{\"page\":null}");
    assert_eq!(welcome["unfinished"]["moves"], 1, "{welcome}");
    let page = Page { id: welcome["page"].as_str().expect("a page").into(), ..page };
    page.request("{\"type\":\"resume-game\"}");
    let events = page.events();
    assert_eq!((&events["game"]["moves"][0], &events["game"]["rules"]), (&"h2e2".into(), &"cxa".into()));
    board.end();
}

#[test]
fn program_ends_with_its_last_page_on_request() {
    let folder = Folder::new();
    let mut board = Board::begin(&folder, &["--quit-with-page", "startpos moves h2e2"]);
    let page = Page::open(board.1, &board.2);
    assert!(board.0.try_wait().expect("a child").is_none());
    page.request("{\"type\":\"leave\"}");
    assert!(board.0.wait().expect("an end").success());
}

#[test]
fn browser_is_started_with_a_private_file_and_not_with_the_key() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let script = "#!/bin/sh\necho \"$@\" > arguments.tmp; cp \"$1\" page.html; stat -c %a \"$1\" > mode; mv arguments.tmp arguments\n";
    let opener = folder.write("xdg-open", script);
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:{}", folder.root().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = folder.command(&["board"]);
    command.env("PATH", path).env("DISPLAY", ":99").env_remove("WSL_DISTRO_NAME");
    let board = Board::start(command.env("XDG_STATE_HOME", folder.path("state")));
    while !folder.path("arguments").exists() {
        std::thread::yield_now();
    }
    let arguments = folder.text("arguments");
    assert!(
        !arguments.contains("once-") && !arguments.contains("http") && !arguments.contains(&board.2),
        "{arguments}"
    );
    assert_eq!(folder.text("mode").trim(), "600");
    let page = folder.text("page.html");
    let key = page.split_once(&format!("http://127.0.0.1:{}/#", board.1)).expect("an address").1;
    let key = &key[..key.find('"').expect("the end of the address")];
    let visitor = Page { port: board.1, token: key.to_string(), id: String::new() };
    assert_eq!(visitor.ask("/token", "{}")["token"], board.2.as_str());
    // The file goes when the key has been used.
    let file = arguments.trim().to_string();
    while std::path::Path::new(&file).exists() {
        std::thread::yield_now();
    }
    board.end();
}

#[test]
fn program_remembers_what_the_page_is_told() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    page.request("{\"type\":\"set-setting\",\"name\":\"language\",\"value\":\"zh\"}");
    page.request("{\"type\":\"set-setting\",\"name\":\"theme\",\"value\":\"dark\"}");
    page.request(&json!({ "type": "save-analysis", "tree": tree("kept") }).to_string());
    let again = page.open_again();
    assert_eq!(again["analysed_game"]["nodes"][1]["comment"], "kept", "{again}");
    board.end();

    let board = Board::begin(&folder, &[]);
    let html = page_in(board.1, "");
    assert!(html.contains("<html data-theme=\"dark\" data-settings='{"), "{}", &html[..900]);
    let page = Page { port: board.1, token: board.2.clone(), id: String::new() };
    let welcome = page.ask("/open", "{\"page\":null}");
    assert_eq!(welcome["analysed_game"]["nodes"][1]["move"], "h2e2", "{welcome}");
    assert!(welcome["analysed_game"]["nodes"][1]["name"].is_string(), "{welcome}");
    assert!(page.ask("/open", "{\"page\":null}")["analysed_game"].is_null(), "a second page begins anew");
    board.end();
}

#[test]
fn board_without_a_home_says_so() {
    let folder = Folder::new();
    let mut command = folder.command(&["board", "--no-open"]);
    let board = Board::start(command.env_remove("HOME").env_remove("XDG_STATE_HOME"));
    let page = Page { port: board.1, token: board.2.clone(), id: String::new() };
    let welcome = page.ask("/open", "{\"page\":null}");
    assert!(welcome["storage_notes"][0].as_str().is_some_and(|text| text.contains("HOME is not set")), "{welcome}");
    board.end();
}

#[test]
fn second_board_saves_its_game_when_the_first_has_ended() {
    let folder = Folder::new();
    let (first, second) = (Board::begin(&folder, &[]), Board::begin(&folder, &[]));
    let page = Page::open(first.1, &first.2);
    page.begin("both", "asian");
    page.play("h2e2");
    let other = Page::open(second.1, &second.2);
    other.begin("both", "asian");
    other.play("g3g4");
    assert!(folder.text("state/chuhe/unfinished.pgn").contains("H2-E2"));
    first.end();
    other.play("g6g5");
    assert!(folder.text("state/chuhe/unfinished.pgn").contains("G3-G4"));
    assert_eq!(other.request("{\"type\":\"list-games\",\"from\":0,\"count\":9}")["games"][0]["last"], "h2e2");
    second.end();
}

/// Whether the page may change games and exercises; otherwise why not.
fn changes(page: &Page) -> Result<(), String> {
    let told = |answer: Value| answer["error"].as_str().map_or(Ok(()), |why| Err(why.to_string()));
    told(page.request("{\"type\":\"restore-games\"}"))?;
    let head = BASE64.encode("{\"chuhe\":\"train\",\"format\":1,\"device\":1}\n");
    told(page.request(&json!({ "type": "train", "do": "import", "bytes": head }).to_string()))
}

#[test]
fn second_board_changes_games_and_exercises_when_the_first_has_ended() {
    let folder = Folder::new();
    let (first, second) = (Board::begin(&folder, &[]), Board::begin(&folder, &[]));
    Page::open(first.1, &first.2);
    let page = Page::open(second.1, &second.2);
    let why = changes(&page).expect_err("the first one keeps them");
    assert!(why.contains("Another program"), "{why}");
    first.end();
    assert_eq!(changes(&page), Ok(()));
    second.end();
}

#[test]
fn folder_that_cannot_be_written_is_not_called_in_use() {
    let folder = Folder::new();
    let lock = folder.path("state/chuhe/lock");
    std::fs::create_dir_all(&lock).expect("a folder");
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let why = changes(&page).expect_err("nothing can be kept");
    assert!(why.contains("lock") && !why.contains("Another program"), "{why}");
    // Once it can be written, it is.
    std::fs::remove_dir(&lock).expect("a folder");
    assert_eq!(changes(&page), Ok(()));
    board.end();
}

/// A game of one move, with this comment.
fn tree(comment: &str) -> Value {
    let node = |mv, comment, marks| json!({ "parent": 0, "move": mv, "comment": comment, "marks": marks });
    let nodes = [node("", "", json!([])), node("h2e2", comment, json!([1]))];
    json!({ "start": xiangqi::fen::START_FEN, "tags": [["Red", "甲"]], "result": "*", "nodes": nodes })
}

/// The page as a browser with this header gets it.
fn page_in(port: u16, languages: &str) -> String {
    exchange(port, format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{languages}\r\n").as_bytes())
}

#[test]
fn page_speaks_the_language_that_is_wanted() {
    let folder = Folder::new();
    let is_chinese = |page: &str| page.contains("lang=\"zh\"><head>");
    let board = Board::begin(&folder, &[]);
    assert!(!is_chinese(&page_in(board.1, "")));
    assert!(is_chinese(&page_in(board.1, "Accept-Language: zh-CN,zh;q=0.9,en;q=0.8\r\n")));
    assert!(!is_chinese(&page_in(board.1, "Accept-Language: en-GB,en;q=0.9,zh;q=0.8\r\n")));
    assert!(is_chinese(&page_in(board.1, "Accept-Language: fr, zh;q=0.5, en;q=0.3\r\n")));
    board.end();
    // Without a terminal, as when it is started from a desktop.
    let mut command = folder.command(&["board", "--no-open"]);
    let board = Board::start(command.env("XDG_STATE_HOME", folder.path("state")).env("LC_ALL", "zh_CN.UTF-8"));
    assert!(is_chinese(&page_in(board.1, "")));
    board.end();
    // What is asked for on the command line counts more.
    let mut command = folder.command(&["--lang", "en", "board", "--no-open"]);
    let board = Board::start(command.env("XDG_STATE_HOME", folder.path("state")));
    assert!(!is_chinese(&page_in(board.1, "Accept-Language: zh-CN\r\n")));
    board.end();
}

#[test]
fn game_of_a_page_that_was_closed_is_offered_at_once() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    page.begin("both", "asian");
    page.play("h2e2");
    assert!(page.ask("/open", "{\"page\":null}")["unfinished"].is_null(), "it is being played");
    page.request("{\"type\":\"leave\"}");
    let next = Page::open(board.1, &board.2);
    let welcome = next.open_again();
    assert_eq!(welcome["unfinished"]["moves"], 1, "{welcome}");
    next.request("{\"type\":\"resume-game\"}");
    next.play("h9g7");
    assert!(folder.text("state/chuhe/unfinished.pgn").contains("H9-G7"));
    assert_eq!(next.request("{\"type\":\"list-games\",\"from\":0,\"count\":9}")["total"], 0, "it is one game");
    board.end();
}

#[test]
fn games_are_put_into_a_list_renamed_saved_and_deleted() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let ask = |page: &Page, name: &str, mut fields: Value| {
        fields["type"] = name.into();
        page.request(&fields.to_string())
    };
    let kept = ask(&page, "keep-game", json!({ "tree": tree("one") }));
    ask(&page, "keep-game", json!({ "tree": tree("two") }));
    let changed = ask(&page, "replace-game", json!({ "tree": tree("changed"), "id": kept["ids"][0] }));
    assert_eq!(changed, kept, "its own place");
    board.end();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let list = |fields: Value| ask(&page, "list-games", fields);
    let all = list(json!({ "from": 0, "count": 50 }));
    assert_eq!(
        (&all["total"], &all["games"][1]["red"], &all["games"][1]["moves"]),
        (&2.into(), &"甲".into(), &1.into())
    );
    let id = all["games"][1]["id"].clone();
    assert_eq!(id, kept["ids"][0]);
    let taken = ask(&page, "open-game", json!({ "id": id }));
    let node = &taken["tree"]["nodes"][1];
    assert_eq!((&node["comment"], &node["name"]), (&"changed".into(), &"C2.5".into()));
    ask(&page, "rename-game", json!({ "id": id, "name": "名局" }));
    assert_eq!(list(json!({ "search": "名局", "from": 0, "count": 9 }))["found"], 1);
    let ids = ask(&page, "game-ids", json!({ "source": "kept" }))["ids"].clone();
    assert_eq!(ids.as_array().map(Vec::len), Some(2));
    for (format, name) in [("pgn", "chuhe-games.pgn"), ("xqf", "chuhe-games.zip"), ("ubb", "chuhe-games.ubb")] {
        let file = ask(&page, "export-games", json!({ "ids": ids, "format": format }));
        let bytes = BASE64.decode(file["bytes"].as_str().expect("bytes")).expect("base64");
        assert_eq!((file["name"].as_str(), bytes.is_empty()), (Some(name), false));
    }
    assert_eq!(ask(&page, "export-games", json!({ "ids": [id], "format": "xqf" }))["name"], "名局.xqf");
    // Each game is written once, however often it is named.
    let often: Vec<&Value> = std::iter::repeat_n(&id, 25_000).collect();
    let size = |ids: Value| {
        let file = ask(&page, "export-games", json!({ "ids": ids, "format": "pgn" }));
        file["bytes"].as_str().map_or_else(|| panic!("{file}"), str::len)
    };
    assert_eq!(size(json!(often)), size(json!([id])));
    // No name is that of a device of Windows, whatever a game is called.
    for name in ["CON", "nul.2026", "com1 .x", "LPT¹"] {
        ask(&page, "rename-game", json!({ "id": id, "name": name }));
        let file = ask(&page, "export-games", json!({ "ids": [id], "format": "pgn" }));
        assert_eq!(file["name"], format!("game-{name}.pgn"));
    }
    assert_eq!(ask(&page, "delete-games", json!({ "ids": ids }))["count"], 2);
    assert_eq!(list(json!({ "from": 0, "count": 50 }))["games"], json!([]));
    assert_eq!(ask(&page, "restore-games", json!({}))["count"], 2);
    for id in ["", "../unfinished", "00000000000000000"] {
        let told = ask(&page, "open-game", json!({ "id": id }));
        assert!(told["error"].is_string(), "{id}: {told}");
        assert_eq!(ask(&page, "delete-games", json!({ "ids": [id] }))["count"], 0);
    }
    board.end();
}

#[test]
fn record_of_two_people_that_is_opened_can_be_analysed() {
    let folder = Folder::new();
    folder.write("club.pgn", "[Mode \"OTB\"]\n[Red \"a\"]\n\n1. H2-E2 *\n");
    let board = Board::begin(&folder, &["club.pgn"]);
    let page = Page::open(board.1, &board.2);
    assert_eq!(page.events()["game"]["two"], Value::Null);
    let facts = json!({ "type": "position-facts", "start": xiangqi::fen::START_FEN, "moves": [], "rules": "asian" });
    assert!(page.request(&facts.to_string())["legal"].is_array());
    assert_eq!(page.request("{\"type\":\"list-games\",\"from\":0,\"count\":9}")["games"][0]["red"], "a");
    board.end();
}

#[test]
fn finished_games_and_games_of_files_are_in_the_list_without_a_click() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let game = json!({ "type": "new-game", "seat": "red", "strength": "level 2", "rules": "cxa", "clock": "300+5",
        "position": "4k4/9/9/9/9/9/9/R8/1R7/3K5 w" });
    page.request(&game.to_string());
    page.play("b1b9");
    page.stream().until(|events| events["game"]["moves"].as_array().is_some_and(|moves| moves.len() == 2));
    page.request("{\"type\":\"resign\"}");
    let played = page.request("{\"type\":\"played-game\"}");
    let tag = |name: &str| {
        let tags = played["tree"]["tags"].as_array().expect("tags");
        tags.iter().find(|tag| tag[0] == name).map(|tag| tag[1].as_str().unwrap_or_default().to_string())
    };
    for (name, value) in [("Red", "Player"), ("Rules", "cxa"), ("TimeControl", "300+5"), ("Strength", "level 2")] {
        assert_eq!(tag(name).as_deref(), Some(value), "{name}");
    }
    assert!(tag("Date").is_some() && tag("Black").is_some_and(|name| name.starts_with("Chuhe")), "{played}");
    assert_eq!(played["tree"]["result"], "0-1");
    // A file of many games.
    let pgn: String = (0..510).map(|number| format!("[Red \"r{number}\"]\n\n1. H2-E2 1-0\n\n")).collect();
    let file = json!({ "type": "read-file", "name": "many.pgn", "bytes": BASE64.encode(pgn) });
    assert_eq!(page.request(&file.to_string())["ids"].as_array().map(Vec::len), Some(510));
    // A second page plays, too, and what it plays is kept.
    let other = Page::open(board.1, &board.2);
    other.begin("both", "asian");
    other.play("h2e2");
    assert_eq!(other.events()["game"]["saved"], true);
    // A running game that another one replaces is in the list.
    other.begin("both", "asian");
    board.end();

    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let list = |filter: &str| page.request(&format!("{{\"type\":\"list-games\",{filter}\"from\":0,\"count\":50}}"));
    assert_eq!(list("")["total"], 512);
    let played_games = list("\"source\":\"played\",");
    assert_eq!((&played_games["found"], &played_games["games"][0]["result"]), (&2.into(), &"*".into()));
    let row = &played_games["games"][1];
    assert_eq!((&row["id"], &row["result"], &row["level"]), (&played["id"], &"0-1".into(), &"level 2".into()));
    let opened = list("\"search\":\"many.pgn\",");
    assert_eq!((&opened["found"], &opened["games"][0]["red"]), (&510.into(), &"r0".into()));
    board.end();
}

#[cfg(target_os = "linux")]
#[test]
fn game_that_does_not_fit_on_the_disk_is_reported_and_kept_with_the_next_move() {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    page.begin("both", "asian");
    let play = |mv: &str| {
        page.play(mv);
        page.events()["game"]["message"].as_str().unwrap_or_default().to_string()
    };
    let usual = getrlimit(Resource::Fsize);
    let limit = |current: Option<u64>| {
        prlimit(Some(Pid::from_child(&board.0)), Resource::Fsize, Rlimit { current, ..usual }).expect("a limit");
    };
    assert_eq!(play("h2e2"), "");
    let before = folder.text("state/chuhe/unfinished.pgn");
    // As a full disk: files end in the middle of the game.
    limit(Some(before.len() as u64 / 2));
    let said = play("h9g7");
    assert!(said.starts_with("The game could not be saved: ") && said.contains("unfinished.pgn"), "{said}");
    assert_eq!(folder.text("state/chuhe/unfinished.pgn"), before);
    limit(usual.current);
    assert_eq!(play("h0g2"), "");
    let after = folder.text("state/chuhe/unfinished.pgn");
    assert!(after.contains("H2-E2 H9-G7 2. H0-G2"), "{after}");
    board.end();
    let left = std::fs::read_dir(folder.path("state/chuhe")).expect("a folder").flatten();
    assert_eq!(left.filter(|entry| entry.file_name().to_string_lossy().contains(".part")).count(), 0);
}
