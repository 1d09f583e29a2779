//! A game of two people with the program as referee, at one board and by an invited device.

use super::client::router;
use super::lan::{HERE, NEIGHBOUR, OWN, PHONE, PORT, post, response};
use crate::common::Folder;
use chuhe_app::access::Access;
use chuhe_app::context::AppContext;
use chuhe_app::save_store::SaveStore;
use chuhe_board::server::lan::Lan;
use chuhe_board::server::{Auth, Router};
use chuhe_board::sessions::Sessions;
use chuhe_study::game::saved_games::SavedGames;
use serde_json::{Value, json};
use std::net::IpAddr;

/// A page of a device.
pub struct Page<'a> {
    router: &'a Router,
    pub host: String,
    pub peer: IpAddr,
    pub token: String,
    pub id: String,
}

impl<'a> Page<'a> {
    pub fn open(router: &'a Router, peer: IpAddr, token: &str) -> Page<'a> {
        let host = if peer == HERE { "127.0.0.1".to_string() } else { OWN.to_string() };
        let mut page = Page { router, host, peer, token: token.to_string(), id: String::new() };
        page.reopen();
        page
    }

    fn reopen(&mut self) -> Value {
        self.reopen_in("en")
    }

    fn reopen_in(&mut self, language: &str) -> Value {
        let told = self.post("/open", &json!({ "page": self.id, "language": language }));
        self.id = told["page"].as_str().unwrap_or_default().to_string();
        told
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = response(self.router, &post(&self.host, &self.token, path, &body.to_string()), self.peer);
        assert_eq!(answer.status, 200, "{path} {body}");
        serde_json::from_slice(&answer.body).expect("JSON")
    }

    /// The answer to a request; the error if there is one.
    pub fn ask(&self, name: &str, mut fields: Value) -> Value {
        fields["type"] = name.into();
        let answer = self.post(&format!("/request/{}", self.id), &fields);
        if answer["error"].is_null() { answer } else { answer["error"].clone() }
    }

    fn play(&self, mv: &str) -> Value {
        self.ask("play", json!({ "move": mv }))
    }

    /// The answer to the offer that the page shows.
    fn answer_offer(&self, accept: bool) -> Value {
        self.ask("answer-offer", json!({ "number": self.game()["two"]["offer"]["number"], "accept": accept }))
    }

    fn game(&self) -> Value {
        self.post(&format!("/events/{}", self.id), &json!({ "after": 0 }))["game"].clone()
    }
}

pub fn shared() -> Router {
    router(Auth::new(PORT).with_lan(Lan::new(vec![OWN])))
}

pub fn code(router: &Router, access: Access) -> String {
    let address = router.guard.lan().expect("shared").invitation(PORT, access).expect("an address");
    address.split_once('#').expect("a code").1.to_string()
}

/// The token of a device that brings a code.
pub fn token(router: &Router, peer: IpAddr, code: &str) -> String {
    let answer = response(router, &post(&OWN.to_string(), code, "/token", "{}"), peer);
    let answer: Value = serde_json::from_slice(&answer.body).expect("JSON");
    answer["token"].as_str().expect("a token").to_string()
}

pub fn own_page(router: &Router) -> Page<'_> {
    Page::open(router, HERE, router.guard.token())
}

pub fn begin(page: &Page, remote: Option<&str>, position: &str, clock: Option<&str>, stops: bool) {
    let two = json!({ "red": "小王", "black": "", "turns": true, "stops": stops });
    let game = json!({ "seat": "both", "strength": "level 1", "rules": "asian", "clock": clock, "position": position,
        "two": two, "remote": remote });
    let name = if remote.is_some() { "new-shared-game" } else { "new-game" };
    assert_eq!(page.ask(name, game), json!({}));
}

#[test]
fn draw_is_offered_once_a_move_and_a_move_is_a_no() {
    let router = router(Auth::new(PORT));
    let page = own_page(&router);
    begin(&page, None, "", None, true);
    page.play("h2e2");
    assert_eq!(page.ask("offer-draw", json!({})), json!({}));
    page.answer_offer(false);
    assert!(page.game()["message"].as_str().is_some_and(|told| told.contains("小王 declines")), "{}", page.game());
    assert!(page.ask("offer-draw", json!({})).as_str().is_some_and(|told| told.contains("next move")));
    page.play("h9g7");
    page.ask("offer-draw", json!({}));
    page.answer_offer(true);
    assert_eq!(page.game()["end"]["result"], "1/2-1/2");
    let played = page.ask("played-game", json!({}));
    assert!(played["id"].is_string() && played["tree"]["tags"].to_string().contains("小王"), "{played}");
}

