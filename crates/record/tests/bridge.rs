//! The formats of 象棋桥, built byte by byte.

use super::support::{games, told, tree};
use xiangqi::{Color, Move, PieceKind, Position, Square};
use xiangqi_record::{Game, GameResult, NodeId, RecordFile};

fn index(square: Square) -> u8 {
    (9 - square.rank()) * 9 + square.file()
}

/// The flags of a node in both formats: whether the line ends, whether an alternative follows.
fn flags(game: &Game, id: NodeId) -> (bool, bool) {
    let siblings = game[game[id].parent()].children();
    (game[id].children().is_empty(), id != NodeId::ROOT && siblings.last() != Some(&id))
}

/// The nodes of a tree in the order of both formats.
fn order(game: &Game, id: NodeId, list: &mut Vec<NodeId>) {
    list.push(id);
    game[id].children().iter().for_each(|&child| order(game, child, list));
}

fn places(game: &Game) -> Vec<NodeId> {
    let mut list = Vec::new();
    order(game, NodeId::ROOT, &mut list);
    list
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn cbr(game: &Game) -> Vec<u8> {
    // The bytes behind a text are undefined.
    let mut file = vec![0xCD; 2214];
    file[..16].copy_from_slice(b"CCBridge Record\0");
    file[19] = 2;
    let mut text = |at: usize, value: &str| {
        let bytes = utf16(&format!("{value}\0"));
        file[at..at + bytes.len()].copy_from_slice(&bytes);
    };
    for at in [180, 308, 564, 628, 692, 756, 820, 852, 884, 948, 1012, 1140, 1204, 1300, 1364, 1428, 1588, 1652, 1780] {
        text(at, "");
    }
    text(1076, game.tag("Red").unwrap_or_default());
    text(180, game.tag("Event").unwrap_or_default());
    let result = GameResult::ALL.iter().position(|&result| result == game.result).expect("a result") as u32;
    file[2076..2080].copy_from_slice(&result.to_le_bytes());
    file[2112..2116].copy_from_slice(&(1 + game.start().side() as u32).to_le_bytes());
    file[2120..2210].fill(0);
    for (piece, square) in Square::all().filter_map(|square| Some((game.start().piece_at(square)?, square))) {
        let kind = match piece.kind() {
            PieceKind::Rook => 1,
            PieceKind::Horse => 2,
            PieceKind::Bishop => 3,
            PieceKind::Advisor => 4,
            PieceKind::King => 5,
            PieceKind::Cannon => 6,
            PieceKind::Pawn => 7,
        };
        let color = if piece.color() == Color::Red { 0x10 } else { 0x20 };
        file[2120 + usize::from(index(square))] = color | kind;
    }
    file[2210..2214].fill(0xFF);
    for id in places(game) {
        let comment = utf16(&game[id].marked_comment());
        let (ends, others) = flags(game, id);
        let flags = u8::from(ends) | u8::from(others) << 1 | u8::from(!comment.is_empty()) << 2;
        file.extend(game[id].mv().map_or([flags, 0, 0, 0], |mv| [flags, 0, index(mv.from()), index(mv.to())]));
        if !comment.is_empty() {
            file.extend((comment.len() as u32).to_le_bytes());
            file.extend(comment);
        }
    }
    file
}

fn cbl(games: &[Game]) -> Vec<u8> {
    let mut file = vec![0; 66_624 + 276 * 128];
    file[..16].copy_from_slice(b"CCBridgeLibrary\0");
    file[60..64].copy_from_slice(&128u32.to_le_bytes());
    for game in games {
        file.extend(cbr(game));
        while !(file.len() - 101_952).is_multiple_of(4096) {
            file.push(0);
        }
    }
    file
}

fn cbf(game: &Game) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let square = |square: Square| format!("{}{}", square.file(), 9 - square.rank());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<ChineseChessRecord Version=\"1.0\">\r\n<Head>\r\n<Name>{}</Name>\r\n\
         <Red>{}</Red>\r\n<Black />\r\n<RecordResult>{}</RecordResult>\r\n<FEN>{}</FEN>\r\n</Head>\r\n<MoveList>\r\n",
        escape(game.tag("Event").unwrap_or_default()),
        escape(game.tag("Red").unwrap_or_default()),
        GameResult::ALL.iter().position(|&result| result == game.result).expect("a result"),
        game.start().fen()
    );
    for id in places(game) {
        let (ends, others) = flags(game, id);
        let squares = |mv: Move| format!("{}-{}", square(mv.from()), square(mv.to()));
        let value = game[id].mv().map_or("00-00".to_string(), squares);
        let branch = if others { " branch=\"1\"" } else { "" };
        let end = if ends { " end=\"1\"" } else { "" };
        let comment = game[id].marked_comment();
        text.push_str(&match comment.as_str() {
            "" => format!("<Move value=\"{value}\"{branch}{end} />\r\n"),
            comment => format!("<Move value=\"{value}\"{branch}{end}><![CDATA[{comment}]]></Move>\r\n"),
        });
    }
    text + "</MoveList>\r\n</ChineseChessRecord>\r\n"
}

