//! Rules that forbid moves, applied at the root.

use super::support::{search, searcher};
use chuhe_engine::search::{Limits, Options};
use xiangqi::{Ending, Move, Position, RuleSet, Rules};

const FIGURES: &str = include_str!("../../../xiangqi/tests/data/cxa_cases.tsv");

fn played(fen: &str, moves: &[Move]) -> Position {
    let mut position = Position::from_fen(fen).expect("a position");
    for &mv in moves {
        position.play(mv).expect("a legal move");
    }
    position
}

#[test]
fn search_avoids_moves_that_lose_by_rule() {
    let mut tried = 0;
    for line in FIGURES.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let read = |text: &str| text.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<Move>>();
        let (before, round) = (read(fields[2]), read(fields[3]));
        for set in [RuleSet::Cxa, RuleSet::Tiantian] {
            let rules = Rules { natural_limit: 0, ..Rules::new(set) };
            let game: Vec<Move> = before.iter().chain(round.iter().cycle().take(8 * round.len())).copied().collect();
            // The first move of the game that the rule set calls lost or forbidden.
            let Some(ply) = (0..game.len()).find(|&ply| {
                let position = played(fields[1], &game[..ply]);
                rules.losing_moves(&position).contains(&game[ply])
            }) else {
                continue;
            };
            let position = played(fields[1], &game[..ply]);
            let losing = rules.losing_moves(&position);
            if losing.len() == position.legal_moves().len() {
                continue;
            }
            tried += 1;
            let mut searcher = searcher();
            searcher.options = Options { rules, ..Options::default() };
            let best = search(&mut searcher, &position, &Limits::nodes(2000)).best_move.expect("a move");
            assert!(!losing.contains(&best), "{set}, figure {}: {best} in {}", fields[0], position.fen());
        }
    }
    assert!(tried > 30, "only {tried} positions");
}

#[test]
fn search_takes_a_win_by_rule() {
    // Red has chased for two and a half cycles; repeating the defence completes the third, which wins by rule.
    for line in FIGURES.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let read = |text: &str| text.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<Move>>();
        let (before, round) = (read(fields[2]), read(fields[3]));
        let game: Vec<Move> = before.iter().chain(round.iter().cycle().take(3 * round.len() - 1)).copied().collect();
        let position = played(fields[1], &game);
        let rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };
        let last = round[round.len() - 1];
        let mut after = position.clone();
        after.play_unchecked(last);
        if rules.judge(&after).ending != Some(Ending::Loss(!position.side())) {
            continue;
        }
        let mut searcher = searcher();
        searcher.options = Options { rules, ..Options::default() };
        let outcome = search(&mut searcher, &position, &Limits::nodes(2000));
        after = position.clone();
        after.play_unchecked(outcome.best_move.expect("a move"));
        let ending = rules.judge(&after).ending;
        let wins = ending == Some(Ending::Loss(!position.side())) || outcome.score > 2000;
        assert!(wins, "figure {}: {:?} {}", fields[0], outcome.best_move, outcome.score);
    }
}
