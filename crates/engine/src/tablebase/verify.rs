//! Verification of a table: derives every value again from its successors.

use super::parallel;
use super::table::{DRAW, EndgameTable, ILLEGAL, MAX_DTM, SuccessorTables, is_draw, is_loss, is_win};
use super::table_board::TableBoard;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use xiangqi::{Color, Square};

/// The cells of one unit of parallel work.
const PART_CELLS: usize = 64 * 1024;

/// The result of a verification.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The number of legal positions checked.
    pub checked: u64,
    /// The number of positions whose value does not follow from their successors.
    pub wrong: u64,
    /// One of them: the FEN, the cell, and the expected cell.
    pub example: Option<(String, u8, u8)>,
}

/// Verifies every `step`-th index of a table.
pub fn verify(table: &EndgameTable, successors: &SuccessorTables, threads: usize, step: usize) -> VerifyReport {
    let (checked, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    let example = Mutex::new(None);
    let size = table.indexing.size();
    parallel::for_each_part(
        threads,
        size.div_ceil(PART_CELLS),
        || TableBoard::new(&table.indexing),
        |board, part| {
            let range = part * PART_CELLS..((part + 1) * PART_CELLS).min(size);
            for number in range.step_by(step.max(1)) {
                let there = board.seek(number) && !board.kings_face();
                for mover in Color::ALL {
                    let cell = table.get(mover, number);
                    let legal = there && !board.in_check(!mover, None);
                    let right = if legal { derived_value(table, successors, board, mover) } else { ILLEGAL };
                    checked.fetch_add(u64::from(legal), Ordering::Relaxed);
                    let holds = cell == right || is_draw(cell) && right == DRAW;
                    if !holds {
                        wrong.fetch_add(1, Ordering::Relaxed);
                        let fen = board.fen(mover);
                        example.lock().expect("no worker panics").get_or_insert((fen, cell, right));
                    }
                }
            }
        },
    );
    VerifyReport {
        checked: checked.into_inner(),
        wrong: wrong.into_inner(),
        example: example.into_inner().expect("no worker panics"),
    }
}

/// The value of a position from its successors; all draws are equal.
fn derived_value(table: &EndgameTable, successors: &SuccessorTables, board: &mut TableBoard, mover: Color) -> u8 {
    let is_game = table.indexing.material.has_attackers();
    let (mut win, mut loss, mut holds) = (ILLEGAL, 0, false);
    let mut see = |after: u8| {
        if is_loss(after) {
            win = win.min(after + 1);
        } else if is_win(after) {
            loss = loss.max(after + 1);
        } else {
            holds = true;
        }
    };
    board.visit_quiet_moves::<false>(mover, |after, _, _| {
        let cell = table.get(!mover, after);
        if cell != ILLEGAL {
            see(if is_game { cell } else { DRAW });
        }
        false
    });
    let kinds = board.kinds();
    board.visit_captures(mover, |capture| {
        see(if is_game { successors.value_after_capture(&capture, !mover, kinds[capture.victim]) } else { DRAW });
        false
    });
    if win <= MAX_DTM {
        win
    } else if holds {
        DRAW
    } else {
        loss
    }
}

impl TableBoard<'_> {
    /// The position as FEN, with the stronger side in red.
    pub fn fen(&self, mover: Color) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            let mut empty = 0;
            for file in 0..9 {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(xiangqi::Piece::new(self.colors[piece], self.kinds[piece]).letter());
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(if mover == Color::Red { 'w' } else { 'b' });
        text
    }
}

impl EndgameTable {
    /// The position of an index as FEN.
    pub fn fen(&self, mover: Color, number: u64) -> Option<String> {
        fen_of_index(&self.indexing, mover, number)
    }
}

/// The position of an index as FEN; `None` for an illegal one.
pub fn fen_of_index(indexing: &super::indexing::PositionIndexing, mover: Color, number: u64) -> Option<String> {
    let number = usize::try_from(number).ok().filter(|number| *number < indexing.size())?;
    let mut board = TableBoard::new(indexing);
    board.seek(number).then(|| board.fen(mover))
}
