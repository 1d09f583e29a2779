//! The index of games against a plain count, in any order of adding, after failures, and of files that change.

use crate::support::board;
use chuhe_study::explorer::{
    Added, Answer, GameDate, GameFilter, GameIndex, GameSource, IndexError, IndexWriter, PositionCounter,
};
use chuhe_study::review::PlayerNames;
use chuhe_testing::Folder;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Encoding, Game, GameResult, Notation, OutputFormat};

// Counts against a plain count.

/// The files of some games in several formats, and the games in them.
fn files(folder: &Path, all: &[Game]) -> Vec<PathBuf> {
    let (singles, rest) = all.split_at(all.len() / 10);
    let mut files: Vec<PathBuf> =
        (0..singles.len()).map(|index| write(folder, &format!("{index}.xqf"), &singles[index..=index])).collect();
    for (index, part) in rest.chunks(rest.len().div_ceil(7)).enumerate() {
        let ending = ["pgn", "pgn", "ubb"][index % 3];
        files.push(write(folder, &format!("part{index}.{ending}"), part));
    }
    files
}

/// Adds files, and writes the games to the disk after so many of them.
fn add(folder: &Path, files: &[PathBuf], at_once: usize) -> GameIndex {
    for part in files.chunks(at_once) {
        let mut index = IndexWriter::open(folder).expect("an index");
        for file in part {
            let source = GameSource::open(file).expect("a file");
            index.add_file(source, &mut |fault| panic!("{fault}"), &mut |_| true).expect("can be added");
        }
        index.finish().expect("can be written");
    }
    GameIndex::open(folder).expect("an index")
}

fn counts(answer: &Answer) -> BTreeMap<String, [u64; 4]> {
    let one = |tally: &chuhe_study::explorer::Tally| [tally.games, tally.red, tally.draws, tally.black];
    answer.moves.iter().map(|entry| (entry.mv.to_string(), one(&entry.tally))).collect()
}

#[test]
fn index_counts_as_a_plain_count_does_in_any_order_of_adding() {
    let folder = Folder::new();
    let all = games(400, 7);
    let mut files = files(folder.root(), &all);
    let questions = questions(&all, 60, 8);
    let mut rng = StdRng::seed_from_u64(9);
    let mut before: Option<Vec<Answer>> = None;
    // At once, after each file (so that segments are merged), and in between.
    for (round, at_once) in [1000, 1, 9].into_iter().enumerate() {
        let index = add(&folder.path(&format!("index{round}")), &files, at_once);
        assert_eq!(index.len().expect("readable"), all.len() as u64);
        let answers: Vec<Answer> = questions
            .iter()
            .map(|position| index.ask(position, &GameFilter::default(), 5).expect("an answer"))
            .collect();
        for (position, answer) in questions.iter().zip(&answers) {
            let (games, moves) = plain_count(position, all.iter());
            assert_eq!((answer.all.games, counts(answer)), (games, moves), "{}", position.fen());
        }
        if let Some(before) = &before {
            assert_eq!(before, &answers, "the order of adding does not matter");
        }
        before = Some(answers);
        files.shuffle(&mut rng);
    }
}

#[test]
fn counter_and_index_agree_on_filters() {
    let folder = Folder::new();
    let all = short_games(300, 17);
    let file = write(folder.root(), "all.pgn", &all);
    let index = add(&folder.path("index"), std::slice::from_ref(&file), 1);
    let player = |name: &str| Some(PlayerNames::new(&[name.to_string()]).expect("a name"));
    let date = |text: &str| Some(text.parse::<GameDate>().expect("a date"));
    let filters = [
        GameFilter { player: player("王伟"), ..GameFilter::default() },
        GameFilter { player: player("anna"), colour: Some(Color::Black), ..GameFilter::default() },
        GameFilter { since: date("2021-06"), ..GameFilter::default() },
        GameFilter { until: date("2021"), results: vec![GameResult::Draw], ..GameFilter::default() },
        GameFilter { source: Some("all".to_string()), results: vec![GameResult::RedWins], ..GameFilter::default() },
        GameFilter { source: Some("elsewhere".to_string()), ..GameFilter::default() },
    ];
    for filter in filters {
        let mut games = 0;
        for position in questions(&all, 20, 18) {
            let mut counter = PositionCounter::new(&position, filter.clone(), 4);
            (1..).zip(&all).for_each(|(number, game)| counter.add(game, &file.to_string_lossy(), number));
            let answer = counter.finish();
            assert_eq!(index.ask(&position, &filter, 4).expect("an answer"), answer, "{filter:?} {}", position.fen());
            games += answer.all.games;
        }
        assert_eq!(games > 0, filter.source.as_deref() != Some("elsewhere"), "{filter:?}");
    }
}

