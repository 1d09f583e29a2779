//! The texts of a review in the current language.

use super::analysis::Assessment;
use super::judging::{MoveEvent, MoveQuality, ReviewedMove};
use crate::player::Strength;
use crate::reader::{default_notation, line_names};
use chuhe_engine::score::{self, Score};
use chuhe_support::language::{Phrase, phrase, tr};
use xiangqi::{Color, Move, Position};

/// The name of a side, capitalised.
pub fn side_name(color: Color) -> Phrase {
    match color {
        Color::Red => phrase!("Red"),
        Color::Black => phrase!("Black"),
    }
}

/// A player's name; in the current language where the program itself has written it.
pub fn player_name(name: &str) -> String {
    // Formats with little room for a name have no version.
    let own = name.strip_prefix("Chuhe ").map(|rest| rest.split_once(", ").unwrap_or(("", rest)));
    match own.and_then(|(version, strength)| Some((version, strength.parse::<Strength>().ok()?))) {
        Some(("", strength)) => tr!("Chuhe, {strength}", strength = strength.describe()),
        Some((version, strength)) => tr!("Chuhe {version}, {strength}", version, strength = strength.describe()),
        None if name == "Player" => tr!("Player"),
        None => name.to_string(),
    }
}

/// The name of a quality, singular and plural.
pub fn quality_name(mark: MoveQuality) -> Phrase {
    match mark {
        MoveQuality::Good => phrase!("good"),
        MoveQuality::Dubious => phrase!("dubious"),
        MoveQuality::Mistake => phrase!("mistakes"),
        MoveQuality::Blunder => phrase!("blunders"),
    }
}

/// The first moves of a line in notation.
pub fn line_moves(position: &Position, line: &[Move], most: usize) -> Vec<String> {
    line_names(position, line.iter().take(most))
}

/// A sentence about an event.
fn event(event: &MoveEvent) -> String {
    match *event {
        MoveEvent::MissedMate { moves } => tr!("misses a mate in {moves}", moves),
        MoveEvent::AllowedMate { moves } => tr!("allows a mate in {moves}", moves),
        MoveEvent::WinThrownAway => tr!("the endgame tables: no longer a win"),
        MoveEvent::DrawThrownAway => tr!("by the endgame tables a draw is lost"),
        MoveEvent::Repetition { times: 2 } => tr!("the position repeats"),
        MoveEvent::Repetition { times: 3 } => tr!("the position occurs for the 3rd time"),
        MoveEvent::Repetition { times } => tr!("the position occurs for the {times}th time", times),
        MoveEvent::GameOver(ref verdict) => verdict.sentence(default_notation()),
        MoveEvent::LeftBook => tr!("leaves the book"),
        MoveEvent::OnlyMove => tr!("the only move"),
    }
}

/// The remarks on a move, without the better line; may be empty.
pub fn remarks(reviewed: &ReviewedMove) -> String {
    let events = reviewed.events.iter().map(event);
    join_sentences(events).unwrap_or_default()
}

/// Joins sentences; `None` if there are none.
pub fn join_sentences(parts: impl IntoIterator<Item = String>) -> Option<String> {
    parts.into_iter().reduce(|first, next| tr!("{first}; {next}", first, next))
}

/// A score from red's view: `+1.25` in minor pieces, `+M3` for a mate in three moves, `+#` for mate on the board, `+R`
/// for a win by the repetition rules and `+T` for a tablebase win.
pub fn score_text(value: Score) -> String {
    let sign = if value < 0 { '-' } else { '+' };
    match score::mate_plies(value) {
        Some(0) => format!("{sign}#"),
        Some(plies) => format!("{sign}M{}", score::plies_to_moves(plies.abs())),
        None if score::is_rule_score(value) => format!("{sign}R"),
        None if value.abs() > score::MAX_EVAL => format!("{sign}T"),
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

/// The mover's assessment converted to red's view, as score and chance.
pub fn red_score_and_chance(standing: Assessment, side: Color) -> (String, String) {
    let red = standing.from_red(side);
    (score_text(red.score), percent(red.chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_text_covers_all_kinds_of_scores() {
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
            (-score::TABLEBASE_WIN, "-T"),
        ] {
            assert_eq!(score_text(value), text);
        }
    }
}
