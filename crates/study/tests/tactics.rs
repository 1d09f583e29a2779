//! Tactics: those of the program are sound, files come back as they were written, damage is noticed, games are mined.

use chuhe_engine::search::Control;
use chuhe_study::motifs::motifs;
use chuhe_study::tactics::{
    CollectionError, Fault, GameToMine, Miner, Tactic, Twins, TwoLines, choose, counts, embedded, find_fault,
    read_file, write,
};
use chuhe_study::train::{CardId, Deck, DeviceId, Event, Rating, TacticAnswer, TacticRun};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::Position;

#[test]
fn embedded_tactics_are_sound_varied_and_no_twins() {
    let all = embedded();
    assert!(all.len() >= 1000, "{}", all.len());
    assert!(all.is_sorted_by_key(|tactic| tactic.difficulty));
    let mut twins = Twins::default();
    for tactic in all {
        assert!(tactic.is_sound() && twins.add(tactic), "{}", tactic.fen);
        assert!((600..=2400).contains(&tactic.difficulty), "{}", tactic.fen);
    }
    for (theme, count) in counts(all) {
        assert!(5 * count <= all.len(), "{}: {count}", theme.name());
    }
}

#[test]
fn embedded_tactics_have_the_themes_of_their_solutions() {
    for tactic in embedded().iter().step_by(23) {
        let start = tactic.position().expect("a position");
        let mut found = motifs(&start, &tactic.moves);
        let mut told = tactic.themes.clone();
        found.sort_by_key(|motif| motif.name());
        told.sort_by_key(|motif| motif.name());
        assert_eq!(told, found, "{}", tactic.fen);
    }
}

#[test]
fn some_embedded_solutions_hold_when_they_are_searched_again() {
    let mut lines = TwoLines::new(8).expect("memory");
    let control = Control::new(false);
    let step = embedded().len() / 12;
    for tactic in embedded().iter().skip(step / 2).step_by(step) {
        let fault = find_fault(tactic, &mut lines, 60_000, &control).expect("not stopped");
        assert_eq!(fault, None, "{} {}", tactic.fen, tactic.moves_text());
    }
}

#[test]
fn files_come_back_as_they_were_written() {
    let part: Vec<Tactic> = embedded().iter().step_by(7).cloned().collect();
    let bytes = write(&part);
    assert!(bytes.len() < 45 * part.len() + 500, "{} bytes", bytes.len());
    let lines: String = part.iter().map(|tactic| serde_json::to_string(tactic).expect("JSON") + "\n").collect();
    assert_eq!(read_file(lines.as_bytes()).expect("lines"), part);
    assert_eq!(read_file(&bytes).expect("a file"), part);
    assert_eq!(read_file(&write(&[])), Err(CollectionError::Empty));
    assert_eq!(write(&[&part[..], &part[..]].concat()), bytes);
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let bytes = write(&embedded()[..40]);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        // Some bits behind the last code mean nothing.
        assert!(read_file(&damaged).is_err() || read_file(&damaged) == read_file(&bytes), "byte {at}");
        assert!(read_file(&bytes[..at]).is_err(), "cut at {at}");
    }
    let with_version = |version: u8| [&bytes[..8], &[version], &bytes[9..]].concat();
    assert_eq!(read_file(&with_version(9)), Err(CollectionError::Newer));
    assert_eq!(read_file(&with_version(1)), Err(CollectionError::Damaged));
    for (text, error) in [
        ("", CollectionError::Empty),
        ("a note", CollectionError::Foreign),
        ("{\"fen\":\"9/9 w\",\"moves\":[],\"themes\":[],\"difficulty\":1}", CollectionError::Foreign),
    ] {
        assert_eq!(read_file(text.as_bytes()), Err(error), "{text}");
    }
    let first = &embedded()[0];
    let line = serde_json::to_string(first).expect("JSON");
    assert_eq!(read_file(format!("{line}\n\n{{}}\n").as_bytes()), Err(CollectionError::Line(3)));
    assert_eq!(read_file(b"\xff\xfe"), Err(CollectionError::Foreign));
    // What is no good is not written, nor read from lines.
    for faulty in [
        Tactic { difficulty: 599, ..first.clone() },
        Tactic { difficulty: 2401, ..first.clone() },
        Tactic { themes: [first.themes.clone(), first.themes.clone()].concat(), ..first.clone() },
    ] {
        assert!(!faulty.is_sound());
        let line = serde_json::to_string(&faulty).expect("JSON");
        assert_eq!(read_file(line.as_bytes()), Err(CollectionError::Foreign));
        assert_eq!(write(&[faulty, first.clone()]), write(std::slice::from_ref(first)));
    }
}

