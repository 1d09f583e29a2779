//! For the tuner: plays a pair of games between two sets of search constants, one opening with both colours.

use super::engine::{Engine, ProcessRegistry};
use super::game::{self, EndCause};
use super::openings::{RandomOpeningGenerator, RandomOpeningSettings};
use super::spec::{Budget, DrawRule, EngineSource, EngineSpec, InProcessSpec, RefereeSpec, ResignRule};
use super::tournament::TournamentError;
use crate::training::selfplay_workers::HASH_MB;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use xiangqi::Color;

/// A pair of games to play.
pub struct Duel {
    /// Search constants of the two players.
    pub settings: [BTreeMap<String, i32>; 2],
    /// Nodes per move.
    pub nodes: u64,
    pub seed: u64,
}

impl Duel {
    /// Plays the opening with both colours; returns wins minus losses of the first player. Games are adjudicated early
    /// by score.
    pub fn play_pair(&self) -> Result<i32, TournamentError> {
        let referee = RefereeSpec {
            draw: Some(DrawRule { from_move: 50, moves: 6, score: 8 }),
            resign: Some(ResignRule { moves: 3, score: 700 }),
            ..RefereeSpec::default()
        };
        let how = RandomOpeningSettings { count: 1, limited: true, plies: 8, seed: self.seed, max_score: 30 };
        let opening = RandomOpeningGenerator::new(how, referee.rules)?.opening(0);
        let registry = Arc::new(ProcessRegistry::default());
        let player = |index: usize| {
            let inner =
                InProcessSpec { hash_mb: HASH_MB, tune: self.settings[index].clone(), ..InProcessSpec::default() };
            let spec = EngineSpec { name: format!("{index}"), driver: EngineSource::InProcess(inner), budget: None };
            Engine::new(&spec, &referee, &registry)
        };
        let (mut first, mut second) = (player(0)?, player(1)?);
        let budgets = [Budget::Nodes(self.nodes); 2];
        let never = AtomicBool::new(false);
        let mut score = 0;
        for color in Color::ALL {
            let players = match color {
                Color::Red => [&mut first, &mut second],
                Color::Black => [&mut second, &mut first],
            };
            let Some(played) = game::play(players, budgets, &opening, &referee, &never) else { continue };
            if let EndCause::Fault(fault) = &played.cause {
                log::error!("a tuning game ended badly: {fault:?}");
                continue;
            }
            score += match played.winner {
                None => 0,
                Some(winner) if winner == color => 1,
                Some(_) => -1,
            };
        }
        Ok(score)
    }
}
