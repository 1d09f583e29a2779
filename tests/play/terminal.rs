//! A user at a pseudo-terminal: types, and waits for output.

use crate::common::Folder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program, ready to be started at a terminal in a home folder.
pub fn at_home(home: &Folder, words: &[&str]) -> Command {
    let mut command = home.command(words);
    command.env("XDG_STATE_HOME", home.root()).env("TERM", "xterm").env("NO_COLOR", "1");
    command
}

/// A game, ready to be played there.
pub fn play(home: &Folder, arguments: &[&str]) -> Command {
    at_home(home, &[&["play"], arguments].concat())
}

/// Holds a conversation of a transcript, and returns the exit code; a program that was killed has none.
pub fn hold(command: &mut Command, lines: &[&str]) -> Option<i32> {
    let mut person = Person::start(command);
    for line in lines {
        match line.split_once(' ').unwrap_or((line, "")) {
            (">", text) => person.types(&format!("{text}\r")),
            ("!", signal) => person.signals(signal),
            ("^C", _) => person.types("\x03"),
            ("=", _) => &mut person,
            _ => person.sees(line),
        };
    }
    person.ends().code()
}

/// A conversation.
pub struct Person {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    /// Bytes of the output that were consumed so far.
    seen: usize,
}

impl Person {
    /// Starts `chuhe play` with these arguments.
    pub fn new(home: &Folder, arguments: &[&str]) -> Person {
        Person::start(&mut play(home, arguments))
    }

    /// Starts a program at a terminal of unknown size.
    pub fn start(command: &mut Command) -> Person {
        Person::start_before(command, 0)
    }

    /// Starts a program at a terminal with so many columns.
    pub fn start_before(command: &mut Command, columns: u16) -> Person {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("ours");
        unlockpt(&master).expect("open");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let path = Path::new(name.to_str().expect("text"));
        let rows = if columns == 0 { 0 } else { 50 };
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let slave = OpenOptions::new().read(true).write(true).open(path).expect("the other end");
        let end = || slave.try_clone().expect("an end");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("chuhe runs");
        // The command's handles would keep the terminal open after the child's exit.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().expect("an end");
        let (sender, screen) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Person { child, keyboard, screen, bytes: Vec::new(), seen: 0 }
    }

    fn unread(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.seen..]).into_owned()
    }

    /// Waits until this appears after the consumed output, and consumes it.
    pub fn sees(&mut self, wanted: &str) -> &mut Person {
        let begun = Instant::now();
        loop {
            let found = self.bytes[self.seen..].windows(wanted.len()).position(|bytes| bytes == wanted.as_bytes());
            if let Some(at) = found {
                self.seen += at + wanted.len();
                return self;
            }
            match self.screen.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.bytes.extend(bytes),
                Err(_) => assert!(begun.elapsed() < PATIENCE, "no '{wanted}' in\n{}", self.unread()),
            }
        }
    }

    /// Waits for the prompt of a side and types a line.
    pub fn at(&mut self, prompt: &str, line: &str) -> &mut Person {
        self.sees(prompt).types(&format!("{line}\r"))
    }

    /// Types keys.
    pub fn types(&mut self, keys: &str) -> &mut Person {
        self.keyboard.write_all(keys.as_bytes()).expect("a keyboard");
        self
    }

    /// Sends a signal, by its name for `kill`.
    pub fn signals(&mut self, name: &str) -> &mut Person {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill");
        assert!(status.success());
        self
    }

    /// Waits for the exit, and returns everything that was shown.
    pub fn shown(&mut self) -> String {
        self.ends();
        while let Ok(bytes) = self.screen.recv_timeout(PATIENCE) {
            self.bytes.extend(bytes);
        }
        String::from_utf8(self.bytes.clone()).expect("text")
    }

    /// Waits for the exit.
    pub fn ends(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        // A failed test leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
