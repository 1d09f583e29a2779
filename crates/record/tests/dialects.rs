//! PGN dialects of other programs, and position lists.

use super::support::{ENDGAME, games, in_all_encodings, moves, random_tree, shape, told};
use xiangqi::Position;
use xiangqi_record::{Encoding, GameResult, Notation, RecordFile, fen_list, pgn};

#[test]
fn pgn_reads_chinese_in_both_scripts_and_all_encodings() {
    let simplified = "[Game \"Chinese Chess\"]\r\n[Red \"胡荣华\"]\r\n[Result \"红胜\"]\r\n\r\n1. 炮二平五 马８进７ {当头炮}\r\n\
                      2. 马二进三 车９平８ 3. 兵七进一 卒７进１ 1-0\r\n=====\r\n棋谱欢迎访问 http://example.com 1. 炮二平五\r\n";
    let traditional = "[Game \"Chinese Chess\"]\r\n[Red \"胡榮華\"]\r\n\r\n1. 炮二平五 馬８進７ {當頭炮}\r\n\
                       2. 傌二進三 車９平８ 3. 兵七進一 卒７進１ 1-0\r\n";
    for (text, encodings) in [(simplified, 2), (traditional, 3)] {
        let files = in_all_encodings(text);
        assert!(files.len() >= encodings, "{}", files.len());
        for file in files {
            let games: Vec<String> =
                told(&file).into_iter().map(|line| line.replace('當', "当").replace('頭', "头")).collect();
            assert_eq!(games[..2], ["PGN", "h2e2 h9g7{当头炮}h0g2 i9h9 c3c4 g6g5 | 1-0"]);
        }
    }
}

#[test]
fn pgn_detects_the_rank_base_of_chess_programs() {
    for (text, expected) in [
        // xboard
        (
            "[White \"a\"]\n[Black \"b\"]\n[Variant \"xiangqi\"]\n[SetUp \"1\"]\n[FEN \"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1\"]\n\n\
          1. Che2 {+0.10/7 4} Hg7 {+0,02/6} 2. Hg2 g5 3. c4 Rh9 4. Rh0 Cxb0 {drop @ is none} *\n",
            "h2e2{+0.10/7 4}h9g7{+0,02/6}h0g2 g6g5 c3c4 i9h9 i0h0 b7b0{drop @ is none} | *",
        ),
        // Fairy-Stockfish and its sites
        (
            "[Variant \"Xiangqi\"]\n\n1. Che3 Ng8 ( 1... Nc8 2. Pg5 $6 ) 2. Ng3 { [%clk 0:01:02] } Pg6 3. Pc5 Rih10 4. Rih1 Cxb1 0-1\n",
            "h2e2 h9g7(b9c7 g3g4$6)h0g2{[%clk 0:01:02]}g6g5 c3c4 i9h9 i0h0 b7b0 | 0-1",
        ),
        ("[Variant \"Xiangqi\"]\n\n1. h3e3 h10g8 2. h1g3 i10h10 *\n", "h2e2 h9g7 h0g2 i9h9 | *"),
        ("[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 *\n", "h2e2 h9g7 h0g2 i9h9 | *"),
    ] {
        assert_eq!(told(text.as_bytes()), ["PGN", expected]);
    }
}

#[test]
fn pgn_round_trips_every_notation_and_encoding() {
    for written in games() {
        for notation in Notation::ALL {
            for encoding in Encoding::ALL {
                let bytes = encoding.encode(&pgn::write(&written, notation)).into_owned();
                let source = RecordFile::read(bytes);
                let read = source
                    .games()
                    .next()
                    .expect("a game")
                    .expect("a start")
                    .into_game_with_main_line()
                    .expect("a main line");
                assert_eq!(shape(&read), shape(&written));
                assert_eq!((read.tag("Red"), read.tag("event")), (Some("甲"), written.tag("Event")));
                assert_eq!(read.tag("Format"), Some(notation.to_string().as_str()));
            }
        }
    }
}

#[test]
fn fen_list_survives_a_round_trip() {
    let written = games();
    let text: String = written.iter().map(fen_list::write).collect();
    assert_eq!(text.lines().count(), written.len());
    let source = RecordFile::read(text.into_bytes());
    assert_eq!(source.format().to_string(), "FEN");
    for (read, written) in source.games().zip(&written) {
        let read = read.expect("a start").into_game_with_main_line().expect("a main line");
        assert_eq!((read.start().fen(), moves(&read)), (written.start().fen(), moves(written)));
    }
    let start = Position::from_fen(ENDGAME).expect("a position");
    assert_eq!(fen_list::write(&random_tree(&start, 0, 0)), format!("{ENDGAME}\n"));
}

#[test]
fn fen_list_reads_lists_of_other_programs() {
    let text = "# a list\nposition fen 3ak4/9/4b4/9/9/5N3/9/4B4/4A4/3AK4 b - - 7 41 moves e9e8 f4d5\n\n\
                startpos moves h3e3 h10g8\n3ak4/9/4b4/9/9/5N3/9/4B4/4A4/3AK4 b bm e9e8; id \"x\";\n\
                startpos moves h2e2 h2e2\n9/9 w\n";
    assert_eq!(
        told(text.as_bytes()),
        [
            "FEN",
            "e9e8 f4d5 | *",
            "h2e2 h9g7 | *",
            "*",
            "h2e2 | * | game 4, line 6: move 1: 'h2e2' is no legal move in this position: there is no piece on h2",
            "game 5, line 7: FEN board: expected 10 ranks, found 2",
        ]
    );
}

#[test]
fn pgn_reads_an_xboard_game_to_its_end() {
    let file = include_bytes!("data/xboard.pgn");
    let source = RecordFile::read(file.to_vec());
    let reading = source.games().next().expect("a game").expect("a start");
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let game = reading.game;
    let plies: Vec<_> = game.main_line().collect();
    assert_eq!((plies.len(), game.tag("Red"), game.result), (131, Some("fairy-stockfish"), GameResult::RedWins));
    assert!(game.main_line_nodes().all(|node| node.comment.starts_with('+') || node.comment.starts_with('-')));
    // Mated or stalemated: no legal move is left.
    assert!(!game.position_at(game.last()).has_legal_move());
}

#[test]
fn result_is_read_from_its_tag_in_any_wording() {
    for (value, expected) in [
        ("红胜", GameResult::RedWins),
        ("紅先負", GameResult::BlackWins),
        ("和局", GameResult::Draw),
        ("0-1", GameResult::BlackWins),
        ("soon", GameResult::Unknown),
    ] {
        let text = format!("[Result \"{value}\"]\n\n1. C2.5 H8+7\n");
        assert_eq!(pgn::read(&text).remove(0).expect("a game").result, expected, "{value}");
    }
}
