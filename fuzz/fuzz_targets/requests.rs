//! Any bytes sent to the board's server are answered, and no request ends it. The bytes after the head are also tried
//! as an action of a known page, which gets past the first checks.
#![no_main]

use chuhe_app::access::MAX_BODY_SIZE;
use chuhe_app::context::AppContext;
use chuhe_app::save_store::SaveStore;
use chuhe_board::server::http::{HttpMethod, HttpRequest};
use chuhe_board::server::{Answer, Auth, Router};
use chuhe_board::sessions::Sessions;
use libfuzzer_sys::fuzz_target;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::OnceLock;

/// A router, and the request path of its only page.
fn router() -> &'static (Router, String) {
    static ROUTER: OnceLock<(Router, String)> = OnceLock::new();
    ROUTER.get_or_init(|| {
        let sessions = Sessions::new(AppContext::new("fuzz", SaveStore::disabled()));
        let router = Router { guard: Auth::new(9010), sessions };
        let path = String::from("/open");
        let welcome = asked(&router, &path, b"{\"page\":null}");
        let page = welcome.split('"').nth(3).expect("a page").to_string();
        (router, format!("/do/{page}"))
    })
}

/// Where the requests come from.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The answer to a request of the page itself.
fn asked(router: &Router, path: &str, body: &[u8]) -> String {
    let request = HttpRequest {
        method: HttpMethod::Post,
        path: path.to_string(),
        query: String::new(),
        headers: [
            ("host", "127.0.0.1:9010".to_string()),
            ("content-type", "application/json".to_string()),
            (HttpRequest::TOKEN, router.guard.token().to_string()),
        ]
        .into(),
        body: body.to_vec(),
    };
    match router.answer(&request, HERE) {
        Answer::Now(response) => String::from_utf8_lossy(&response.body).into_owned(),
        Answer::File(_) | Answer::Stream(..) => String::new(),
    }
}

/// Actions that would take too long.
const LEFT_OUT: [&str; 5] = ["think", "review", "begin", "hint", "png"];

fuzz_target!(|bytes: &[u8]| {
    let (router, path) = router();
    if let Ok(request) = HttpRequest::read(&mut &bytes[..], |_| Ok(MAX_BODY_SIZE)) {
        let _ = router.answer(&request, HERE);
    }
    let text = String::from_utf8_lossy(bytes);
    if !LEFT_OUT.iter().any(|word| text.contains(word)) {
        let _ = asked(router, path, bytes);
    }
});
