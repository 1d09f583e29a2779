//! Retrograde analysis: solves a table from the smaller tables that captures lead to.
//!
//! Every position starts as a draw. Captures into finished tables and positions without moves give the first wins and
//! losses; then distances are processed in ascending order. A position with a move to a loss of the other side is a win
//! one ply longer. A position with a move to a win of the other side is a loss candidate, and a loss if all its moves,
//! captures included, lead to wins. Positions that are never reached are draws.
//!
//! A capture may set a cell before its distance is processed; until then a shorter win may replace it. Each block of
//! cells keeps the set of its distances, so that a pass skips blocks without work. All writes to a cell in one pass
//! write the same value, so the table does not depend on the number of threads.

use super::indexing::PositionIndexing;
use super::material::Material;
use super::parallel;
use super::table::{CANDIDATE, Cell, DRAW, EndgameTable, ILLEGAL, MAX_DTM, SuccessorTables, is_loss, is_win};
use super::table_board::TableBoard;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use xiangqi::{Color, worded_error, words};

/// The cells that share one set of distances.
const BLOCK_CELLS: usize = 1024;
/// The cells of one unit of parallel work.
const PART_CELLS: usize = 64 * BLOCK_CELLS;

/// The reason why a table cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolveError {
    /// A mate takes more plies than a cell can hold.
    TooLong {
        /// The material of the table.
        material: Material,
        /// The longest mate that a cell can hold, in plies.
        longest: Cell,
    },
}

worded_error!(SolveError, |error| match error {
    SolveError::TooLong { material, longest } => words!(
        "{material}: a mate takes more than {longest} plies, which tables of this version cannot hold",
        material = material.to_string(),
        longest
    ),
});

/// A set of distances, one bit each.
#[derive(Default)]
struct DistanceSet([AtomicU64; 4]);

impl DistanceSet {
    #[inline]
    fn add(&self, level: Cell) {
        let (word, bit) = (&self.0[usize::from(level >> 6)], 1u64 << (level & 63));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    #[inline]
    fn contains(&self, level: Cell) -> bool {
        self.0[usize::from(level >> 6)].load(Ordering::Relaxed) >> (level & 63) & 1 != 0
    }

    fn remove(&self, level: Cell) {
        self.0[usize::from(level >> 6)].fetch_and(!(1u64 << (level & 63)), Ordering::Relaxed);
    }
}

struct RetrogradeSolver<'a> {
    table: &'a EndgameTable,
    successors: &'a SuccessorTables,
    threads: usize,
    block_distances: [Vec<DistanceSet>; 2],
    /// The distances that occur in any block.
    all_distances: DistanceSet,
    too_long: AtomicBool,
}

/// Solves the table of a material. Without attackers only positions without a legal move are decided.
pub fn solve(material: Material, successors: &SuccessorTables, threads: usize) -> Result<EndgameTable, SolveError> {
    let table = EndgameTable::empty(PositionIndexing::new(material));
    let size = table.indexing.size();
    let blocks = || (0..size.div_ceil(BLOCK_CELLS)).map(|_| DistanceSet::default()).collect();
    // Small tables are solved faster by one thread.
    let threads = if size < 4 * PART_CELLS { 1 } else { threads };
    let solver = RetrogradeSolver {
        table: &table,
        successors,
        threads,
        block_distances: [blocks(), blocks()],
        all_distances: DistanceSet::default(),
        too_long: AtomicBool::new(false),
    };
    solver.mark_legal();
    solver.seed_distances();
    if material.has_attackers() {
        solver.propagate_all();
    }
    if solver.too_long.load(Ordering::Relaxed) {
        return Err(SolveError::TooLong { material, longest: MAX_DTM });
    }
    Ok(table)
}

/// Visits every legal position of an indexing.
pub fn each_position(indexing: &PositionIndexing, threads: usize, visit: impl Fn(Color, usize) + Sync) {
    let size = indexing.size();
    parallel::for_each_part(
        threads,
        size.div_ceil(PART_CELLS),
        || TableBoard::new(indexing),
        |board, part| {
            board.for_each_board(part * PART_CELLS..((part + 1) * PART_CELLS).min(size), &mut |board| {
                if !board.kings_face() {
                    for mover in Color::ALL.into_iter().filter(|mover| !board.in_check(!*mover, None)) {
                        visit(mover, board.index());
                    }
                }
            });
        },
    );
}

