//! An analysis as JSON: scores and chances from red's side, with the field names of a review. `docs/scripts.md`
//! describes the format.

use super::analyst::{Analysis, AnalysisLine, AnalystResources, LineVerdict};
use super::query::{Query, QueryTask};
use crate::book::opening_names::{self, OpeningName};
use crate::book::{self, BookMove};
use crate::review::{ScorePoint, round_to};
use chuhe_engine::nnue::large_network;
use chuhe_engine::score;
use chuhe_engine::search::Bound;
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::Language;
use chuhe_support::messages::Localize;
use serde::Serialize;
use std::time::Duration;
use xiangqi::rules::{MoveExplanation, piece_on_square};
use xiangqi::{Move, Piece, Position, Square, Verdict};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

/// Incremented when something that scripts rely on changes.
const FORMAT: u32 = 2;

/// An analysis, ready to be written as JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct AnalysisReport {
    start: String,
    played: Vec<String>,
    ply: usize,
    fen: String,
    side: String,
    complete: bool,
    #[serde(flatten)]
    point: ScorePoint,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    /// None where nothing can be played, or before the first line.
    best: Option<Vec<String>>,
    lines: Vec<LineReport>,
    evaluation: Option<i32>,
    table: Option<&'static str>,
    table_plies: Option<u16>,
    opening: Option<OpeningReport>,
    book: Vec<BookReport>,
    verdict: Option<VerdictReport>,
    losing: Vec<String>,
    mate_search: Option<MateReport>,
    conditions: AnalysisConditions,
}

/// The conditions of an answer other than the position.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct AnalysisConditions {
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

#[derive(Serialize, Clone, PartialEq, Debug)]
struct LineReport {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
    #[serde(flatten)]
    point: ScorePoint,
    bound: &'static str,
    depth: u32,
    seldepth: u32,
    moves: Vec<String>,
    moves_chinese: Vec<String>,
    table: Option<&'static str>,
    table_plies: Option<u16>,
    end: Option<LineEndReport>,
}

