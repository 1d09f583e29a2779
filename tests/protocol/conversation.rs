//! Conversations that are written down: `tests/hosts` has those of real hosts, `tests/protocol` those about a subject.
//!
//! ```text
//! # a comment
//! start ucci                 another conversation: greeted so, without the opening book; `start` alone is a mute one
//! ranks 1-10                 the host counts ranks like this (default 0-9)
//! > text                     the host sends this
//! < pattern                  and waits for a line that matches: `*` is any text; earlier lines are skipped
//! without pattern            no line up to the end of the next wait matches this
//! ready                      the engine answers `isready`, and has neither moved nor told anything before
//! options > text             the host sends this for every option that was declared with a default
//! options but A B > text     … except for those whose declaration has one of these words
//! repeat N … end             the lines between, N times
//! for NAME … end             the lines between, for each of the values that lines with `-` name first; of several names
//!                            and their values ` | ` stands between them
//! reply                      the host plays the move that the engine expects, or any other
//! new game                   no move has been played yet
//! close                      the host sends no more
//! ```
//!
//! In the lines of the host `{moves}` are the moves played so far, `{best}` is the last one, `{all but A B}` are the other
//! legal moves, `{name}` and `{default}` an option's name and the first word of its default. In a pattern `{best}` is a
//! legal move, which is played, `{ponder}` a legal reply to it, `{pv}` a sequence of legal moves.
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
    /// Whether moves are searched although the host switches the book on.
    is_searched: bool,
    ranks: RankBase,
    /// The position, as the host has set it up.
    position: Position,
    moves: Vec<String>,
    expected: Option<String>,
    /// The declarations of the last greeting.
    options: Vec<String>,
    /// What the host has said last.
    said: String,
    /// What no line of the next wait may match.
    unwanted: Vec<String>,
}

/// Holds the conversations of a transcript. Those of hosts never take a move out of the book, which would end them.
pub fn hold(name: &str, text: &str, is_searched: bool) {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(str::to_string).collect();
    let mut talk = Talk {
        name: name.to_string(),
        host: None,
        is_searched,
        ranks: RankBase::Zero,
        position: Position::start(),
        moves: Vec::new(),
        expected: None,
        options: Vec::new(),
        said: String::new(),
        unwanted: Vec::new(),
    };
    talk.hold(&lines);
    talk.end();
}

impl Talk {
    fn hold(&mut self, lines: &[String]) {
        let mut index = 0;
        while index < lines.len() {
            let line = &lines[index];
            index += 1;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if !["repeat", "for"].contains(&word) {
                self.step(line);
                continue;
            }
            let body = &lines[index..index + block_length(&lines[index..])];
            index += body.len() + 1;
            let values = body.iter().map_while(|line| line.strip_prefix("- ")).collect::<Vec<_>>();
            if word == "repeat" {
                (0..rest.parse().expect("a number")).for_each(|_: usize| self.hold(body));
            }
            for value in &values {
                let pairs = rest.split(" | ").zip(value.split(" | ")).collect::<Vec<_>>();
                let fill = |line: &String| {
                    pairs.iter().fold(line.clone(), |line, (name, value)| line.replace(&format!("{{{name}}}"), value))
                };
                self.hold(&body[values.len()..].iter().map(fill).collect::<Vec<_>>());
            }
        }
    }

