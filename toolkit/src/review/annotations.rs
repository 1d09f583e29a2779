//! A review as a game that other programs read: comments with scores, marks, and the better lines as variations, in the reader's language.

use super::Review;
use super::judging::{MoveQuality, ReviewedMove};
use super::phrases::{self, red_score_and_chance};
use crate::record::{Game, GameCursor, Nag, NodeId};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;

/// Moves of a variation.
const MAX_VARIATION_MOVES: usize = 12;
const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The game with what was found noted beside what was there.
pub fn annotate(review: &Review) -> Game {
    let mut game = review.game.clone();
    game.set_tag("Annotator", annotator_tag(game.tag("Annotator").unwrap_or_default()));
    if let Some(opening) = review.opening {
        game.set_tag("Opening", opening.name());
    }
    let line: Vec<NodeId> = game.main_line().collect();
    let mut walker = GameCursor::new(&game);
    for (id, reviewed) in line.into_iter().zip(&review.moves) {
        let before = walker.position().clone();
        if let Some(mark) = reviewed.mark {
            game[id].marks.retain(|nag| Nag::SYMBOLS.iter().all(|(sign, _)| sign != nag));
            game[id].marks.extend(Nag::from_sign(mark.sign()));
        }
        let comment = comment(reviewed, &before);
        game[id].append_comment(&comment);
        if reviewed.mark.is_some_and(MoveQuality::is_bad) {
            add_variation(&mut game, &mut walker, reviewed);
        }
        walker.go_to(&game, id);
    }
    game
}

/// Chuhe first, by which a file is known as a review, and whoever wrote about the game before.
fn annotator_tag(before: &str) -> String {
    match before.trim() {
        "" | "?" => ANNOTATOR.to_string(),
        before if before.starts_with("Chuhe ") => before.to_string(),
        before => format!("{ANNOTATOR}, {before}"),
    }
}

/// `+0.52 64%`, and what happened.
fn comment(reviewed: &ReviewedMove, before: &Position) -> String {
    let mut parts = Vec::new();
    if let Some(after) = reviewed.after {
        let (score, chance) = red_score_and_chance(after, reviewed.side);
        parts.push(format!("{score} {chance}"));
    }
    let remarks = phrases::remarks(reviewed);
    parts.extend(Some(remarks).filter(|text| !text.is_empty()));
    if reviewed.mark.is_some_and(MoveQuality::is_bad)
        && let Some(best) = phrases::line_moves(before, &reviewed.better_line, 1).first()
    {
        parts.push(format!("{} {best}", tr!("better:")));
    }
    phrases::join_sentences(parts).unwrap_or_default()
}

/// The better line beside the move, with its score at the end.
fn add_variation(game: &mut Game, walker: &mut GameCursor, reviewed: &ReviewedMove) {
    let from = walker.at();
    let mut last = None;
    for &mv in reviewed.better_line.iter().take(MAX_VARIATION_MOVES) {
        match walker.play(game, mv) {
            Ok(id) => last = Some(id),
            Err(_) => break,
        }
    }
    if let (Some(id), Some(before)) = (last, reviewed.before) {
        let (score, chance) = red_score_and_chance(before, reviewed.side);
        game[id].append_comment(&format!("{score} {chance}"));
    }
    walker.go_to(game, from);
}
