//! Describes why a game is over.

use super::{GameEnd, LiveGame};
use crate::reader::{chosen_notation, move_in};
use crate::review::side_name;
use chuhe_support::language::{Language, Phrase, phrase, tr};
use chuhe_support::messages::Localize;
use xiangqi::{Ending, Move, Position, Reason, Square, Verdict};
use xiangqi_record::notation::{self, Notation};

/// A move in three notations, `炮二平五 (C2.5, h2e2)`, or in the one that was chosen: `P2-5 (h2e2)`.
pub fn move_text(position: &Position, mv: Move) -> String {
    in_notations(|way| Some(move_in(position, mv, way)), &mv.to_string())
}

/// A piece in three notations, `炮二 (C2, h2)`, or in the one that was chosen.
fn piece_text(position: &Position, square: Square) -> String {
    in_notations(|way| notation::piece_name(position, square, way).map(Language::in_script), &square.to_string())
}

fn in_notations(write: impl Fn(Notation) -> Option<String>, squares: &str) -> String {
    let others = match chosen_notation() {
        None => [Notation::Chinese, Notation::Wxf].into_iter().filter_map(write).collect(),
        Some(Notation::Iccs | Notation::Uci) => Vec::new(),
        Some(chosen) => Vec::from_iter(write(chosen)),
    };
    match &others[..] {
        [] => squares.to_string(),
        [first, rest @ ..] => {
            let rest: Vec<&str> = rest.iter().map(String::as_str).chain([squares]).collect();
            format!("{first} ({})", rest.join(", "))
        }
    }
}

/// The reasons why the game is over, one per line.
pub fn reasons(game: &LiveGame, closing: &GameEnd) -> Vec<String> {
    match closing {
        GameEnd::Ruled(verdict) => verdict_lines(game, verdict),
        GameEnd::Resigned(color) => vec![tr!("{side} resigns (认输).", side = side_name(*color))],
        GameEnd::Agreed => vec![tr!("Draw by agreement (议和).")],
        GameEnd::OutOfTime(color) => vec![tr!("The time of {side} is over (超时判负).", side = color.localized())],
        GameEnd::Recorded(_) => vec![tr!("The record ends here.")],
    }
}

/// The reason why the game is over, in a word or two.
pub fn reason_name(closing: &GameEnd) -> Phrase {
    let verdict = match closing {
        GameEnd::Ruled(verdict) => verdict,
        GameEnd::Resigned(_) => return phrase!("resignation"),
        GameEnd::Agreed => return phrase!("agreement"),
        GameEnd::OutOfTime(_) => return phrase!("out of time"),
        GameEnd::Recorded(_) => return phrase!("end of the record"),
    };
    match verdict.reason {
        Reason::Mate => phrase!("checkmate"),
        Reason::Stalemate => phrase!("stalemate"),
        Reason::PerpetualCheck => phrase!("perpetual check"),
        Reason::PerpetualChase { .. } | Reason::ChasesAlone => phrase!("perpetual chase"),
        Reason::Perpetual(_) => phrase!("forbidden repetition"),
        Reason::ForbiddenMove | Reason::OnlyForbiddenMoves => phrase!("a forbidden move"),
        Reason::GameLength => phrase!("the limit of moves"),
        Reason::Repetition => phrase!("a repetition"),
        Reason::NaturalLimit => phrase!("the natural limit"),
        Reason::Material => phrase!("nothing left to win with"),
        // The game goes on.
        _ => phrase!("end of the record"),
    }
}

/// Explains a verdict of the rules.
fn verdict_lines(game: &LiveGame, verdict: &Verdict) -> Vec<String> {
    let side = game.position().side().localized();
    let times = game.rules.set.repetition_count();
    let loser = match verdict.ending {
        Some(Ending::Loss(color)) => side_name(color),
        _ => phrase!("Nobody"),
    };
    let line = match verdict.reason {
        Reason::Mate => tr!("Checkmate (将死): {side} is in check, and no move helps.", side),
        Reason::Stalemate => {
            tr!("Stalemate (困毙): {side} has no legal move and loses.", side)
        }
        Reason::PerpetualCheck => tr!(
            "Perpetual check (长将判负): the position has stood {times} times, and in between one side gave check \
             with every move. {loser} loses.",
            times,
            loser
        ),
        Reason::PerpetualChase { square, .. } => tr!(
            "Perpetual chase (长捉判负): the position has stood {times} times, and with every move in between the \
             piece that is now {piece} was chased. {loser} loses.",
            times,
            piece = piece_text(game.position(), square),
            loser
        ),
        Reason::Perpetual(offence) => tr!(
            "Forbidden repetition (禁止着法判负): the position has stood {times} times, with nothing in between \
             but {offence}. {loser} loses.",
            times,
            offence = offence.localized(),
            loser
        ),
        Reason::ChasesAlone => tr!(
            "Both sides chased (双方长捉): the position has stood {times} times, and one chased alone while the \
             other chased jointly. {loser} loses.",
            times,
            loser
        ),
        Reason::ForbiddenMove => {
            tr!("A forbidden move (禁手): the counter of checks and chases was full. {loser} loses.", loser)
        }
        Reason::OnlyForbiddenMoves => tr!("Only forbidden moves (禁手) are left. {loser} loses.", loser),
        Reason::GameLength => tr!("The game has lasted as long as it may (总步数限制)."),
        Reason::Repetition => tr!(
            "Repetition (循环局面作和): the position has stood {times} times, and neither side did anything in \
             between that loses by rule.",
            times
        ),
        Reason::NaturalLimit => tr!(
            "The natural limit (自然限着): {moves} moves of either side without a capture.",
            moves = game.rules.natural_limit / 2
        ),
        Reason::Material => tr!("Neither side has anything left to win with (双方均无进攻子力)."),
        // The game goes on.
        _ => String::new(),
    };
    std::iter::once(line).chain(repetition_lines(game)).collect()
}

/// What each move of the repetition does.
fn repetition_lines(game: &LiveGame) -> Vec<String> {
    let explanations = game.rules.explain(game.position());
    let mut position = game.position().clone();
    explanations.iter().for_each(|_| position.undo());
    let mut lines = Vec::new();
    for explanation in explanations {
        let mv = move_text(&position, explanation.mv);
        position.play_unchecked(explanation.mv);
        let done = explanation.words_naming(&|_, square| piece_text(&position, square).into()).localized();
        lines.push(format!("  {:<5}  {mv}  {done}", explanation.mover.localized()));
    }
    lines
}
