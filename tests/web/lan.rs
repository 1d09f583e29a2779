//! A board that is shared on the local network: who is let in, and by what.

use super::client::router;
use chuhe_board::server::auth::Auth;
use chuhe_board::server::http::{HttpMethod, HttpRequest, HttpResponse};
use chuhe_board::server::lan::{Lan, is_local_peer};
use chuhe_board::server::router::{Answer, Router};
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};

const PORT: u16 = 8642;
const OWN: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 5);
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PHONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 77));
const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 78));

fn shared() -> Router {
    router(Auth::new(PORT).with_lan(Lan::new(vec![OWN])))
}

/// A post of a page that was loaded from this host.
fn post(host: &str, token: &str, path: &str, body: &str) -> HttpRequest {
    HttpRequest {
        method: HttpMethod::Post,
        path: path.to_string(),
        host: Some(format!("{host}:{PORT}")),
        origin: Some(format!("http://{host}:{PORT}")),
        fetch_site: Some("same-origin".to_string()),
        fetch_mode: None,
        fetch_dest: None,
        service_worker: None,
        content_type: Some("application/json".to_string()),
        accept_language: None,
        token: Some(token.to_string()),
        body: body.as_bytes().to_vec(),
    }
}

fn get(host: &str) -> HttpRequest {
    HttpRequest { method: HttpMethod::Get, origin: None, token: None, ..post(host, "", "/", "") }
}

fn response(router: &Router, request: &HttpRequest, peer: IpAddr) -> HttpResponse {
    match router.answer(request, peer) {
        Answer::Now(response) => response,
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
    let address = router.guard.lan().expect("shared").invitation(PORT).expect("an address");
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
fn code_pairs_one_device_whose_token_is_good_for_it_alone() {
    let router = shared();
    let first = code(&router);
    let token = pair(&router, &first, PHONE).expect("a token");
    assert_eq!(pair(&router, &first, NEIGHBOUR), None, "a code is good once");
    assert_ne!(code(&router), first);
    assert_eq!(open(&router, "192.168.1.5", &token, PHONE), 200);
    assert_eq!(open(&router, "192.168.1.5", &token, NEIGHBOUR), 403, "a token that was overheard");
    assert_eq!(open(&router, "127.0.0.1", &token, HERE), 403);
    assert_eq!(router.guard.lan().expect("shared").paired_devices(), [PHONE]);
    assert!(pair(&router, &code(&router), NEIGHBOUR).is_some(), "the next device by the next code");
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
fn wrong_codes_replace_the_code() {
    let router = shared();
    let first = code(&router);
    for _ in 0..9 {
        assert_eq!(pair(&router, "pair-aaaaaaaaaa", NEIGHBOUR), None);
    }
    assert_eq!(code(&router), first);
    assert_eq!(pair(&router, "pair-", NEIGHBOUR), None);
    assert_ne!(code(&router), first, "ten guesses are enough");
    assert_eq!(pair(&router, &first, PHONE), None);
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
    foreign.origin = Some("http://evil.example".to_string());
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
