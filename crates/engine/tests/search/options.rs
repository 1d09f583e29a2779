//! Changes of the options between two searches.

use super::support::{search, searcher};
use chuhe_engine::search::{Level, Limits, Options, Searcher, Style};
use chuhe_testing::position;
use std::time::Duration;
use xiangqi::{Position, RuleSet, Rules};

const MIDDLEGAME: &str = "2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7";

/// A searcher after a deeper search with default options.
fn used_searcher() -> Searcher {
    let mut searcher = searcher();
    search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(8));
    searcher
}

#[test]
fn options_that_change_scores_clear_stored_scores() {
    let normal = Options::default;
    let natural_limit = Rules { natural_limit: 40, ..Rules::default() };
    for options in [
        Options { knowledge: Level::None, ..normal() },
        Options { style: Style::Risky, ..normal() },
        Options { pruning: Level::Small, ..normal() },
        Options { rules: Rules::new(RuleSet::League), ..normal() },
        Options { rules: natural_limit, ..normal() },
    ] {
        let ask = |mut searcher: Searcher| {
            searcher.options = options.clone();
            search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(4))
        };
        assert_eq!(ask(used_searcher()), ask(searcher()), "{options:?}");
    }
}

#[test]
fn variant_change_clears_stored_scores() {
    let promotion = Position::from_fen_variant(MIDDLEGAME, true).expect("a position");
    let ask = |mut searcher: Searcher| search(&mut searcher, &promotion, &Limits::depth(4));
    assert_eq!(ask(used_searcher()), ask(searcher()));
}

#[test]
fn options_that_do_not_change_scores_keep_stored_scores() {
    let mut searcher = used_searcher();
    searcher.options.overhead = Duration::from_secs(1);
    searcher.options.ponder = true;
    let again = search(&mut searcher, &position(MIDDLEGAME), &Limits::depth(6));
    let first = search(&mut super::support::searcher(), &position(MIDDLEGAME), &Limits::depth(6));
    assert!(again.nodes < first.nodes, "{} after {}", again.nodes, first.nodes);
}
