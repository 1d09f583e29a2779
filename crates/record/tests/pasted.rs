//! Pasted texts.

use super::support::{in_all_encodings, told};
use xiangqi_record::RecordFile;

const LINE: &str = "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5";

fn moves_alone(text: &str) -> String {
    let told = told(text.as_bytes());
    assert_eq!(told.len(), 2, "{told:?}");
    told[1].clone()
}

#[test]
fn free_text_reads_clipboard_formats() {
    let studio = "标题: 某局\n赛事: 某赛\n红方: 甲\n黑方: 乙\n结果: 红方胜\n\
                  --------------------------------\n  1. 炮二平五    马８进７\n  2. 马二进三    车９平８\n  3. 兵七进一    卒７进１\n\
                  --------------------------------\n棋谱由 XQStudio 生成 http://example.com\n";
    let bridge = "\u{FEFF}标题：某局\n赛事：某赛\n红方：甲\n黑方：乙\n结果：红胜\n\n\
                  1. 炮二平五　马8进7（当头炮）\n2. 马二进三　车9平8\n3. 兵七进一　卒7进1\n";
    let traditional = "標題: 某局\n賽事: 某賽\n紅方: 甲\n黑方: 乙\n結果: 紅勝\n１．炮二平五馬８進７２．馬二進三車９平８３．兵七進一卒７進１";
    for (text, line) in
        [(studio, LINE.to_string()), (bridge, LINE.replace("h9g7 ", "h9g7{当头炮}")), (traditional, LINE.to_string())]
    {
        for file in in_all_encodings(text) {
            assert_eq!(told(&file), ["text".to_string(), format!("{line} | 1-0")]);
            let source = RecordFile::read(file);
            let game = source.games().next().expect("a game").expect("a start").game;
            assert_eq!((game.tag("Red"), game.tag("Black"), game.tag("Title")), (Some("甲"), Some("乙"), Some("某局")));
            assert_eq!(game.tag("Event").map(|event| event.chars().next()), Some(Some('某')));
        }
    }
}

#[test]
fn free_text_reads_bare_moves_in_any_notation() {
    for text in [
        "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5",
        "H2-E2 H9-G7\nH0-G2 I9-H9\nC3-C4 G6-G5",
        "h3e3 h10g8 h1g3 i10h10 c4c5 g7g6",
        "C2=5 H8+7 H2+3 R9=8 P7+1 P7+1",
        "Ｃ２．５ Ｈ８＋７ Ｈ２＋３ Ｒ９．８ Ｐ７＋１ Ｐ７＋１",
        "C2.5 n8+7 2 N2+3 r9.8 3 P7+1 p7+1",
        "炮二平五 马8进7 马二进三 车9平8 兵七进一 卒7进1",
        "h2e2,h9g7,h0g2,i9h9,c3c4,g6g5",
        "pv:h2e2|h9g7|h0g2|i9h9|c3c4|g6g5",
        "H2—E2 H9—G7 H0—G2 I9—H9 C3—C4 G6—G5",
        "炮二平五，马8进7，马二进三，车9平8，兵七进一，卒7进1。",
        "1、炮二平五马８进７\n2、马二进三车９平８\n3、兵七进一卒７进１",
        "Che2 Hg7 Hg2 Rh9 c4 g5",
        "Che3 Ng8 Ng3 Rih10 Pc5 Pg6",
    ] {
        assert_eq!(moves_alone(text), format!("{LINE} | *"), "{text}");
    }
}

#[test]
fn free_text_finds_positions_results_and_comments_anywhere() {
    let endgame =
        "初始局面：3ak4/9/4b4/9/9/5N3/9/4B4/4A4/3AK4 b\n精彩残局\n1. ... 将5进1\n2. 马四进六 妙手 (2. 相五进七) 和棋";
    assert_eq!(moves_alone(endgame), "{精彩残局}e9e8 f4d5{妙手}(e2c4) | 1/2-1/2");
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2 h9g7\n1. h0g2";
    assert_eq!(moves_alone(line), "h2e2 h9g7 h0g2 | *");
    let two = "红方: 甲\n1. 炮二平五 马8进7 红胜\n\n红方: 乙\n1. 兵七进一 卒7进1\n";
    assert_eq!(told(two.as_bytes()), ["text", "h2e2 h9g7 | 1-0", "c3c4 g6g5 | *"]);
}

