//! Self-play games and their archives.

use super::support::{random_game, read, report, same};
use crate::common::Folder;
use chuhe_lab::training::archive::{ArchiveConditions, GameArchive, GameArchiveError, GameArchiveWriter};
use chuhe_lab::training::game_format::{self, FormatVersion, GameError, SearchEffort, SelfplayGame};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn games(seed: u64, count: u64) -> Vec<SelfplayGame> {
    let mut random = StdRng::seed_from_u64(seed);
    (0..count).map(|number| random_game(number, &mut random)).collect()
}

fn conditions() -> ArchiveConditions {
    ArchiveConditions::from([("nodes".to_string(), "5".to_string())])
}

/// Writes an archive with one block per game.
fn filed(folder: &Folder, games: &[SelfplayGame]) -> std::path::PathBuf {
    let file = folder.path("some.games");
    let mut writer = GameArchiveWriter::create(&file, &conditions()).expect("a new file");
    for game in games {
        writer.add(game).expect("room on the disk");
        writer.flush().expect("room on the disk");
    }
    file
}

#[test]
fn game_roundtrips_through_bytes_and_text() {
    for game in games(1, 200) {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        let mut rest = bytes.as_slice();
        assert!(same(&SelfplayGame::read(&mut rest, FormatVersion::NEWEST).expect("what was written"), &game));
        assert!(rest.is_empty());
        assert!(same(&game_format::read(&game_format::write(&game), game.number).expect("what was written"), &game));
        for length in 0..bytes.len() {
            assert!(
                SelfplayGame::read(&mut &bytes[..length], FormatVersion::NEWEST).is_err(),
                "{length} of {} bytes",
                bytes.len()
            );
        }
    }
}

#[test]
fn ply_takes_less_than_six_bytes() {
    let mut bytes = Vec::new();
    let mut random = StdRng::seed_from_u64(2);
    let mut game = random_game(1, &mut random);
    let mut score = 0;
    for ply in &mut game.plies {
        // From the side to move, as the search scores it.
        score = -score + random.random_range(-40..40);
        ply.score = score;
        ply.effort = Some(SearchEffort { depth: random.random_range(3..9), nodes: random.random_range(100..500) });
    }
    game.write(&mut bytes);
    assert!(bytes.len() < 80 + game.plies.len() * 6, "{} bytes, {} plies", bytes.len(), game.plies.len());
}

#[test]
fn random_bytes_are_refused_without_panic() {
    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..200)).map(|_| random.random::<u8>()).collect();
        let _ = SelfplayGame::read(&mut bytes.as_slice(), FormatVersion::One);
        let _ = SelfplayGame::read(&mut bytes.as_slice(), FormatVersion::Two);
    }
    let mut bytes = Vec::new();
    games(4, 1)[0].write(&mut bytes);
    for _ in 0..5_000 {
        let mut damaged = bytes.clone();
        let index = random.random_range(0..damaged.len());
        damaged[index] = random.random();
        let _ = SelfplayGame::read(&mut damaged.as_slice(), FormatVersion::NEWEST);
    }
}

#[test]
fn invalid_text_is_refused_with_a_reason() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let reading = |line: &str| match game_format::read(line, 0) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{line} is no game"),
    };
    assert!(matches!(game_format::read("", 0), Err(GameError::Start(_))));
    assert!(reading(start).contains("middle"));
    assert!(reading(&format!("{start} | 2 | Mate | h2e2:1")).contains("\"2\" is no result"));
    assert!(reading(&format!("{start} | 1 | Tea | h2e2:1")).contains("\"Tea\""));
    assert!(reading(&format!("{start} | 1 | Mate | h2e2")).contains("\"h2e2\""));
    assert!(reading(&format!("{start} | 1 | Mate | h2e2:99999")).contains("h2e2:99999"));
    assert!(reading(&format!("{start} | 1 | Mate | h2e2:1 h2e3:5")).starts_with("ply 2: "));
    for word in ["h2e2:1:5", "h2e2:1:5:0", "h2e2:1:5:x", "h2e2:1:5000:7", "h2e2:1:5:7:9"] {
        assert!(reading(&format!("{start} | 1 | Mate | {word}")).contains(word), "{word}");
    }
}

#[test]
fn torn_archive_resumes_after_its_last_whole_block() {
    let folder = Folder::new();
    let games = games(5, 20);
    let file = filed(&folder, &games);
    let whole = std::fs::read(&file).expect("a file");
    for cut in [1, 5, 13, 60] {
        std::fs::write(&file, &whole[..whole.len() - cut]).expect("a file");
        let (left, _) = read(&file);
        assert_eq!(left.len(), 19);
        let mut writer =
            GameArchiveWriter::resume(&file, &conditions()).expect("a file of games").expect("nobody else's");
        assert_eq!((writer.next_number, writer.games_before), (19, 19));
        writer.add(&games[19]).and_then(|()| writer.flush()).expect("room on the disk");
        drop(writer);
        assert_eq!(std::fs::read(&file).expect("a file"), whole, "cut by {cut}");
    }
}

#[test]
fn damaged_archive_loses_only_the_damaged_block() {
    let folder = Folder::new();
    let games = games(6, 20);
    let file = filed(&folder, &games);
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    std::fs::write(&file, &bytes).expect("a file");
    let (left, lost) = read(&file);
    assert_eq!(left.len(), 19);
    assert!(lost > 0);
    assert!(left.iter().all(|game| same(game, &games[game.number as usize])));
}

