//! A client that sends exact bytes, and a server in this process for it.

use chuhe_app::context::AppContext;
use chuhe_app::save_store::SaveStore;
use chuhe_board::server::{Auth, Router, Server};
use chuhe_board::sessions::Sessions;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::JoinHandle;

/// The response of a server at this port to one request.
pub fn exchange(port: u16, request: &[u8]) -> String {
    try_exchange(port, request).expect("a connection")
}

/// The same of a server that may have ended.
pub fn try_exchange(port: u16, request: &[u8]) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    // The server may refuse a request before it has read all of it.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The status of a response.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// A POST of the page itself.
pub fn post(port: u16, token: &str, path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/json\r\nX-Chuhe-Token: {token}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A page: the server's port, the token, and the page's id.
pub struct Page {
    pub port: u16,
    pub token: String,
    pub id: String,
}

impl Page {
    /// A page that has been opened.
    pub fn open(port: u16, token: &str) -> Page {
        Page::open_in(port, token, "en")
    }

    /// The same in a language.
    pub fn open_in(port: u16, token: &str, language: &str) -> Page {
        let mut page = Page { port, token: token.to_string(), id: String::new() };
        let welcome = page.ask("/open", &json!({ "page": null, "language": language }).to_string());
        page.id = welcome["page"].as_str().unwrap_or_else(|| panic!("no page: {welcome}")).to_string();
        page
    }

    pub fn ask(&self, path: &str, body: &str) -> Value {
        let answer = exchange(self.port, &post(self.port, &self.token, path, body));
        assert_eq!(status(&answer), 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
    }

    /// The answer to an action.
    pub fn request(&self, body: &str) -> Value {
        self.ask(&format!("/request/{}", self.id), body)
    }

    /// Begins a game at the lowest level.
    pub fn begin(&self, seat: &str, rules: &str) {
        let game = json!({ "type": "new-game", "seat": seat, "strength": "level 1", "rules": rules, "position": "" });
        assert_eq!(self.request(&game.to_string()), json!({}));
    }

    /// Plays a move.
    pub fn play(&self, mv: &str) -> Value {
        self.request(&json!({ "type": "play", "move": mv }).to_string())
    }

    /// The events so far.
    pub fn events(&self) -> Value {
        self.ask(&format!("/events/{}", self.id), "{\"after\":0}")
    }

    /// The answer to a page that opens, which goes on with the game of another.
    pub fn open_again(&self) -> Value {
        self.ask("/open", &json!({ "page": self.id }).to_string())
    }

    /// The events, from the beginning.
    pub fn stream(&self) -> Stream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let request = post(self.port, &self.token, &format!("/stream/{}", self.id), "{\"after\":0}");
        stream.write_all(&request).expect("a request");
        Stream(BufReader::new(stream))
    }
}

/// The event stream of a page.
pub struct Stream(pub BufReader<TcpStream>);

impl Stream {
    /// Reads up to the first event that satisfies this, and returns it.
    pub fn until(&mut self, are_these: impl Fn(&Value) -> bool) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.0.read_line(&mut line).expect("events") > 0, "the stream has ended");
            if let Some(json) = line.strip_prefix("data: ") {
                let events = serde_json::from_str(json).expect("JSON");
                if are_these(&events) {
                    return events;
                }
            }
        }
    }
}

/// A router whose sessions save nothing.
pub fn router(guard: Auth) -> Router {
    chuhe::install_languages();
    Router { guard, sessions: Sessions::new(AppContext::new("test", SaveStore::disabled())) }
}

/// A server in this process, which ends with the test.
pub struct Served {
    pub port: u16,
    pub token: String,
    pub server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub fn begin() -> Served {
        let listener = Server::listen(0).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let guard = Auth::new(port);
        let token = guard.token().to_string();
        let server = Arc::new(Server::new(listener, router(guard)));
        let serving = Arc::clone(&server);
        let thread = std::thread::spawn(move || serving.serve());
        Served { port, token, server, thread: Some(thread) }
    }

    pub fn open(&self) -> Page {
        Page::open(self.port, &self.token)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
