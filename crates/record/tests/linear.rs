//! Reading takes linear time: four times the input takes about four times as long, not sixteen times. Time is measured in the
//! weekly run; elsewhere the smaller inputs are read.

use std::time::{Duration, Instant};
use xiangqi_record::{Notation, RecordFile, pgn, ubb, xqf};

/// The size of the smaller input.
const SIZE: usize = 1 << 16;
/// The limit of the ratio, which a quadratic reader always exceeds, and the slack for interruptions by other processes.
const MOST: u32 = 9;
const SLACK: Duration = Duration::from_millis(20);
const TRIES: usize = 6;

/// Fails if four times the input takes more than nine times as long in every attempt.
fn is_linear(what: &str, make: impl Fn(usize) -> Vec<u8>, work: impl Fn(&[u8])) {
    let (one, four) = (make(SIZE), make(4 * SIZE));
    assert!(four.len() > 3 * one.len() && one.len() >= SIZE / 2, "{what}: {} and {}", one.len(), four.len());
    if !chuhe_testing::is_thorough() {
        return work(&one);
    }
    let start = Instant::now();
    let time = |bytes: &[u8]| {
        let begun = time_of_thread().unwrap_or_else(|| start.elapsed());
        work(bytes);
        time_of_thread().unwrap_or_else(|| start.elapsed()) - begun
    };
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (short, long) = (time(&one), time(&four));
        if long <= short * MOST + SLACK {
            return;
        }
        seen.push((short, long));
    }
    panic!("{what}: {seen:?}");
}

/// The CPU time of this thread, where the system provides it.
fn time_of_thread() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn read(bytes: &[u8]) {
    for reading in RecordFile::read(bytes.to_vec()).games() {
        let faults = reading.map_or_else(|fault| vec![fault], |reading| reading.errors);
        assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
    }
}

fn text(begin: &str, again: &str, end: &str) -> impl Fn(usize) -> Vec<u8> {
    move |size| [begin, &again.repeat(size / again.len()), end].concat().into_bytes()
}

#[test]
fn text_readers_are_linear() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    for (what, begin, again) in [
        ("brackets that never close", "1. h2e2 ", "["),
        ("brackets", "1. h2e2 ", "[]"),
        ("tags on one line", "", "[A \"b\"]"),
        ("tags that are none", "", "[A \"b\n"),
        ("comments on one line", "1. h2e2 ", "{}"),
        ("a comment with brackets in it", "1. h2e2 {", "\n[a"),
        ("comments that never close", "[A \"b\"]\n1. h2e2 ", "{\n[A \"b\"]\n1. h2e2 "),
        ("remarks", "[A \"b\"]\n1. h2e2 ", "(good) "),
        ("variations in variations", "[A \"b\"]\n1. h2e2 ", "(1. b2e2 "),
        ("variations that begin with nothing", "[A \"b\"]\n1. h2e2 ", "( {a} 1. "),
        ("games", "", "[A \"b\"]\n\n1. h2e2 *\n\n"),
        ("signs", "[A \"b\"]\n1. h2e2 ", "$1 ! ?"),
        ("moves to and fro", "[A \"b\"]\n", "a0a1 a9a8 a1a0 a8a9 "),
        ("words that are no moves", "h2e2 h9g7 ", "thanks "),
        ("prose", "", "the rook goes to a file, and 2 men look on "),
        ("prose in Chinese", "", "他看见两个老人在下棋红方的车过了河。"),
        ("words behind a move", "1. h2e2 ", "x "),
        ("Chinese words behind a move", "1. 炮二平五 ", "好棋 马 "),
        ("variations that begin with no move", "[A \"b\"]\n1. h2e2 h9g7 ", "(1. C9.9) "),
        ("brackets in brackets", "[A \"b\"]\n1. h2e2 ", "("),
        ("brackets behind a comment in brackets", "[A \"b\"]\n1. h2e2 (a ", "()"),
        ("colons", "", "a:"),
        ("headings with brackets", "", "【："),
        ("words behind a position", "startpos moves h2e2 ", "x "),
        ("lines of a position with a word", "", "startpos moves h2e2 C9.9\n"),
        ("words of EPD", start, " operation"),
        ("positions", "", &format!("{start}\n")),
        ("moves without blanks", "", "车一进一车９进１车一退一车９退１"),
        ("headings", "", "红方: 甲\n1. 炮二平五\n"),
        ("brackets of a page", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "[DhtmlXQ_"),
        ("games of a page", "", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"),
        ("comments of a page", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "[DhtmlXQ_comment1]a"),
        ("names of a page", "[DhtmlXQ_movelist]", "DhtmlXQ"),
        ("lines of WXF", "FORMAT WXF\n", "START{\n}END\n"),
        ("moves of WXF", "FORMAT WXF\nSTART{\n", "R1+1 r1+1 R1-1 r1-1\n"),
        ("XML", "<ChineseChessRecord><MoveList>", "<Move value=\"77-47\" branch=\"1\">a</Move>"),
        ("attributes of XML", "<ChineseChessRecord><Move ", "a=\"b\" "),
        ("elements of XML", "<ChineseChessRecord>", "<Move>"),
    ] {
        is_linear(what, text(begin, again, ""), read);
    }
}

