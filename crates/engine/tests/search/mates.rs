//! `go mate`: the problems of the suite, and agreement with brute force.

use super::mate_rules::forces_mate;
use super::problems::{Problem, problems};
use super::support::{search, searcher};
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, MateProgress, Reporter, SearchResult, Searcher};
use chuhe_testing::{position, random_positions, sparse_positions};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::{Ending, Position, Reason, Rules, fen::START_FEN};

/// Records the last progress.
#[derive(Default)]
struct Listener(Option<MateProgress>);

impl Reporter for Listener {
    fn mate_progress(&mut self, search: &MateProgress) {
        self.0 = Some(*search);
    }
}

/// Runs `go mate` with a node limit; returns the result and the final progress.
fn look_for_mate(searcher: &mut Searcher, position: &Position, moves: u32, nodes: u64) -> (SearchResult, MateProgress) {
    let limits = Limits { mate: Some(moves), ..Limits::nodes(nodes) };
    let mut listener = Listener::default();
    let outcome = searcher.search(position, &limits, &Control::new(false), &mut listener);
    (outcome, listener.0.expect("progress at the end"))
}

/// Length in moves of the mate that a result claims.
fn claimed(outcome: &SearchResult) -> Option<u32> {
    score::mate_plies(outcome.score).filter(|&plies| plies > 0).map(|plies| (plies as u32).div_ceil(2))
}

/// Plays the variation under the rules and checks that it ends in mate, not earlier.
fn replay(position: &Position, outcome: &SearchResult) {
    let mut line = position.clone();
    let us = line.side();
    for (index, &mv) in outcome.pv.iter().enumerate() {
        line.play(mv).expect("the variation is legal");
        let verdict = Rules::default().judge(&line);
        if index + 1 < outcome.pv.len() {
            assert_eq!(verdict.ending, None, "{verdict:?} in the midst of {:?}", outcome.pv);
        } else {
            assert_eq!(verdict.ending, Some(Ending::Loss(!us)), "after {:?}", outcome.pv);
            assert!(matches!(verdict.reason, Reason::Mate | Reason::Stalemate), "{verdict:?}");
        }
    }
}

#[test]
fn mate_search_solves_the_suite() {
    let (mut total, mut short, mut solved, mut short_solved, mut replayed) = (0, 0, 0, 0, 0);
    let mut searcher = searcher();
    for problem in problems() {
        let Problem { moves, is_shortest, fen, key } = problem;
        let position = position(fen);
        searcher.new_game();
        let (outcome, progress) = look_for_mate(&mut searcher, &position, moves, 300_000);
        total += 1;
        short += u32::from(moves <= 4);
        let Some(found) = claimed(&outcome).filter(|&found| found <= moves) else { continue };
        solved += 1;
        short_solved += u32::from(moves <= 4);
        assert!(!is_shortest || found == moves, "mate in {found}, not in {moves}: {fen}");
        assert_eq!(progress.found, Some(found), "{fen}");
        // The line of a mate that only the main search has found may be incomplete.
        if outcome.pv.len() as u32 == 2 * found - 1 {
            replay(&position, &outcome);
            replayed += 1;
        }
        if !key.is_empty() && found == moves {
            assert_eq!(outcome.best_move.map(|mv| mv.to_string()).as_deref(), Some(key), "{fen}");
        }
    }
    assert!(total >= 150);
    assert_eq!(short_solved, short, "mates in up to four moves");
    assert!(replayed * 100 >= solved * 80, "only {replayed} of {solved} to the end");
    assert!(solved * 100 >= total * 70, "only {solved} of {total}");
}

/// The shortest forced mate up to `moves` moves by brute force.
fn brute_force(position: &mut Position, moves: u32) -> Option<u32> {
    (1..=moves).find(|&moves| forces_mate(position, &Rules::default(), moves))
}

/// Asserts that the solver and brute force agree; returns whether there is a mate.
fn agree(searcher: &mut Searcher, position: &Position, moves: u32) -> bool {
    let expected = brute_force(&mut position.clone(), moves);
    searcher.new_game();
    let (outcome, progress) = look_for_mate(searcher, position, moves, 20_000_000);
    let fen = position.fen();
    match expected {
        Some(shortest) => {
            assert_eq!(claimed(&outcome), Some(shortest), "{fen}");
            assert_eq!((progress.found, progress.ruled_out), (Some(shortest), shortest - 1), "{fen}");
            replay(position, &outcome);
        }
        None => {
            assert_eq!((progress.found, progress.ruled_out), (None, moves), "{fen}");
            assert!(claimed(&outcome).is_none_or(|found| found > moves), "{fen}: {}", outcome.score);
        }
    }
    expected.is_some()
}

#[test]
fn mate_search_agrees_with_brute_force_on_random_positions() {
    let mut searcher = searcher();
    let positions = random_positions(1971, 300);
    let mates = positions.iter().filter(|position| agree(&mut searcher, position, 2)).count();
    assert!(mates >= 10, "only {mates} with a mate");
}

