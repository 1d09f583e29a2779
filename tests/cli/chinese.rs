//! In Chinese, everything is in Chinese: no line of the help, the errors, a game at the terminal or a review mixes two
//! languages, except for what is the same in all: names, commands, options, paths, notations.

use crate::common::{Folder, answered, stderr, stdout};
use clap::Command;
use std::collections::BTreeSet;
use std::process::Output;

/// Words that are not English: names of formats, protocols, programs and rule sets, and keywords of files and records.
const NAMES: &str = "
    WebP allow alpha always arena Arena arg asian ask attackers auto banmoves bash batch before beta black
    bookfiles both bye cbr CCBridgeLibrary Chinese Chuhe chuhe clock cmd computer config core Ctrl cxa
    cycle debug decay depth DhtmlXQ dir docs draw duel egtbpaths elo Elo engine EPD epochs error eval exponent
    fastchess
    fairy false features fen FEN flip forbid from games gbk hidden hint idle info journal
    knowledge lambda league level limit loses loss man mirrored moves movetime name never new nodes none
    off one ongoing option own pieces plain PlayOK proto pruning quit randomness ranks rate red resign
    review rows rules save scale score searchmoves seed six skill sqlite startpos stockfish string study
    style Tab table TablesPath three tiantian time trace true tune ucci uci undo utf Vietnamese warmup warn win xboard
    xiangqi zsh
";

/// English words in a line of output. Quoted text, paths, options and numbers belong to no language.
fn foreign<'a>(line: &'a str, known: &BTreeSet<String>) -> Vec<&'a str> {
    let mut bare: Vec<&str> = Vec::new();
    let mut rest = line;
    // Quoted text was typed, or is to be typed.
    while let Some(at) = rest.find(['“', '`', '\'', '<', '"']) {
        bare.push(&rest[..at]);
        let open = rest[at..].chars().next().unwrap_or(' ');
        let close = match open {
            '“' => '”',
            '<' => '>',
            same => same,
        };
        let behind = &rest[at + open.len_utf8()..];
        rest = behind.split_once(close).map_or("", |(_, behind)| behind);
    }
    bare.push(rest);
    let is_apart = |letter: char| {
        letter.is_whitespace() || "：，。；、（）［］！？()[],;:|…".contains(letter) || is_chinese(letter)
    };
    let words = bare.into_iter().flat_map(|piece| piece.split(is_apart));
    let is_english = |word: &&str| {
        let plain = word.trim_end_matches('.');
        plain.len() > 2
            && plain.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '\'')
            && plain.chars().any(|letter| letter.is_ascii_lowercase())
            && !known.contains(plain)
    };
    words.filter(is_english).collect()
}

fn is_chinese(letter: char) -> bool {
    ('\u{4e00}'..'\u{a000}').contains(&letter)
}

/// Everything that can be typed: commands, options, values, and value names.
fn typed(command: &Command, found: &mut BTreeSet<String>) {
    found.insert(command.get_name().to_string());
    for arg in command.get_arguments() {
        found.insert(arg.get_id().to_string());
        found.extend(arg.get_long().map(str::to_string));
        found.extend(arg.get_possible_values().iter().map(|value| value.get_name().to_string()));
    }
    command.get_subcommands().for_each(|inner| typed(inner, found));
}

fn known() -> BTreeSet<String> {
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut found: BTreeSet<String> = NAMES.split_whitespace().map(str::to_string).collect();
    typed(&program, &mut found);
    found
}

/// The lines of these outputs that are not in Chinese. Typed words may occur anywhere.
fn mixed(outputs: &[(String, Output)]) -> Vec<String> {
    let known = known();
    let mut wrong = Vec::new();
    for (call, output) in outputs {
        let mut here = known.clone();
        here.extend(call.split(|letter: char| !letter.is_ascii_alphabetic()).map(str::to_string));
        for line in format!("{}\n{}", stdout(output), stderr(output)).lines() {
            // Tags of a game are data, and an example is a command in every language.
            let line = if line.starts_with('[') { "" } else { line };
            let line =
                if line.starts_with("  chuhe ") { line.split_once("   ").map_or("", |(_, told)| told) } else { line };
            let words = foreign(line, &here);
            if !words.is_empty() {
                wrong.push(format!("{call}: {words:?}: {line}"));
            }
        }
    }
    wrong
}

fn in_chinese(folder: &Folder, words: &[&str], input: &str) -> (String, Output) {
    let mut command = folder.command(&[&["--lang", "zh"], words].concat());
    (words.join(" "), answered(&mut command, input.as_bytes()))
}

#[test]
fn mixed_line_is_detected() {
    let known = known();
    for line in ["棋盘：no king", "第 [1-20] 级 how strong the engine plays", "FEN board: red has no king"] {
        assert!(!foreign(line, &known).is_empty(), "{line}");
    }
    for line in
        ["“no king.pgn”读不出来：没有权限", "请看“chuhe perft --help”", "用 --force 覆盖 a.pgn", "FEN 4k4/9 w - - 0 1"]
    {
        assert_eq!(foreign(line, &known), [""; 0], "{line}");
    }
}

