//! What a line of moves comes to by the rules: the judge's word where it ends the game, and what he would say if a
//! repetition at its end went on. The search judges a repetition when it begins (§8); a person wants to be told why.

use chuhe_engine::board::Position;
use chuhe_engine::rules::{Deed, Reason, Rules, Verdict};
use chuhe_engine::types::Move;

/// A repetition is gone through so often until the judge decides: by some rules a count has to be full.
const MOST_ROUNDS: usize = 16;

/// How the game ends at the end of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// After so many moves of the line; the rest of it counts no more.
    pub plies: usize,
    pub verdict: Verdict,
    /// So many last moves come again and again; 0 where the line itself ends the game.
    pub cycle: usize,
    /// What the moves of the repetition did, if there is one.
    pub deeds: Vec<Deed>,
}

/// What the rules say of a line that begins here; `None` if the game goes on behind it.
pub fn outlook(position: &Position, line: &[Move], rules: &Rules) -> Option<Outlook> {
    let mut position = position.clone();
    for (index, &mv) in line.iter().enumerate() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            return Some(Outlook { plies: index + 1, verdict, cycle: 0, deeds: rules.explain(&position) });
        }
    }
    let cycle = position.repetition_distance().filter(|_| !line.is_empty())?;
    let moves: Option<Vec<Move>> =
        (0..cycle).rev().map(|back| position.move_before(back).map(|(mv, _)| mv)).collect();
    let moves = moves?;
    for mv in std::iter::repeat_n(moves, MOST_ROUNDS).flatten() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            let by_repetition = !matches!(verdict.reason, Reason::NaturalLimit | Reason::Material);
            return by_repetition.then(|| Outlook {
                plies: line.len(),
                verdict,
                cycle,
                deeds: rules.explain(&position),
            });
        }
    }
    None
}
