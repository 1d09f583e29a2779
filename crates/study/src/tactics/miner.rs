//! Finds tactics in games: positions in which the chances of the side to move have jumped by the last move of the other side,
//! or fall by the move that it played; with one best move, and a solution that goes on as long as there is one.

use super::{MAX_STEPS, Tactic, bare_fen};
use crate::review::expected_score;
use chuhe_engine::score::{self, Score, mate_plies};
use chuhe_engine::search::{
    Bound, Control, HashSizeError, Info, Limits, NoReporter, Options, Reporter, SearchResult, Searcher, Skill,
};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::Duration;
use xiangqi::engine::piece_value;
use xiangqi::{Move, Piece, PieceKind, Position};

/// Memory of a search in megabytes.
const HASH_MB: usize = 8;
/// What the best move must be worth more than any other by the search that mines, and by the one that checks: the first
/// move of a solution, and those behind it.
const MINED_MARGINS: [f64; 2] = [SECOND_SOLUTION + 0.15, SECOND_SOLUTION + 0.1];
const CHECKED_MARGINS: [f64; 2] = [SECOND_SOLUTION + 0.07, SECOND_SOLUTION + 0.05];
/// With chances below this nothing is worth finding.
const LEAST_CHANCE: f64 = 0.35;
/// A position with fewer moves is no question.
const LEAST_MOVES: u64 = 5;
/// A single move that is easier than this is no tactic, unless it mates.
const LEAST_SINGLE: u16 = 850;
/// A first look costs one node in so many.
const FIRST_LOOK: u64 = 8;
/// The check costs so many times the nodes.
pub const CHECK_FACTOR: u64 = 10;

/// The least jump of the chances.
const LEAST_JUMP: f64 = 0.25;
/// Nodes for a position of a game without scores.
const SCAN_NODES: u64 = 600;

/// A game to look through.
#[derive(Clone, Debug)]
pub struct GameToMine {
    pub start: Position,
    pub moves: Vec<Move>,
    /// The score of each position from its side to move, where a search has chosen the moves.
    pub scores: Option<Vec<Score>>,
}

impl GameToMine {
    /// The plies of the candidates; nothing if the search was stopped.
    fn candidates(&self, lines: &mut TwoLines, control: &Control) -> Option<Vec<usize>> {
        let chances = self.chances(lines, control)?;
        let is_candidate = |ply: &usize| {
            let chance = chances[*ply];
            let before = ply.checked_sub(1).map(|before| 1.0 - chances[before]);
            let after = chances.get(ply + 1).map(|after| 1.0 - after);
            [before, after].into_iter().flatten().any(|other| chance - other >= LEAST_JUMP)
        };
        Some((0..chances.len()).filter(is_candidate).collect())
    }

    /// The chances of the side to move in each position before a move.
    fn chances(&self, lines: &mut TwoLines, control: &Control) -> Option<Vec<f64>> {
        let mut position = self.start.clone();
        let mut chances = Vec::with_capacity(self.moves.len());
        for (ply, &mv) in self.moves.iter().enumerate() {
            let known = self.scores.as_ref().and_then(|scores| scores.get(ply));
            let chance = match known {
                Some(&score) => expected_score(score, &position),
                None => lines.chance(&position, SCAN_NODES, control)?,
            };
            chances.push(chance);
            position.play(mv).ok()?;
        }
        Some(chances)
    }
}

/// Looks through games.
pub struct Miner {
    lines: TwoLines,
    meter: DifficultyMeter,
    nodes: u64,
}

impl Miner {
    /// A miner that looks at a position with so many nodes.
    pub fn new(nodes: u64) -> Result<Miner, HashSizeError> {
        Ok(Miner { lines: TwoLines::new(HASH_MB)?, meter: DifficultyMeter::new()?, nodes })
    }