#[test]
fn dates_of_records_are_ordered_and_may_be_unknown_in_part() {
    let date = GameDate::from_record;
    assert_eq!(date("2026年11月27日"), date("2026.11.27"));
    assert_eq!(date("1984.??.??").to_string(), "1984");
    assert_eq!(date("2024-02").to_string(), "2024-02");
    assert!(!date("?").is_known() && !date("").is_known() && !date("27.11.26").is_known());
    assert!(date("1984.??.??").may_be_since(date("1984-12-31")), "it may be that day");
    assert!(!date("1984").may_be_since(date("1985")) && !date("").may_be_until(date("2000")));
    for text in ["", "yesterday", "2026-13", "2026-11-32", "26", "2026-11-27-1"] {
        text.parse::<GameDate>().expect_err(text);
    }
}

// Files that grow, change, move or are copied; failures in the middle; two writers.

fn add_file(index: &Path, file: &Path) -> Result<Added, IndexError> {
    let mut writer = IndexWriter::open(index)?;
    let added = writer.add_file(GameSource::open(file)?, &mut |fault| panic!("{fault}"), &mut |_| true)?;
    writer.finish()?;
    Ok(added)
}

fn games_at_start(index: &Path) -> u64 {
    GameIndex::open(index)
        .expect("an index")
        .ask(&Position::start(), &GameFilter::default(), 0)
        .expect("an answer")
        .all
        .games
}

fn count(games: &[Game]) -> u64 {
    plain_count(&Position::start(), games.iter()).0
}

#[test]
fn files_that_grow_change_move_or_are_copied_count_once() {
    let folder = Folder::new();
    let (index, all) = (folder.path("index"), games(60, 27));
    let file = write(folder.root(), "club.pgn", &all[..20]);
    let new = |games, was_known| Added { games, was_known };
    assert_eq!(add_file(&index, &file).expect("added"), new(20, false));
    assert_eq!(add_file(&index, &file).expect("known"), new(0, true));
    // It grows.
    write(folder.root(), "club.pgn", &all[..30]);
    assert_eq!(add_file(&index, &file).expect("added"), new(10, false));
    assert_eq!(games_at_start(&index), count(&all[..30]));
    // A copy, and a file that has moved.
    let copy = folder.path("copy.pgn");
    std::fs::copy(&file, &copy).expect("copied");
    assert_eq!(add_file(&index, &copy).expect("a copy"), new(0, true));
    std::fs::rename(&file, folder.path("moved.pgn")).expect("moved");
    assert_eq!(add_file(&index, &folder.path("moved.pgn")).expect("moved"), new(0, true));
    assert_eq!(games_at_start(&index), count(&all[..30]));
    // It changes: the earlier games do not count any more.
    write(folder.root(), "moved.pgn", &all[40..45]);
    assert_eq!(add_file(&index, &folder.path("moved.pgn")).expect("changed"), new(5, false));
    assert_eq!(games_at_start(&index), count(&all[40..45]));
    // Merging drops what is gone.
    for number in 0..20 {
        let one = write(folder.root(), &format!("{number}.xqf"), &all[number..=number]);
        assert_eq!(add_file(&index, &one).expect("added"), new(1, false));
    }
    assert_eq!(games_at_start(&index), count(&all[40..45]) + count(&all[..20]));
}

#[test]
fn other_folders_are_left_alone_and_one_program_writes_at_a_time() {
    let folder = Folder::new();
    let file = write(folder.root(), "a.pgn", &games(3, 37));
    match IndexWriter::open(folder.root()) {
        Err(IndexError::NotAnIndex(_)) => {}
        other => panic!("{:?}", other.err()),
    }
    let index = folder.path("index");
    assert!(matches!(GameIndex::open(&index), Err(IndexError::Missing(_))));
    let held = IndexWriter::open(&index).expect("a new index");
    assert!(matches!(IndexWriter::open(&index).err(), Some(IndexError::Locked(_))));
    drop(held);
    add_file(&index, &file).expect("added");
    // A file in the place of the folder, and damage anywhere, are errors.
    assert!(IndexWriter::open(&file).is_err() && GameIndex::open(&file).is_err());
    let segment = index.join("000000.segment");
    let whole = std::fs::read(&segment).expect("a segment");
    for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&segment, &whole[..cut]).expect("written");
        let index = GameIndex::open(&index).expect("an index");
        index.ask(&Position::start(), &GameFilter::default(), 3).expect_err("damaged");
    }
    for place in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xA5;
        std::fs::write(&segment, &bytes).expect("written");
        // Wrong numbers may come out; nothing panics.
        let _ = GameIndex::open(&index).expect("an index").ask(&Position::start(), &GameFilter::default(), 3);
    }
    std::fs::write(&segment, &whole).expect("written");
    let manifest = std::fs::read(index.join("chuhe-index.json")).expect("a manifest");
    std::fs::write(index.join("chuhe-index.json"), &manifest[..manifest.len() / 2]).expect("written");
    assert!(matches!(add_file(&index, &file), Err(IndexError::File(_))), "it is not begun anew");
    std::fs::write(index.join("chuhe-index.json"), &manifest).expect("written");
    assert_eq!(add_file(&index, &file).expect("whole again"), Added { games: 0, was_known: true });
}