/// A page with a long line and variations: `names` gives the parent line, the ply and the own number of each.
fn page(names: impl Fn(usize, usize) -> [usize; 3]) -> impl Fn(usize) -> Vec<u8> {
    move |size: usize| {
        let cycles = size / 64;
        let last = 4 * cycles + 1;
        let line = "0908000108090100".repeat(cycles) + "7747";
        let mut page = format!("[DhtmlXQ_movelist]{line}[/DhtmlXQ_movelist]\n");
        for index in 1..size / 128 {
            let [line, ply, name] = names(index, last);
            page.push_str(&format!("[DhtmlXQ_move_{line}_{ply}_{name}]1747[/DhtmlXQ_move]\n"));
        }
        page.into_bytes()
    }
}

#[test]
fn ubb_variations_of_a_long_line_are_linear() {
    let turns = |index: usize, last: usize| [0, if index.is_multiple_of(2) { 1 } else { last }, index];
    is_linear("of the line in turn", page(turns), read);
    // Two chains of lines, each line leaving the previous one, interleaved.
    let families = |index: usize, last: usize| {
        let ply = if index.is_multiple_of(2) { 1 } else { last };
        [index.saturating_sub(2), ply, index]
    };
    is_linear("of each other in turn", page(families), read);
    // All of them are read.
    let source = RecordFile::read(page(turns)(1 << 12));
    let reading = source.games().next().expect("a game").expect("a start");
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    assert_eq!(reading.game.nodes().count(), 1 + 4 * 64 + 1 + 31);
}

#[test]
fn binary_readers_and_writers_are_linear() {
    let header = xqf::write(&pgn::read("1. h2e2 *").remove(0).expect("a game")).expect("a file");
    // The first move repeatedly, each entry an alternative to the previous one.
    let record = |flags: u8| [0x18 + 72, 0x20 + 42, flags, 0, 0, 0, 0, 0];
    let file = |flags: u8| {
        let header = header[..1032].to_vec();
        move |size: usize| {
            header.iter().copied().chain(std::iter::repeat_n(record(flags), size / 8).flatten()).collect()
        }
    };
    is_linear("alternatives", file(0x0F), read);
    is_linear("promises", file(0xFF), read);
    let write = |bytes: &[u8]| {
        let source = RecordFile::read(bytes.to_vec());
        let game = source.games().next().expect("a game").expect("a start").game;
        assert!(game.nodes().count() > SIZE / 16);
        let file = xqf::write(&game).expect("a file");
        assert_eq!(xqf::read(&file).expect("a game").game.nodes().count(), game.nodes().count());
        let text = pgn::write(&game, Notation::Iccs);
        assert_eq!(pgn::read(&text).remove(0).expect("a game").nodes().count(), game.nodes().count());
        let text = ubb::write(&game).expect("a text");
        assert!(ubb::games(&text).next().is_some_and(|game| game.is_ok()));
    };
    is_linear("alternatives that are written", file(0x0F), write);
}

#[test]
fn variations_without_end_are_cut_and_so_are_their_errors() {
    let games =
        |moves: String| pgn::games(&format!("[Event \"x\"]\n\n1. h2e2 h9g7 {moves} 1-0\n")).next().expect("a game");
    let read = |moves: String| games(moves).expect("a start");
    // Each word that is no move is an error up to a bound; the main line is read to its end.
    let reading = read("(1... C9.9) ".repeat(5000) + "2. h0g2");
    assert_eq!((reading.game.moves().count(), reading.errors.len()), (3, 1000));
    assert!(reading.errors[0].to_string().contains("'C9.9' is no legal move"), "{}", reading.errors[0]);
    let reading = read("(1... C9.9) ".repeat(5000) + "C9.9 h9g7");
    assert_eq!((reading.game.moves().count(), reading.errors.len()), (2, 1001));
    assert!(reading.errors[1000].ends_main_line);
    // A bracket that is not closed is told once, where the first one is.
    let reading = read("\n(1... h9i7\n(1... h9i7 (good\n".repeat(1000));
    let texts: Vec<String> = reading.errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["game 1, line 4: expected ')', found none up to the end of the game"]);
    // Half a million moves beside each other.
    let reading = read("(1... h9i7) ".repeat(600_000));
    assert_eq!(reading.game.nodes().count(), 1 << 19);
    assert!(reading.errors[0].ends_main_line && reading.errors.len() == 1, "{:?}", reading.errors);
    assert!(reading.errors[0].to_string().contains("fewer than 524288 moves"), "{:?}", reading.errors);
}

#[test]
fn endless_game_is_cut() {
    let text = format!("[Event \"x\"]\n\n{}*\n", "h2e2 h9g7 e2h2 g7h9 ".repeat(30_000));
    let reading = pgn::games(&text).next().expect("a game").expect("a start");
    assert_eq!(reading.game.moves().count(), 100_000);
    assert!(reading.errors[0].to_string().contains("at most 100000 plies"), "{:?}", reading.errors);
}
