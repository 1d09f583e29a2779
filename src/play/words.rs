//! The texts of `chuhe play`: moves and scores, the clocks, the help.

use super::user_command::COMMANDS;
use chuhe_engine::nnue::Explanation;
use chuhe_engine::score::{self, Score};
use chuhe_study::game::{Clocks, GameEnd, LiveGame, NotedMove, Seat, end_reasons};
use chuhe_study::player::{MAX_LEVEL, Strength};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::text_width::pad_right;
use std::time::Duration;
use xiangqi::{Color, Move, Position, Square};
use xiangqi_record::{GameResult, Notation};

/// The layout of the move list: moves per line, the width of a move (`炮二平五 h2e2`), and the space between them.
const MOVES_PER_LINE: usize = 6;
const MOVE_WIDTH: usize = 13;
const GAP: &str = "   ";
/// How many levels easier the suggested strength is.
const EASIER_BY_LEVELS: u8 = 4;

/// A score, for the side it belongs to.
pub fn score_text(value: Score) -> String {
    match score::mate_plies(value) {
        Some(plies) if plies > 0 => tr!("mate in {moves}", moves = score::plies_to_moves(plies)),
        Some(plies) => tr!("mated in {moves}", moves = -score::plies_to_moves(plies)),
        None if score::is_mate_or_rule(value) && value > 0 => tr!("wins by the rules of repetition"),
        None if score::is_mate_or_rule(value) => tr!("loses by the rules of repetition"),
        None => {
            let horses = f64::from(value) / f64::from(score::MINOR);
            // Avoids "-0.00".
            let shown = (100.0 * horses).round() / 100.0 + 0.0;
            tr!("{score}, where 1.00 is a horse", score = format_args!("{shown:+.2}"))
        }
    }
}

/// `1 move`, `2 moves`.
pub fn count_of_moves(count: usize) -> String {
    if count == 1 { tr!("{count} move", count) } else { tr!("{count} moves", count) }
}

/// The greeting, with the first commands to try.
pub fn welcome(game: &LiveGame) -> Vec<String> {
    let who = match game.seat {
        Seat::Both => tr!("You play both sides."),
        seat => {
            tr!("You play {side}. {strength}", side = seat.phrase(), strength = strength_text(game.strength))
        }
    };
    vec![who, tr!("Moves are typed as 炮二平五, C2=5, P2-5, h2e2 or H2-E2; `help` lists the rest.")]
}

/// The engine's strength, and how to change it.
pub fn strength_text(strength: Strength) -> String {
    let Strength::Level(level) = strength else {
        return tr!("Chuhe plays at {strength}.", strength = strength.describe());
    };
    let easier = level.saturating_sub(EASIER_BY_LEVELS).max(1);
    let advice = match level {
        1 => tr!("`level 3` is harder"),
        _ => tr!("`level {easier}` is easier", easier),
    };
    tr!(
        "Chuhe plays at level {level} of {full}, {class}; {advice}.",
        level,
        full = MAX_LEVEL,
        class = strength.class(),
        advice
    )
}

/// The evaluation of the position, as in a hint.
pub fn evaluation_summary(position: &Position, explanation: &Explanation) -> Vec<String> {
    let side = position.side();
    let own = score::from_red(explanation.total, side);
    vec![
        tr!("Under each piece: what it is worth to its side here; 1.0 is a horse."),
        tr!(
            "At a glance, for {side}: {score}. `hint` looks ahead.",
            side = side.localized(),
            score = score_text(score::hundredths(own))
        ),
    ]
}

/// The value of the piece on a square for its side; `None` for kings.
pub fn piece_value_text(explanation: &Explanation, square: Square) -> Option<String> {
    let (_, piece, worth) = explanation.pieces.iter().find(|(there, ..)| *there == square)?;
    let own = if piece.color() == Color::Red { (*worth)? } else { -(*worth)? };
    // Avoids "-0.0".
    Some(format!("{:.1}", (f64::from(score::hundredths(own)) / 10.0).round() / 10.0 + 0.0))
}

