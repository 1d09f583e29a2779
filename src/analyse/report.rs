//! An analysis as JSON: scores and chances are red's, and the fields have the names that they have in a review.
//! `docs/scripts.md` describes the form.

use super::analysis::{Analysis, Line};
use super::analyst::Equipment;
use super::outlook::Outlook;
use super::query::{Query, Task};
use crate::board::Position;
use crate::book::names::{self, Name};
use crate::book::{self, BookMove};
use crate::eval::large_network;
use crate::language::Language;
use crate::protocol::VERSION;
use crate::record::notation::{self, Notation};
use crate::review::{Standing, rounded};
use crate::rules::{Deed, Ending, Verdict};
use crate::search::Bound;
use crate::tables::Answer;
use crate::types::{Color, Move, PieceKind, Square, score};
use serde::Serialize;
use std::time::Duration;

/// Changes when something that scripts rely on does.
const FORMAT: u32 = 1;

/// An analysis, ready to be written as JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Report {
    start: String,
    played: Vec<String>,
    ply: usize,
    fen: String,
    side: String,
    complete: bool,
    #[serde(flatten)]
    point: Point,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    best: Vec<String>,
    lines: Vec<LineReport>,
    evaluation: Option<i32>,
    table: Option<&'static str>,
    table_plies: Option<u16>,
    opening: Option<Opening>,
    book: Vec<BookReport>,
    verdict: Option<VerdictReport>,
    losing: Vec<String>,
    mate_search: Option<MateReport>,
    conditions: Conditions,
}

/// What an answer depends on beside the position.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Conditions {
    generator: String,
    format: u32,
    network: String,
    rules: &'static str,
    natural_limit: usize,
    task: &'static str,
    lines: usize,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    mate: Option<u32>,
    only: Vec<String>,
    avoid: Vec<String>,
    threads: usize,
    hash: usize,
    tables: usize,
}

