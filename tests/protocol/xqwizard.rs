//! What XQWizard sends in its own way: options of other names, file names in GBK, sizes that it leaves to the engine.

use super::host::{Host, word_after};
use crate::common::{Folder, answered};

const START: &str = "position startpos";

/// The messages of an answer.
fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info message ")).collect()
}

#[test]
fn options_for_rules_of_xqwizard_are_obeyed_and_told_once() {
    let mut host = Host::ucci();
    for (word, plies, told) in [
        ("alwaysdraw", 100, "rules: none, a draw after 100 plies without a capture"),
        ("CheckBan", 120, "rules: checkban, a draw after 120 plies without a capture"),
        ("asianrule", 120, "rules: asian, a draw after 120 plies without a capture"),
        ("chineserule", 0, "rules: cxa, without a limit of moves"),
    ] {
        host.say(&format!("setoption drawmoves {plies}\nsetoption repetition {word}\nsetoption selectivity small"));
        assert!(host.pause().is_empty(), "{word}: only when it matters");
        let lines = host.ask(&format!("{START}\ngo depth 2"), "bestmove");
        assert_eq!(messages(&lines), [told], "{lines:#?}");
        let again = format!("setoption repetition {word}\n{START}\ngo depth 2");
        let lines = host.ask(&again, "bestmove");
        assert!(messages(&lines).is_empty(), "{lines:#?}");
    }
    host.say("setoption repetition silly\nsetoption drawmoves many\nsetoption selectivity odd");
    let lines = host.pause();
    assert_eq!(
        messages(&lines),
        [
            "option repetition: 'silly' is none of alwaysdraw, checkban, asianrule, chineserule",
            "option drawmoves: 'many' is not a number from 0 to 9999",
            "option selectivity: 'odd' is none of none, tiny, small, medium, large, huge",
        ]
    );
    // Who sets the rules by Chuhe's own options is told nothing.
    let mut host = Host::ucci();
    let lines = host.ask(&format!("setoption ruleset cxa\n{START}\ngo depth 2"), "bestmove");
    assert!(messages(&lines).is_empty(), "{lines:#?}");
}

#[test]
fn rules_of_xqwizard_judge_repetitions() {
    let state = |rules: &str, fen: &str, moves: &str| {
        let mut host = Host::ucci();
        host.say(&format!("setoption repetition {rules}\nposition fen {fen} moves {moves}\nd"));
        let lines = host.pause();
        lines.iter().find(|line| line.starts_with("state: ")).cloned().unwrap_or_default()
    };
    let checks = ("3k5/9/9/9/9/9/9/9/9/R3K4 w", format!("a0a9 d9d8{}", " a9a8 d8d9 a8a9 d9d8".repeat(3)));
    let chases = ("3k5/9/9/c8/9/9/9/9/1R7/4K4 w", " b1a1 a6b6 a1b1 b6a6".repeat(3));
    for (rules, check_loses, chase_loses) in [
        ("alwaysdraw", false, false),
        ("checkban", true, false),
        ("asianrule", true, true),
        ("chineserule", true, true),
    ] {
        for ((fen, moves), loses) in [(&checks, check_loses), (&chases, chase_loses)] {
            let told = state(rules, fen, moves.trim());
            assert_eq!(told.contains("red-loses"), loses, "{rules}: {fen}: {told}");
        }
    }
}

#[test]
fn sizes_that_are_left_to_the_engine_do_not_delay_the_conversation() {
    let mut host = Host::ucci();
    host.say("setoption hashsize 0\nsetoption threads 0");
    assert!(host.pause().is_empty());
    let lines = host.ask(&format!("{START}\ngo depth 4"), "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{lines:#?}");
}

#[test]
fn file_names_in_gbk_are_shown_as_they_were_meant() {
    let mut host = Host::ucci();
    // "C:\象棋 引擎\没有.dat"
    let name = b"C:\\\xcf\xf3\xc6\xe5 \xd2\xfd\xc7\xe6\\\xc3\xbb\xd3\xd0.dat";
    host.say("setoption language zh-utf8\nsetoption usebook true");
    for option in ["bookfiles", "egtbpaths", "evalfile"] {
        host.say_bytes(&[b"setoption ", option.as_bytes(), b" ", &name[..], b"\n"].concat());
        let lines = host.pause();
        assert!(lines.len() == 1 && lines[0].contains("C:\\象棋 引擎\\没有.dat"), "{option}: {lines:#?}");
    }
    // The book inside the program is asked instead.
    let lines = host.ask(&format!("{START}\ngo time 1000"), "bestmove");
    assert!(lines.iter().any(|line| line.contains(" own")), "{lines:#?}");
}

/// 学习 in GBK is text in UTF-8 as well; who writes so gets answers in GBK, and a log in one encoding.
#[test]
fn host_that_writes_gbk_is_answered_in_gbk() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("学习")).expect("a folder");
    let root = folder.root().display().to_string();
    let learning = b"\xd1\xa7\xcf\xb0";
    let at_root =
        |option: &str, name: &[u8]| [option.as_bytes(), root.as_bytes(), b"/", learning, name, b"\n"].concat();
    let input = [
        b"ucci\n".to_vec(),
        at_root("setoption logfile ", b"/log.txt"),
        at_root("setoption bookfiles ", b"/none.dat"),
        // A line that is GBK alone is logged as such.
        b"setoption bookfiles \xc3\xbb\xd3\xd0.dat\nquit\n".to_vec(),
    ];
    let said = answered(&mut folder.command(&[]), &input.concat()).stdout;
    assert!(said.windows(4).any(|letters| letters == learning), "{:?}", String::from_utf8_lossy(&said));
    let log = std::fs::read_to_string(folder.path("学习/log.txt")).expect("a log in UTF-8");
    assert!(log.contains("学习/none.dat") && log.contains("没有.dat"), "{log}");
}

#[test]
fn book_move_tells_its_time_once() {
    let mut host = Host::start();
    let lines = host.ask(&format!("ucci\n{START}\ngo time 1000"), "bestmove");
    let timed = lines.iter().filter(|line| line.starts_with("info") && word_after(line, "time").is_some());
    assert_eq!(timed.count(), 1, "{lines:#?}");
}

#[test]
fn file_of_a_name_in_gbk_is_found_under_its_name_in_unicode() {
    let folder = Folder::new();
    let log = folder.write("日志.txt", "");
    let mut host = Host::ucci();
    let name = [format!("{}/", folder.root().display()).as_bytes(), b"\xc8\xd5\xd6\xbe.txt"].concat();
    host.say_bytes(&[b"setoption logfile ", &name[..], b"\n"].concat());
    assert!(host.pause().is_empty());
    assert!(std::fs::read_to_string(log).expect("the log").contains("> isready"));
}

#[test]
fn analysis_of_a_mate_that_is_searched_out_ends_its_iterations() {
    let mut host = Host::ucci();
    host.say("position fen 4k4/9/9/9/9/9/9/9/R8/1R3K3 w\ngo infinite");
    let mut lines = host.listen_for(&["info"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    lines.extend(host.ask("stop", "bestmove"));
    let depths: Vec<u32> = lines.iter().filter_map(|line| word_after(line, "depth")?.parse().ok()).collect();
    assert!(!depths.is_empty() && depths.iter().all(|depth| *depth <= 6), "{lines:#?}");
}