#[test]
fn archive_in_use_is_skipped_and_other_files_are_refused() {
    let folder = Folder::new();
    let file = filed(&folder, &games(7, 2));
    let first = GameArchiveWriter::resume(&file, &conditions()).expect("a file of games").expect("nobody else's");
    assert!(GameArchiveWriter::resume(&file, &conditions()).expect("a file of games").is_none());
    drop(first);
    let other = ArchiveConditions::from([("nodes".to_string(), "6".to_string())]);
    assert!(GameArchiveWriter::resume(&file, &other).expect("a file of games").is_none());
    assert!(matches!(GameArchiveWriter::create(&file, &other), Err(GameArchiveError::Io { .. })));

    let long = ArchiveConditions::from([("source".to_string(), "name ".repeat(20_000))]);
    let new = folder.path("new.games");
    assert!(matches!(GameArchiveWriter::create(&new, &long), Err(GameArchiveError::HeaderTooLong(_))));
    assert!(!new.exists());

    let foreign = folder.path("foreign.games");
    std::fs::write(&foreign, "[Event \"?\"]").expect("a file");
    assert!(matches!(GameArchive::open(&foreign), Err(GameArchiveError::NotAnArchive(_))));
    let bytes = std::fs::read(&file).expect("a file");
    std::fs::write(&foreign, [&bytes[..8], &[7, 0], &bytes[10..]].concat()).expect("a file");
    assert!(matches!(GameArchive::open(&foreign), Err(GameArchiveError::Version { found: 7, .. })));
    std::fs::write(&foreign, &bytes[..15]).expect("a file");
    assert!(matches!(GameArchive::open(&foreign), Err(GameArchiveError::Header(_))));
}

/// Three games in format version 1, and the same games as text.
const FIRST: &[u8] = include_bytes!("../data/first_version.games");
const FIRST_TEXT: &str = include_str!("../data/first_version.txt");

#[test]
fn version_1_archive_is_read_but_not_extended() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("games")).expect("a folder");
    let file = folder.write("games/0001.games", FIRST);
    let (games, lost) = read(&file);
    let lines: Vec<String> = games.iter().map(game_format::write).collect();
    assert_eq!(lines, FIRST_TEXT.lines().collect::<Vec<&str>>());
    assert!(games.iter().flat_map(|game| &game.plies).all(|ply| ply.effort.is_none()));
    let conditions = GameArchive::open(&file).expect("games").conditions;
    assert_eq!((lost, conditions["seed"].as_str()), (0, "7"));
    assert!(GameArchiveWriter::resume(&file, &conditions).expect("games").is_none());
    assert!(report(&folder, &["show", "games"]).contains("of unknown depth and nodes"));

    report(&folder, &["play", "--out", "games", "--nodes", "30", "--seed", "7", "--games", "2"]);
    assert_eq!(std::fs::read(&file).expect("a file"), FIRST);
    let (newer, _) = read(&folder.path("games/0002.games"));
    assert!(newer.iter().flat_map(|game| &game.plies).any(|ply| ply.effort.is_some_and(|of| of.depth > 1)));
    let shown = report(&folder, &["show", "games/0002.games"]);
    assert!(shown.contains(" nodes on average") && shown.contains("damping     none"), "{shown}");
}

#[test]
fn archive_is_read_or_refused_wherever_it_is_cut_or_changed() {
    let folder = Folder::new();
    let whole = std::fs::read(filed(&folder, &games(5, 3))).expect("a file");
    let file = folder.path("other.games");
    let read_all = |bytes: &[u8], place: usize| {
        std::fs::write(&file, bytes).expect("a file");
        if let Ok(archive) = GameArchive::open(&file) {
            assert!(archive.filter(Result::is_ok).count() <= 3, "byte {place}");
        }
        let _ = GameArchiveWriter::resume(&file, &conditions());
    };
    for place in 0..whole.len() {
        read_all(&whole[..place], place);
        for change in [1, 0xFF] {
            let mut bytes = whole.clone();
            bytes[place] ^= change;
            read_all(&bytes, place);
        }
    }
}

#[cfg(debug_assertions)]
#[test]
fn archive_holds_whole_blocks_whatever_step_fails() {
    use chuhe_support::files::{Failing, set_failing};
    let folder = Folder::new();
    let all = games(6, 40);
    let file = filed(&folder, &all[..1]);
    let mut writer = GameArchiveWriter::resume(&file, &conditions()).expect("a file").expect("nobody else has it");
    for (index, game) in all[1..].iter().enumerate() {
        set_failing(Failing::Once(index % 3));
        // What could not be written waits for the next attempt.
        let _ = writer.add(game).and_then(|()| writer.flush());
        set_failing(Failing::None);
        let read = GameArchive::open(&file).expect("a file");
        assert!(read.filter(Result::is_ok).count() <= index + 2);
    }
    writer.sync().expect("room on the disk");
    let mut read = GameArchive::open(&file).expect("a file");
    assert_eq!(read.by_ref().map(|game| game.expect("a game").number).collect::<Vec<_>>(), (0..40).collect::<Vec<_>>());
    assert_eq!(read.damaged_bytes, 0);
}
