//! The parser of commands, without a conversation.

use chuhe::protocol::{CommandError, Go, HostCommand, parse};
use proptest::prelude::*;
use std::time::Duration;
use xiangqi::{Color, perft::MAX_PERFT};
use xiangqi_record::PositionSpec;

fn go(text: &str) -> Go {
    match parse(text.as_bytes()) {
        Ok(Some(HostCommand::Go(go))) => go,
        other => panic!("{text}: {other:?}"),
    }
}

const MILLI: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

#[test]
fn seconds_and_milliseconds_are_told_apart() {
    let go = go("go time 90 increment 2 opptime 60 oppincrement 1 movetime 3");
    for (unit, factor) in [(SECOND, 1000), (MILLI, 1)] {
        let limits = go.limits(Color::Black, unit);
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.time, Duration::from_millis(90 * factor));
        assert_eq!(clock.increment, Duration::from_millis(2 * factor));
        assert_eq!(clock.opponent_time, Some(Duration::from_millis(60 * factor)));
        assert_eq!(limits.move_time, Some(Duration::from_millis(3)), "whoever says it means milliseconds");
    }
}

#[test]
fn clock_of_the_side_to_move_is_used() {
    let go = go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 7");
    for (side, time, increment, other) in [(Color::Red, 1000, 10, 2000), (Color::Black, 2000, 20, 1000)] {
        // UCI's words count milliseconds, whatever the unit of UCCI's.
        let clock = go.limits(side, SECOND).clock.expect("a clock");
        assert_eq!(clock.time, Duration::from_millis(time));
        assert_eq!(clock.increment, Duration::from_millis(increment));
        assert_eq!(clock.moves_to_go, Some(7));
        assert_eq!(clock.opponent_time, Some(Duration::from_millis(other)));
    }
}

#[test]
fn clock_that_ran_out_is_still_a_clock() {
    let clock = go("go time -5 movestogo 0").limits(Color::Red, SECOND).clock.expect("a clock");
    assert!(clock.time > Duration::ZERO && clock.time <= SECOND);
    assert_eq!(clock.moves_to_go, None, "zero moves to go is no time control");
}

#[test]
fn misspelled_clock_words_are_accepted() {
    let right = go("go time 9 increment 1 opptime 60 oppincrement 2 oppmovestogo 3");
    let wrong = go("go time 9 increment 1 oppotime 60 oppoincrement 2 oppomovestogo 3");
    assert!(wrong.warnings.is_empty());
    assert_eq!(wrong, right);
}

#[test]
fn new_game_is_parsed_in_every_dialect() {
    for word in ["ucinewgame", "uccinewgame", "uxinewgame", "UCINewGame"] {
        assert_eq!(parse(word.as_bytes()), Ok(Some(HostCommand::NewGame)), "{word}");
    }
}

#[test]
fn infinite_overrides_every_limit() {
    let limits = go("go infinite depth 3 time 5").limits(Color::Red, SECOND);
    assert_eq!((limits.depth, limits.clock), (None, None));
    assert!(go("go depth infinite").infinite);
}

#[test]
fn words_without_their_number_are_reported() {
    let go = go("go depth abc nodes 5 time");
    assert_eq!(go.nodes, Some(5));
    let remarks: Vec<String> = go.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(remarks, ["go: 'depth abc' left out: expected a number from 0", "go: 'time' without a number left out"]);
}

#[test]
fn options_are_parsed_in_both_dialects() {
    for (line, name, value) in [
        ("setoption hashsize 64", "hashsize", "64"),
        ("setoption bookfiles my  book.dat \r", "bookfiles", "my  book.dat"),
        ("  setoption  name LogFile  value  C:\\My  Logs\\a.txt", "LogFile", "C:\\My  Logs\\a.txt"),
        ("setoption name LogFile value", "LogFile", ""),
        ("setoption name Move  Overhead value 100", "Move Overhead", "100"),
        ("setoption name Clear Hash", "Clear Hash", ""),
        ("setoption NAME LogFile VALUE <empty>", "LogFile", ""),
        ("setoption newgame", "newgame", ""),
        ("setoption name", "", ""),
        ("setoption", "", ""),
    ] {
        let wanted = HostCommand::SetOption { name: name.to_string(), value: value.as_bytes().to_vec() };
        assert_eq!(parse(line.as_bytes()), Ok(Some(wanted)), "{line}");
    }
}

