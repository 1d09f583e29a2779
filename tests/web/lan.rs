//! A board that is shared on the local network: who is let in, and by what.

use super::client::router;
use chuhe_app::access::Access;
use chuhe_board::server::http::{HttpMethod, HttpRequest, HttpResponse};
use chuhe_board::server::lan::{Lan, LanNotice, is_local_peer};
use chuhe_board::server::{Answer, Auth, Router};
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};

pub const PORT: u16 = 8642;
pub const OWN: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 5);
pub const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
pub const PHONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 77));
pub const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 78));

fn shared() -> Router {
    router(Auth::new(PORT).with_lan(Lan::new(vec![OWN])))
}

/// A post of a page that was loaded from this host.
pub fn post(host: &str, token: &str, path: &str, body: &str) -> HttpRequest {
    HttpRequest {
        method: HttpMethod::Post,
        path: path.to_string(),
        query: String::new(),
        headers: [
            ("host", format!("{host}:{PORT}")),
            ("origin", format!("http://{host}:{PORT}")),
            ("sec-fetch-site", "same-origin".to_string()),
            ("content-type", "application/json".to_string()),
            (HttpRequest::TOKEN, token.to_string()),
        ]
        .into(),
        body: body.as_bytes().to_vec(),
    }
}

fn get(host: &str) -> HttpRequest {
    let headers = [("host", format!("{host}:{PORT}"))].into();
    HttpRequest { method: HttpMethod::Get, headers, ..post(host, "", "/", "") }
}

pub fn response(router: &Router, request: &HttpRequest, peer: IpAddr) -> HttpResponse {
    match router.answer(request, peer) {
        Answer::Now(response) => response,
        Answer::File(file) => HttpResponse::json(file.json()),
        Answer::Stream(..) => panic!("a stream"),
    }
}

fn text(response: &HttpResponse) -> String {
    String::from_utf8(response.body.clone()).expect("text")
}

/// The status of the first request of a page.
fn open(router: &Router, host: &str, token: &str, peer: IpAddr) -> u16 {
    response(router, &post(host, token, "/open", "{\"page\":null}"), peer).status
}

fn code(router: &Router) -> String {
    let address = router.guard.lan().expect("shared").invitation(PORT, Access::Device).expect("an address");
    let (start, code) = address.split_once('#').expect("a code");
    assert_eq!(start, "http://192.168.1.5:8642/");
    code.to_string()
}

fn pair(router: &Router, code: &str, peer: IpAddr) -> Option<String> {
    let answer = response(router, &post("192.168.1.5", code, "/token", "{}"), peer);
    let token = || Some(serde_json::from_slice::<Value>(&answer.body).ok()?["token"].as_str()?.to_string());
    if answer.status == 200 { token() } else { None }
}

#[test]
fn keys_of_this_machine_are_good_for_nobody_else() {
    let router = shared();
    let address = router.guard.one_time_address();
    let once = address.split_once('#').expect("a key").1;
    assert_eq!(pair(&router, once, PHONE), None);
    let own = router.guard.token().to_string();
    assert_eq!(open(&router, "192.168.1.5", &own, PHONE), 403);
    assert_eq!(open(&router, "127.0.0.1", &own, HERE), 200);
    assert_eq!(response(&router, &post("127.0.0.1", once, "/token", "{}"), HERE).status, 200);
}

#[test]
fn wrong_codes_slow_their_sender_alone_and_leave_the_code() {
    let router = shared();
    let first = code(&router);
    let send = |code: &str, peer| response(&router, &post("192.168.1.5", code, "/token", "{}"), peer).status;
    for _ in 0..5 {
        assert_eq!(send("pair-aaaaaaaaaa", NEIGHBOUR), 410);
    }
    for wrong in ["pair-aaaaaaaaaa", "pair-", "", &first] {
        assert_eq!(send(wrong, NEIGHBOUR), 429, "{wrong}");
    }
    let lan = router.guard.lan().expect("shared");
    assert_eq!((lan.slowed_addresses(), lan.take_notices()), (vec![NEIGHBOUR], vec![LanNotice::Slowed(NEIGHBOUR)]));
    assert_eq!(code(&router), first);
    assert!(pair(&router, &first, PHONE).is_some(), "the code that is shown is still good");
    assert_eq!(send(&first, PHONE), 410, "it was used");
}

/// The address of the device of this number.
fn device(number: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(192, 168, 1, 100 + number))
}

