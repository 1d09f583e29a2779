//! A report as an annotated game for other programs: the solution is the main line, defences and duals are variations.

use super::phrases;
use super::report::{CheckReport, OtherMove};
use super::walk::{ShownMove, shown_tree};
use chuhe_support::language::tr;
use xiangqi::Position;
use xiangqi_record::notation::Notation;
use xiangqi_record::{Game, GameCursor, GameResult, NodeId};

/// Who checked; it marks the files.
pub const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " mates");

/// The game; `None` if the report has no position.
pub fn annotated_game(report: &CheckReport, notation: Notation) -> Option<Game> {
    let start: Position = phrases::start_of(report)?;
    let mut game = Game::new(&start);
    game.tags = report.tags.clone();
    if report.title.is_empty() {
        game.set_tag("Event", phrases::title(report));
    }
    game.set_tag("Annotator", ANNOTATOR);
    if report.solution.is_some() {
        game.result = GameResult::from_winner(Some(start.side()));
    }
    let verdict = tr!("{verdict}.", verdict = report.soundness.phrase());
    let mut sentences = vec![verdict];
    sentences.extend(phrases::sentences(report, notation));
    game[NodeId::ROOT].comment = sentences.join(" ");
    let mut cursor = GameCursor::new(&game);
    let tree = shown_tree(report);
    add_moves(&mut game, &mut cursor, report, notation, &tree);
    for finding in &report.findings {
        if let super::report::Finding::Cook(other) = finding {
            add_other(&mut game, &mut cursor, other);
        }
    }
    Some(game)
}

fn add_moves(game: &mut Game, cursor: &mut GameCursor, report: &CheckReport, notation: Notation, list: &[ShownMove]) {
    let from = cursor.at();
    for shown in list {
        let Ok(id) = cursor.play(game, shown.entry.mv) else { continue };
        let mut words = vec![shown.points_text(notation)];
        if !shown.is_attack() && list.len() > 1 {
            words.push(shown.moves_left());
        }
        words.extend(shown.remark(report, notation));
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        game[id].comment = words.join("; ");
        add_moves(game, cursor, report, notation, &shown.below);
        cursor.go_to(game, from);
        for dual in &shown.entry.duals {
            add_other(game, cursor, dual);
        }
    }
}

/// Adds a move that mates as fast as the solution, and goes back.
fn add_other(game: &mut Game, cursor: &mut GameCursor, other: &OtherMove) {
    let from = cursor.at();
    if let Ok(id) = cursor.play(game, other.mv) {
        game[id].comment = tr!("mates as well, in {moves}", moves = other.moves);
    }
    cursor.go_to(game, from);
}
