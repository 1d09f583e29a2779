//! A review that is built again from its game and from what was kept of it as JSON, without a search.

use super::assessment::Assessment;
use super::game_analysis::{AnalysedPosition, GameAnalysis};
use super::judging::{MoveQuality, move_loss};
use super::{Review, ReviewDocument, document};
use crate::reasons::Reason;
use chuhe_engine::score::Score;
use chuhe_engine::tablebase::ProbeResult;
use serde::{Deserialize, Serialize};
use xiangqi::{Move, Position, Rules};
use xiangqi_record::Game;

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
    mv: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    why: Vec<Reason>,
}

#[derive(Serialize, Deserialize)]
struct KeptPosition {
    depth: u32,
    nodes: u64,
    best: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<String>,
}

impl KeptReview {
    /// What is to be kept of a complete review, a fifth of its document.
    pub fn of(review: &Review) -> KeptReview {
        let studied = || review.positions.iter().flatten();
        let moves = review.moves.iter().map(|reviewed| KeptMove {
            mv: reviewed.mv.to_string(),
            mark: reviewed.mark.map(|mark| mark.sign().to_string()),
            why: reviewed.reasons.clone(),
        });
        let positions = studied().map(|studied| KeptPosition {
            depth: studied.depth,
            nodes: studied.nodes,
            best: studied.line.iter().map(ToString::to_string).collect(),
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
        self.start == game.start().fen()
            && self.moves.iter().map(|kept| kept.mv.clone()).eq(game.moves().map(|mv| mv.to_string()))
    }

    /// What each move has lost, in the order of the moves, with the position before it; fewer if something is damaged.
    pub fn each_loss(&self, take: &mut dyn FnMut(&Position, Move, f64)) {
        let Ok(mut position) = Position::from_fen(&self.start) else { return };
        let scores = self.search_scores.windows(2);
        for ((kept, studied), scores) in self.moves.iter().zip(&self.positions).zip(scores) {
            let Ok(mv) = kept.mv.parse::<Move>() else { return };
            let before = Assessment::of(scores[0], &position);
            let here = position.without_history();
            if position.play(mv).is_err() {
                return;
            }
            let after = Assessment::of(scores[1], &position).opposite();
            take(&here, mv, move_loss(before, after, studied.best.first() == Some(&kept.mv)));
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
                line: kept.best.iter().map(|mv| mv.parse().ok()).collect::<Option<_>>()?,
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