#[test]
fn blank_lines_are_no_command() {
    for line in ["", "   ", "\t\r", "\0"] {
        assert_eq!(parse(line.as_bytes()), Ok(None));
    }
}

#[test]
fn perft_depth_is_bounded() {
    assert_eq!(parse(b"perft 64"), Ok(Some(HostCommand::Perft(MAX_PERFT))));
    for line in ["perft", "perft 65", "perft -1", "perft x"] {
        assert_eq!(parse(line.as_bytes()), Err(CommandError::PerftDepth), "{line}");
    }
}

fn a_move() -> impl Strategy<Value = String> {
    "[a-i][0-9][a-i][0-9]"
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(256))]

    #[test]
    fn parser_accepts_or_refuses_any_bytes(line in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&line);
    }

    #[test]
    fn go_is_go_whatever_follows(tail in "[ -~]{0,120}") {
        let line = format!("go {tail}");
        let Ok(Some(HostCommand::Go(go))) = parse(line.as_bytes()) else { panic!("{line}") };
        // Any input gives limits, without overflow.
        for unit in [MILLI, SECOND] {
            let _ = go.limits(Color::Red, unit);
        }
    }

    #[test]
    fn position_round_trips_through_the_parser(
        fen in proptest::option::of("[a-zA-Z0-9/]{1,40} [wb]( - - [0-9]{1,3} [0-9]{1,3})?"),
        moves in proptest::collection::vec(a_move(), 0..30),
        command in prop::sample::select(vec!["position", "probe"]),
        blanks in "[ \t]{1,3}",
    ) {
        let head = fen.as_ref().map_or("startpos".to_string(), |fen| format!("fen {fen}"));
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let line = format!("{command} {head}{tail}").replace(' ', &blanks);
        let setup = PositionSpec { fen, moves };
        let wanted = if command == "probe" { HostCommand::Probe(setup) } else { HostCommand::Position(setup) };
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(wanted)));
    }

    #[test]
    fn limits_round_trip_through_the_parser(
        depth in proptest::option::of(1u32..100),
        nodes in proptest::option::of(1u64..),
        time in proptest::option::of(1u64..100_000),
        increment in 0u64..1000,
        ponder: bool,
        draw: bool,
    ) {
        let nodes = nodes.map(|nodes| nodes.min(i64::MAX as u64));
        let mut line = String::from("go");
        line += if ponder { " ponder" } else { "" };
        line += if draw { " draw" } else { "" };
        line += &depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        line += &nodes.map_or(String::new(), |nodes| format!(" nodes {nodes}"));
        line += &time.map_or(String::new(), |time| format!(" time {time} increment {increment}"));
        let go = go(&line);
        prop_assert!(go.warnings.is_empty());
        prop_assert_eq!((go.ponder, go.draw), (ponder, draw));
        let limits = go.limits(Color::Red, MILLI);
        prop_assert_eq!((limits.depth, limits.nodes, limits.ponder), (depth, nodes, ponder));
        prop_assert_eq!(limits.clock.map(|clock| clock.time), time.map(Duration::from_millis));
    }

    #[test]
    fn unknown_commands_are_shortened_in_errors(word in "[x-z]{1,200}") {
        let Err(CommandError::Unknown(named)) = parse(word.as_bytes()) else { panic!("{word}") };
        prop_assert!(named.chars().count() <= 43);
        prop_assert!(word.starts_with(named.trim_end_matches("...")));
    }
}
