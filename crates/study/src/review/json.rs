//! A review as JSON; `docs/review.md` describes the format. And a review that is built again from its game and from what was kept
//! of it as JSON, without a search.

use super::analysis::{AnalysedPosition, Assessment, GameAnalysis};
use super::judging::{MoveEvent, MoveQuality, OpeningInfo, Review, ReviewedMove, SideSummary, move_loss};
use crate::reasons::Reason;
use chuhe_engine::score::{self, Score};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::Game;
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
    opening: Option<OpeningInfo>,
    sides: Sides,
    decisive: Vec<usize>,
    moves: Vec<MoveEntry<'a>>,
    positions: Vec<Option<PositionEntry<'a>>>,
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
struct MoveEntry<'a> {
    ply: usize,
    number: u32,
    side: Color,
    #[serde(rename = "move")]
    mv: Move,
    chinese: String,
    wxf: String,
    before: Option<ScorePoint>,
    after: Option<ScorePoint>,
    loss: Option<f64>,
    cost: Option<i32>,
    mark: Option<&'static str>,
    better: &'a [Move],
    events: &'a [MoveEvent],
    why: Vec<WhyEntry<'a>>,
    comment: &'a str,
}

/// Why a move was a mistake: the proof, and the sentence.
#[derive(Serialize)]
struct WhyEntry<'a> {
    #[serde(flatten)]
    reason: &'a Reason,
    chinese: String,
    english: String,
}

#[derive(Serialize)]
struct PositionEntry<'a> {
    ply: usize,
    fen: String,
    #[serde(flatten)]
    point: ScorePoint,
    depth: u32,
    nodes: u64,
    best: &'a [Move],
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
        opening: review.opening,
        sides: Sides { red: player(review.side(Color::Red)), black: player(review.side(Color::Black)) },
        decisive: review.decisive.iter().map(|index| index + 1).collect(),
        moves,
        positions,
    }
}

fn entries(review: &Review) -> (Vec<MoveEntry<'_>>, Vec<Option<PositionEntry<'_>>>) {
    let place = |index: usize, position: &Position| {
        review.positions[index].as_ref().map(|studied| place(index, studied, position))
    };
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    let comments: Vec<&str> = review.game.main_line_nodes().map(|node| node.comment.as_str()).collect();
    for (index, reviewed, position) in review.moves_in_positions() {
        positions.push(place(index, &position));
        moves.push(entry(index, reviewed, &position, comments[index]));
    }
    positions.push(place(moves.len(), &review.position_before(moves.len())));
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

fn entry<'a>(index: usize, reviewed: &'a ReviewedMove, position: &Position, comment: &'a str) -> MoveEntry<'a> {
    let point =
        |standing: Option<Assessment>| standing.map(|standing| ScorePoint::of(standing.from_red(reviewed.side)));
    let name = |way| notation::format(position, reviewed.mv, way);
    MoveEntry {
        ply: index + 1,
        number: reviewed.number,
        side: reviewed.side,
        mv: reviewed.mv,
        chinese: name(Notation::Chinese),
        wxf: name(Notation::Wxf),
        before: point(reviewed.before),
        after: point(reviewed.after),
        loss: reviewed.loss().map(|loss| round_to(loss, 10_000.0)),
        cost: reviewed.cost(),
        mark: reviewed.mark.map(MoveQuality::sign),
        better: &reviewed.better_line,
        events: &reviewed.events,
        why: reviewed.reasons.iter().map(|reason| WhyEntry::new(reason, position, reviewed.mv)).collect(),
        comment,
    }
}

fn place<'a>(index: usize, studied: &'a AnalysedPosition, position: &Position) -> PositionEntry<'a> {
    PositionEntry {
        ply: index,
        fen: position.fen(),
        point: ScorePoint::of(studied.for_red()),
        depth: studied.depth,
        nodes: studied.nodes,
        best: &studied.line,
        table: studied.tablebase.map(ProbeResult::name),
    }
}

impl WhyEntry<'_> {
    fn new<'a>(reason: &'a Reason, position: &Position, played: Move) -> WhyEntry<'a> {
        let sentence = || reason.sentence(position, played);
        WhyEntry { reason, chinese: Language::CHINESE.with(sentence), english: Language::ENGLISH.with(sentence) }
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

/// A review as a document, with what the document rounds: the scores of the search, from the side to move.
#[derive(Serialize)]
pub struct SearchScores<'a> {
    #[serde(flatten)]
    document: ReviewDocument<'a>,
    search_scores: Vec<Score>,
}

