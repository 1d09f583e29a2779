//! What a paired or invited device may ask for, and how much it may send.

use super::lan::{PHONE, post};
use super::two_players::{Page, begin, code, own_page, shared, token};
use chuhe_app::access::Access;
use serde_json::json;

#[test]
fn device_that_may_change_what_is_kept_does_not_decide_that() {
    let router = shared();
    let page = own_page(&router);
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Device)));
    assert_eq!(page.ask("allow-changes", json!({ "allowed": true })), json!({}));
    let told = phone.ask("allow-changes", json!({ "allowed": false }));
    assert!(told.as_str().is_some_and(|told| told.contains("the computer itself")), "{told}");
    phone.ask("set-setting", json!({ "name": "device-changes", "value": "off" }));
    assert_eq!(phone.ask("restore-games", json!({})), json!({ "count": 0 }));
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
