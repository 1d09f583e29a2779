//! Any bytes are read as games or refused; games that were read can be written in every format and read again.
#![no_main]

use xiangqi_record::{Notation, RecordFile, fen_list, pgn, ubb, xqf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for reading in RecordFile::read(bytes.to_vec()).games() {
        let game = match reading {
            Ok(reading) => reading.game,
            Err(fault) => {
                assert!(!fault.to_string().is_empty());
                continue;
            }
        };
        let places = game.nodes().count();
        for notation in Notation::ALL {
            let again = pgn::read(&pgn::write(&game, notation)).remove(0).expect("what was written");
            assert_eq!(again.nodes().count(), places);
        }
        let _ = fen_list::write(&game);
        if let Ok(file) = xqf::write(&game) {
            assert_eq!(xqf::read(&file).expect("a file").game.nodes().count(), places);
        }
        if let Ok(text) = ubb::write(&game) {
            assert_eq!(ubb::games(&text).next().expect("a game").expect("a file").game.nodes().count(), places);
        }
    }
});
