//! Written games are read back with the same meaning, whatever their names and comments contain.

use super::support::moves;
use proptest::prelude::*;
use std::collections::BTreeMap;
use xiangqi_record::{Game, GameCursor, GameResult, NodeId, Notation, RecordFile, pgn, ubb, xqf};

/// Texts that are difficult for some format.
const PIECES: [&str; 43] = [
    "[Event \"x\"]",
    "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]",
    "\n",
    "\n\n",
    "\r\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "\\u0041",
    "\\u",
    "|",
    "||",
    "[DhtmlXQ]",
    "[/DhtmlXQ_title]",
    "[DhtmlXQ_movelist]7747",
    "DhtmlXQ",
    "START{",
    "}END",
    "FORMAT WXF",
    "<ChineseChessRecord>",
    "&lt;",
    "%",
    ";",
    "!",
    "?? ",
    "$5",
    "1-0",
    " *",
    "1. h2e2",
    "炮二平五",
    "红方: 甲",
    "\u{1b}]0;x\u{7}",
    "\0",
    "\t",
    " ",
    "漏",
    "a",
    "\u{FEFF}",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..9).prop_map(|pieces| pieces.concat())
}

/// A game with a variation, and these texts in all places that hold text.
fn game(comments: &[String; 3], names: &[String; 3]) -> Game {
    let mut game =
        Game::from_moves(&xiangqi::Position::start(), ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().expect("a move")))
            .expect("legal moves");
    let second = game.main_line().nth(1).expect("a move");
    let mut cursor = GameCursor::new(&game);
    cursor.go_to(&game, game[second].parent());
    let other = cursor.play(&mut game, "b9c7".parse().expect("a move")).expect("a legal move");
    for (place, comment) in [NodeId::ROOT, second, other].into_iter().zip(comments) {
        game[place].comment = comment.clone();
    }
    for (tag, name) in ["Event", "Red", "Annotator"].into_iter().zip(names) {
        game.set_tag(tag, name.clone());
    }
    game.result = GameResult::Draw;
    game
}

/// The words of a text without the brackets that PGN cannot hold.
fn words(text: &str) -> String {
    let is_lost = |letter: char| letter.is_control() && !"\n\t\r\x0B\x0C".contains(letter) || letter == '\u{FFFD}';
    let plain = text.replace('{', "(").replace('}', ")").replace(is_lost, "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comments by the moves that lead to their nodes.
fn notes(game: &Game) -> BTreeMap<String, String> {
    let way = |id| game.line_to(id).iter().map(|&id| game[id].mv().expect("no root").to_string()).collect::<String>();
    game.nodes().map(|id| (way(id), words(&game[id].marked_comment()))).collect()
}

/// The games of a file, which has no errors.
fn games(bytes: Vec<u8>) -> Vec<Game> {
    let source = RecordFile::read(bytes);
    let readings = source.games().map(|reading| reading.expect("a start"));
    readings
        .map(|reading| {
            assert_eq!(reading.errors, [], "{}", pgn::write(&reading.game, Notation::Iccs));
            reading.game
        })
        .collect()
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(400))]

    #[test]
    fn texts_survive_a_round_trip(comments in [hostile(), hostile(), hostile()], names in [hostile(), hostile(), hostile()]) {
        let game = game(&comments, &names);
        let names_of = |game: &Game| ["Event", "Red", "Annotator"].map(|tag| words(game.tag(tag).unwrap_or_default()));
        let mut files: Vec<(&str, Vec<u8>)> = Notation::ALL.map(|way| ("PGN", pgn::write(&game, way).into_bytes())).into();
        files.push(("UBB", ubb::write(&game).expect("a text").into_bytes()));
        files.push(("XQF", xqf::write(&game).expect("a file")));
        for (format, bytes) in files {
            let is_text = format != "XQF";
            // Two games, where a file can hold several.
            let file = if is_text { bytes.repeat(2) } else { bytes };
            let again = games(file);
            prop_assert_eq!(again.len(), if is_text { 2 } else { 1 }, "{}", format);
            for read in again {
                prop_assert_eq!(moves(&read), moves(&game), "{}", format);
                prop_assert_eq!(read.nodes().count(), game.nodes().count(), "{}", format);
                prop_assert_eq!(notes(&read), notes(&game), "{}", format);
                prop_assert_eq!(read.result, game.result, "{}", format);
                let (there, here) = (names_of(&read), names_of(&game));
                // The fields of XQF are short.
                let fits = |(read, written): (&String, &String)| if is_text { read == written } else { written.starts_with(&**read) };
                prop_assert!(there.iter().zip(&here).all(fits), "{}: {:?} and {:?}", format, there, here);
                let shown = read.nodes().map(|id| read[id].comment.clone()).chain(read.tags.iter().map(|(_, value)| value.clone()));
                for text in shown {
                    prop_assert!(!text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t')), "{}: {:?}", format, text);
                }
            }
        }
    }
}

#[test]
fn comment_with_a_tag_inside_stays_one_comment() {
    let comment = "look:\n[Event \"x\"]\n [Site \"y\"]\n  deeper";
    let mut game = game(&[String::new(), comment.to_string(), String::new()], &Default::default());
    game.tags.clear();
    let text = pgn::write(&game, Notation::Iccs);
    let read = games(text.clone().into_bytes()).remove(0);
    assert_eq!(read[read.main_line().nth(1).expect("a move")].comment, comment);
    assert_eq!(pgn::write(&read, Notation::Iccs).matches("[Event").count(), 1);
    assert_eq!(games(text.repeat(3).into_bytes()).len(), 3);
}

#[test]
fn comments_on_one_line_do_not_form_a_tag() {
    // The second line of the first comment, the move after it and the first line of the second comment end up on one
    // line.
    let comments = ["{\n[Event \"x\"]{", "[Event \"x\"]\n{", ""].map(str::to_string);
    let game = game(&comments, &Default::default());
    let read = games(pgn::write(&game, Notation::Iccs).repeat(2).into_bytes());
    assert_eq!(read.len(), 2);
    assert!(read.iter().all(|read| notes(read) == notes(&game)), "{}", pgn::write(&read[0], Notation::Iccs));
}
