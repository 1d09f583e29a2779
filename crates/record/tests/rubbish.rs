//! No reader panics or hangs on random bytes, truncated files, or files with changed bytes.

use super::support::random_tree;
use proptest::prelude::*;
use xiangqi::Position;
use xiangqi_record::{Encoding, Notation, RecordFile, cbf, cbr, decode, fen_list, free_text, pgn, ubb, wxf_file, xqf};

/// Runs every reader on the bytes; games that are read are written and read again.
fn run_all_readers(bytes: &[u8]) {
    let text = decode(bytes);
    let readings = [
        vec![xqf::read(bytes), cbr::read(bytes), cbf::read(&text)],
        cbr::library_games(bytes).collect(),
        ubb::games(&text).collect(),
        wxf_file::games(&text).collect(),
        fen_list::read(&text),
        free_text::games(&text).collect(),
        pgn::games(&text).collect(),
        RecordFile::read(bytes.to_vec()).games().collect(),
    ];
    for reading in readings.into_iter().flatten().flatten() {
        let game = reading.game;
        let again = pgn::read(&pgn::write(&game, Notation::Wxf)).remove(0).expect("what was written");
        assert_eq!(again.nodes().count(), game.nodes().count());
        let _ = fen_list::write(&game);
        if let Ok(file) = xqf::write(&game) {
            assert_eq!(xqf::read(&file).expect("a file").game.nodes().count(), game.nodes().count());
        }
        if let Ok(file) = ubb::write(&game) {
            assert_eq!(
                ubb::games(&file).next().expect("a game").expect("a file").game.nodes().count(),
                game.nodes().count()
            );
        }
    }
}

/// A small game in each format, with comments and variations.
fn files() -> Vec<Vec<u8>> {
    let game = random_tree(&Position::start(), 24, 7);
    let text = pgn::write(&game, Notation::Chinese);
    let moves = text.split("\n\n").nth(1).expect("moves").to_string();
    let wxf = pgn::write(&game, Notation::Wxf);
    let body = wxf.split("\n\n").nth(1).expect("moves");
    let library = [&b"CCBridgeLibrary\0"[..], &[0; 5000]].concat();
    vec![
        text.clone().into_bytes(),
        Encoding::Gbk.encode(&text).into_owned(),
        pgn::write(&game, Notation::Uci).into_bytes(),
        xqf::write(&game).expect("a set of pieces"),
        ubb::write(&game).expect("a set of pieces").into_bytes(),
        fen_list::write(&game).into_bytes(),
        format!("红方: 甲\n结果: 红胜\n{moves}").into_bytes(),
        format!("FORMAT WXF\nRED a;b\nSTART{{\n{body}\n}}END\n").into_bytes(),
        b"<ChineseChessRecord><Head><Red>a&amp;b</Red></Head><MoveList><Move value=\"00-00\"/><Move value=\"77-47\" branch=\"1\">\
          <![CDATA[x]]></Move><Move value=\"70-62\" end=\"1\"/><Move value=\"17-47\" end=\"1\"/></MoveList></ChineseChessRecord>"
            .to_vec(),
        library,
    ]
}

#[test]
fn readers_accept_valid_files() {
    files().iter().for_each(|file| run_all_readers(file));
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(60))]

    #[test]
    fn readers_survive_random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..3000), magic in 0..5usize) {
        let magic: &[u8] = [&b""[..], b"XQ\x12", b"CCBridge Record\0abc\x02", b"CCBridgeLibrary\0", b"[DhtmlXQ]"][magic];
        run_all_readers(&[magic, &bytes].concat());
    }

    #[test]
    fn readers_survive_random_characters(text in "[\\[\\]{}()\"\n .0-9a-iRNBAKCPH+=/*$;%炮马车兵将平进退一二三五１２<>|_:-]{0,200}") {
        run_all_readers(text.as_bytes());
    }

    #[test]
    fn readers_survive_truncated_files(file in 0..10usize, part in 0.0..1.0f64) {
        let bytes = &files()[file];
        run_all_readers(&bytes[..(bytes.len() as f64 * part) as usize]);
    }

    #[test]
    fn readers_survive_changed_bytes(file in 0..10usize, changes in proptest::collection::vec((0.0..1.0f64, any::<u8>()), 1..12)) {
        let mut bytes = files().remove(file);
        for (place, byte) in changes {
            let index = (bytes.len() as f64 * place) as usize;
            bytes[index] = byte;
        }
        run_all_readers(&bytes);
    }
}
