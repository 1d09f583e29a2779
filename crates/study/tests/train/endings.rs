//! Endings that are played out, and questions about rulings.

use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::{ProbeResult, TableSet, Tablebase};
use chuhe_study::train::endings::{
    Ending, EndingGrade, EndingSession, EndingSide, EndingState, draw_start, is_quiet, share_won,
};
use chuhe_study::train::rulings::{Ruling, RulingAnswer};
use chuhe_support::language::Language;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;
use xiangqi::{Move, Position};

fn random(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

fn ending(id: &str) -> &'static Ending {
    Ending::all().iter().find(|ending| ending.id() == id).expect("an ending")
}

/// The moves that keep the result, and the others.
fn by_result(position: &Position, tables: &Tablebase) -> (Vec<Move>, Vec<Move>) {
    let value = |result: ProbeResult| match result {
        ProbeResult::Win(_) => 1,
        ProbeResult::Loss(_) => -1,
        _ => 0,
    };
    let now = value(tables.probe(position).expect("a table"));
    position.legal_moves().into_iter().partition(|&mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        -value(tables.probe(&next).expect("a table")) >= now
    })
}

/// Writes the file of shares anew.
#[test]
#[ignore = "a minute of work"]
fn ending_shares() {
    let tables = Tablebase::built_in();
    for material in TableSet::Core.materials() {
        let share = share_won(material, &tables, 4_000, &mut random(material.key())).expect("a table");
        println!("{material}\t{:.1}", 1000.0 * share);
    }
}

#[test]
fn shelves_hold_each_ending_of_the_tables_inside_once() {
    let ids: HashSet<String> = Ending::all().iter().map(Ending::id).collect();
    let wanted: HashSet<String> = TableSet::Core.materials().iter().map(ToString::to_string).collect();
    assert_eq!(ids, wanted);
    assert_eq!(Ending::all().len(), 108);
    Language::CHINESE.install(|| crate::CHINESE.to_vec());
    for language in Language::ALL {
        let names: HashSet<String> = Ending::all().iter().map(|ending| language.with(|| ending.name())).collect();
        assert_eq!(names.len(), 108, "each ending has its name");
    }
    assert_eq!(Language::CHINESE.with(|| ending("KRKAABB").name()), "单车对士象全");
    for (id, english, chinese) in [
        ("KCAKAA", "cannon and advisor against two advisors", "炮仕对双士"),
        ("KPKAABB", "lone pawn against all guards", "单兵对士象全"),
        ("KRKABB", "lone rook against advisor and two bishops", "单车对单士双象"),
        ("KHPKAB", "horse and pawn against one advisor and one bishop", "马兵对单士象"),
        (
            "KRPAKRPAAB",
            "rook, pawn and two advisors and a bishop against rook, pawn and advisor",
            "车兵双仕单相对车卒士",
        ),
        ("KRKPP", "lone rook against two pawns", "单车对双卒"),
    ] {
        let ending = Ending { material: id.parse().expect("a material"), share_won: 0.5 };
        assert_eq!(Language::ENGLISH.with(|| ending.name()), english);
        assert_eq!(Language::CHINESE.with(|| ending.name()), chinese);
    }
}

#[test]
fn grades_follow_from_the_tables() {
    assert_eq!(ending("KRK").grade(), EndingGrade::Won);
    assert_eq!(ending("KRKAABB").grade(), EndingGrade::Mixed);
    assert_eq!(ending("KNKAABB").grade(), EndingGrade::Drawn);
    assert_eq!(ending("KCK").grade(), EndingGrade::Drawn);
    // A small sample of each agrees with the file.
    let tables = Tablebase::built_in();
    for ending in Ending::all().iter().step_by(9) {
        let share = share_won(ending.material, &tables, 150, &mut random(7)).expect("a table");
        assert!((share - ending.share_won).abs() < 0.15, "{}: {share}, not {}", ending.id(), ending.share_won);
    }
}

#[test]
fn starts_have_the_result_and_are_harder_by_level() {
    let tables = Tablebase::built_in();
    for (id, side) in [("KNKAA", EndingSide::Defend), ("KPKA", EndingSide::Attack), ("KNKA", EndingSide::Attack)] {
        let mean = |level: u8| {
            let shares = (0..6).map(|seed| {
                let start =
                    draw_start(ending(id).material, side, level, &tables, &mut random(seed)).expect("a position");
                assert!(is_quiet(&start) && start.side() == side.color(), "{id} {start}");
                let value = tables.probe(&start).expect("a table");
                match side {
                    EndingSide::Attack => assert!(matches!(value, ProbeResult::Win(_)), "{id} {start}"),
                    EndingSide::Defend => assert_eq!(value, ProbeResult::Draw, "{id} {start}"),
                }
                let (kept, lost) = by_result(&start, &tables);
                kept.len() as f64 / (kept.len() + lost.len()) as f64
            });
            shares.sum::<f64>() / 6.0
        };
        let [easy, middle, hard] = [1, 2, 3].map(mean);
        assert!(easy >= middle && middle >= hard && easy > hard, "{id}: {easy} {middle} {hard}");
    }
    assert!(draw_start(ending("KCK").material, EndingSide::Attack, 1, &tables, &mut random(1)).is_none());
}