/// The paths of all subcommands.
fn commands(command: &Command, path: &[String], found: &mut Vec<Vec<String>>) {
    found.push(path.to_vec());
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        commands(inner, &[path, &[inner.get_name().to_string()]].concat(), found);
    }
}

#[test]
fn help_pages_are_entirely_chinese() {
    let folder = Folder::new();
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut all = Vec::new();
    commands(&program, &[], &mut all);
    assert!(all.len() > 30, "{}", all.len());
    let help = |path: &Vec<String>| {
        let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        in_chinese(&folder, &words, "")
    };
    let pages: Vec<_> = all.iter().map(help).collect();
    for (call, output) in &pages {
        let page = stdout(output);
        let usage = page.lines().find(|line| line.starts_with("用法：")).unwrap_or_default();
        assert!(!usage.contains("： ") && !usage.contains("COMMAND") && !page.contains("[PLIES]"), "{call}: {usage}");
    }
    let wrong = mixed(&pages);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The calls of a file of them.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The words of a call, split at blanks outside of quotes.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, piece) in line.split('\'').enumerate() {
        if index % 2 == 1 { words.push(piece) } else { words.extend(piece.split_whitespace()) }
    }
    words
}

#[test]
fn errors_are_entirely_chinese() {
    let folder = Folder::new();
    folder.write("game.pgn", "[Red \"a\"]\n[Result \"1-0\"]\n\n1. C2=5 H8+7 1-0\n");
    folder.write("games.pgn", "[Red \"a\"]\n\n1. C2=5 *\n\n[Red \"b\"]\n\n1. C8=5 *\n");
    folder.write("torn.pgn", "[Red \"a\"]\n\n1. C2=5 {no end\n");
    folder.write("torn.xqf", b"XQ\x12");
    folder.write("torn.ubb", "[DhtmlXQ]\n[DhtmlXQ_binit]12[/DhtmlXQ_binit]\n[/DhtmlXQ]\n");
    folder.write("torn.cbr", b"CCBridge Record\0");
    folder.write("there.txt", "mine");
    folder.write("there.chb", "mine");
    folder.write("binary.txt", b"\xff\xfe\xfd\n");
    folder.write("empty.dat", "");
    folder.write("odd.dat", "12345");
    folder.write("text.dat", "8 letters");
    folder.write("nothing.pgn", "Nothing of the kind.");
    folder.write("a.toml", "colour = 3\n");
    folder.write("wrong.tsv", "fen\tcycle\n");
    folder.write("short.tsv", "fen\tmoves_before\tcycle\tasian\n4k4/9 w\n");
    folder.write(
        "verdict.tsv",
        "fen\tmoves_before\tcycle\tasian\n4k4/9/9/9/9/9/9/9/9/3K5 w\t\td0d1 e9e8 d1d0 e8e9\twon\n",
    );
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    assert!(folder.chuhe(&["learn", "convert", "empty.dat", "--out", "none.games"]).status.success());
    let calls: Vec<&str> = calls(include_str!("../data/wrong_calls.txt")).collect();
    assert!(calls.len() >= 120, "{}", calls.len());
    let outputs: Vec<(String, Output)> = calls.iter().map(|call| in_chinese(&folder, &words(call), "")).collect();
    let silent: Vec<&String> =
        outputs.iter().filter(|(_, output)| output.status.success()).map(|(call, _)| call).collect();
    assert!(silent.is_empty(), "wrong calls that went well: {silent:#?}");
    let wrong = mixed(&outputs);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn game_output_is_entirely_chinese() {
    let folder = Folder::new();
    folder
        .write("game.pgn", "[Red \"王\"]\n[Black \"李\"]\n[Result \"1-0\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 3. P7+1 1-0\n");
    let script = "帮助\n提示\n着法\n炮二平五\nx\nh2e2\n悔棋\n悔棋\n级别\n级别 3\n级别 99\nelo 1500\n新局 蓝\n时间\n评估\n提和\n棋谱\n翻转\n棋盘\n\
                  保存\n保存 my.pgn\n认输\n炮二平五\n保存 game.pgn\n悔棋\n新局 双方\nc3c4\n认输\n新局 黑\n退出\n";
    let repeated = "a6b6\na4b4\nb6a6\nb4a4\na6b6\na4b4\nb6a6\nb4a4\n退出\n";
    let mate = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w";
    let mut outputs = vec![
        in_chinese(&folder, &["play", "--level", "1"], script),
        in_chinese(&folder, &["play", "--side", "both", "4k4/9/9/c8/9/R8/9/9/9/3K5 b"], repeated),
        in_chinese(&folder, &["play", "--side", "both", "--clock", "600+5", mate], "时间\na1d1\nh2e2\n退出\n"),
    ];
    outputs.extend(calls(include_str!("../data/right_calls.txt")).map(|call| in_chinese(&folder, &words(call), "")));
    for (call, output) in &outputs {
        assert!(stdout(output).chars().any(is_chinese), "{call}: {}{}", stdout(output), stderr(output));
    }
    let wrong: Vec<String> = mixed(&outputs).into_iter().filter(|line| !line.contains("网络 ")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
