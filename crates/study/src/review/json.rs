//! A review as JSON; `docs/review.md` describes the format. And a review that is built again from its game and from what was kept
//! of it as JSON, without a search.

use super::analysis::{AnalysedPosition, Assessment, GameAnalysis};
use super::judging::{MoveEvent, MoveQuality, OpeningInfo, Review, ReviewedMove, SideSummary, move_loss};
use crate::reasons::Reason;
use chuhe_engine::score::{self, Score};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::Language;
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::Game;
use xiangqi_record::notation::{self, Notation};

/// Incremented when something that scripts rely on changes.
const FORMAT: u32 = 1;

with_values! {
    /// The JSON document.
    #[derive(Serialize)]
    pub struct ReviewDocument<'a> {
        generator: &'static str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " review"),
        format: u32 = FORMAT,
        tags: BTreeMap<&'a str, &'a str> =
            review.game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        result: &'static str = review.game.result.token(),
        rules: &'static str = review.rules.set.name(),
        start: String = review.game.start().fen(),
        complete: bool = review.is_complete(),
        opening: Option<OpeningInfo> = review.opening,
        sides: Sides =
            Sides { red: SideEntry::of(review.side(Color::Red)), black: SideEntry::of(review.side(Color::Black)) },
        decisive: Vec<usize> = review.decisive.iter().map(|index| index + 1).collect(),
        moves: Vec<MoveEntry<'a>> = moves,
        positions: Vec<Option<PositionEntry<'a>>> = positions,
    }
    /// The review as a serialisable document.
    pub fn of(review: &'a Review) {
        let (moves, positions) = entries(review);
    }
}

#[derive(Serialize)]
struct Sides {
    red: SideEntry,
    black: SideEntry,
}

with_values! {
    #[derive(Serialize)]
    struct SideEntry {
        moves: usize = side.moves,
        accuracy: Option<f64> = side.accuracy.map(|value| round_to(value, 10.0)),
        average_loss: Option<f64> = side.loss.map(|value| round_to(value, 10_000.0)),
        average_cost: Option<f64> = side.cost.map(|value| round_to(value, 10.0)),
        good: usize = good,
        dubious: usize = dubious,
        mistakes: usize = mistakes,
        blunders: usize = blunders,
    }
    fn of(side: &SideSummary) {
        let [good, dubious, mistakes, blunders] = side.marks;
    }

    /// The assessment from red's view; empty if unknown.
    #[derive(Serialize, Clone, PartialEq, Debug, Default)]
    pub struct ScorePoint {
        score: Option<i32> = Some(score::hundredths(red.score)),
        mate: Option<i32> = score::mate_plies(red.score).map(score::plies_to_moves),
        chance: Option<f64> = Some(round_to(red.chance, 10_000.0)),
    }
    /// The point for an assessment from red's view.
    pub fn of(red: Assessment);

    #[derive(Serialize)]
    struct MoveEntry<'a> {
        ply: usize = index + 1,
        number: u32 = reviewed.number,
        side: Color = reviewed.side,
        r#move: Move = reviewed.mv,
        chinese: String = name(Notation::Chinese),
        wxf: String = name(Notation::Wxf),
        before: Option<ScorePoint> = point(reviewed.before),
        after: Option<ScorePoint> = point(reviewed.after),
        loss: Option<f64> = reviewed.loss().map(|loss| round_to(loss, 10_000.0)),
        cost: Option<i32> = reviewed.cost(),
        mark: Option<&'static str> = reviewed.mark.map(MoveQuality::sign),
        better: &'a [Move] = &reviewed.better_line,
        events: &'a [MoveEvent] = &reviewed.events,
        why: Vec<WhyEntry<'a>> =
            reviewed.reasons.iter().map(|reason| WhyEntry::of(reason, position, reviewed.mv)).collect(),
        comment: &'a str = comment,
    }
    fn of(index: usize, reviewed: &'a ReviewedMove, position: &Position, comment: &'a str) {
        let point =
            |standing: Option<Assessment>| standing.map(|standing| ScorePoint::of(standing.from_red(reviewed.side)));
        let name = |way| notation::format(position, reviewed.mv, way);
    }

    /// Why a move was a mistake: the proof, and the sentence.
    #[derive(Serialize)]
    struct WhyEntry<'a> {
        #[serde(flatten)]
        reason: &'a Reason = reason,
        chinese: String = Language::CHINESE.with(sentence),
        english: String = Language::ENGLISH.with(sentence),
    }
    fn of(reason: &'a Reason, position: &Position, played: Move) {
        let sentence = || reason.sentence(position, played);
    }

    #[derive(Serialize)]
    struct PositionEntry<'a> {
        ply: usize = index,
        fen: String = position.fen(),
        #[serde(flatten)]
        point: ScorePoint = ScorePoint::of(studied.for_red()),
        depth: u32 = studied.depth,
        nodes: u64 = studied.nodes,
        best: &'a [Move] = &studied.line,
        table: Option<&'static str> = studied.tablebase.map(ProbeResult::name),
    }
    fn of(index: usize, studied: &'a AnalysedPosition, position: &Position);
}

/// The review as one JSON object.
pub fn json(review: &Review) -> String {
    let text = serde_json::to_string(&ReviewDocument::of(review));
    text.unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}

fn entries(review: &Review) -> (Vec<MoveEntry<'_>>, Vec<Option<PositionEntry<'_>>>) {
    let place = |index: usize, position: &Position| {
        review.positions[index].as_ref().map(|studied| PositionEntry::of(index, studied, position))
    };
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    let comments: Vec<&str> = review.game.main_line_nodes().map(|node| node.comment.as_str()).collect();
    for (index, reviewed, position) in review.moves_in_positions() {
        positions.push(place(index, &position));
        moves.push(MoveEntry::of(index, reviewed, &position, comments[index]));
    }
    positions.push(place(moves.len(), &review.position_before(moves.len())));
    (moves, positions)
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
        SearchScores { document: ReviewDocument::of(review), search_scores: scores.collect() }
    }
}

with_values! {
    /// What of such a document cannot be found out again without a search.
    #[derive(Serialize, Deserialize)]
    pub struct KeptReview {
        start: String = review.game.start().fen(),
        search_scores: Vec<Score> = studied().map(|studied| studied.standing.score).collect(),
        moves: Vec<KeptMove> = review.moves.iter().map(KeptMove::of).collect(),
        positions: Vec<KeptPosition> = studied().map(KeptPosition::of).collect(),
    }
    /// What is to be kept of a complete review, a fifth of its document.
    pub fn of(review: &Review) {
        let studied = || review.positions.iter().flatten();
    }

    #[derive(Serialize, Deserialize)]
    struct KeptMove {
        #[serde(rename = "move")]
        mv: Move = reviewed.mv,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String> = reviewed.mark.map(|mark| mark.sign().to_string()),
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        why: Vec<Reason> = reviewed.reasons.clone(),
    }
    fn of(reviewed: &ReviewedMove);

    #[derive(Serialize, Deserialize)]
    struct KeptPosition {
        depth: u32 = studied.depth,
        nodes: u64 = studied.nodes,
        best: Vec<Move> = studied.line.clone(),
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String> = studied.tablebase.map(|result| result.name().to_string()),
    }
    fn of(studied: &AnalysedPosition);
}

impl KeptReview {
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
