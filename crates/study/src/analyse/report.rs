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
use chuhe_support::with_values;
use serde::Serialize;
use std::time::Duration;
use xiangqi::rules::{MoveExplanation, piece_on_square};
use xiangqi::{Color, Move, Piece, Position, Square, Verdict};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

/// Incremented when something that scripts rely on changes.
const FORMAT: u32 = 2;

with_values! {
    /// An analysis, ready to be written as JSON.
    #[derive(Serialize, Clone, PartialEq, Debug)]
    pub struct AnalysisReport {
        start: String = query.position.start().fen(),
        played: Vec<Move> = query.position.played().to_vec(),
        ply: usize = query.position.ply(),
        fen: String = position.fen(),
        side: Color = side,
        complete: bool = analysis.complete,
        #[serde(flatten)]
        point: ScorePoint = standing.map(ScorePoint::of).unwrap_or_default(),
        depth: u32 = analysis.depth,
        seldepth: u32 = analysis.seldepth,
        nodes: u64 = analysis.nodes,
        time_ms: u64 = millis(analysis.time),
        nps: u64 = analysis.speed(),
        /// None where nothing can be played, or before the first line.
        best: Option<Vec<Move>> = best.map(|line| line.moves.clone()),
        lines: Vec<LineReport> = analysis.lines.iter().map(|line| LineReport::of(line, position)).collect(),
        evaluation: Option<i32> = analysis.evaluation.map(|score| score::hundredths(score::from_red(score, side))),
        table: Option<&'static str> = analysis.tablebase.map(ProbeResult::name),
        table_plies: Option<u16> = analysis.tablebase.and_then(ProbeResult::plies),
        opening: Option<OpeningName> = opening_names::name_of_game(position),
        book: Vec<BookReport> = analysis.book.iter().map(|entry| BookReport::of(entry, analysis)).collect(),
        verdict: Option<VerdictReport> = VerdictReport::of(analysis.verdict),
        losing: Vec<Move> = analysis.losing_moves.clone(),
        mate_search: Option<MateReport> = analysis.mate_search.map(|search| MateReport {
            asked: search.requested,
            found: search.found,
            ruled_out: search.ruled_out,
        }),
        conditions: AnalysisConditions = AnalysisConditions::of(query, resources),
    }
    fn in_english(analysis: &Analysis, resources: &AnalystResources) {
        let (query, position) = (&analysis.query, &analysis.position);
        let side = position.side();
        let best = analysis.lines.first();
        let standing = analysis.assessment.map(|standing| standing.from_red(side));
    }

    /// The conditions of an answer other than the position.
    #[derive(Serialize, Clone, PartialEq, Debug)]
    pub struct AnalysisConditions {
        generator: String = format!("Chuhe {} analyse", resources.version),
        format: u32 = FORMAT,
        network: String = large_network().description.clone(),
        rules: &'static str = query.rules.set.name(),
        natural_limit: usize = query.rules.natural_limit,
        task: &'static str = task,
        lines: usize = query.lines,
        time_ms: Option<u64> = query.budget.time.map(millis),
        nodes: Option<u64> = query.budget.nodes,
        depth: Option<u32> = query.budget.depth,
        mate: Option<u32> = mate,
        only: Vec<Move> = query.include_moves.clone(),
        avoid: Vec<Move> = query.exclude_moves.clone(),
        threads: usize = resources.threads,
        hash: usize = resources.hash_mb,
        tables: usize = resources.tablebases.file_count(),
    }
    /// The conditions under which these resources answer the query.
    pub fn of(query: &Query, resources: &AnalystResources) {
        let (task, mate) = match query.task {
            QueryTask::Search => ("search", None),
            QueryTask::Evaluate => ("evaluate", None),
            QueryTask::Mate(moves) => ("mate", Some(moves)),
        };
    }

    #[derive(Serialize, Clone, PartialEq, Debug)]
    struct LineReport {
        r#move: Move = line.moves[0],
        chinese: String = name(Notation::Chinese),
        wxf: String = name(Notation::Wxf),
        #[serde(flatten)]
        point: ScorePoint = ScorePoint::of(line.assessment.from_red(side)),
        bound: &'static str = bound(line.bound.from_red(side)),
        depth: u32 = line.depth,
        seldepth: u32 = line.seldepth,
        moves: Vec<Move> = line.moves.clone(),
        moves_chinese: Vec<String> = notation::format_line(position, &line.moves, Notation::Chinese),
        table: Option<&'static str> = line.tablebase.map(ProbeResult::name),
        table_plies: Option<u16> = line.tablebase.and_then(ProbeResult::plies),
        end: Option<LineEndReport> = line.line_verdict.as_ref().and_then(LineEndReport::of),
    }
    fn of(line: &AnalysisLine, position: &Position) {
        let side = position.side();
        let name = |way| notation::format(position, line.moves[0], way);
    }

    /// How the game ends at the end of a line.
    #[derive(Serialize, Clone, PartialEq, Debug)]
    struct LineEndReport {
        plies: usize = line_verdict.plies,
        #[serde(flatten)]
        verdict: VerdictReport = VerdictReport::of(line_verdict.judgement.verdict)?,
        cycle: usize = line_verdict.cycle,
        repetition: Vec<RepeatedMove> = line_verdict.move_facts.iter().map(RepeatedMove::of).collect(),
    }
    fn of(line_verdict: &LineVerdict) -> Option<Self> as Some;
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct VerdictReport {
    result: &'static str,
    reason: String,
    chinese: String,
}

with_values! {
    #[derive(Serialize, Clone, PartialEq, Debug)]
    struct RepeatedMove {
        side: Color = facts.mover,
        r#move: Move = facts.mv,
        check: bool = facts.check,
        chased: Vec<Victim> = facts.newly_chased.iter().map(victim).collect(),
        nature: Option<String> = facts.nature.as_ref().map(|nature| nature.to_string()),
    }
    fn of(facts: &MoveExplanation) {
        let victim = |&(piece, square): &(Piece, Square)| Victim { piece: piece.kind().name(), square };
    }
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct Victim {
    piece: &'static str,
    square: Square,
}

with_values! {
    #[derive(Serialize, Clone, PartialEq, Debug)]
    struct BookReport {
        r#move: Move = entry.mv,
        chinese: String = notation::format(&analysis.position, entry.mv, Notation::Chinese),
        share: f64 = round_to(book::weight_percent(entry, &analysis.book) / 100.0, 10_000.0),
        score: Option<i32> = entry.score.map(|score| score::from_red(score, analysis.position.side())),
        opening: Option<OpeningName> = opening_names::name_after(&analysis.position, entry.mv),
    }
    fn of(entry: &BookMove, analysis: &Analysis);
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
