//! Invalid, truncated, doubled or missing requests: each is refused, and the next one is answered.

use super::client::{Served, exchange, post, router, status};
use chuhe_app::access::MAX_BODY_SIZE;
use chuhe_board::server::http::HttpRequest;
use chuhe_board::server::{Answer, Auth};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::Duration;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

#[test]
fn random_requests_are_all_answered() {
    let router = router(Auth::new(9010));
    let token = router.guard.token().to_string();
    let mut random = StdRng::seed_from_u64(37);
    let hello = HttpRequest::read(&mut &post(9010, &token, "/open", "{\"page\":null}")[..], |_| Ok(MAX_BODY_SIZE))
        .expect("a request");
    let Answer::Now(welcome) = router.answer(&hello, HERE) else { panic!("no stream was asked for") };
    let welcome: serde_json::Value = serde_json::from_slice(&welcome.body).expect("JSON");
    let page = format!("/request/{}", welcome["page"].as_str().expect("a page"));
    let bodies = [
        "{\"page\":null}",
        "{\"type\":\"position-facts\",\"start\":\"3ak4/9/9/9/9/9/9/9/9/3K1C3 w - - 0 1\",\"moves\":[\"f0f9\"],\"rules\":\"cxa\"}",
        "{\"type\":\"read-file\",\"bytes\":\"MS4gaDJlMiBoOWc3\"}",
        "{\"type\":\"list-games\",\"search\":\"a\",\"result\":\"1-0\",\"source\":\"played\",\"from\":0,\"count\":9}",
        "{\"type\":\"open-game\",\"id\":\"20261126125511001\"}",
        "{\"type\":\"delete-games\",\"ids\":[\"20261126125511001\"]}",
        "{\"type\":\"export-games\",\"ids\":[\"20261126125511001\"],\"format\":\"xqf\"}",
        "{\"type\":\"restore-games\"}",
        "{\"type\":\"played-game\"}",
        "{\"type\":\"write-file\",\"format\":\"xqf\",\"tree\":{\"start\":\"3ak4/9/9/9/9/9/9/9/9/3K1C3 w\",\"tags\":[],\"result\":\"*\",\
         \"nodes\":[{\"parent\":0,\"move\":\"\",\"comment\":\"\",\"marks\":[]},{\"parent\":0,\"move\":\"f0f9\",\"comment\":\"!\",\"marks\":[1]}]}}",
        "{\"type\":\"resign\"}",
        "{\"type\":\"play\",\"move\":\"h2e2\"}",
        "{\"type\":\"new-game\",\"seat\":\"red\",\"strength\":\"level 1\",\"rules\":\"asian\",\"position\":\"\"}",
        "{\"type\":\"undo\"}",
        "{\"after\":0}",
    ];
    let mut understood = 0;
    for number in 0..10_000 {
        let path = [&page, "/open", "/request/0", "/events/ffffffffffffffff", "/stream/1", "/", "/../x", &page, &page];
        let body = bodies.choose(&mut random).expect("a body");
        let mut bytes = post(9010, &token, path.choose(&mut random).expect("a path"), body);
        for _ in 0..number % 7 {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random(),
                1 => bytes.truncate(at + 1),
                2 => bytes.insert(at, random.random()),
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(request) = HttpRequest::read(&mut &bytes[..], |_| Ok(MAX_BODY_SIZE)) {
            understood += 1;
            if let Answer::Now(response) = router.answer(&request, HERE) {
                let mut written = Vec::new();
                response.write(&mut written).expect("memory");
                assert!(written.starts_with(b"HTTP/1.1 "));
            }
        }
    }
    assert!(understood > 1_000, "{understood}");
}

#[test]
fn truncated_huge_or_doubled_requests_are_refused() {
    let served = Served::begin();
    let whole = post(served.port, &served.token, "/open", "{\"page\":null}");
    let huge = format!("POST /open HTTP/1.1\r\nContent-Length: {}\r\n\r\n", MAX_BODY_SIZE + 1);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    let with = |headers: &str| format!("POST / HTTP/1.1\r\n{headers}\r\n").into_bytes();
    let lengths = ["-1", "+1", "0x10", "", "1 1"].map(|length| (with(&format!("Content-Length: {length}\r\n")), 400));
    for (request, refused) in lengths.into_iter().chain([
        (with("Content-Length: 0\r\nContent-Length: 0\r\n"), 400),
        (with("Content-Length: 99999999999999999999999\r\n"), 413),
        (with("Host: a\r\nHost: b\r\n"), 400),
        (with(&"A: b\r\n".repeat(1_000)), 431),
        (b"DELETE / HTTP/1.1\r\n\r\n".to_vec(), 405),
        (b"\r\n\r\n\r\n\0\xff".to_vec(), 400),
        (b"GET / HTTP/9.9\r\n\r\n".to_vec(), 400),
        (huge.into_bytes(), 413),
        (long.into_bytes(), 431),
        ([&whole[..], &whole[..]].concat(), 400),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_vec(), 501),
    ]) {
        let answer = exchange(served.port, &request);
        assert_eq!(status(&answer), refused, "{answer}");
    }
    // The body of a stranger is not waited for.
    for (method, refused) in [("POST", 403), ("GET", 413)] {
        let head =
            format!("{method} / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n", served.port);
        let answer = exchange(served.port, format!("{head}Content-Length: {MAX_BODY_SIZE}\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), refused, "{answer}");
    }
    // A client that disconnects early leaves nothing behind.
    for end in [1, 10, whole.len() - 1] {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
        stream.write_all(&whole[..end]).expect("written");
    }
    assert_eq!(status(&exchange(served.port, &whole)), 200);
}

#[test]
fn idle_connections_do_not_block_others() {
    let served = Served::begin();
    let connect = |_| TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    let mut silent: Vec<TcpStream> = (0..64).map(connect).collect();
    // Some have sent part of a request.
    silent.iter_mut().step_by(2).for_each(|stream| drop(stream.write_all(b"GET / HT")));
    let whole = post(served.port, &served.token, "/open", "{\"page\":null}");
    assert_eq!(status(&exchange(served.port, &whole)), 200);
    // The oldest connection was dropped.
    let mut rest = Vec::new();
    let _ = silent[0].read_to_end(&mut rest);
    assert!(rest.is_empty() || status(&String::from_utf8_lossy(&rest)) >= 400);
}

#[test]
fn slow_request_is_cut_off_and_blocks_no_other() {
    let served = Served::begin();
    let mut slow = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    let mut tap = slow.try_clone().expect("a connection");
    let dripping = std::thread::spawn(move || {
        // Bytes keep coming, but the request is never complete.
        let mut rest = b"GET / HTTP/1.1\r\nX: ".iter().chain(std::iter::repeat(&b'a'));
        while rest.next().is_some_and(|&byte| tap.write_all(&[byte]).is_ok()) {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let whole = post(served.port, &served.token, "/open", "{\"page\":null}");
    assert_eq!(status(&exchange(served.port, &whole)), 200);
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer);
    assert_eq!(status(&String::from_utf8_lossy(&answer)), 408);
    dripping.join().expect("the tap is shut");
}
