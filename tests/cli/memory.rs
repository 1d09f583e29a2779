//! Memory by the largest game, not by the number or the length of games: commands under a limit of address space.

use crate::common::{CHUHE, Folder, stderr};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program in this folder with so many megabytes of address space.
fn limited(folder: &Folder, megabytes: usize, words: &[&str]) -> Output {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1024);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, CHUHE]).args(words).current_dir(folder.root()).env("LC_ALL", "C");
    shell.output().expect("sh runs")
}

/// Two rooks that walk to and fro, and repeat a position only after more than a thousand plies.
fn long_repetition() -> String {
    let walk = |ranks: [char; 4]| {
        let up_and_down = |(index, file)| (0..4).map(move |at| (file, ranks[if index % 2 == 0 { at } else { 3 - at }]));
        "abcghi".chars().enumerate().flat_map(up_and_down).map(|(file, rank)| format!("{file}{rank}")).collect()
    };
    let (red, mut black): (Vec<String>, Vec<String>) = (walk(['1', '2', '3', '4']), walk(['8', '7', '6', '5']));
    black.remove(1);
    let step =
        |walk: &[String], at: usize| [walk[at % walk.len()].clone(), walk[(at + 1) % walk.len()].clone()].concat();
    let moves: Vec<String> = (0..1104).flat_map(|at| [step(&red, at), step(&black, at)]).collect();
    format!("[FEN \"3k5/r8/9/9/9/9/9/9/R8/4K4 w\"]\n\n{}\n", moves.join(" "))
}

#[test]
fn judge_takes_memory_by_the_length_of_a_game() {
    let folder = Folder::new();
    folder.write("short.pgn", format!("[Event \"x\"]\n\n{}\n", "h2e2 h9g7 e2h2 g7h9 ".repeat(2500)));
    folder.write("long.pgn", long_repetition());
    let outputs = ["", "--json", "--explain", "--html page.html", "--rules none --json", "--rules all"];
    for words in outputs.map(|words| words.split_whitespace().collect::<Vec<_>>()) {
        for file in ["short.pgn", "long.pgn"] {
            // Thousands of pictures are a large page.
            if file == "long.pgn" && words.contains(&"--html") {
                continue;
            }
            let output = limited(&folder, 300, &[&["judge", file, "--natural-limit", "0"][..], &words].concat());
            assert!(output.status.success(), "{file} {words:?}: {}", stderr(&output));
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("repetition") || text.contains("written"), "{file} {words:?}: {text}");
        }
    }
}

