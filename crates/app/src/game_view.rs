//! The game in the form sent to the page.

use super::game_session::{EngineState, GameState};
use super::two_players::{OfferKind, Role, TwoPlayers};
use chuhe_engine::score;
use chuhe_engine::search::SearchResult;
use chuhe_study::game::{GameEnd, LiveGame, ending};
use chuhe_study::player::Strength;
use chuhe_study::reader::line_names;
use chuhe_study::review::score_text;
use chuhe_support::language::{Message, tr};
use serde::Serialize;
use std::time::Duration;
use xiangqi::{Color, Move, Position, Rules};

/// What the side to move can do.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Choices {
    pub legal: Vec<String>,
    /// The legal moves that lose at once by the repetition rules.
    pub forbidden: Vec<String>,
    /// The square of the king in check.
    pub check: Option<String>,
}

impl Choices {
    pub fn of(position: &Position, rules: &Rules) -> Choices {
        Choices {
            legal: texts(&position.legal_moves()),
            forbidden: texts(&rules.losing_moves(position)),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
        }
    }
}

/// Moves as pages are sent them.
pub fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The state of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GameState"))]
pub struct GameView {
    turn: u64,
    start: String,
    moves: Vec<String>,
    names: Vec<String>,
    /// The seconds of each move, where they are known.
    times: Vec<Option<u64>>,
    /// The legal moves are those of the user.
    #[serde(flatten)]
    choices: Choices,
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    side: Color,
    #[cfg_attr(feature = "typescript", ts(type = "Seat"))]
    seat: &'static str,
    strength: String,
    /// The strength in words.
    strength_name: String,
    rules: &'static str,
    clocks: Option<ClocksDto>,
    thinking: bool,
    draw_offered: bool,
    end: Option<GameEndDto>,
    /// Whether a move can be taken back.
    can_undo: bool,
    /// Whether the game is saved after every move.
    saved: bool,
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    message: Option<Message>,
    /// Set if two people play.
    two: Option<TwoView>,
}

/// A game of two people, as a page of one of them sees it.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TwoPlayers"))]
struct TwoView {
    /// `both` at one board, otherwise the side of the page, or `watcher`.
    #[cfg_attr(feature = "typescript", ts(type = "Seat | \"watcher\""))]
    role: String,
    red: String,
    black: String,
    /// Whether the board is turned after each move.
    turns: bool,
    /// Whether the clock stops while the player to move is away, and whether it stands still now.
    stops: bool,
    stands: bool,
    /// The invited device has not come yet.
    waiting: bool,
    /// The sides whose pages are away.
    #[cfg_attr(feature = "typescript", ts(type = "Side[]"))]
    away: Vec<Color>,
    watchers: usize,
    offer: Option<OfferView>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Offer"))]
struct OfferView {
    number: u64,
    kind: OfferKind,
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    by: Color,
    /// Whether this page may answer it.
    asked: bool,
}

impl TwoView {
    fn of(state: &GameState, two: &TwoPlayers, role: Role) -> TwoView {
        let name = |name: &str| {
            let tag = state.game.tags.iter().rev().find(|(tag, _)| tag == name);
            tag.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let own: Vec<Color> = Color::ALL.into_iter().filter(|&color| two.plays(role, color)).collect();
        TwoView {
            role: match own[..] {
                [] => "watcher".to_string(),
                [color] => color.to_string(),
                _ => "both".to_string(),
            },
            red: name("Red"),
            black: name("Black"),
            turns: two.turns,
            stops: two.stops,
            stands: two.paused_at.is_some(),
            waiting: two.is_waiting,
            away: two.away(&state.members),
            watchers: state.members.iter().filter(|member| member.role == Role::Watcher && !member.is_away()).count(),
            offer: two.offer.map(|offer| OfferView {
                number: offer.number,
                kind: offer.kind,
                by: offer.by,
                asked: two.plays(role, !offer.by),
            }),
        }
    }
}

/// The clocks in milliseconds.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Clocks"))]
struct ClocksDto {
    control: String,
    red: u64,
    black: u64,
}

/// The result of a game and its reasons.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GameEnd"))]
struct GameEndDto {
    result: &'static str,
    /// The reason in a word or two.
    reason: String,
    text: String,
}

impl GameView {
    pub fn of(state: &GameState, saved: bool, role: Role) -> GameView {
        let game = &state.game;
        let (position, moves) = (game.position(), moves(game));
        let mut choices = Choices::of(position, &game.rules);
        if !state.may_move(role) {
            choices.legal.clear();
        }
        let two = state.two.as_ref();
        let may_ask = two.is_none_or(|two| game.end().is_none() && two.side_of(role, game.side()).is_ok());
        GameView {
            turn: state.turn,
            start: game.start().fen(),
            names: line_names(game.start(), &moves),
            moves: texts(&moves),
            times: game.times().map(|time| time.map(|time| time.as_secs())).collect(),
            choices,
            side: game.side(),
            seat: game.seat.name(),
            strength: game.strength.to_string(),
            strength_name: strength(game.strength),
            rules: game.rules.set.name(),
            clocks: clocks(state),
            thinking: matches!(state.engine, EngineState::Busy(_)),
            draw_offered: state.draw_offered,
            end: game.end().map(|end| GameEndDto::of(game, end)),
            can_undo: may_ask
                && (moves.len() > 1 || game.end().is_some() || moves.len() == 1 && game.seat.includes(!game.side())),
            saved,
            message: state.message.clone(),
            two: two.map(|two| TwoView::of(state, two, role)),
        }
    }
}

fn moves(game: &LiveGame) -> Vec<Move> {
    game.moves().iter().map(|ply| ply.mv).collect()
}

/// The strength in words.
fn strength(strength: Strength) -> String {
    match strength {
        Strength::Level(level) => tr!("level {level}", level),
        Strength::Elo(elo) => tr!("Elo {elo}", elo),
        Strength::Time(time) => tr!("{seconds} seconds a move", seconds = time.as_secs_f64()),
    }
}

fn clocks(state: &GameState) -> Option<ClocksDto> {
    let clocks = state.game.clocks.as_ref()?;
    let left = |color: Color| {
        let runs = color == state.game.side() && state.game.end().is_none();
        let spent = if runs { state.spent() } else { Duration::ZERO };
        u64::try_from(clocks.of(color).left().saturating_sub(spent).as_millis()).unwrap_or(u64::MAX)
    };
    Some(ClocksDto { control: clocks.control.to_string(), red: left(Color::Red), black: left(Color::Black) })
}

impl GameEndDto {
    fn of(game: &LiveGame, end: &GameEnd) -> GameEndDto {
        let reason = ending::reason_name(end).to_string();
        GameEndDto { result: game.result().token(), reason, text: ending::reasons(game, end).join("\n") }
    }
}

/// A hint: the engine's best line.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Hint"))]
pub struct HintView {
    turn: u64,
    #[serde(rename = "move")]
    mv: String,
    line: String,
    /// From red's side; the page writes it as it writes all scores.
    score: String,
}

impl HintView {
    pub fn of(turn: u64, position: &Position, outcome: &SearchResult, most: usize) -> Option<HintView> {
        let best = outcome.best_move?;
        let line = outcome.pv.get(..most).unwrap_or(&outcome.pv);
        let line = line_names(position, line).join(" ");
        let score = score_text(score::from_red(outcome.score, position.side()));
        Some(HintView { turn, mv: best.to_string(), line, score })
    }
}
