//! Searches every position of a game, the last one first, so that the hash table holds the later positions when an
//! earlier one is searched. An assessment of a position is its score and expected result.

pub use chuhe_engine::nnue::win_rate::expected_score;

use chuhe_engine::score::{self, Score};
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::with_values;
use xiangqi::{Color, Ending, Move, Position, Reason, Rules, Verdict};
use xiangqi_record::Game;

/// An assessment from one side's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Assessment {
    /// The score of the search.
    pub score: Score,
    /// The expected result, from 0 to 1.
    pub chance: f64,
}

impl Assessment {
    /// The assessment for the side to move with this score.
    pub fn of(score: Score, position: &Position) -> Assessment {
        Assessment { score, chance: expected_score(score, position) }
    }

    /// The same for the other side.
    pub fn opposite(self) -> Assessment {
        Assessment { score: -self.score, chance: 1.0 - self.chance }
    }

    /// Converts between this side's view and red's.
    pub fn from_red(self, side: Color) -> Assessment {
        if side == Color::Red { self } else { self.opposite() }
    }
}

/// An only good move must be better than all others by this margin, with at least this chance for its side.
const ONLY_MOVE_MARGIN: f64 = 0.10;
const ONLY_MOVE_MIN_CHANCE: f64 = 0.25;
/// The other moves are searched with this fraction of the nodes of the best move.
const SECOND_MOVE_NODES_DIVISOR: u64 = 20;

with_values! {
    /// The analysis of a position.
    #[derive(Clone, PartialEq, Debug)]
    pub struct AnalysedPosition {
        pub side: Color = position.side(),
        /// The assessment for the side to move.
        pub standing: Assessment = Assessment::of(score::DRAW, position),
        pub depth: u32 = 0,
        pub nodes: u64 = 0,
        /// The principal variation; empty if the game is over.
        pub line: Vec<Move> = Vec::new(),
        /// The tablebase result for the side to move.
        pub tablebase: Option<ProbeResult> = searcher.tablebase.as_ref().and_then(|registry| registry.probe(position)),
        /// The verdict of the rules.
        pub verdict: Verdict = searcher.options.rules.judge(position),
        /// The best move was played, and every other move is much worse.
        pub is_only_good_move: bool = false,
    }
    /// What is known of a position before it is searched.
    fn unsearched(position: &Position, searcher: &Searcher);
}

impl AnalysedPosition {
    /// The assessment for red.
    pub fn for_red(&self) -> Assessment {
        self.standing.from_red(self.side)
    }
}

/// The analysis of a game.
#[derive(Default)]
pub struct GameAnalysis {
    /// The positions in order, from the start.
    pub positions: Vec<Option<AnalysedPosition>>,
}

impl GameAnalysis {
    /// The analysis of a game that has not begun.
    pub fn new(game: &Game) -> GameAnalysis {
        GameAnalysis { positions: vec![None; game.main_line_nodes().count() + 1] }
    }

    /// Searches the positions that are not done, and tells how many of how many are. False if the control has stopped it; it
    /// can go on later.
    pub fn go_on(
        &mut self,
        game: &Game,
        searcher: &mut Searcher,
        limits: &Limits,
        control: &Control,
        progress: &mut dyn FnMut(usize, usize),
    ) -> bool {
        let played: Vec<Move> = game.moves().collect();
        let total = played.len() + 1;
        let mut position = game.start().after(&played);
        progress(self.positions.iter().flatten().count(), total);
        for index in (0..total).rev() {
            if self.positions[index].is_none() {
                let found = analyse_position(&position, played.get(index).copied(), searcher, limits, control);
                if control.stopped() {
                    return false;
                }
                self.positions[index] = Some(found);
                progress(total - index, total);
            }
            if index > 0 {
                position.undo();
            }
        }
        true
    }
}

/// Searches a game. If the control stops it, returns the positions done so far.
pub fn analyse_game(
    game: &Game,
    searcher: &mut Searcher,
    limits: &Limits,
    control: &Control,
    progress: &mut dyn FnMut(usize, usize),
) -> GameAnalysis {
    let mut analysis = GameAnalysis::new(game);
    analysis.go_on(game, searcher, limits, control, progress);
    analysis
}

/// Analyses one position, from which `played` was played.
fn analyse_position(
    position: &Position,
    played: Option<Move>,
    searcher: &mut Searcher,
    limits: &Limits,
    control: &Control,
) -> AnalysedPosition {
    let rules = searcher.options.rules;
    let mut analysed = AnalysedPosition::unsearched(position, searcher);
    // A game that continued after a repetition ended it is searched as it was played.
    if let Some(ending) = analysed.verdict.ending
        && (played.is_none() || !position.has_legal_move())
    {
        analysed.standing = Assessment::of(final_score(ending, analysed.verdict.reason, position.side()), position);
        return analysed;
    }
    let outcome = searcher.search(position, limits, control, &mut NoReporter);
    analysed.standing = Assessment::of(outcome.score, position);
    analysed.depth = outcome.depth;
    analysed.nodes = outcome.nodes;
    analysed.line = cut_at_game_end(position, &outcome.pv, &rules);
    if outcome.best_move.is_some() && outcome.best_move == played {
        analysed.is_only_good_move =
            is_only_good_move(position, &outcome.pv, outcome.score, outcome.nodes, searcher, control);
    }
    analysed
}

/// The score of a finished game.
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
pub(crate) fn cut_at_game_end(position: &Position, line: &[Move], rules: &Rules) -> Vec<Move> {
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

/// Whether a move is much better than all others, and neither forced nor an obvious recapture.
fn is_only_good_move(
    position: &Position,
    line: &[Move],
    score: Score,
    nodes: u64,
    searcher: &mut Searcher,
    control: &Control,
) -> bool {
    let Some(&best) = line.first() else { return false };
    let takes_back =
        position.last_captured().is_some() && position.last_move().is_some_and(|last| last.to() == best.to());
    if takes_back || position.legal_moves().len() < 2 || expected_score(score, position) < ONLY_MOVE_MIN_CHANCE {
        return false;
    }
    let limits = Limits { excluded_moves: vec![best], ..Limits::nodes(nodes / SECOND_MOVE_NODES_DIVISOR + 1) };
    let other = searcher.search(position, &limits, control, &mut NoReporter);
    expected_score(score, position) - expected_score(other.score, position) >= ONLY_MOVE_MARGIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::score;

    #[test]
    fn chances_increase_with_the_score_and_add_up_to_one() {
        let ending = Position::from_fen("3ak4/4a4/9/9/4p4/9/9/4C4/9/3AK4 w").expect("a position");
        for position in [Position::start(), ending] {
            let chance = |value| expected_score(value, &position);
            let mut last = 0.0;
            for value in (-12_000..=12_000).step_by(10) {
                let now = chance(value);
                assert!(now >= last && (chance(-value) + now - 1.0).abs() < 1e-9, "{value}");
                last = now;
            }
            assert_eq!((chance(0), chance(score::mate_in(9)), chance(score::mated_in(9))), (0.5, 1.0, 0.0));
        }
    }
}
