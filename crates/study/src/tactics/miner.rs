//! Finds tactics in games: positions in which the chances of the side to move have jumped by the last move of the other side,
//! or fall by the move that it played; with one best move, and a solution that goes on as long as there is one.

use super::difficulty::DifficultyMeter;
use super::only_move::{BestMove, SECOND_SOLUTION, TwoLines};
use super::tactic::{MAX_STEPS, Tactic, bare_fen};
use crate::review::expected_score;
use chuhe_engine::score::Score;
use chuhe_engine::search::{Control, HashSizeError};
use xiangqi::{Move, Piece, PieceKind, Position, engine::piece_value};

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
