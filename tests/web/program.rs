//! `chuhe board` as a process: it prints its address, saves the game as `chuhe play` does, and exits on request.
#![cfg(unix)]

use super::client::{Page, exchange, status};
use crate::common::Folder;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// The running program, its port and its token.
struct Board(Child, u16, String);

impl Board {
    fn begin(folder: &Folder, words: &[&str]) -> Board {
        let words = [&["board", "--no-open"], words].concat();
        let mut command = folder.command(&words);
        let mut child =
            command.env("XDG_STATE_HOME", folder.path("state")).stdout(Stdio::piped()).spawn().expect("chuhe runs");
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut address).expect("a line");
        let address = address.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, token) = address.split_once("/#").expect("a token");
        Board(child, port.parse().expect("a port"), token.to_string())
    }

    fn end(mut self) {
        kill_process(Pid::from_child(&self.0), Signal::INT).expect("a signal");
        assert!(self.0.wait().expect("an end").success());
    }
}

#[test]
fn game_is_saved_when_the_program_ends() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let get = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", board.1);
    assert_eq!(status(&exchange(board.1, get.as_bytes())), 200);
    let page = Page::open(board.1, &board.2);
    page.wish("{\"do\":\"begin\",\"seat\":\"both\",\"strength\":\"level 3\",\"rules\":\"cxa\",\"position\":\"\"}");
    page.wish("{\"do\":\"play\",\"move\":\"h2e2\"}");
    board.end();
    let kept = folder.text("state/chuhe/unfinished.pgn");
    assert!(kept.contains("[Rules \"cxa\"]") && kept.contains("H2-E2"), "{kept}");

    let board = Board::begin(&folder, &[]);
    let page = Page { port: board.1, token: board.2.clone(), id: String::new() };
    let welcome = page.ask("/open", "{\"page\":null}");
    assert_eq!(welcome["unfinished"]["moves"], 1, "{welcome}");
    let page = Page { id: welcome["page"].as_str().expect("a page").into(), ..page };
    page.wish("{\"do\":\"resume\"}");
    let news = page.ask(&format!("/news/{}", page.id), "{\"seen\":0}");
    assert_eq!((&news["game"]["moves"][0], &news["game"]["rules"]), (&"h2e2".into(), &"cxa".into()));
    board.end();
}

#[test]
fn program_ends_with_its_last_page_on_request() {
    let folder = Folder::new();
    let mut board = Board::begin(&folder, &["--quit-with-page", "startpos moves h2e2"]);
    let page = Page::open(board.1, &board.2);
    assert!(board.0.try_wait().expect("a child").is_none());
    page.wish("{\"do\":\"leave\"}");
    assert!(board.0.wait().expect("an end").success());
}
