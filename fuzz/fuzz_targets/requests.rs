//! Any bytes are a request to the board's server or none; whatever it is, it is answered and ends nothing. What comes behind the
//! head is also tried as a wish of a page that is known, where most of what is asked is understood.
#![no_main]

use chuhe::web::desk::{Answer, Desk};
use chuhe::web::guard::Guard;
use chuhe::web::http::{Method, Request};
use chuhe::web::keeper::Keeper;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// A desk, and the path at which its one page wishes.
fn desk() -> &'static (Desk, String) {
    static DESK: OnceLock<(Desk, String)> = OnceLock::new();
    DESK.get_or_init(|| {
        let desk = Desk::new(Guard::new(9010), Keeper::forgetful(), None, None);
        let path = String::from("/open");
        let welcome = asked(&desk, &path, b"{\"page\":null}");
        let page = welcome.split('"').nth(3).expect("a page").to_string();
        (desk, format!("/do/{page}"))
    })
}

/// What the own page is answered.
fn asked(desk: &Desk, path: &str, body: &[u8]) -> String {
    let request = Request {
        method: Method::Post,
        path: path.to_string(),
        host: Some("127.0.0.1:9010".to_string()),
        origin: None,
        fetch_site: None,
        content_type: Some("application/json".to_string()),
        token: Some(desk.guard.token().to_string()),
        body: body.to_vec(),
    };
    match desk.answer(&request) {
        Answer::Now(response) => String::from_utf8_lossy(&response.body).into_owned(),
        Answer::Stream(..) => String::new(),
    }
}

/// What would keep the machine busy for longer than a wish should.
const LEFT_OUT: [&str; 5] = ["think", "review", "begin", "hint", "png"];

fuzz_target!(|bytes: &[u8]| {
    let (desk, path) = desk();
    if let Ok(request) = Request::read(&mut &bytes[..]) {
        let _ = desk.answer(&request);
    }
    let text = String::from_utf8_lossy(bytes);
    if !LEFT_OUT.iter().any(|word| text.contains(word)) {
        let _ = asked(desk, path, bytes);
    }
});
