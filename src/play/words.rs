//! What the user is told at the terminal: moves and scores, the clocks, what can be typed.

use super::request::COMMANDS;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::nnue::Explanation;
use chuhe_engine::types::score::{self, Score};
use chuhe_engine::types::{Color, Move, Square};
use chuhe_toolkit::game::ending::reasons;
use chuhe_toolkit::game::{Clocks, Closing, Game, Ply, Seat};
use chuhe_toolkit::player::{FULL_LEVEL, Strength};
use chuhe_toolkit::record::{GameResult, Notation, notation};
use chuhe_toolkit::text::padded;
use std::time::Duration;

/// The most moves that stand on a line, how wide a move is (`炮二平五 h2e2`), and what stands between them.
const IN_A_LINE: usize = 6;
const MOVE: usize = 13;
const GAP: &str = "   ";
/// By how many levels the engine is easier that is advised to those who want one.
const EASIER: u8 = 4;

/// What a score says to whom it belongs.
pub fn of_score(value: Score) -> String {
    match score::mate_plies(value) {
        Some(plies) if plies > 0 => tr!("mate in {moves}", moves = score::moves(plies)),
        Some(plies) => tr!("mated in {moves}", moves = -score::moves(plies)),
        None if score::is_decided(value) && value > 0 => tr!("wins by the rules of repetition"),
        None if score::is_decided(value) => tr!("loses by the rules of repetition"),
        None => {
            let horses = f64::from(value) / f64::from(score::MINOR);
            tr!("{score}, where 1.00 is a horse", score = format_args!("{horses:+.2}"))
        }
    }
}

/// `1 move`, `2 moves`.
pub fn count_of_moves(count: usize) -> String {
    if count == 1 { tr!("{count} move", count) } else { tr!("{count} moves", count) }
}

/// What to type first.
pub fn welcome(game: &Game) -> Vec<String> {
    let who = match game.seat {
        Seat::Both => tr!("You play both sides; the engine looks on."),
        seat => tr!("You play {side}. {strength}", side = seat.word(), strength = strength(game.strength)),
    };
    vec![who, tr!("Moves are typed as 炮二平五, C2=5, h2e2 or H2-E2; `help` lists the rest.")]
}

/// How strong the engine plays, and how to change that.
pub fn strength(strength: Strength) -> String {
    let Strength::Level(level) = strength else {
        return tr!("Chuhe plays at {strength}.", strength = strength.told());
    };
    let easier = level.saturating_sub(EASIER).max(1);
    let advice = match level {
        1 => tr!("`level 3` is harder"),
        _ => tr!("`level {easier}` is easier", easier),
    };
    tr!(
        "Chuhe plays at level {level} of {full}, {class}; {advice}.",
        level,
        full = FULL_LEVEL,
        class = strength.class(),
        advice
    )
}

/// What the position is worth at a glance, as a hint tells it.
pub fn worth(position: &Position, explanation: &Explanation) -> Vec<String> {
    let side = position.side();
    let own = score::from_red(explanation.total, side);
    vec![
        tr!("Under each piece: what it is worth to its side here; 1.0 is a horse."),
        tr!(
            "At a glance, for {side}: {score}. `hint` looks ahead.",
            side = side.name(),
            score = of_score(score::hundredths(own))
        ),
    ]
}

/// What the piece on a square is worth to its side; nothing is said of kings.
pub fn worth_on(explanation: &Explanation, square: Square) -> Option<String> {
    let (_, piece, worth) = explanation.pieces.iter().find(|(there, ..)| *there == square)?;
    let own = if piece.color() == Some(Color::Red) { (*worth)? } else { -(*worth)? };
    // Not "-0.0".
    Some(format!("{:.1}", (f64::from(score::hundredths(own)) / 10.0).round() / 10.0 + 0.0))
}

