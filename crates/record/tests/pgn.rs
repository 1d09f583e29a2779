//! PGN: writing, reading, truncated files, and files of other programs.

use super::support::{games, moves, shape};
use xiangqi_record::pgn::{self, complete_games_length, read, write};
use xiangqi_record::{Game, GameResult, Nag, Notation, decode};

#[test]
fn complete_games_length_ends_at_the_last_complete_game() {
    let parts: Vec<String> = games().iter().map(|game| write(game, Notation::Iccs)).collect();
    let text = parts.concat();
    let ends: Vec<usize> = (0..=parts.len()).map(|count| parts[..count].concat().len()).collect();
    for cut in 0..=text.len() {
        let torn = &text.as_bytes()[..cut];
        let whole = ends.iter().copied().filter(|&end| end <= cut).max().unwrap_or(0);
        assert_eq!(complete_games_length(torn), whole, "cut at {cut}");
    }
}

#[test]
fn pgn_reads_files_of_other_programs() {
    // CRLF, GBK, nested brackets in comments, no result at the end.
    let mut bytes =
        b"[Game \"Chinese Chess\"]\r\n[Red \"\xBA\xFA\"]\r\n[Result \"1-0\"]\r\n[Format \"Chinese\"]\r\n\r\n".to_vec();
    bytes.extend(b"1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 \xC2\xED\xA3\xB8\xBD\xF8\xA3\xB7 (good (or not)) \r\n");
    bytes.extend(b"2.\xC2\xED\xB6\xFE\xBD\xF8\xC8\xFD {a comment} \xB3\xB5\xA3\xB9\xC6\xBD\xA3\xB8\r\n");
    let games = read(&decode(&bytes));
    let [Ok(game)] = games.as_slice() else { panic!("one game: {}", games.len()) };
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(game.result, GameResult::RedWins);
    let comments: Vec<&str> = game.main_line_nodes().map(|node| node.comment.as_str()).collect();
    assert_eq!(comments, ["", "good (or not)", "a comment", ""]);
}

#[test]
fn pgn_skips_extra_text_of_other_programs() {
    let text = "\u{FEFF}[Game \"Chinese Chess\"] [Red \"a \\\"b\\\" c\"]\n[Path \"C:\\games\"]\n[Odd value]\n\n\
                1. H2-E2! $1 {best [%clk 0:01:02]} (1. C2.4 $6 {or :-)} H8+7 (2. P3+1)) H9-G7?! ; the rest of the line\n\
                % an escape 1. x\n2. H0-G2 !? I9-H9# $14 1/2-1/2\n\
                ============================\nWelcome to our site 2. visit {soon} (or later) it!\n\
                ============================\n\n\
                \u{FEFF}1. H2-E2 H9-G7 1-0\n=====\n[Red \"c\"]\n\n1.H2-E2 (never closed\n\n[Red \"d\"]\n\n1.H2-E2 *\n";
    let games: Vec<Game> = read(text).into_iter().map(|game| game.expect("a readable game")).collect();
    assert_eq!(games.len(), 4);
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(games[0].tag("Red"), Some("a \"b\" c"));
    assert_eq!(games[0].tag("Path"), Some("C:\\games"));
    assert_eq!((games[0].tag("Odd"), games[0].result), (Some("value"), GameResult::Draw));
    let first = games[0].main_line_nodes().next().expect("a move");
    assert_eq!((first.comment.as_str(), &first.marks[..]), ("best [%clk 0:01:02]", &[Nag(1), Nag(1)][..]));
    let line =
        |id| games[0].line_to(id).iter().map(|&id| games[0][id].mv().expect("no root").to_string()).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = games[0].nodes().map(line).collect();
    assert!(lines.contains(&vec!["h2f2".to_string(), "h9g7".to_string()]), "{lines:?}");
    assert!(lines.contains(&vec!["h2f2".to_string(), "c6c5".to_string()]), "{lines:?}");
    let marks: Vec<usize> = games[0].main_line_nodes().map(|node| node.marks.len()).collect();
    assert_eq!(marks, [2, 1, 1, 1]);
    assert_eq!((moves(&games[1]).as_str(), games[1].result), ("h2e2 h9g7", GameResult::RedWins));
    assert_eq!((moves(&games[2]).as_str(), games[2].tag("Red")), ("h2e2", Some("c")));
    assert_eq!((moves(&games[3]).as_str(), games[3].tag("Red")), ("h2e2", Some("d")));
}

