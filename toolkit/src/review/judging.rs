//! What each move of a game cost, what it missed, and what the rules say about it.

use super::chance::Standing;
use super::opening::Opening;
use super::study::{Studied, Study};
use crate::record::Game;
use chuhe_engine::rules::{Reason, Rules, Verdict};
use chuhe_engine::tablebase::Answer;
use chuhe_engine::types::{Color, Move, Score, score};

/// From so much of the winning chance on a move is dubious, a mistake, a blunder.
pub const THRESHOLDS: [(f64, Mark); 3] =
    [(0.20, Mark::Blunder), (0.10, Mark::Mistake), (0.05, Mark::Dubious)];
/// Mates that everybody wants to see, in plies: missing one is dubious whatever it cost.
const SHORT_MATE: i32 = 5;
/// With less of a chance a game is lost.
const LOST: f64 = 0.05;
/// No score counts for more than this: beyond, a game is won anyway.
const ENOUGH: Score = 10 * score::MINOR;

/// What is to be thought of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Mark {
    /// `!`: the only good one.
    Good,
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, the best first.
    pub const ALL: [Mark; 4] = [Mark::Good, Mark::Dubious, Mark::Mistake, Mark::Blunder];

    /// As players write it.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Dubious => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Whether there was a better move.
    pub const fn is_bad(self) -> bool {
        !matches!(self, Mark::Good)
    }
}

/// Something that happened with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The mover could have mated in so many plies, and now cannot prove it.
    MissedMate(i32),
    /// Now the other side mates in so many plies, which could have been avoided.
    AllowedMate(i32),
    /// An endgame table knows that a won ending is won no longer.
    ThrewWin,
    /// An endgame table knows that a drawn ending is now lost.
    ThrewDraw,
    /// This position stands for the second, third … time.
    Repeated(usize),
    /// By the rules the game is over.
    Over(Verdict),
    /// From here on no position has a name.
    LeftBook,
    /// There was no other move.
    Forced,
}

/// A move of the game and what is to be said about it.
#[derive(Clone, Debug)]
pub struct Reviewed {
    pub mv: Move,
    pub side: Color,
    /// Its number, as games count: one for a move of each side.
    pub number: u32,
    /// How the mover stood before it, with the best play.
    pub before: Option<Standing>,
    /// How he stands after it.
    pub after: Option<Standing>,
    /// What was better, first move first; empty if nothing was.
    pub better: Vec<Move>,
    /// What to think of it.
    pub mark: Option<Mark>,
    /// What happened with it.
    pub events: Vec<Event>,
}

impl Reviewed {
    /// The part of the winning chance that it cost, 0 to 1.
    pub fn loss(&self) -> Option<f64> {
        let (before, after) = (self.before?, self.after?);
        Some(if self.better.is_empty() { 0.0 } else { (before.chance - after.chance).max(0.0) })
    }

    /// What it cost in hundredths of a minor piece; leads beyond ten of them count as ten.
    pub fn cost(&self) -> Option<Score> {
        let (before, after) = (self.before?, self.after?);
        let bounded = |standing: Standing| standing.score.clamp(-ENOUGH, ENOUGH);
        Some(if self.better.is_empty() {
            0
        } else {
            score::hundredths(bounded(before) - bounded(after)).max(0)
        })
    }
}

/// Looks at all moves of a game.
pub fn judge(game: &Game, rules: &Rules, study: &Study, opening: Option<&Opening>) -> Vec<Reviewed> {
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, node) in game.played().enumerate() {
        let mv = node.mv();
        let (side, number) = (position.side(), position.game_ply() / 2 + 1);
        let is_forced = position.legal_moves().len() == 1;
        position.make(mv);
        let (before, after) = (study.positions[index].as_ref(), study.positions[index + 1].as_ref());
        let mut reviewed = Reviewed {
            mv,
            side,
            number,
            before: before.map(|studied| studied.standing),
            after: after.map(|studied| studied.standing.turned()),
            better: better(mv, before),
            mark: None,
            events: Vec::new(),
        };
        if let (Some(before), Some(after)) = (before, after) {
            missed(&mut reviewed, before, after);
            reviewed.mark = mark(&reviewed, before);
        }
        if is_forced {
            reviewed.events.push(Event::Forced);
        }
        let repeated = position.occurrences();
        if repeated > 1 {
            reviewed.events.push(Event::Repeated(repeated));
        }
        let verdict = rules.judge(&position);
        if verdict.reason != Reason::Ongoing {
            reviewed.events.push(Event::Over(verdict));
        }
        if opening.is_some_and(|opening| opening.left.plies == index) {
            reviewed.events.push(Event::LeftBook);
        }
        moves.push(reviewed);
    }
    moves
}

/// The best line of a position, unless it begins with the move that was played.
fn better(played: Move, before: Option<&Studied>) -> Vec<Move> {
    let line = before.map(|studied| studied.line.clone()).unwrap_or_default();
    if line.first() == Some(&played) { Vec::new() } else { line }
}

/// Mates and endings that the move gave away.
fn missed(reviewed: &mut Reviewed, before: &Studied, after: &Studied) {
    if reviewed.better.is_empty() {
        return;
    }
    let ours = score::mate_plies(before.standing.score).filter(|plies| *plies > 0);
    let theirs = score::mate_plies(after.standing.score).filter(|plies| *plies > 0);
    let still_mates = score::is_mate(after.standing.score) && after.standing.score < 0;
    if let Some(plies) = ours.filter(|_| !still_mates) {
        reviewed.events.push(Event::MissedMate(plies));
    }
    // Who is lost anyway is mated sooner or later.
    if let Some(plies) = theirs.filter(|_| reviewed.before.is_some_and(|before| before.chance >= LOST)) {
        reviewed.events.push(Event::AllowedMate(plies));
    }
    let wins = |answer: Option<Answer>| matches!(answer, Some(Answer::Win(_)));
    let loses = |answer: Option<Answer>| matches!(answer, Some(Answer::Loss(_)));
    if wins(before.table) && after.table.is_some() && !loses(after.table) {
        reviewed.events.push(Event::ThrewWin);
    } else if before.table == Some(Answer::Draw) && wins(after.table) {
        reviewed.events.push(Event::ThrewDraw);
    }
}

fn mark(reviewed: &Reviewed, before: &Studied) -> Option<Mark> {
    if reviewed.better.is_empty() {
        return before.only_good.then_some(Mark::Good);
    }
    let loss = reviewed.loss()?;
    let by_loss = THRESHOLDS.iter().find(|(least, _)| loss >= *least).map(|(_, mark)| *mark);
    let overlooked = |event: &Event| matches!(event, Event::MissedMate(plies) if *plies <= SHORT_MATE);
    by_loss.or_else(|| reviewed.events.iter().any(overlooked).then_some(Mark::Dubious))
}
