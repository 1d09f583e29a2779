//! What each move of a game cost, what it missed, and what the rules say about it.

use super::OpeningInfo;
use super::assessment::Assessment;
use super::game_analysis::{AnalysedPosition, GameAnalysis};
use crate::record::Game;
use chuhe_engine::rules::{Reason, Rules, Verdict};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_engine::types::{Color, Move, Score, score};

/// From so much of the winning chance on a move is dubious, a mistake, a blunder.
pub const LOSS_THRESHOLDS: [(f64, MoveQuality); 3] =
    [(0.20, MoveQuality::Blunder), (0.10, MoveQuality::Mistake), (0.05, MoveQuality::Dubious)];
/// Mates that everybody wants to see, in plies: missing one is dubious whatever it cost.
const SHORT_MATE_PLIES: i32 = 5;
/// With less of a chance a game is lost.
const LOST_CHANCE: f64 = 0.05;
/// No score counts for more than this: beyond, a game is won anyway.
const SCORE_CAP: Score = 10 * score::MINOR;

/// What is to be thought of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveQuality {
    /// `!`: the only good one.
    Good,
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl MoveQuality {
    /// All of them, the best first.
    pub const ALL: [MoveQuality; 4] =
        [MoveQuality::Good, MoveQuality::Dubious, MoveQuality::Mistake, MoveQuality::Blunder];

    /// As players write it.
    pub const fn sign(self) -> &'static str {
        match self {
            MoveQuality::Good => "!",
            MoveQuality::Dubious => "?!",
            MoveQuality::Mistake => "?",
            MoveQuality::Blunder => "??",
        }
    }

    /// Whether there was a better move.
    pub const fn is_bad(self) -> bool {
        !matches!(self, MoveQuality::Good)
    }
}

/// Something that happened with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveEvent {
    /// The mover could have mated in so many plies, and now cannot prove it.
    MissedMate(i32),
    /// Now the other side mates in so many plies, which could have been avoided.
    AllowedMate(i32),
    /// An endgame table knows that a won ending is won no longer.
    MissedTablebaseWin,
    /// An endgame table knows that a drawn ending is now lost.
    MissedTablebaseDraw,
    /// This position stands for the second, third … time.
    Repeated(usize),
    /// By the rules the game is over.
    GameOver(Verdict),
    /// From here on no position has a name.
    LeftBook,
    /// There was no other move.
    OnlyLegalMove,
}

/// A move of the game and what is to be said about it.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    pub mv: Move,
    pub side: Color,
    /// Its number, as games count: one for a move of each side.
    pub number: u32,
    /// How the mover stood before it, with the best play.
    pub before: Option<Assessment>,
    /// How he stands after it.
    pub after: Option<Assessment>,
    /// What was better, first move first; empty if nothing was.
    pub better_line: Vec<Move>,
    /// What to think of it.
    pub mark: Option<MoveQuality>,
    /// What happened with it.
    pub events: Vec<MoveEvent>,
}

impl ReviewedMove {
    /// The part of the winning chance that it cost, 0 to 1.
    pub fn loss(&self) -> Option<f64> {
        let (before, after) = (self.before?, self.after?);
        Some(if self.better_line.is_empty() { 0.0 } else { (before.chance - after.chance).max(0.0) })
    }

    /// What it cost in hundredths of a minor piece; leads beyond ten of them count as ten.
    pub fn cost(&self) -> Option<Score> {
        let (before, after) = (self.before?, self.after?);
        let bounded = |standing: Assessment| standing.score.clamp(-SCORE_CAP, SCORE_CAP);
        Some(if self.better_line.is_empty() { 0 } else { score::hundredths(bounded(before) - bounded(after)).max(0) })
    }
}

/// Looks at all moves of a game.
pub fn judge_moves(
    game: &Game,
    rules: &Rules,
    study: &GameAnalysis,
    opening: Option<&OpeningInfo>,
) -> Vec<ReviewedMove> {
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, node) in game.main_line_nodes().enumerate() {
        let mv = node.mv();
        let (side, number) = (position.side(), position.game_ply() / 2 + 1);
        let is_forced = position.legal_moves().len() == 1;
        position.make_unchecked(mv);
        let (before, after) = (study.positions[index].as_ref(), study.positions[index + 1].as_ref());
        let mut reviewed = ReviewedMove {
            mv,
            side,
            number,
            before: before.map(|studied| studied.standing),
            after: after.map(|studied| studied.standing.opposite()),
            better_line: better(mv, before),
            mark: None,
            events: Vec::new(),
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
            reviewed.events.push(MoveEvent::GameOver(verdict));
        }
        if opening.is_some_and(|opening| opening.exit.plies == index) {
            reviewed.events.push(MoveEvent::LeftBook);
        }
        moves.push(reviewed);
    }
    moves
}

/// The best line of a position, unless it begins with the move that was played.
fn better(played: Move, before: Option<&AnalysedPosition>) -> Vec<Move> {
    let line = before.map(|studied| studied.line.clone()).unwrap_or_default();
    if line.first() == Some(&played) { Vec::new() } else { line }
}

/// Mates and endings that the move gave away.
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
    // Who is lost anyway is mated sooner or later.
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
