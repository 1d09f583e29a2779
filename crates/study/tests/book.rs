//! Tests of opening books.

mod support;

use chuhe_study::book::{
    Book, BookEntry, ChuheBook, ChuheBookError, EleEyeBook, EleEyeRecord, MemoryBook, collect_reachable, write,
};
use std::borrow::Cow;
use support::{after, random_book};

// Chuhe's own book format.

fn read(bytes: Vec<u8>) -> Result<ChuheBook, ChuheBookError> {
    ChuheBook::read(Cow::Owned(bytes))
}

#[test]
fn book_survives_a_round_trip() {
    for (seed, with_games) in [(1, false), (2, true)] {
        let pages = random_book(seed, with_games);
        let bytes = write(&pages, "made by chance: 随机");
        let book = read(bytes.clone()).expect("a book");
        assert_eq!(collect_reachable(&book).expect("answers always").pages, pages);
        assert_eq!(book.note(), "made by chance: 随机");
        assert_eq!((book.positions(), book.entries()), (pages.len(), pages.entries()));
        assert_eq!(write(&collect_reachable(&book).expect("answers always").pages, book.note()), bytes);
    }
}

#[test]
fn book_answers_like_its_memory_book_in_both_orientations() {
    let pages = random_book(3, true);
    let book = read(write(&pages, "")).expect("a book");
    let mut position = after("");
    let mut answers = 0;
    // Follow the heaviest moves; they may form a cycle.
    while answers < 40 {
        let moves = book.moves(&position).expect("answers always");
        assert_eq!(moves, pages.moves(&position).expect("answers always"));
        let mut images = book.moves(&position.mirrored()).expect("answers always");
        images.iter_mut().for_each(|entry| entry.mv = entry.mv.mirror());
        images.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        assert_eq!(moves, images);
        let Some(first) = moves.first() else { break };
        position.play_unchecked(first.mv);
        answers += 1;
    }
    assert!(answers >= 10, "{answers}");
    assert!(book.moves(&after("a3a4 a6a5 a4a5")).expect("answers always").is_empty());
}

#[test]
fn reader_rejects_other_files_with_a_reason() {
    let bytes = write(&random_book(5, true), "a note");
    assert_eq!(read(vec![0; bytes.len()]).err(), Some(ChuheBookError::NotABook));
    assert_eq!(read(Vec::new()).err(), Some(ChuheBookError::NotABook));
    let mut later = bytes.clone();
    later[8] = 99;
    assert_eq!(read(later).err(), Some(ChuheBookError::Version(99)));
    // Counts that are larger than any file.
    let mut huge = bytes;
    huge[12..20].fill(0xFF);
    assert!(matches!(read(huge).err(), Some(ChuheBookError::Length { .. })));
}

#[test]
fn reader_rejects_inconsistent_files_with_valid_checksum() {
    let resealed = |bytes: Vec<u8>| read(with_checksum(bytes)).err();
    let bytes = write(&random_book(6, false), "");
    let keys = 30;
    let mut swapped = bytes.clone();
    swapped[keys..keys + 16].rotate_left(8);
    assert!(matches!(resealed(swapped), Some(ChuheBookError::Order(_))));
    let positions = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let mut empty = bytes.clone();
    empty[keys + 8 * positions..][..4].fill(0);
    assert!(matches!(resealed(empty), Some(ChuheBookError::Order(_))));
    let mut other = bytes;
    other[20] ^= 1;
    assert_eq!(resealed(other), Some(ChuheBookError::Keys));
}

// Books that were cut or changed, also by somebody who makes the checksum fit.

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
        let _ = collect_reachable(book).expect("answers always").pages;
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