fn compare(source: &RecordFile, written: &[Game]) {
    let read: Vec<Game> = source
        .games()
        .map(|reading| {
            let reading = reading.expect("a start");
            assert!(reading.errors.is_empty(), "{:?}", reading.errors);
            reading.game
        })
        .collect();
    assert_eq!(read.len(), written.len());
    for (read, written) in read.iter().zip(written) {
        assert_eq!((tree(read), read.result), (tree(written), written.result));
        assert_eq!(read.start().side(), written.start().side());
        let event = read.tag("Title").or(read.tag("Event"));
        assert_eq!((event, read.tag("Red")), (written.tag("Event"), written.tag("Red")));
    }
}

#[test]
fn bridge_formats_read_games_and_libraries() {
    for game in games() {
        let one = RecordFile::read(cbr(&game));
        assert_eq!(one.format().to_string(), "CBR");
        compare(&one, std::slice::from_ref(&game));
        let xml = RecordFile::read(cbf(&game).into_bytes());
        assert_eq!(xml.format().to_string(), "CBF");
        compare(&xml, std::slice::from_ref(&game));
    }
    let library = RecordFile::read(cbl(&games()));
    assert_eq!(library.format().to_string(), "CBL");
    compare(&library, &games());
}

#[test]
fn bridge_errors_name_their_place_and_keep_the_rest() {
    let list = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().expect("a move"));
    let game = Game::from_moves(&Position::start(), list).expect("legal moves");
    let whole = cbr(&game);
    assert_eq!(told(&whole), ["CBR", "h2e2 h9g7 h0g2 | *"]);
    assert_eq!(told(&whole[..2214 + 10]), ["CBR", "h2e2 | * | game 1, byte 2222: the file ends within a move"]);
    let mut illegal = whole.clone();
    illegal[2214 + 11] = 200;
    assert_eq!(told(&illegal), ["CBR", "h2e2 | * | game 1, byte 2222: expected the squares of a move, found others"]);
    let mut kind = whole.clone();
    kind[19] = 3;
    assert_eq!(told(&kind), ["CBR", "game 1, byte 19: expected a game of kind 2, the one that is known, found kind 3"]);
    let mut library = cbl(&[game.clone(), game.clone()]);
    library[101_952 + 4096 + 2120] = 0x77;
    assert_eq!(
        told(&library),
        ["CBL", "h2e2 h9g7 h0g2 | *", "game 2, byte 108168: expected a piece or nothing, found 119"]
    );
    assert_eq!(
        told(b"CCBridge\x15\0\0\0\x01\0\0\0"),
        [
            "CBL",
            "game 1, byte 0: expected a library that begins with CCBridgeLibrary, found an older one, whose layout nobody has described"
        ]
    );
    library[61] = 0xFF;
    assert_eq!(
        told(&library),
        [
            "CBL",
            "game 1, byte 60: expected an index that ends within the file, found one of 65408 games in 110144 bytes"
        ]
    );
    let xml = cbf(&game);
    let cut = &xml[..xml.rfind("<Move").expect("a move")];
    assert_eq!(
        told(cut.as_bytes()),
        ["CBF", "h2e2 h9g7 | * | game 1, line 13: the file ends within the list of moves"]
    );
    let broken = xml.replace("</MoveList>", "</Move>");
    assert_eq!(told(broken.as_bytes())[1].split(" | ").next(), Some("h2e2 h9g7 h0g2"));
}
