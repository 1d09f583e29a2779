//! Conversations of real hosts: `tests/hosts` has a transcript for each, `docs/hosts.md` describes them.
//!
//! ```text
//! # a comment
//! ranks 1-10                 the host counts ranks like this (default 0-9)
//! > text                     the host sends this
//! < pattern                  and waits for a line that matches: `*` is any text; earlier lines are skipped
//! options > text             the host sends this for every option that was declared with a default
//! options but A B > text     … except for those whose declaration has one of these words
//! repeat N … end             the lines between, N times
//! reply                      the host plays the move that the engine expects, or any other
//! new game                   no move has been played yet
//! ```
//!
//! In the lines of the host `{moves}` are the moves played so far, `{name}` and `{default}` an option's name and the
//! first word of its default. In a pattern `{best}` is a legal move, which is played, `{ponder}` a legal reply to it,
//! `{pv}` a sequence of legal moves.
//!
//! In addition, every line of the engine must be ASCII, no answer may be skipped, there are no messages that the host
//! does not wait for, and the engine must exit cleanly.

use super::host::Host;
use std::path::{Path, PathBuf};
use xiangqi::Position;
use xiangqi_record::{PositionSpec, RankBase};

/// A conversation in progress.
struct Talk {
    name: String,
    host: Option<Host>,
    ranks: RankBase,
    /// The position, as the host has set it up.
    position: Position,
    moves: Vec<String>,
    expected: Option<String>,
    /// The declarations of the last greeting.
    options: Vec<String>,
}

impl Talk {
    fn hold(&mut self, lines: &[&str]) {
        let mut index = 0;
        while index < lines.len() {
            let line = lines[index];
            index += 1;
            if let Some(count) = line.strip_prefix("repeat ") {
                let length = lines[index..].iter().position(|line| *line == "end").expect("an end");
                let count: usize = count.parse().expect("a number");
                (0..count).for_each(|_| self.hold(&lines[index..index + length]));
                index += length + 1;
            } else {
                self.step(line);
            }
        }
    }

    fn step(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            (">", text) => self.say(text),
            ("<", pattern) => self.wait_for(pattern),
            ("options", rest) => self.set_options(rest),
            ("ranks", name) => self.ranks = RankBase::from_name(name).expect("a count of ranks"),
            ("reply", _) => self.reply(),
            ("new", "game") => self.moves.clear(),
            _ => panic!("{}: what is '{line}'?", self.name),
        }
    }

    fn say(&mut self, text: &str) {
        let text = text.replace("{moves}", &self.moves.join(" "));
        let setup = text.strip_prefix("position ").unwrap_or(&text);
        let setup = setup.strip_prefix("fen ").unwrap_or(setup);
        if text.starts_with("position ") || text.starts_with("fen ") || text.starts_with("startpos") {
            let read = PositionSpec::parse(setup).position_with(false, self.ranks);
            self.position = read.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.name));
        }
        let text = text.replace("setoption usebook true", "setoption usebook false");
        self.host().say(&text);
        if text == "ucci" {
            // The search output is needed here; without the book nothing else changes.
            self.host().say("setoption usebook false");
        }
    }

    fn wait_for(&mut self, pattern: &str) {
        loop {
            let line = self.host().hear();
            assert!(line.is_ascii(), "{}: {line}", self.name);
            if line.starts_with("id ") {
                self.options.clear();
            }
            if line.starts_with("option ") {
                self.options.push(line.clone());
            }
            if self.fits(pattern, &line) {
                return;
            }
            for loud in ["info string", "info message", "bestmove", "nobestmove"] {
                // Hosts send options of other engines, and are told that there are none here.
                let is_expected = line.contains(" there is no option '");
                assert!(
                    is_expected || !line.starts_with(loud),
                    "{}: '{line}' where '{pattern}' was expected",
                    self.name
                );
            }
        }
    }

    /// Whether the line matches the pattern. An illegal move in the line is an error anywhere.
    fn fits(&mut self, pattern: &str, line: &str) -> bool {
        let Some(found) = holes(pattern, line) else { return false };
        let mut position = self.position.clone();
        for (hole, text) in found {
            let mut play = |text: &str| {
                let mv = self.ranks.parse_move(text);
                let played = mv.is_some_and(|mv| position.play(mv).is_ok());
                assert!(played, "{}: '{text}' in '{line}' after {}", self.name, self.position.fen());
            };
            match hole {
                "best" => {
                    play(text);
                    self.moves.push(text.to_string());
                    self.expected = None;
                }
                "ponder" => {
                    play(text);
                    self.expected = Some(text.to_string());
                }
                "pv" => text.split_whitespace().for_each(play),
                _ => {}
            }
        }
        true
    }

    fn set_options(&mut self, rest: &str) {
        let (but, text) = rest.split_once("> ").expect("what to say");
        let but: Vec<&str> = but.split_whitespace().skip(1).collect();
        for line in self.options.clone() {
            let (head, tail) = line.split_once(" type ").expect("a declaration");
            let Some((_, default)) = tail.split_once("default ") else { continue };
            if but.iter().any(|word| line.contains(word)) {
                continue;
            }
            let head = head.trim_start_matches("option ");
            let name = head.strip_prefix("name ").unwrap_or(head);
            let default = default.split_whitespace().next().unwrap_or_default();
            self.say(&text.replace("{name}", name).replace("{default}", default));
        }
    }

    /// The host's own move.
    fn reply(&mut self) {
        let setup = self.moves.last().expect("a move to reply to");
        let mut position = self.position.clone();
        position.play(self.ranks.parse_move(setup).expect("a move")).expect("it was legal");
        let any = || position.legal_moves().into_iter().next().map(|mv| self.ranks.format_move(mv));
        let reply = self.expected.take().or_else(any).expect("a game that goes on");
        self.moves.push(reply);
    }

    fn host(&mut self) -> &mut Host {
        self.host.as_mut().expect("a conversation")
    }
}

