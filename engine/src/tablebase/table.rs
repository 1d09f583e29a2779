//! A whole table in memory, and the tables that captures lead to.
//!
//! What a table knows of one position with one side to move: a byte.
//!
//! Up to `MAX_DTM` it is the plies to the end of the game, and its parity says who wins: whoever mates does it on a
//! move of his own, so that even numbers are lost and odd ones won for the side to move.

use super::indexing::{PiecePlacement, PositionIndexing};
use super::material::Material;
use super::moves::TableCapture;
use super::parallel;
use crate::board::Position;
use crate::types::{Color, PieceKind};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The cells of all positions of one material.
pub struct EndgameTable {
    /// How positions are numbered.
    pub layout: PositionIndexing,
    /// Some of its draws are doubtful.
    pub doubtful: bool,
    cells: [Vec<AtomicU8>; 2],
}

/// How many boards are won, drawn and lost for one side to move, and the longest of the won or lost ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableStats {
    /// Won for the side to move.
    pub won: u64,
    /// Drawn, doubtful draws among them.
    pub drawn: u64,
    /// Lost for the side to move.
    pub lost: u64,
    /// Draws that a rule of repetition may turn.
    pub doubtful: u64,
    /// The longest win in plies with its number.
    pub longest_win: Option<(u16, u64)>,
    /// The longest loss in plies with its number.
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

    /// Both together; of two longest the first one.
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

impl EndgameTable {
    /// A table of illegal cells.
    pub fn empty(layout: PositionIndexing) -> EndgameTable {
        let cells = || (0..layout.size()).map(|_| AtomicU8::new(ILLEGAL)).collect();
        EndgameTable { cells: [cells(), cells()], layout, doubtful: false }
    }

    /// The cell of a number with this side to move.
    #[inline]
    pub fn get(&self, mover: Color, number: usize) -> Cell {
        self.cells[mover][number].load(Ordering::Relaxed)
    }

    /// Changes a cell. Threads may write at the same time: all that ever write to one cell write the same.
    #[inline]
    pub fn set(&self, mover: Color, number: usize, cell: Cell) {
        self.cells[mover][number].store(cell, Ordering::Relaxed);
    }

    /// A range of cells.
    pub fn cells(&self, mover: Color, range: Range<usize>) -> &[AtomicU8] {
        &self.cells[mover][range]
    }

    /// What the position is worth to the side to move; `None` if it has other material.
    pub fn value(&self, position: &Position) -> Option<TableValue> {
        let (material, exchanged) = Material::of(position)?;
        if material != self.layout.material {
            return None;
        }
        let (men, mover) = PiecePlacement::of_position(position, exchanged);
        TableValue::from_cell(self.get(mover, self.layout.index_of(&men)))
    }

    /// Counts the boards with this side to move, both mirror images of each.
    pub fn count(&self, mover: Color, threads: usize) -> TableStats {
        let stride = self.layout.groups[0].stride;
        let parts = parallel::map_parts(threads, self.layout.groups[0].base, |digit| {
            let mut count = TableStats::default();
            let start = digit * stride;
            let weight = self.layout.multiplicity(start);
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

/// Where a capture leads.
#[derive(Clone)]
struct SuccessorTable {
    table: Arc<EndgameTable>,
    /// The sides change their order there.
    exchanged: bool,
}

/// The smaller tables of a material, by what is taken.
#[derive(Clone, Default)]
pub struct SuccessorTables {
    by_capture: [[Option<SuccessorTable>; 7]; 2],
}

impl SuccessorTables {
    /// Asks for each smaller table.
    pub fn new<E>(
        material: Material,
        mut find: impl FnMut(Material) -> Result<Arc<EndgameTable>, E>,
    ) -> Result<SuccessorTables, E> {
        let mut links = SuccessorTables::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                if let Some((smaller, exchanged)) = material.without(color, kind) {
                    links.by_capture[color][kind] = Some(SuccessorTable { table: find(smaller)?, exchanged });
                }
            }
        }
        Ok(links)
    }

    /// Whether any of the smaller tables has doubtful draws.
    pub fn have_doubtful_draws(&self) -> bool {
        self.by_capture.as_flattened().iter().flatten().any(|link| link.table.doubtful)
    }

    /// What the position after a capture is worth to the side whose piece was taken, which is to move.
    #[inline]
    pub fn value_after_capture(&self, capture: &TableCapture, loser: Color, kind: PieceKind) -> Cell {
        let Some(link) = &self.by_capture[loser][kind] else { return DRAW };
        let layout = &link.table.layout;
        if link.exchanged {
            link.table.get(!loser, layout.index_of(&capture.pieces_after.color_flipped()))
        } else {
            link.table.get(loser, layout.index_of(&capture.pieces_after))
        }
    }
}

/// A byte of a table.
pub type Cell = u8;

/// The longest distance that a byte holds.
pub const MAX_DTM: Cell = 248;
/// While a table is made: won for the opponent after one move at least, perhaps after all.
pub const CANDIDATE: Cell = 250;
/// No position: two pieces on one point, facing kings, or the side that just moved is in check.
pub const ILLEGAL: Cell = 251;
/// A draw, unless repeating is forbidden to somebody; then whoever.
pub const DOUBT_BOTH: Cell = 252;
/// A draw, unless repeating is forbidden to the opponent: then a win.
pub const DOUBT_WIN: Cell = 253;
/// A draw, unless repeating is forbidden to the side to move: then a loss.
pub const DOUBT_LOSS: Cell = 254;
/// A draw; while a table is made, not known yet.
pub const DRAW: Cell = 255;

/// True for the plies to a win of the side to move.
#[inline]
pub const fn is_win(cell: Cell) -> bool {
    cell <= MAX_DTM && cell % 2 == 1
}

/// True for the plies to a loss of the side to move.
#[inline]
pub const fn is_loss(cell: Cell) -> bool {
    cell <= MAX_DTM && cell.is_multiple_of(2)
}

/// True for draws, doubtful ones included.
#[inline]
pub const fn is_draw(cell: Cell) -> bool {
    cell >= DOUBT_BOTH
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TableValue {
    /// Mates in so many plies.
    Win(u16),
    /// Is mated, or left without a move, in so many plies.
    Loss(u16),
    /// A draw whatever the rules of repetition.
    Draw,
    /// A draw if both may repeat; a rule of repetition may forbid it to somebody.
    Doubtful,
}

impl TableValue {
    /// What a cell says; `None` if it is no position.
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
