//! What a paired or invited device may ask for, and how much it may send.

use super::lan::{PHONE, post};
use super::two_players::{Page, begin, code, own_page, shared, token};
use chuhe_app::access::Access;
use serde_json::{Value, json};

#[test]
fn device_changes_nothing_that_is_kept_unless_its_owner_allows_it() {
    let router = shared();
    let page = own_page(&router);
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Device)));
    let tree = phone.ask("played-game", json!({}))["tree"].clone();
    let id = phone.ask("keep-game", json!({ "tree": tree }))["ids"][0].clone();
    assert!(id.is_string(), "it may add");
    let changes = || {
        [
            ("delete-games", json!({ "ids": [id] })),
            ("restore-games", json!({})),
            ("rename-game", json!({ "id": id, "name": "x" })),
            ("replace-game", json!({ "tree": tree, "id": id })),
            ("set-setting", json!({ "name": "board", "value": "green" })),
            ("train", json!({ "do": "drop", "ids": [] })),
            ("train", json!({ "do": "undrop" })),
            ("train", json!({ "do": "edit", "id": "0123456789abcdef", "note": "x" })),
            ("train", json!({ "do": "import", "bytes": "" })),
            ("train", json!({ "do": "me", "names": ["x"] })),
            ("train", json!({ "do": "cancel" })),
        ]
    };
    let refused = |page: &Page, name: &str, fields: Value| {
        page.ask(name, fields).as_str().is_some_and(|told| told.contains("changes and deletes nothing"))
    };
    for (name, fields) in changes() {
        assert!(refused(&phone, name, fields.clone()), "{name} {fields}");
        assert!(!refused(&page, name, fields.clone()), "{name} {fields}: the owner may");
    }
    // It cannot allow itself anything.
    let allow = |page: &Page, allowed: bool| page.ask("allow-changes", json!({ "allowed": allowed }));
    let is_own = |told: Value| told.as_str().is_some_and(|told| told.contains("the computer itself"));
    assert!(is_own(allow(&phone, true)) && refused(&phone, "restore-games", json!({})));
    assert_eq!(allow(&page, true), json!({}));
    for (name, fields) in changes() {
        assert!(!refused(&phone, name, fields.clone()), "{name} {fields}");
    }
    for told in [allow(&phone, false), phone.ask("set-setting", json!({ "name": "device-changes", "value": "off" }))] {
        assert!(is_own(told.clone()) || told == json!({}), "{told}");
        assert!(!refused(&phone, "restore-games", json!({})), "that is for the owner");
    }
}

#[test]
fn device_that_was_invited_to_a_game_sends_no_more_than_an_analysis() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("black"), "", None, false);
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
    let size = |page: &Page| {
        let head = post(&page.host, &page.token, &format!("/request/{}", page.id), "");
        router.admit(&head, page.peer).expect("it is known")
    };
    assert_eq!((size(&phone), size(&page)), (1 << 20, 12 << 20));
    // What is not open to it is refused by its name, whatever else it holds.
    let told = phone.ask("export-games", json!({ "ids": { "wrong": true } }));
    assert!(told.as_str().is_some_and(|told| told.contains("invited to one game")), "{told}");
}
