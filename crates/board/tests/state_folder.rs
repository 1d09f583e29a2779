//! All that the state folder can hold, found by looking into it after everything was used once: whatever becomes of a file,
//! nothing that could be read is gone, nothing that was acknowledged is gone, and what a newer version has written stays.

use crate::inline_board::{Asks, Files, Page, ServedPage};
use crate::rights_board::{files_of, written};
use base64::prelude::*;
use chuhe_app::preferences::Preferences;
use chuhe_study::game::LiveGame;
use chuhe_study::game::saved_games::SavedGames;
use chuhe_support::files::{Folder as StateFolder, MemoryFolder};
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use xiangqi::Position;
use xiangqi_record::RecordFile;

/// Mutants of each file.
const MUTANTS: u64 = 200;
/// What comes into the name of a copy of a damaged file.
const DAMAGED: &str = ".damaged-";

/// What a page was told of the files when it was opened.
fn notes(page: &Page) -> String {
    page.hello["storage_notes"].to_string()
}

const GAME: &str = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Date \"2026.11.20\"]\n\n\
    1. H2-E2 H9-G7 I0-I1 I9-I8 I1-F1 A9-A8 F1-F9 E9-F9 H0-G2 F9-E9 *\n\n";
const OTHER: &str = "[Game \"Chinese Chess\"]\n[Red \"丙\"]\n[Black \"甲\"]\n\n1. B2-E2 B9-C7 *\n\n";

/// The files after everything was used once.
fn used() -> &'static Files {
    static USED: OnceLock<Files> = OnceLock::new();
    USED.get_or_init(use_everything)
}

fn use_everything() -> Files {
    // `chuhe play` has played, and pages that were closed.
    let memory = Arc::new(MemoryFolder::default());
    let saved = SavedGames::open_at(StateFolder::Memory(Arc::clone(&memory))).expect("memory");
    let mut game = LiveGame::new(Position::start(), Vec::new());
    game.play("h2e2".parse().expect("a move"), Duration::ZERO);
    saved.save_unfinished(&game).expect("memory");
    saved.archive_unfinished().expect("memory");
    let files = memory.take_changes().into_iter().filter_map(|(name, file)| Some((name, file?))).collect();
    let page = Page::open(files);
    page.send("set-setting", json!({ "name": "theme", "value": "dark" }));
    page.send("set-setting", json!({ "name": "review-room", "value": "16" }));
    let read = page.send("read-file", json!({ "bytes": BASE64_STANDARD.encode(GAME), "name": "cup.pgn" }));
    let other = page.send("read-file", json!({ "bytes": BASE64_STANDARD.encode(OTHER), "name": "cup.pgn" }));
    page.send("save-analysis", json!({ "tree": read["tree"] }));
    page.send("review", json!({ "tree": read["tree"], "rules": "asian", "time": 20 }));
    page.finish();
    page.send("folders", json!({ "do": "make", "name": "名局" }));
    page.send("folders", json!({ "do": "put", "ids": other["ids"], "folder": 1 }));
    page.train("add", json!({ "games": read["ids"], "me": ["甲"], "nodes": 2000 }));
    page.finish();
    page.train("pause", json!({}));
    page.train("add", json!({ "games": other["ids"] }));
    let question = page.train("question", json!({ "offset": 480 }))["question"].take();
    page.train("answer", json!({ "id": question["id"], "rating": 1, "move": "f1f9", "offset": 480 }));
    page.train("edit", json!({ "id": question["id"], "note": "noted" }));
    page.train("openings-mark", json!({ "side": "red", "moves": ["h2e2"], "mark": "add" }));
    let tactic = page.train("tactic", json!({ "offset": 0 }));
    page.train("tactic-answer", json!({ "id": tactic["id"], "step": 0, "right": true, "rated": true, "offset": 0 }));
    page.train("tactic-run", json!({ "solved": 3, "offset": 0 }));
    let ruling = page.train("rulings", json!({ "offset": 0 }));
    page.train("ruling-answer", json!({ "id": ruling["ruling"]["id"], "key": "draw", "offset": 0 }));
    page.begin("level 1");
    page.play();
    page.finish();
    let files = page.files();
    // Two pages may play at once.
    let mut files: Files = files.into_iter().collect();
    files.insert("unfinished-2.pgn".to_string(), files["unfinished.pgn"].clone());
    files
}