/// How the game ends at the end of a line.
#[derive(Serialize, Clone, PartialEq, Debug)]
struct LineEndReport {
    plies: usize,
    #[serde(flatten)]
    verdict: VerdictReport,
    cycle: usize,
    repetition: Vec<RepeatedMove>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct VerdictReport {
    result: &'static str,
    reason: String,
    chinese: String,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct RepeatedMove {
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
struct OpeningReport {
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
    opening: Option<OpeningReport>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct MateReport {
    asked: u32,
    found: Option<u32>,
    ruled_out: u32,
}

impl AnalysisReport {
    /// The report of an analysis, in English regardless of the language setting.
    pub fn of(analysis: &Analysis, resources: &AnalystResources) -> AnalysisReport {
        Language::ENGLISH.with(|| AnalysisReport::in_english(analysis, resources))
    }

    fn in_english(analysis: &Analysis, resources: &AnalystResources) -> AnalysisReport {
        let (query, position) = (&analysis.query, &analysis.position);
        let side = position.side();
        let best = analysis.lines.first();
        let standing = analysis.assessment.map(|standing| standing.from_red(side));
        AnalysisReport {
            start: query.position.start().fen(),
            played: moves(query.position.played()),
            ply: query.position.ply(),
            fen: position.fen(),
            side: side.to_string(),
            complete: analysis.complete,
            point: standing.map(ScorePoint::of).unwrap_or_default(),
            depth: analysis.depth,
            seldepth: analysis.seldepth,
            nodes: analysis.nodes,
            time_ms: millis(analysis.time),
            nps: analysis.speed(),
            best: best.map(|line| moves(&line.moves)),
            lines: analysis.lines.iter().map(|line| LineReport::of(line, position)).collect(),
            evaluation: analysis.evaluation.map(|score| score::hundredths(score::from_red(score, side))),
            table: analysis.tablebase.map(ProbeResult::name),
            table_plies: analysis.tablebase.and_then(ProbeResult::plies),
            opening: opening_names::name_of_game(position).map(OpeningReport::from),
            book: analysis.book.iter().map(|entry| BookReport::of(entry, analysis)).collect(),
            verdict: VerdictReport::of(analysis.verdict),
            losing: moves(&analysis.losing_moves),
            mate_search: analysis.mate_search.map(|search| MateReport {
                asked: search.requested,
                found: search.found,
                ruled_out: search.ruled_out,
            }),
            conditions: AnalysisConditions::of(query, resources),
        }
    }
}

impl AnalysisConditions {
    /// The conditions under which these resources answer the query.
    pub fn of(query: &Query, resources: &AnalystResources) -> AnalysisConditions {
        let (task, mate) = match query.task {
            QueryTask::Search => ("search", None),
            QueryTask::Evaluate => ("evaluate", None),
            QueryTask::Mate(moves) => ("mate", Some(moves)),
        };
        AnalysisConditions {
            generator: format!("Chuhe {} analyse", resources.version),
            format: FORMAT,
            network: large_network().description.clone(),
            rules: query.rules.set.name(),
            natural_limit: query.rules.natural_limit,
            task,
            lines: query.lines,
            time_ms: query.budget.time.map(millis),
            nodes: query.budget.nodes,
            depth: query.budget.depth,
            mate,
            only: moves(&query.include_moves),
            avoid: moves(&query.exclude_moves),
            threads: resources.threads,
            hash: resources.hash_mb,
            tables: resources.tablebases.file_count(),
        }
    }
}

impl LineReport {
    fn of(line: &AnalysisLine, position: &Position) -> LineReport {
        let side = position.side();
        let name = |way| notation::format(position, line.moves[0], way);
        LineReport {
            mv: line.moves[0].to_string(),
            chinese: name(Notation::Chinese),
            wxf: name(Notation::Wxf),
            point: ScorePoint::of(line.assessment.from_red(side)),
            bound: bound(line.bound.from_red(side)),
            depth: line.depth,
            seldepth: line.seldepth,
            moves: moves(&line.moves),
            moves_chinese: notation::format_line(position, &line.moves, Notation::Chinese),
            table: line.tablebase.map(ProbeResult::name),
            table_plies: line.tablebase.and_then(ProbeResult::plies),
            end: line.line_verdict.as_ref().and_then(LineEndReport::of),
        }
    }
}

impl LineEndReport {
    fn of(line_verdict: &LineVerdict) -> Option<LineEndReport> {
        Some(LineEndReport {
            plies: line_verdict.plies,
            verdict: VerdictReport::of(line_verdict.judgement.verdict)?,
            cycle: line_verdict.cycle,
            repetition: line_verdict.move_facts.iter().map(RepeatedMove::of).collect(),
        })
    }
}

impl VerdictReport {
    /// `None` while the game goes on.
    fn of(verdict: Verdict) -> Option<VerdictReport> {
        let result = GameResult::from_winner(verdict.ending?.winner()).token();
        let chinese = Language::CHINESE.with(|| verdict.sentence_words(&piece_on_square).localized());
        let reason = verdict.reason.to_string();
        Some(VerdictReport { result, reason, chinese })
    }
}

impl RepeatedMove {
    fn of(facts: &MoveExplanation) -> RepeatedMove {
        let victim =
            |&(piece, square): &(Piece, Square)| Victim { piece: piece.kind().name(), square: square.to_string() };
        RepeatedMove {
            side: facts.mover.to_string(),
            mv: facts.mv.to_string(),
            check: facts.check,
            chased: facts.newly_chased.iter().map(victim).collect(),
            nature: facts.nature.as_ref().map(|nature| nature.to_string()),
        }
    }
}

impl From<OpeningName> for OpeningReport {
    fn from(OpeningName { chinese, english }: OpeningName) -> OpeningReport {
        OpeningReport { chinese, english }
    }
}

impl BookReport {
    fn of(entry: &BookMove, analysis: &Analysis) -> BookReport {
        BookReport {
            mv: entry.mv.to_string(),
            chinese: notation::format(&analysis.position, entry.mv, Notation::Chinese),
            share: round_to(book::weight_percent(entry, &analysis.book) / 100.0, 10_000.0),
            score: entry.score.map(|score| score::from_red(score, analysis.position.side())),
            opening: opening_names::name_after(&analysis.position, entry.mv).map(OpeningReport::from),
        }
    }
}

fn moves(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}
