//! How a conversation ends when nobody reads any more.

use super::host::{PATIENCE, program, wait};
use std::io::{BufRead, BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

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