#[test]
fn mate_search_agrees_with_brute_force_on_sparse_positions() {
    let mut searcher = searcher();
    let positions = sparse_positions(7, 0..3).take(150).collect::<Vec<_>>();
    let mates = positions.iter().filter(|position| agree(&mut searcher, position, 3)).count();
    assert!((20..140).contains(&mates), "{mates} with a mate");
}

#[test]
fn suite_lengths_of_short_problems_are_exact() {
    for Problem { moves, fen, key, .. } in problems().filter(|problem| problem.moves <= 2) {
        let mut position = position(fen);
        assert_eq!(brute_force(&mut position, moves), Some(moves), "{fen}");
        if key.is_empty() {
            continue;
        }
        for mv in position.clone().legal_moves().into_iter().filter(|mv| mv.to_string() != key) {
            let mut other = Searcher::new(Default::default(), 1).expect("a megabyte");
            let limits = Limits { mate: Some(moves), search_moves: vec![mv], ..Limits::default() };
            let outcome = search(&mut other, &position, &limits);
            assert!(claimed(&outcome).is_none_or(|found| found > moves), "{mv} mates, too: {fen}");
        }
    }
}

#[test]
fn mate_search_keeps_the_mate_against_random_defence() {
    // The mate gets shorter with every move, whatever the defender plays.
    let mut rng = StdRng::seed_from_u64(16);
    let mut searcher = searcher();
    let mut games = 0;
    for Problem { moves, fen, .. } in problems().filter(|problem| (3..=6).contains(&problem.moves)).step_by(4) {
        let mut position = position(fen);
        let mut left = moves;
        searcher.new_game();
        let (mut outcome, _) = look_for_mate(&mut searcher, &position, left, 1_000_000);
        let Some(found) = claimed(&outcome).filter(|&found| found <= left) else { continue };
        left = found;
        loop {
            position.play(outcome.best_move.expect("a move")).expect("a legal one");
            left -= 1;
            let verdict = Rules::default().judge(&position);
            if verdict.ending.is_some() {
                assert!(matches!(verdict.reason, Reason::Mate | Reason::Stalemate), "{verdict:?} in {fen}");
                break;
            }
            assert!(left > 0, "no mate at the end: {fen}");
            let replies: Vec<_> = position.legal_moves().to_vec();
            position.play_unchecked(replies[rng.random_range(0..replies.len())]);
            outcome = look_for_mate(&mut searcher, &position, left, 4_000_000).0;
            let found = claimed(&outcome).expect("still a mate");
            assert!(found <= left, "mate in {found}, not in {left}: {}", position.fen());
            left = found;
        }
        games += 1;
    }
    assert!(games >= 5, "{games} games");
}

#[test]
fn mate_search_ends_without_other_limits_if_there_is_no_mate() {
    // The mate is the only limit, so the search must end by itself.
    for (moves, fen) in [(1, START_FEN), (2, START_FEN), (3, START_FEN), (90, "3ak4/9/9/9/9/9/9/9/9/3K5 w - - 0 1")] {
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        let outcome = search(&mut searcher(), &position(fen), &limits);
        assert!(outcome.best_move.is_some() && !score::is_mate_or_rule(outcome.score), "{fen}: {}", outcome.score);
    }
    let Problem { moves, fen, .. } =
        problems().find(|problem| problem.moves == 3 && problem.is_shortest).expect("a mate in three");
    let limits = Limits { mate: Some(moves - 1), ..Limits::default() };
    let outcome = search(&mut searcher(), &position(fen), &limits);
    assert!(claimed(&outcome).is_none_or(|found| found >= moves), "{}", outcome.score);
}

#[test]
fn mate_search_finds_short_mates_with_quiet_moves() {
    // The main search needs a million nodes for some of these, because it prunes their quiet first moves.
    for (threads, nodes) in [(1, 60_000), (3, 600_000)] {
        let mut searcher = searcher();
        searcher.options.threads = threads;
        for Problem { moves, fen, .. } in problems().filter(|problem| problem.moves <= 2) {
            searcher.new_game();
            let limits = Limits { mate: Some(moves), ..Limits::nodes(nodes) };
            let outcome = search(&mut searcher, &position(fen), &limits);
            assert_eq!(claimed(&outcome), Some(moves), "{threads} threads: {fen}");
        }
    }
}

#[test]
fn ordinary_search_finds_a_long_series_of_checks() {
    // Both kings are under threat; the main search alone sees no mate in twice as many nodes.
    let position = position("C4k3/8N/P4aPP1/1cN1C3R/7R1/9/7r1/3p1p3/9/r2cK4 w - - 0 1");
    let mut searcher = searcher();
    let outcome = search(&mut searcher, &position, &Limits::nodes(30_000));
    let found = claimed(&outcome).expect("a mate");
    assert_eq!(outcome.pv.len() as u32, 2 * found - 1);
    replay(&position, &outcome);
}