pub fn help() -> Vec<String> {
    let mut lines =
        vec![tr!("a move: 炮二平五, C2=5, h2e2 or H2-E2; in short where only one fits: 炮五, C5, e2")];
    for command in COMMANDS {
        let more = command.more.map(|more| more.to_string()).unwrap_or_default();
        let [name, other] = command.names_of_reader();
        lines.push(format!(
            "  {}  {}  {}",
            padded(&format!("{name} {more}"), 22),
            padded(other, 6),
            command.does
        ));
    }
    lines.push(tr!("Tab completes commands and moves, the arrows bring back what was typed before."));
    lines
}

/// The legal moves, those of each piece together.
pub fn moves(position: &Position, width: usize) -> Vec<String> {
    let in_a_line = (width.saturating_add(GAP.len()) / (MOVE + GAP.len())).clamp(1, IN_A_LINE);
    let mut legal: Vec<Move> = position.legal_moves().moves().collect();
    legal.sort_by_key(|mv| (position.piece_at(mv.from()).index(), mv.to_string()));
    let mut lines: Vec<String> = Vec::new();
    let mut before = None;
    for mv in legal {
        let text = format!("{} {mv}", notation::write(position, mv, Notation::Chinese));
        let is_full = lines.last().is_some_and(|line| line.matches(GAP).count() + 1 >= in_a_line);
        match lines.last_mut() {
            Some(line) if before == Some(mv.from()) && !is_full => {
                line.push_str(GAP);
                line.push_str(&text);
            }
            _ => lines.push(text),
        }
        before = Some(mv.from());
    }
    lines
}

/// The moves of a game, a full move a line.
pub fn game(game: &Game) -> Vec<String> {
    let mut position = game.start().clone();
    let mut lines: Vec<String> = Vec::new();
    for Ply { mv, .. } in game.moves() {
        let text = format!("{} {mv}", notation::write(&position, *mv, Notation::Chinese));
        let number = position.game_ply() / 2 + 1;
        match (position.side(), lines.last_mut()) {
            (Color::Black, Some(line)) => line.push_str(&format!("   {text}")),
            (Color::Black, None) => lines.push(format!("{number:>3}. …   {text}")),
            (Color::Red, _) => lines.push(format!("{number:>3}. {text}")),
        }
        position.make(*mv);
    }
    lines
}

/// Minutes and seconds, and tenths when they matter.
pub fn time(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    if left < Duration::from_secs(20) {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// What both clocks say, while this one has been running for so long.
pub fn clocks(clocks: &Clocks, side: Color, spent: Duration) -> String {
    let left = |color: Color| {
        let running = if color == side { spent } else { Duration::ZERO };
        time(clocks.of(color).left().saturating_sub(running))
    };
    tr!("red {red}, black {black}", red = left(Color::Red), black = left(Color::Black))
}

/// Why the game is over, and who has won.
pub fn closing(game: &Game, closing: &Closing) -> Vec<String> {
    let mut lines = reasons(game, closing);
    let result = match game.result() {
        GameResult::RedWins => tr!("Red wins, 1-0."),
        GameResult::BlackWins => tr!("Black wins, 0-1."),
        GameResult::Draw | GameResult::Unknown => tr!("A draw, 1/2-1/2."),
    };
    lines.push(tr!(
        "{result} `undo` takes back, `new` begins another game, `save FILE` writes this one down.",
        result
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_is_listed() {
        let position = Position::start();
        let text = moves(&position, usize::MAX).join("\n");
        for mv in position.legal_moves().moves() {
            assert_eq!(text.matches(&mv.to_string()).count(), 1, "{mv}\n{text}");
        }
        assert!(text.contains("炮二平五 h2e2"));
    }

    #[test]
    fn times_and_scores_are_for_people() {
        assert_eq!(time(Duration::from_millis(598_900)), "9:58");
        assert_eq!(time(Duration::from_millis(9_870)), "0:09.8");
        assert_eq!(of_score(score::mate_in(3)), "mate in 2");
        assert_eq!(of_score(score::mated_in(4)), "mated in 2");
        assert_eq!(of_score(-140), "-0.35, where 1.00 is a horse");
    }
}
