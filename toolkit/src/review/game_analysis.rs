//! The search of every position of a game, the last one first: what is found about it stands in the hash table when the
//! position before is searched.

use super::assessment::{Assessment, expected_score};
use crate::record::Game;
use chuhe_engine::board::Position;
use chuhe_engine::rules::{Ending, Reason, Rules, Verdict};
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_engine::types::{Color, Move, Score, score};

/// By how much a move must be better than all others to be worth a word, and how well its side must stand.
const ONLY_MOVE_MARGIN: f64 = 0.10;
const ONLY_MOVE_MIN_CHANCE: f64 = 0.25;
/// The others are looked at with this part of what the best move took.
const SECOND_MOVE_NODES_DIVISOR: u64 = 20;

/// What is known about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedPosition {
    /// Who is to move.
    pub side: Color,
    /// How it stands for that side.
    pub standing: Assessment,
    /// Depth of the search.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// What an endgame table says, for the side to move.
    pub tablebase: Option<ProbeResult>,
    /// What the judge says.
    pub verdict: Verdict,
    /// The best move was played, and every other move is much worse.
    pub is_only_good_move: bool,
}

impl AnalysedPosition {
    /// How it stands for red.
    pub fn for_red(&self) -> Assessment {
        self.standing.from_red(self.side)
    }
}

/// What was found about a game.
pub struct GameAnalysis {
    /// Its positions, the beginning first.
    pub positions: Vec<Option<AnalysedPosition>>,
}

/// How much each position is searched.
#[derive(Clone, Debug)]
pub struct AnalysisLimits {
    pub limits: Limits,
}

/// Whoever wants to know how far it is.
pub trait AnalysisObserver {
    /// So many positions of so many are done.
    fn progress(&mut self, done: usize, total: usize);
}

/// Searches a game. Stopped by its control it returns what is done.
pub fn analyse_game(
    game: &Game,
    searcher: &mut Searcher,
    measure: &AnalysisLimits,
    control: &Control,
    observer: &mut dyn AnalysisObserver,
) -> GameAnalysis {
    let played: Vec<Move> = game.main_line_nodes().map(|node| node.mv()).collect();
    let total = played.len() + 1;
    let mut position = game.start().clone();
    played.iter().for_each(|&mv| position.make_unchecked(mv));
    let mut positions: Vec<Option<AnalysedPosition>> = vec![None; total];
    observer.progress(0, total);
    for index in (0..total).rev() {
        let found = analyse_position(&position, played.get(index).copied(), searcher, measure, control);
        if control.stopped() {
            break;
        }
        positions[index] = Some(found);
        observer.progress(total - index, total);
        if index > 0 {
            position.unmake();
        }
    }
    GameAnalysis { positions }
}

/// Looks at one position, from which this move was played.
fn analyse_position(
    position: &Position,
    played: Option<Move>,
    searcher: &mut Searcher,
    measure: &AnalysisLimits,
    control: &Control,
) -> AnalysedPosition {
    let rules = searcher.options.rules;
    let mut studied = AnalysedPosition {
        side: position.side(),
        standing: Assessment::of(score::DRAW, position),
        depth: 0,
        nodes: 0,
        line: Vec::new(),
        tablebase: searcher.tablebase.as_ref().and_then(|shelf| shelf.probe(position)),
        verdict: rules.judge(position),
        is_only_good_move: false,
    };
    // A game that went on after it was over by repetition is looked at as it was played.
    if let Some(ending) = studied.verdict.ending
        && (played.is_none() || !position.has_legal_move())
    {
        studied.standing = Assessment::of(final_score(ending, studied.verdict.reason, position.side()), position);
        return studied;
    }
    let outcome = searcher.search(position, &measure.limits, control, &mut NoReporter);
    studied.standing = Assessment::of(outcome.score, position);
    studied.depth = outcome.depth;
    studied.nodes = outcome.nodes;
    studied.line = cut_at_game_end(position, &outcome.pv, &rules);
    if outcome.best_move.is_some() && outcome.best_move == played {
        studied.is_only_good_move =
            is_only_good_move(position, &outcome.pv, outcome.score, outcome.nodes, searcher, control);
    }
    studied
}

/// The score of a game that is over.
pub fn final_score(ending: Ending, reason: Reason, side: Color) -> Score {
    match ending {
        Ending::Draw => score::DRAW,
        Ending::Loss(loser) => {
            let lost = match reason {
                Reason::Mate | Reason::Stalemate => score::mated_in(0),
                _ => score::rule_loss_in(0),
            };
            if loser == side { lost } else { -lost }
        }
    }
}

/// The moves of a line up to the end of the game.
fn cut_at_game_end(position: &Position, line: &[Move], rules: &Rules) -> Vec<Move> {
    let mut position = position.clone();
    let mut kept = Vec::new();
    for &mv in line {
        if position.play(mv).is_err() {
            break;
        }
        kept.push(mv);
        if rules.judge(&position).ending.is_some() {
            break;
        }
    }
    kept
}

/// Whether a move is much better than all others, and neither forced nor the obvious taking back.
fn is_only_good_move(
    position: &Position,
    line: &[Move],
    score: Score,
    nodes: u64,
    searcher: &mut Searcher,
    control: &Control,
) -> bool {
    let Some(&best) = line.first() else { return false };
    let takes_back = position.last_captured().is_piece() && position.last_move().to() == best.to();
    if takes_back || position.legal_moves().len() < 2 || expected_score(score, position) < ONLY_MOVE_MIN_CHANCE {
        return false;
    }
    let limits = Limits { excluded_moves: vec![best], ..Limits::nodes(nodes / SECOND_MOVE_NODES_DIVISOR + 1) };
    let other = searcher.search(position, &limits, control, &mut NoReporter);
    expected_score(score, position) - expected_score(other.score, position) >= ONLY_MOVE_MARGIN
}
