//! The board without threads: requests end searches, which go on if they are still wanted, and nothing is told before it
//! is kept.

use crate::rights_board::answer;
use base64::prelude::*;
use chuhe_app::access::Access;
use chuhe_app::context::AppContext;
use chuhe_app::preferences::Preferences;
use chuhe_app::save_store::SaveStore;
use chuhe_board::inline_board::{BoardHost, InlineBoard};
use chuhe_board::sessions::{ApiError, Sessions};
use chuhe_study::game::saved_games::SavedGames;
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A position that is in no book and no table.
const NO_BOOK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P2/1C5C1/9/RNBAKABNR w - - 0 1";

pub type Files = BTreeMap<String, Vec<u8>>;

/// What the host was told, in order.
#[derive(Debug)]
pub enum Told {
    Kept(String),
    Event(Value),
}

#[derive(Default)]
pub struct Host {
    told: Mutex<Vec<Told>>,
    pub files: Mutex<Files>,
    /// How often a running search may still ask before a request comes.
    asks: AtomicUsize,
}

impl BoardHost for Host {
    fn keep(&self, name: &str, content: Option<&[u8]>) {
        let mut files = self.files.lock().expect("no panic");
        match content {
            Some(content) => files.insert(name.to_string(), content.to_vec()),
            None => files.remove(name),
        };
        self.told.lock().expect("no panic").push(Told::Kept(name.to_string()));
    }

    fn tell(&self, event: &str) {
        let event = serde_json::from_str(event).expect("JSON");
        self.told.lock().expect("no panic").push(Told::Event(event));
    }

    fn has_request(&self) -> bool {
        self.asks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |asks| asks.checked_sub(1)) == Ok(1)
    }
}

/// What a test asks of a page, in memory or on a disk.
pub trait Asks {
    fn ask(&self, request: Value, name: &str) -> Value;

    fn send(&self, name: &str, request: Value) -> Value {
        self.ask(request, name)
    }

    /// A request of training. A copy is changed, as Rust 1.95 compiles callers that pass an empty object twice as if it
    /// were not: they would use what was freed.
    fn train(&self, what: &str, fields: Value) -> Value {
        let mut request = fields.clone();
        request["do"] = what.into();
        self.ask(request, "train")
    }
}

impl Asks for Page {
    fn ask(&self, mut request: Value, name: &str) -> Value {
        request["type"] = name.into();
        let answer = self.board.answer(&format!("/request/{}", self.id), request.to_string().as_bytes());
        serde_json::from_str(&answer.expect("an answer")).expect("JSON")
    }
}

/// A page of a board with threads and a disk.
pub struct ServedPage {
    sessions: Sessions,
    pub hello: Value,
}

impl ServedPage {
    pub fn open(folder: &Folder) -> ServedPage {
        let root = folder.root().to_path_buf();
        let saved = SavedGames::open_at(root.clone()).expect("nobody else has it");
        let preferences = Arc::new(Preferences::open_at(Some(root)));
        let app = AppContext { preferences, ..AppContext::new("test", SaveStore::of(saved)) };
        ServedPage::of(app)
    }

    pub fn of(app: AppContext) -> ServedPage {
        let sessions = Sessions::new(app);
        let hello = answer(&sessions, Access::Owner, "/open", &json!({ "page": null })).expect("it opens");
        ServedPage { sessions, hello }
    }
}

impl Asks for ServedPage {
    fn ask(&self, mut request: Value, name: &str) -> Value {
        request["type"] = name.into();
        let page = self.hello["page"].as_str().expect("a page");
        answer(&self.sessions, Access::Owner, &format!("/request/{page}"), &request).expect("an answer")
    }
}

/// A board with its page.
pub struct Page {
    pub host: Arc<Host>,
    board: InlineBoard,
    id: String,
    pub hello: Value,
}

impl Page {
    pub fn open(files: Files) -> Page {
        let host = Arc::new(Host { files: Mutex::new(files.clone()), ..Host::default() });
        let board = InlineBoard::new("test", files, Arc::<Host>::clone(&host), Duration::ZERO);
        let hello = board.answer("/open", b"{\"page\":null}").expect("it opens");
        let hello: Value = serde_json::from_str(&hello).expect("JSON");
        let id = hello["page"].as_str().expect("a page").to_string();
        Page { host, board, id, hello }
    }