/// How it stands, seen from red.
#[derive(Serialize, Clone, PartialEq, Debug, Default)]
struct Point {
    score: Option<i32>,
    mate: Option<i32>,
    chance: Option<f64>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct LineReport {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
    #[serde(flatten)]
    point: Point,
    bound: &'static str,
    depth: u32,
    seldepth: u32,
    moves: Vec<String>,
    moves_chinese: Vec<String>,
    table: Option<&'static str>,
    table_plies: Option<u16>,
    end: Option<End>,
}

/// How the game ends at the end of a line.
#[derive(Serialize, Clone, PartialEq, Debug)]
struct End {
    plies: usize,
    #[serde(flatten)]
    verdict: VerdictReport,
    cycle: usize,
    repetition: Vec<DeedReport>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct VerdictReport {
    result: &'static str,
    reason: String,
    chinese: String,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct DeedReport {
    side: String,
    #[serde(rename = "move")]
    mv: String,
    check: bool,
    chased: Vec<Victim>,
    nature: Option<String>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct Victim {
    piece: &'static str,
    square: String,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct Opening {
    chinese: &'static str,
    english: &'static str,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct BookReport {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    share: f64,
    score: Option<i32>,
    opening: Option<Opening>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct MateReport {
    asked: u32,
    found: Option<u32>,
    ruled_out: u32,
}

impl Report {
    /// What an analyst with this equipment has found, in English whatever the reader speaks.
    pub fn of(analysis: &Analysis, equipment: &Equipment) -> Report {
        Language::ENGLISH.with(|| Report::in_english(analysis, equipment))
    }

    fn in_english(analysis: &Analysis, equipment: &Equipment) -> Report {
        let (query, position) = (&analysis.query, &analysis.position);
        let side = position.side();
        let best = analysis.lines.first();
        let (table, table_plies) = table(analysis.table);
        Report {
            start: query.spot.start().fen(),
            played: moves(query.spot.played()),
            ply: query.spot.ply(),
            fen: position.fen(),
            side: side.to_string(),
            complete: analysis.complete,
            point: analysis.standing.map_or_else(Point::default, |standing| Point::of(standing, side)),
            depth: analysis.depth,
            seldepth: analysis.seldepth,
            nodes: analysis.nodes,
            time_ms: millis(analysis.time),
            nps: analysis.speed(),
            best: best.map_or_else(Vec::new, |line| moves(&line.moves)),
            lines: analysis.lines.iter().map(|line| LineReport::of(line, position)).collect(),
            evaluation: analysis.evaluation.map(|score| score::hundredths(red(score, side))),
            table,
            table_plies,
            opening: names::of_game(position).map(Opening::from),
            book: analysis.book.iter().map(|entry| BookReport::of(entry, analysis)).collect(),
            verdict: VerdictReport::of(analysis.verdict),
            losing: moves(&analysis.losing),
            mate_search: analysis.mate_search.map(|search| MateReport {
                asked: search.asked,
                found: search.found,
                ruled_out: search.ruled_out,
            }),
            conditions: Conditions::of(query, equipment),
        }
    }
}

impl Conditions {
    /// Under which this query is answered with this equipment.
    pub fn of(query: &Query, equipment: &Equipment) -> Conditions {
        let (task, mate) = match query.task {
            Task::Search => ("search", None),
            Task::Evaluate => ("evaluate", None),
            Task::Mate(moves) => ("mate", Some(moves)),
        };
        Conditions {
            generator: format!("Chuhe {VERSION} analyse"),
            format: FORMAT,
            network: large_network().description.clone(),
            rules: query.rules.set.name(),
            natural_limit: query.rules.natural_limit,
            task,
            lines: query.lines,
            time_ms: query.measure.time.map(millis),
            nodes: query.measure.nodes,
            depth: query.measure.depth,
            mate,
            only: moves(&query.only),
            avoid: moves(&query.avoid),
            threads: equipment.threads,
            hash: equipment.hash_mb,
            tables: equipment.tables.files(),
        }
    }
}

impl Point {
    /// The standing of this side as red sees it.
    fn of(standing: Standing, side: Color) -> Point {
        let red = standing.from_red(side);
        let moves = |plies: i32| plies.signum() * ((plies.abs() + 1) / 2);
        Point {
            score: Some(score::hundredths(red.score)),
            mate: score::mate_plies(red.score).map(moves),
            chance: Some(rounded(red.chance, 10_000.0)),
        }
    }
}

impl LineReport {
    fn of(line: &Line, position: &Position) -> LineReport {
        let side = position.side();
        let (table, table_plies) = table(line.table);
        LineReport {
            mv: line.moves[0].to_string(),
            chinese: notation::write(position, line.moves[0], Notation::Chinese),
            wxf: notation::write(position, line.moves[0], Notation::Wxf),
            point: Point::of(line.standing, side),
            bound: bound(line.bound, side),
            depth: line.depth,
            seldepth: line.seldepth,
            moves: moves(&line.moves),
            moves_chinese: written(position, &line.moves, Notation::Chinese),
            table,
            table_plies,
            end: line.outlook.as_ref().and_then(End::of),
        }
    }
}

impl End {
    fn of(outlook: &Outlook) -> Option<End> {
        Some(End {
            plies: outlook.plies,
            verdict: VerdictReport::of(outlook.verdict)?,
            cycle: outlook.cycle,
            repetition: outlook.deeds.iter().map(DeedReport::of).collect(),
        })
    }
}

impl VerdictReport {
    /// Nothing while the game goes on.
    fn of(verdict: Verdict) -> Option<VerdictReport> {
        let result = match verdict.ending? {
            Ending::Draw => "1/2-1/2",
            Ending::Loss(Color::Black) => "1-0",
            Ending::Loss(Color::Red) => "0-1",
        };
        let chinese = Language::CHINESE.with(|| verdict.told());
        let reason = Language::ENGLISH.with(|| verdict.reason.to_string());
        Some(VerdictReport { result, reason, chinese })
    }
}

impl DeedReport {
    fn of(deed: &Deed) -> DeedReport {
        let victim =
            |&(kind, square): &(PieceKind, Square)| Victim { piece: kind.name(), square: square.to_string() };
        DeedReport {
            side: deed.mover.to_string(),
            mv: deed.mv.to_string(),
            check: deed.check,
            chased: deed.chased.iter().map(victim).collect(),
            nature: deed.nature.as_ref().map(|nature| Language::ENGLISH.with(|| nature.to_string())),
        }
    }
}

impl From<Name> for Opening {
    fn from(Name { chinese, english }: Name) -> Opening {
        Opening { chinese, english }
    }
}

impl BookReport {
    fn of(entry: &BookMove, analysis: &Analysis) -> BookReport {
        BookReport {
            mv: entry.mv.to_string(),
            chinese: notation::write(&analysis.position, entry.mv, Notation::Chinese),
            share: rounded(book::percent(entry, &analysis.book) / 100.0, 10_000.0),
            score: entry.score.map(|score| red(score, analysis.position.side())),
            opening: names::after(&analysis.position, entry.mv).map(Opening::from),
        }
    }
}

fn moves(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// The moves of a line in a notation.
pub fn written(position: &Position, line: &[Move], notation: Notation) -> Vec<String> {
    let mut position = position.clone();
    let write = |&mv: &Move| {
        let text = notation::write(&position, mv, notation);
        position.make(mv);
        text
    };
    line.iter().map(write).collect()
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// A score of this side as red sees it.
fn red(score: i32, side: Color) -> i32 {
    if side == Color::Red { score } else { -score }
}

/// What the score is a bound of, as red sees it.
fn bound(bound: Bound, side: Color) -> &'static str {
    match (bound, side) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, Color::Red) | (Bound::Upper, Color::Black) => "lower",
        (Bound::Upper, Color::Red) | (Bound::Lower, Color::Black) => "upper",
    }
}

/// What a table says, as a review has it, and how many plies it takes where the table knows.
fn table(answer: Option<Answer>) -> (Option<&'static str>, Option<u16>) {
    match answer {
        None => (None, None),
        Some(Answer::Win(plies)) => (Some("win"), plies),
        Some(Answer::Loss(plies)) => (Some("loss"), plies),
        Some(Answer::Draw) => (Some("draw"), None),
        Some(Answer::Doubtful) => (Some("doubtful"), None),
    }
}