/// What can be read of all that is kept: a line for each fact, with its subject in front.
fn facts(page: &impl Asks, preferences: &Preferences) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let mut tell = |subject: &str, fact: &Value| {
        if !fact.is_null() {
            facts.insert(format!("{subject} {fact}"));
        }
    };
    preferences.all().iter().for_each(|(name, value)| tell("setting", &json!([name, value])));
    tell("analysis", &json!(preferences.last_tree()));
    let list = page.send("list-games", json!({ "from": 0, "count": 200 }));
    for game in list["games"].as_array().expect("games") {
        tell("game", &game["id"]);
        tell("moves", &page.send("open-game", json!({ "id": game["id"] }))["tree"]["nodes"]);
        tell("put", &json!([game["id"], game["folder"]]));
    }
    list["folders"].as_array().expect("folders").iter().for_each(|folder| tell("folder", &folder["name"]));
    let today = page.train("today", json!({ "offset": 480 }));
    today["me"].as_array().expect("names").iter().for_each(|name| tell("me", name));
    tell("queue", &today["queue"]["games"]);
    let cards = page.train("cards", json!({ "offset": 480, "from": 0, "count": 200 }));
    for card in cards["cards"].as_array().expect("cards") {
        tell("card", &json!([card["id"], card["answers"]]));
        tell("note", &json!([card["id"], card["note"]]));
    }
    let openings = page.train("openings", json!({ "side": "red", "moves": [], "offset": 0 }));
    let listed = openings["choices"].as_array().expect("moves").iter().filter(|choice| choice["listed"] == true);
    listed.for_each(|choice| tell("opening", &choice["iccs"]));
    let deck = page.train("export", json!({ "answers": true }));
    let deck = BASE64_STANDARD.decode(deck["bytes"].as_str().expect("a file")).expect("base64");
    let events = String::from_utf8(deck).expect("text");
    // The last change of an opening counts; the header has the number of the device.
    events
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with("{\"opening\""))
        .for_each(|line| tell("event", &json!(line)));
    facts
}

fn preferences_of(files: &Files) -> Preferences {
    let memory = MemoryFolder::new(files.clone());
    Preferences::open_at(Some(StateFolder::Memory(Arc::new(memory))))
}

/// A change: its name, what is asked, and a fact that it leaves.
struct Change(&'static str, fn(&dyn Asks) -> Value, &'static str);

