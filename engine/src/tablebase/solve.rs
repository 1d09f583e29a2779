//! Retrograde analysis: how a table is made from the smaller ones that captures lead to.
//!
//! Every position begins as a draw. Captures into finished tables and positions without a move give the first wins and
//! losses, each with its distance; then the distances are gone through from 0 upward. Whatever can move to a loss of the
//! other side is a win one ply longer. Whatever can move to a win of the other side is a candidate for a loss, and
//! looked at: it is lost if all its moves, captures too, lead to wins. What nothing reached is drawn.
//!
//! A cell may hold a distance before its turn comes: a capture tells it at once. Until then a shorter win may replace
//! it. Cells are grouped in blocks which remember the distances in them, so that no cell is looked at in vain for long.
//! All writes to a cell in one pass write the same value: the table does not depend on the number of threads.

use super::cell::{CANDIDATE, Cell, DRAW, ILLEGAL, LONGEST, is_loss, is_win};
use super::cursor::Cursor;
use super::layout::Layout;
use super::material::Material;
use super::parallel;
use super::table::{Links, Table};
use crate::language::tr;
use crate::types::Color;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// Cells that remember their distances together.
const BLOCK: usize = 1024;
/// Cells that one thread takes at a time.
const PART: usize = 64 * BLOCK;

/// Why a table cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// Some mate takes longer than a cell can say.
    #[error("{}", tr!("{material}: a mate takes more than {longest} plies, which tables of this version cannot hold", material = _0, longest = LONGEST))]
    TooLong(Material),
}

/// The distances that occur in a block, one bit each.
#[derive(Default)]
struct Levels([AtomicU64; 4]);

impl Levels {
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

struct Solver<'a> {
    table: &'a Table,
    links: &'a Links,
    threads: usize,
    levels: [Vec<Levels>; 2],
    /// The distances that occur anywhere.
    anywhere: Levels,
    too_long: AtomicBool,
}

/// Makes the table of a material. Without attackers nobody can win; who has no move has lost all the same.
pub fn solve(material: Material, links: &Links, threads: usize) -> Result<Table, SolveError> {
    let table = Table::empty(Layout::new(material));
    let size = table.layout.size();
    let blocks = || (0..size.div_ceil(BLOCK)).map(|_| Levels::default()).collect();
    // Threads cost more than they bring on a table that is done in a moment.
    let threads = if size < 4 * PART { 1 } else { threads };
    let solver = Solver {
        table: &table,
        links,
        threads,
        levels: [blocks(), blocks()],
        anywhere: Levels::default(),
        too_long: AtomicBool::new(false),
    };
    solver.mark_legal();
    solver.begin();
    if material.has_attackers() {
        solver.go_through_distances();
    }
    if solver.too_long.load(Ordering::Relaxed) {
        return Err(SolveError::TooLong(material));
    }
    Ok(table)
}

/// Shows every legal position of a layout.
pub fn each_position(layout: &Layout, threads: usize, visit: impl Fn(Color, usize) + Sync) {
    let size = layout.size();
    parallel::each(
        threads,
        size.div_ceil(PART),
        || Cursor::new(layout),
        |cursor, part| {
            cursor.walk(part * PART..((part + 1) * PART).min(size), &mut |cursor| {
                if !cursor.kings_face() {
                    for mover in Color::ALL.into_iter().filter(|mover| !cursor.in_check(!*mover, None)) {
                        visit(mover, cursor.index());
                    }
                }
            });
        },
    );
}

