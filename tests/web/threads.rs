//! A board that gets no more threads: each request is answered, or refused at once.
#![cfg(target_os = "linux")]

use super::client::{Page, post, status, try_exchange};
use super::program::Board;
use crate::common::{CHUHE, Folder};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// A user of which nothing else runs: the limit counts all threads of one.
const USER: u32 = 54_321;

#[test]
fn request_without_a_thread_is_refused_at_once() {
    // Root has no limit, and others cannot become somebody of whom nothing else runs.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let program = folder.path("chuhe");
    fs::copy(CHUHE, &program).expect("a program");
    fs::create_dir(folder.path("state")).expect("a folder");
    for name in ["", "chuhe", "state"] {
        fs::set_permissions(folder.path(name), Permissions::from_mode(0o777)).expect("a mode");
    }
    let (mut refused, mut opened) = (0, 0);
    for limit in 1..9 {
        let script = format!("ulimit -u {limit}; exec ./chuhe board --no-open");
        let mut command = Command::new("bash");
        command.args(["-c", &script]).current_dir(folder.root()).uid(USER).gid(USER);
        command.env("XDG_STATE_HOME", folder.path("state")).env("LC_ALL", "C").stderr(Stdio::null());
        let Some(mut board) = Board::try_start(&mut command) else { continue };
        let open = post(board.1, &board.2, "/open", "{\"page\":null}");
        let answer = try_exchange(board.1, &open).unwrap_or_default();
        match status(&answer) {
            // It had none to serve with, and has ended.
            0 => {
                assert!(!board.0.wait().expect("an end").success(), "limit {limit}");
                continue;
            }
            503 => refused += 1,
            200 => {
                let told: Value = serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON");
                opened += usize::from(told["page"].is_string());
                let why = told["error"].as_str().unwrap_or("cannot start a thread");
                assert!(why.contains("cannot start a thread"), "{told}");
                if let Some(id) = told["page"].as_str() {
                    let page = Page { port: board.1, token: board.2.clone(), id: id.to_string() };
                    page.begin("red", "asian");
                    assert_eq!(page.play("h2e2"), serde_json::json!({}));
                    let review = page.request("{\"type\":\"played-game\"}");
                    assert!(review["tree"].is_object(), "{review}");
                }
            }
            _ => panic!("limit {limit}: {answer}"),
        }
        board.end();
    }
    assert!(refused > 0 && opened > 0, "{refused} {opened}");
}