    /// The tactics of a game; nothing if it was stopped.
    pub fn mine(&mut self, game: &GameToMine, control: &Control) -> Option<Vec<Tactic>> {
        self.lines.forget();
        let candidates = game.candidates(&mut self.lines, control)?;
        let mut tactics: Vec<Tactic> = Vec::new();
        let (mut position, mut ply) = (game.start.clone(), 0);
        // Positions inside a solution that was found are no tactics of their own.
        let mut shown = 0;
        for candidate in candidates {
            while ply < candidate {
                position.play(game.moves[ply]).ok()?;
                ply += 1;
            }
            if candidate < shown {
                continue;
            }
            if let Some(tactic) = self.tactic(&position, control) {
                shown = candidate + tactic.moves.len();
                tactics.push(tactic);
            }
            if control.stopped() {
                return None;
            }
        }
        Some(tactics)
    }

    /// The tactic of a position, if it has one.
    fn tactic(&mut self, position: &Position, control: &Control) -> Option<Tactic> {
        let start = Position::from_fen(&bare_fen(position)).ok()?;
        if start.promotion() || start.count_legal() < LEAST_MOVES {
            return None;
        }
        self.lines.forget();
        let glance = self.lines.best(&start, self.nodes / FIRST_LOOK, control)?;
        if glance.margin < SECOND_SOLUTION || glance.chance < LEAST_CHANCE {
            return None;
        }
        let moves = self.solution(&start, self.nodes, MINED_MARGINS, None, control)?;
        if moves.is_empty() || is_plain(position, &moves) {
            return None;
        }
        // Most that is found is too easy to be checked.
        self.difficulty(&start, &moves, control)?;
        self.lines.forget();
        let moves = self.solution(&start, CHECK_FACTOR * self.nodes, CHECKED_MARGINS, Some(&moves), control)?;
        if moves.is_empty() || is_plain(position, &moves) {
            return None;
        }
        let difficulty = self.difficulty(&start, &moves, control)?;
        Some(Tactic::new(&start, moves, difficulty))
    }

    /// How difficult a solution is; nothing if it is too easy, or if it was stopped.
    fn difficulty(&mut self, start: &Position, moves: &[Move], control: &Control) -> Option<u16> {
        let difficulty = self.meter.difficulty(start, moves, control)?;
        (moves.len() > 1 || difficulty >= LEAST_SINGLE || mates(start, moves)).then_some(difficulty)
    }

    /// The moves with their answers as long as there is one best move: those that are known already, up to the first one
    /// that is not the only one, or new ones. Nothing if it was stopped.
    fn solution(
        &mut self,
        start: &Position,
        nodes: u64,
        margins: [f64; 2],
        known: Option<&[Move]>,
        control: &Control,
    ) -> Option<Vec<Move>> {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for step in 0..MAX_STEPS {
            let wanted = known.map(|known| known.get(2 * step).copied());
            if wanted == Some(None) || !position.has_legal_move() {
                break;
            }
            let best = self.lines.best(&position, nodes, control)?;
            if !is_only(&best, margins[step.min(1)]) || wanted.flatten().is_some_and(|mv| mv != best.mv) {
                break;
            }
            moves.push(best.mv);
            position.play(best.mv).ok()?;
            if !position.has_legal_move() {
                return Some(moves);
            }
            let reply = match known {
                Some(known) => known.get(2 * step + 1).copied(),
                None => best.reply.or_else(|| self.lines.reply(&position, nodes / 2, control)),
            };
            let Some(reply) = reply else { return Some(moves) };
            moves.push(reply);
            position.play(reply).ok()?;
        }
        // It ends with a move of the solver.
        if moves.len().is_multiple_of(2) {
            moves.pop();
        }
        Some(moves)
    }
}

fn is_only(best: &BestMove, margin: f64) -> bool {
    best.margin >= margin && best.chance >= LEAST_CHANCE
}

