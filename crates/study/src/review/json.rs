//! A review as JSON; `docs/review.md` describes the format.

use super::assessment::Assessment;
use super::game_analysis::AnalysedPosition;
use super::judging::{MoveEvent, ReviewedMove};
use super::{Review, SideSummary};
use crate::reasons::Reason;
use chuhe_engine::score;
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::Language;
use serde::Serialize;
use std::collections::BTreeMap;
use xiangqi::{Color, Move, Position};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

/// Incremented when something that scripts rely on changes.
const FORMAT: u32 = 1;

/// The JSON document.
#[derive(Serialize)]
pub struct ReviewDocument<'a> {
    generator: &'static str,
    format: u32,
    tags: BTreeMap<&'a str, &'a str>,
    result: &'static str,
    rules: &'static str,
    start: String,
    complete: bool,
    opening: Option<OpeningEntry>,
    sides: Sides,
    decisive: Vec<usize>,
    moves: Vec<MoveEntry>,
    positions: Vec<Option<PositionEntry>>,
}

#[derive(Serialize)]
struct OpeningEntry {
    chinese: &'static str,
    english: &'static str,
    plies: usize,
}

#[derive(Serialize)]
struct Sides {
    red: SideEntry,
    black: SideEntry,
}

#[derive(Serialize)]
struct SideEntry {
    moves: usize,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    average_cost: Option<f64>,
    good: usize,
    dubious: usize,
    mistakes: usize,
    blunders: usize,
}

/// The assessment from red's view; empty if unknown.
#[derive(Serialize, Clone, PartialEq, Debug, Default)]
pub struct ScorePoint {
    score: Option<i32>,
    mate: Option<i32>,
    chance: Option<f64>,
}

#[derive(Serialize)]
struct MoveEntry {
    ply: usize,
    number: u32,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
    before: Option<ScorePoint>,
    after: Option<ScorePoint>,
    loss: Option<f64>,
    cost: Option<i32>,
    mark: Option<&'static str>,
    better: Vec<String>,
    events: Vec<EventEntry>,
    why: Vec<WhyEntry>,
    comment: String,
}

