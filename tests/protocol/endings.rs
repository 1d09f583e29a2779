//! How a conversation ends.

use super::host::{Host, PATIENCE, after, legal_answer, program, script, wait};
use std::io::{BufRead, BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn script_gets_its_answer() {
    for go in ["go depth 4\n", "go depth 4", "go nodes 3000\r\n", "go movetime 1", "go time 1 increment 0"] {
        let text = script(format!("ucci\nposition startpos\n{go}").as_bytes());
        let answer = text.lines().last().expect("a last line");
        legal_answer(answer, &after(""));
    }
}

#[test]
fn end_of_input_ends_an_infinite_search() {
    for go in ["go", "go infinite", "go ponder time 10"] {
        let text = script(format!("ucci\nposition startpos\n{go}\n").as_bytes());
        legal_answer(text.lines().last().expect("a last line"), &after(""));
    }
}

#[test]
fn quit_during_a_search_answers_and_says_bye() {
    let mut host = Host::ucci();
    host.say("go infinite\nquit");
    let (lines, status) = host.leave();
    assert!(status.success());
    let [.., answer, bye] = lines.as_slice() else { panic!("{lines:#?}") };
    legal_answer(answer, &after(""));
    assert_eq!(bye, "bye");
    let mut host = Host::uci();
    host.say("go infinite\nquit");
    let (lines, _) = host.leave();
    legal_answer(lines.last().expect("an answer"), &after(""));
}

#[test]
fn empty_input_ends_the_program() {
    let mut host = Host::start();
    host.hang_up();
    let (lines, status) = host.leave();
    assert!(lines.is_empty() && status.success());
}

#[test]
fn closed_output_pipe_ends_the_program_quietly() {
    for go in ["", "go infinite\n", "perft 9\n"] {
        let mut child = program().stderr(std::process::Stdio::piped()).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"ucci\n").expect("the program listens");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while line != "ucciok\n" {
            line.clear();
            assert_ne!(output.read_line(&mut line).expect("text"), 0);
        }
        drop(output);
        let begun = Instant::now();
        input.write_all(go.as_bytes()).expect("the program listens");
        // A process that another test is just starting may hold our end of the pipe for a moment: ask again.
        while child.try_wait().expect("a child of ours").is_none() && begun.elapsed() < PATIENCE {
            let _ = input.write_all(b"isready\n");
            thread::sleep(Duration::from_millis(20));
        }
        let status = wait(&mut child);
        assert!(status.success(), "{go}: {status}");
        let mut complaints = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut complaints).expect("text");
        assert_eq!(complaints, "");
    }
}