/// Something in each place.
const CHANGES: [Change; 8] = [
    Change("setting", |page| page.send("set-setting", json!({ "name": "x", "value": "y" })), r#"setting ["x","y"]"#),
    Change("folder", |page| page.send("folders", json!({ "do": "make", "name": "new" })), r#"folder "new""#),
    Change("me", |page| page.train("me", json!({ "names": ["甲", "戊"] })), r#"me "戊""#),
    Change("add", |page| page.train("add", json!({ "games": [last_game(page)] })), "queue 2"),
    Change(
        "opening",
        |page| page.train("openings-mark", json!({ "side": "red", "moves": ["c3c4"], "mark": "add" })),
        r#"opening "c3c4""#,
    ),
    Change("game", |page| page.send("keep-game", json!({ "tree": tree(page, OTHER, "B9-C7", "H9-G7") })), ""),
    Change("rename", |page| page.send("rename-game", json!({ "id": last_game(page), "name": "named" })), ""),
    Change("analysis", |page| page.send("save-analysis", json!({ "tree": tree(page, OTHER, "甲", "甲") })), ""),
];

/// The tree of a game, in which a text was replaced. To read it writes nothing, as it is in the list.
fn tree(page: &dyn Asks, text: &str, old: &str, new: &str) -> Value {
    let read = page.send("read-file", json!({ "bytes": BASE64_STANDARD.encode(text), "name": "cup.pgn" }));
    let mut tree = read["tree"].clone();
    let moves = tree["nodes"].as_array_mut().into_iter().flatten();
    let iccs = |text: &str| text.replace('-', "").to_lowercase();
    moves.filter(|node| node["move"] == iccs(old)).for_each(|node| node["move"] = iccs(new).into());
    tree
}

fn last_game(page: &dyn Asks) -> Value {
    page.send("list-games", json!({ "from": 0, "count": 1 }))["games"][0]["id"].take()
}

/// Facts that the changes replace.
fn is_replaced(fact: &str) -> bool {
    ["analysis ", "queue ", "me "].iter().any(|subject| fact.starts_with(subject))
}

/// Numbers that look like chance, the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A file of which a part was lost, doubled or changed.
fn mutant(whole: &[u8], chance: &mut Chance) -> Vec<u8> {
    let (a, b) = (chance.below(whole.len()), chance.below(whole.len()));
    let (from, to) = (a.min(b), a.max(b));
    let bytes = b"\0\n\"{}[],:09az\xFF";
    let byte = bytes[chance.below(bytes.len())];
    match chance.below(7) {
        0 => whole[..from].to_vec(),
        1 => [&whole[..from], &whole[to..]].concat(),
        2 => [&whole[..to], &whole[from..]].concat(),
        3 => [&whole[..from], &vec![0; to - from], &whole[to..]].concat(),
        4 => [&whole[..from], &[byte], &whole[from..]].concat(),
        5 => [&whole[..from], &[whole[from] ^ (1 << chance.below(8))], &whole[from + 1..]].concat(),
        _ => [&whole[..from], &[byte], &whole[from + 1..]].concat(),
    }
}

/// The values of a file in JSON with the names of their fields, without those that the changes replace.
fn leaves(value: &Value, name: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| leaves(value, name, found)),
        Value::Array(values) => values.iter().for_each(|value| leaves(value, name, found)),
        Value::Null => {}
        _ if ["me", "paused", "format", "last"].contains(&name) => {}
        value => {
            found.insert(format!("{name} {value}"));
        }
    }
}

/// Whether nothing of a file is gone: it is there under some name, or what it says is.
fn is_kept(name: &str, bytes: &[u8], after: &Files) -> bool {
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_string).collect::<BTreeSet<_>>()
    };
    let now = after.get(name).map(Vec::as_slice).unwrap_or_default();
    // A torn line at the end of a log is cut off before the next one.
    let is_log = name.ends_with(".jsonl");
    let torn = bytes.rsplit(|&byte| byte == b'\n').next().map_or(0, <[u8]>::len);
    let whole = if is_log && (torn < bytes.len() || torn < 256) { bytes.len() - torn } else { bytes.len() };
    let bytes = &bytes[..whole];
    if after.values().any(|other| other == bytes) || lines(bytes).is_subset(&lines(now)) {
        return true;
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    if name.ends_with(".json") {
        let parts = |bytes: &[u8]| {
            let mut found = BTreeSet::new();
            let value: Value = serde_json::from_slice(bytes).ok()?;
            leaves(&value, "", &mut found);
            Some(found)
        };
        // The game that is analysed is another one now.
        let is_replaced = name == "analysis.json";
        return parts(bytes).is_some_and(|there| is_replaced || there.is_subset(&parts(now).unwrap_or_default()));
    }
    let is_game = || {
        let reading = RecordFile::read(bytes.to_vec()).game(1);
        reading.is_ok_and(|reading| reading.into_game_with_main_line().is_ok())
    };
    name.ends_with(".pgn") && is_game() || text.trim().parse::<u64>().is_ok()
}

