//! Search with tablebases.

use super::support::{search, searcher};
use chuhe_engine::score;
use chuhe_engine::search::{Limits, Searcher};
use chuhe_engine::tablebase::{Material, ProbeResult, TableBuilder, TableFormat, Tablebase, table_path};
use chuhe_testing::{Folder, position};
use std::sync::Arc;
use xiangqi::{Color, Position, Reason, Rules};

/// Builds these tables in a temporary folder.
fn folder(names: &[&str]) -> Folder {
    let folder = Folder::new();
    let mut builder = TableBuilder::in_folder(folder.root(), 2, usize::MAX);
    let wanted: Vec<Material> = names.iter().map(|name| name.parse().expect("a name")).collect();
    for material in Material::with_successors(&wanted) {
        let table = builder.encode(material, TableFormat::Dtm).expect("built");
        std::fs::write(table_path(folder.root(), material), table.bytes).expect("written");
    }
    folder
}

fn with_tables(tablebase: Tablebase) -> Searcher {
    let mut searcher = searcher();
    searcher.tablebase = Some(Arc::new(tablebase));
    searcher
}

/// Plays both sides to the end; returns the loser and the number of plies.
fn play_out(searcher: &mut Searcher, mut position: Position, nodes: u64) -> (Option<Color>, usize) {
    let rules = Rules::default();
    for ply in 0.. {
        let verdict = rules.judge(&position);
        if let Some(ending) = verdict.ending {
            let loser = matches!(verdict.reason, Reason::Mate | Reason::Stalemate).then(|| position.side());
            assert!(loser.is_some() || ending == xiangqi::Ending::Draw, "{verdict}");
            return (loser, ply);
        }
        let limits = Limits { excluded_moves: rules.losing_moves(&position), ..Limits::nodes(nodes) };
        let best = search(searcher, &position, &limits).best_move.expect("a move");
        position.play(best).expect("legal");
    }
    unreachable!("the natural limit ends every game")
}

#[test]
fn search_with_dtm_tables_mates_in_the_shortest_way() {
    let folder = folder(&["KNKA", "KRKAB", "KPPKA"]);
    let mut searcher = with_tables(Tablebase::open(&[folder.root().to_path_buf()]));
    for (fen, plies) in [("3a5/9/4k4/9/9/9/9/9/9/N2K5 w", 37), ("n2k5/9/9/9/9/9/9/4K4/9/3A5 b", 37)] {
        let start = position(fen);
        let outcome = search(&mut searcher, &start, &Limits::nodes(500));
        assert_eq!(outcome.score, score::mate_in(plies), "{fen}");
        assert_eq!(outcome.pv.len(), plies, "{fen}");
        let winner = start.side();
        assert_eq!(play_out(&mut searcher, start, 300), (Some(!winner), plies), "{fen}");
    }
}

#[test]
fn search_with_built_in_tables_scores_draws_and_keeps_wins() {
    let mut searcher = with_tables(Tablebase::built_in());
    // A rook against two advisors and two bishops: a known draw.
    let tablebase = Tablebase::built_in();
    let draw = position("3akab2/9/4b4/9/9/9/9/9/4K4/R8 w");
    assert_eq!(tablebase.probe(&draw), Some(ProbeResult::Draw));
    let outcome = search(&mut searcher, &draw, &Limits::nodes(3_000));
    assert_eq!(outcome.score, 0);

    let mut won = position("3k1a3/9/5a2b/9/6b2/9/9/9/9/5K1R1 w");
    for _ in 0..16 {
        assert!(matches!(tablebase.probe(&won), Some(ProbeResult::Win(_) | ProbeResult::Loss(_))), "{}", won.fen());
        let wins = matches!(tablebase.probe(&won), Some(ProbeResult::Win(_)));
        let outcome = search(&mut searcher, &won, &Limits::nodes(2_000));
        assert!(!wins || outcome.score > 5_000, "{}: {}", won.fen(), outcome.score);
        let best = outcome.best_move.expect("a move");
        won.play(best).expect("legal");
    }
}

#[test]
fn search_finds_a_capture_into_a_won_tablebase_ending() {
    // The rook captures the last attacker; the rest is in the tablebase.
    let mut searcher = with_tables(Tablebase::built_in());
    let start = position("4k4/9/9/9/4n4/9/9/4R4/9/3AK4 w");
    let outcome = search(&mut searcher, &start, &Limits::depth(3));
    assert_eq!(outcome.best_move.map(|mv| mv.to_string()).as_deref(), Some("e2e5"));
    assert!(outcome.score > 5_000, "{}", outcome.score);
}

#[test]
fn limited_skill_does_not_use_tablebases() {
    let mut searcher = with_tables(Tablebase::built_in());
    searcher.options.skill = 3.0;
    let start = position("3akab2/9/4b4/9/9/9/9/9/4K4/R8 w");
    assert!(search(&mut searcher, &start, &Limits::nodes(2_000)).score != 0);
}
