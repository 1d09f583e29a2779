//! A review as a game that other programs read: comments with scores, marks, and the better lines as variations.

use super::Review;
use super::judging::{Mark, Reviewed};
use super::words::for_red;
use crate::board::Position;
use crate::language::Language;
use crate::record::{Game, Nag, NodeId, Walker};

/// Moves of a variation.
const LONGEST: usize = 12;
const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The game with what was found noted beside what was there.
pub fn noted(review: &Review, language: Language) -> Game {
    let mut game = review.game.clone();
    game.set_tag("Annotator", annotators(game.tag("Annotator").unwrap_or_default()));
    if let Some(opening) = review.opening {
        game.set_tag("Opening", language.pick(opening.chinese, opening.english));
    }
    let line: Vec<NodeId> = game.main_line().collect();
    let mut walker = Walker::new(&game);
    for (id, reviewed) in line.into_iter().zip(&review.moves) {
        let before = walker.position().clone();
        if let Some(mark) = reviewed.mark {
            game[id].marks.retain(|nag| Nag::SIGNS.iter().all(|(sign, _)| sign != nag));
            game[id].marks.extend(Nag::of_sign(mark.sign()));
        }
        let comment = comment(reviewed, &before, language);
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
fn comment(reviewed: &Reviewed, before: &Position, language: Language) -> String {
    let mut words = Vec::new();
    if let Some(after) = reviewed.after {
        let (score, chance) = for_red(after, reviewed.side);
        words.push(format!("{score} {chance}"));
    }
    let remarks = language.remarks(reviewed);
    words.extend(Some(remarks).filter(|text| !text.is_empty()));
    if reviewed.mark.is_some_and(Mark::is_bad)
        && let Some(best) = language.line(before, &reviewed.better, 1).first()
    {
        words.push(format!("{} {best}", language.pick("应走", "better:")));
    }
    words.join(language.pick("；", "; "))
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