impl SearchScores<'_> {
    /// The document of a complete review.
    pub fn of(review: &Review) -> SearchScores<'_> {
        let scores = review.positions.iter().flatten().map(|studied| studied.standing.score);
        SearchScores { document: document(review), search_scores: scores.collect() }
    }
}

/// What of such a document cannot be found out again without a search.
#[derive(Serialize, Deserialize)]
pub struct KeptReview {
    start: String,
    search_scores: Vec<Score>,
    moves: Vec<KeptMove>,
    positions: Vec<KeptPosition>,
}

#[derive(Serialize, Deserialize)]
struct KeptMove {
    #[serde(rename = "move")]
    mv: Move,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    why: Vec<Reason>,
}

#[derive(Serialize, Deserialize)]
struct KeptPosition {
    depth: u32,
    nodes: u64,
    best: Vec<Move>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<String>,
}

impl KeptReview {
    /// What is to be kept of a complete review, a fifth of its document.
    pub fn of(review: &Review) -> KeptReview {
        let studied = || review.positions.iter().flatten();
        let moves = review.moves.iter().map(|reviewed| KeptMove {
            mv: reviewed.mv,
            mark: reviewed.mark.map(|mark| mark.sign().to_string()),
            why: reviewed.reasons.clone(),
        });
        let positions = studied().map(|studied| KeptPosition {
            depth: studied.depth,
            nodes: studied.nodes,
            best: studied.line.clone(),
            table: studied.tablebase.map(|result| result.name().to_string()),
        });
        KeptReview {
            start: review.game.start().fen(),
            search_scores: studied().map(|studied| studied.standing.score).collect(),
            moves: moves.collect(),
            positions: positions.collect(),
        }
    }

    /// Whether this is about a game: the same moves from the same position.
    pub fn is_of(&self, game: &Game) -> bool {
        self.start == game.start().fen() && self.moves.iter().map(|kept| kept.mv).eq(game.moves())
    }

    /// What each move has lost, in the order of the moves, with the position before it; fewer if something is damaged.
    pub fn each_loss(&self, take: &mut dyn FnMut(&Position, Move, f64)) {
        let Ok(mut position) = Position::from_fen(&self.start) else { return };
        let scores = self.search_scores.windows(2);
        for ((kept, studied), scores) in self.moves.iter().zip(&self.positions).zip(scores) {
            let before = Assessment::of(scores[0], &position);
            let here = position.without_history();
            if position.play(kept.mv).is_err() {
                return;
            }
            let after = Assessment::of(scores[1], &position).opposite();
            take(&here, kept.mv, move_loss(before, after, studied.best.first() == Some(&kept.mv)));
        }
    }

    /// The review of the game; `None` if this is about another one.
    pub fn review(self, game: Game, rules: Rules) -> Option<Review> {
        let count = self.moves.len() + 1;
        if !self.is_of(&game) || self.positions.len() != count || self.search_scores.len() != count {
            return None;
        }
        let played: Vec<Move> = game.moves().collect();
        let mut position = game.start().clone();
        let mut positions = Vec::with_capacity(count);
        for (index, (kept, score)) in self.positions.into_iter().zip(self.search_scores).enumerate() {
            let mark = self.moves.get(index).and_then(|played| played.mark.as_deref());
            positions.push(Some(AnalysedPosition {
                side: position.side(),
                standing: Assessment::of(score, &position),
                depth: kept.depth,
                nodes: kept.nodes,
                line: kept.best,
                tablebase: kept.table.as_deref().and_then(table_result),
                verdict: rules.judge(&position),
                is_only_good_move: mark == Some(MoveQuality::Good.sign()),
            }));
            if let Some(&mv) = played.get(index) {
                position.play_unchecked(mv);
            }
        }
        let mut review = Review::of(game, rules, GameAnalysis { positions });
        for (reviewed, kept) in review.moves.iter_mut().zip(self.moves) {
            reviewed.reasons = kept.why;
        }
        Some(review)
    }
}

/// The value of the endgame tables with this name; reviews do not tell the plies.
fn table_result(name: &str) -> Option<ProbeResult> {
    let all = [ProbeResult::Win(None), ProbeResult::Loss(None), ProbeResult::Draw, ProbeResult::Doubtful];
    all.into_iter().find(|result| result.name() == name)
}
