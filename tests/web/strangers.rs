//! Requests from other origins get nothing and change nothing.

use super::client::{Page, Served, exchange, post, status};
use chuhe_board::BoardPage;
use chuhe_support::language::Language;

/// A request of the page, with one line of its head replaced.
fn with(served: &Served, line: &str, instead: &str) -> String {
    let request = post(served.port, &served.token, "/open", "{\"page\":null}");
    let request = String::from_utf8(request).expect("text");
    let lines = request.split("\r\n").map(|old| if old.starts_with(line) { instead } else { old });
    let changed: Vec<&str> = lines.filter(|line| *line != "-").collect();
    exchange(served.port, changed.join("\r\n").as_bytes())
}

#[test]
fn requests_of_other_origins_are_refused() {
    let served = Served::begin();
    let port = served.port;
    assert_eq!(status(&with(&served, "nothing", "")), 200, "the page itself");
    for (line, instead, refused) in [
        ("Host", "Host: evil.example".to_string(), 403),
        ("Host", format!("Host: evil.example:{port}"), 403),
        ("Host", format!("Host: 127.0.0.1.evil.example:{port}"), 403),
        ("Host", "Host: 127.0.0.1".to_string(), 403),
        ("Host", "-".to_string(), 403),
        ("Origin", "Origin: http://evil.example".to_string(), 403),
        ("Origin", "Origin: null".to_string(), 403),
        ("Origin", format!("Origin: https://127.0.0.1:{port}"), 403),
        ("Origin", format!("Origin: http://localhost:{port}"), 403),
        ("Sec-Fetch-Site", "Sec-Fetch-Site: cross-site".to_string(), 403),
        ("Sec-Fetch-Site", "Sec-Fetch-Site: same-site".to_string(), 403),
        ("X-Chuhe-Token", "-".to_string(), 403),
        ("X-Chuhe-Token", "X-Chuhe-Token: ".to_string(), 403),
        ("X-Chuhe-Token", format!("X-Chuhe-Token: {}0", served.token), 403),
        ("Content-Type", "Content-Type: text/plain".to_string(), 415),
        ("Content-Type", "Content-Type: application/x-www-form-urlencoded".to_string(), 415),
        ("Content-Type", "-".to_string(), 415),
        ("POST", "OPTIONS /open HTTP/1.1".to_string(), 405),
        ("POST", "GET /open HTTP/1.1".to_string(), 404),
    ] {
        let answer = with(&served, line, &instead);
        assert_eq!(status(&answer), refused, "{instead}: {answer}");
        assert!(!answer.contains(&served.token), "{instead}");
        // No response allows cross-origin reads.
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
}

#[test]
fn page_holds_no_secret_and_runs_only_its_own_script() {
    let served = Served::begin();
    let get = |host: &str| exchange(served.port, format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
    let page = get(&format!("localhost:{}", served.port));
    assert_eq!(status(&page), 200);
    assert!(!page.contains(&served.token));
    assert_eq!(status(&get("evil.example")), 403);
    for said in [
        "default-src 'none'; script-src 'self'; style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("unsafe") && !page.contains(" style=\""));
    let modules: Vec<&str> =
        page.split("rel=\"modulepreload\" href=\"").skip(1).map_while(|rest| rest.split('"').next()).collect();
    assert!(modules.contains(&"main.js") && modules.contains(&"data.js"), "{modules:?}");
    let host = format!("localhost:{}", served.port);
    for name in modules {
        let get = format!("GET /{name} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: same-origin\r\n\r\n");
        let module = exchange(served.port, get.as_bytes());
        assert_eq!(status(&module), 200, "{name}");
        assert!(module.contains("Content-Type: text/javascript; charset=utf-8\r\n"), "{name}");
        assert!(!module.contains(&served.token), "{name}");
    }
}

#[test]
fn modules_import_only_modules_that_the_page_preloads() {
    chuhe::install_languages();
    for page in [BoardPage::new(), BoardPage::for_static_host()] {
        let is_preloaded =
            |name: &str| page.html(Language::ENGLISH).contains(&format!("rel=\"modulepreload\" href=\"{name}\""));
        // What comes when it is first needed imports what came with it.
        for (name, source) in page.modules().filter(|(name, _)| is_preloaded(name)) {
            for (_, rest) in source.lines().filter_map(|line| line.split_once(" from \"./")) {
                let imported = rest.trim_end_matches("\";");
                assert!(is_preloaded(imported), "{name} imports {imported}");
            }
        }
    }
}

#[test]
fn one_time_key_works_once() {
    let served = Served::begin();
    let invitation = served.server.router().guard.one_time_address();
    let once = invitation.split_once('#').expect("a fragment").1;
    let visitor = Page { port: served.port, token: once.to_string(), id: String::new() };
    assert_eq!(visitor.ask("/token", "{}")["token"], served.token.as_str());
    let again = exchange(served.port, &post(served.port, once, "/token", "{}"));
    assert_eq!(status(&again), 403, "{again}");
    assert_eq!(status(&exchange(served.port, &post(served.port, "", "/token", "{}"))), 403);
    assert_eq!(status(&exchange(served.port, &post(served.port, once, "/open", "{\"page\":null}"))), 403);
}

#[test]
fn page_is_reached_from_anywhere_but_not_by_a_service_worker() {
    let served = Served::begin();
    let get = |path: &str, headers: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}\r\n", served.port);
        exchange(served.port, request.as_bytes())
    };
    let leads = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_eq!(status(&get("/", leads)), 200, "from the file that the browser is started with");
    assert_eq!(status(&get("/main.js", leads)), 403);
    for part in ["Sec-Fetch-Mode: cors\r\n", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"] {
        assert_eq!(status(&get("/", &format!("Sec-Fetch-Site: cross-site\r\n{part}"))), 403, "{part}");
    }
    for worker in ["Service-Worker: script\r\n", "Sec-Fetch-Dest: serviceworker\r\n"] {
        for path in ["/", "/main.js"] {
            assert_eq!(status(&get(path, worker)), 403, "{path} {worker}");
        }
    }
}

#[test]
fn browser_forgets_what_an_earlier_server_has_left() {
    let served = Served::begin();
    let get = || exchange(served.port, format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port).as_bytes());
    // Whoever else asks first takes nothing away: until a page has shown its token, every answer says so.
    for _ in 0..2 {
        assert!(get().contains("Clear-Site-Data: \"cache\", \"cookies\", \"storage\"\r\n"), "{}", get());
    }
    served.open();
    assert!(!get().contains("Clear-Site-Data"));
}