#[test]
fn free_text_reports_invalid_moves_and_ignores_other_text() {
    assert_eq!(
        moves_alone("1. 炮二平五 马8进7\n2. 炮五进九 马7进6"),
        "h2e2 h9g7 | * | game 1, line 2: move 2: '炮五进九' is no legal move in this position: the cannon does not move like that"
    );
    // A word after a move number is meant as a move, and one at the end may be.
    for (text, told) in [
        ("1. e4 e5 2. Nf3 Nc6", "e3e4 e6e5 | * | game 1, line 1: move 2: 'Nf3' is no legal move in this position"),
        (
            "1. 炮二平五 马8进7 2. 马二",
            "h2e2 h9g7 | * | game 1, line 1: move 2: '马二' is no legal move in this position",
        ),
        ("h2e2 h9g7 h0g", "h2e2 h9g7{h0g} | * | game 1, line 1: expected a move, found 'h0g'"),
        ("h2e2 all of this h9g7", "h2e2{all of this}h9g7 | * | game 1, line 1: expected a move, found 'all'"),
    ] {
        assert_eq!(moves_alone(text), told);
    }
    assert_eq!(
        told("炮二进九 and no more".as_bytes())[1..],
        ["game 1, line 1: move 1: '炮二进九' is no legal move in this position: the cannon does not move like that"]
    );
    for text in [
        "\u{1}\u{2}\u{3}h2e2 h9g7\u{4}",
        "\u{FFFD}PNG\u{FFFD}h2e2",
        "",
        "\n\n",
        "Hello, this is a letter.",
        "红方: 甲",
        "\0\0\0",
        "<html><body>nothing</body></html>",
    ] {
        assert_eq!(told(text.as_bytes()).len(), 1, "{text}");
    }
}

/// The tags that name players, event and title, and the result.
fn about(text: &str) -> Vec<Vec<String>> {
    let source = RecordFile::read(text.as_bytes().to_vec());
    let tags = ["Title", "Event", "Red", "Black"];
    let games = source.games().map(|game| game.expect("a game").game);
    games
        .map(|game| {
            let told = tags.iter().map(|tag| game.tag(tag).unwrap_or("").to_string());
            told.chain([format!("{} {}", game.result, game.main_line_nodes().count())]).collect()
        })
        .collect()
}

#[test]
fn free_text_reads_titles_and_several_headings_on_a_line() {
    let moves = "1. 炮二平五 马8进7\n";
    for (head, expected) in [
        ("许甲川 先胜 吕乙\n", ["", "", "许甲川", "吕乙", "1-0 2"]),
        ("许甲川先负吕乙\n", ["", "", "许甲川", "吕乙", "0-1 2"]),
        ("某年某杯赛 许甲川 先和 吕乙\n", ["", "某年某杯赛", "许甲川", "吕乙", "1/2-1/2 2"]),
        ("許甲川（紅先勝）呂乙\n", ["", "", "許甲川", "呂乙", "1-0 2"]),
        ("红方：冯五  黑方：卫六\n", ["", "", "冯五", "卫六", "* 2"]),
        ("第一局  红方：冯五\n", ["第一局", "", "冯五", "", "* 2"]),
        ("红方：冯五，黑方：卫六；结果：红胜\n", ["", "", "冯五", "卫六", "1-0 2"]),
        ("【赛事】：某赛 【红方】：冯五\n", ["", "某赛", "冯五", "", "* 2"]),
        ("时间：10:30 红方：冯五\n", ["", "", "冯五", "", "* 2"]),
    ] {
        assert_eq!(about(&format!("{head}{moves}")), [expected], "{head}");
    }
}

#[test]
fn free_text_reads_results_behind_the_moves_and_titles_between_games() {
    let moves = "1. 炮二平五 马8进7";
    for tail in ["\n结果：和棋\n", " 结果：和棋", "\n對局結果: 和局", " 和棋"] {
        assert_eq!(about(&format!("红方：冯五\n{moves}{tail}")), [["", "", "冯五", "", "1/2-1/2 2"]], "{tail}");
    }
    let two = format!("甲一 先胜 乙二\n{moves}\n丙三 先负 丁四\n{moves}\n");
    assert_eq!(about(&two), [["", "", "甲一", "乙二", "1-0 2"], ["", "", "丙三", "丁四", "0-1 2"]]);
    let results = format!("红方：冯五\n结果：红胜\n{moves}\n结果：和棋\n红方：卫六\n{moves}\n");
    assert_eq!(about(&results), [["", "", "冯五", "", "1-0 2"], ["", "", "卫六", "", "1/2-1/2 2"]]);
    // A sentence that speaks of a result is a comment.
    assert_eq!(about(&format!("{moves} 此后红方应先胜一子再图进取，较为稳妥\n"))[0][4], "* 2");
}