/// A game that comes to the position of a tactic by a blunder: its first move is taken back, and another one asked for.
fn game_with(tactic: &Tactic) -> GameToMine {
    let start = tactic.position().expect("a position");
    GameToMine { start, moves: tactic.moves.clone(), scores: Some(vec![9000; tactic.moves.len()]) }
}

#[test]
fn tactics_are_found_in_games_again() {
    let mut miner = Miner::new(10_000).expect("memory");
    let control = Control::new(false);
    let known: Vec<&Tactic> = embedded().iter().filter(|tactic| tactic.moves.len() == 3).step_by(40).take(6).collect();
    let found = known.iter().filter(|tactic| {
        let tactics = miner.mine(&game_with(tactic), &control).expect("not stopped");
        tactics.iter().any(|other| other.fen == tactic.fen && other.moves[0] == tactic.moves[0])
    });
    assert!(found.count() * 3 >= known.len() * 2, "of {}", known.len());
    control.stop();
    assert_eq!(miner.mine(&game_with(known[0]), &control), None);
}

#[test]
fn a_second_solution_and_a_wrong_one_are_faults() {
    // Two rooks mate in many ways.
    let fen = "3k5/9/9/9/9/9/9/R8/8R/4K4 w - - 0 1";
    let tactic = |moves: &[&str]| Tactic {
        fen: fen.to_string(),
        moves: moves.iter().map(|mv| mv.parse().expect("a move")).collect(),
        themes: Vec::new(),
        difficulty: 1000,
    };
    let mut lines = TwoLines::new(8).expect("memory");
    let control = Control::new(false);
    let mut fault = |tactic: &Tactic| find_fault(tactic, &mut lines, 20_000, &control).expect("not stopped");
    assert!(matches!(fault(&tactic(&["a2a8"])), Some(Fault::Second { step: 1, .. } | Fault::Better { step: 1, .. })));
    assert!(matches!(fault(&tactic(&["e0f0"])), Some(Fault::Better { step: 1, .. })));
    assert_eq!(fault(&tactic(&["a2a8", "d9d8"])), Some(Fault::NotLegal));
}

#[test]
fn twins_are_the_same_up_to_the_mirror_the_colours_and_a_piece_or_two() {
    let tactic = |fen: &str| Tactic::new(&Position::from_fen(fen).expect("a position"), Vec::new(), 1000);
    let mut twins = Twins::default();
    assert!(twins.add(&tactic("3k5/9/9/4C4/9/R8/P3P3P/9/9/4K4 w - - 0 1")));
    for twin in [
        "3k5/9/9/4C4/9/R8/P3P3P/9/9/4K4 w - - 0 1",
        "5k3/9/9/4C4/9/8R/P3P3P/9/9/4K4 w - - 0 1",
        "4k4/9/9/p3p3p/r8/9/4c4/9/9/3K5 b - - 0 1",
        "3k5/9/9/4C4/9/1R7/4P3P/9/9/4K4 w - - 0 1",
    ] {
        assert!(!twins.add(&tactic(twin)), "{twin}");
    }
    assert!(twins.add(&tactic("3k5/9/9/9/4C4/5R3/2P1P3P/9/9/4K4 w - - 0 1")));
}