/// Whether a solution is only to take back, or to take what stands there for nothing.
fn is_plain(position: &Position, moves: &[Move]) -> bool {
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| piece_value(piece.kind()));
    let first = moves[0];
    let taken = value(position.piece_at(first.to()));
    let is_recapture =
        position.last_move().is_some_and(|last| last.to() == first.to() && value(position.last_captured()) > 0);
    let mover = position.piece_at(first.from()).map_or(PieceKind::King, Piece::kind);
    let is_free = taken > 0 && position.see_ge(first, taken.min(piece_value(PieceKind::Horse)));
    moves.len() < 3 && (is_recapture || is_free || mover == PieceKind::King)
}

/// Whether a line ends the game.
fn mates(start: &Position, moves: &[Move]) -> bool {
    !start.after(moves).has_legal_move()
}

// Whether a position has one best move, by a search of two lines; whether a solution holds, and whether a move that was
// tried solves it.
//
// Another move is a *second solution* if it mates as fast, or if it leaves chances that are less than 15 % lower. Every
// mate is worth all chances: a slower one is a second solution, too.

/// A move whose chances are this much lower than those of the best one, or more, is no second solution.
pub const SECOND_SOLUTION: f64 = 0.15;

/// What the best move is worth, and how much more than any other.
#[derive(Clone, Debug)]
pub struct BestMove {
    pub mv: Move,
    /// The expected result of the side to move, 0 to 1.
    pub chance: f64,
    /// What the next best move is worth less; all if there is no other.
    pub margin: f64,
    /// The moves until mate if it mates.
    pub mate: Option<u32>,
    /// The expected answer.
    pub reply: Option<Move>,
}

/// Searches positions with two lines.
pub struct TwoLines {
    searcher: Searcher,
}

impl TwoLines {
    pub fn new(hash_mb: usize) -> Result<TwoLines, HashSizeError> {
        let options = Options { multi_pv: 2, overhead: Duration::ZERO, ..Options::default() };
        Ok(TwoLines { searcher: Searcher::new(options, hash_mb)? })
    }

    /// Forgets what was searched, so that an answer does not depend on the questions before.
    pub fn forget(&mut self) {
        self.searcher.new_game();
    }

    /// A search of so many lines, with what it has told of them last; nothing if it was stopped.
    fn search(
        &mut self,
        position: &Position,
        lines: usize,
        nodes: u64,
        control: &Control,
    ) -> Option<(SearchResult, Vec<(Move, Score)>)> {
        let mut told = Lines::default();
        self.searcher.options.multi_pv = lines;
        let found = self.searcher.search(position, &Limits::nodes(nodes), control, &mut told);
        (!control.stopped()).then_some((found, told.0))
    }

    /// The best move by so many nodes; nothing if there is none, or if it was stopped.
    pub fn best(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<BestMove> {
        let (found, lines) = self.search(position, 2, nodes, control)?;
        let mv = found.best_move?;
        let chance = expected_score(found.score, position);
        let second = lines.into_iter().find(|line| line.0 != mv);
        let margin = match second {
            Some((_, score)) => chance - expected_score(score, position),
            None if position.count_legal() == 1 => 1.0,
            None => 0.0,
        };
        let mate = mate_plies(found.score).and_then(|plies| u32::try_from(score::plies_to_moves(plies)).ok());
        Some(BestMove { mv, chance, margin, mate, reply: found.pv.get(1).copied() })
    }

    /// The chance of the side to move, by a search of one line.
    pub fn chance(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<f64> {
        Some(expected_score(self.search(position, 1, nodes, control)?.0.score, position))
    }

    /// The best move of the side to move, by a search of one line.
    pub fn reply(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<Move> {
        self.search(position, 1, nodes, control)?.0.best_move
    }
}

/// The first moves of lines with their scores, as they were told last.
#[derive(Default)]
pub(super) struct Lines(pub Vec<(Move, Score)>);

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        match self.0.get_mut(info.multipv - 1) {
            Some(place) => *place = (info.pv[0], info.score),
            None => self.0.push((info.pv[0], info.score)),
        }
    }
}

/// What is wrong with a step of a solution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The moves are not legal, or end with the other side.
    NotLegal,
    /// Another move is better at this move of the solver, from 1.
    Better { step: usize, mv: Move },
    /// There is a second solution there: it is worth only so much less.
    Second { step: usize, margin: f64 },
}

