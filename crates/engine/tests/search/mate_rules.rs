//! `go mate` and the rules: stalemate, repetition before the root, the natural limit; and its limits.

use super::problems::{Problem, problems};
use super::support::{search, searcher};
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, NoReporter, SearchResult, Searcher};
use chuhe_testing::position;
use xiangqi::{Move, Position, Reason, Rules, fen::START_FEN};

fn mate(position: &Position, moves: u32) -> SearchResult {
    search(&mut searcher(), position, &Limits { mate: Some(moves), ..Limits::nodes(3_000_000) })
}

fn claimed(outcome: &SearchResult) -> Option<i32> {
    score::mate_plies(outcome.score).filter(|&plies| plies > 0)
}

/// Brute force: whether mate or stalemate within this many moves is forced, judging every position by the rules.
pub fn forces_mate(position: &mut Position, rules: &Rules, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|attack| {
        position.play_unchecked(attack);
        let forced = match rules.judge(position).reason {
            Reason::Mate | Reason::Stalemate => true,
            Reason::Ongoing if moves > 1 => position.legal_moves().into_iter().all(|defence| {
                position.play_unchecked(defence);
                let forced = rules.judge(position).ending.is_none() && forces_mate(position, rules, moves - 1);
                position.undo();
                forced
            }),
            _ => false,
        };
        position.undo();
        forced
    })
}

#[test]
fn mate_solver_counts_stalemate_as_a_win() {
    // A quiet rook move stalemates the king; no check mates.
    let stalemate = position("5k3/9/9/9/R3R4/9/9/9/9/3K5 w - - 0 1");
    let outcome = mate(&stalemate, 1);
    assert_eq!(claimed(&outcome), Some(1));
    let mut after = stalemate.clone();
    after.play(outcome.best_move.expect("a move")).expect("legal");
    assert_eq!(Rules::default().judge(&after).reason, Reason::Stalemate);
    // A side that is mated or stalemated first does not mate.
    let lost = position("3k5/9/9/9/9/9/9/9/3pr4/5K3 b - - 0 1");
    let outcome = mate(&lost, 2);
    assert_eq!(claimed(&outcome).is_some(), forces_mate(&mut lost.clone(), &Rules::default(), 2));
}

/// Games that repeat a cycle of four plies one and three quarter times: from a position with the defender to move, just
/// after the attacker has played `key`, back to the position before `key`. There `key` leads to the third occurrence of
/// the first position.
fn repetitions(start: &Position, key: Move, rules: &Rules) -> Vec<Position> {
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    let replies = start.legal_moves();
    let repetition = |reply: Move| {
        let moves = [reply, back(key), back(reply), key, reply, back(key), back(reply)];
        let mut game = start.clone();
        let goes_on = |game: &Position| rules.judge(game).ending.is_none();
        moves.iter().all(|&mv| game.play(mv).is_ok() && goes_on(&game)).then_some(game)
    };
    replies.into_iter().filter(|mv| start.piece_at(mv.to()).is_none()).filter_map(repetition).collect()
}

#[test]
fn mate_solver_respects_repetitions_before_the_root() {
    let rules = Rules::default();
    let (mut games, mut checks) = (0, 0);
    for Problem { fen, key, .. } in problems().filter(|problem| problem.moves == 2 && !problem.key.is_empty()) {
        let mut start = position(fen);
        let key: Move = key.parse().expect("a move");
        if start.piece_at(key.to()).is_some() {
            continue;
        }
        start.play(key).expect("a legal move");
        let gives_check = start.in_check();
        for game in repetitions(&position(&start.fen()), key, &rules) {
            assert_eq!(game.fen().split(' ').next(), fen.split(' ').next());
            // Without the earlier game `key` mates in two; with it there is no mate in two.
            assert!(!forces_mate(&mut game.clone(), &rules, 2), "{fen}");
            let outcome = mate(&game, 2);
            assert_eq!(claimed(&outcome).filter(|&plies| plies <= 3), None, "{} in {fen}", outcome.score);
            games += 1;
            checks += u32::from(gives_check);
        }
    }
    assert!(games >= 3 && checks >= 1, "{games} games, {checks} of them with checks");
}

#[test]
fn mate_solver_does_not_take_perpetual_check_for_mate() {
    // The rook can check for ever, but two advisors and two bishops hold the draw.
    let drawn = position("2bak4/4a4/4b4/9/9/9/9/9/4R4/3K5 w - - 0 1");
    for moves in [3, 8, 60] {
        let limits = Limits { mate: Some(moves), ..Limits::nodes(400_000) };
        let outcome = search(&mut searcher(), &drawn, &limits);
        assert_eq!(claimed(&outcome), None, "mate in {moves}");
    }
}

#[test]
fn mate_solver_respects_the_natural_limit() {
    // Mate in two moves (three plies); the limit may come first.
    let board = "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - -";
    for (quiet, limit) in [(0, 120), (110, 120), (117, 120), (118, 120), (119, 120), (97, 0), (99, 100), (98, 100)] {
        let rules = Rules { natural_limit: limit, ..Rules::default() };
        let start = position(&format!("{board} {quiet} 80"));
        let mut searcher = searcher();
        searcher.options.rules = rules;
        let limits = Limits { mate: Some(2), ..Limits::nodes(3_000_000) };
        let outcome = search(&mut searcher, &start, &limits);
        let expected = (1..=2).find(|&moves| forces_mate(&mut start.clone(), &rules, moves));
        let found = claimed(&outcome).filter(|&plies| plies <= 3);
        assert_eq!(found, expected.map(|moves| 2 * moves as i32 - 1), "{quiet} plies of {limit}");
    }
}

#[test]
fn mate_solver_is_sound_with_minimal_memory() {
    let mut searcher = Searcher::new(Default::default(), 1).expect("a megabyte");
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let outcome = search(&mut searcher, &position(START_FEN), &limits);
    assert!(!score::is_mate_or_rule(outcome.score));
}

#[test]
fn mate_search_ends_at_node_limit_depth_limit_and_stop() {
    let start = position(START_FEN);
    for nodes in [1, 1_000, 30_000, 250_000] {
        let limits = Limits { mate: Some(30), ..Limits::nodes(nodes) };
        let outcome = search(&mut searcher(), &start, &limits);
        assert!(outcome.best_move.is_some() && outcome.nodes <= nodes + 1_000, "{} of {nodes}", outcome.nodes);
    }
    let limits = Limits { mate: Some(30), ..Limits::depth(2) };
    assert_eq!(search(&mut searcher(), &start, &limits).depth, 2);
    let control = Control::new(false);
    control.stop();
    let limits = Limits { mate: Some(30), ..Limits::default() };
    let outcome = searcher().search(&start, &limits, &control, &mut NoReporter);
    assert!(outcome.best_move.is_some() && outcome.nodes < 2_000, "{}", outcome.nodes);
}

#[test]
fn mate_solver_respects_excluded_moves() {
    let start = position("3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1");
    let mates: Vec<Move> = start
        .legal_moves()
        .into_iter()
        .filter(|&mv| {
            let mut after = start.clone();
            after.play_unchecked(mv);
            !after.has_legal_move()
        })
        .collect();
    let limits = Limits { mate: Some(1), excluded_moves: mates.clone(), ..Limits::default() };
    let outcome = search(&mut searcher(), &start, &limits);
    assert!(!mates.is_empty() && !mates.contains(&outcome.best_move.expect("a move")));
    assert!(claimed(&outcome).is_none_or(|plies| plies > 1));
}
