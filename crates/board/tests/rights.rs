//! What each page may ask for, over every kind of request that is declared: what is refused changes nothing, what is kept
//! changes only by what is declared to, a device that may not change loses the owner nothing, and nobody helps a game of two.

use crate::inline_board::Files;
use crate::rights_board::{Board, Page, game_of_two};
use crate::rights_examples::example;
use chuhe_app::access::{Access, Help, Rights, Sender};
use chuhe_board::requests::Kind;
use chuhe_board::requests::kinds;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

/// How often an example is tried that is drawn by chance.
const TRIES: usize = 60;

/// The parts of a reply that say what the engine, a table, the book or a review makes of a position.
const WORDS: [&str; 13] = [
    "best",
    "book",
    "chance",
    "curve",
    "difficulty",
    "line",
    "mate",
    "reason",
    "refutation",
    "reply",
    "score",
    "solution",
    "table",
];
/// The events that do.
const HELPERS: [&str; 5] = ["hint", "analysis", "solution", "review", "trial"];

/// Whether a reply says that the page may not ask.
fn is_refused(reply: &Value) -> bool {
    let told = reply["error"].as_str().unwrap_or_default();
    [
        "changes and deletes nothing",
        "the computer itself",
        "invited to one game",
        "watch this game",
        "no engine, no book",
    ]
    .iter()
    .any(|sentence| told.contains(sentence))
}

/// Whether the declaration opens a kind of request to a page, in a game of two (its own or another one) or not.
fn is_open(rights: Rights, own: Sender, of_two: Option<bool>) -> bool {
    let helps = match rights.help {
        Help::None => false,
        Help::Opponent => of_two == Some(false),
        Help::Word => of_two.is_some(),
    };
    own <= rights.sender && !helps
}

/// The first part of a reply that helps.
fn word_in(reply: &Value) -> Option<String> {
    match reply {
        Value::Array(all) => all.iter().find_map(word_in),
        Value::Object(parts) => parts.iter().find_map(|(name, value)| {
            let says = !matches!(value, Value::Null | Value::Bool(false)) && *value != json!([]) && *value != json!("");
            // A number is also the best of the person's runs, and what all mistakes have lost.
            let is_word = WORDS.contains(&name.as_str()) && !(name == "best" && value.is_number());
            let is_loss = name == "lost" && parts.contains_key("fen");
            if says && (is_word || is_loss) { Some(format!("{name}: {value}")) } else { word_in(value) }
        }),
        _ => None,
    }
}

/// What the owner keeps, by what it is: none of it may go or become another one because of a device that may not change it.
fn kept(owner: &Page) -> BTreeMap<String, Value> {
    let mut kept = BTreeMap::new();
    let list = owner.ask("list-games", json!({ "from": 0, "count": 200 }));
    for game in list["games"].as_array().expect("games") {
        let tree = owner.ask("open-game", json!({ "id": game["id"] }))["tree"].take();
        kept.insert(format!("game {}", game["id"]), json!([game["name"], game["folder"], tree]));
    }
    for folder in list["folders"].as_array().expect("folders") {
        kept.insert(format!("folder {}", folder["id"]), folder["name"].clone());
    }
    for card in owner.cards() {
        kept.insert(format!("card {}", card["id"]), json!([card["deck"], card["note"], card["flagged"]]));
    }
    for side in ["red", "black"] {
        let lines = owner.ask("train openings-export", json!({ "side": side, "format": "pgn" }))["bytes"].take();
        kept.insert(format!("openings of {side}"), lines);
    }
    let today = owner.ask("train today", json!({ "offset": 0 }));
    kept.insert("names".to_string(), json!([today["me"], today["queue"]["paused"]]));
    let tactics = owner.ask("train tactics", json!({ "offset": 0 }));
    kept.insert("tactics".to_string(), json!([tactics["count"], tactics["file"]]));
    kept
}

/// The settings of the program.
fn settings(files: &Files) -> Option<&Vec<u8>> {
    files.get("board.json")
}

