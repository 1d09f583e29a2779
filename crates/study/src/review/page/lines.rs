//! The data of the page's script: the game and all lines that can be stepped through.

use crate::html_page::json;
use crate::review::game_analysis::AnalysedPosition;
use crate::review::json::round_to;
use crate::review::{MoveQuality, Review};
use serde::Serialize;
use xiangqi::Move;
use xiangqi_record::{Game, NodeId};

/// The maximum number of moves of a line.
const MAX_LINE_MOVES: usize = 16;

/// The source of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineSource {
    /// The engine: better than the move played.
    Better,
    /// The engine: the best continuation after a move of the game.
    Continuation,
    /// A recorded variation.
    Recorded,
}

/// A line beside the game.
pub struct SideLine {
    /// The ply at which it begins.
    pub from: usize,
    /// The move of the game at which it is shown.
    pub offered_at: usize,
    pub source: LineSource,
    pub moves: Vec<Move>,
}

/// All lines of a page, in the order of their numbers, which begin with 1 (0 is the game).
pub fn side_lines(review: &Review) -> Vec<SideLine> {
    let mut lines = Vec::new();
    let played: Vec<NodeId> = review.game.main_line().collect();
    for (index, reviewed) in review.moves.iter().enumerate() {
        let mut add = |from: usize, source: LineSource, moves: &[Move]| {
            if !moves.is_empty() {
                let moves = moves.iter().take(MAX_LINE_MOVES).copied().collect();
                lines.push(SideLine { from, offered_at: index + 1, source, moves });
            }
        };
        if reviewed.mark.is_some_and(MoveQuality::is_bad) {
            add(index, LineSource::Better, &reviewed.better_line);
        }
        if let Some(next) = &review.positions[index + 1] {
            add(index + 1, LineSource::Continuation, &next.line);
        }
        let parent = review.game[played[index]].parent();
        for &other in review.game[parent].children().iter().skip(1) {
            add(index, LineSource::Recorded, &first_line(&review.game, other));
        }
    }
    lines
}

/// A move and its main continuation.
fn first_line(game: &Game, id: NodeId) -> Vec<Move> {
    let nodes = std::iter::successors(Some(id), |&id| game[id].children().first().copied());
    nodes.filter_map(|id| game[id].mv()).collect()
}

#[derive(Serialize)]
struct Script<'a> {
    start: String,
    /// Red's chance at each position.
    chances: Vec<Option<f64>>,
    /// The best move of each position.
    best: Vec<Option<String>>,
    /// The plies of the bad moves.
    bad: Vec<usize>,
    lines: Vec<ScriptLine<'a>>,
}

#[derive(Serialize)]
struct ScriptLine<'a> {
    from: usize,
    #[serde(serialize_with = "written")]
    moves: &'a [Move],
}

fn written<S: serde::Serializer>(moves: &&[Move], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(moves.iter().map(ToString::to_string))
}

/// The data as a JavaScript object that cannot close its script element.
pub fn script(review: &Review, beside: &[SideLine]) -> String {
    let played: Vec<Move> = review.moves.iter().map(|reviewed| reviewed.mv).collect();
    let game = ScriptLine { from: 0, moves: &played };
    let beside = beside.iter().map(|line| ScriptLine { from: line.from, moves: &line.moves });
    let chance = |studied: &Option<AnalysedPosition>| Some(round_to(studied.as_ref()?.for_red().chance, 1000.0));
    let bad = review.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.mark.is_some_and(MoveQuality::is_bad));
    let script = Script {
        start: review.game.start().fen(),
        chances: review.positions.iter().map(chance).collect(),
        best: review.positions.iter().map(|studied| Some(studied.as_ref()?.line.first()?.to_string())).collect(),
        bad: bad.map(|(index, _)| index + 1).collect(),
        lines: std::iter::once(game).chain(beside).collect(),
    };
    json(&script)
}
