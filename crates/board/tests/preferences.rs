//! What the page remembers.

use chuhe_app::preferences::Preferences;
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::AnalystResources;
use chuhe_testing::Folder;
use std::sync::Arc;

fn set(preferences: &Preferences, name: &str, value: &str) -> bool {
    preferences.set(name, value).expect("room")
}

#[test]
fn setting_is_remembered_from_run_to_run() {
    let folder = Folder::new();
    let open = || Preferences::open_at(Some(folder.path("")));
    assert!(open().all().is_empty());
    assert!(set(&open(), "language", "zh") && set(&open(), "theme", "dark"));
    assert_eq!(open().all().get("language").map(String::as_str), Some("zh"));
    for (name, value) in
        [("", "x"), ("format", "x"), ("language", ""), ("a b", "x"), ("theme", "\"><script>"), ("x", &"y".repeat(99))]
    {
        assert!(!set(&open(), name, value), "{name}: {value}");
    }
    let preferences = open();
    let kept = (0..100).filter(|number| set(&preferences, &format!("setting-{number}"), "on")).count();
    assert!(kept < 40, "{kept} settings");
}

#[test]
fn analyses_take_what_was_chosen_and_no_more_than_there_is() {
    let folder = Folder::new();
    let preferences = Preferences::open_at(Some(folder.path("")));
    let resources = AnalystResources {
        version: "test",
        threads: 4,
        hash_mb: 64,
        tablebases: Arc::new(Tablebase::built_in()),
        books: Vec::new(),
    };
    let room = |threads: &str, hash: &str| {
        assert!(set(&preferences, "threads", threads) && set(&preferences, "hash", hash));
        let room = preferences.chosen_room(&resources);
        (room.threads, room.hash_mb)
    };
    assert_eq!(preferences.chosen_room(&resources).hash_mb, 64);
    assert_eq!(room("2", "16"), (2, 16));
    assert_eq!(room("all", "64"), (4, 64));
    assert_eq!(room("99", "99999999"), (4, 4096));
    assert_eq!(room("0", "0"), (1, 1));
    assert_eq!(room("two", "much"), (4, 64));
}