    pub fn begin(&self, strength: &str) {
        let game = json!({ "seat": "red", "strength": strength, "rules": "asian", "position": NO_BOOK });
        assert_eq!(self.ask(game, "new-game"), json!({}));
        self.finish();
    }

    pub fn play(&self) {
        assert_eq!(self.ask(json!({ "move": "a3a4" }), "play"), json!({}));
    }

    pub fn files(&self) -> Files {
        self.host.files.lock().expect("no panic").clone()
    }

    /// Runs jobs until a request comes after so many questions, which must be before they are done.
    pub fn run_until_request(&self, asks: usize) {
        self.host.asks.store(asks, Ordering::Relaxed);
        assert!(self.board.run_job(), "the job waits");
    }

    /// The page is loaded again.
    pub fn open_again(&self) {
        let hello = self.board.answer("/open", json!({ "page": self.id }).to_string().as_bytes()).expect("it opens");
        let hello: Value = serde_json::from_str(&hello).expect("JSON");
        assert_eq!(hello["page"], self.id.as_str());
    }

    /// Runs jobs, of which each may ask so often whether a request has come.
    pub fn run_for(&self, asks: usize) {
        self.host.asks.store(asks, Ordering::Relaxed);
        self.board.run_job();
    }

    /// Has what the opponent does ended early, stops the rest, and runs jobs until none is left.
    pub fn settle(&self) {
        for name in ["stop-solve", "stop-review"] {
            self.ask(json!({}), name);
        }
        self.ask(json!({ "number": u64::MAX }), "stop-analysis");
        self.ask(json!({}), "move-now");
        self.finish();
    }

    /// Runs jobs until none is left.
    pub fn finish(&self) {
        while self.board.run_job() {}
    }

    /// The last state of a part.
    pub fn last(&self, part: &str) -> Value {
        let told = self.host.told.lock().expect("no panic");
        let mut states = told.iter().filter_map(|told| match told {
            Told::Event(event) => event.get(part).cloned(),
            Told::Kept(_) => None,
        });
        states.next_back().unwrap_or_else(|| panic!("nothing of {part}: {told:?}"))
    }

    fn moves(&self) -> usize {
        self.last("game")["moves"].as_array().expect("moves").len()
    }
}

#[test]
fn inline_board_tells_a_move_only_when_it_is_kept() {
    let page = Page::open(Files::new());
    page.begin("level 1");
    page.play();
    assert_eq!((page.moves(), page.last("game")["thinking"].as_bool()), (1, Some(true)));
    page.finish();
    assert_eq!((page.moves(), page.last("game")["thinking"].as_bool()), (2, Some(false)));
    let told = page.host.told.lock().expect("no panic");
    let mut kept = false;
    for each in told.iter() {
        match each {
            Told::Kept(name) => kept |= name == "unfinished.pgn",
            Told::Event(event) if event["game"]["moves"].as_array().is_some_and(|moves| !moves.is_empty()) => {
                assert!(std::mem::take(&mut kept), "told before it is kept: {told:?}");
            }
            Told::Event(_) => {}
        }
    }
}

#[test]
fn inline_board_goes_on_with_a_kept_game() {
    let page = Page::open(Files::new());
    page.begin("level 1");
    page.play();
    // The page is gone in the middle of the engine's move.
    let files = page.files();
    let page = Page::open(files);
    assert_eq!(page.hello["unfinished"]["moves"], 1);
    assert_eq!(page.ask(json!({}), "resume-game"), json!({}));
    page.finish();
    assert_eq!(page.moves(), 2);
    // It is gone again before a hint has come: the game is one with help all the same.
    page.ask(json!({}), "hint");
    let page = Page::open(page.files());
    assert_eq!(page.hello["unfinished"]["moves"], 2);
    page.ask(json!({}), "resume-game");
    page.ask(json!({}), "resign");
    assert_eq!(page.ask(json!({ "from": 0, "count": 1 }), "list-games")["games"][0]["helped"], true);
}

