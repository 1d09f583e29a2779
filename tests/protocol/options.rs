//! The option table, as declared to hosts and as shown in the documents.

use super::host::{Host, program, word_after};
use crate::common::{answered, command, success};
use chuhe::protocol::options_as_markdown;

/// The fields of an option declaration: name, type, default and choices.
struct Declared {
    name: String,
    kind: String,
    default: String,
    choices: Vec<String>,
}

fn declared(line: &str) -> Declared {
    let (head, tail) = line.split_once(" type ").expect("a type");
    let name = head.trim_start_matches("option ").trim_start_matches("name ").to_string();
    let words: Vec<&str> = tail.split_whitespace().collect();
    let choices = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_string()).collect();
    let default = word_after(tail, "default").unwrap_or_default().to_string();
    Declared { name, kind: words[0].to_string(), default, choices }
}

fn all_declared(host: &mut Host, greeting: &str, end: &str) -> Vec<Declared> {
    let lines = host.ask(greeting, end);
    lines.iter().filter(|line| line.starts_with("option ")).map(|line| declared(line)).collect()
}

#[test]
fn options_accept_their_declared_values() {
    for (greeting, end) in [("ucci", "ucciok"), ("uci", "uciok")] {
        let mut host = Host::start();
        let options = all_declared(&mut host, greeting, end);
        assert!(options.len() > 15);
        for Declared { name, kind, default, choices } in &options {
            // Names of UCCI are single words in lower case.
            assert!(greeting == "uci" || !name.contains(' ') && *name == name.to_lowercase(), "{name}");
            let set = |value: &str| match greeting {
                "ucci" => format!("setoption {name} {value}"),
                _ if value.is_empty() => format!("setoption name {name}"),
                _ => format!("setoption name {name} value {value}"),
            };
            let mut values = choices.clone();
            values.extend((kind == "check").then(|| "true".to_string()));
            values.push(default.clone());
            for value in values {
                host.say(&set(&value));
                assert_eq!(host.pause(), Vec::<String>::new(), "{name} {value}");
            }
        }
        host.best("go depth 3");
    }
}

#[test]
fn combo_default_is_the_first_choice() {
    // Some hosts ignore the word `default` and send the first choice as if the user had chosen it.
    for (greeting, end) in [("ucci", "ucciok"), ("uci", "uciok")] {
        for option in all_declared(&mut Host::start(), greeting, end) {
            assert!(option.kind != "combo" || option.choices.first() == Some(&option.default), "{}", option.name);
        }
    }
}

/// The rows of the option table, cells trimmed.
fn rows(text: &str) -> Vec<Vec<String>> {
    let table = text.lines().skip_while(|line| !line.starts_with("| UCCI |")).take_while(|line| line.starts_with('|'));
    table.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

#[test]
fn option_table_of_the_documentation_is_current() {
    let shown = rows(include_str!("../../docs/options.md"));
    let wanted = rows(&options_as_markdown());
    assert_eq!(shown, wanted, "docs/options.md should show:\n{}", options_as_markdown());
}

#[test]
fn option_table_of_the_chinese_page_lists_the_same_options() {
    let facts = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
        rows.into_iter().skip(2).map(|row| row.into_iter().take(4).collect()).collect()
    };
    let shown = facts(rows(include_str!("../../docs/options.zh-CN.md")));
    let wanted = facts(rows(&options_as_markdown()));
    assert_eq!(shown, wanted, "docs/options.zh-CN.md: names, types and defaults");
}

#[test]
fn changed_options_search_like_a_fresh_engine() {
    let mut used = Host::ucci();
    used.best("go depth 7");
    let [used, fresh] = [used, Host::ucci()].map(|mut host| {
        host.say("setoption knowledge none");
        let lines = host.ask("go depth 2", "bestmove");
        // Only lines that do not depend on the time.
        let told = lines.iter().filter(|line| !line.starts_with("info time "));
        told.map(|line| match (line.split_once(" nps "), line.split_once(" pv ")) {
            (Some((head, _)), Some((_, pv))) => format!("{head} pv {pv}"),
            _ => line.clone(),
        })
        .collect::<Vec<String>>()
    });
    assert_eq!(used, fresh);
}