/// Why a move was a mistake: the proof, and the sentence.
#[derive(Serialize)]
struct WhyEntry {
    #[serde(flatten)]
    reason: Reason,
    chinese: String,
    english: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum EventEntry {
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
struct PositionEntry {
    ply: usize,
    fen: String,
    #[serde(flatten)]
    point: ScorePoint,
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

/// The review as a serialisable document.
pub fn document(review: &Review) -> ReviewDocument<'_> {
    let (moves, positions) = entries(review);
    ReviewDocument {
        generator: concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " review"),
        format: FORMAT,
        tags: review.game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        result: review.game.result.token(),
        rules: review.rules.set.name(),
        start: review.game.start().fen(),
        complete: review.is_complete(),
        opening: review.opening.map(|opening| OpeningEntry {
            chinese: opening.chinese,
            english: opening.english,
            plies: opening.plies,
        }),
        sides: Sides { red: player(review.side(Color::Red)), black: player(review.side(Color::Black)) },
        decisive: review.decisive.iter().map(|index| index + 1).collect(),
        moves,
        positions,
    }
}

fn entries(review: &Review) -> (Vec<MoveEntry>, Vec<Option<PositionEntry>>) {
    let mut position = review.game.start().clone();
    let place = |index: usize, position: &Position| {
        review.positions[index].as_ref().map(|studied| place(index, studied, position))
    };
    let mut moves = Vec::new();
    let mut positions = vec![place(0, &position)];
    let comments: Vec<&str> = review.game.main_line_nodes().map(|node| node.comment.as_str()).collect();
    for (index, reviewed) in review.moves.iter().enumerate() {
        moves.push(entry(index, reviewed, &position, comments[index]));
        position.play_unchecked(reviewed.mv);
        positions.push(place(index + 1, &position));
    }
    (moves, positions)
}

fn player(side: &SideSummary) -> SideEntry {
    let [good, dubious, mistakes, blunders] = side.marks;
    SideEntry {
        moves: side.moves,
        accuracy: side.accuracy.map(|value| round_to(value, 10.0)),
        average_loss: side.loss.map(|value| round_to(value, 10_000.0)),
        average_cost: side.cost.map(|value| round_to(value, 10.0)),
        good,
        dubious,
        mistakes,
        blunders,
    }
}

fn entry(index: usize, reviewed: &ReviewedMove, position: &Position, comment: &str) -> MoveEntry {
    let point =
        |standing: Option<Assessment>| standing.map(|standing| ScorePoint::of(standing.from_red(reviewed.side)));
    let name = |way| notation::format(position, reviewed.mv, way);
    MoveEntry {
        ply: index + 1,
        number: reviewed.number,
        side: reviewed.side.to_string(),
        mv: reviewed.mv.to_string(),
        chinese: name(Notation::Chinese),
        wxf: name(Notation::Wxf),
        before: point(reviewed.before),
        after: point(reviewed.after),
        loss: reviewed.loss().map(|loss| round_to(loss, 10_000.0)),
        cost: reviewed.cost(),
        mark: reviewed.mark.map(super::MoveQuality::sign),
        better: reviewed.better_line.iter().map(ToString::to_string).collect(),
        events: reviewed.events.iter().map(happening).collect(),
        why: reviewed.reasons.iter().map(|reason| WhyEntry::new(reason, position, reviewed.mv)).collect(),
        comment: comment.to_string(),
    }
}

fn happening(event: &MoveEvent) -> EventEntry {
    match *event {
        MoveEvent::MissedMate(plies) => EventEntry::MissedMate { moves: score::plies_to_moves(plies) },
        MoveEvent::AllowedMate(plies) => EventEntry::AllowedMate { moves: score::plies_to_moves(plies) },
        MoveEvent::MissedTablebaseWin => EventEntry::WinThrownAway,
        MoveEvent::MissedTablebaseDraw => EventEntry::DrawThrownAway,
        MoveEvent::Repeated(times) => EventEntry::Repetition { times },
        MoveEvent::GameOver(ref named) => EventEntry::GameOver {
            result: named
                .verdict
                .ending
                .map_or(GameResult::Unknown, |ending| GameResult::from_winner(ending.winner()))
                .token(),
            reason: named.verdict.reason.to_string(),
        },
        MoveEvent::LeftBook => EventEntry::LeftBook,
        MoveEvent::OnlyLegalMove => EventEntry::OnlyMove,
    }
}

fn place(index: usize, studied: &AnalysedPosition, position: &Position) -> PositionEntry {
    PositionEntry {
        ply: index,
        fen: position.fen(),
        point: ScorePoint::of(studied.for_red()),
        depth: studied.depth,
        nodes: studied.nodes,
        best: studied.line.iter().map(ToString::to_string).collect(),
        table: studied.tablebase.map(ProbeResult::name),
    }
}

impl WhyEntry {
    fn new(reason: &Reason, position: &Position, played: Move) -> WhyEntry {
        let sentence = || reason.sentence(position, played);
        WhyEntry {
            reason: reason.clone(),
            chinese: Language::CHINESE.with(sentence),
            english: Language::ENGLISH.with(sentence),
        }
    }
}

impl ScorePoint {
    /// The point for an assessment from red's view.
    pub fn of(red: Assessment) -> ScorePoint {
        ScorePoint {
            score: Some(score::hundredths(red.score)),
            mate: score::mate_plies(red.score).map(score::plies_to_moves),
            chance: Some(round_to(red.chance, 10_000.0)),
        }
    }
}

/// Rounds to 1/grain.
pub fn round_to(value: f64, grain: f64) -> f64 {
    (value * grain).round() / grain
}