    fn step(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            (">", text) => self.say(text),
            ("<", pattern) => self.wait_for(pattern),
            ("start", greeting) => self.start(greeting),
            ("without", pattern) => self.unwanted.push(pattern.to_string()),
            ("ready", _) => self.is_ready(),
            ("options", rest) => self.set_options(rest),
            ("ranks", name) => self.ranks = RankBase::from_name(name).expect("a count of ranks"),
            ("reply", _) => self.reply(),
            ("new", "game") => self.moves.clear(),
            ("close", _) => self.host().hang_up(),
            _ => panic!("{}: what is '{line}'?", self.name),
        }
    }

    fn start(&mut self, greeting: &str) {
        self.end();
        self.host = Some(match greeting {
            "ucci" => Host::ucci(),
            "uci" => Host::uci(),
            _ => Host::start(),
        });
        (self.position, self.ranks) = (Position::start(), RankBase::Zero);
        self.moves.clear();
    }

    /// The engine ends, and says nothing that nobody has asked for.
    fn end(&mut self) {
        let Some(mut host) = self.host.take() else { return };
        host.hang_up();
        let (rest, status) = host.leave();
        assert!(status.success(), "{}: {status}", self.name);
        let loud = rest.iter().find(|line| line.starts_with("bestmove") || line.starts_with("info string"));
        assert_eq!(loud, None, "{}: said at the end, and nobody asked", self.name);
    }

    fn say(&mut self, text: &str) {
        let mut text = text.replace("{moves}", &self.moves.join(" "));
        text = text.replace("{best}", self.moves.last().map_or("", String::as_str));
        if let Some((head, tail)) = text.split_once("{all but ") {
            let (kept, tail) = tail.split_once('}').expect("a closing brace");
            let moves = self.position.legal_moves().into_iter().map(|mv| self.ranks.format_move(mv));
            let others = moves.filter(|mv| !kept.split(' ').any(|kept| kept == mv));
            text = format!("{head}{}{tail}", others.collect::<Vec<_>>().join(" "));
        }
        self.said.clone_from(&text);
        let setup = text.strip_prefix("position ").unwrap_or(&text);
        let setup = setup.strip_prefix("fen ").unwrap_or(setup);
        if text.starts_with("position ") || text.starts_with("fen ") || text.starts_with("startpos") {
            let read = PositionSpec::parse(setup).position_with(false, self.ranks);
            assert!(read.is_ok() || !self.is_searched, "{}: {text}: {read:?}", self.name);
            // What is refused leaves the old one.
            self.position = read.unwrap_or_else(|_| self.position.clone());
        }
        if self.is_searched {
            text = text.replace("setoption usebook true", "setoption usebook false");
        }
        self.host().say(&text);
        if self.is_searched && text == "ucci" {
            // The search output is needed here; without the book nothing else changes.
            self.host().say("setoption usebook false");
        }
    }

    /// Where the conversation is.
    fn place(&self) -> String {
        format!("{} after '{}'", self.name, self.said)
    }

    /// The next line of the engine.
    fn hear(&mut self, wanted: &str) -> String {
        let heard = self.host().hear();
        let line = heard.unwrap_or_else(|error| panic!("{}: no '{wanted}': {error}", self.place()));
        // Boards are for people.
        assert!(line.is_ascii() || !self.is_searched && !is_loud(&line), "{}: {line}", self.place());
        let unwanted = self.unwanted.iter().find(|pattern| holes(pattern, &line).is_some());
        assert_eq!(unwanted, None, "{}: {line}", self.place());
        line
    }

    fn wait_for(&mut self, pattern: &str) {
        loop {
            let line = self.hear(pattern);
            if line.starts_with("id ") {
                self.options.clear();
            }
            if line.starts_with("option ") {
                self.options.push(line.clone());
            }
            if self.fits(pattern, &line) {
                self.unwanted.clear();
                return;
            }
            // Hosts send options of other engines, and are told that there are none here.
            let is_expected = self.is_searched && line.contains(" there is no option '");
            let is_loud = is_loud(&line) && !is_expected;
            assert!(!is_loud, "{}: '{line}' where '{pattern}' was expected", self.place());
        }
    }

    fn is_ready(&mut self) {
        self.host().say("isready");
        loop {
            let line = self.hear("readyok");
            if line == "readyok" {
                return;
            }
            assert!(!is_loud(&line), "{}: '{line}' where nothing was to be said", self.place());
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
                assert!(played, "{}: '{text}' in '{line}' after {}", self.place(), self.position.fen());
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
        self.host.get_or_insert_with(Host::start)
    }
}

/// How many lines there are before the `end` of a block.
fn block_length(lines: &[String]) -> usize {
    let mut depth = 1;
    let is_end = |line: &String| {
        match line.split(' ').next().unwrap_or_default() {
            "repeat" | "for" => depth += 1,
            "end" => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    lines.iter().position(is_end).expect("an end")
}

/// Whether a host must not miss this line.
fn is_loud(line: &str) -> bool {
    ["info string", "info message", "bestmove", "nobestmove"].iter().any(|start| line.starts_with(start))
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

#[test]
fn pattern_placeholders_are_matched() {
    assert_eq!(holes("a*c", "abbc"), Some(vec![("", "bb")]));
    assert_eq!(holes("a*c", "abbd"), None);
    assert_eq!(holes("bestmove {best}", "bestmove h2e2"), Some(vec![("best", "h2e2")]));
    assert_eq!(holes("bestmove {best}", "bestmove h2e2 ponder h9g7"), None, "one word");
    assert_eq!(holes("bestmove {best}*", "bestmove h2e2 draw"), Some(vec![("best", "h2e2"), ("", " draw")]));
}

/// The transcripts, by name.
fn transcripts() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a transcript"))
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts");
    let files = std::fs::read_dir(folder).expect("transcripts").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "txt")).map(read).collect();
    found.sort();
    found
}

#[test]
fn transcripts_of_hosts_run_as_recorded() {
    for (name, text) in transcripts() {
        hold(&name, &text, true);
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

/// A test for each transcript.
macro_rules! subjects {
    ($($name:ident)*) => {
        $(#[test] fn $name() { hold(stringify!($name), include_str!(concat!(stringify!($name), ".txt")), false); })*
    };
}

subjects! {
    books games mates ranks rules thinking ucci uci
}
