//! Whether a move that was tried is right: by the card where it says so, by the rules and the endgame tables where they are
//! exact, and else by a search.

use super::card::Card;
use crate::review::{Assessment, cut_at_game_end, final_score};
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use thiserror::Error;
use xiangqi::{IllegalMove, Move, Position, Rules};

/// A move that loses less than this against the best one is right.
pub const RIGHT_LOSS: f64 = 0.04;

/// What is to be said of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub is_right: bool,
    pub is_best: bool,
    /// What it loses of the expected result against the best move.
    pub lost: f64,
    /// What follows it, from the opponent's reply on.
    pub reply: Vec<Move>,
}

/// Why a move cannot be judged.
#[derive(Debug, Error)]
pub enum TrialError {
    #[error("{}", tr!("The position of this exercise is damaged."))]
    BadCard,
    #[error("{}", .0.localized())]
    IllegalMove(#[from] IllegalMove),
}

/// Judges a move with so many nodes a position; nothing if it is stopped.
pub fn judge(
    card: &Card,
    mv: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Result<Option<Trial>, TrialError> {
    let before = card.position().ok_or(TrialError::BadCard)?;
    let mut after = before.clone();
    after.play(mv)?;
    if card.best() == Some(mv) {
        return Ok(Some(Trial { is_right: true, is_best: true, lost: 0.0, reply: card.line[1..].to_vec() }));
    }
    if card.played == Some(mv) {
        let reply = card.refutation.clone();
        return Ok(Some(Trial { is_right: false, is_best: false, lost: card.lost, reply }));
    }
    let rules = Rules::new(card.rules);
    searcher.options.rules = rules;
    let mut judge = Judge { searcher, limits: Limits::nodes(nodes), rules, control };
    let Some((chance, reply)) = judge.after(&after) else { return Ok(None) };
    let lost = match judge.table_chance(&before) {
        Some(best) => best - chance,
        None => match card.best() {
            // What the review has found counts as long as another search does not find less.
            Some(_) if card.chance - chance < RIGHT_LOSS => card.chance - chance,
            Some(best) => {
                let mut next = before.clone();
                next.play(best)?;
                let Some((best, _)) = judge.after(&next) else { return Ok(None) };
                best.min(card.chance) - chance
            }
            None => match judge.search(&before) {
                Some((standing, _)) => standing.chance - chance,
                None => return Ok(None),
            },
        },
    };
    Ok(Some(Trial { is_right: lost < RIGHT_LOSS, is_best: false, lost: lost.max(0.0), reply }))
}

struct Judge<'a> {
    searcher: &'a mut Searcher,
    limits: Limits,
    rules: Rules,
    control: &'a Control,
}

impl Judge<'_> {
    /// The chance of the side that has moved, and what follows.
    fn after(&mut self, position: &Position) -> Option<(f64, Vec<Move>)> {
        let verdict = self.rules.judge(position);
        if let Some(ending) = verdict.ending {
            let score = final_score(ending, verdict.reason, position.side());
            return Some((Assessment::of(score, position).opposite().chance, Vec::new()));
        }
        let table = self.table_chance(position);
        let (standing, line) = self.search(position)?;
        Some((1.0 - table.unwrap_or(standing.chance), line))
    }

    /// The chance of the side to move, if the endgame tables know it.
    fn table_chance(&self, position: &Position) -> Option<f64> {
        match self.searcher.tablebase.as_ref()?.probe(position)? {
            ProbeResult::Win(_) => Some(1.0),
            ProbeResult::Draw => Some(0.5),
            ProbeResult::Loss(_) => Some(0.0),
            ProbeResult::Doubtful => None,
        }
    }

    fn search(&mut self, position: &Position) -> Option<(Assessment, Vec<Move>)> {
        let found = self.searcher.search(position, &self.limits, self.control, &mut NoReporter);
        let line = cut_at_game_end(position, &found.pv, &self.rules);
        (!self.control.stopped()).then(|| (Assessment::of(found.score, position), line))
    }
}
