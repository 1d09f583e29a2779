//! What is made of games, what is missing, and where games leave, against plain searches in the games.

use super::{board, boards_after};
use crate::explorer::games::{games, plain_count};
use crate::support::played_out;
use chuhe_study::explorer::Tally;
use chuhe_study::repertoire::{Departure, GapOptions, OpeningCounts, Repertoire, worth};
use std::collections::{BTreeMap, HashSet};
use xiangqi::{Color, Move, Position};
use xiangqi_record::Game;

/// The plies that a plain count looks at.
const PLIES: usize = 31;
const LEAST: u64 = 2;

fn counts_of(games: &[Game]) -> OpeningCounts {
    let mut counts = OpeningCounts::new(PLIES);
    assert!(games.iter().all(|game| counts.add(game)));
    counts
}

/// The moves of a position with their games, mirror images of a symmetric position together.
fn plain(position: &Position, games: &[Game]) -> Vec<(Move, Tally)> {
    let mut found: BTreeMap<String, (Move, Tally)> = BTreeMap::new();
    for (name, [all, red, draws, black]) in plain_count(position, games.iter()).1 {
        let mv: Move = name.parse().expect("a move");
        let entry = found.entry(board(&played_out(position, &[mv]))).or_insert((mv, Tally::default()));
        entry.1.merge(Tally { games: all, red, draws, black, ..Tally::default() });
    }
    found.into_values().collect()
}

/// The boards to which the moves lead that were played often enough and are worth most.
fn plain_best(position: &Position, games: &[Game], side: Color) -> HashSet<String> {
    let often: Vec<_> = plain(position, games).into_iter().filter(|(_, tally)| tally.games >= LEAST).collect();
    let most = often.iter().map(|(_, tally)| worth(tally, side)).fold(0.0, f64::max);
    let best: Vec<Move> = often.iter().filter(|(_, tally)| worth(tally, side) == most).map(|(mv, _)| *mv).collect();
    boards_after(position, &best)
}

#[test]
fn repertoire_of_games_has_the_moves_of_a_plain_search() {
    let games = games(140, 3);
    let counts = counts_of(&games);
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, LEAST).expect("room for it");
        let (mut places, mut lines) = (0, 0);
        made.walk(&mut |place| {
            if place.is_known {
                return;
            }
            places += 1;
            let position = &place.position.without_history();
            let has = boards_after(position, place.moves);
            if place.position.side() == colour {
                let best = plain_best(position, &games, colour);
                assert_eq!(has.len(), usize::from(!best.is_empty()), "one move, if there is any: {}", position.fen());
                assert!(has.is_subset(&best), "{} {:?}", position.fen(), place.moves);
            } else {
                let answers = plain(position, &games).into_iter().filter(|(mv, tally)| {
                    tally.games >= LEAST && !plain_best(&played_out(position, &[*mv]), &games, colour).is_empty()
                });
                let answers: Vec<Move> = answers.map(|(mv, _)| mv).collect();
                assert_eq!(has, boards_after(position, &answers), "{}", position.fen());
                lines += answers.len();
            }
        });
        assert!(places > 20 && lines > 10, "too little to tell: {places} places, {lines} answers");
    }
}

#[test]
fn gaps_are_the_answers_of_a_plain_search_that_have_no_move() {
    let games = games(140, 4);
    let counts = counts_of(&games);
    let options = GapOptions { least_share: 0.2, least_games: 3, plies: 80 };
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, 2 * LEAST).expect("room for it");
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        let mut own: HashSet<String> = HashSet::new();
        made.walk(&mut |place| {
            if place.position.side() == colour && !place.moves.is_empty() {
                own.insert(board(place.position));
            }
        });
        made.walk(&mut |place| {
            if place.position.side() == colour || place.is_known {
                return;
            }
            let position = place.position.without_history();
            let answers = plain(&position, &games);
            let all: u64 = answers.iter().map(|(_, tally)| tally.games).sum();
            for (mv, tally) in answers {
                let next = played_out(&position, &[mv]);
                let is_often = tally.games >= 3 && tally.games as f64 / all as f64 >= 0.2;
                if is_often && !own.contains(&board(&next)) {
                    expected.entry(board(&next)).or_insert(tally.games);
                }
            }
        });
        let gaps = made.gaps(&counts, None, &options).expect("no book");
        let found: BTreeMap<String, u64> =
            gaps.iter().map(|gap| (board(&played_out(&Position::start(), &gap.line)), gap.games)).collect();
        assert_eq!(found, expected);
        assert!(gaps.len() > 3 && gaps.is_sorted_by_key(|gap| std::cmp::Reverse(gap.games)), "{}", gaps.len());
    }
}

#[test]
fn game_leaves_behind_the_last_position_that_the_repertoire_knows() {
    let all = games(200, 5);
    let (past, played) = all.split_at(100);
    let counts = counts_of(past);
    let mut seen = HashSet::new();
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, LEAST).expect("room for it");
        let mut known = HashSet::new();
        made.walk(&mut |place| _ = known.insert(board(place.position)));
        for game in played {
            let followed = made.follow(game).expect("from the start");
            let mut positions = vec![Position::start()];
            for mv in game.moves() {
                positions.push(played_out(&positions[positions.len() - 1], &[mv]));
            }
            let last = (0..positions.len()).rev().find(|&ply| known.contains(&board(&positions[ply]))).unwrap_or(0);
            assert_eq!(followed.plies, last);
            assert_eq!(followed.played, game.moves().nth(last));
            assert_eq!(followed.position.fen(), positions[last].fen());
            let has = boards_after(&positions[last], &made.moves(&positions[last]));
            let expected = match followed.played {
                None => Departure::Never,
                Some(_) if has.is_empty() => Departure::End,
                Some(mv) => {
                    assert!(boards_after(&positions[last], &[mv]).is_disjoint(&has), "that is a move of it");
                    if positions[last].side() == colour { Departure::Mine } else { Departure::Other }
                }
            };
            assert_eq!(followed.departure, expected);
            seen.insert(format!("{expected:?}"));
        }
    }
    assert!(seen.len() >= 3, "too little to tell: {seen:?}");
}
