//! The texts of a review in the current language.

use super::analysis::Assessment;
use super::judging::{MoveEvent, MoveQuality, Phase, Review, ReviewedMove, SideSummary, phases};
use crate::player::Strength;
use crate::reader::{default_notation, line_names, move_name, side_name};
use chuhe_engine::score::{self, Score};
use chuhe_support::language::{Phrase, phrase, tr};
use xiangqi::{Color, Move, Position};
use xiangqi_record::GameResult;

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

// A reviewed game in a few sentences: where it turned, the worst mistake, what to train.

/// From this chance on a side is ahead.
const AHEAD: f64 = 0.65;
/// The moves that are shown of a better line.
const BETTER_MOVES: usize = 3;

impl Review {
    /// The game in the current language, as a few sentences.
    pub fn story(&self) -> String {
        [self.turn(), self.worst_mistake(), self.to_train()]
            .into_iter()
            .flatten()
            .reduce(|a, b| tr!("{a} {b}", a, b))
            .unwrap_or_default()
    }

    /// The accuracies of red and black in each phase that the game has.
    pub fn accuracy_by_phase(&self) -> Vec<(Phase, [Option<f64>; 2])> {
        let played = phases(&self.game);
        let accuracy = |phase, color| {
            let is_meant = |index: usize, reviewed: &ReviewedMove| played[index] == phase && reviewed.side == color;
            SideSummary::of_moves(&self.moves, &self.positions, is_meant).accuracy
        };
        let rows = Phase::ALL.map(|phase| (phase, Color::ALL.map(|color| accuracy(phase, color))));
        rows.into_iter().filter(|(_, sides)| sides.iter().any(Option::is_some)).collect()
    }

    /// The chances of a side, from the first position on; as before where one is not known.
    fn chances(&self, color: Color) -> Vec<f64> {
        let known = self.positions.iter().map(|position| position.as_ref().map(|studied| studied.for_red().chance));
        let mut chances: Vec<f64> = Vec::new();
        for red in known {
            chances.push(match red {
                Some(red) if color == Color::Red => red,
                Some(red) => 1.0 - red,
                None => chances.last().copied().unwrap_or(0.5),
            });
        }
        chances
    }

    /// Where the game turned.
    fn turn(&self) -> Option<String> {
        if self.moves.is_empty() {
            return None;
        }
        let winner = match self.game.result {
            GameResult::RedWins => Some(Color::Red),
            GameResult::BlackWins => Some(Color::Black),
            _ => {
                Color::ALL.into_iter().find(|&color| self.chances(color).last().is_some_and(|chance| *chance >= AHEAD))
            }
        };
        let Some(winner) = winner else { return Some(self.missed_win()) };
        let chances = self.chances(winner);
        let side = side_name(winner);
        let Some(index) = chances.iter().rposition(|chance| *chance < AHEAD) else {
            return Some(tr!("{side} was ahead from the first move on.", side));
        };
        let Some(after) = chances.get(index + 1) else {
            let chance = percent(chances[index]);
            return Some(tr!("{side} won, though its chance was {chance} at the end.", side, chance));
        };
        let (mv, before, after) = (self.numbered(index), percent(chances[index]), percent(*after));
        Some(
            tr!("The game turned at {move}: the chance of {side} rose from {before} to {after}.", move = mv, side = lower(winner), before, after),
        )
    }

    /// A game that nobody has won: who came near to it.
    fn missed_win(&self) -> String {
        let best = |color| {
            let chances = self.chances(color).into_iter().enumerate();
            chances.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(ply, chance)| (color, ply, chance))
        };
        let best = Color::ALL.into_iter().filter_map(best).max_by(|a, b| a.2.total_cmp(&b.2));
        match best.filter(|(_, ply, chance)| *chance >= AHEAD && *ply > 0) {
            Some((color, ply, chance)) => {
                let (side, chance, mv) = (side_name(color), percent(chance), self.numbered(ply - 1));
                tr!("{side} was nearest to winning after {move}, with a chance of {chance}.", side, move = mv, chance)
            }
            None => tr!("Neither side was ever far ahead."),
        }
    }

    /// The mistake that has cost most.
    fn worst_mistake(&self) -> Option<String> {
        let bad = |index: &usize| self.moves[*index].mark.is_some_and(MoveQuality::is_bad);
        let loss = |index: &usize| self.moves[*index].loss().unwrap_or_default();
        let Some(index) = (0..self.moves.len()).filter(bad).max_by(|a, b| loss(a).total_cmp(&loss(b))) else {
            return (!self.moves.is_empty()).then(|| tr!("Neither side made a mistake."));
        };
        let better = line_moves(&self.position_before(index), &self.moves[index].better_line, BETTER_MOVES).join(" ");
        let (mv, side, loss) = (self.numbered(index), lower(self.moves[index].side), percent(loss(&index)));
        Some(
            tr!("The worst mistake: {move} of {side}, which cost {loss}; better was {better}.", move = mv, side, loss, better),
        )
    }

    /// In which phase the people among the players have made most mistakes.
    fn to_train(&self) -> Option<String> {
        let played = phases(&self.game);
        let is_person = |color: &Color| !self.player(*color).is_some_and(|name| name.starts_with("Chuhe "));
        let advice = |color: Color| {
            let own = self.moves.iter().zip(&played).filter(|(reviewed, _)| reviewed.side == color);
            let bad: Vec<Phase> = own
                .filter(|(reviewed, _)| reviewed.mark.is_some_and(MoveQuality::is_bad))
                .map(|(_, phase)| *phase)
                .collect();
            let count = |phase: Phase| bad.iter().filter(|other| **other == phase).count();
            let phase =
                Phase::ALL.into_iter().rev().max_by_key(|phase| count(*phase)).filter(|phase| count(*phase) > 0)?;
            let (side, count, all) = (lower(color), count(phase), bad.len());
            Some(tr!("{side} the {phase} ({count} of {all} mistakes)", side, phase = phase.phrase(), count, all))
        };
        let advice = Color::ALL.into_iter().filter(is_person).filter_map(advice);
        let advice = advice.reduce(|first, next| tr!("{first}; {next}", first, next))?;
        Some(tr!("To train: {advice}.", advice))
    }

    /// A move with its number: `12. C2.5` or `12… H8+7`.
    fn numbered(&self, index: usize) -> String {
        let reviewed = &self.moves[index];
        let dots = if reviewed.side == Color::Red { "." } else { "…" };
        let mv = move_name(&self.position_before(index), reviewed.mv);
        format!("{}{dots} {mv}", reviewed.number)
    }
}

/// The name of a side within a sentence.
fn lower(color: Color) -> Phrase {
    match color {
        Color::Red => phrase!("red"),
        Color::Black => phrase!("black"),
    }
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
