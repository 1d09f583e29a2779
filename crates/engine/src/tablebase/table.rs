//! A table in memory, its cells, and the smaller tables that captures lead to.
//!
//! A cell is a byte for one position with one side to move. Up to [`MAX_DTM`] it is the plies to the end of the game:
//! odd distances are wins of the side to move, even ones losses.

use super::indexing::{PiecePlacement, PositionIndexing};
use super::material::Material;
use super::moves::TableCapture;
use super::parallel;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use xiangqi::{Color, PieceKind, Position};

/// The table of a material.
pub struct EndgameTable {
    /// The indexing of its positions.
    pub indexing: PositionIndexing,
    /// Whether some draws are doubtful.
    pub doubtful: bool,
    cells: [Vec<AtomicU8>; 2],
}

/// The numbers of won, drawn and lost boards for one side to move, and the longest win and loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct TableStats {
    /// Wins of the side to move.
    pub won: u64,
    /// Draws, doubtful ones included.
    pub drawn: u64,
    /// Losses of the side to move.
    pub lost: u64,
    /// Draws that the repetition rules may change.
    pub doubtful: u64,
    /// The longest win in plies, with its index.
    pub longest_win: Option<(u16, u64)>,
    /// The longest loss in plies, with its index.
    pub longest_loss: Option<(u16, u64)>,
}

impl TableStats {
    fn add(&mut self, cell: Cell, number: usize, weight: u64) {
        let longer = |longest: &mut Option<(u16, u64)>| {
            if longest.is_none_or(|(plies, _)| plies < u16::from(cell)) {
                *longest = Some((cell.into(), number as u64));
            }
        };
        match cell {
            ILLEGAL => {}
            0..=MAX_DTM if is_win(cell) => {
                self.won += weight;
                longer(&mut self.longest_win);
            }
            0..=MAX_DTM => {
                self.lost += weight;
                longer(&mut self.longest_loss);
            }
            _ => {
                self.drawn += weight;
                self.doubtful += if cell == DRAW { 0 } else { weight };
            }
        }
    }

    /// Adds other counts; of two longest distances the first is kept.
    fn merge(&mut self, later: &TableStats) {
        self.won += later.won;
        self.drawn += later.drawn;
        self.lost += later.lost;
        self.doubtful += later.doubtful;
        let longer = |ours: Option<(u16, u64)>, theirs: Option<(u16, u64)>| match (ours, theirs) {
            (Some(one), Some(other)) if one.0 < other.0 => Some(other),
            (one, other) => one.or(other),
        };
        self.longest_win = longer(self.longest_win, later.longest_win);
        self.longest_loss = longer(self.longest_loss, later.longest_loss);
    }
}

impl fmt::Debug for EndgameTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndgameTable")
            .field("material", &self.indexing.material)
            .field("doubtful", &self.doubtful)
            .finish_non_exhaustive()
    }
}

impl EndgameTable {
    /// Creates a table with all cells illegal.
    pub fn empty(indexing: PositionIndexing) -> EndgameTable {
        let cells = || (0..indexing.size()).map(|_| AtomicU8::new(ILLEGAL)).collect();
        EndgameTable { cells: [cells(), cells()], indexing, doubtful: false }
    }

    /// The cell of an index with this side to move.
    #[inline]
    pub fn get(&self, mover: Color, number: usize) -> Cell {
        self.cells[mover][number].load(Ordering::Relaxed)
    }

    /// Sets a cell. Threads may write concurrently, because they write the same value.
    #[inline]
    pub fn set(&self, mover: Color, number: usize, cell: Cell) {
        self.cells[mover][number].store(cell, Ordering::Relaxed);
    }

    /// A range of cells.
    pub(super) fn cells(&self, mover: Color, range: Range<usize>) -> &[AtomicU8] {
        &self.cells[mover][range]
    }

    /// The value of a position for the side to move; `None` for another material.
    pub fn value(&self, position: &Position) -> Option<TableValue> {
        let (material, exchanged) = Material::of(position)?;
        if material != self.indexing.material {
            return None;
        }
        let (pieces, mover) = PiecePlacement::of_position(position, exchanged);
        TableValue::from_cell(self.get(mover, self.indexing.index_of(&pieces)))
    }

