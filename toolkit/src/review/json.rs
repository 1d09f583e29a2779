//! A review for scripts; `docs/review.md` describes the form.

use super::chance::Standing;
use super::judging::{Event, Reviewed};
use super::study::Studied;
use super::{Review, Side};
use crate::record::GameResult;
use crate::record::notation::{self, Notation};
use chuhe_engine::board::Position;
use chuhe_engine::language::Language;
use chuhe_engine::tablebase::Answer;
use chuhe_engine::types::{Color, score};
use serde::Serialize;
use std::collections::BTreeMap;

/// Changes when something that scripts rely on does.
const FORMAT: u32 = 1;

/// The review as it is written.
#[derive(Serialize)]
pub struct Document<'a> {
    generator: &'static str,
    format: u32,
    tags: BTreeMap<&'a str, &'a str>,
    result: &'static str,
    rules: &'static str,
    start: String,
    complete: bool,
    opening: Option<Opening>,
    sides: Sides,
    decisive: Vec<usize>,
    moves: Vec<Move>,
    positions: Vec<Option<Place>>,
}

#[derive(Serialize)]
struct Opening {
    chinese: &'static str,
    english: &'static str,
    plies: usize,
}

#[derive(Serialize)]
struct Sides {
    red: Player,
    black: Player,
}

#[derive(Serialize)]
struct Player {
    moves: usize,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    average_cost: Option<f64>,
    good: usize,
    dubious: usize,
    mistakes: usize,
    blunders: usize,
}

/// How it stands, seen from red; nothing while that is not known.
#[derive(Serialize, Clone, PartialEq, Debug, Default)]
pub struct Point {
    score: Option<i32>,
    mate: Option<i32>,
    chance: Option<f64>,
}

#[derive(Serialize)]
struct Move {
    ply: usize,
    number: u32,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
    before: Option<Point>,
    after: Option<Point>,
    loss: Option<f64>,
    cost: Option<i32>,
    mark: Option<&'static str>,
    better: Vec<String>,
    events: Vec<Happening>,
    comment: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum Happening {
    MissedMate { moves: i32 },
    AllowedMate { moves: i32 },
    WinThrownAway,
    DrawThrownAway,
    Repetition { times: usize },
    GameOver { result: &'static str, reason: String },
    LeftBook,
    OnlyMove,
}

#[derive(Serialize)]
struct Place {
    ply: usize,
    fen: String,
    #[serde(flatten)]
    point: Point,
    depth: u32,
    nodes: u64,
    best: Vec<String>,
    table: Option<&'static str>,
}

/// The review as one JSON object.
pub fn json(review: &Review) -> String {
    let text = serde_json::to_string(&document(review));
    text.unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}

/// The review, ready to be written as JSON.
pub fn document(review: &Review) -> Document<'_> {
    let (moves, positions) = listed(review);
    Document {
        generator: concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " review"),
        format: FORMAT,
        tags: review.game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        result: review.game.result.token(),
        rules: review.rules.set.name(),
        start: review.game.start().fen(),
        complete: review.is_complete(),
        opening: review.opening.map(|opening| Opening {
            chinese: opening.chinese,
            english: opening.english,
            plies: opening.left.plies,
        }),
        sides: Sides { red: player(review.side(Color::Red)), black: player(review.side(Color::Black)) },
        decisive: review.decisive.iter().map(|index| index + 1).collect(),
        moves,
        positions,
    }
}

fn listed(review: &Review) -> (Vec<Move>, Vec<Option<Place>>) {
    let mut position = review.game.start().clone();
    let place = |index: usize, position: &Position| {
        review.positions[index].as_ref().map(|studied| place(index, studied, position))
    };
    let mut moves = Vec::new();
    let mut positions = vec![place(0, &position)];
    let comments: Vec<&str> = review.game.played().map(|node| node.comment.as_str()).collect();
    for (index, reviewed) in review.moves.iter().enumerate() {
        moves.push(entry(index, reviewed, &position, comments[index]));
        position.make(reviewed.mv);
        positions.push(place(index + 1, &position));
    }
    (moves, positions)
}

fn player(side: &Side) -> Player {
    let [good, dubious, mistakes, blunders] = side.marks;
    Player {
        moves: side.moves,
        accuracy: side.accuracy.map(|value| rounded(value, 10.0)),
        average_loss: side.loss.map(|value| rounded(value, 10_000.0)),
        average_cost: side.cost.map(|value| rounded(value, 10.0)),
        good,
        dubious,
        mistakes,
        blunders,
    }
}

fn entry(index: usize, reviewed: &Reviewed, position: &Position, comment: &str) -> Move {
    let point =
        |standing: Option<Standing>| standing.map(|standing| Point::of(standing.from_red(reviewed.side)));
    Move {
        ply: index + 1,
        number: reviewed.number,
        side: reviewed.side.to_string(),
        mv: reviewed.mv.to_string(),
        chinese: notation::write(position, reviewed.mv, Notation::Chinese),
        wxf: notation::write(position, reviewed.mv, Notation::Wxf),
        before: point(reviewed.before),
        after: point(reviewed.after),
        loss: reviewed.loss().map(|loss| rounded(loss, 10_000.0)),
        cost: reviewed.cost(),
        mark: reviewed.mark.map(super::Mark::sign),
        better: reviewed.better.iter().map(ToString::to_string).collect(),
        events: reviewed.events.iter().map(happening).collect(),
        comment: comment.to_string(),
    }
}

fn happening(event: &Event) -> Happening {
    match *event {
        Event::MissedMate(plies) => Happening::MissedMate { moves: score::moves(plies) },
        Event::AllowedMate(plies) => Happening::AllowedMate { moves: score::moves(plies) },
        Event::ThrewWin => Happening::WinThrownAway,
        Event::ThrewDraw => Happening::DrawThrownAway,
        Event::Repeated(times) => Happening::Repetition { times },
        Event::Over(verdict) => Happening::GameOver {
            result: verdict
                .ending
                .map_or(GameResult::Unknown, |ending| GameResult::of(ending.winner()))
                .token(),
            reason: Language::ENGLISH.with(|| verdict.reason.to_string()),
        },
        Event::LeftBook => Happening::LeftBook,
        Event::Forced => Happening::OnlyMove,
    }
}

fn place(index: usize, studied: &Studied, position: &Position) -> Place {
    Place {
        ply: index,
        fen: position.fen(),
        point: Point::of(studied.for_red()),
        depth: studied.depth,
        nodes: studied.nodes,
        best: studied.line.iter().map(ToString::to_string).collect(),
        table: studied.table.map(Answer::word),
    }
}

impl Point {
    /// Where red stands so.
    pub fn of(red: Standing) -> Point {
        Point {
            score: Some(score::hundredths(red.score)),
            mate: score::mate_plies(red.score).map(score::moves),
            chance: Some(rounded(red.chance, 10_000.0)),
        }
    }
}

/// Without the digits that say nothing.
pub fn rounded(value: f64, grain: f64) -> f64 {
    (value * grain).round() / grain
}
