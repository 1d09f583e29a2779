//! Which draws hold under every rule of repetition.
//!
//! A table is made as if repeating were always allowed. Its wins and losses are true under any rules, for their lines never
//! repeat. A draw can only be wrong if a side has to check or chase with every move to hold it. So for each side,
//! the holder, the largest set of drawn positions is taken in which every move that holds the draw is quiet, checks or
//! newly attacks something, and stays in the set, and in which the other side has a quiet move that stays in it. If there
//! is no such position, here and in all smaller tables, the holder can slip an idle move into every cycle, and no
//! rule of repetition changes anything (the rule-tolerant test of Fang, Hsu and Hsu, 2004).
//!
//! If there are some, every draw from which the other side can bring them about is marked as doubtful.

use super::parallel;
use super::table::{DOUBT_BOTH, DOUBT_LOSS, DOUBT_WIN, DRAW, EndgameTable, SuccessorTables, is_draw};
use super::table_board::{MAX_PIECES, TableBoard};
use crate::types::{Color, PieceKind, Square};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cells that one thread takes at a time.
const PART_CELLS: usize = 64 * 1024;

/// Numbers of positions, as bits that many threads may set and clear.
struct PositionBitset(Vec<AtomicU64>);

impl PositionBitset {
    fn new(size: usize) -> PositionBitset {
        PositionBitset((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn contains(&self, number: usize) -> bool {
        self.0[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 != 0
    }

    /// False if it was there already.
    fn insert(&self, number: usize) -> bool {
        let bit = 1u64 << (number % 64);
        self.0[number / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn remove(&self, number: usize) {
        self.0[number / 64].fetch_and(!(1u64 << (number % 64)), Ordering::Relaxed);
    }

    fn list(&self) -> Vec<usize> {
        let words = self.0.iter().enumerate();
        words
            .flat_map(|(index, word)| {
                let word = word.load(Ordering::Relaxed);
                (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit)
            })
            .collect()
    }
}

/// Marks the draws of a finished table that a rule of repetition may turn.
pub fn mark_doubtful_draws(table: &mut EndgameTable, links: &SuccessorTables, threads: usize) {
    if !table.layout.material.has_attackers() {
        return;
    }
    let doubts = Color::ALL.map(|holder| ToleranceTest { table, links, threads, holder }.doubts());
    let [red, black] = &doubts;
    if red.is_none() && black.is_none() {
        return;
    }
    // By holder: positions with it to move that it may lose, and with the other to move that that may win.
    let marked = |holder: &Option<[PositionBitset; 2]>, mover: Color, number: usize| {
        holder.as_ref().is_some_and(|numbers| numbers[mover].contains(number))
    };
    for mover in Color::ALL {
        for number in 0..table.layout.size() {
            let (loses, wins) = match mover {
                Color::Red => (marked(red, mover, number), marked(black, mover, number)),
                Color::Black => (marked(black, mover, number), marked(red, mover, number)),
            };
            let cell = match (loses, wins) {
                (true, true) => DOUBT_BOTH,
                (true, false) => DOUBT_LOSS,
                (false, true) => DOUBT_WIN,
                (false, false) => continue,
            };
            table.set(mover, number, cell);
        }
    }
    table.doubtful = true;
}

/// The test for one side that holds draws.
struct ToleranceTest<'a> {
    table: &'a EndgameTable,
    links: &'a SuccessorTables,
    threads: usize,
    holder: Color,
}

impl ToleranceTest<'_> {
    /// The doubtful positions by side to move; `None` if there are none.
    fn doubts(&self) -> Option<[PositionBitset; 2]> {
        let bound = self.draws_without_idle_move();
        self.shrink_to_fixpoint(&bound);
        let seeds = bound.list();
        if seeds.is_empty() && !self.links.have_doubtful_draws() {
            return None;
        }
        let doubts = [PositionBitset::new(self.table.layout.size()), PositionBitset::new(self.table.layout.size())];
        self.propagate_doubt(&doubts, seeds);
        doubts.iter().any(|numbers| !numbers.list().is_empty()).then_some(doubts)
    }

    /// Shows every drawn position with this side to move.
    fn for_each_drawn(&self, mover: Color, visit: impl Fn(&mut TableBoard) + Sync) {
        let size = self.table.layout.size();
        parallel::for_each_part(
            self.threads,
            size.div_ceil(PART_CELLS),
            || TableBoard::new(&self.table.layout),
            |cursor, part| {
                let range = part * PART_CELLS..((part + 1) * PART_CELLS).min(size);
                for (offset, cell) in self.table.cells(mover, range.clone()).iter().enumerate() {
                    if is_draw(cell.load(Ordering::Relaxed)) && cursor.seek(range.start + offset) {
                        visit(cursor);
                    }
                }
            },
        );
    }

    /// Draws of the holder in which no idle move and no capture holds.
    fn draws_without_idle_move(&self) -> PositionBitset {
        let bound = PositionBitset::new(self.table.layout.size());
        self.for_each_drawn(self.holder, |cursor| {
            if !self.has_idle_move(cursor) {
                bound.insert(cursor.index());
            }
        });
        bound
    }

    fn has_idle_move(&self, cursor: &mut TableBoard) -> bool {
        // Mostly the first few moves of the court will do.
        for most in [2, 128] {
            let mut moves = [(0, Square(0)); 128];
            let mut count = 0;
            cursor.visit_quiet_moves::<false>(self.holder, |after, piece, to| {
                if is_draw(self.table.get(!self.holder, after)) {
                    moves[count & 127] = (piece, to);
                    count += 1;
                }
                count == most
            });
            if moves[..count].iter().any(|&(piece, to)| cursor.is_idle_move(piece, to)) {
                return true;
            }
            if count < most {
                break;
            }
        }
        let kinds = cursor.kinds();
        let mut escapes = false;
        cursor.visit_captures(self.holder, |capture| {
            let after = self.links.value_after_capture(&capture, !self.holder, kinds[capture.victim]);
            escapes |= after == DRAW || after == DOUBT_LOSS;
            escapes
        });
        escapes
    }

    /// Takes positions out until every move that holds stays in the set, whatever the other side does.
    fn shrink_to_fixpoint(&self, bound: &PositionBitset) {
        loop {
            let list = bound.list();
            let changed = AtomicBool::new(false);
            let tools = || (TableBoard::new(&self.table.layout), TableBoard::new(&self.table.layout));
            parallel::for_each_part(self.threads, list.len().div_ceil(64), tools, |(cursor, other), part| {
                for &number in &list[part * 64..list.len().min(part * 64 + 64)] {
                    cursor.seek(number);
                    let leaves = cursor.visit_quiet_moves::<false>(self.holder, |after, _, _| {
                        is_draw(self.table.get(!self.holder, after))
                            && !(other.seek(after)
                                && other.visit_quiet_moves::<false>(!self.holder, |back, _, _| bound.contains(back)))
                    });
                    if leaves {
                        bound.remove(number);
                        changed.store(true, Ordering::Relaxed);
                    }
                }
            });
            if !changed.into_inner() {
                return;
            }
        }
    }

    /// Everything from which the other side can bring a doubtful position about.
    fn propagate_doubt(&self, doubts: &[PositionBitset; 2], seeds: Vec<usize>) {
        let mut open: Vec<(Color, usize)> = Vec::new();
        for number in seeds {
            doubts[self.holder].insert(number);
            open.push((self.holder, number));
        }
        if self.links.have_doubtful_draws() {
            open.extend(self.doubtful_captures(doubts));
        }
        let mut cursor = TableBoard::new(&self.table.layout);
        let mut other = TableBoard::new(&self.table.layout);
        while let Some((mover, number)) = open.pop() {
            cursor.seek(number);
            cursor.visit_quiet_moves::<true>(!mover, |before, _, _| {
                let doubtful = is_draw(self.table.get(!mover, before))
                    && !doubts[!mover].contains(before)
                    && (mover == self.holder || other.seek(before) && self.has_only_doubtful_draws(&mut other, doubts));
                if doubtful && doubts[!mover].insert(before) {
                    open.push((!mover, before));
                }
                false
            });
        }
    }

    /// Draws that are doubtful because of captures.
    fn doubtful_captures(&self, doubts: &[PositionBitset; 2]) -> Vec<(Color, usize)> {
        let other = !self.holder;
        let found = Mutex::new(Vec::new());
        let note = |mover: Color, number: usize| {
            if doubts[mover].insert(number) {
                found.lock().expect("no worker panics").push((mover, number));
            }
        };
        self.for_each_drawn(other, |cursor| {
            let kinds = cursor.kinds();
            let mut doubtful = false;
            cursor.visit_captures(other, |capture| {
                let after = self.links.value_after_capture(&capture, self.holder, kinds[capture.victim]);
                doubtful |= after == DOUBT_LOSS || after == DOUBT_BOTH;
                doubtful
            });
            if doubtful {
                note(other, cursor.index());
            }
        });
        self.for_each_drawn(self.holder, |cursor| {
            let number = cursor.index();
            if self.has_only_doubtful_draws(cursor, doubts) {
                note(self.holder, number);
            }
        });
        found.into_inner().expect("no worker panics")
    }

    /// Whether every move of the holder that draws is doubtful.
    fn has_only_doubtful_draws(&self, cursor: &mut TableBoard, doubts: &[PositionBitset; 2]) -> bool {
        let other = !self.holder;
        let leaves = cursor.visit_quiet_moves::<false>(self.holder, |after, _, _| {
            is_draw(self.table.get(other, after)) && !doubts[other].contains(after)
        });
        if leaves {
            return false;
        }
        let kinds = cursor.kinds();
        let mut bound = true;
        cursor.visit_captures(self.holder, |capture| {
            let after = self.links.value_after_capture(&capture, other, kinds[capture.victim]);
            bound &= !(after == DRAW || after == DOUBT_LOSS);
            !bound
        });
        bound
    }
}

/// What each piece threatens to take: a bit for each victim.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct ThreatMasks([u16; MAX_PIECES]);

impl TableBoard<'_> {
    /// Captures that this side could make now with rook, horse, cannon, advisor or bishop, of anything but the king and
    /// pawns that have not crossed the river.
    fn threats(&mut self, color: Color) -> ThreatMasks {
        let mut threats = ThreatMasks::default();
        for slot in 0..self.pieces_of_side[color].len() {
            let piece = usize::from(self.pieces_of_side[color][slot]);
            if matches!(self.kinds[piece], PieceKind::King | PieceKind::Pawn) {
                continue;
            }
            for other in 0..self.pieces_of_side[!color].len() {
                let victim = usize::from(self.pieces_of_side[!color][other]);
                let to = self.squares[victim];
                if self.attacks_square_of(piece, to)
                    && self.counts_as_victim(victim)
                    && self.is_legal_capture(piece, to)
                {
                    threats.0[piece] |= 1 << victim;
                }
            }
        }
        threats
    }

    fn counts_as_victim(&self, piece: usize) -> bool {
        match self.kinds[piece] {
            PieceKind::King => false,
            PieceKind::Pawn => !self.squares[piece].is_home(self.colors[piece]),
            _ => true,
        }
    }

    /// True if this quiet move neither checks nor makes a threat, be it by taking protection away.
    fn is_idle_move(&mut self, piece: usize, to: Square) -> bool {
        let color = self.colors[piece];
        let from = self.squares[piece];
        self.move_piece(piece, to);
        let mut idle = !self.in_check(!color, None);
        let now = if idle { self.threats(color) } else { ThreatMasks::default() };
        if now != ThreatMasks::default() {
            self.move_piece(piece, from);
            let before = self.threats(color);
            self.move_piece(piece, to);
            for hunter in 0..MAX_PIECES {
                idle &= now.0[hunter] & !before.0[hunter] == 0;
                for victim in (0..MAX_PIECES).filter(|victim| now.0[hunter] >> victim & 1 != 0) {
                    if idle && !self.is_protected(hunter, victim) {
                        self.move_piece(piece, from);
                        idle = !self.is_protected(hunter, victim);
                        self.move_piece(piece, to);
                    }
                }
            }
        }
        self.move_piece(piece, from);
        idle
    }

    /// Whether whoever takes this piece can be taken.
    fn is_protected(&mut self, hunter: usize, victim: usize) -> bool {
        let (to, side) = (self.squares[victim], self.colors[victim]);
        let seen = self.with_capture(hunter, to, |cursor, victim| {
            (0..cursor.pieces_of_side[side].len()).any(|slot| {
                let friend = usize::from(cursor.pieces_of_side[side][slot]);
                friend != victim && cursor.attacks_square_of(friend, to) && cursor.is_legal_capture(friend, to)
            })
        });
        seen.unwrap_or(false)
    }
}