pub fn help_lines() -> Vec<String> {
    let mut lines =
        vec![tr!("a move: 炮二平五, C2=5, P2-5, h2e2 or H2-E2; in short where only one fits: 炮五, C5, e2")];
    for command in COMMANDS {
        let more = command.argument.map(|more| more.to_string()).unwrap_or_default();
        let [name, other] = command.names_for_reader();
        lines.push(format!(
            "  {}  {}  {}",
            pad_right(&format!("{name} {more}"), 22),
            pad_right(other, 6),
            command.description
        ));
    }
    lines.push(tr!("Tab completes commands and moves, the arrows bring back what was typed before."));
    lines
}

/// The legal moves, grouped by piece.
pub fn legal_move_lines(position: &Position, width: usize) -> Vec<String> {
    let in_a_line = (width.saturating_add(GAP.len()) / (MOVE_WIDTH + GAP.len())).clamp(1, MOVES_PER_LINE);
    let mut legal: Vec<Move> = position.legal_moves().to_vec();
    legal.order_by_key(|mv| (position.moved_piece(*mv).index(), mv.to_string()));
    let mut lines: Vec<String> = Vec::new();
    let mut before = None;
    for mv in legal {
        let text = move_with_squares(position, mv);
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

/// The notation of lists.
pub fn shown_notation() -> Notation {
    chosen_notation().unwrap_or(Notation::Chinese)
}

fn move_with_squares(position: &Position, mv: Move) -> String {
    let width = MOVE_WIDTH - 5;
    format!("{} {mv}", pad_right(&move_in(position, mv, shown_notation()), width))
}

/// The moves of a game, a full move a line.
pub fn move_list_lines(game: &LiveGame) -> Vec<String> {
    let mut position = game.start().clone();
    let mut lines: Vec<String> = Vec::new();
    for NotedMove { mv, .. } in game.moves() {
        let text = move_with_squares(&position, *mv);
        let number = position.game_ply() / 2 + 1;
        match (position.side(), lines.last_mut()) {
            (Color::Black, Some(line)) => line.push_str(&format!("   {text}")),
            (Color::Black, None) => lines.push(format!("{number:>3}. …   {text}")),
            (Color::Red, _) => lines.push(format!("{number:>3}. {text}")),
        }
        position.play_unchecked(*mv);
    }
    lines
}

/// Minutes and seconds, with tenths when time is short.
pub fn clock_time(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    if left < Duration::from_secs(20) {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Both clocks, while this side's has been running for `spent`.
pub fn clocks_text(clocks: &Clocks, side: Color, spent: Duration) -> String {
    let left = |color: Color| {
        let running = if color == side { spent } else { Duration::ZERO };
        clock_time(clocks.of(color).left().saturating_sub(running))
    };
    tr!("red {red}, black {black}", red = left(Color::Red), black = left(Color::Black))
}

/// Why the game is over, and the winner.
pub fn end_lines(game: &LiveGame, closing: &GameEnd) -> Vec<String> {
    let mut lines = end_reasons(game, closing);
    let result = match game.result() {
        GameResult::RedWins => tr!("Red wins, 1-0."),
        GameResult::BlackWins => tr!("Black wins, 0-1."),
        GameResult::Draw | GameResult::Unknown => tr!("A draw, 1/2-1/2."),
    };
    lines.push(tr!("{result} `review` shows where it turned, `undo` takes back, `new` begins another game, `save FILE` writes this one down.", result));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_move_lines_list_every_move() {
        let position = Position::start();
        let text = legal_move_lines(&position, usize::MAX).join("\n");
        for mv in position.legal_moves() {
            assert_eq!(text.matches(&mv.to_string()).count(), 1, "{mv}\n{text}");
        }
        assert!(text.contains("炮二平五 h2e2"));
    }

    #[test]
    fn times_and_scores_are_readable() {
        assert_eq!(clock_time(Duration::from_millis(598_900)), "9:58");
        assert_eq!(clock_time(Duration::from_millis(9_870)), "0:09.8");
        assert_eq!(score_text(score::mate_in(3)), "mate in 2");
        assert_eq!(score_text(score::mated_in(4)), "mated in 2");
        assert_eq!(score_text(-140), "-0.35, where 1.00 is a horse");
        for value in -1..=1 {
            assert_eq!(score_text(value), "+0.00, where 1.00 is a horse");
        }
    }
}
