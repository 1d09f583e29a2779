//! The file format of the World Xiangqi Federation and of PlayOK.

use super::support::told;
use xiangqi_record::RecordFile;

const PLAYOK: &str = "FORMAT\tWXF\nGAME\t\nRED\tname ; 1200 ;;\nBLACK\tother ; 1300 ;;\nRESULT\t0-1\nDATE\t2020-01-02\n\
                      EVENT\tPlayOK Game ; 10m+0s\n\nSTART{\n1. C2.5 h8+7  2. H2+3 r9.8  3. P7+1 p7+1\n4. R1.2 c8+4\n}END\n";

#[test]
fn wxf_reads_games_of_playok() {
    assert_eq!(told(PLAYOK.as_bytes()), ["WXF", "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5 i0h0 h7h3 | 0-1"]);
    let source = RecordFile::read(PLAYOK.replace('\n', "\r\n").into_bytes());
    let game = source.games().next().expect("a game").expect("a start").game;
    assert_eq!((game.tag("Red"), game.tag("RedElo"), game.tag("BlackElo")), (Some("name"), Some("1200"), Some("1300")));
    assert_eq!((game.tag("Event"), game.tag("Date")), (Some("PlayOK Game ; 10m+0s"), Some("2020-01-02")));
}

#[test]
fn wxf_reads_positions_and_several_games_per_file() {
    let text = "FORMAT WXF\nEVENT a study\nRED First;Team A\nRESULT 1-0\nFEN 4k4/9/9/4H4/9/4H4/9/9/9/4K4 r\nSTART{\n1. H++7 K5.6\n}END\n\
                FORMAT WXF\nEVENT another\nSTART{ 1. C2=5 H8+7 }END\nFORMAT WXF\nEVENT bad\nSTART{\n 1. C2.5 H8+7\n 2. C5+9\n}END\n\
                FORMAT WXF\nSTART{\n 1. C2.5 H8+7\n";
    assert_eq!(
        told(text.as_bytes()),
        [
            "WXF",
            "e6c7 e9f9 | 1-0",
            "h2e2 h9g7 | *",
            "h2e2 h9g7 | * | game 3, line 16: move 2: 'C5+9' is no legal move in this position: the cannon does not move like that",
            "h2e2 h9g7 | * | game 4, line 19: expected }END, found none up to the end of the file",
        ]
    );
    let source = RecordFile::read(text.as_bytes().to_vec());
    let first = source.games().next().expect("a game").expect("a start").game;
    assert_eq!((first.tag("RedTeam"), first.tag("Event")), (Some("Team A"), Some("a study")));
    let list = "FORMAT WXF\nSETUP{\nK e1\n}\nSTART{\n}END\n";
    assert_eq!(told(list.as_bytes()), ["WXF", "game 1, line 2: expected a FEN, found a list of pieces alone"]);
}
