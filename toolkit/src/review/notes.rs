//! A review as a game that other programs read: comments with scores, marks, and the better lines as variations, in the reader's language.

use super::Review;
use super::judging::{Mark, Reviewed};
use super::words::{self, for_red};
use crate::record::{Game, Nag, NodeId, Walker};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;

/// Moves of a variation.
const LONGEST: usize = 12;
const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The game with what was found noted beside what was there.
pub fn noted(review: &Review) -> Game {
    let mut game = review.game.clone();
    game.set_tag("Annotator", annotators(game.tag("Annotator").unwrap_or_default()));
    if let Some(opening) = review.opening {
        game.set_tag("Opening", opening.name());
    }
    let line: Vec<NodeId> = game.main_line().collect();
    let mut walker = Walker::new(&game);
    for (id, reviewed) in line.into_iter().zip(&review.moves) {
        let before = walker.position().clone();
        if let Some(mark) = reviewed.mark {
            game[id].marks.retain(|nag| Nag::SIGNS.iter().all(|(sign, _)| sign != nag));
            game[id].marks.extend(Nag::of_sign(mark.sign()));
        }
        let comment = comment(reviewed, &before);
        game[id].comment_on(&comment);
        if reviewed.mark.is_some_and(Mark::is_bad) {
            vary(&mut game, &mut walker, reviewed);
        }
        walker.go_to(&game, id);
    }
    game
}

/// Chuhe first, by which a file is known as a review, and whoever wrote about the game before.
fn annotators(before: &str) -> String {
    match before.trim() {
        "" | "?" => ANNOTATOR.to_string(),
        before if before.starts_with("Chuhe ") => before.to_string(),
        before => format!("{ANNOTATOR}, {before}"),
    }
}

/// `+0.52 64%`, and what happened.
fn comment(reviewed: &Reviewed, before: &Position) -> String {
    let mut parts = Vec::new();
    if let Some(after) = reviewed.after {
        let (score, chance) = for_red(after, reviewed.side);
        parts.push(format!("{score} {chance}"));
    }
    let remarks = words::remarks(reviewed);
    parts.extend(Some(remarks).filter(|text| !text.is_empty()));
    if reviewed.mark.is_some_and(Mark::is_bad)
        && let Some(best) = words::line(before, &reviewed.better, 1).first()
    {
        parts.push(format!("{} {best}", tr!("better:")));
    }
    words::listed(parts).unwrap_or_default()
}

/// The better line beside the move, with its score at the end.
fn vary(game: &mut Game, walker: &mut Walker, reviewed: &Reviewed) {
    let from = walker.at();
    let mut last = None;
    for &mv in reviewed.better.iter().take(LONGEST) {
        match walker.play(game, mv) {
            Ok(id) => last = Some(id),
            Err(_) => break,
        }
    }
    if let (Some(id), Some(before)) = (last, reviewed.before) {
        let (score, chance) = for_red(before, reviewed.side);
        game[id].comment_on(&format!("{score} {chance}"));
    }
    walker.go_to(game, from);
}
