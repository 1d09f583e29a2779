//! Game records: written, read, torn.

use chuhe::board::Position;
use chuhe::record::pgn::{Entry, Record, read, whole_length};
use chuhe::record::{Notation, decode};
use chuhe::types::Move;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A game of random moves from this position.
fn random_game(start: Position, plies: usize, seed: u64) -> Record {
    let mut random = StdRng::seed_from_u64(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for ply in 0..plies {
        let list: Vec<Move> = position.legal_moves().moves().collect();
        if list.is_empty() {
            break;
        }
        let mv = list[random.random_range(0..list.len())];
        position.make(mv);
        moves.push(Entry {
            mv,
            comment: if ply % 3 == 0 { String::new() } else { format!("+0.{ply}/7 1.0s") },
        });
    }
    let tags = vec![
        ("Event".to_string(), "A \"test\" with \\ and 炮".to_string()),
        ("Red".to_string(), "甲".to_string()),
    ];
    Record { tags, start, moves, result: "1/2-1/2".to_string() }
}

fn games() -> Vec<Record> {
    let endgame = "3ak4/9/4b4/9/9/5N3/9/4B4/4A4/3AK4 b - - 7 41";
    vec![
        random_game(Position::start(), 90, 1),
        random_game(Position::from_fen(endgame).expect("a position"), 31, 2),
        random_game(Position::start(), 0, 3),
    ]
}

#[test]
fn what_is_written_is_read_back() {
    for notation in Notation::ALL {
        let text: String = games().iter().map(|game| game.write(notation)).collect();
        let read = read(&text);
        assert_eq!(read.len(), 3);
        for (read, written) in read.into_iter().zip(games()) {
            let read = read.expect("a readable game");
            assert_eq!(read.moves, written.moves);
            assert_eq!(read.result, written.result);
            assert_eq!(read.start.fen(), written.start.fen());
            assert_eq!(read.tag("event"), written.tag("Event"));
            assert_eq!(read.tag("Format"), Some(notation.to_string().as_str()));
        }
    }
}

#[test]
fn a_torn_record_is_whole_up_to_its_last_whole_game() {
    let parts: Vec<String> = games().iter().map(|game| game.write(Notation::Iccs)).collect();
    let text = parts.concat();
    let ends = [0, parts[0].len(), parts[0].len() + parts[1].len(), text.len()];
    for cut in 0..=text.len() {
        let torn = &text.as_bytes()[..cut];
        let whole = ends.iter().copied().filter(|&end| end <= cut).max().unwrap_or(0);
        assert_eq!(whole_length(torn), whole, "cut at {cut}");
    }
}

#[test]
fn files_of_other_programs_are_read() {
    // CRLF, GBK, comments in round brackets with brackets inside, no result at the end.
    let mut bytes =
        b"[Game \"Chinese Chess\"]\r\n[Red \"\xBA\xFA\"]\r\n[Result \"1-0\"]\r\n[Format \"Chinese\"]\r\n\r\n"
            .to_vec();
    bytes
        .extend(b"1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 \xC2\xED\xA3\xB8\xBD\xF8\xA3\xB7 (good (or not)) \r\n");
    bytes.extend(b"2.\xC2\xED\xB6\xFE\xBD\xF8\xC8\xFD {a comment} \xB3\xB5\xA3\xB9\xC6\xBD\xA3\xB8\r\n");
    let games = read(&decode(&bytes));
    let [Ok(game)] = games.as_slice() else { panic!("one game: {}", games.len()) };
    let moves: Vec<String> = game.moves.iter().map(|entry| entry.mv.to_string()).collect();
    assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(game.result, "1-0");
    assert_eq!(game.moves[2].comment, "a comment");
}

#[test]
fn what_others_put_between_and_around_the_moves_is_passed_over() {
    let text = "\u{FEFF}[Game \"Chinese Chess\"] [Red \"a \\\"b\\\" c\"]\n[Path \"C:\\games\"]\n[Odd value]\n\n\
                1. H2-E2! $1 {best [%clk 0:01:02]} (1. C2.4 $6 {or :-)} H8+7 (2. P3+1)) H9-G7?! ; the rest of the line\n\
                % an escape 1. x\n2. H0-G2 !? I9-H9# $14 1/2-1/2\n\
                ============================\nWelcome to our site 2. visit {soon} (or later) it!\n\
                ============================\n\n\
                \u{FEFF}1. H2-E2 H9-G7 1-0\n=====\n[Red \"c\"]\n\n1.H2-E2 (never closed\n\n[Red \"d\"]\n\n1.H2-E2 *\n";
    let games: Vec<Record> = read(text).into_iter().map(|game| game.expect("a readable game")).collect();
    assert_eq!(games.len(), 4);
    let moves =
        |game: &Record| game.moves.iter().map(|entry| entry.mv.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(games[0].tag("Red"), Some("a \"b\" c"));
    assert_eq!(games[0].tag("Path"), Some("C:\\games"));
    assert_eq!((games[0].tag("Odd"), games[0].result.as_str()), (Some("value"), "1/2-1/2"));
    assert!(games[0].moves[0].comment.starts_with("best [%clk 0:01:02]"), "{}", games[0].moves[0].comment);
    assert_eq!((moves(&games[1]).as_str(), games[1].result.as_str()), ("h2e2 h9g7", "1-0"));
    assert_eq!((moves(&games[2]).as_str(), games[2].tag("Red")), ("h2e2", Some("c")));
    assert_eq!((moves(&games[3]).as_str(), games[3].tag("Red")), ("h2e2", Some("d")));
}

#[test]
fn tags_of_any_letters_come_back() {
    for value in ["\\", "\\\\", "a\\\"b", "\"", "x]", "\"]", "[y \"z\"]", "炮; $1 {"] {
        let tags = vec![("Event".to_string(), value.to_string())];
        let game = Record { tags, ..random_game(Position::start(), 4, 1) };
        let read = read(&game.write(Notation::Iccs));
        let [Ok(read)] = read.as_slice() else { panic!("one game with {value}") };
        assert_eq!(read.tag("Event"), Some(value));
    }
}

#[test]
fn a_bad_game_does_not_hide_the_next() {
    let text = "[FEN \"nonsense\"]\n\n1. H2-E2 *\n\n[Red \"b\"]\n\n1. H2-E2 H2-E2 1-0\n\n[Red \"c\"]\n\n1. H2-E2 H9-G7 0-1\n\n";
    let games = read(text);
    assert_eq!(games.len(), 3);
    assert!(games[0].as_ref().err().is_some_and(|error| error.to_string().starts_with("game 1: FEN")));
    let error = games[1].as_ref().err().map(ToString::to_string);
    assert_eq!(error.as_deref(), Some("game 2, move 1: 'H2-E2' is no legal move in this position"));
    assert!(games[2].as_ref().is_ok_and(|game| game.moves.len() == 2));
}

#[test]
fn rubbish_neither_panics_nor_hangs() {
    let mut random = StdRng::seed_from_u64(5);
    let alphabet: Vec<char> = "[]{}()\"\\ \n\r1.-0/*CH+=炮二平五前车x%;\u{FFFD}".chars().collect();
    for _ in 0..2000 {
        let length = random.random_range(0..60);
        let text: String = (0..length).map(|_| alphabet[random.random_range(0..alphabet.len())]).collect();
        let _ = read(&text);
        assert!(whole_length(text.as_bytes()) <= text.len());
    }
}