    /// Counts the boards with this side to move, both mirror images of each.
    pub fn count(&self, mover: Color, threads: usize) -> TableStats {
        let stride = self.indexing.groups[0].stride;
        let parts = parallel::map_parts(threads, self.indexing.groups[0].base, |digit| {
            let mut count = TableStats::default();
            let start = digit * stride;
            let weight = self.indexing.multiplicity(start);
            for (offset, cell) in self.cells(mover, start..start + stride).iter().enumerate() {
                count.add(cell.load(Ordering::Relaxed), start + offset, weight);
            }
            count
        });
        let mut all = TableStats::default();
        parts.iter().for_each(|part| all.merge(part));
        all
    }
}

/// The table that a capture leads to.
#[derive(Clone, Debug)]
struct SuccessorTable {
    table: Arc<EndgameTable>,
    /// True if the sides are exchanged in that table.
    exchanged: bool,
}

/// The smaller tables of a material, by the captured piece.
#[derive(Clone, Debug, Default)]
pub struct SuccessorTables {
    by_capture: [[Option<SuccessorTable>; 7]; 2],
}

impl SuccessorTables {
    /// Collects the smaller tables of a material with `find`.
    pub fn new<E>(
        material: Material,
        mut find: impl FnMut(Material) -> Result<Arc<EndgameTable>, E>,
    ) -> Result<SuccessorTables, E> {
        let mut successors = SuccessorTables::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                if let Some((smaller, exchanged)) = material.without(color, kind) {
                    successors.by_capture[color][kind] = Some(SuccessorTable { table: find(smaller)?, exchanged });
                }
            }
        }
        Ok(successors)
    }

    /// True if any of the smaller tables has doubtful draws.
    pub(super) fn have_doubtful_draws(&self) -> bool {
        self.by_capture.as_flattened().iter().flatten().any(|successor| successor.table.doubtful)
    }

    /// The value of the position after a capture for the side whose piece was taken, which is to move.
    #[inline]
    pub(super) fn value_after_capture(&self, capture: &TableCapture, loser: Color, kind: PieceKind) -> Cell {
        let Some(successor) = &self.by_capture[loser][kind] else { return DRAW };
        let indexing = &successor.table.indexing;
        if successor.exchanged {
            successor.table.get(!loser, indexing.index_of(&capture.pieces_after.color_flipped()))
        } else {
            successor.table.get(loser, indexing.index_of(&capture.pieces_after))
        }
    }
}

/// The value of a position in one byte.
pub type Cell = u8;

/// The longest distance that a cell can hold.
pub const MAX_DTM: Cell = 248;
/// Only while solving: a candidate for a loss.
pub const CANDIDATE: Cell = 250;
/// No legal position: two pieces on one square, facing kings, or the side not to move in check.
pub const ILLEGAL: Cell = 251;
/// A draw, unless the rules forbid one side to repeat; that side may be either.
pub const DOUBT_BOTH: Cell = 252;
/// A draw, unless the rules forbid the opponent to repeat: then a win.
pub const DOUBT_WIN: Cell = 253;
/// A draw, unless the rules forbid the side to move to repeat: then a loss.
pub const DOUBT_LOSS: Cell = 254;
/// A draw; while solving, also an unknown value.
pub const DRAW: Cell = 255;

/// True for a win of the side to move.
#[inline]
pub const fn is_win(cell: Cell) -> bool {
    cell <= MAX_DTM && cell % 2 == 1
}

/// True for a loss of the side to move.
#[inline]
pub const fn is_loss(cell: Cell) -> bool {
    cell <= MAX_DTM && cell.is_multiple_of(2)
}

/// True for a draw, doubtful or not.
#[inline]
pub const fn is_draw(cell: Cell) -> bool {
    cell >= DOUBT_BOTH
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TableValue {
    /// A win, with the plies to mate.
    Win(u16),
    /// A loss by mate or stalemate, with the plies to it.
    Loss(u16),
    /// A draw under all repetition rules.
    Draw,
    /// A draw that the repetition rules may forbid a side to hold.
    Doubtful,
}

impl TableValue {
    /// The value of a cell; `None` for an illegal position.
    #[inline]
    pub const fn from_cell(cell: Cell) -> Option<TableValue> {
        match cell {
            0..=MAX_DTM if is_win(cell) => Some(TableValue::Win(cell as u16)),
            0..=MAX_DTM => Some(TableValue::Loss(cell as u16)),
            DRAW => Some(TableValue::Draw),
            DOUBT_BOTH..=DOUBT_LOSS => Some(TableValue::Doubtful),
            _ => None,
        }
    }
}
