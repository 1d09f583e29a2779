//! Saved games: nothing is lost, doubled or torn, whatever fails.

use chuhe_app::library::{GameFilter, Library};
use chuhe_app::save_store::SaveStore;
use chuhe_study::game::saved_games::{SavedGames, SavedGamesError, WriteAccess};
use chuhe_study::game::{GameEnd, LiveGame};
use chuhe_testing::Folder;
use std::fs;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Position;
use xiangqi_record::{Game, RecordFile};

/// The folder of saved games.
struct Saves(Folder);

impl Deref for Saves {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Saves {
    fn new() -> Saves {
        Saves(Folder::new())
    }

    fn open(&self) -> SavedGames {
        SavedGames::open_at(self.root().to_path_buf()).expect("nobody else has it")
    }

    /// The games of a file, all of which must be sound.
    fn games(&self, name: &str) -> Vec<Game> {
        let Ok(bytes) = fs::read(self.path(name)) else { return Vec::new() };
        let file = RecordFile::read(bytes);
        file.games().map(|reading| reading.expect("a game").into_game_with_main_line().expect("a sound game")).collect()
    }

    /// The red players and results of the library, the latest first.
    fn listed(&self) -> Vec<(String, String)> {
        let access = Arc::new(WriteAccess::denied(SavedGamesError::InUse));
        let list = Library::new(self.path("").into(), access).list(&GameFilter::default(), 0, 200);
        let list = serde_json::to_value(list).expect("JSON");
        let text = |game: &serde_json::Value, name: &str| game[name].as_str().unwrap_or_default().to_string();
        list["games"]
            .as_array()
            .expect("games")
            .iter()
            .map(|game| (text(game, "event"), text(game, "result")))
            .collect()
    }

    /// The names of the games in the archive.
    fn archived(&self) -> Vec<String> {
        self.games("games.pgn").iter().map(|game| game.tag("Event").unwrap_or_default().to_string()).collect()
    }
}

/// A game with a name, after these moves.
fn game(name: &str, moves: &[&str]) -> LiveGame {
    let mut game = LiveGame::new(Position::start(), Vec::new());
    game.tags.push(("Event".to_string(), name.to_string()));
    for mv in moves {
        game.play(mv.parse().expect("a move"), Duration::ZERO);
    }
    game
}

#[test]
fn archive_is_cut_only_where_a_game_is_torn() {
    let folder = Saves::new();
    let saved = folder.open();
    let mut over = game("whole", &["h2e2"]);
    over.finish(GameEnd::Agreed);
    saved.save_unfinished(&over).expect("room");
    saved.archive_unfinished().expect("room");
    let whole = fs::read(folder.path("games.pgn")).expect("a file");
    for (length, count) in
        [(whole.len(), 2), (whole.len() - 1, 2), (whole.len() - 2, 2), (whole.len() / 2, 1), (30, 1), (1, 1), (0, 1)]
    {
        fs::write(folder.path("games.pgn"), &whole[..length]).expect("written");
        saved.save_unfinished(&game("next", &["b2e2"])).expect("room");
        saved.archive_unfinished().expect("room");
        assert_eq!(folder.games("games.pgn").len(), count, "cut to {length}");
    }
    // What somebody else has written stays.
    let foreign = b"; my own games\n[Event \"mine\"]\n\n1. H2-E2 *";
    fs::write(folder.path("games.pgn"), foreign).expect("written");
    saved.save_unfinished(&game("next", &["b2e2"])).expect("room");
    saved.archive_unfinished().expect("room");
    assert!(fs::read(folder.path("games.pgn")).expect("a file").starts_with(foreign));
    assert_eq!(folder.archived(), ["mine", "next"]);
}

#[test]
fn same_moves_played_twice_are_two_games() {
    let folder = Saves::new();
    let saved = folder.open();
    for count in 1..=3 {
        saved.save_unfinished(&game("again", &["h2e2"])).expect("room");
        // The archive is older than the game, as the clock of the file system shows.
        let later = std::time::SystemTime::now() + Duration::from_secs(2 * count);
        let file = fs::File::options().write(true).open(folder.path("unfinished.pgn")).expect("a file");
        file.set_modified(later).expect("a time");
        saved.archive_unfinished().expect("room");
        assert_eq!(folder.archived().len() as u64, count);
    }
}

#[test]
fn games_of_several_pages_are_kept_and_go_to_the_library() {
    let folder = Saves::new();
    let store = SaveStore::of(folder.open());
    let over = |name: &str| {
        let mut game = game(name, &["h2e2", "h9g7"]);
        game.finish(GameEnd::Agreed);
        game
    };
    store.save(1, &game("desk", &["h2e2"])).expect("room");
    store.save(2, &game("phone", &["b2e2"])).expect("room");
    assert!(store.is_kept(1) && store.is_kept(2));
    store.save(2, &over("phone")).expect("room");
    assert_eq!(folder.listed(), [("phone".to_string(), "1/2-1/2".to_string())], "without a click");
    // A move that is taken back goes on with the same game.
    store.save(2, &game("phone", &["b2e2"])).expect("room");
    store.save(2, &over("phone")).expect("room");
    assert_eq!(folder.listed().len(), 1);
    // A tab that is opened again goes on with what the closed one has left.
    store.leave(1);
    assert!(store.is_kept(3));
    assert_eq!(store.resume(3).map(|game| game.moves().len()), Some(1));
    assert!(store.resume(4).is_none());
    // Another game over a running one: that is in the list, too.
    store.archive(3, &game("desk", &["h2e2", "h9g7", "h0g2"])).expect("room");
    assert_eq!(folder.listed()[0], ("desk".to_string(), "*".to_string()));
    // What a page has left that is gone is put away before another game takes its place.
    store.save(3, &game("left", &["h2e2"])).expect("room");
    store.leave(3);
    store.save(5, &game("next", &["g3g4"])).expect("room");
    assert_eq!(folder.listed()[0], ("left".to_string(), "*".to_string()));
    store.save(6, &game("other", &["c3c4"])).expect("room");
    drop(store);
    // In the next run one game can be continued, and the others are in the list.
    let store = SaveStore::of(folder.open());
    assert_eq!(store.unfinished().map(|game| game.tags[0].1.clone()), Some("next".to_string()));
    assert!(folder.listed().contains(&("other".to_string(), "*".to_string())), "{:?}", folder.listed());
}

#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_saved_games_are_refused() {
    for name in ["unfinished.pgn", "games.pgn", "lock"] {
        let folder = Saves::new();
        let make = || std::process::Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo").success();
        assert!(make());
        let Ok(saved) = SavedGames::open_at(folder.path("")) else {
            assert_eq!(name, "lock");
            continue;
        };
        let _ = saved.unfinished();
        let kept = saved.save_unfinished(&game("one", &["h2e2"]));
        assert_eq!(kept.is_err(), name == "unfinished.pgn");
        assert!(saved.archive_unfinished().is_err(), "{name}");
    }
}

