//! The schedule of a tournament.

use chuhe_lab::arena::spec::TournamentFormat;
use chuhe_lab::arena::standings::Schedule;
use std::collections::BTreeMap;

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
