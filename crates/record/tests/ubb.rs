//! DhtmlXQ text: real pages, trees, and errors.

use super::support::{self, games, tree};
use xiangqi_record::ubb::{self, write};
use xiangqi_record::{Game, GameResult};

fn one(text: &str) -> Game {
    let mut games: Vec<_> = ubb::games(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    let reading = games.remove(0).expect("a start");
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    reading.game
}

#[test]
fn ubb_reads_forum_pages() {
    let text = "<html>[DhtmlXQ]\r\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver][DhtmlXQ_init]500,350[/DhtmlXQ_init]\r\n\
                [DhtmlXQ_title]某某 先胜 \\u67d0[/DhtmlXQ_titel]\r\n[DhtmlXQ_red]广东 甲[/DhtmlXQ_red]\
                [DhtmlXQ_redname]甲[/DhtmlXQ_redname][DhtmlXQ_result]红胜[/DhtmlXQ_result]\r\n\
                [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\r\n\
                [DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]\r\n\
                [DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]\
                [DhtmlXQ_move_0_2_1]10226665[/DhtmlXQ_move_0_2_1]\r\n\
                [DhtmlXQ_comment0]开局||第二行[/DhtmlXQ_comment0][DhtmlXQ_comment1]!! 当头炮[/DhtmlXQ_comment1]\
                [DhtmlXQ_comment1_2]左马[/DhtmlXQ_comment1_2][/DhtmlXQ]</html>";
    let game = one(text);
    assert_eq!(tree(&game), "{开局\n第二行}h2e2$3{当头炮}h9g7(b9c7{左马}g3g4(h0g2))h0g2 i9h9");
    assert_eq!((game.tag("Red"), game.tag("Title")), (Some("甲"), Some("某某 先胜 某")));
    assert_eq!(game.result, GameResult::RedWins);
}

#[test]
fn ubb_survives_a_round_trip() {
    for written in games() {
        let read = one(&write(&written).expect("a set of pieces"));
        assert_eq!(tree(&read), tree(&written));
        assert_eq!((read.start().fen(), read.result), (written.start().fen(), written.result));
        assert_eq!((read.tag("Red"), read.tag("Event")), (written.tag("Red"), written.tag("Event")));
    }
    let all: String = games().iter().map(|game| write(game).expect("a set of pieces")).collect();
    assert_eq!(ubb::games(&all).count(), games().len());
}

#[test]
fn ubb_compares_boards_not_digits() {
    for board in [
        "8979695949392919097717866646260600102030405060708012720323436383",
        "0919293949596979891777062646668600102030405060708012720323436383",
    ] {
        let text = format!("[DhtmlXQ_binit]{board}[/DhtmlXQ_binit][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]");
        assert_eq!(one(&text).start().fen(), xiangqi::fen::START_FEN);
    }
}

#[test]
fn ubb_errors_name_their_line_and_keep_the_rest() {
    let told = |text: &str| support::told(text.as_bytes())[1..].join("\n");
    assert_eq!(
        told("\n[DhtmlXQ_movelist]774770629[/DhtmlXQ_movelist]"),
        "h2e2 h9g7 | * | game 1, line 2: expected four digits a move, columns from 0 to 8 and rows from 0 to 9, found '9'"
    );
    assert_eq!(
        told("[DhtmlXQ_movelist]77477747[/DhtmlXQ_movelist]"),
        "h2e2 | * | game 1, line 1: move 1: h2e2 is not legal: there is no piece on h2"
    );
    assert_eq!(
        told(
            "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_9_1]7062[/DhtmlXQ_move_0_9_1]\n[DhtmlXQ_move_7_2_2]7062[/DhtmlXQ_move_7_2_2]"
        ),
        "h2e2 | * | game 1, line 2: expected a new line at a ply of one that is there, found line 1 at ply 9 of line 0 | \
         game 1, line 3: expected a line that is there, found line 2, which leaves line 7"
    );
    assert_eq!(
        told("[DhtmlXQ_binit]89[/DhtmlXQ_binit]"),
        "game 1, line 1: expected 64 digits, two for each of 32 pieces, found 2 letters"
    );
    assert!(ubb::games("no game at all [DhtmlXQ").next().is_none());
    // Numbers beyond any index.
    let most = usize::MAX;
    let far = format!(
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment{most}]a[/DhtmlXQ_comment][DhtmlXQ_comment0_{most}]a"
    );
    assert_eq!(told(&far), "h2e2 | *");
}
