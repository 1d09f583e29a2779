//! What a review says, in the language of its reader.

use super::chance::Standing;
use super::judging::{Event, Mark, Reviewed};
use crate::record::notation::{self, Notation};
use chuhe_engine::board::Position;
use chuhe_engine::language::{Language, Phrase, phrase, tr};
use chuhe_engine::types::{Color, Move, Score, score};

/// How the reader writes moves.
pub fn usual_notation() -> Notation {
    if Language::of_reader() == Language::CHINESE { Notation::Chinese } else { Notation::Wxf }
}

/// The name of a side.
pub fn side(color: Color) -> Phrase {
    match color {
        Color::Red => phrase!("Red"),
        Color::Black => phrase!("Black"),
    }
}

/// What a mark is called, for one and for many.
pub fn mark(mark: Mark) -> Phrase {
    match mark {
        Mark::Good => phrase!("good"),
        Mark::Dubious => phrase!("dubious"),
        Mark::Mistake => phrase!("mistakes"),
        Mark::Blunder => phrase!("blunders"),
    }
}

/// The moves of a line, as many as wanted.
pub fn line(position: &Position, line: &[Move], most: usize) -> Vec<String> {
    notation::write_line(position, line.iter().take(most), usual_notation())
}

/// A sentence about something that happened with a move.
fn event(event: Event) -> String {
    match event {
        Event::MissedMate(plies) => tr!("misses a mate in {moves}", moves = score::moves(plies)),
        Event::AllowedMate(plies) => tr!("allows a mate in {moves}", moves = score::moves(plies)),
        Event::ThrewWin => tr!("by the endgame tables a win is gone"),
        Event::ThrewDraw => tr!("by the endgame tables a draw is lost"),
        Event::Repeated(2) => tr!("the position repeats"),
        Event::Repeated(3) => tr!("the position stands for the 3rd time"),
        Event::Repeated(times) => tr!("the position stands for the {times}th time", times),
        Event::Over(verdict) => verdict.told(),
        Event::LeftBook => tr!("leaves the book"),
        Event::Forced => tr!("the only move"),
    }
}

/// All that is to be said about a move, without the better line: a few words, or nothing.
pub fn remarks(reviewed: &Reviewed) -> String {
    let events = reviewed.events.iter().copied().map(event);
    listed(events).unwrap_or_default()
}

/// Several things in one sentence; `None` if there is none.
pub fn listed(parts: impl IntoIterator<Item = String>) -> Option<String> {
    parts.into_iter().reduce(|first, next| tr!("{first}; {next}", first, next))
}

/// A score from red's side: `+1.25` in minor pieces, `+M3` for a mate in three moves, `+#` for a mate on the board, `+R`
/// for a win by the rules of repetition and `+T` for one that a table promises.
pub fn score_text(value: Score) -> String {
    let sign = if value < 0 { '-' } else { '+' };
    match score::mate_plies(value) {
        Some(0) => format!("{sign}#"),
        Some(plies) => format!("{sign}M{}", score::moves(plies.abs())),
        None if score::is_rule(value) => format!("{sign}R"),
        None if value.abs() > score::EVAL_LIMIT => format!("{sign}T"),
        None => {
            let value = score::hundredths(value);
            let sign = if value < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
        }
    }
}

/// A chance in percent.
pub fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

/// A standing of the mover in red's eyes: score and chance.
pub fn for_red(standing: Standing, side: Color) -> (String, String) {
    let red = standing.from_red(side);
    (score_text(red.score), percent(red.chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        for (value, text) in [
            (0, "+0.00"),
            (-1, "+0.00"),
            (-28, "-0.07"),
            (499, "+1.25"),
            (score::mate_in(1), "+M1"),
            (score::mate_in(0), "+#"),
            (score::mated_in(0), "-#"),
            (score::mated_in(6), "-M3"),
            (score::RULE_WIN - 4, "+R"),
            (-score::TABLE_WIN, "-T"),
        ] {
            assert_eq!(score_text(value), text);
        }
    }
}
