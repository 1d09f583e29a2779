//! What a change of the options between two searches must not leave behind.

use super::support::{position, search, searcher};
use chuhe_engine::board::Position;
use chuhe_engine::rules::{RuleSet, Rules};
use chuhe_engine::search::{Level, Limits, Options, Searcher, Style};
use std::time::Duration;

const MIDDLEGAME: &str = "2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7";

/// A searcher whose table is full of the scores of a deeper search, as it plays unless told otherwise.
fn experienced() -> Searcher {
    let mut searcher = searcher();
    search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(8));
    searcher
}

#[test]
fn a_search_under_other_options_answers_as_a_fresh_engine_would() {
    let normal = Options::default;
    let natural_limit = Rules { natural_limit: 40, ..Rules::default() };
    for options in [
        Options { knowledge: Level::None, ..normal() },
        Options { style: Style::Risky, ..normal() },
        Options { pruning: Level::Small, ..normal() },
        Options { rules: Rules::of(RuleSet::League), ..normal() },
        Options { rules: natural_limit, ..normal() },
    ] {
        let ask = |mut searcher: Searcher| {
            searcher.options = options.clone();
            search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(4))
        };
        assert_eq!(ask(experienced()), ask(searcher()), "{options:?}");
    }
}

#[test]
fn the_other_variant_is_another_game() {
    let promotion = Position::from_fen_variant(MIDDLEGAME, true).expect("a position");
    let ask = |mut searcher: Searcher| search(&mut searcher, &promotion, &Limits::depth(4));
    assert_eq!(ask(experienced()), ask(searcher()));
}

#[test]
fn options_that_scores_do_not_depend_on_leave_what_was_learned() {
    let mut searcher = experienced();
    searcher.options.overhead = Duration::from_secs(1);
    searcher.options.ponder = true;
    let again = search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(8));
    let first = search(&mut super::support::searcher(), &position(MIDDLEGAME), &Limits::depth(8));
    assert!(again.nodes < first.nodes, "{} after {}", again.nodes, first.nodes);
}