#[test]
fn twins_differ_at_four_points_at_most_wherever_these_are() {
    let known = &embedded()[300];
    let fen_without = |left_out: &[usize]| -> String {
        let kept = known.fen.chars().enumerate();
        kept.map(|(place, letter)| if left_out.contains(&place) { '1' } else { letter }).collect()
    };
    let board = known.fen.split(' ').next().unwrap_or_default();
    let letters = board.char_indices().filter(|(_, letter)| letter.is_alphabetic() && !"kK".contains(*letter));
    let pieces: Vec<usize> = letters.map(|(place, _)| place).collect();
    assert!(pieces.len() >= 12, "{}", known.fen);
    let mut twins = Twins::default();
    assert!(twins.add(known));
    for shift in 0..pieces.len() {
        for step in 1..pieces.len() / 5 + 1 {
            let some: Vec<usize> = (0..5).map(|index| pieces[(shift + index * step) % pieces.len()]).collect();
            let without = |count: usize| Tactic { fen: fen_without(&some[..count]), ..known.clone() };
            let is_twin = |tactic: &Tactic| !twins.clone().add(tactic);
            for count in 1..=5 {
                let other = without(count);
                if other.position().is_some() {
                    assert_eq!(is_twin(&other), count < 5, "{}", other.fen);
                }
            }
        }
    }
}

#[test]
fn twins_of_each_other_leave_one_however_many_there_are() {
    let first = &embedded()[300];
    let many: Vec<Tactic> = (0..2000).map(|index| Tactic { difficulty: 600 + index % 1000, ..first.clone() }).collect();
    assert_eq!(choose(many, 1000).len(), 1);
}

#[test]
fn chosen_tactics_have_no_theme_too_often() {
    let some: Vec<Tactic> = embedded().iter().step_by(3).cloned().collect();
    let chosen = choose(some.clone(), some.len());
    assert!(chosen.len() >= some.len() / 2, "{} of {}", chosen.len(), some.len());
    assert!(counts(&chosen).values().all(|count| 5 * count <= chosen.len() + 5));
    assert_eq!(choose(Vec::new(), 10), Vec::new());
}

// A month of a person who solves tactics: the rating comes to the strength of the person.

const DAY: i64 = 86_400;
const NOON: i64 = 1_790_000_000;

fn rating(deck: &Deck) -> Rating {
    Rating::after(deck.tactics().filter(|answer| answer.rated).map(|answer| (answer.difficulty, answer.right)))
}

/// A month of eight tactics a day, each near the rating, of a person who is as strong as this.
fn month(strength: f64, seed: u64) -> Deck {
    let mut random = StdRng::seed_from_u64(seed);
    let mut deck = Deck::default();
    for day in 0..30 {
        for number in 0..8 {
            let target = rating(&deck).number;
            let far = |difficulty: u16| (f64::from(difficulty) - target).abs() as i64;
            let start = random.random_range(0..17);
            let asked =
                embedded().iter().skip(start).step_by(17).min_by_key(|tactic| far(tactic.difficulty)).expect("one");
            let chance = 1.0 / (1.0 + 10f64.powf((f64::from(asked.difficulty) - strength) / 400.0));
            let answer = TacticAnswer {
                at: NOON + day * DAY + 60 * number,
                offset: 480,
                device: DeviceId(1 + u32::from(number > 4)),
                tactic: CardId::of(&asked.position().expect("a position")),
                difficulty: asked.difficulty,
                right: random.random_bool(chance),
                rated: true,
            };
            deck.apply(Event::Tactic(answer));
        }
        let (at, solved) = (NOON + day * DAY + 900, random.random_range(4..20));
        let run = Event::TacticRun(TacticRun { at, offset: 480, device: DeviceId(1), solved });
        deck.apply(run);
    }
    deck
}

#[test]
fn a_month_finds_the_strength_of_a_person() {
    for (strength, seed) in [(900.0, 1), (1300.0, 2), (1700.0, 3)] {
        let deck = month(strength, seed);
        let Rating { number, deviation, .. } = rating(&deck);
        assert!((number - strength).abs() < 170.0 && deviation < 90.0, "{strength}: {number} ± {deviation}");
        assert_eq!((deck.tactics().count(), deck.tactic_runs().count()), (240, 30));
    }
}
