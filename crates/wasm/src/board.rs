//! The board of a page without a server: what JavaScript calls for it. Requests and files are written into the input
//! buffer, a name or a path first, of which the length is passed.
//!
//! What is written to the host is a letter and a content: `a` an answer, `e` an event, `f` a file to be kept (its name,
//! the end of a line, its bytes), `r` the name of a file to be removed.

#![allow(unsafe_code)]

use super::exports::{prepare, take_written};
use super::host::{self, HostWriter};
use chuhe::protocol::VERSION;
use chuhe_board::inline_board::{BoardHost, InlineBoard};
use chuhe_board::sessions::ApiError;
use chuhe_support::language::Language;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

thread_local! {
    static BOARD: OnceCell<InlineBoard> = const { OnceCell::new() };
    /// The files of an earlier run.
    static FILES: RefCell<BTreeMap<String, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// JavaScript as the host of the board.
struct Page;

fn send(kind: &str, content: &[&[u8]]) {
    // JavaScript takes all that it is given.
    let _ = HostWriter.write_all(&[kind.as_bytes(), &content.concat()].concat());
}

impl BoardHost for Page {
    fn keep(&self, name: &str, content: Option<&[u8]>) {
        match content {
            Some(content) => send("f", &[name.as_bytes(), b"\n", content]),
            None => send("r", &[name.as_bytes()]),
        }
    }

    fn tell(&self, event: &str) {
        send("e", &[event.as_bytes()]);
    }

    fn has_request(&self) -> bool {
        host::has_input()
    }
}

/// What JavaScript has written, divided after so many bytes.
fn written(length: usize) -> (String, Vec<u8>) {
    let mut name = take_written();
    let rest = name.split_off(length.min(name.len()));
    (String::from_utf8_lossy(&name).into_owned(), rest)
}

/// Takes a file of an earlier run, before the board is opened.
#[unsafe(no_mangle)]
extern "C" fn put_file(name_length: usize) {
    let (name, content) = written(name_length);
    FILES.with_borrow_mut(|files| files.insert(name, content));
}

/// Gives a language its words, before the board is opened; those of Chinese are in the module.
#[unsafe(no_mangle)]
extern "C" fn put_words(name_length: usize) {
    let (name, words) = written(name_length);
    if let Ok(language) = name.parse::<Language>() {
        language.install_text(String::from_utf8_lossy(&words).into_owned().leak());
    }
}

/// Opens the board, which asks for requests at this interval while it thinks. Called once.
#[unsafe(no_mangle)]
extern "C" fn open_board(interval_ms: f64) {
    let interval = prepare(interval_ms);
    BOARD.with(|board| {
        board.get_or_init(|| InlineBoard::new(VERSION, FILES.take(), Arc::new(Page), interval)).run_job()
    });
}

/// Answers the request that has been written, a path and its body. Returns the status, as of HTTP.
#[unsafe(no_mangle)]
extern "C" fn answer(path_length: usize) -> i32 {
    let (path, body) = written(path_length);
    let answer = BOARD.with(|board| board.get().map(|board| board.answer(&path, &body)));
    match answer {
        Some(Ok(answer)) => {
            send("a", &[answer.as_bytes()]);
            200
        }
        Some(Err(ApiError::BadRequest)) => 400,
        Some(Err(ApiError::NotFound)) | None => 404,
    }
}

/// Goes on with a job until it is done or a request comes. 1 if any job waits.
#[unsafe(no_mangle)]
extern "C" fn run_job() -> i32 {
    BOARD.with(|board| i32::from(board.get().is_some_and(InlineBoard::run_job)))
}
