//! Random openings and openings from files.

use crate::common::Folder;
use chuhe_lab::arena::openings::{self, Opening, RandomOpeningGenerator, RandomOpeningSettings};
use chuhe_lab::arena::spec::TournamentFormat;
use chuhe_lab::arena::standings::Schedule;
use std::collections::BTreeMap;
use xiangqi::Rules;

const HOW: RandomOpeningSettings = RandomOpeningSettings { count: 30, limited: true, plies: 8, seed: 3, max_score: 60 };

fn made(how: RandomOpeningSettings, order: impl Iterator<Item = usize>) -> Vec<String> {
    let mut maker = RandomOpeningGenerator::new(how, Rules::default()).expect("a small table");
    let mut made: Vec<(usize, String)> = order.map(|number| (number, maker.opening(number).position().fen())).collect();
    made.sort();
    made.into_iter().map(|(_, fen)| fen).collect()
}

#[test]
fn random_openings_depend_on_seed_and_number_only() {
    let openings = made(HOW, 0..30);
    assert_eq!(openings, made(HOW, (0..30).rev()));
    assert_ne!(openings, made(RandomOpeningSettings { seed: 4, ..HOW }, 0..30));
    let mut different = openings.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 30);
    // After the last opening they repeat.
    assert_eq!(openings, made(HOW, 30..60));
}

#[test]
fn random_openings_have_their_length_and_equal_material() {
    let mut maker = RandomOpeningGenerator::new(HOW, Rules::default()).expect("a small table");
    for number in 0..30 {
        let opening = maker.opening(number);
        assert_eq!(opening.moves.len(), 8);
        let board = opening.position().fen();
        let count = |letter: char| board.split(' ').next().unwrap_or("").matches(letter).count();
        for letter in ['R', 'A', 'B', 'P'] {
            assert_eq!(count(letter), count(letter.to_ascii_lowercase()), "{letter} in {board}");
        }
    }
}

/// The board after h2e2 h9g7.
const AFTER_TWO: &str = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR";

fn boards(openings: &[Opening]) -> Vec<String> {
    let board = |opening: &Opening| opening.position().fen().split(' ').next().unwrap_or("").to_string();
    openings.iter().map(board).collect()
}

#[test]
fn openings_are_read_from_every_kind_of_file() {
    let folder = Folder::new();
    let lines = folder.write(
        "lines.txt",
        "# a comment\n\nh2e2 h9g7\nC2.5 H8+7\n炮二平五 马８进７\n\
         rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7\n\
         rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 0 2\n",
    );
    let openings = openings::read_openings(&lines, 8, Rules::default()).expect("five openings");
    assert_eq!(boards(&openings), [AFTER_TWO; 5]);

    let games = folder.write("games.pgn", "[Red \"a\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0\n");
    let openings = openings::read_openings(&games, 2, Rules::default()).expect("an opening");
    assert_eq!(boards(&openings[..1]), [AFTER_TWO]);
}

#[test]
fn opening_lists_may_hold_epd_operations_comments_and_position_commands() {
    let folder = Folder::new();
    let path = folder.write(
        "list.epd",
        "\u{FEFF}; a comment\n% another\n\
         rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - bm h0g2; id \"a / b; c\";\r\n\
         rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w id \"only\";\n\
         position startpos moves h2e2 h9g7\nstartpos moves h2e2 h9g7\n\
         position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7\n",
    );
    let openings = openings::read_openings(&path, 8, Rules::default()).expect("five openings");
    assert_eq!(boards(&openings), [AFTER_TWO; 5]);
    let path = folder.write("bare.txt", "1. H2-E2 H9-G7 2. H0-G2 *\n\n1. H2-E2 H9-G7 *\n");
    let openings = openings::read_openings(&path, 2, Rules::default()).expect("two games without tags");
    assert_eq!((openings.len(), boards(&openings[1..])), (2, vec![AFTER_TWO.to_string()]));
}

#[test]
fn opening_errors_name_file_and_line() {
    let folder = Folder::new();
    let complaint = |text: &str| {
        let path = folder.write("bad.txt", text);
        let error = openings::read_openings(&path, 8, Rules::default()).err().expect("an error");
        error.to_string().split("bad.txt").last().unwrap_or("").to_string()
    };
    assert_eq!(complaint("h2e2\nh2e2 h2e2\n"), ", line 2: move 2: h2e2 is not legal: there is no piece on h2");
    assert!(complaint("9/9/9 w\n").starts_with(", line 1: FEN"));
    assert!(complaint("rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w - - x\n").starts_with(", line 1: FEN"));
    assert_eq!(complaint("# nothing\n"), ": no opening in it");
    // Already mate: not an opening.
    assert_eq!(complaint("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b\n"), ": no opening in it");
}

#[test]
fn schedule_plays_every_opening_twice_with_colours_swapped() {
    for (format, engines) in
        [(TournamentFormat::RoundRobin, 2), (TournamentFormat::RoundRobin, 5), (TournamentFormat::Gauntlet, 4)]
    {
        let schedule = Schedule::new(format, engines, 6);
        for number in (0..schedule.len()).step_by(2) {
            let (first, second) = (schedule.game(number), schedule.game(number + 1));
            assert_eq!((first.red, first.black), (second.black, second.red));
            assert_eq!(first.opening, second.opening);
            assert_eq!(first.pair(), second.pair());
        }
    }
}

/// The openings of the games of each pairing.
fn meetings(schedule: &Schedule) -> BTreeMap<(usize, usize), Vec<usize>> {
    let mut meetings: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for number in 0..schedule.len() {
        let game = schedule.game(number);
        meetings.entry((game.red.min(game.black), game.red.max(game.black))).or_default().push(game.opening);
    }
    meetings
}

#[test]
fn round_robin_pairs_all_engines_with_the_same_openings() {
    let meetings = meetings(&Schedule::new(TournamentFormat::RoundRobin, 4, 6));
    assert_eq!(meetings.len(), 6);
    assert!(meetings.values().all(|openings| openings == &[0, 0, 1, 1, 2, 2]));
}

#[test]
fn gauntlet_pairs_the_first_engine_with_the_others() {
    let meetings = meetings(&Schedule::new(TournamentFormat::Gauntlet, 4, 2));
    assert_eq!(meetings.keys().copied().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)]);
}