/// A full disk at each step of adding: the index answers as before, and the games can be added afterwards.
#[test]
#[cfg(debug_assertions)]
fn failure_at_any_step_loses_nothing() {
    use chuhe_support::files::{Failing, set_failing};
    let folder = Folder::new();
    let all = games(40, 47);
    let files: Vec<_> =
        (0..9).map(|part| write(folder.root(), &format!("{part}.pgn"), &all[4 * part..4 * part + 4])).collect();
    for failing in 0.. {
        let index = folder.path(&format!("index{failing}"));
        for file in &files[..7] {
            add_file(&index, file).expect("added");
        }
        // The eighth segment makes a merge.
        set_failing(Failing::From(failing));
        let added = add_file(&index, &files[7]);
        set_failing(Failing::None);
        let games = games_at_start(&index);
        assert!(games == count(&all[..28]) || games == count(&all[..32]), "whole or not at all: {games}");
        add_file(&index, &files[7]).expect("added now");
        add_file(&index, &files[8]).expect("and the next");
        assert_eq!(games_at_start(&index), count(&all[..36]), "after a failure at step {failing}");
        std::fs::remove_dir_all(&index).expect("removed");
        if added.is_ok() {
            assert!(failing > 10, "steps were made to fail");
            break;
        }
    }
}

// Games by chance that share many positions, and a plain count of them.

const PLAYERS: [&str; 5] = ["王伟", "Anna Berg", "李强", "J. Smith", ""];
const DATES: [&str; 6] = ["2020.01.05", "2021.??.??", "2021.12.??", "2024-02-29", "????.??.??", ""];

/// Games in which few moves are chosen from, half of them in the mirror: positions come again in other orders, mirrored,
/// and twice in a game.
pub fn games(count: usize, seed: u64) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| game(&mut rng, 50)).collect()
}

/// The same, of no more than 30 plies.
pub fn short_games(count: usize, seed: u64) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| game(&mut rng, 30)).collect()
}

fn game(rng: &mut StdRng, longest: usize) -> Game {
    let is_mirrored = rng.random_bool(0.5);
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(1..=longest) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.random_range(0..legal.len().min(3))];
        position.play(mv).expect("a legal move");
        moves.push(if is_mirrored { mv.mirror() } else { mv });
    }
    let mut game = Game::from_moves(&Position::start(), moves).expect("legal moves");
    let name = |rng: &mut StdRng| PLAYERS[rng.random_range(0..PLAYERS.len())];
    game.set_tag("Red", name(rng));
    game.set_tag("Black", name(rng));
    game.set_tag("Date", DATES[rng.random_range(0..DATES.len())]);
    game.result = GameResult::ALL[rng.random_range(0..4)];
    game
}

/// Writes games into a file; of XQF the first one alone.
pub fn write(folder: &Path, name: &str, games: &[Game]) -> PathBuf {
    let path = folder.join(name);
    let format = OutputFormat::from_path(&path).expect("a known ending").expect("an ending");
    let bytes: Vec<u8> = games
        .iter()
        .flat_map(|game| format.write(game, Notation::Wxf, Encoding::Utf8).expect("pieces as in a set"))
        .collect();
    std::fs::write(&path, bytes).expect("the folder can be written to");
    path
}

/// What a plain count says of a move: all games, those that red won, drew and lost.
pub type Count = [u64; 4];

/// Counts the games that reach a position within 30 plies by comparing boards, also with the mirrored one.
pub fn plain_count<'a>(position: &Position, games: impl Iterator<Item = &'a Game>) -> (u64, BTreeMap<String, Count>) {
    let (wanted, mirrored) = (board(position), board(&position.mirrored()));
    let mut all = 0;
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for game in games {
        let mut at = game.start().clone();
        let mut played: HashSet<Option<Move>> = HashSet::new();
        let mut moves = game.moves();
        for _ in 0..=30 {
            let (here, mv) = (board(&at), moves.next());
            if here == wanted {
                played.insert(mv);
            } else if here == mirrored {
                played.insert(mv.map(Move::mirror));
            }
            match mv {
                Some(mv) => at.play(mv).expect("a legal move"),
                None => break,
            }
        }
        all += u64::from(!played.is_empty());
        for mv in played.into_iter().flatten() {
            let count = counts.entry(mv.to_string()).or_default();
            count[0] += 1;
            match game.result {
                GameResult::RedWins => count[1] += 1,
                GameResult::Draw => count[2] += 1,
                GameResult::BlackWins => count[3] += 1,
                GameResult::Unknown => {}
            }
        }
    }
    (all, counts)
}

/// Positions of the games up to ply 30, some of them mirrored, and one that no game has.
pub fn questions(games: &[Game], count: usize, seed: u64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut questions = vec![Position::start()];
    for _ in 0..count {
        let game = &games[rng.random_range(0..games.len())];
        let mut position = Position::start();
        for mv in game.moves().take(rng.random_range(0..=30)) {
            position.play(mv).expect("a legal move");
        }
        questions.push(if rng.random_bool(0.3) { position.mirrored() } else { position });
    }
    questions.push(Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").expect("two kings"));
    questions
}