#[test]
fn pgn_skips_a_text_before_its_first_tag() {
    let tags = "[Red \"a\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\"]\n\n1. a0a9 *\n";
    for before in ["春季联赛第一轮\n", "春季联赛 (第一轮)\n甲 对 乙\n\n"] {
        let games = read(&format!("{before}{tags}"));
        assert_eq!(games.len(), 1, "{before}");
        assert!(games[0].as_ref().is_ok_and(|game| game.tag("Red") == Some("a")), "{before}");
    }
    // Moves before the tags are a game, and so is what has a number.
    for before in ["h2e2 h9g7\n\n", "1. nonsense\n\n"] {
        assert_eq!(read(&format!("{before}{tags}")).len(), 2, "{before}");
    }
}

#[test]
fn pgn_reads_on_after_an_invalid_game() {
    let text = "[FEN \"nonsense\"]\n\n1. H2-E2 *\n\n[Red \"b\"]\n\n1. H2-E2 H2-E2 1-0\n\n[Red \"c\"]\n\n1. H2-E2 H9-G7 0-1\n\n";
    let games = read(text);
    assert_eq!(games.len(), 3);
    assert!(games[0].as_ref().err().is_some_and(|error| error.to_string().starts_with("game 1, line 1: FEN")));
    let error = games[1].as_ref().err().map(ToString::to_string);
    assert_eq!(
        error.as_deref(),
        Some("game 2, line 7: move 1: 'H2-E2' is no legal move in this position: there is no piece on h2")
    );
    assert!(games[2].as_ref().is_ok_and(|game| game.main_line_nodes().count() == 2));
}

#[test]
fn pgn_nests_variations_and_keeps_remarks_as_comments() {
    let text = "{before} 1. C2.5 {a} ({first} 1. C8.5 $2 (1. H2+3 H8+7 (1... P3+1 {deep})) 1... H8+7 {x}) \
                (1. P3+1) H8+7 (no move) (1... K5+1 K5+1)\n2. H2+3 (2. X9+9 H8+7) (2. P3+1 Q) R9.8 *";
    let mut games = pgn::games(text);
    let reading = games.next().expect("a game").expect("with a start");
    assert!(games.next().is_none());
    let told: Vec<String> = reading.errors.iter().map(ToString::to_string).collect();
    let expected = [
        "game 1, line 2: move 2: 'X9+9' is no legal move in this position",
        "game 1, line 2: move 2: 'Q' is no legal move in this position",
    ];
    assert_eq!(told, expected);
    assert!(reading.errors.iter().all(|fault| !fault.ends_main_line));
    let game = reading.into_game_with_main_line().expect("a sound main line");
    assert_eq!(
        shape(&game).1,
        "{before}h2e2{a}(b2e2$2{first}h9g7{x})(h0g2 h9g7(c6c5{deep}))(g3g4)h9g7{no move}(e9e8 e0e1)\
         h0g2{2. X9+9 H8+7}(g3g4)i9h9"
    );
}

#[test]
fn pgn_keeps_a_line_up_to_its_first_error() {
    let text = "1. C2.5 H8+7 2. H2+3 ({good} 2. P3+1\n\n[Red \"b\"]\n\n1. C2.5 {never closed\n\n[Red \"c\"]\n\n1. C2.5 H8+7\n2. C5+9 {lost} H8+7 1-0";
    let read: Vec<_> = pgn::games(text).map(|game| game.expect("a start")).collect();
    let told: Vec<String> = read.iter().flat_map(|game| &game.errors).map(ToString::to_string).collect();
    let expected = [
        "game 1, line 1: expected ')', found none up to the end of the game",
        "game 2, line 5: expected '}', found none up to the end of the game",
        "game 3, line 10: move 2: 'C5+9' is no legal move in this position: the cannon does not move like that",
    ];
    assert_eq!(told, expected);
    assert_eq!(read.iter().map(|game| moves(&game.game)).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2", "h2e2", "h2e2 h9g7"]);
    assert_eq!(read[2].game.result, GameResult::RedWins);
}
