//! What a page sees of a game: the form in which it is told.

use super::both::Both;
use super::state::State;
use crate::board::Position;
use crate::language::tr;
use crate::play::game::{Closing, Game};
use crate::play::words;
use crate::player::Strength;
use crate::review::score_text;
use crate::search::Outcome;
use crate::types::{Color, Move, score};
use serde::Serialize;
use std::time::Duration;

/// A game as it stands.
#[derive(Serialize)]
pub struct Seen {
    turn: u64,
    start: String,
    moves: Vec<String>,
    names: Both<Vec<String>>,
    /// What the person may play now.
    legal: Vec<String>,
    /// Which of them lose at once by the rules of repetition.
    forbidden: Vec<String>,
    /// Where the king stands that is in check.
    check: Option<String>,
    side: String,
    seat: &'static str,
    strength: String,
    /// The same for people.
    strength_name: Both,
    rules: &'static str,
    clocks: Option<Dials>,
    thinking: bool,
    offered: bool,
    over: Option<Over>,
    /// Whether there is something to take back.
    undo: bool,
    kept: bool,
    said: Option<Both>,
}

/// What the clocks say now, in milliseconds.
#[derive(Serialize)]
struct Dials {
    control: String,
    red: u64,
    black: u64,
}

/// How a game ended, and why.
#[derive(Serialize)]
struct Over {
    result: &'static str,
    text: Both,
}

impl Seen {
    pub fn of(state: &State, kept: bool) -> Seen {
        let game = &state.game;
        let (position, moves) = (game.position(), moves(game));
        let is_asked = game.closing().is_none() && game.is_persons_turn();
        let legal = position.legal_moves();
        let legal = legal.moves().filter(|_| is_asked).map(|mv| mv.to_string());
        Seen {
            turn: state.turn,
            start: game.start().fen(),
            names: Both::of_line(game.start(), &moves),
            moves: moves.iter().map(ToString::to_string).collect(),
            legal: legal.collect(),
            forbidden: game.rules.losing_moves(position).iter().map(ToString::to_string).collect(),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
            side: game.side().to_string(),
            seat: game.seat.name(),
            strength: game.strength.to_string(),
            strength_name: strength(game.strength),
            rules: game.rules.set.name(),
            clocks: dials(state),
            thinking: state.thinking,
            offered: state.offered,
            over: game.closing().map(|closing| over(game, closing)),
            undo: moves.len() > 1
                || game.closing().is_some()
                || moves.len() == 1 && game.seat.has(!game.side()),
            kept,
            said: state.said.clone(),
        }
    }
}

fn moves(game: &Game) -> Vec<Move> {
    game.moves().iter().map(|ply| ply.mv).collect()
}

/// A strength in words.
fn strength(strength: Strength) -> Both {
    Both::of(|| match strength {
        Strength::Level(level) => tr!("level {level}", level),
        Strength::Elo(elo) => tr!("Elo {elo}", elo),
        Strength::Time(time) => tr!("{seconds} seconds a move", seconds = time.as_secs_f64()),
    })
}

fn dials(state: &State) -> Option<Dials> {
    let clocks = state.game.clocks.as_ref()?;
    let left = |color: Color| {
        let runs = color == state.game.side() && state.game.closing().is_none();
        let spent = if runs { state.turn_began.elapsed() } else { Duration::ZERO };
        u64::try_from(clocks.of(color).left().saturating_sub(spent).as_millis()).unwrap_or(u64::MAX)
    };
    Some(Dials { control: clocks.control.to_string(), red: left(Color::Red), black: left(Color::Black) })
}

fn over(game: &Game, closing: &Closing) -> Over {
    Over { result: game.result().token(), text: Both::of(|| words::reasons(game, closing).join("\n")) }
}

/// What the engine would play itself.
#[derive(Serialize)]
pub struct Hint {
    turn: u64,
    #[serde(rename = "move")]
    mv: String,
    text: Both,
}

impl Hint {
    pub fn of(turn: u64, position: &Position, outcome: &Outcome, most: usize) -> Option<Hint> {
        let best = outcome.best?;
        let line = outcome.pv.get(..most).unwrap_or(&outcome.pv);
        let Both { zh, en } = Both::of_line(position, line);
        let (zh, en, score) =
            (zh.join(" "), en.join(" "), score_text(score::from_red(outcome.score, position.side())));
        let text = Both {
            zh: Both::of(|| tr!("Hint: {line} ({score} for red)", line = zh, score)).zh,
            en: Both::of(|| tr!("Hint: {line} ({score} for red)", line = en, score)).en,
        };
        Some(Hint { turn, mv: best.to_string(), text })
    }
}
