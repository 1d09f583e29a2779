//! A board on a folder of its own, and its pages by what they may do: for the test of all kinds of requests.

use crate::inline_board::Files;
use base64::prelude::*;
use chuhe_app::access::Access;
use chuhe_app::context::AppContext;
use chuhe_app::preferences::Preferences;
use chuhe_app::save_store::SaveStore;
use chuhe_board::requests::Reply;
use chuhe_board::sessions::Sessions;
use chuhe_study::game::saved_games::SavedGames;
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// Longer than anything takes that is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with these files.
pub fn written(files: &Files) -> Folder {
    let folder = Folder::new();
    for (name, bytes) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("written");
    }
    folder
}

/// The files of a folder, but those that only lock it.
pub fn files_of(root: &Path) -> Files {
    let (mut files, mut folders) = (Files::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|end| end != "lock") {
                let name = path.strip_prefix(root).expect("within").to_string_lossy().into_owned();
                files.insert(name, fs::read(path).expect("a file"));
            }
        }
    }
    files
}

/// A board that was used before: games, cards, openings, a folder, a review, settings, an unfinished game.
pub struct Board {
    pub sessions: Sessions,
    folder: Folder,
}

impl Board {
    fn open(folder: Folder) -> Board {
        let root = folder.root().to_path_buf();
        let store = SaveStore::of(SavedGames::open_at(root.clone()).expect("nobody else has it"));
        let preferences = Arc::new(Preferences::open_at(Some(root)));
        Board { sessions: Sessions::new(AppContext { preferences, ..AppContext::new("test", store) }), folder }
    }

    /// Another board like that which was used.
    pub fn used() -> Board {
        static FILES: OnceLock<Files> = OnceLock::new();
        Board::open(written(FILES.get_or_init(use_a_board)))
    }

    pub fn page(&self, access: Access) -> Page<'_> {
        let hello = answer(&self.sessions, access, "/open", &json!({ "page": null })).expect("it opens");
        let id = hello["page"].as_str().unwrap_or_else(|| panic!("{access:?}: {hello}")).to_string();
        Page { board: self, access, id }
    }

    /// All that is kept.
    pub fn files(&self) -> Files {
        files_of(self.folder.root())
    }

    /// Waits until nothing runs any more.
    pub fn settle(&self, owner: &Page) {
        let began = Instant::now();
        let queue = || owner.ask("train today", json!({ "offset": 0 }))["queue"].take();
        let waits =
            |queue: Value| queue["games"] != queue["done"] && queue["paused"] == false && queue["waits"] == false;
        while waits(queue()) || self.sessions.is_searching() {
            assert!(began.elapsed() < PATIENCE, "it does not end: {}, {}", queue(), self.sessions.is_searching());
            sleep(Duration::from_millis(2));
        }
    }
}

/// Makes what a board has that was used for a while.
fn use_a_board() -> Files {
    let board = Board::open(Folder::new());
    let page = board.page(Access::Owner);
    let games =
        [pgn("甲", "乙", "H2-E2 H9-G7"), pgn("甲", "丁", "H2-E2 B9-C7"), pgn("丙", "丁", "C3-C4 C6-C5")].concat();
    page.ask("train me", json!({ "names": ["甲"], "nodes": 2000 }));
    let ids = page.ask("read-file", json!({ "bytes": base64(&games), "name": "cup.pgn" }))["ids"].take();
    page.ask("train add", json!({ "games": ids }));
    page.ask("train openings-mark", json!({ "side": "red", "moves": ["b2e2", "h9g7", "b0c2"], "mark": "add" }));
    let folder = page.ask("folders make", json!({ "name": "Cup" }))["folder"].take();
    page.ask("folders put", json!({ "ids": [ids[0]], "folder": folder }));
    page.ask("set-setting", json!({ "name": "board", "value": "paper" }));
    board.settle(&page);
    let tree = page.ask("open-game", json!({ "id": ids[0] }))["tree"].take();
    page.ask("review", json!({ "tree": tree, "rules": "asian", "time": 20 }));
    board.settle(&page);
    page.ask("new-game", game("red"));
    page.ask("play", json!({ "move": "h2e2" }));
    board.settle(&page);
    assert!(page.cards().len() >= 2 && page.ask("kept-review", json!({ "tree": tree }))["review"].is_object());
    board.files()
}

pub fn base64(text: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(text)
}

/// A game in which red gives away a rook for an advisor with the fourth move; `first` is the first move of both.
pub fn pgn(red: &str, black: &str, first: &str) -> String {
    let tags = format!("[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n[Black \"{black}\"]\n[Date \"2026.11.20\"]\n");
    format!("{tags}\n1. {first} I0-I1 I9-I8 I1-F1 A9-A8 F1-F9 E9-F9 H0-G2 F9-E9 *\n\n")
}

/// A game to begin.
pub fn game(seat: &str) -> Value {
    json!({ "seat": seat, "strength": "level 1", "rules": "asian", "position": "", "clock": null })
}

/// A game of two people to begin.
pub fn game_of_two() -> Value {
    let two = json!({ "red": "", "black": "", "turns": false, "stops": false });
    json!({ "seat": "both", "strength": "level 1", "rules": "asian", "position": "", "clock": null, "two": two })
}

/// A page of a board.
pub struct Page<'a> {
    pub board: &'a Board,
    pub access: Access,
    id: String,
}

impl Page<'_> {
    /// Sends a request of this kind: its name, behind that of its group if it has one.
    pub fn ask(&self, kind: &str, fields: Value) -> Value {
        let mut request = fields.clone();
        match kind.split_once(' ') {
            Some((group, name)) => (request["type"], request["do"]) = (group.into(), name.into()),
            None => request["type"] = kind.into(),
        }
        let path = format!("/request/{}", self.id);
        let told = answer(&self.board.sessions, self.access, &path, &request);
        told.unwrap_or_else(|error| panic!("{:?}: {request}: {error}", self.access))
    }

    /// What the page is told beside replies: all parts that have changed after the event of this number, and the number
    /// of the last one.
    pub fn events(&self, after: u64) -> (u64, Value) {
        let path = format!("/events/{}", self.id);
        let events = answer(&self.board.sessions, self.access, &path, &json!({ "after": after })).expect("events");
        (events["number"].as_u64().unwrap_or(after), events)
    }

    /// The cards of the deck.
    pub fn cards(&self) -> Vec<Value> {
        let cards = self.ask("train cards", json!({ "offset": 0, "from": 0, "count": 200 }))["cards"].take();
        cards.as_array().cloned().unwrap_or_default()
    }

    /// The numbers of the games of the list.
    pub fn games(&self) -> Vec<Value> {
        self.ask("game-ids", json!({}))["ids"].as_array().cloned().unwrap_or_default()
    }
}

pub fn answer(sessions: &Sessions, access: Access, path: &str, body: &Value) -> Result<Value, String> {
    let text = match sessions.answer(access, path, body.to_string().as_bytes()) {
        Ok(Reply::Json(text)) => text,
        Ok(Reply::File(file)) => file.json(),
        Ok(Reply::Stream(..)) => return Err("a stream".to_string()),
        Err(error) => return Err(format!("{error:?}")),
    };
    serde_json::from_str(&text).map_err(|error| error.to_string())
}