#[test]
fn each_device_plays_in_its_turn_and_on_its_own_page() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("black"), "", None, false);
    assert_eq!(page.play("h2e2"), "It is not your turn.", "the other one is not there yet");
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
    assert_eq!(phone.play("h2e2"), "It is not your turn.");
    assert_eq!(page.play("h2e2"), json!({}));
    assert_eq!(page.play("h9g7"), "It is not your turn.");
    phone.ask("undo", json!({}));
    assert!(phone.answer_offer(true).as_str().is_some_and(|told| told.contains("other player")));
    let told = phone.post(&format!("/request/{}", page.id), &json!({ "type": "play", "move": "h9g7" }));
    assert_eq!(told["closed"], true, "the page of somebody else");
    assert_eq!(phone.play("h9g7"), json!({}));
}

#[test]
fn answer_is_one_to_the_offer_that_was_shown() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("black"), "", None, false);
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
    page.play("h2e2");
    phone.play("h9g7");
    // The draw that the page shows is replaced before it is accepted.
    phone.ask("offer-draw", json!({}));
    let shown = page.game()["two"]["offer"].clone();
    phone.ask("undo", json!({}));
    let told = page.ask("answer-offer", json!({ "number": shown["number"], "accept": true }));
    assert!(told.as_str().is_some_and(|told| told.contains("another one")), "{told}");
    let game = page.game();
    assert_eq!((&game["two"]["offer"]["kind"], &game["end"]), (&"take-back".into(), &Value::Null));
    assert_eq!(game["moves"], json!(["h2e2", "h9g7"]));
    // Who wants his own move back agrees to nothing with that.
    page.ask("undo", json!({}));
    let game = phone.game();
    assert_eq!((&game["two"]["offer"]["by"], &game["moves"]), (&"red".into(), &json!(["h2e2", "h9g7"])));
    phone.answer_offer(true);
    assert_eq!(page.game()["moves"], json!([]));
}

#[test]
fn two_pages_get_no_seat_twice() {
    let router = shared();
    let pages = [own_page(&router), own_page(&router)];
    let invited = |page: &Page| {
        let two = json!({ "red": "", "black": "", "turns": false, "stops": false });
        let game = json!({ "seat": "both", "strength": "level 1", "rules": "asian", "clock": null, "position": "", "two": two,
            "remote": "black" });
        page.ask("new-shared-game", game)
    };
    for _ in 0..20 {
        // Of two pages that invite a device at once, one does.
        let told = std::thread::scope(|scope| {
            pages.each_ref().map(|page| scope.spawn(|| invited(page))).map(|ended| ended.join().expect("no panic"))
        });
        assert_eq!(told.iter().filter(|told| **told == json!({})).count(), 1, "{told:?}");
        // Of two devices that bring the same code at once, one sits down.
        let code = code(&router, Access::Player);
        let bring = |peer: IpAddr| response(&router, &post(&OWN.to_string(), &code, "/token", "{}"), peer).status;
        let statuses = std::thread::scope(|scope| {
            [PHONE, NEIGHBOUR].map(|peer| scope.spawn(move || bring(peer))).map(|ended| ended.join().expect("no panic"))
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        for (page, told) in pages.iter().zip(told) {
            if told == json!({}) {
                page.ask("resign", json!({}));
            }
        }
    }
}

#[test]
fn game_goes_on_after_the_program_was_killed() {
    let folder = Folder::new();
    let board = |folder: &Folder| {
        let store = SaveStore::of(SavedGames::open_at(folder.root().to_path_buf()).expect("a folder"));
        Router { sessions: Sessions::new(AppContext::new("test", store)), ..shared() }
    };
    let first = board(&folder);
    let page = own_page(&first);
    begin(&page, Some("black"), "", Some("300+5"), false);
    let phone = Page::open(&first, PHONE, &token(&first, PHONE, &code(&first, Access::Player)));
    page.play("h2e2");
    phone.play("h9g7");
    // Nothing is said to a program that is killed: what it has written by then is there.
    let copy = Folder::new();
    copy.write("unfinished.pgn", folder.text("unfinished.pgn"));
    let second = board(&copy);
    let page = own_page(&second);
    let told = page.post("/open", &json!({ "page": page.id }));
    assert_eq!(told["unfinished"]["moves"], 2, "{told}");
    assert_eq!(page.ask("resume-game", json!({})), json!({}));
    let game = page.game();
    assert_eq!((&game["moves"], &game["two"]["role"]), (&json!(["h2e2", "h9g7"]), &json!("red")));
    assert_eq!((&game["two"]["red"], &game["clocks"]["control"]), (&json!("小王"), &json!("300+5")), "{game}");
    // The other player is invited again, and the game goes on.
    assert_eq!(game["two"]["waiting"], true);
    let phone = Page::open(&second, PHONE, &token(&second, PHONE, &code(&second, Access::Player)));
    assert_eq!(phone.game()["two"]["waiting"], false);
    assert_eq!((page.play("h0g2"), phone.play("i9h9")), (json!({}), json!({})));
    assert!(page.ask("hint", json!({})).as_str().is_some_and(|told| told.contains("until their game is over")));
}

#[test]
fn second_player_takes_the_place_of_the_first() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("red"), "", None, false);
    let first = token(&router, PHONE, &code(&router, Access::Player));
    let second = token(&router, NEIGHBOUR, &code(&router, Access::Player));
    let answer = response(&router, &post(&OWN.to_string(), &first, "/open", "{\"page\":null}"), PHONE);
    assert_eq!(answer.status, 403);
    assert_eq!(Page::open(&router, NEIGHBOUR, &second).play("h2e2"), json!({}));
    // When the host plays with the engine, his guest sees none of it.
    page.ask("resign", json!({}));
    page.ask("new-game", json!({ "seat": "red", "strength": "level 1", "rules": "asian", "position": "" }));
    let guest = Page::open(&router, NEIGHBOUR, &second);
    assert_eq!((guest.id.as_str(), guest.reopen_error()), ("", true));
}

