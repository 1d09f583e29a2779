//! A host for tests: starts the program, sends and receives lines, and never waits for ever.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for any answer, even on a loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A conversation with the program.
pub struct Host {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Host {
    /// Starts the program and sends nothing.
    pub fn start() -> Host {
        let mut child = program().spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            // A host that has sent GBK is answered in GBK.
            for line in output.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Host { child, input, lines }
    }

    /// Starts a conversation in UCCI without an opening book, so that moves are searched.
    pub fn ucci() -> Host {
        let mut host = Host::start();
        host.ask("ucci", "ucciok");
        host.say("setoption usebook false");
        host
    }

    /// Starts a conversation in UCI.
    pub fn uci() -> Host {
        let mut host = Host::start();
        host.ask("uci", "uciok");
        host
    }

    /// Sends one or several lines.
    pub fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends these bytes. It is not an error if the program has exited.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// The next line.
    pub fn hear(&mut self) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(PATIENCE)
    }

    /// Reads up to the first line that begins with one of these words; returns all lines, that one last.
    pub fn listen_for(&mut self, ends: &[&str]) -> Vec<String> {
        let begun = Instant::now();
        let mut heard = Vec::new();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(error) => panic!("no line beginning with {ends:?} ({error}) after {heard:#?}"),
            };
            let found = ends.iter().any(|end| line.split_whitespace().next() == Some(end));
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    /// Sends lines and reads up to the answer.
    pub fn ask(&mut self, text: &str, end: &str) -> Vec<String> {
        self.say(text);
        self.listen_for(&[end])
    }

    /// Sends lines and returns the following `bestmove` or `nobestmove` line.
    pub fn best(&mut self, text: &str) -> String {
        self.say(text);
        last(&self.listen_for(&["bestmove", "nobestmove"]))
    }

    /// All output up to the answer to `isready`.
    pub fn pause(&mut self) -> Vec<String> {
        let mut heard = self.ask("isready", "readyok");
        heard.pop();
        heard
    }

    /// Closes the input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the exit; returns the remaining output and the exit status.
    pub fn leave(mut self) -> (Vec<String>, ExitStatus) {
        let heard = self.lines.iter().collect();
        (heard, wait(&mut self.child))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends everything at once, closes the input, and returns the output.
pub fn script(input: &[u8]) -> String {
    let mut child = program().spawn().expect("the program starts");
    let mut writer = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // On a thread of its own: the program may answer before it has read everything.
    let feeder = thread::spawn(move || writer.write_all(&input));
    let mut reader = child.stdout.take().expect("a pipe");
    let listener = thread::spawn(move || {
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the program writes UTF-8");
        text
    });
    let status = wait(&mut child);
    let text = listener.join().expect("the listener ends");
    let _ = feeder.join().expect("the feeder ends");
    assert!(status.success(), "{status} after\n{text}");
    text
}

/// Waits for the exit of a program.
pub fn wait(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program does not leave");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The program, with pipes. The variable `CHUHE_TEST_ENGINE` has conversations held with another one, such as the same
/// engine in WebAssembly: its words, with blanks between them.
pub fn program() -> Command {
    let mut command = match std::env::var("CHUHE_TEST_ENGINE") {
        Err(_) => crate::common::command(&[]),
        Ok(words) => {
            let mut words = words.split_whitespace();
            let mut command = Command::new(words.next().expect("a program"));
            command.args(words);
            command
        }
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

/// The last line.
pub fn last(lines: &[String]) -> String {
    lines.last().cloned().expect("a line")
}

/// How many lines begin with this word.
pub fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split_whitespace().next() == Some(word)).count()
}

/// The word after another one.
pub fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|next| *next != word).nth(1)
}

/// The position after these moves.
pub fn after(moves: &str) -> xiangqi::Position {
    let mut position = xiangqi::Position::start();
    for text in moves.split_whitespace() {
        position.play(text.parse().expect("a move")).expect("a legal move");
    }
    position
}

/// Asserts that a `bestmove` line names a legal move; returns the move.
pub fn legal_answer(line: &str, position: &xiangqi::Position) -> String {
    let text = word_after(line, "bestmove").unwrap_or_else(|| panic!("no move in '{line}'"));
    assert!(position.legal_moves().contains(&text.parse().expect("a move")), "{line} in {}", position.fen());
    text.to_string()
}