impl Solver<'_> {
    fn layout(&self) -> &Layout {
        &self.table.layout
    }

    /// Shows every board without shared points.
    fn walk(&self, visit: impl Fn(&mut Cursor) + Sync) {
        let size = self.layout().size();
        parallel::each(
            self.threads,
            size.div_ceil(PART),
            || Cursor::new(self.layout()),
            |cursor, part| {
                let range = part * PART..((part + 1) * PART).min(size);
                cursor.walk(range, &mut |cursor| visit(cursor));
            },
        );
    }

    /// Shows every position of a side with this cell, block by block where there may be any.
    fn at_level(&self, mover: Color, level: Cell, visit: impl Fn(&mut Cursor) + Sync) {
        let levels = &self.levels[mover];
        let blocks: Vec<usize> = (0..levels.len()).filter(|&block| levels[block].contains(level)).collect();
        let threads = if blocks.len() < 8 { 1 } else { self.threads };
        parallel::each(
            threads,
            blocks.len().div_ceil(8),
            || Cursor::new(self.layout()),
            |cursor, part| {
                for &block in &blocks[part * 8..blocks.len().min(part * 8 + 8)] {
                    levels[block].remove(level);
                    let start = block * BLOCK;
                    let end = (start + BLOCK).min(self.layout().size());
                    for (offset, cell) in self.table.cells(mover, start..end).iter().enumerate() {
                        if cell.load(Ordering::Relaxed) == level && cursor.seek(start + offset) {
                            visit(cursor);
                        }
                    }
                }
            },
        );
    }

    #[inline]
    fn set(&self, mover: Color, number: usize, cell: Cell) {
        self.table.set(mover, number, cell);
        self.levels[mover][number / BLOCK].add(cell);
        self.anywhere.add(cell);
    }

    /// Sets a distance, if a cell can hold it.
    #[inline]
    fn decide(&self, mover: Color, number: usize, cell: Cell) {
        if cell <= LONGEST {
            self.set(mover, number, cell);
        } else {
            self.too_long.store(true, Ordering::Relaxed);
        }
    }

    fn mark_legal(&self) {
        each_position(self.layout(), self.threads, |mover, number| self.table.set(mover, number, DRAW));
    }

    /// What captures and the want of moves decide.
    fn begin(&self) {
        let is_game = self.layout().material.has_attackers();
        self.walk(|cursor| {
            for mover in Color::ALL {
                if self.table.get(mover, cursor.index()) == ILLEGAL {
                    continue;
                }
                let captures = self.captures(cursor, mover, is_game);
                if let Some(win) = captures.win {
                    self.decide(mover, cursor.index(), win);
                } else if !captures.holds && !self.has_quiet_move(cursor, mover) {
                    self.decide(mover, cursor.index(), captures.loss);
                }
            }
        });
    }

    fn has_quiet_move(&self, cursor: &Cursor, mover: Color) -> bool {
        cursor.quiet::<false>(mover, |after, _, _| self.table.get(!mover, after) != ILLEGAL)
    }

    fn captures(&self, cursor: &mut Cursor, mover: Color, is_game: bool) -> Captures {
        let mut captures = Captures { win: None, holds: false, loss: 0 };
        let kinds = cursor.kinds();
        cursor.captures(mover, |capture| {
            let after =
                if is_game { self.links.after(&capture, !mover, kinds[capture.victim]) } else { DRAW };
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

    fn go_through_distances(&self) {
        for distance in 0..=LONGEST {
            if !self.anywhere.contains(distance) {
                continue;
            }
            for mover in Color::ALL {
                if is_loss(distance) {
                    self.spread_loss(mover, distance);
                } else {
                    self.spread_win(mover, distance);
                }
            }
        }
    }

    /// Whoever can move to a loss of `loser` wins.
    fn spread_loss(&self, loser: Color, distance: Cell) {
        let win = distance + 1;
        self.at_level(loser, distance, |cursor| {
            cursor.quiet::<true>(loser.other(), |before, _, _| {
                let cell = self.table.get(!loser, before);
                if cell == DRAW || cell > win && cell <= LONGEST {
                    self.decide(!loser, before, win);
                }
                false
            });
        });
    }

    /// Whoever can only move to wins of `winner` is lost.
    fn spread_win(&self, winner: Color, distance: Cell) {
        let loser = !winner;
        self.at_level(winner, distance, |cursor| {
            cursor.quiet::<true>(loser, |before, _, _| {
                if self.table.get(loser, before) == DRAW {
                    self.set(loser, before, CANDIDATE);
                }
                false
            });
        });
        self.at_level(loser, CANDIDATE, |cursor| {
            let number = cursor.index();
            match self.loss(cursor, loser, distance) {
                Some(loss) => self.decide(loser, number, loss),
                None => self.table.set(loser, number, DRAW),
            }
        });
    }

    /// The distance of a loss, if every move of `loser` leads to a win that is known to be final.
    fn loss(&self, cursor: &mut Cursor, loser: Color, distance: Cell) -> Option<Cell> {
        let mut longest = 0;
        let escapes = cursor.quiet::<false>(loser, |after, _, _| {
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
        let captures = self.captures(cursor, loser, true);
        (captures.win.is_none() && !captures.holds).then_some(captures.loss.max(longest + 1))
    }
}

/// What the captures of a position come to.
struct Captures {
    win: Option<Cell>,
    /// One of them draws.
    holds: bool,
    /// The longest loss; 0 if none loses.
    loss: Cell,
}
