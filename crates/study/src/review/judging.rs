//! Judges the moves of a game: their cost, missed chances, and events by the rules.

use super::OpeningInfo;
use super::assessment::Assessment;
use super::game_analysis::{AnalysedPosition, GameAnalysis};
use crate::named_verdict::NamedVerdict;
use crate::reasons;
use chuhe_engine::score::{self, Score};
use chuhe_engine::tablebase::ProbeResult;
use xiangqi::{Color, Move, Reason, Rules};
use xiangqi_record::Game;

/// The loss of expected result at which the accuracy of a move drops to 1/e = 37 %.
const ACCURACY_SCALE: f64 = 0.22;
/// The loss of expected result from which a move is a blunder, a mistake or dubious.
pub const LOSS_THRESHOLDS: [(f64, MoveQuality); 3] =
    [(0.20, MoveQuality::Blunder), (0.10, MoveQuality::Mistake), (0.05, MoveQuality::Dubious)];
/// Mates within this many plies are short: missing one is dubious whatever it cost.
const SHORT_MATE_PLIES: i32 = 5;
/// Below this chance a position counts as lost.
const LOST_CHANCE: f64 = 0.05;
/// Scores are capped at this value, beyond which a game is won anyway.
const SCORE_CAP: Score = 10 * score::MINOR;

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveQuality {
    /// `!`: the only good move.
    Good,
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl MoveQuality {
    /// All qualities, the best first.
    pub const ALL: [MoveQuality; 4] =
        [MoveQuality::Good, MoveQuality::Dubious, MoveQuality::Mistake, MoveQuality::Blunder];

    /// The usual sign.
    pub const fn sign(self) -> &'static str {
        match self {
            MoveQuality::Good => "!",
            MoveQuality::Dubious => "?!",
            MoveQuality::Mistake => "?",
            MoveQuality::Blunder => "??",
        }
    }

    /// Whether a better move existed.
    pub const fn is_bad(self) -> bool {
        !matches!(self, MoveQuality::Good)
    }
}

/// An event of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveEvent {
    /// The mover had a mate in this many plies and no longer has one.
    MissedMate(i32),
    /// The opponent now mates in this many plies, which was avoidable.
    AllowedMate(i32),
    /// By the tablebase, a won ending is no longer won.
    MissedTablebaseWin,
    /// By the tablebase, a drawn ending is now lost.
    MissedTablebaseDraw,
    /// The position occurs for the second, third … time.
    Repeated(usize),
    /// The game is over by the rules.
    GameOver(NamedVerdict),
    /// The first position without a name.
    LeftBook,
    /// The only legal move.
    OnlyLegalMove,
}

/// A move of the game with its review.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    pub mv: Move,
    pub side: Color,
    /// The full move number.
    pub number: u32,
    /// The mover's assessment before the move, with best play.
    pub before: Option<Assessment>,
    /// The mover's assessment after the move.
    pub after: Option<Assessment>,
    /// The better line; empty if there is none.
    pub better_line: Vec<Move>,
    pub mark: Option<MoveQuality>,
    pub events: Vec<MoveEvent>,
    /// Why it was a mistake, as far as that was looked for and can be proven.
    pub reasons: Vec<reasons::Reason>,
}

impl ReviewedMove {
    /// The loss of expected result, 0 to 1.
    pub fn loss(&self) -> Option<f64> {
        Some(move_loss(self.before?, self.after?, self.better_line.is_empty()))
    }

    /// The accuracy of the move: 100 without loss.
    pub fn accuracy(&self) -> Option<f64> {
        self.loss().map(|loss| 100.0 * (-loss / ACCURACY_SCALE).exp())
    }

    /// The loss in hundredths of a minor piece; scores are capped at ten pieces.
    pub fn cost(&self) -> Option<Score> {
        let (before, after) = (self.before?, self.after?);
        let bounded = |standing: Assessment| standing.score.clamp(-SCORE_CAP, SCORE_CAP);
        Some(if self.better_line.is_empty() { 0 } else { score::hundredths(bounded(before) - bounded(after)).max(0) })
    }
}

/// The loss of expected result by a move, 0 to 1: of the mover's assessments before and after it.
pub fn move_loss(before: Assessment, after: Assessment, is_best: bool) -> f64 {
    if is_best { 0.0 } else { (before.chance - after.chance).max(0.0) }
}