impl RetrogradeSolver<'_> {
    fn indexing(&self) -> &PositionIndexing {
        &self.table.indexing
    }

    /// Visits every board on which no two pieces share a square.
    fn for_each_board(&self, visit: impl Fn(&mut TableBoard) + Sync) {
        let size = self.indexing().size();
        parallel::for_each_part(
            self.threads,
            size.div_ceil(PART_CELLS),
            || TableBoard::new(self.indexing()),
            |board, part| {
                let range = part * PART_CELLS..((part + 1) * PART_CELLS).min(size);
                board.for_each_board(range, &mut |board| visit(board));
            },
        );
    }

    /// Visits every position of a side with this cell, in the blocks that may have any.
    fn for_each_at_distance(&self, mover: Color, level: Cell, visit: impl Fn(&mut TableBoard) + Sync) {
        let levels = &self.block_distances[mover];
        let blocks: Vec<usize> = (0..levels.len()).filter(|&block| levels[block].contains(level)).collect();
        let threads = if blocks.len() < 8 { 1 } else { self.threads };
        parallel::for_each_part(
            threads,
            blocks.len().div_ceil(8),
            || TableBoard::new(self.indexing()),
            |board, part| {
                for &block in &blocks[part * 8..blocks.len().min(part * 8 + 8)] {
                    levels[block].remove(level);
                    let start = block * BLOCK_CELLS;
                    let end = (start + BLOCK_CELLS).min(self.indexing().size());
                    for (offset, cell) in self.table.cells(mover, start..end).iter().enumerate() {
                        if cell.load(Ordering::Relaxed) == level && board.seek(start + offset) {
                            visit(board);
                        }
                    }
                }
            },
        );
    }

    #[inline]
    fn set(&self, mover: Color, number: usize, cell: Cell) {
        self.table.set(mover, number, cell);
        self.block_distances[mover][number / BLOCK_CELLS].add(cell);
        self.all_distances.add(cell);
    }

    /// Sets a distance, or records that it is too long for a cell.
    #[inline]
    fn set_distance(&self, mover: Color, number: usize, cell: Cell) {
        if cell <= MAX_DTM {
            self.set(mover, number, cell);
        } else {
            self.too_long.store(true, Ordering::Relaxed);
        }
    }

    fn mark_legal(&self) {
        each_position(self.indexing(), self.threads, |mover, number| self.table.set(mover, number, DRAW));
    }

    /// Sets the distances that follow from captures and from having no move.
    fn seed_distances(&self) {
        let is_game = self.indexing().material.has_attackers();
        self.for_each_board(|board| {
            for mover in Color::ALL {
                if self.table.get(mover, board.index()) == ILLEGAL {
                    continue;
                }
                let captures = self.captures(board, mover, is_game);
                if let Some(win) = captures.win {
                    self.set_distance(mover, board.index(), win);
                } else if !captures.holds && !self.has_quiet_move(board, mover) {
                    self.set_distance(mover, board.index(), captures.loss);
                }
            }
        });
    }

    fn has_quiet_move(&self, board: &TableBoard, mover: Color) -> bool {
        board.visit_quiet_moves::<false>(mover, |after, _, _| self.table.get(!mover, after) != ILLEGAL)
    }

    fn captures(&self, board: &mut TableBoard, mover: Color, is_game: bool) -> CaptureSummary {
        let mut captures = CaptureSummary { win: None, holds: false, loss: 0 };
        let kinds = board.kinds();
        board.visit_captures(mover, |capture| {
            let after = if is_game {
                self.successors.value_after_capture(&capture, !mover, kinds[capture.victim])
            } else {
                DRAW
            };
            if is_loss(after) {
                captures.win = Some(captures.win.map_or(after + 1, |win| win.min(after + 1)));
            } else if is_win(after) {
                captures.loss = captures.loss.max(after + 1);
            } else {
                captures.holds = true;
            }
            false
        });
        captures
    }

    fn propagate_all(&self) {
        for distance in 0..=MAX_DTM {
            if !self.all_distances.contains(distance) {
                continue;
            }
            for mover in Color::ALL {
                if is_loss(distance) {
                    self.propagate_loss(mover, distance);
                } else {
                    self.propagate_win(mover, distance);
                }
            }
        }
    }

    /// Marks positions that can move to a loss of `loser` as wins.
    fn propagate_loss(&self, loser: Color, distance: Cell) {
        let win = distance + 1;
        self.for_each_at_distance(loser, distance, |board| {
            board.visit_quiet_moves::<true>(loser.other(), |before, _, _| {
                let cell = self.table.get(!loser, before);
                if cell == DRAW || cell > win && cell <= MAX_DTM {
                    self.set_distance(!loser, before, win);
                }
                false
            });
        });
    }

    /// Marks positions that can only move to wins of `winner` as losses.
    fn propagate_win(&self, winner: Color, distance: Cell) {
        let loser = !winner;
        self.for_each_at_distance(winner, distance, |board| {
            board.visit_quiet_moves::<true>(loser, |before, _, _| {
                if self.table.get(loser, before) == DRAW {
                    self.set(loser, before, CANDIDATE);
                }
                false
            });
        });
        self.for_each_at_distance(loser, CANDIDATE, |board| {
            let number = board.index();
            match self.confirmed_loss(board, loser, distance) {
                Some(loss) => self.set_distance(loser, number, loss),
                None => self.table.set(loser, number, DRAW),
            }
        });
    }

    /// The distance of a loss, if every move of `loser` leads to a win of a processed distance.
    fn confirmed_loss(&self, board: &mut TableBoard, loser: Color, distance: Cell) -> Option<Cell> {
        let mut longest = 0;
        let escapes = board.visit_quiet_moves::<false>(loser, |after, _, _| {
            let cell = self.table.get(!loser, after);
            if cell == ILLEGAL {
                return false;
            }
            longest = longest.max(cell);
            !is_win(cell) || cell > distance
        });
        if escapes {
            return None;
        }
        let captures = self.captures(board, loser, true);
        (captures.win.is_none() && !captures.holds).then_some(captures.loss.max(longest + 1))
    }
}

/// The summary of a position's captures.
struct CaptureSummary {
    win: Option<Cell>,
    /// True if a capture draws.
    holds: bool,
    /// The longest loss by a capture; 0 if none loses.
    loss: Cell,
}