impl Page<'_> {
    fn reopen_error(&self) -> bool {
        self.post("/open", &json!({ "page": null }))["error"].is_string()
    }
}

#[test]
fn each_page_is_told_in_its_own_language() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("black"), "", None, false);
    let mut phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
    page.play("h2e2");
    page.ask("resign", json!({}));
    phone.reopen_in("zh");
    let [own, told] = [page.game(), phone.game()];
    assert!(told["end"]["text"].as_str().is_some_and(|text| text.contains("认输")), "{told}");
    assert_eq!((&own["names"][0], &told["names"][0]), (&json!("C2.5"), &json!("炮二平五")));
    assert_ne!(phone.ask("resign", json!({})), page.ask("resign", json!({})));
}

#[test]
fn clock_stands_or_goes_on_as_was_chosen_while_a_player_is_away() {
    for stops in [true, false] {
        let router = shared();
        let page = own_page(&router);
        begin(&page, Some("black"), "", Some("3600+0"), stops);
        let stands = || page.game()["two"]["stands"].clone();
        assert_eq!(stands(), true, "until both are there");
        let mut phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
        assert_eq!(stands(), false);
        phone.ask("leave", json!({}));
        assert_eq!(stands(), false, "it is the other one's turn");
        assert_eq!(page.play("h2e2"), json!({}));
        assert_eq!(stands(), stops);
        let left = |page: &Page| page.game()["clocks"]["black"].as_u64().expect("a clock");
        let (before, _) = (left(&page), std::thread::sleep(std::time::Duration::from_millis(30)));
        page.ask("check-clock", json!({}));
        assert_eq!(left(&page) < before, !stops);
        phone.reopen();
        assert_eq!(stands(), false);
        assert_eq!(phone.play("h9g7"), json!({}));
    }
}

#[test]
fn host_that_closes_its_page_comes_back_to_the_game() {
    let router = shared();
    let page = own_page(&router);
    begin(&page, Some("black"), "", None, true);
    let phone = Page::open(&router, PHONE, &token(&router, PHONE, &code(&router, Access::Player)));
    page.play("h2e2");
    phone.play("h9g7");
    page.ask("leave", json!({}));
    assert_eq!(phone.game()["two"]["away"], json!(["red"]));
    let again = own_page(&router);
    assert_ne!(again.id, page.id);
    assert_eq!((&again.game()["two"]["role"], &phone.game()["two"]["away"]), (&"red".into(), &json!([])));
    assert_eq!(again.play("h0g2"), json!({}));
    assert_eq!(phone.game()["moves"].as_array().map(Vec::len), Some(3));
}
