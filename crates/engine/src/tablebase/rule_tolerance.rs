//! The rule tolerance test: which draws hold under all repetition rules (after Fang, Hsu and Hsu, 2004).
//!
//! A table is solved as if repetition were always allowed. Its wins and losses are correct under all rules, because
//! their lines never repeat. A draw can be wrong only if a side must check or chase with every move to hold it. For
//! each side, the holder, the test computes the largest set of drawn positions in which every quiet move that holds the
//! draw checks or newly attacks something, and the other side has a quiet move that stays in the set. If that set is
//! empty, here and in all smaller tables, the holder can play an idle move in every cycle, and all draws hold.
//!
//! Otherwise every draw from which the other side can force a position of the set is marked as doubtful.

use super::parallel;
use super::table::{DOUBT_BOTH, DOUBT_LOSS, DOUBT_WIN, DRAW, EndgameTable, SuccessorTables, is_draw};
use super::table_board::{MAX_PIECES, TableBoard};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use xiangqi::{Color, PieceKind, Square};

/// The cells of one unit of parallel work.
const PART_CELLS: usize = 64 * 1024;

/// A set of position indices that threads can change concurrently.
struct PositionBitset(Vec<AtomicU64>);

impl PositionBitset {
    fn new(size: usize) -> PositionBitset {
        PositionBitset((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn contains(&self, number: usize) -> bool {
        self.0[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 != 0
    }

    /// Returns false if the position was in the set.
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

/// Marks the draws of a solved table that the repetition rules may change.
pub fn mark_doubtful_draws(table: &mut EndgameTable, successors: &SuccessorTables, threads: usize) {
    if !table.indexing.material.has_attackers() {
        return;
    }
    let doubts = Color::ALL.map(|holder| ToleranceTest { table, successors, threads, holder }.doubts());
    let [red, black] = &doubts;
    if red.is_none() && black.is_none() {
        return;
    }
    // By holder: positions that the holder to move may lose, and positions that the other side to move may win.
    let marked = |holder: &Option<[PositionBitset; 2]>, mover: Color, number: usize| {
        holder.as_ref().is_some_and(|numbers| numbers[mover].contains(number))
    };
    for mover in Color::ALL {
        for number in 0..table.indexing.size() {
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

/// The test of one side that holds draws.
struct ToleranceTest<'a> {
    table: &'a EndgameTable,
    successors: &'a SuccessorTables,
    threads: usize,
    holder: Color,
}

impl ToleranceTest<'_> {
    /// The doubtful positions by side to move; `None` if there are none.
    fn doubts(&self) -> Option<[PositionBitset; 2]> {
        let bound = self.draws_without_idle_move();
        self.shrink_to_fixpoint(&bound);
        let seeds = bound.list();
        if seeds.is_empty() && !self.successors.have_doubtful_draws() {
            return None;
        }
        let doubts = [PositionBitset::new(self.table.indexing.size()), PositionBitset::new(self.table.indexing.size())];
        self.propagate_doubt(&doubts, seeds);
        doubts.iter().any(|numbers| !numbers.list().is_empty()).then_some(doubts)
    }

    /// Visits every drawn position with this side to move.
    fn for_each_drawn(&self, mover: Color, visit: impl Fn(&mut TableBoard) + Sync) {
        let size = self.table.indexing.size();
        parallel::for_each_part(
            self.threads,
            size.div_ceil(PART_CELLS),
            || TableBoard::new(&self.table.indexing),
            |board, part| {
                let range = part * PART_CELLS..((part + 1) * PART_CELLS).min(size);
                for (offset, cell) in self.table.cells(mover, range.clone()).iter().enumerate() {
                    if is_draw(cell.load(Ordering::Relaxed)) && board.seek(range.start + offset) {
                        visit(board);
                    }
                }
            },
        );
    }

    /// Drawn positions of the holder without an idle move or a capture that holds.
    fn draws_without_idle_move(&self) -> PositionBitset {
        let bound = PositionBitset::new(self.table.indexing.size());
        self.for_each_drawn(self.holder, |board| {
            if !self.has_idle_move(board) {
                bound.insert(board.index());
            }
        });
        bound
    }

    fn has_idle_move(&self, board: &mut TableBoard) -> bool {
        // Usually one of the first moves of the king group is idle.
        for most in [2, 128] {
            let mut moves = [(0, Square::new(0, 0)); 128];
            let mut count = 0;
            board.visit_quiet_moves::<false>(self.holder, |after, piece, to| {
                if is_draw(self.table.get(!self.holder, after)) {
                    moves[count & 127] = (piece, to);
                    count += 1;
                }
                count == most
            });
            if moves[..count].iter().any(|&(piece, to)| board.is_idle_move(piece, to)) {
                return true;
            }
            if count < most {
                break;
            }
        }
        let kinds = board.kinds();
        let mut holds = false;
        board.visit_captures(self.holder, |capture| {
            let after = self.successors.value_after_capture(&capture, !self.holder, kinds[capture.victim]);
            holds |= after == DRAW || after == DOUBT_LOSS;
            holds
        });
        holds
    }

    /// Removes positions until the other side can answer every holding move within the set.
    fn shrink_to_fixpoint(&self, bound: &PositionBitset) {
        loop {
            let list = bound.list();
            let changed = AtomicBool::new(false);
            let tools = || (TableBoard::new(&self.table.indexing), TableBoard::new(&self.table.indexing));
            parallel::for_each_part(self.threads, list.len().div_ceil(64), tools, |(board, other), part| {
                for &number in &list[part * 64..list.len().min(part * 64 + 64)] {
                    board.seek(number);
                    let leaves = board.visit_quiet_moves::<false>(self.holder, |after, _, _| {
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

    /// Marks every draw from which the other side can force a doubtful position.
    fn propagate_doubt(&self, doubts: &[PositionBitset; 2], seeds: Vec<usize>) {
        let mut open: Vec<(Color, usize)> = Vec::new();
        for number in seeds {
            doubts[self.holder].insert(number);
            open.push((self.holder, number));
        }
        if self.successors.have_doubtful_draws() {
            open.extend(self.doubtful_captures(doubts));
        }
        let mut board = TableBoard::new(&self.table.indexing);
        let mut other = TableBoard::new(&self.table.indexing);
        while let Some((mover, number)) = open.pop() {
            board.seek(number);
            board.visit_quiet_moves::<true>(!mover, |before, _, _| {
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
        self.for_each_drawn(other, |board| {
            let kinds = board.kinds();
            let mut doubtful = false;
            board.visit_captures(other, |capture| {
                let after = self.successors.value_after_capture(&capture, self.holder, kinds[capture.victim]);
                doubtful |= after == DOUBT_LOSS || after == DOUBT_BOTH;
                doubtful
            });
            if doubtful {
                note(other, board.index());
            }
        });
        self.for_each_drawn(self.holder, |board| {
            let number = board.index();
            if self.has_only_doubtful_draws(board, doubts) {
                note(self.holder, number);
            }
        });
        found.into_inner().expect("no worker panics")
    }

    /// True if every move of the holder that draws is doubtful.
    fn has_only_doubtful_draws(&self, board: &mut TableBoard, doubts: &[PositionBitset; 2]) -> bool {
        let other = !self.holder;
        let leaves = board.visit_quiet_moves::<false>(self.holder, |after, _, _| {
            is_draw(self.table.get(other, after)) && !doubts[other].contains(after)
        });
        if leaves {
            return false;
        }
        let kinds = board.kinds();
        let mut bound = true;
        board.visit_captures(self.holder, |capture| {
            let after = self.successors.value_after_capture(&capture, other, kinds[capture.victim]);
            bound &= !(after == DRAW || after == DOUBT_LOSS);
            !bound
        });
        bound
    }
}

/// The threats of each piece, one bit per victim.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct ThreatMasks([u16; MAX_PIECES]);

impl TableBoard<'_> {
    /// The captures that this side could make with rook, horse, cannon, advisor or bishop, of anything but the king and
    /// uncrossed pawns.
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

    /// True if this quiet move neither checks nor makes a threat, even by removing a protection.
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
            for attacker in 0..MAX_PIECES {
                idle &= now.0[attacker] & !before.0[attacker] == 0;
                for victim in (0..MAX_PIECES).filter(|victim| now.0[attacker] >> victim & 1 != 0) {
                    if idle && !self.is_protected(attacker, victim) {
                        self.move_piece(piece, from);
                        idle = !self.is_protected(attacker, victim);
                        self.move_piece(piece, to);
                    }
                }
            }
        }
        self.move_piece(piece, from);
        idle
    }

    /// True if a capture of this victim can be answered by taking back.
    fn is_protected(&mut self, attacker: usize, victim: usize) -> bool {
        let (to, side) = (self.squares[victim], self.colors[victim]);
        let answered = self.with_capture(attacker, to, |board, victim| {
            (0..board.pieces_of_side[side].len()).any(|slot| {
                let friend = usize::from(board.pieces_of_side[side][slot]);
                friend != victim && board.attacks_square_of(friend, to) && board.is_legal_capture(friend, to)
            })
        });
        answered.unwrap_or(false)
    }
}
