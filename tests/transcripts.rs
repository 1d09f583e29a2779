//! What a person or a script types, and what comes of it: a transcript for each subject in `tests/transcripts`.
//!
//! ```text
//! # A heading begins in an empty folder.
//! Other text at the margin is for the reader. What is indented by two blanks is run and compared:
//!
//!   $ LC_ALL=zh_CN.UTF-8 chuhe judge 'games of two.pgn' < input > output
//!   > a line of the input, instead of `< input`
//!   a line of what is said, unless `> output` keeps it
//!   ! a line of the standard error
//!   = the exit code, unless it is 0
//! ```
//!
//! `…` in a line stands for any text, and alone for any lines; empty lines do not count. Beside `chuhe` there are `cat`,
//! `cmp`, `cp`, `ls`, `mkdir`, `rm`, `count TEXT FILE` (how often a file has a text), `has FILE` and `lacks FILE`, which
//! print the lines of the input that do not stand in a file or that do, `print TEXT`, `repeat COUNT TEXT`, and `cut BYTES
//! FILE`, which takes the last bytes of a file away. `terminal chuhe …` is a conversation at a terminal, line by line: what
//! is seen, `>` before what is typed, `^C`, and `!` before a signal. `{chuhe}` is the path of the program, `{repository}`
//! that of its sources; `NAMED` has what stands for other text.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test transcripts` writes what is said today into steps that do not match.

use crate::common::{CHUHE, Folder, answered};
use std::fs;
use std::path::PathBuf;

/// A command with what belongs to it.
struct Step<'a> {
    command: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Step<'a> {
    /// The lines that begin with this sign, without it.
    fn lines(&self, sign: &str) -> Vec<&'a str> {
        let own = self.rest.iter().filter(|line| sign_of(line) == sign);
        own.map(|line| line.get(2..).unwrap_or_default()).collect()
    }

    fn said(&self) -> Vec<&'a str> {
        let is_said = |line: &&&str| !line.is_empty() && !["!", ">", "="].contains(&sign_of(line));
        self.rest.iter().filter(is_said).copied().collect()
    }

    /// What the command writes, its errors, and its exit code.
    fn run(&self, folder: &Folder) -> (Vec<u8>, String, i32) {
        let mut words = words(self.command);
        let mut input = self.lines(">").iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes();
        let mut output = None;
        for sign in ["<", ">", ">>"] {
            let Some(position) = words.iter().position(|word| word == sign) else { continue };
            let path = folder.path(&words.remove(position + 1));
            words.remove(position);
            match sign {
                "<" => input = fs::read(&path).expect("an input"),
                ">" => output = Some((Vec::new(), path)),
                _ => output = Some((fs::read(&path).unwrap_or_default(), path)),
            }
        }
        let mut parts = words.iter().map(String::as_str).collect::<Vec<_>>();
        let variables = parts.iter().take_while(|word| word.contains('=')).count();
        let variables: Vec<_> = parts.drain(..variables).filter_map(|word| word.split_once('=')).collect();
        let (mut said, errors, code) = match parts[..] {
            #[cfg(unix)]
            ["terminal", "chuhe", ref words @ ..] => {
                let mut command = crate::play::terminal::at_home(folder, words);
                let code = crate::play::terminal::hold(command.envs(variables), &self.rest);
                // What was to be seen has been seen, or the test has failed.
                (self.said().join("\n").into_bytes(), self.lines("!").join("\n"), code.unwrap_or(-1))
            }
            ["chuhe", ref words @ ..] => {
                let output =
                    answered(folder.command(words).env("XDG_STATE_HOME", folder.root()).envs(variables), &input);
                let errors = String::from_utf8_lossy(&output.stderr).into_owned();
                (output.stdout, errors, output.status.code().unwrap_or(-1))
            }
            _ => (beside(folder, &parts, input), String::new(), 0),
        };
        if let Some((before, path)) = output {
            fs::write(path, [before, said].concat()).expect("an output");
            said = Vec::new();
        }
        (said, errors, code)
    }
}