/// The message about an invalid position, in the language that the host asked for.
fn refusal_in(language: Option<&str>, environment: &str, hello: &str) -> Vec<u8> {
    let set = match (language, hello) {
        (None, _) => String::new(),
        (Some(language), "ucci") => format!("setoption language {language}\n"),
        (Some(language), _) => format!("setoption name Language value {language}\n"),
    };
    let input =
        format!("{hello}\n{set}position fen 4k4/9/9/9/9/9/9/9/9/9 w\nsetoption hashsize x\nponderhit\nperft x\nquit\n");
    let output = answered(command(&[]).env("LC_ALL", environment), input.as_bytes());
    let lines = output.stdout.split_inclusive(|&byte| byte == b'\n');
    let is_told = |line: &&[u8]| line.starts_with(b"info message ") || line.starts_with(b"info string ");
    lines.filter(is_told).flatten().copied().collect()
}

#[test]
fn messages_use_the_language_that_the_host_asks_for() {
    for (hello, word) in [("ucci", "info message"), ("uci", "info string")] {
        let plain = refusal_in(None, "C", hello);
        let english = format!("{word} position refused, the old one stays: FEN board: red has no king\n");
        assert!(plain.is_ascii() && plain.starts_with(english.as_bytes()), "{}", String::from_utf8_lossy(&plain));
        // Independent of the system's language.
        assert_eq!(refusal_in(None, "zh_CN.UTF-8", hello), plain);
        assert_eq!(refusal_in(Some("auto"), "zh_CN.UTF-8", hello), plain);
        let chinese = format!("{word} 局面无效，仍用原来的：FEN 棋盘：红方没有将帅\n");
        let utf8 = refusal_in(Some("zh-utf8"), "C", hello);
        assert!(utf8.starts_with(chinese.as_bytes()), "{}", String::from_utf8_lossy(&utf8));
        let gbk = refusal_in(Some("zh-gbk"), "C", hello);
        assert_eq!(encoding_rs::GBK.encode(&String::from_utf8_lossy(&utf8)).0, gbk);
    }
}

#[cfg(unix)]
#[test]
fn pipe_or_device_as_a_file_is_refused_and_the_session_goes_on() {
    let folder = crate::common::Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for file in [pipe.display().to_string(), "/dev/zero".to_string()] {
        let mut host = Host::ucci();
        for option in ["evalfile", "bookfiles"] {
            host.say("setoption usebook true");
            host.say(&format!("setoption {option} {file}"));
            let lines = host.ask("position startpos\ngo depth 1", "bestmove");
            assert!(lines.iter().any(|line| line.contains("is not a file")), "{option} {file}: {lines:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn threads_beyond_the_memory_are_refused_by_a_sentence() {
    // Two gigabytes of address space are not enough for a thousand stacks.
    let program = format!("ulimit -v 2000000; exec '{}'", env!("CARGO_BIN_EXE_chuhe"));
    let mut shell = std::process::Command::new("sh");
    let script = b"uci\nsetoption name Threads value 1024\ngo depth 1\nquit\n";
    let output = crate::common::answered(shell.args(["-c", &program]), script);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("no memory for 1024 threads; it stays at 1"), "{text}");
    assert!(text.contains("bestmove "), "{text}");
}

/// Two builds can be told apart.
#[test]
fn greeting_has_the_version_of_the_program() {
    let lines = Host::start().ask("uci", "uciok");
    let version = success(&program().arg("--version").output().expect("the program runs"));
    assert_eq!(lines[0], format!("id name {}", version.trim_end().replace("chuhe", "Chuhe")));
}
