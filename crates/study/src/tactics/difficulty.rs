//! How difficult a tactic is: which levels of the program find it, and how many nodes it takes.
//!
//! Levels of the program, and searches of full strength with few nodes, solve it or not. Each has a number on one scale;
//! the difficulty is the number at which a solver would find it half of the time, as ratings are reckoned.

use super::only_move::Lines;
use chuhe_engine::score::Score;
use chuhe_engine::search::{Control, HashSizeError, Limits, Options, Searcher, Skill};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::Duration;
use xiangqi::{Move, Position};

/// A solver: a level of the program, or a weaker one that is content with moves that lose up to so many hundredths of a
/// horse.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    pub level: u8,
    pub randomness: i32,
}

impl Solver {
    /// A level of the program.
    pub const fn level(level: u8) -> Solver {
        Solver { level, randomness: 0 }
    }

    fn skill(self) -> Skill {
        Skill::from_options(&Options {
            skill: f32::from(self.level),
            randomness: self.randomness,
            ..Options::default()
        })
    }
}

/// The levels that are asked, with their numbers.
const LEVELS: [(Solver, f64); 8] = [
    (Solver { level: 0, randomness: 600 }, 300.0),
    (Solver { level: 0, randomness: 300 }, 500.0),
    (Solver { level: 0, randomness: 150 }, 700.0),
    (Solver::level(1), 900.0),
    (Solver::level(4), 1200.0),
    (Solver::level(7), 1500.0),
    (Solver::level(10), 1800.0),
    (Solver::level(13), 2000.0),
];
/// The seeds of each level.
const SEEDS: u64 = 8;
/// The searches of full strength: nodes and numbers.
const SEARCHES: [(u64, f64); 7] =
    [(60, 900.0), (150, 1100.0), (400, 1300.0), (1000, 1500.0), (2500, 1700.0), (6000, 1900.0), (16_000, 2100.0)];
/// How many answers of a level one search counts for.
const SEARCH_WEIGHT: f64 = 3.0;
/// The limits and the middle of the scale.
pub const LEAST: u16 = 600;
pub const MOST: u16 = 2400;
/// A difference of so much is ten to one.
const SCALE: f64 = 400.0;

/// Memory of a search in megabytes.
const HASH_MB: usize = 1;

/// Lets solvers try.
pub struct DifficultyMeter {
    searcher: Searcher,
}

impl DifficultyMeter {
    pub fn new() -> Result<DifficultyMeter, HashSizeError> {
        let options = Options { overhead: Duration::ZERO, ..Options::default() };
        Ok(DifficultyMeter { searcher: Searcher::new(options, HASH_MB)? })
    }

    /// The difficulty of a solution; nothing if it was stopped.
    pub fn difficulty(&mut self, start: &Position, moves: &[Move], control: &Control) -> Option<u16> {
        let mut tries = Vec::new();
        for (solver, number) in LEVELS {
            let share = self.share_solved(start, moves, solver, 0..SEEDS, control)?;
            tries.push(Tries { number, solved: share * SEEDS as f64, all: SEEDS as f64 });
        }
        for (nodes, number) in SEARCHES {
            let is_solved = self.is_solved(start, moves, nodes, control)?;
            tries.push(Tries { number, solved: f64::from(u8::from(is_solved)) * SEARCH_WEIGHT, all: SEARCH_WEIGHT });
        }
        Some(most_likely(&tries))
    }

    /// The share of seeds with which a level finds all moves of the solver.
    pub fn share_solved(
        &mut self,
        start: &Position,
        moves: &[Move],
        solver: Solver,
        seeds: std::ops::Range<u64>,
        control: &Control,
    ) -> Option<f64> {
        let skill = solver.skill();
        let limits = skill.apply_to(&Limits::default());
        let count = seeds.end - seeds.start;
        let mut solving: Vec<StdRng> = seeds.map(StdRng::seed_from_u64).collect();
        let mut position = start.clone();
        for (step, &mv) in moves.iter().enumerate() {
            if step % 2 == 0 && position.count_legal() > 1 {
                let lines = self.lines(&position, &limits, skill.multi_pv(1), control)?;
                let scores: Vec<Score> = lines.iter().map(|(_, score)| *score).collect();
                solving.retain_mut(|rng| lines.get(skill.pick_line(&scores, rng)).is_some_and(|line| line.0 == mv));
                if solving.is_empty() {
                    break;
                }
            }
            position.play(mv).ok()?;
        }
        Some(solving.len() as f64 / count as f64)
    }

    /// Whether a search with so many nodes finds all moves of the solver.
    fn is_solved(&mut self, start: &Position, moves: &[Move], nodes: u64, control: &Control) -> Option<bool> {
        let mut position = start.clone();
        for (step, &mv) in moves.iter().enumerate() {
            if step % 2 == 0 && position.count_legal() > 1 {
                let lines = self.lines(&position, &Limits::nodes(nodes), 1, control)?;
                if lines.first().is_none_or(|line| line.0 != mv) {
                    return Some(false);
                }
            }
            position.play(mv).ok()?;
        }
        Some(true)
    }

    /// The lines of a search that remembers nothing.
    fn lines(
        &mut self,
        position: &Position,
        limits: &Limits,
        multi_pv: usize,
        control: &Control,
    ) -> Option<Vec<(Move, Score)>> {
        self.searcher.new_game();
        self.searcher.options.multi_pv = multi_pv;
        let mut lines = Lines::default();
        let found = self.searcher.search(position, limits, control, &mut lines);
        if control.stopped() {
            return None;
        }
        if lines.0.is_empty() {
            lines.0.extend(found.best_move.map(|mv| (mv, found.score)));
        }
        Some(lines.0)
    }
}

/// How often a solver of this number has solved.
struct Tries {
    number: f64,
    solved: f64,
    all: f64,
}

/// The difficulty at which these results are expected: they sum up to as many as were solved. One half of a try at each
/// end of the scale keeps it finite.
fn most_likely(tries: &[Tries]) -> u16 {
    let ends = [(f64::from(LEAST) - 400.0, 0.0), (f64::from(MOST) + 200.0, 1.0)];
    let solved: f64 = tries.iter().map(|tried| tried.solved).sum::<f64>() + 1.0;
    let expected = |difficulty: f64| {
        let share = |number: f64| 1.0 / (1.0 + 10f64.powf((difficulty - number) / SCALE));
        let ends: f64 = ends.iter().map(|(number, _)| share(*number)).sum();
        tries.iter().map(|tried| tried.all * share(tried.number)).sum::<f64>() + ends
    };
    let (mut low, mut high) = (f64::from(LEAST), f64::from(MOST));
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if expected(middle) > solved { low = middle } else { high = middle }
    }
    ((low + high) / 2.0).round() as u16
}
