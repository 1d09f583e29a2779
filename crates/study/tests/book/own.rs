//! Chuhe's own book format.

use super::hostile::with_checksum;
use super::support::{after, random_book};
use chuhe_study::book::{Book, ChuheBook, ChuheBookError, write};
use std::borrow::Cow;

fn read(bytes: Vec<u8>) -> Result<ChuheBook, ChuheBookError> {
    ChuheBook::read(Cow::Owned(bytes))
}

#[test]
fn book_survives_a_round_trip() {
    for (seed, with_games) in [(1, false), (2, true)] {
        let pages = random_book(seed, with_games);
        let bytes = write(&pages, "made by chance: 随机");
        let book = read(bytes.clone()).expect("a book");
        assert_eq!(book.to_memory_book(), pages);
        assert_eq!(book.note(), "made by chance: 随机");
        assert_eq!((book.positions(), book.entries()), (pages.len(), pages.entries()));
        assert_eq!(write(&book.to_memory_book(), book.note()), bytes);
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