/// The first word of a line.
fn sign_of(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// What a command other than `chuhe` writes.
fn beside(folder: &Folder, words: &[&str], input: Vec<u8>) -> Vec<u8> {
    let read = |name: &&str| fs::read(folder.root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    match *words {
        ["cat"] => return input,
        ["cat", ref names @ ..] => return names.iter().flat_map(read).collect(),
        ["cmp", one, other] if read(&one) != read(&other) => return b"They differ.".to_vec(),
        ["cmp", ..] => {}
        ["cp", from, to] => fs::write(folder.path(to), read(&from)).expect("a copy"),
        ["cut", count, name] => {
            let bytes = read(&name);
            let rest = bytes.len() - count.parse::<usize>().expect("a number");
            folder.write(name, &bytes[..rest]);
        }
        ["count", text, name] => {
            return String::from_utf8_lossy(&read(&name)).matches(text).count().to_string().into_bytes();
        }
        [word @ ("has" | "lacks"), name] => {
            let (text, wanted) = (read(&name), String::from_utf8(input).expect("text"));
            let text = String::from_utf8_lossy(&text);
            let wrong = wanted.lines().filter(|line| text.contains(line) != (word == "has"));
            return wrong.collect::<Vec<_>>().join("\n").into_bytes();
        }
        ["ls"] => return folder.names().join("\n").into_bytes(),
        ["ls", name] => {
            let entries = fs::read_dir(folder.path(name)).expect("a folder").flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            return names.join("\n").into_bytes();
        }
        ["mkdir", name] => fs::create_dir_all(folder.path(name)).expect("a folder"),
        ["print", text] => return text.as_bytes().to_vec(),
        ["repeat", count, text] => return text.repeat(count.parse().expect("a number")).into_bytes(),
        ["rm", name] => fs::remove_file(folder.path(name)).expect("a file"),
        _ => panic!("{words:?} is no command of transcripts"),
    }
    Vec::new()
}

/// What stands in a transcript for other text.
const NAMED: [(&str, &str); 6] =
    [("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\0", "\0"), ("\\e", "\x1b"), ("\\ufeff", "\u{feff}")];

/// The words of a line, as a shell splits them.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let split = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    });
    // Slashes are good on every system, also where backslashes would mean something else.
    let paths = [("{chuhe}", CHUHE), ("{repository}", env!("CARGO_MANIFEST_DIR"))];
    let paths = paths.map(|(name, path)| (name, path.replace('\\', "/")));
    let named = |word: String| {
        let word = NAMED.iter().fold(word, |word, (name, text)| word.replace(name, text));
        paths.iter().fold(word, |word, (name, path)| word.replace(name, path))
    };
    split.map(named).collect()
}

/// Whether a line is as expected; `…` stands for any text.
fn fits(line: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('…').collect();
    let [head, middle @ .., tail] = &parts[..] else { return line == pattern };
    let rest = middle.iter().try_fold(line.strip_prefix(head), |rest, part| {
        rest.map(|rest| rest.split_once(part).map(|(_, behind)| behind))
    });
    rest.flatten().is_some_and(|rest| rest.ends_with(tail))
}

/// Whether lines are as expected; `…` alone stands for any lines.
pub fn all_fit(lines: &[&str], patterns: &[&str]) -> bool {
    let begins = |lines: &[&str], patterns: &[&str]| {
        lines.len() >= patterns.len() && lines.iter().zip(patterns).all(|(line, pattern)| fits(line, pattern))
    };
    let parts: Vec<&[&str]> = patterns.split(|pattern| pattern.trim() == "…").collect();
    let [head, middle @ .., tail] = &parts[..] else { return lines.len() == patterns.len() && begins(lines, patterns) };
    if !begins(lines, head) {
        return false;
    }
    let mut rest = &lines[head.len()..];
    for part in middle {
        let Some(at) = (0..=rest.len()).find(|&at| begins(&rest[at..], part)) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= tail.len() && begins(&rest[rest.len() - tail.len()..], tail)
}

/// A line with `…` for what differs from run to run in JSON: times, and the version of the program.
fn without_measurements(line: &str) -> String {
    let names = ["time_ms\":", "nps\":", "time\":", "seconds\":", "generator\":\"Chuhe "];
    names.iter().fold(line.to_string(), |line, name| {
        let mut parts = line.split(name);
        let mut scrubbed = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let length = part.find(['"', ',', '}', '\n']).unwrap_or(part.len());
            scrubbed += &format!("{name}…{}", &part[length..]);
        }
        scrubbed
    })
}

fn path_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(format!("{name}.txt"))
}

