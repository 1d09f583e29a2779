//! Counts against a plain count.

use super::games::{games, plain_count, questions, short_games, write};
use chuhe_study::explorer::{Answer, GameDate, GameFilter, GameIndex, GameSource, IndexWriter, PositionCounter};
use chuhe_study::review::PlayerNames;
use chuhe_testing::Folder;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use xiangqi::Color;
use xiangqi_record::{Game, GameResult};

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