#[test]
fn device_keeps_its_place_when_it_is_paired_again_until_it_is_sent_away() {
    let router = shared();
    let lan = router.guard.lan().expect("shared");
    let tokens: Vec<String> = (0..20).map(|_| pair(&router, &code(&router), PHONE).expect("a token")).collect();
    assert_eq!(lan.paired_devices(), [PHONE]);
    assert_eq!(open(&router, "192.168.1.5", &tokens[19], PHONE), 200);
    assert_eq!(open(&router, "192.168.1.5", &tokens[18], PHONE), 200, "another browser of the phone");
    assert_eq!(open(&router, "192.168.1.5", &tokens[0], PHONE), 403);
    for number in 1..16 {
        assert!(pair(&router, &code(&router), device(number)).is_some(), "{number}");
    }
    let shown = code(&router);
    assert_eq!(response(&router, &post("192.168.1.5", &shown, "/token", "{}"), device(16)).status, 409);
    assert_eq!((code(&router), lan.take_notices().pop()), (shown, Some(LanNotice::Full(device(16)))));
    assert!(pair(&router, &code(&router), PHONE).is_some(), "a device that is paired already");

    let own = router.guard.token().to_string();
    let away = format!("{{\"device\":\"{PHONE}\"}}");
    let told = response(&router, &post("127.0.0.1", &own, "/dismiss", &away), HERE);
    let told: Value = serde_json::from_slice(&told.body).expect("JSON");
    assert_eq!(told["devices"].as_array().map(Vec::len), Some(15), "{told}");
    assert_eq!(open(&router, "192.168.1.5", &tokens[19], PHONE), 403);
    let token = pair(&router, &code(&router), device(16)).expect("the free place");
    assert_eq!(response(&router, &post("192.168.1.5", &token, "/dismiss", &away), device(16)).status, 404);
}

#[test]
fn usual_port_need_not_be_named() {
    let usual = router(Auth::new(80));
    let own = usual.guard.token().to_string();
    for (host, status) in [("127.0.0.1", 200), ("localhost:80", 200), ("127.0.0.1:8642", 403), ("evil.example", 403)] {
        let mut request = post("", &own, "/open", "{\"page\":null}");
        request.headers.extend([("host", host.to_string()), ("origin", format!("http://{host}"))]);
        assert_eq!(response(&usual, &request, HERE).status, status, "{host}");
    }
}

#[test]
fn hosts_and_origins_are_checked_on_the_network_too() {
    let router = shared();
    let token = pair(&router, &code(&router), PHONE).expect("a token");
    for host in ["evil.example", "127.0.0.1", "localhost", "192.168.1.6"] {
        assert_eq!(open(&router, host, &token, PHONE), 403, "{host}");
        assert_eq!(response(&router, &get(host), PHONE).status, 403, "{host}");
    }
    assert_eq!(response(&router, &get("192.168.1.5"), HERE).status, 403);
    let mut foreign = post("192.168.1.5", &token, "/open", "{}");
    foreign.headers.insert("origin", "http://evil.example".to_string());
    assert_eq!(response(&router, &foreign, PHONE).status, 403);
    assert!(!text(&response(&router, &get("192.168.1.5"), PHONE)).contains(&token));
}

#[test]
fn only_the_sharing_machine_invites() {
    let router = shared();
    let own = router.guard.token().to_string();
    let invitation = response(&router, &post("127.0.0.1", &own, "/invitation", "{}"), HERE);
    let invitation: Value = serde_json::from_slice(&invitation.body).expect("JSON");
    assert!(invitation["address"].as_str().is_some_and(|address| address.ends_with(&code(&router))), "{invitation}");
    assert!(invitation["qr"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{invitation}");
    let token = pair(&router, &code(&router), PHONE).expect("a token");
    assert_eq!(response(&router, &post("192.168.1.5", &token, "/invitation", "{}"), PHONE).status, 404);
    let is_told = |host, peer| text(&response(&router, &get(host), peer)).contains("<html data-lan ");
    assert!(is_told("127.0.0.1", HERE) && !is_told("192.168.1.5", PHONE));

    let unshared = super::client::router(Auth::new(PORT));
    let own = unshared.guard.token().to_string();
    assert_eq!(response(&unshared, &post("127.0.0.1", &own, "/invitation", "{}"), HERE).status, 404);
    assert_eq!(response(&unshared, &get("192.168.1.5"), PHONE).status, 403);
}

#[test]
fn only_private_addresses_are_served() {
    for near in ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.178.20", "169.254.7.7", "100.100.1.1", "::1"] {
        assert!(is_local_peer(near.parse().expect("an address")), "{near}");
    }
    for far in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.2.1", "2001:db8::1", "fe80::1"] {
        assert!(!is_local_peer(far.parse().expect("an address")), "{far}");
    }
}