struct Table {
    tables: Tablebase,
    searcher: Searcher,
    control: Control,
}

impl Table {
    fn new() -> Table {
        let searcher = Searcher::new(Options::default(), 1).expect("memory");
        Table { tables: Tablebase::built_in(), searcher, control: Control::new(false) }
    }

    fn session(&self, id: &str, side: EndingSide, seed: u64) -> EndingSession {
        let start = draw_start(ending(id).material, side, 2, &self.tables, &mut random(seed)).expect("a position");
        EndingSession::new(*ending(id), side, 2, start)
    }

    fn play(&mut self, session: &mut EndingSession, mv: Move) -> EndingState {
        session.play(mv, &self.tables, &mut self.searcher, &self.control).expect("a legal move").state
    }
}

#[test]
fn the_opponent_never_gives_the_result_away() {
    let mut table = Table::new();
    for (id, side) in [("KRKAB", EndingSide::Attack), ("KNKA", EndingSide::Defend), ("KNKAA", EndingSide::Defend)] {
        let mut session = table.session(id, side, 3);
        for turn in 0..8 {
            let (kept, _) = by_result(session.position(), &table.tables);
            let mv = kept[turn % kept.len()];
            if table.play(&mut session, mv) != EndingState::On {
                break;
            }
            let value = table.tables.probe(session.position()).expect("a table");
            match side {
                EndingSide::Attack => assert!(matches!(value, ProbeResult::Win(_)), "{}", session.position()),
                // What the person has held is not lost by the program.
                EndingSide::Defend => assert_eq!(value, ProbeResult::Draw, "{}", session.position()),
            }
        }
    }
}

#[test]
fn a_won_ending_is_passed_by_mate_and_a_drawn_one_when_it_is_held() {
    let mut table = Table::new();
    // The person wins like an engine.
    let mut session = table.session("KRK", EndingSide::Attack, 1);
    let mut person = Searcher::new(Options::default(), 1).expect("memory");
    person.tablebase = Some(std::sync::Arc::new(Tablebase::built_in()));
    while session.state() == EndingState::On {
        let limits = chuhe_engine::search::Limits::nodes(4_000);
        let found = person.search(session.position(), &limits, &table.control, &mut chuhe_engine::NoReporter);
        table.play(&mut session, found.best_move.expect("a move"));
    }
    assert!(session.is_passed_cleanly(), "{:?}", session.sentence());
    let mut session = table.session("KPKAABB", EndingSide::Defend, 1);
    while session.state() == EndingState::On {
        let (kept, _) = by_result(session.position(), &table.tables);
        // Not to and fro: that would be a draw by repetition, which is as good.
        let turn = session.position().history_len();
        table.play(&mut session, kept[turn % kept.len()]);
    }
    assert!(session.is_passed_cleanly(), "{:?}", session.sentence());
}

#[test]
fn rulings_are_judged_as_the_association_does() {
    let all = Ruling::all();
    assert_eq!(all.len(), 60);
    for ruling in all {
        assert_eq!(ruling.judge(), Some(ruling.answer), "figure {}", ruling.id);
        let (question, explanation) = Language::ENGLISH.with(|| (ruling.question(), ruling.explanation()));
        assert!(question.contains("over and over") && explanation.starts_with("Red: "), "{question} {explanation}");
        let chinese = Language::CHINESE.with(|| ruling.explanation());
        let is_square = |pair: &[u8]| (b'a'..=b'i').contains(&pair[0]) && pair[1].is_ascii_digit();
        assert!(!chinese.as_bytes().windows(2).any(is_square), "no squares amid the moves: {chinese}");
    }
    assert!(RulingAnswer::ALL.iter().all(|answer| all.iter().any(|ruling| ruling.answer == *answer)));
    // The same figures as those of the rules' own tests.
    let tables = [
        include_str!("../../../xiangqi/tests/data/cxa_cases.tsv"),
        include_str!("../../../xiangqi/tests/data/cxa_more.tsv"),
    ];
    for line in tables.iter().flat_map(|table| table.lines().skip(1)) {
        let fields: Vec<&str> = line.split('\t').collect();
        let ruling = Ruling::find(fields[0]).expect("a ruling");
        assert_eq!(serde_json::to_string(&ruling.answer).expect("json"), format!("{:?}", fields[4]), "{}", fields[0]);
    }
}