/// Whatever becomes of a file: what can be read of it then is there after everything was changed, and what cannot is kept.
#[test]
fn damaged_file_costs_nothing_that_could_be_read() {
    let files: Vec<(&String, &Vec<u8>)> = used().iter().collect();
    std::thread::scope(|scope| {
        for (name, whole) in &files {
            scope.spawn(move || {
                let mut chance = Chance(0x9E37_79B9_7F4A_7C15 ^ whole.len() as u64);
                (0..MUTANTS).for_each(|number| damage(name, number, &mutant(whole, &mut chance)));
            });
        }
    });
    println!("{MUTANTS} mutants each of {:?}", files.iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert!(files.len() >= 10, "{files:?}");
}

fn damage(name: &str, number: u64, bytes: &[u8]) {
    let mut files = used().clone();
    files.insert(name.to_string(), bytes.to_vec());
    let page = Page::open(files);
    let before = facts(&page, &preferences_of(&page.files()));
    let mut acknowledged = BTreeSet::new();
    for Change(_, change, fact) in &CHANGES {
        let answer = change(&page);
        if answer["error"].is_null() && !fact.is_empty() {
            acknowledged.insert(fact.to_string());
        }
    }
    let after = page.files();
    assert!(is_kept(name, bytes, &after), "{name} {number}: {}", String::from_utf8_lossy(bytes));
    let again = Page::open(after.clone());
    let now = facts(&again, &preferences_of(&after));
    let gone: Vec<_> = before.difference(&now).filter(|fact| !is_replaced(fact)).collect();
    assert!(gone.is_empty(), "{name} {number}: {gone:?} of {}", String::from_utf8_lossy(bytes));
    let lost: Vec<_> = acknowledged.difference(&now).filter(|fact| !fact.starts_with("queue ")).collect();
    assert!(lost.is_empty(), "{name} {number}: {lost:?} was acknowledged");
    // What was damaged is told once.
    let copies = after.keys().filter(|name| name.contains(DAMAGED)).count();
    let is_told = notes(&page).contains(DAMAGED) || name.starts_with("reviews/");
    assert!(copies == 0 || is_told && !notes(&again).contains(DAMAGED), "{name} {number}: {}", notes(&page));
}

/// What a newer version has written is never written.
#[test]
fn file_of_a_newer_version_stays_as_it_is() {
    let mut found = Vec::new();
    for (name, whole) in used() {
        let text = String::from_utf8_lossy(whole);
        let newer = match text.replacen("\"format\":1", "\"format\":99", 1) {
            json if json != text => json,
            _ if name.starts_with("unfinished") => format!("[ChuheFormat \"99\"]\n{text}"),
            _ => continue,
        };
        let mut files = used().clone();
        files.insert(name.clone(), newer.clone().into_bytes());
        let page = Page::open(files);
        let before = facts(&page, &preferences_of(&page.files()));
        let refused: Vec<_> =
            CHANGES.iter().filter(|Change(_, change, _)| change(&page)["error"].is_string()).collect();
        page.begin("level 1");
        page.play();
        page.finish();
        let after = page.files();
        assert_eq!(String::from_utf8_lossy(&after[name]), newer, "{name}");
        let again = Page::open(after.clone());
        let now = facts(&again, &preferences_of(&after));
        let gone: Vec<_> = before.difference(&now).filter(|fact| !is_replaced(fact)).collect();
        assert!(gone.is_empty(), "{name}: {gone:?}");
        let today = page.train("today", json!({ "offset": 0 }))["storage_error"].to_string();
        assert!(name.starts_with("reviews/") || [notes(&page), today].concat().contains("newer version"), "{name}");
        let expected = match name.as_str() {
            "board.json" | "library/folders.json" | "train.jsonl" | "analysis.json" => 1,
            "train-queue.json" => 2,
            _ => 0,
        };
        assert_eq!(refused.len(), expected, "{name}");
        found.push(name);
    }
    assert!(found.len() >= 7, "{found:?}");
    println!("{found:?}");
}

fn facts_on_disk(folder: &Folder) -> BTreeSet<String> {
    facts(&ServedPage::open(folder), &Preferences::open_at(Some(folder.root().to_path_buf())))
}

/// A file that cannot be read: there is a folder in its place, and in that a file.
#[test]
fn file_that_cannot_be_read_is_not_written_and_costs_nothing_else() {
    // That game goes to the list when the board is opened.
    let mut files = used().clone();
    files.remove("unfinished-2.pgn");
    let whole = facts_on_disk(&written(&files));
    let mut refusing = BTreeSet::new();
    for name in used().keys() {
        let mut files = used().clone();
        let inside = format!("{name}/inside");
        files.remove(name);
        files.insert(inside.clone(), b"inside".to_vec());
        let folder = written(&files);
        let page = ServedPage::open(&folder);
        for Change(what, change, _) in &CHANGES {
            if change(&page)["error"].is_string() {
                refusing.insert((name.as_str(), *what));
            }
        }
        drop(page);
        assert_eq!(folder.text(&inside), "inside", "{name}");
        fs::remove_dir_all(folder.path(name)).expect("it is there");
        fs::write(folder.path(name), &used()[name]).expect("written");
        let now = facts_on_disk(&folder);
        let gone: Vec<_> = whole.difference(&now).filter(|fact| !is_replaced(fact)).collect();
        assert!(gone.is_empty(), "{name}: {gone:?}");
    }
    for (name, what) in [
        ("board.json", "setting"),
        ("analysis.json", "analysis"),
        ("train-queue.json", "me"),
        ("train-queue.json", "add"),
        ("library/folders.json", "folder"),
        ("train.jsonl", "opening"),
    ] {
        assert!(refusing.contains(&(name, what)), "{name} {what}: {refusing:?}");
    }
}

/// In builds with assertions each step of the disk can be made to fail.
#[cfg(debug_assertions)]
mod failures {
    use super::*;
    use chuhe_support::files::{Failing, set_failing};

    #[test]
    fn full_disk_refuses_each_change_and_memory_is_as_the_disk() {
        let folder = written(used());
        let page = ServedPage::open(&folder);
        let before = facts_on_disk_of(&page, &folder);
        for Change(name, change, _) in &CHANGES {
            set_failing(Failing::From(0));
            let answer = change(&page);
            set_failing(Failing::None);
            assert!(answer["error"].is_string(), "{name}: {answer}");
            assert_eq!(facts_on_disk_of(&page, &folder), before, "{name}");
        }
        set_failing(Failing::From(0));
        assert!(page.train("resume", json!({}))["error"].is_string());
        set_failing(Failing::None);
        drop(page);
        let now = facts_on_disk(&folder);
        assert!(now == before, "{:?}", now.symmetric_difference(&before));
    }

    fn facts_on_disk_of(page: &ServedPage, folder: &Folder) -> BTreeSet<String> {
        facts(page, &Preferences::open_at(Some(folder.root().to_path_buf())))
    }

    #[test]
    fn kill_at_any_step_loses_nothing_that_was_acknowledged() {
        let mut kills = 0;
        for Change(name, change, fact) in &CHANGES {
            for index in 0.. {
                let folder = written(used());
                let page = ServedPage::open(&folder);
                let before = facts_on_disk_of(&page, &folder);
                set_failing(Failing::From(index));
                let answer = change(&page);
                let steps = set_failing(Failing::None);
                drop(page);
                let now = facts_on_disk(&folder);
                let gone: Vec<_> = before.difference(&now).filter(|fact| !is_replaced(fact)).collect();
                assert!(gone.is_empty(), "{name}, step {index}: {gone:?}");
                assert!(answer["error"].is_string() || now.contains(*fact) || fact.is_empty(), "{name}, step {index}");
                if steps <= index {
                    assert!(answer["error"].is_null(), "{name}: {answer}");
                    break;
                }
                kills += 1;
            }
        }
        assert!(kills >= 4 * CHANGES.len(), "{kills}");
        println!("{kills} kills");
    }

    /// The same while a damaged file is kept under another name.
    #[test]
    fn kill_while_a_damaged_file_is_kept_loses_nothing() {
        for name in used().keys().filter(|name| name.ends_with(".json") || name.ends_with(".pgn")) {
            for index in 0..20 {
                let mut files = used().clone();
                let torn = files[name][..files[name].len() / 3].to_vec();
                files.insert(name.clone(), torn.clone());
                let folder = written(&files);
                set_failing(Failing::From(index));
                drop(ServedPage::open(&folder));
                set_failing(Failing::None);
                drop(ServedPage::open(&folder));
                let after = files_of(folder.root());
                assert!(is_kept(name, &torn, &after), "{name}, step {index}");
                let copies: Vec<_> = after.keys().filter(|other| other.contains(DAMAGED)).collect();
                assert!(copies.len() <= 1, "{name}, step {index}: {copies:?}");
            }
        }
    }
}

/// Two programs remember what each of them was told.
#[test]
fn two_programs_do_not_undo_what_the_other_has_remembered() {
    let folder = Folder::new();
    let open = || Preferences::open_at(Some(folder.root().to_path_buf()));
    let programs = [open(), open()];
    std::thread::scope(|scope| {
        for (place, program) in programs.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..10 {
                    assert!(program.set(&format!("s{place}-{number}"), "on").expect("room"));
                }
            });
        }
    });
    assert_eq!(open().all().len(), 20);
}

