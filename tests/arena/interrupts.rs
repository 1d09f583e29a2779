//! Ctrl-C and other signals, transcripts, and the log.

use super::program::{arena, conversation, ends, engine, script, twins_in};
use crate::common::{CHUHE, Folder, stderr, stdout};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use xiangqi_record::pgn;

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

/// Waits until a file holds `wanted` lines.
fn wait_for_lines(folder: &Folder, name: &str, wanted: usize) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.path(name)).unwrap_or_default();
        if text.lines().count() >= wanted {
            return text.lines().map(str::to_string).collect();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{name}: {text}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn started(folder: &Folder, path: &str, more: &[&str]) -> Child {
    let mut command = twins_in(folder, path, &[&["--games", "400"], more].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("chuhe runs")
}

/// Sends SIGINT and waits for the arena's message about it.
fn press_ctrl_c(child: &mut Child) -> String {
    signal(child, "-INT");
    let mut line = String::new();
    let errors = child.stderr.as_mut().expect("a pipe");
    // One byte at a time, to leave the rest of the output unread.
    let mut errors = BufReader::with_capacity(1, errors);
    errors.read_line(&mut line).expect("a line of text");
    line
}

fn ended(child: Child) -> (Output, String, String) {
    let output = child.wait_with_output().expect("chuhe ends");
    let (told, shown) = (stderr(&output), stdout(&output));
    (output, told, shown)
}

#[test]
fn first_ctrl_c_finishes_the_running_games() {
    let folder = Folder::new();
    // Waits for the file `go` in the middle of its third game.
    let deed = format!(
        "echo x >> '{0}/asked'; if [ $(wc -l < '{0}/asked') -ge 3 ]; then while [ ! -e '{0}/go' ]; do sleep 0.02; done; \
         fi; echo nobestmove",
        folder.root().display()
    );
    let mut child = started(&folder, &engine(&folder, "patient", &deed), &[]);
    wait_for_lines(&folder, "asked", 3);
    let heard = press_ctrl_c(&mut child);
    assert_eq!(heard, "chuhe: finishing the running games; once more drops them\n");
    folder.write("go", "");
    let (output, told, shown) = ended(child);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert_eq!(told, "chuhe: interrupted after 3 games; --resume continues\n");
    assert!(shown.contains("engine  games  points"), "the table: {shown}");
    assert_eq!(pgn::read(&folder.text("m.pgn")).len(), 3);
}

#[test]
fn second_ctrl_c_or_sigterm_drops_games_and_kills_child_processes() {
    for is_pressed_twice in [true, false] {
        let folder = Folder::new();
        let root = folder.root().display();
        let thinks = conversation(&format!("echo x >> '{root}/asked'; sleep 1000"));
        let body = format!("sleep 1000 > /dev/null 2>&1 & echo $! >> '{root}/children'; {thinks}");
        let thinker = script(&folder, "thinker", &body);
        let mut child = started(&folder, &thinker, &["--concurrency", "2"]);
        wait_for_lines(&folder, "asked", 2);
        if is_pressed_twice {
            press_ctrl_c(&mut child);
        }
        signal(&child, if is_pressed_twice { "-INT" } else { "-TERM" });
        let (output, told, _) = ended(child);
        assert_eq!(output.status.code(), Some(130), "{told}");
        assert!(told.ends_with("chuhe: interrupted after 0 games; --resume continues\n"), "{told}");
        let children = wait_for_lines(&folder, "children", 4);
        children.iter().for_each(|number| ends(number));
        assert_eq!(std::fs::read(folder.path("m.pgn")).expect("a record"), b"");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn match_ignores_sighup_if_it_was_started_so() {
    let folder = Folder::new();
    let root = folder.root().display();
    let deed = format!("echo x >> '{root}/asked'; while [ ! -e '{root}/go' ]; do sleep 0.02; done; echo nobestmove");
    let path = engine(&folder, "patient", &deed);
    let line = format!(
        "trap '' HUP; exec '{CHUHE}' arena --engine name=a,cmd={path},proto=ucci --engine name=b,cmd={path},proto=ucci \
         --games 2 --nodes 50"
    );
    let child = Command::new("sh").args(["-c", &line]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("sh");
    wait_for_lines(&folder, "asked", 1);
    signal(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(200));
    folder.write("go", "");
    let (output, told, shown) = ended(child);
    assert!(output.status.success(), "{told}");
    assert!(shown.contains("game 2: "), "{shown}");
}

#[test]
fn transcripts_hold_whole_conversations_with_times() {
    let folder = Folder::new();
    let loud = engine(&folder, "loud", "echo thinking >&2; echo info depth 3 score 5; echo nobestmove");
    let one = format!("name=my engine/1,cmd={loud},proto=ucci");
    let other = format!("name=b,cmd={CHUHE},proto=ucci");
    let words = ["--engine", &one, "--engine", &other, "--games", "2", "--nodes", "50", "--traffic", "all/words"];
    let output = arena(&folder, &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<_> = std::fs::read_dir(folder.path("all/words"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    names.sort();
    let [b, loud] = &names[..] else { panic!("two conversations: {names:?}") };
    assert!(b.display().to_string().contains("/b-") && loud.display().to_string().contains("/my_engine_1-"));
    let text = std::fs::read_to_string(loud).expect("a conversation");
    let said: Vec<&str> = text
        .lines()
        .map(|line| {
            let (time, rest) = line.trim_start().split_once(' ').expect("a time");
            assert!(time.parse::<f64>().is_ok_and(|time| (0.0..600.0).contains(&time)), "{line}");
            rest
        })
        .collect();
    for line in [
        "> ucci",
        "< ucciok",
        "= game 1, red against b",
        "= game 2, black against b",
        "> go nodes 50",
        "! thinking",
        "< info depth 3 score 5",
        "< nobestmove",
        "> quit",
    ] {
        assert!(said.contains(&line), "{line} is missing in {text}");
    }

    folder.write("file", "");
    let told = super::program::complaint(&folder, &[&words[..8], &["--traffic", "file/x"]].concat());
    assert!(told.starts_with("chuhe: file/x: "), "{told}");
}

#[test]
fn log_reports_engines_and_games() {
    let folder = Folder::new();
    let bad = engine(&folder, "crash", "echo alas >&2; exit 9");
    let (one, other) = (format!("name=a,cmd={bad},proto=ucci"), format!("name=b,cmd={CHUHE},proto=ucci"));
    let words = ["--engine", &one, "--engine", &other, "--games", "2", "--nodes", "50", "--log", "arena.log"];
    arena(&folder, &words);
    let log = folder.text("arena.log");
    for part in ["engine 'b' is Chuhe", "game 1: 0-1 (red crashed (exit code 9), 8 plies)", "alas", "> go nodes 50"] {
        assert!(log.contains(part), "{part} is missing in {log}");
    }
}
