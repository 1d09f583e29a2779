//! A review as an annotated game for other programs: comments with scores, marks, and better lines as variations, in
//! the current language.

use super::Review;
use super::judging::{MoveQuality, ReviewedMove};
use super::phrases::{self, red_score_and_chance};
use chuhe_support::language::tr;
use xiangqi::Position;
use xiangqi_record::{Game, GameCursor, Nag, NodeId};

/// The maximum number of moves of a variation.
const MAX_VARIATION_MOVES: usize = 12;
const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The game with the findings added to its existing annotations.
pub fn annotate(review: &Review) -> Game {
    let mut game = review.game.clone();
    game.set_tag("Annotator", annotator_tag(game.tag("Annotator").unwrap_or_default()));
    // What the file says itself is often more exact.
    let is_named = game.tag("Opening").is_some_and(|name| !matches!(name.trim(), "" | "?"));
    if let Some(opening) = review.opening.filter(|_| !is_named) {
        game.set_tag("Opening", opening.name());
    }
    let line: Vec<NodeId> = game.main_line().collect();
    let mut cursor = GameCursor::new(&game);
    for (id, reviewed) in line.into_iter().zip(&review.moves) {
        let before = cursor.position().clone();
        if let Some(mark) = reviewed.mark {
            game[id].marks.retain(|nag| Nag::SYMBOLS.iter().all(|(sign, _)| sign != nag));
            game[id].marks.extend(Nag::from_sign(mark.sign()));
        }
        let comment = comment(reviewed, &before);
        game[id].append_comment(&comment);
        if reviewed.mark.is_some_and(MoveQuality::is_bad) {
            add_variation(&mut game, &mut cursor, reviewed);
        }
        cursor.go_to(&game, id);
    }
    game
}

/// The annotator tag: Chuhe first, which identifies a review, then earlier annotators.
fn annotator_tag(before: &str) -> String {
    match before.trim() {
        "" | "?" => ANNOTATOR.to_string(),
        before if before.starts_with("Chuhe ") => before.to_string(),
        before => format!("{ANNOTATOR}, {before}"),
    }
}

/// `+0.52 64%`, and the events of the move.
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
    let why = reviewed.reasons.iter().map(|reason| reason.sentence(before, reviewed.mv));
    let comment = phrases::join_sentences(parts).unwrap_or_default();
    std::iter::once(comment).chain(why).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Adds the better line as a variation, with its score at the end.
fn add_variation(game: &mut Game, cursor: &mut GameCursor, reviewed: &ReviewedMove) {
    let from = cursor.at();
    let mut last = None;
    for &mv in reviewed.better_line.iter().take(MAX_VARIATION_MOVES) {
        match cursor.play(game, mv) {
            Ok(id) => last = Some(id),
            Err(_) => break,
        }
    }
    if let (Some(id), Some(before)) = (last, reviewed.before) {
        let (score, chance) = red_score_and_chance(before, reviewed.side);
        game[id].append_comment(&format!("{score} {chance}"));
    }
    cursor.go_to(game, from);
}
