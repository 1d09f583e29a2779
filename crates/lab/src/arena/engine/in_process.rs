//! This engine as a participant in the arena's own process, without pipes or text.
//!
//! With the feature `tune` the search constants are process-wide, so engines with different constants search one at a
//! time; playing several games at once then gains little.

use super::process::{Killable, ProcessRegistry};
use super::{EngineAnswer, EngineScore, EngineStartError, MoveChoice, MoveRequest};
use crate::arena::spec::{Budget, InProcessSpec};
use chuhe_engine::score::hundredths;
use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use xiangqi::{Move, Position, Rules};

/// Held during a search that relies on the constants set for it.
#[cfg(feature = "tune")]
pub struct ConstantsGuard(#[allow(dead_code)] std::sync::RwLockReadGuard<'static, BTreeMap<String, i32>>);

/// Empty: in this build the constants cannot change.
#[cfg(not(feature = "tune"))]
pub struct ConstantsGuard;

/// The first constant that does not exist, is out of range, or cannot be set in this build.
pub fn first_invalid(constants: &BTreeMap<String, i32>) -> Option<(&String, i32)> {
    #[cfg(feature = "tune")]
    let fits = |name: &str, value: i32| {
        let known = chuhe_engine::search::params::ALL.iter().find(|param| param.name == name);
        known.is_some_and(|param| (param.min..=param.max).contains(&value))
    };
    #[cfg(not(feature = "tune"))]
    let fits = |_: &str, _: i32| false;
    constants.iter().map(|(name, &value)| (name, value)).find(|(name, value)| !fits(name, *value))
}

/// Sets these constants and resets all others to their defaults. Callers with the same constants can search at the same
/// time.
#[cfg(feature = "tune")]
pub fn set_constants(constants: &BTreeMap<String, i32>) -> ConstantsGuard {
    use std::sync::{PoisonError, RwLock};
    /// The constants that differ from their defaults.
    static CHANGED: RwLock<BTreeMap<String, i32>> = RwLock::new(BTreeMap::new());
    loop {
        let changed = CHANGED.read().unwrap_or_else(PoisonError::into_inner);
        if *changed == *constants {
            return ConstantsGuard(changed);
        }
        drop(changed);
        apply_changes(&mut CHANGED.write().unwrap_or_else(PoisonError::into_inner), constants);
    }
}

#[cfg(feature = "tune")]
fn apply_changes(changed: &mut BTreeMap<String, i32>, constants: &BTreeMap<String, i32>) {
    use chuhe_engine::search::params;
    for param in params::ALL.iter().filter(|param| changed.contains_key(param.name)) {
        params::set(param.name, param.default);
    }
    for (name, &value) in constants {
        params::set(name, value);
    }
    changed.clone_from(constants);
}

#[cfg(not(feature = "tune"))]
pub fn set_constants(_: &BTreeMap<String, i32>) -> ConstantsGuard {
    ConstantsGuard
}

/// This engine as a player.
pub struct InProcessEngine {
    tune: BTreeMap<String, i32>,
    searcher: Searcher,
    /// Used only to abort the tournament.
    control: Arc<Control>,
}

impl Killable for Control {
    fn kill(&self) {
        self.stop();
    }
}

impl InProcessEngine {
    /// Creates a searcher with the tournament's rules.
    pub fn new(
        name: &str,
        spec: &InProcessSpec,
        rules: Rules,
        registry: &ProcessRegistry,
    ) -> Result<InProcessEngine, EngineStartError> {
        if let Some((constant, value)) = first_invalid(&spec.tune) {
            return Err(EngineStartError::Tune { name: name.to_string(), constant: constant.clone(), value });
        }
        let options = Options { rules, ..spec.options.clone() };
        let searcher = Searcher::new(options, spec.hash_mb)
            .map_err(|source| EngineStartError::Table { name: name.to_string(), source })?;
        let control = Arc::new(Control::new(false));
        registry.register(&control);
        Ok(InProcessEngine { tune: spec.tune.clone(), searcher, control })
    }

    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    pub fn play(&mut self, request: &MoveRequest) -> EngineAnswer {
        // Waiting for other constants to be released does not count as thinking time.
        let _held = set_constants(&self.tune);
        let begun = Instant::now();
        let limits = Limits { excluded_moves: request.banned.to_vec(), ..limits(request) };
        let outcome = self.searcher.search(request.position, &limits, &self.control, &mut NoReporter);
        debug_assert!(
            is_legal_line(request.position, &outcome.pv),
            "{:?} after {}",
            outcome.pv,
            request.position.fen()
        );
        EngineAnswer {
            choice: outcome.best_move.map_or(MoveChoice::Resign, MoveChoice::Move),
            draw: false,
            ponder: None,
            engine_score: EngineScore {
                score: Some(hundredths(outcome.score)),
                depth: outcome.depth,
                nodes: outcome.nodes,
            },
            elapsed: begun.elapsed(),
        }
    }
}

/// Converts the budget to search limits.
fn limits(request: &MoveRequest) -> Limits {
    match request.budget {
        Budget::Nodes(nodes) => Limits::nodes(nodes),
        Budget::Depth(depth) => Limits::depth(depth),
        Budget::MoveTime(time) => Limits::move_time(time),
        Budget::Clock(_) => {
            let own = request.clocks[request.side()].unwrap_or_default();
            let clock = own.to_search_clock(request.clocks[!request.side()]);
            Limits { clock: Some(clock), ..Limits::default() }
        }
    }
}

/// Whether these moves are legal one after the other. For assertions.
fn is_legal_line(position: &Position, moves: &[Move]) -> bool {
    let mut position = position.clone();
    moves.iter().all(|&mv| position.play(mv).is_ok())
}