/// The state folders of two earlier versions, as they were left after a scripted use: all that they hold is there, nothing
/// counts as damaged, and nothing is written before something is changed.
#[test]
fn folders_of_earlier_versions_open_in_full() {
    for (version, folders) in [("3e335753", 0), ("26c338cd", 1)] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/state").join(version);
        let files = files_of(&root);
        let page = Page::open(files.clone());
        assert_eq!(page.hello["storage_notes"], json!([]), "{version}");
        assert_eq!(page.hello["unfinished"]["moves"], 2, "{version}");
        let facts = facts(&page, &preferences_of(&files));
        let count = |subject: &str| facts.iter().filter(|fact| fact.starts_with(subject)).count();
        let counts = ["setting ", "analysis ", "game ", "folder ", "me ", "card "].map(count);
        assert_eq!(counts[..5], [2, 1, 3, folders, 1], "{version}: {facts:?}");
        assert!(counts[5] >= 2 && facts.contains("queue 1") && count("event ") > 5, "{version}: {facts:?}");
        assert!(facts.iter().any(|fact| fact.starts_with("note ") && fact.contains("noted")), "{version}");
        let reviewed = page.send("list-games", json!({ "from": 0, "count": 9 }))["games"].take();
        let reviewed = reviewed.as_array().expect("games").iter().filter(|game| !game["review"].is_null()).count();
        assert_eq!(reviewed, files.keys().filter(|name| name.ends_with(".review")).count(), "{version}");
        assert_eq!(page.files(), files, "{version}");
        let errors: Vec<_> = CHANGES.iter().filter(|Change(_, change, _)| change(&page)["error"].is_string()).collect();
        assert!(errors.is_empty(), "{version}");
    }
}