/// The text at the placeholders of a pattern, `*` or `{word}`; `None` if the rest does not match.
fn holes<'a>(pattern: &'a str, line: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let Some(at) = pattern.find(['*', '{']) else { return (pattern == line).then(Vec::new) };
    let rest = line.strip_prefix(&pattern[..at])?;
    let (hole, behind) = match pattern[at..].strip_prefix('{') {
        None => ("", &pattern[at + 1..]),
        Some(named) => named.split_once('}').expect("a closing brace"),
    };
    // A move is one word; other text may have any length, also zero.
    let is_move = hole == "best" || hole == "ponder";
    let most = if is_move { rest.find(' ').unwrap_or(rest.len()) } else { rest.len() };
    let ends = (0..=most).filter(|&end| rest.is_char_boundary(end) && !(is_move && end < most));
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let mut found = vec![(hole, &rest[..end])];
        found.extend(holes(behind, &rest[end..])?);
        Some(found)
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts")
}

/// The transcripts, by name.
fn transcripts() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a transcript"))
    };
    let entries = std::fs::read_dir(folder()).expect("transcripts");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "txt")).map(read).collect();
    found.sort();
    found
}

#[test]
fn transcripts_of_hosts_run_as_recorded() {
    for (name, text) in transcripts() {
        let lines: Vec<&str> =
            text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let mut talk = Talk {
            name,
            host: Some(Host::start()),
            ranks: RankBase::Zero,
            position: Position::start(),
            moves: Vec::new(),
            expected: None,
            options: Vec::new(),
        };
        talk.hold(&lines);
        let mut host = talk.host.take().expect("a conversation");
        host.hang_up();
        let (rest, status) = host.leave();
        assert!(status.success(), "{}: {status}", talk.name);
        let loud = rest.iter().find(|line| line.starts_with("bestmove") || line.starts_with("info string"));
        assert_eq!(loud, None, "{}: said at the end, and nobody asked", talk.name);
    }
}

#[test]
fn transcripts_are_named_in_the_host_page() {
    let page = include_str!("../../docs/hosts.md");
    let names: Vec<String> = transcripts().into_iter().map(|(name, _)| name).collect();
    assert!(names.len() >= 15);
    for name in names {
        assert!(page.contains(&format!("`{}`", name.trim_end_matches(".txt"))), "docs/hosts.md on {name}");
    }
}

#[test]
fn pattern_placeholders_are_matched() {
    assert_eq!(holes("a*c", "abbc"), Some(vec![("", "bb")]));
    assert_eq!(holes("a*c", "abbd"), None);
    assert_eq!(holes("bestmove {best}", "bestmove h2e2"), Some(vec![("best", "h2e2")]));
    assert_eq!(holes("bestmove {best}", "bestmove h2e2 ponder h9g7"), None, "one word");
    assert_eq!(holes("bestmove {best}*", "bestmove h2e2 draw"), Some(vec![("best", "h2e2"), ("", " draw")]));
}