#[test]
fn inline_board_takes_back_a_move_while_it_thinks() {
    let page = Page::open(Files::new());
    page.begin("time 600");
    page.play();
    page.run_until_request(3);
    page.run_until_request(3);
    page.ask(json!({}), "undo");
    page.finish();
    assert_eq!((page.moves(), page.last("game")["thinking"].as_bool()), (0, Some(false)));
}

#[test]
fn inline_board_moves_at_once_with_what_it_has_found() {
    let page = Page::open(Files::new());
    page.begin("time 600");
    page.play();
    page.run_until_request(20);
    page.ask(json!({}), "move-now");
    page.finish();
    assert_eq!(page.moves(), 2);
}

#[test]
fn inline_board_gives_a_hint_over_interruptions() {
    let page = Page::open(Files::new());
    page.begin("level 1");
    page.ask(json!({}), "hint");
    page.run_until_request(2);
    page.ask(json!({ "from": 0, "count": 9 }), "list-games");
    page.finish();
    assert!(page.last("hint")["move"].as_str().is_some_and(|mv| mv.len() == 4));
}

#[test]
fn inline_analysis_ends_on_request_and_shows_no_lesser_depth() {
    let page = Page::open(Files::new());
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let query = json!({ "start": start, "moves": [], "rules": "asian", "number": 1, "lines": 2, "threat": false });
    page.ask(query.clone(), "analyse");
    page.run_until_request(200);
    page.run_until_request(200);
    page.ask(json!({ "number": 2 }), "stop-analysis");
    page.finish();
    let limited = json!({ "number": 3, "nodes": 20_000 });
    let mut query = query;
    query.as_object_mut().expect("fields").extend(limited.as_object().expect("fields").clone());
    page.ask(query, "analyse");
    page.run_until_request(2);
    page.finish();
    let told = page.host.told.lock().expect("no panic");
    let updates = told.iter().filter_map(|told| match told {
        Told::Event(event) => event.get("analysis"),
        Told::Kept(_) => None,
    });
    let updates: Vec<(u64, u64, bool)> = updates
        .map(|each| (each["number"].as_u64(), each["depth"].as_u64(), each["final"].as_bool()))
        .map(|(number, depth, is_final)| (number.unwrap_or(0), depth.unwrap_or(0), is_final.unwrap_or(false)))
        .collect();
    assert!(updates.is_sorted_by_key(|&(number, depth, is_final)| (number, is_final, depth)), "{updates:?}");
    assert_eq!(updates.iter().filter(|(_, _, is_final)| *is_final).count(), 1, "of the one that ended by itself");
}

#[test]
fn inline_review_goes_on_over_interruptions() {
    let page = Page::open(Files::new());
    let pgn = "[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 2. H2+3 *\n";
    let upload = json!({ "bytes": BASE64_STANDARD.encode(pgn), "index": 0 });
    let tree = page.ask(upload, "read-file")["tree"].clone();
    page.ask(json!({ "tree": tree.clone(), "rules": "asian", "time": 20 }), "review");
    for _ in 0..3 {
        page.run_until_request(1);
    }
    page.finish();
    let review = page.last("review");
    assert_eq!(review["review"]["positions"].as_array().map(Vec::len), Some(4), "{review}");
    // One that is cancelled is not finished.
    page.ask(json!({ "tree": tree, "rules": "asian", "time": 20 }), "review");
    page.run_until_request(1);
    page.ask(json!({}), "stop-review");
    page.finish();
    assert!(page.last("review")["review"].is_null());
}

#[test]
fn inline_board_refuses_what_is_no_request() {
    let page = Page::open(Files::new());
    let answer = |path: &str, body: &str| page.board.answer(path, body.as_bytes());
    assert_eq!(answer("/rubbish", "{}"), Err(ApiError::NotFound));
    assert_eq!(answer(&format!("/request/{}", page.id), "{"), Err(ApiError::BadRequest));
    assert_eq!(answer(&format!("/stream/{}", page.id), "{\"after\":0}"), Err(ApiError::NotFound));
    assert_eq!(answer(&format!("/events/{}", page.id), "{\"after\":0}"), Ok("{\"number\":1}".to_string()));
    assert_eq!(answer("/request/0", "{\"type\":\"undo\"}"), Ok("{\"closed\":true}".to_string()));
}
