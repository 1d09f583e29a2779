//! A whole table in memory, and the tables that captures lead to.

use super::cell::{self, Cell, ILLEGAL, LONGEST, Value};
use super::layout::{Layout, Men};
use super::material::Material;
use super::moves::Capture;
use super::parallel;
use crate::board::Position;
use crate::types::{Color, PieceKind};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The cells of all positions of one material.
pub struct Table {
    /// How positions are numbered.
    pub layout: Layout,
    /// Some of its draws are doubtful.
    pub doubtful: bool,
    cells: [Vec<AtomicU8>; 2],
}

/// How many boards are won, drawn and lost for one side to move, and the longest of the won or lost ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
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

impl Count {
    fn add(&mut self, cell: Cell, number: usize, weight: u64) {
        let longer = |longest: &mut Option<(u16, u64)>| {
            if longest.is_none_or(|(plies, _)| plies < u16::from(cell)) {
                *longest = Some((cell.into(), number as u64));
            }
        };
        match cell {
            ILLEGAL => {}
            0..=LONGEST if cell::is_win(cell) => {
                self.won += weight;
                longer(&mut self.longest_win);
            }
            0..=LONGEST => {
                self.lost += weight;
                longer(&mut self.longest_loss);
            }
            _ => {
                self.drawn += weight;
                self.doubtful += if cell == cell::DRAW { 0 } else { weight };
            }
        }
    }

    /// Both together; of two longest the first one.
    fn join(&mut self, later: &Count) {
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

impl Table {
    /// A table of illegal cells.
    pub fn empty(layout: Layout) -> Table {
        let cells = || (0..layout.size()).map(|_| AtomicU8::new(ILLEGAL)).collect();
        Table { cells: [cells(), cells()], layout, doubtful: false }
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
    pub fn value(&self, position: &Position) -> Option<Value> {
        let (material, exchanged) = Material::of(position)?;
        if material != self.layout.material {
            return None;
        }
        let (men, mover) = Men::of_position(position, exchanged);
        Value::of(self.get(mover, self.layout.number(&men)))
    }

    /// Counts the boards with this side to move, both mirror images of each.
    pub fn count(&self, mover: Color, threads: usize) -> Count {
        let stride = self.layout.groups[0].stride;
        let parts = parallel::collect(threads, self.layout.groups[0].base, |digit| {
            let mut count = Count::default();
            let start = digit * stride;
            let weight = self.layout.weight(start);
            for (offset, cell) in self.cells(mover, start..start + stride).iter().enumerate() {
                count.add(cell.load(Ordering::Relaxed), start + offset, weight);
            }
            count
        });
        let mut all = Count::default();
        parts.iter().for_each(|part| all.join(part));
        all
    }
}

/// Where a capture leads.
#[derive(Clone)]
struct Link {
    table: Arc<Table>,
    /// The sides change their order there.
    exchanged: bool,
}

/// The smaller tables of a material, by what is taken.
#[derive(Clone, Default)]
pub struct Links {
    links: [[Option<Link>; 7]; 2],
}

impl Links {
    /// Asks for each smaller table.
    pub fn new<E>(
        material: Material,
        mut find: impl FnMut(Material) -> Result<Arc<Table>, E>,
    ) -> Result<Links, E> {
        let mut links = Links::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                if let Some((smaller, exchanged)) = material.without(color, kind) {
                    links.links[color][kind] = Some(Link { table: find(smaller)?, exchanged });
                }
            }
        }
        Ok(links)
    }

    /// Whether any of the smaller tables has doubtful draws.
    pub fn are_doubtful(&self) -> bool {
        self.links.as_flattened().iter().flatten().any(|link| link.table.doubtful)
    }

    /// What the position after a capture is worth to the side whose piece was taken, which is to move.
    #[inline]
    pub fn after(&self, capture: &Capture, loser: Color, kind: PieceKind) -> Cell {
        let Some(link) = &self.links[loser][kind] else { return cell::DRAW };
        let layout = &link.table.layout;
        if link.exchanged {
            link.table.get(!loser, layout.number(&capture.men.exchanged()))
        } else {
            link.table.get(loser, layout.number(&capture.men))
        }
    }
}