/// The first fault of a tactic by so many nodes at each move of the solver. Nothing outside if it was stopped.
pub fn find_fault(tactic: &Tactic, lines: &mut TwoLines, nodes: u64, control: &Control) -> Option<Option<Fault>> {
    if !tactic.is_sound() {
        return Some(Some(Fault::NotLegal));
    }
    let mut position = tactic.position()?;
    lines.forget();
    for (index, &mv) in tactic.moves.iter().enumerate() {
        if index % 2 == 0 {
            let best = lines.best(&position, nodes, control)?;
            let step = index / 2 + 1;
            if best.mv != mv {
                return Some(Some(Fault::Better { step, mv: best.mv }));
            }
            if best.margin < SECOND_SOLUTION {
                return Some(Some(Fault::Second { step, margin: best.margin }));
            }
        }
        position.play_unchecked(mv);
    }
    Some(None)
}

/// What a move is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacticTrial {
    /// The last move of the solution.
    Solved,
    /// A move of the solution; the other side answers.
    Right(Move),
    /// Another move that is worth as much.
    AsGood,
    /// What follows it shows why.
    Wrong(Vec<Move>),
}

/// Judges the move of the solver at this step, from 0; nothing if there is no such step, the move is not legal, or the search
/// was stopped.
pub fn try_move(
    tactic: &Tactic,
    step: usize,
    mv: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<TacticTrial> {
    let before = tactic.position_at(2 * step)?;
    let &wanted = tactic.moves.get(2 * step)?;
    let mut after = before.clone();
    after.play(mv).ok()?;
    if mv == wanted {
        return Some(tactic.moves.get(2 * step + 1).map_or(TacticTrial::Solved, |&reply| TacticTrial::Right(reply)));
    }
    let (is_as_good, line) = judge_other(&before, &after, wanted, searcher, nodes, control)?;
    Some(if is_as_good { TacticTrial::AsGood } else { TacticTrial::Wrong(line) })
}

/// Whether a position is as good for who has moved as the one after the solution's move, and what follows in it; nothing if the
/// search was stopped.
fn judge_other(
    before: &Position,
    after: &Position,
    wanted: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<(bool, Vec<Move>)> {
    if !after.has_legal_move() {
        return Some((true, Vec::new()));
    }
    let solved = before.after(&[wanted]);
    let limits = Limits::nodes(nodes);
    let other = searcher.search(after, &limits, control, &mut NoReporter);
    let best = searcher.search(&solved, &limits, control, &mut NoReporter);
    if control.stopped() {
        return None;
    }
    let is_as_good = match (mate_plies(-best.score), mate_plies(-other.score)) {
        (Some(best), Some(other)) if best > 0 && other > 0 => other <= best,
        _ => expected_score(other.score, after) - expected_score(best.score, &solved) < SECOND_SOLUTION,
    };
    Some((is_as_good, other.pv))
}

// How difficult a tactic is: which levels of the program find it, and how many nodes it takes.
//
// Levels of the program, and searches of full strength with few nodes, solve it or not. Each has a number on one scale;
// the difficulty is the number at which a solver would find it half of the time, as ratings are reckoned.

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
const SMALL_HASH_MB: usize = 1;

/// Lets solvers try.
pub struct DifficultyMeter {
    searcher: Searcher,
}

impl DifficultyMeter {
    pub fn new() -> Result<DifficultyMeter, HashSizeError> {
        let options = Options { overhead: Duration::ZERO, ..Options::default() };
        Ok(DifficultyMeter { searcher: Searcher::new(options, SMALL_HASH_MB)? })
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
