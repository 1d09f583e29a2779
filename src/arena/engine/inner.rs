//! This very engine as a participant: no pipes, no text.

use super::constants;
use super::premises::{Leashed, Premises};
use super::{Answer, Choice, StartError, Thought, Turn};
use crate::arena::spec::{Budget, InnerSpec};
use chuhe_engine::board::Position;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::{Control, Limits, Options, Searcher, Silent};
use chuhe_engine::types::Move;
use chuhe_engine::types::score::hundredths;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// A searcher at the board.
pub struct Inner {
    tune: BTreeMap<String, i32>,
    searcher: Searcher,
    /// Never pulled but to end everything.
    control: Arc<Control>,
}

impl Leashed for Control {
    fn end(&self) {
        self.stop();
    }
}

impl Inner {
    /// Sets up a searcher that plays by the tournament's rules.
    pub fn new(name: &str, spec: &InnerSpec, rules: Rules, premises: &Premises) -> Result<Inner, StartError> {
        if let Some((constant, value)) = constants::refused(&spec.tune) {
            return Err(StartError::Tune { name: name.to_string(), constant: constant.clone(), value });
        }
        let options = Options { rules, ..spec.options.clone() };
        let searcher = Searcher::new(options, spec.hash_mb)
            .map_err(|source| StartError::Table { name: name.to_string(), source })?;
        let control = Arc::new(Control::new(false));
        premises.leash(&control);
        Ok(Inner { tune: spec.tune.clone(), searcher, control })
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.searcher.clear();
    }

    pub fn play(&mut self, turn: &Turn) -> Answer {
        // A player with constants of his own may have to wait for another's search: that is nobody's time.
        let _held = constants::hold(&self.tune);
        let begun = Instant::now();
        let limits = Limits { excluded: turn.banned.to_vec(), ..limits(turn) };
        let outcome = self.searcher.search(turn.position, &limits, &self.control, &mut Silent);
        debug_assert!(is_line(turn.position, &outcome.pv), "{:?} after {}", outcome.pv, turn.position.fen());
        Answer {
            choice: outcome.best.map_or(Choice::Resign, Choice::Move),
            draw: false,
            expects: None,
            thought: Thought {
                score: Some(hundredths(outcome.score)),
                depth: outcome.depth,
                nodes: outcome.nodes,
            },
            spent: begun.elapsed(),
        }
    }
}

/// The budget in the searcher's words.
fn limits(turn: &Turn) -> Limits {
    match turn.budget {
        Budget::Nodes(nodes) => Limits::nodes(nodes),
        Budget::Depth(depth) => Limits::depth(depth),
        Budget::MoveTime(time) => Limits::move_time(time),
        Budget::Clock(_) => {
            let own = turn.clocks[turn.side()].unwrap_or_default();
            let clock = own.for_search(turn.clocks[!turn.side()]);
            Limits { clock: Some(clock), ..Limits::default() }
        }
    }
}

/// Whether these moves can be played one after the other. For assertions.
fn is_line(position: &Position, moves: &[Move]) -> bool {
    let mut position = position.clone();
    moves.iter().all(|&mv| position.play(mv).is_ok())
}