/// In builds with assertions each step of the disk can be made to fail.
#[cfg(debug_assertions)]
mod failures {
    use super::*;
    use chuhe_support::files::{Failing, set_failing};

    /// Plays games after one another, each step of the disk failing in turn, until none is left to fail.
    fn play_with_failures(kind: fn(usize) -> Failing, again: impl Fn(&Saves, usize)) {
        for index in 0.. {
            let folder = Saves::new();
            let saved = folder.open();
            saved.save_unfinished(&game("first", &["h2e2"])).expect("room");
            saved.archive_unfinished().expect("room");
            saved.save_unfinished(&game("second", &["b2e2", "h9g7"])).expect("room");
            set_failing(kind(index));
            let _ = saved.archive_unfinished();
            let _ = saved.save_unfinished(&game("third", &["g3g4"]));
            let steps = set_failing(Failing::None);
            drop(saved);
            again(&folder, index);
            if steps <= index {
                return;
            }
        }
    }

    #[test]
    fn archive_holds_each_game_once_whatever_step_fails() {
        for kind in [Failing::Once, Failing::From] {
            play_with_failures(kind, |folder, index| {
                // Another run, as after a kill: what was left unfinished goes to the archive, too.
                let saved = folder.open();
                let unfinished = folder.games("unfinished.pgn");
                assert!(unfinished.len() <= 1, "step {index}");
                saved.archive_unfinished().expect("room");
                let archived = folder.archived();
                assert!(
                    archived.starts_with(&["first".to_string(), "second".to_string()]),
                    "step {index}: {archived:?}"
                );
                assert!(
                    archived[2..].iter().all(|name| name == "third") && archived.len() <= 3,
                    "step {index}: {archived:?}"
                );
                assert!(!folder.names().iter().any(|name| name.ends_with(".part")), "step {index}");
            });
        }
    }

    #[test]
    fn game_is_kept_again_as_soon_as_there_is_room() {
        let folder = Saves::new();
        let store = SaveStore::of(folder.open());
        store.save(1, &game("one", &["h2e2"])).expect("room");
        set_failing(Failing::From(0));
        assert!(store.save(1, &game("one", &["h2e2", "h9g7"])).is_err(), "told once");
        assert!(store.save(1, &game("one", &["h2e2", "h9g7", "h0g2"])).is_ok(), "and not at every move");
        assert!(!store.is_kept(1));
        let over = game("one", &["h2e2", "h9g7", "h0g2", "g6g5"]);
        assert!(store.archive(1, &over).is_err(), "told for the next game, too");
        assert!(store.save(1, &game("two", &["b2e2"])).is_ok());
        assert!(!store.is_kept(1));
        set_failing(Failing::None);
        store.save(1, &game("two", &["b2e2", "b9c7"])).expect("room");
        assert_eq!(folder.listed(), [("one".to_string(), "*".to_string())]);
        assert_eq!(folder.games("unfinished.pgn")[0].main_line_nodes().count(), 2);
        assert!(store.is_kept(1));
        set_failing(Failing::Once(1));
        assert!(store.save(1, &game("two", &["b2e2"])).is_err(), "a new failure is told again");
        set_failing(Failing::None);
    }
}
