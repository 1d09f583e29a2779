//! Runs the examples of the README and its pages, and checks that the Chinese pages show the same ones.
//!
//! Commands in blocks marked `sh` are run; a block marked `text` directly after one shows the output of its last
//! command. Other blocks marked `text` show what is not run (other engines), except for conversations, in which `>`
//! marks input: those are run. In the expected output `…` stands for the rest of a line, or alone for any lines.
#![cfg(unix)]

use crate::common::{Folder, answered};
use crate::transcripts::all_fit;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The README and the pages that continue it, in English and Chinese.
const PAGES: &str = "README docs/play docs/commands docs/arena docs/learn docs/scripts docs/leagues docs/options \
    docs/rules docs/levels docs/review docs/formats docs/book docs/tables docs/mates";

/// The pages with this ending.
fn pages(ending: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name| std::fs::read_to_string(root.join(format!("{name}{ending}"))).expect("a page");
    PAGES.split_whitespace().map(read).collect()
}

fn both_languages() -> [(String, &'static str); 2] {
    [(".md", "en"), (".zh-CN.md", "zh")].map(|(ending, language)| (pages(ending).join("\n"), language))
}

/// The commands of the blocks marked `sh`, without comments.
fn commands(readme: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            let command = line.split("  #").next().unwrap_or_default().trim();
            found.push(command.to_string());
        }
    }
    found
}

/// The blocks in order: the word that marks each, its lines, and whether it directly follows the one before.
fn blocks(readme: &str) -> Vec<(String, Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut open: Option<(String, Vec<String>, bool)> = None;
    let mut follows = false;
    for line in readme.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => {
                found.push(block);
                follows = true;
            }
            (Some(word), None) => open = Some((word.to_string(), Vec::new(), follows)),
            (None, Some(mut block)) => {
                block.1.push(line.to_string());
                open = Some(block);
            }
            (None, None) => follows &= line.is_empty(),
        }
    }
    found
}

/// Whether lines match the expected output; blanks before the sign for the rest of a line do not count.
fn is_as_shown(lines: &[&str], shown: &[&str]) -> bool {
    let pattern = |line: &&str| match line.strip_suffix('…') {
        Some(head) => format!("{}…", head.trim_end()),
        None => line.to_string(),
    };
    let patterns: Vec<String> = shown.iter().map(pattern).collect();
    all_fit(lines, &patterns.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Standard output and error of a command of the README in this folder, and its success. The program speaks the language
/// of the page, as it does at its reader's terminal.
fn run(place: &Folder, language: &str, command: &str, input: &str) -> (String, String, bool) {
    let program = Path::new(env!("CARGO_BIN_EXE_chuhe")).display();
    let folder = place.path(&format!("bin-{language}"));
    if !folder.exists() {
        std::fs::create_dir(&folder).expect("a folder");
        let script = folder.join("chuhe");
        // English is what a pipe gets without being asked.
        let option = if language == "en" { String::new() } else { format!("--lang {language}") };
        std::fs::write(&script, format!("#!/bin/sh\nexec '{program}' {option} \"$@\"\n")).expect("a script");
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("an executable script");
    }
    let folder = folder.display();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap_or_default()))
        .env_remove("CHUHE_LOG")
        .env("LC_ALL", "C")
        .current_dir(place.root());
    let output = answered(&mut shell, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // A test of a few games is undecided, which has a code of its own.
    (text(&output.stdout), text(&output.stderr), matches!(output.status.code(), Some(0 | 4)))
}

#[test]
fn readme_shows_the_same_commands_in_both_languages() {
    for (english, chinese) in pages(".md").iter().zip(pages(".zh-CN.md")) {
        assert_eq!(commands(english), commands(&chinese));
    }
}

#[test]
fn readme_shows_the_real_output_of_examples() {
    let place = Folder::new();
    for (page, language) in both_languages() {
        let mut shown = 0;
        let mut command = String::new();
        for (word, lines, follows) in blocks(&page) {
            if word == "sh" {
                command = lines.last().cloned().unwrap_or_default();
            } else if word == "text" && follows && !command.is_empty() {
                let (output, _, _) = run(&place, language, &command, "");
                let (lines, output) = (texts(&lines), output.lines().collect::<Vec<_>>());
                assert!(is_as_shown(&output, &lines), "{command} prints\n{}", output.join("\n"));
                shown += 1;
            }
            if word != "sh" {
                command.clear();
            }
        }
        assert!(shown > 0);
    }
}

fn texts(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[test]
fn readme_conversations_run_as_shown() {
    let place = Folder::new();
    for (page, language) in both_languages() {
        let is_conversation = |lines: &[String]| lines.first().is_some_and(|line| line.starts_with("> "));
        let mut held = 0;
        for (_, lines, _) in blocks(&page).into_iter().filter(|(_, lines, _)| is_conversation(lines)) {
            let (typed, shown): (Vec<&str>, Vec<&str>) = texts(&lines).iter().partition(|line| line.starts_with("> "));
            let typed: String = typed.iter().map(|line| format!("{}\n", &line[2..])).collect();
            // Input during a search would end it: batch mode delays it.
            let (output, told, _) = run(&place, language, "chuhe", &format!("setoption batch on\n{typed}"));
            let output: Vec<&str> = output.lines().collect();
            assert!(told.is_empty() && is_as_shown(&output, &shown), "{}", output.join("\n"));
            held += 1;
        }
        assert!(held > 0);
    }
}

#[test]
fn readme_examples_run() {
    for (page, language) in both_languages() {
        let examples: Vec<String> =
            commands(&page).into_iter().filter(|command| !command.starts_with("cargo ")).collect();
        assert!(examples.len() >= 10, "{examples:?}");
        let place = Folder::new();
        for example in examples {
            let (output, told, success) = run(&place, language, &example, "");
            assert!(success && told.is_empty(), "{language}: {example}: {told}");
            let is_quiet = example.contains(" --out ");
            assert!(is_quiet || !output.is_empty(), "{language}: {example} says nothing");
        }
    }
}

/// The paths that a text names: `docs/rules.md`.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    let words = text.split(move |letter| !is_path(letter)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| ["docs/", "crates/", "src/"].iter().any(|folder| word.starts_with(folder)))
}

#[test]
fn paths_in_the_help_exist_in_every_language() {
    chuhe::install_languages();
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut named = 0;
    for text in chuhe::cli::help_layout::texts(&program) {
        for shown in [text.as_str(), chuhe_support::language::Language::CHINESE.translate(&text)] {
            for path in named_paths(shown) {
                assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{path} in: {shown}");
                named += 1;
            }
        }
    }
    assert!(named > 3, "{named}");
}

#[test]
fn readme_is_short() {
    for ending in [".md", ".zh-CN.md"] {
        let page = &pages(ending)[0];
        assert!(page.lines().count() <= 90, "README{ending} has {} lines", page.lines().count());
    }
}
