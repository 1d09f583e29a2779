//! Robustness against invalid input.

use super::host::{Host, after, count, legal_answer, script};
use chuhe::protocol::{HostCommand, parse};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

#[test]
fn line_ends_and_white_space_are_ignored() {
    let text = script(b"\xEF\xBB\xBFucci\r\n\r\n  isready \t\r\nposition\tstartpos  moves  h2e2\r\n d \r\nquit\r\n");
    assert!(text.contains("ucciok\nreadyok\n"), "{text}");
    assert!(text.contains("1C2C4"), "{text}");
    assert!(text.ends_with("bye\n"), "{text}");
}

#[test]
fn numbers_out_of_bounds_are_survived() {
    let mut host = Host::ucci();
    let huge = "9".repeat(400);
    for go in [
        format!("go depth {huge} nodes 500"),
        format!("go time {huge} increment {huge} opptime {huge} movestogo {huge} nodes 500"),
        format!("go nodes {huge} depth 2"),
        format!("go wtime -{huge} btime -{huge} winc -5 binc -5 movestogo 0 nodes 500"),
        String::from("go movetime 0"),
        String::from("go time 0 increment 0"),
        String::from("go time -30 increment 0"),
    ] {
        legal_answer(&host.best(&go), &after(""));
    }
}

#[test]
fn lines_of_a_megabyte_are_survived() {
    let mut host = Host::ucci();
    host.say(&"x".repeat(1 << 20));
    assert_eq!(host.pause(), [format!("info message unknown command '{}...' (try 'help')", "x".repeat(40))]);
    host.say(&format!("setoption logfile {}", "y".repeat(1 << 20)));
    assert_eq!(count(&host.pause(), "info"), 1);
    // A long game is valid: two hundred thousand moves back and forth.
    let dance = " h2e2 h7e7 e2h2 e7h7".repeat(50_000);
    host.say(&format!("position startpos moves{dance}\nd"));
    assert!(host.pause().iter().any(|line| line.contains("ply 200000")));
    legal_answer(&host.best("go depth 2"), &after(""));
    // A line over four megabytes is dropped with a message.
    host.say(&format!("isready{}", " ".repeat(5 << 20)));
    assert_eq!(host.pause(), ["info message a line of more than 4 MB was dropped"]);
}

#[test]
fn binary_bytes_are_survived() {
    let mut host = Host::ucci();
    host.say_bytes(b"\x00\xff\xfe\x1b[31m\x07 go\n");
    let lines = host.pause();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(!lines[0].contains('\x1b') && !lines[0].contains('\x07'));
    for strange in ["\u{8c61}\u{68cb}", "position startpos moves \u{70ae}", "banmoves \u{70ae}", "go \u{70ae}"] {
        host.say(strange);
        let lines = host.pause();
        assert!(!lines.is_empty() && lines.iter().all(|line| line.is_ascii()), "{lines:#?}");
    }
    host.say("setoption logfile /\u{6ca1}\u{6709}/\u{8bb0}\u{5f55}");
    assert!(host.pause()[0].is_ascii(), "hosts decode what they read in all sorts of ways");
    // "Opening book" in GBK.
    host.say_bytes(b"setoption bookfiles C:\\\xbf\xaa\xbe\xd6\xbf\xe2\\BOOK.DAT\n");
    assert!(host.pause().is_empty());
    host.say_bytes(b"position fen \xbf\xaa\xbe\xd6 w\n");
    assert_eq!(host.pause().len(), 1);
}

/// Words that a faulty host might send anywhere; some are none.
const WORDS: &str = "
    ucci uci isready setoption position startpos fen moves banmoves go depth infinite nodes time increment movestogo
    opptime wtime btime movetime ponder draw ponderhit stop probe ucinewgame uccinewgame ranks 1-10 auto a10a9 h3e3
    oppotime debug on off true name value usemillisec hashsize threads multipv promotion ruleset league idle none
    newgame skill h2e2 h9g7 a0a1 a0a0 e0e1 zz99 0 1 2 3 -1 99999999999999999999 d eval help perft mate searchmoves
    4k4/9/9/9/9/9/9/9/9/4K4 9/9/9/9/9/9/9/9/9/9 w b - rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR
    \u{8c61}\u{68cb} \x07
";

/// Mostly valid lines.
const LINES: &[&str] = &[
    "go depth 3",
    "go infinite",
    "go ponder time 5",
    "stop",
    "ponderhit",
    "position startpos moves h2e2 h9g7",
    "position startpos",
    "isready",
    "probe startpos",
    "go nodes 300",
    "ucinewgame",
    "setoption hashsize 2",
];

fn random_line(random: &mut StdRng) -> Vec<u8> {
    let any = |random: &mut StdRng, list: &[&str]| list.choose(random).expect("a choice").to_string();
    match random.random_range(0..10) {
        0 => (0..random.random_range(0..60)).map(|_| random.random::<u8>()).collect(),
        1..4 => any(random, LINES).into_bytes(),
        _ => {
            let all: Vec<&str> = WORDS.split_whitespace().chain([""]).collect();
            let words: Vec<String> = (0..random.random_range(1..9)).map(|_| any(random, &all)).collect();
            words.join(" ").into_bytes()
        }
    }
}

/// Whether random bytes happen to mean `quit`: a `q` is enough.
fn leaves(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').any(|line| matches!(parse(line), Ok(Some(HostCommand::Quit))))
}

/// Sends so many lines, checks now and then for an answer, and finally asks for a move.
fn random_lines_are_survived(count: usize, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut host = Host::start();
    for round in 0..count / 50 {
        for _ in 0..50 {
            let line = random_line(&mut random);
            if !leaves(&line) {
                host.say_bytes(&[line, b"\n".to_vec()].concat());
            }
        }
        // Among the lines are questions, whose answers must not be mistaken for this one.
        host.say(&format!("stop\nround{round}"));
        while !host.hear().expect("a line").contains(&format!("unknown command 'round{round}'")) {}
    }
    host.ask("ucci", "ucciok");
    legal_answer(&host.best("position startpos\ngo depth 2"), &after(""));
    host.say("quit");
    assert!(host.leave().1.success());
}

#[test]
fn thousands_of_random_lines_are_survived() {
    random_lines_are_survived(2_000, 20_040_101);
}

#[test]
#[ignore = "takes half an hour; for changes of the session"]
fn million_random_lines_are_survived() {
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || random_lines_are_survived(250_000, seed));
        }
    });
}