#[test]
fn number_of_games_takes_no_memory() {
    let folder = Folder::new();
    folder.write("many.pgn", "1. h2e2 *\n".repeat(40_000));
    folder.write("many.fen", "startpos moves h2e2\n".repeat(40_000));
    folder.write("many.wxf", "FORMAT\tWXF\nRED\ta;;;\nSTART{\n1. C2=5 H8+7\n}END\n".repeat(40_000));
    for words in ["convert many.pgn --to pgn", "convert many.fen --to pgn", "judge many.pgn", "judge many.wxf"] {
        let words: Vec<&str> = words.split(' ').collect();
        let output = limited(&folder, 120, &words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    }
    let output = limited(&folder, 300, &["mates", "check", "many.pgn", "--hash", "4"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("more than 20000 problems are too many for one check"), "{}", stderr(&output));
    for file in ["many.fen", "many.wxf"] {
        let words = format!("analyse {file} --eval-only --threads 1 --hash 1");
        let output = limited(&folder, 250, &words.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn brackets_and_variations_take_no_more_memory_than_their_file() {
    let folder = Folder::new();
    let start = "[Event \"x\"]\n\n1. h2e2 ";
    let nested = ["h9g7 (h9g7 ", "h0g2 (h0g2 ", "g7h9 (g7h9 ", "g2h0 (g2h0 "].concat();
    folder.write("brackets.pgn", start.to_string() + &"(".repeat(24 << 20));
    folder.write("nested.pgn", start.to_string() + &nested.repeat(560_000));
    folder.write("words.txt", start[13..].to_string() + &"x ".repeat(1 << 20));
    folder.write("line.fen", format!("startpos moves h2e2 {}", "x ".repeat(12 << 20)));
    for file in ["brackets.pgn", "nested.pgn", "words.txt", "line.fen"] {
        let output = limited(&folder, 120, &["convert", file, "--to", "pgn", "--out", "-"]);
        assert!(matches!(output.status.code(), Some(0..=2)), "{file}: {}", stderr(&output));
        assert!(!stderr(&output).contains("memory"), "{file}: {}", stderr(&output));
    }
}

#[test]
fn a_picture_takes_memory_by_what_is_read_of_it() {
    // 16384 × 8192 pixels of 48 bits in some kilobytes: rows of zeros, 258 bytes a code.
    let folder = Folder::new();
    folder.write("large.png", large_png(16_384, 8192));
    let output = limited(&folder, 200, &["picture", "large.png"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("no xiangqi board found"), "{}", stderr(&output));
}

/// A PNG of black pixels, 16 bits a colour.
fn large_png(width: u32, height: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let body = [kind, data].concat();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
    };
    let size = (1 + u64::from(width) * 6) * u64::from(height);
    // One block with the fixed codes: a zero, and the zeros behind it, 258 at a time, one byte back.
    let (mut data, mut held, mut bits) = (vec![0x78, 0x01], 0u64, 0);
    let mut put = |code: u64, length: u32| {
        held |= code << bits;
        bits += length;
        while bits >= 8 {
            data.push(held as u8);
            (held, bits) = (held >> 8, bits - 8);
        }
    };
    let reversed = |code: u64, length: u32| code.reverse_bits() >> (64 - length);
    put(0b011, 3);
    put(reversed(0b0011_0000, 8), 8);
    for _ in 0..(size - 1) / 258 {
        put(reversed(0b1100_0101, 8), 8);
        put(0, 5);
    }
    for _ in 0..(size - 1) % 258 {
        put(reversed(0b0011_0000, 8), 8);
    }
    put(0, 7);
    put(0, 7);
    // The sums of zeros: 1, and how many there are.
    let sum = (size % 65_521) << 16 | 1;
    data.extend((sum as u32).to_be_bytes());
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[16, 2, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &head), &chunk(b"IDAT", &data), &chunk(b"IEND", b"")].concat()
}

#[test]
fn endless_input_ends_with_a_sentence() {
    let commands = [&["convert", "-", "--to", "pgn"][..], &["judge", "-"], &["analyse", "-"], &["review", "-"]];
    for words in commands.into_iter().chain([&["mates", "check", "-"][..], &["judge", "--cases", "/dev/zero"]]) {
        let script = "ulimit -v 400000; exec \"$0\" \"$@\" < /dev/zero";
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", script, CHUHE]).args(words).env("LC_ALL", "C").output().expect("sh runs");
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).starts_with("chuhe: "), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn queries_that_come_too_fast_wait() {
    let folder = Folder::new();
    // Without a bound the lines that wait are 600 MB.
    let script = "ulimit -v 800000; yes $(printf %02000d 0)x | head -n 300000 | \"$0\" analyse --stdin --threads 1 --hash 1 | tail -n 1";
    let output = Command::new("sh").args(["-c", script, CHUHE]).current_dir(folder.root()).output().expect("sh runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"line\":300000"), "{}", stderr(&output));
}

/// What the program says of an endless input, of which it reads no more than this many megabytes.
fn said_of(folder: &Folder, input: &str, words: &str, megabytes: usize) -> String {
    let script = format!("ulimit -v {}; {input} | exec \"$0\" \"$@\"", megabytes * 1024);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, CHUHE]).args(words.split(' ')).current_dir(folder.root()).env("LC_ALL", "C");
    let output = shell.output().expect("sh runs");
    assert_eq!(output.status.code(), Some(2), "{words}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn beginning_of_an_input_tells_whether_the_rest_is_read() {
    let folder = Folder::new();
    let commands = [
        "convert - --to pgn",
        "judge -",
        "analyse -",
        "review -",
        "mates check -",
        "mates solve -",
        "show -",
        "learn export - --out games.txt",
    ];
    for words in commands {
        for input in ["cat /dev/zero", "yes"] {
            // The beginning of a text takes its time.
            if input == "yes" && words.ends_with('-') && words != "convert - --to pgn" {
                continue;
            }
            let said = said_of(&folder, input, words, 400);
            assert!(!said.contains("larger than") && !said.contains("memory"), "{input} | {words}: {said}");
        }
    }
    assert!(said_of(&folder, "cat /dev/zero", "play", 400).contains("a line of more than"));
}

#[test]
fn foreign_games_are_no_record_after_the_first_one() {
    let folder = Folder::new();
    folder.write("many.pgn", "[Red \"x\"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n\n".repeat(300_000));
    let engines = format!("--engine name=a,cmd={CHUHE} --engine name=b,cmd={CHUHE} --games 2 --nodes 10");
    for words in ["arena --merge many.pgn", &format!("arena --pgn many.pgn --resume {engines}")] {
        let output = limited(&folder, 300, &words.split(' ').collect::<Vec<_>>());
        assert!(stderr(&output).contains("many.pgn is no record of the arena"), "{words}: {}", stderr(&output));
    }
}

/// Everything that this host writes is answered, though it writes faster than the engine reads.
#[test]
fn host_that_floods_the_engine_waits_and_loses_no_line() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 400000; exec \"$0\"", CHUHE]).env("LC_ALL", "C");
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh runs");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        let padding = "x".repeat(1000);
        let lines = (0..40_000).map(|number| format!("isready {number} {padding}\n"));
        lines
            .chain(["go infinite\n".to_string(), "quit\n".to_string()])
            .all(|line| input.write_all(line.as_bytes()).is_ok())
    });
    let output = child.wait_with_output().expect("it ends");
    assert!(writer.join().expect("no panic"), "every line is taken");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().filter(|line| *line == "readyok").count(), 40_000);
    assert!(text.contains("bestmove") && text.ends_with("bye\n"), "what comes last is heard, too");
}

#[test]
fn lack_of_memory_is_one_sentence() {
    let folder = Folder::new();
    folder.write("many.pgn", "[Red \"x\"]\n\n1. h2e2 *\n\n".repeat(100_000));
    let base = (20..400).step_by(4).find(|&megabytes| limited(&folder, megabytes, &["--version"]).status.success());
    for more in 0..12 {
        let megabytes = base.expect("it starts") + more;
        let output =
            limited(&folder, megabytes, &["convert", "many.pgn", "--to", "ubb", "--out", "out.ubb", "--force"]);
        let said = stderr(&output);
        assert!(output.status.success() || said.lines().count() == 1, "{megabytes} MB: {said}");
        assert!(!said.contains("allocation") && !said.contains("backtrace"), "{megabytes} MB: {said}");
    }
}
