//! Books that were cut or changed, also by somebody who makes the checksum fit.

use super::support::{after, random_book};
use chuhe_study::book::{
    Book, BookEntry, ChuheBook, ChuheBookError, EleEyeBook, EleEyeRecord, MemoryBook, collect_reachable, write,
};
use std::borrow::Cow;

/// Asks a book about some positions.
fn ask(book: &dyn Book) {
    for moves in ["", "h2e2", "h2e2 h9g7", "b2e2"] {
        let _ = book.moves(&after(moves));
    }
}

/// A book of these bytes answers, or they are refused: says which.
fn try_chuhe(bytes: Vec<u8>) -> bool {
    let read = ChuheBook::read(Cow::Owned(bytes));
    if let Ok(book) = &read {
        ask(book);
        let _ = book.to_memory_book();
    }
    read.is_ok()
}

pub fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.len().checked_sub(4) {
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// A small book.
fn small() -> MemoryBook {
    let mut pages = MemoryBook::default();
    for (moves, mv) in [("", "h2e2"), ("", "g3g4"), ("h2e2", "h9g7"), ("h2e2 h9g7", "h0g2")] {
        *pages.entry(&after(moves), mv.parse().expect("a move")) =
            BookEntry { weight: 7, score: Some(3), ..BookEntry::default() };
    }
    pages
}

#[test]
fn book_is_read_or_refused_wherever_it_is_cut_or_changed() {
    for (pages, step) in [(small(), 1), (random_book(5, true), 97)] {
        let whole = write(&pages, "note");
        for place in (0..whole.len()).step_by(step) {
            assert!(!try_chuhe(whole[..place].to_vec()), "cut after {place} bytes");
            try_chuhe(with_checksum(whole[..place].to_vec()));
            for change in [1, 0x10, 0x80, 0xFF] {
                let mut bytes = whole.clone();
                bytes[place] ^= change;
                assert!(!try_chuhe(bytes.clone()), "byte {place}");
                try_chuhe(with_checksum(bytes));
            }
        }
    }
}

#[test]
fn book_with_a_square_off_the_board_is_refused() {
    let whole = write(&small(), "");
    let moves = after("").legal_moves();
    let written: Vec<u16> = moves.iter().copied().map(|mv| mv.bits()).collect();
    let is_move = |at: usize| written.contains(&u16::from_le_bytes([whole[at], whole[at + 1]]));
    let place = (whole.len() / 2..whole.len() - 2).find(|&at| is_move(at)).expect("a move of the start position");
    for square in [0x00, 0x0F, 0x3C, 0xD3, 0xFF] {
        let mut bytes = whole.clone();
        bytes[place] = square;
        let refused = ChuheBook::read(Cow::Owned(with_checksum(bytes)));
        assert!(matches!(refused, Err(ChuheBookError::Order(_))), "{square:02x}");
    }
}

#[test]
fn book_of_eleeye_is_read_or_refused_wherever_it_is_cut_or_changed() {
    let records = (0..20).map(|number| EleEyeRecord { lock: number, bits: 0x5A5B, weight: 1 }).collect();
    let whole = EleEyeBook::from_records(records).write();
    for place in 0..whole.len() {
        for bytes in [whole[..place].to_vec(), [&whole[..place], &[0xFF], &whole[place + 1..]].concat()] {
            if let Ok(book) = EleEyeBook::read(&bytes) {
                ask(&book);
                let _ = collect_reachable(&book);
            }
        }
    }
}