/// Runs a transcript, and reports every step that does not match.
fn run(name: &str) {
    let text = fs::read_to_string(path_of(name)).expect("a transcript").replace('\r', "");
    let lines: Vec<&str> = text.lines().collect();
    let (mut folder, mut written, mut failures) = (Folder::new(), String::new(), Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let (line, number) = (lines[at], at + 1);
        written += &format!("{line}\n");
        at += 1;
        if line.starts_with("# ") {
            folder = Folder::new();
        }
        let Some(command) = line.strip_prefix("  $ ") else { continue };
        let rest =
            lines[at..].iter().map_while(|line| line.strip_prefix("  ")).take_while(|line| !line.starts_with("$ "));
        let step = Step { command, rest: rest.map(str::trim_end).collect() };
        let (said, errors, code) = step.run(&folder);
        let said = String::from_utf8_lossy(&said).into_owned();
        let full =
            |text: &str| text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_string).collect();
        let (said, errors): (Vec<String>, Vec<String>) = (full(&said), full(&errors));
        let expected_code = step.lines("=").first().map_or(0, |code| code.parse().expect("an exit code"));
        let is_right = |lines: &[String], patterns: &[&str]| {
            all_fit(&lines.iter().map(String::as_str).collect::<Vec<_>>(), patterns)
        };
        let is_right = code == expected_code && is_right(&said, &step.said()) && is_right(&errors, &step.lines("!"));
        let mut found: Vec<String> = said.iter().map(|line| without_measurements(line)).collect();
        found.extend(errors.iter().map(|line| format!("! {line}")));
        found.extend((code != 0).then(|| format!("= {code}")));
        if !is_right {
            let place = format!("{}:{number}: {command}", path_of(name).display());
            let expected = step.rest.iter().filter(|line| sign_of(line) != ">").copied().collect::<Vec<_>>();
            let first = found.iter().zip(&expected).find(|(found, expected)| !fits(found, expected));
            let first = first.map_or(String::new(), |(found, expected)| format!("first {found}\n  not {expected}\n"));
            failures.push(format!("{place}\n{first}expected:\n{}\nfound:\n{}", expected.join("\n"), found.join("\n")));
        }
        let kept: Vec<String> = step.rest.iter().map(|line| line.to_string()).collect();
        let input = kept.iter().filter(|line| sign_of(line) == ">").cloned().collect::<Vec<_>>();
        for line in if is_right { kept } else { [input, found].concat() } {
            written += &format!("  {line}\n");
        }
        at += step.rest.len();
    }
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(path_of(name), written).expect("the transcript");
    } else {
        assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    }
}

/// A test for each transcript, and one that none is missing.
macro_rules! transcripts {
    ($($(#[$attribute:meta])* $name:ident)*) => {
        $($(#[$attribute])* #[test] fn $name() { run(stringify!($name)); })*

        #[test]
        fn every_transcript_is_run() {
            let entries = fs::read_dir(path_of("x").parent().expect("a folder")).expect("transcripts").flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            assert_eq!(names, [$(concat!(stringify!($name), ".txt")),*]);
        }
    };
}

transcripts! {
    analyse arena books command_line convert explore judge languages learn logs mates outputs pictures #[cfg(unix)] play repertoire review scripts show tables tactics
    #[cfg(unix)] terminal
}

#[test]
fn any_text_and_any_lines_fit_their_sign() {
    assert!(fits("written: a.svg", "written: …") && fits("a b c", "a…c") && !fits("a b c", "a…b"));
    assert!(
        all_fit(&["a", "b", "c"], &["…", "c"]) && all_fit(&["a"], &["a", "…"]) && !all_fit(&["a", "b"], &["…", "a"])
    );
}
