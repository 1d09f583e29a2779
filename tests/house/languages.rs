//! Whoever reads Chinese finds all of it in Chinese: help, complaints, a game at the terminal.

use crate::common::{Folder, refusal, stdout, success};
use chuhe::language::Language;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Whether a line has words that somebody may want to read in his own language.
fn has_words(line: &str) -> bool {
    line.split(|letter: char| !letter.is_alphabetic()).any(|word| word.len() > 2 && word.is_ascii())
}

fn is_chinese(letter: char) -> bool {
    ('\u{4e00}'..'\u{a000}').contains(&letter)
}

#[test]
fn all_help_is_in_chinese_too() {
    let mut program = chuhe::cli::command::english();
    program.build();
    let mut texts = chuhe::cli::help::texts(&program);
    assert!(texts.len() > 300, "{}", texts.len());
    texts.retain(|text| has_words(text) && Language::CHINESE.translation(text) == text);
    texts.sort();
    texts.dedup();
    assert!(texts.is_empty(), "not in chinese.txt:\n{}", texts.join("\n"));
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The literals that begin the calls of this macro in a source, as they stand there.
fn templates(source: &str, name: &str) -> Vec<String> {
    let call = format!("{name}!(");
    let calls = source.match_indices(&call).map(|(at, call)| (at, &source[at + call.len()..]));
    // A longer name that ends alike is another macro.
    let own = calls
        .filter(|(at, _)| !source[..*at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'));
    own.filter_map(|(_, behind)| behind.trim_start().strip_prefix('"')).map(unescaped).collect()
}

/// A literal up to its quotation mark, as the compiler reads it.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut letters = literal.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('\n') => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

/// The holes of a template or a translation, in order of their names.
fn holes(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        text.split('{').skip(1).filter_map(|behind| behind.split('}').next()).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_template_is_in_the_table_with_the_same_holes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in files(&source).iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        let text = fs::read_to_string(file).expect("a source");
        // What a comment says is an example.
        let text: String = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
        for template in ["tr", "phrase"].iter().flat_map(|name| templates(&text, name)) {
            let translation = Language::CHINESE.translation(&template);
            if has_words(&template) && translation == template {
                wrong.push(format!("not in chinese.txt: {template}"));
            } else if holes(&template) != holes(translation) {
                wrong.push(format!("other holes: {template}: {translation}"));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn help_and_complaints_speak_the_language_of_the_reader() {
    let folder = Folder::new();
    let in_chinese =
        |words: &[&str]| folder.command(words).env("LC_ALL", "zh_CN.UTF-8").output().expect("chuhe runs");
    for help in
        [vec!["--help"], vec!["help", "perft"], vec!["tables", "build", "-h"], vec!["arena", "--help"]]
    {
        let text = success(&in_chinese(&help));
        assert!(text.contains("用法：") && text.contains("选项") && !text.contains("Usage"), "{text}");
        assert!(!text.contains("[default") && !text.contains("[possible"), "{text}");
    }
    assert_eq!(refusal(&in_chinese(&["perft", "3", "--depht", "1"])).lines().count(), 1);
    let told = refusal(&in_chinese(&["perft", "3", "--fen", "4k4/9/9/9/9/9/9/9/9/9 w"]));
    assert_eq!(told, "chuhe: FEN 棋盘：红方没有将\n");
    let told = refusal(&in_chinese(&["book", "show", "--book", "nowhere.chb"]));
    assert!(told.starts_with("chuhe: “nowhere.chb”读不出来："), "{told}");
    let told = refusal(&in_chinese(&["convert", "nowhere.xqf", "--to", "pgn"]));
    assert!(told.starts_with("chuhe: nowhere.xqf：") && told.chars().any(is_chinese), "{told}");
    // What is asked for goes before what the system says, in both directions.
    let words = ["perft", "3", "--fen", "9 w", "--lang"];
    let english = refusal(&in_chinese(&[&words[..], &["en"]].concat()));
    assert_eq!(english, "chuhe: FEN board: expected 10 ranks, found 1\n");
    let chinese = refusal(&folder.chuhe(&[&words[..], &["zh"]].concat()));
    assert_eq!(chinese, "chuhe: FEN 棋盘：应有 10 行，实有 1 行\n");
    // What scripts read from a pipe stays English, unless they ask for something else.
    let fen = "4k4/4a4/4b4/9/9/9/9/9/4C4/3AK4 w";
    assert!(success(&in_chinese(&["tables", "probe", fen])).contains("win for the side to move"));
    assert!(success(&folder.chuhe(&["tables", "probe", fen, "--lang", "zh"])).contains("轮走方"));
    assert!(stdout(&in_chinese(&["judge"])).starts_with("ongoing"));
    // JSON is JSON, and records keep their bytes.
    let json = ["tables", "probe", fen, "--json"];
    assert_eq!(
        success(&folder.chuhe(&json)),
        success(&folder.chuhe(&[&json[..], &["--lang", "zh"]].concat()))
    );
    let gbk = ["convert", "game.pgn", "--to", "pgn", "--encoding", "gbk"];
    folder.write("game.pgn", "[Red \"red\"]\n[Result \"1-0\"]\n\n1. 炮二平五 {over} 1-0\n");
    let plain = folder.chuhe(&gbk).stdout;
    assert!(!plain.is_empty() && plain == folder.chuhe(&[&gbk[..], &["--lang", "zh"]].concat()).stdout);
}

#[test]
fn a_game_at_the_terminal_is_in_chinese() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["play", "--level", "1", "--lang", "zh"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("chuhe runs");
    let script = "help\nhint\nmoves\n炮二平五\nh2e2\nundo\nlevel 3\nlevel 99\nnew blue\nclock\nsave\neval\ndraw\nresign\nc3c4\nquit\n";
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("read");
    let text = success(&child.wait_with_output().expect("an end"));
    assert!(text.contains("您执红方") && text.contains("提示：") && text.contains("红方认输。"), "{text}");
    let english: Vec<&str> = text
        .lines()
        .filter(|line| has_words(line) && !line.chars().any(is_chinese))
        .filter(|line| !line.contains("rnbakabnr") && !line.contains("网络"))
        .collect();
    assert!(english.is_empty(), "not in chinese.txt:\n{}", english.join("\n"));
}