/// Checks all kinds, some at a time, and tells of all that are wrong.
fn for_each_kind(check: impl Fn(&Kind) -> Result<(), String> + Sync) {
    let (all, wrong): (Vec<&Kind>, _) = (kinds().collect(), Mutex::new(Vec::new()));
    let checked = |kind: &Kind| {
        let checked = catch_unwind(AssertUnwindSafe(|| check(kind)));
        checked.unwrap_or_else(|_| Err(format!("{kind}: a panic, see above")))
    };
    std::thread::scope(|scope| {
        for some in all.chunks(all.len().div_ceil(4)) {
            scope.spawn(|| {
                let found: Vec<String> = some.iter().filter_map(|kind| checked(kind).err()).collect();
                wrong.lock().expect("no panic").extend(found);
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {} kinds:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// An error unless it holds.
fn ensure(holds: bool, what: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn fields_of(kind: &Kind, page: &Page, owner: &Page) -> Value {
    example(&kind.to_string(), page, owner).unwrap_or_else(|| panic!("there is no example of \"{kind}\""))
}

#[test]
fn each_kind_changes_what_is_kept_exactly_if_it_says_so() {
    println!("{} kinds of requests", kinds().count());
    for_each_kind(|kind| {
        let board = Board::used();
        let page = board.page(Access::Owner);
        let mut has_changed = false;
        for _ in 0..if kind.rights.changes { TRIES } else { 1 } {
            let fields = fields_of(kind, &page, &page);
            let before = board.files();
            let reply = page.ask(&kind.to_string(), fields.clone());
            ensure(reply["error"].is_null(), || format!("{kind} {fields}: {reply}"))?;
            board.settle(&page);
            has_changed = board.files() != before;
            if has_changed {
                break;
            }
        }
        ensure(has_changed == kind.rights.changes, || format!("{kind} has changed what is kept: {has_changed}"))
    });
}

/// Asks for what is refused or not as it is declared; what is refused changes nothing. Returns the reply if it was open.
fn ask(kind: &Kind, page: &Page, fields: &Value, is_open: bool, owner: &Page) -> Result<Option<Value>, String> {
    let files = page.board.files();
    let reply = page.ask(&kind.to_string(), fields.clone());
    page.board.settle(owner);
    let who = page.access;
    ensure(is_refused(&reply) != is_open, || format!("{kind} {who:?} {fields}: {reply}"))?;
    ensure(is_open || page.board.files() == files, || {
        format!("{kind} {who:?}: refused, and what is kept has changed")
    })?;
    Ok(is_open.then_some(reply))
}

#[test]
fn each_device_does_what_is_open_to_it_and_loses_the_owner_nothing() {
    for_each_kind(|kind| {
        for (own, allowed) in [(Sender::Device, false), (Sender::TrustedDevice, true)] {
            let board = Board::used();
            let owner = board.page(Access::Owner);
            owner.ask("allow-changes", json!({ "allowed": allowed }));
            let page = board.page(Access::Device);
            let fields = fields_of(kind, &page, &owner);
            // What an example needs may itself be kept.
            board.settle(&owner);
            let (before, files) = (kept(&owner), board.files());
            ask(kind, &page, &fields, is_open(kind.rights, own, None), &owner)?;
            if !allowed {
                let after = kept(&owner);
                let lost = before.iter().find(|(name, value)| after.get(*name) != Some(value));
                ensure(lost.is_none(), || format!("{kind}: a device has changed {lost:?}"))?;
                let is_same = settings(&board.files()) == settings(&files);
                ensure(is_same, || format!("{kind}: a device has changed the settings"))?;
            }
        }
        Ok(())
    });
}

fn shared_game() -> Value {
    let mut game = game_of_two();
    game["remote"] = "black".into();
    game
}

#[test]
fn each_invited_device_does_what_is_open_to_it() {
    for_each_kind(|kind| {
        let board = Board::used();
        let owner = board.page(Access::Owner);
        let host = board.page(Access::Owner);
        host.ask("new-shared-game", shared_game());
        for (access, own) in [(Access::Player, Sender::Player), (Access::Watcher, Sender::Watcher)] {
            let page = board.page(access);
            // Looking at it begins when the game is over.
            host.ask("resign", json!({}));
            let fields = fields_of(kind, &page, &owner);
            board.settle(&owner);
            ask(kind, &page, &fields, is_open(kind.rights, own, None), &owner)?;
        }
        Ok(())
    });
}

#[test]
fn nobody_helps_a_game_of_two() {
    for_each_kind(|kind| {
        let board = Board::used();
        let owner = board.page(Access::Owner);
        let host = board.page(Access::Owner);
        host.ask("new-shared-game", shared_game());
        let other = |access, own| (board.page(access), own, false);
        let guest = |access, own| (board.page(access), own, true);
        let pages = [
            other(Access::Owner, Sender::Owner),
            other(Access::Device, Sender::Device),
            guest(Access::Player, Sender::Player),
            guest(Access::Watcher, Sender::Watcher),
            (host, Sender::Owner, true),
        ];
        let host = &pages[4].0;
        for (page, own, plays) in &pages {
            // What an example needs is asked before the game.
            host.ask("resign", json!({}));
            let fields = fields_of(kind, page, &owner);
            board.settle(&owner);
            host.ask("new-shared-game", shared_game());
            let (seen, _) = page.events(0);
            let reply = ask(kind, page, &fields, is_open(kind.rights, *own, Some(*plays)), &owner)?;
            let word = reply.as_ref().and_then(word_in);
            ensure(word.is_none(), || format!("{kind} {own:?}: a helper speaks: {word:?}"))?;
            let (_, events) = page.events(seen);
            let spoken = HELPERS.iter().find(|name| !events[**name].is_null());
            ensure(spoken.is_none(), || format!("{kind} {own:?}: a helper speaks: {events}"))?;
        }
        Ok(())
    });
}

#[test]
fn kinds_have_names_of_their_own() {
    let mut names: Vec<String> = kinds().map(ToString::to_string).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// A page of the documents with a table of its language.
struct Document {
    path: &'static str,
    head: &'static str,
    senders: [&'static str; 5],
    helps: [&'static str; 3],
    changes: &'static str,
    comma: &'static str,
}

const DOCUMENTS: [Document; 2] = [
    Document {
        path: "docs/board-network.md",
        head: "| open to | changes what is kept | in a game of two | requests |\n| --- | --- | --- | --- |\n",
        senders: [
            "the computer",
            "+ devices that may change",
            "+ every paired device",
            "+ the invited player",
            "+ who watches",
        ],
        helps: ["", "refused on other pages", "refused"],
        changes: "yes",
        comma: ", ",
    },
    Document {
        path: "docs/board-network.zh-CN.md",
        head: "| 谁可以发 | 改变保存的内容 | 双人对局中 | 请求 |\n| --- | --- | --- | --- |\n",
        senders: ["本机", "＋获准修改的设备", "＋所有已配对的设备", "＋受邀的棋手", "＋观战者"],
        helps: ["", "其他页面上拒绝", "拒绝"],
        changes: "是",
        comma: "、",
    },
];

impl Document {
    /// The kinds of requests by what they need.
    fn table(&self) -> String {
        let mut rows: BTreeMap<(Sender, bool, Help), Vec<String>> = BTreeMap::new();
        for kind in kinds() {
            let Rights { sender, changes, help } = kind.rights;
            rows.entry((sender, changes, help)).or_default().push(format!("`{kind}`"));
        }
        let row = |((sender, changes, help), names): ((Sender, bool, Help), Vec<String>)| {
            let changes = if changes { self.changes } else { "" };
            let (sender, help) = (self.senders[sender as usize], self.helps[help as usize]);
            format!("| {sender} | {changes} | {help} | {} |\n", names.join(self.comma))
        };
        let rows: String = rows.into_iter().map(row).collect();
        [self.head, &rows].concat()
    }
}

#[test]
fn documents_have_the_table_of_requests() {
    const MARKS: [&str; 2] = ["<!-- requests -->\n", "<!-- end of requests -->"];
    for document in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document.path);
        let text = fs::read_to_string(&path).expect("a page");
        let (before, rest) = text.split_once(MARKS[0]).expect("a mark");
        let (_, after) = rest.split_once(MARKS[1]).expect("a mark");
        let wanted = [before, MARKS[0], "\n", &document.table(), "\n", MARKS[1], after].concat();
        let is_written = env::var_os("UPDATE_DOCS").is_some();
        if is_written {
            fs::write(&path, &wanted).expect("the page is written");
        }
        assert!(text == wanted || is_written, "UPDATE_DOCS=1 writes {} anew", document.path);
    }
}