/// Judges all moves of a game.
pub fn judge_moves(
    game: &Game,
    rules: &Rules,
    analysis: &GameAnalysis,
    opening: Option<&OpeningInfo>,
) -> Vec<ReviewedMove> {
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, mv) in game.moves().enumerate() {
        let (side, number) = (position.side(), position.game_ply() / 2 + 1);
        let is_forced = position.legal_moves().len() == 1;
        position.play_unchecked(mv);
        let (before, after) = (analysis.positions[index].as_ref(), analysis.positions[index + 1].as_ref());
        let mut reviewed = ReviewedMove {
            mv,
            side,
            number,
            before: before.map(|studied| studied.standing),
            after: after.map(|studied| studied.standing.opposite()),
            better_line: better(mv, before),
            mark: None,
            events: Vec::new(),
            reasons: Vec::new(),
        };
        if let (Some(before), Some(after)) = (before, after) {
            find_missed_chances(&mut reviewed, before, after);
            reviewed.mark = move_quality(&reviewed, before);
        }
        if is_forced {
            reviewed.events.push(MoveEvent::OnlyLegalMove);
        }
        let repeated = position.occurrence_count();
        if repeated > 1 {
            reviewed.events.push(MoveEvent::Repeated(repeated));
        }
        let verdict = rules.judge(&position);
        if verdict.reason != Reason::Ongoing {
            reviewed.events.push(MoveEvent::GameOver(NamedVerdict::new(verdict, &position)));
        }
        if opening.is_some_and(|opening| opening.plies == index) {
            reviewed.events.push(MoveEvent::LeftBook);
        }
        moves.push(reviewed);
    }
    moves
}

/// The best line of a position, unless it begins with the move played.
fn better(played: Move, before: Option<&AnalysedPosition>) -> Vec<Move> {
    let line = before.map(|studied| studied.line.clone()).unwrap_or_default();
    if line.first() == Some(&played) { Vec::new() } else { line }
}

/// Adds missed mates and tablebase results.
fn find_missed_chances(reviewed: &mut ReviewedMove, before: &AnalysedPosition, after: &AnalysedPosition) {
    if reviewed.better_line.is_empty() {
        return;
    }
    let ours = score::mate_plies(before.standing.score).filter(|plies| *plies > 0);
    let theirs = score::mate_plies(after.standing.score).filter(|plies| *plies > 0);
    let still_mates = score::is_mate(after.standing.score) && after.standing.score < 0;
    if let Some(plies) = ours.filter(|_| !still_mates) {
        reviewed.events.push(MoveEvent::MissedMate(plies));
    }
    // A lost side will be mated anyway.
    if let Some(plies) = theirs.filter(|_| reviewed.before.is_some_and(|before| before.chance >= LOST_CHANCE)) {
        reviewed.events.push(MoveEvent::AllowedMate(plies));
    }
    let wins = |answer: Option<ProbeResult>| matches!(answer, Some(ProbeResult::Win(_)));
    let loses = |answer: Option<ProbeResult>| matches!(answer, Some(ProbeResult::Loss(_)));
    if wins(before.tablebase) && after.tablebase.is_some() && !loses(after.tablebase) {
        reviewed.events.push(MoveEvent::MissedTablebaseWin);
    } else if before.tablebase == Some(ProbeResult::Draw) && wins(after.tablebase) {
        reviewed.events.push(MoveEvent::MissedTablebaseDraw);
    }
}

fn move_quality(reviewed: &ReviewedMove, before: &AnalysedPosition) -> Option<MoveQuality> {
    if reviewed.better_line.is_empty() {
        return before.is_only_good_move.then_some(MoveQuality::Good);
    }
    let loss = reviewed.loss()?;
    let by_loss = LOSS_THRESHOLDS.iter().find(|(least, _)| loss >= *least).map(|(_, mark)| *mark);
    let overlooked = |event: &MoveEvent| matches!(event, MoveEvent::MissedMate(plies) if *plies <= SHORT_MATE_PLIES);
    by_loss.or_else(|| reviewed.events.iter().any(overlooked).then_some(MoveQuality::Dubious))
}
