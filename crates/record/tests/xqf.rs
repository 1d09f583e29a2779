//! XQF: a file built byte by byte, encrypted versions, trees, and errors.

use super::support::{games, moves, shape, tree};
use xiangqi_record::xqf::{read, write};
use xiangqi_record::{Game, GameResult, pgn};

/// The example of the format description: version 10, from the byte after the header.
const EXAMPLE: &str = "2F38 6763 5760 293B 2C4A 2B27 2236 2133 182A 2B2F 2422 276B 606D 336D 5E5E 716F";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: String = hex.chars().filter(|letter| !letter.is_whitespace()).collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect()
}

/// A version 10 header with the pieces of the start position.
fn header() -> Vec<u8> {
    let mut header = vec![0; 1024];
    header[..3].copy_from_slice(b"XQ\x0A");
    let pieces =
        bytes("00 0A 14 1E 28 32 3C 46 50 0C 48 03 17 2B 3F 53 09 13 1D 27 31 3B 45 4F 59 11 4D 06 1A 2E 42 56");
    header[16..48].copy_from_slice(&pieces);
    header
}

fn example() -> Vec<u8> {
    let mut file = header();
    file[51] = 2;
    file.extend(bytes("18 20 F0 FF 00000000"));
    let list: Vec<&str> = EXAMPLE.split(' ').collect();
    for (index, mv) in list.iter().enumerate() {
        file.extend(bytes(mv));
        file.extend(bytes(if index + 1 < list.len() { "F0 00 00000000" } else { "00 00 00000000" }));
    }
    file
}

/// The key bytes of a header.
struct Key {
    mask: u8,
    or: [u8; 4],
    raw: [u8; 4],
}

/// Keys of real headers.
const KEYS: [Key; 3] = [
    Key { mask: 0xFE, or: [0x66, 0xF9, 0x7D, 0x24], raw: [0x2D, 0x75, 0x66, 0xF8] },
    Key { mask: 0xAF, or: [0x9D, 0x12, 0x49, 0x08], raw: [0xA9, 0xA2, 0x40, 0x75] },
    Key { mask: 0xBE, or: [0xE8, 0xD8, 0xBC, 0x84], raw: [0xA5, 0x9C, 0xE7, 0xD8] },
];

/// Encrypts a file as a later version with these keys. Only entries with a comment have a length field.
fn hidden(plain: &[u8], version: u8, key: &Key) -> Vec<u8> {
    let mix = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
    let (mask, or, raw) = (key.mask, key.or, key.raw);
    let [sum, xy, from, to] = raw;
    let piece = mix(xy).wrapping_mul(xy);
    let from_key = mix(from).wrapping_mul(piece);
    let to_key = mix(to).wrapping_mul(from_key);
    let length_key = (u32::from(sum) * 256 + u32::from(xy)) % 32000 + 767;
    let text = b"[(C) Copyright Mr. Dong Shiwei.]";
    let mut file = plain[..1024].to_vec();
    file[2] = version;
    file[3] = mask;
    file[8..12].copy_from_slice(&or);
    file[12..16].copy_from_slice(&raw);
    for slot in 0..32 {
        let place = if version >= 12 { (slot + 64 - 1 - usize::from(piece) % 32) % 32 } else { slot };
        file[16 + place] = plain[16 + slot].wrapping_add(piece);
    }
    let mut at = 1024;
    while at < plain.len() {
        let length = u32::from_le_bytes(plain[at + 4..at + 8].try_into().expect("a length"));
        let tag = plain[at + 2];
        let said = length > 0;
        let tag = if tag & 0xF0 != 0 { 0x80 } else { 0 }
            | if tag & 0x0F != 0 { 0x40 } else { 0 }
            | if said { 0x3F } else { 0x15 };
        let mut record = vec![plain[at].wrapping_add(from_key), plain[at + 1].wrapping_add(to_key), tag, 0xA5];
        if said {
            record.extend((length + length_key).to_le_bytes());
            record.extend(&plain[at + 8..at + 8 + length as usize]);
        }
        for byte in record {
            let index = file.len() % 32;
            file.push(byte.wrapping_add((raw[index % 4] & mask | or[index % 4]) & text[index]));
        }
        at += 8 + length as usize;
    }
    file
}

fn game(file: &[u8]) -> Game {
    let reading = read(file).expect("a start");
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    reading.game
}

#[test]
fn xqf_reads_the_example_of_the_description_and_writes_it_unchanged() {
    let game = game(&example());
    assert_eq!(moves(&game), "c3c4 h9g7 g3g4 b7c7 c0e2 b9a7 b0c2 a9b9 a0b0 b9b5 b2a2 b5h5 h2h7 c7h7 h0g2 i9h9");
    assert_eq!(game.result, GameResult::BlackWins);
    assert_eq!(write(&game).expect("a set of pieces"), example());
}

#[test]
fn xqf_round_trips_through_every_version() {
    for (number, written) in games().into_iter().enumerate() {
        let plain = write(&written).expect("a set of pieces");
        let same = |file: &[u8], version: u8| {
            let read = game(file);
            // The format has no move counters.
            let fen = |game: &Game| game.start().fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert_eq!(fen(&read), fen(&written));
            assert_eq!((tree(&read), read.result), (tree(&written), written.result), "version {version}");
            assert_eq!((read.tag("Red"), read.tag("Event")), (written.tag("Red"), written.tag("Event")));
        };
        same(&plain, 10);
        for version in 11..=18 {
            same(&hidden(&plain, version, &KEYS[(number + usize::from(version)) % 3]), version);
        }
    }
}

#[test]
fn xqf_decrypts_the_board_of_a_real_header() {
    // The seven stars, from an encrypted header of version 18.
    let mut file = header();
    file[..16].copy_from_slice(&bytes("58 51 12 af 00 00 00 00 9d 12 49 08 a9 a2 40 75"));
    let raw = "dd b0 12 c3 f8 62 47 0f 09 c5 0d b9 f3 bb fa fc a9 7d bd b4 96 d0 51 47 f5 b2 43 4e 5a c6 d2 ea";
    file[16..48].copy_from_slice(&bytes(raw));
    file[51] = 3;
    // A root without a comment and without moves, combined with the first characters of the key stream text.
    let or = [0x9D, 0x12, 0x49, 0x08];
    let sum = [0xA9, 0xA2, 0x40, 0x75];
    file.extend((0..4).map(|at| (sum[at] & 0xAF | or[at]) & b"[(C)"[at]));
    let game = game(&file);
    assert_eq!(game.start().fen(), "4rk3/3P5/4bP3/9/9/9/8P/1p2p2C1/3p1p3/4K1RR1 w - - 0 1");
    assert_eq!(game.result, GameResult::Draw);
}

#[test]
fn xqf_keeps_the_order_of_a_real_tree() {
    // Two alternatives at the beginning, each a line of three moves: flags from a real file of version 18.
    let mut plain = header();
    plain.extend(bytes("18 20 F0 FF 00000000"));
    let lines = ["2F38 FF 6763 F0 5760 00", "5760 F0 6763 F0 2F38 00"].join(" ");
    let words: Vec<&str> = lines.split(' ').collect();
    for pair in words.chunks(2) {
        plain.extend(bytes(pair[0]));
        plain.extend(bytes(pair[1]));
        plain.extend(bytes("00 00000000"));
    }
    for file in [plain.clone(), hidden(&plain, 18, &KEYS[0])] {
        assert_eq!(tree(&game(&file)), "c3c4(g3g4 h9g7 c3c4)h9g7 g3g4");
    }
}

#[test]
fn xqf_truncates_long_texts_between_characters() {
    let mut long = game(&example());
    long.set_tag("Red", "楚河汉界楚河汉界楚河");
    long.set_tag("Site", "a楚河汉界楚河汉界");
    let read = game(&write(&long).expect("a set of pieces"));
    assert_eq!((read.tag("Red"), read.tag("Site")), (Some("楚河汉界楚河汉"), Some("a楚河汉界楚河汉")));
}

#[test]
fn xqf_errors_name_their_byte_and_keep_the_rest() {
    let told = |file: &[u8]| match read(file) {
        Ok(reading) => (moves(&reading.game), reading.errors.iter().map(ToString::to_string).collect::<Vec<_>>()),
        Err(fault) => (String::new(), vec![fault.to_string()]),
    };
    let whole = example();
    let (list, faults) = told(&whole[..1024 + 8 * 4 + 3]);
    assert_eq!(list, "c3c4 h9g7 g3g4");
    assert_eq!(faults, ["game 1, byte 1056: the file ends within a move"]);
    let mut illegal = whole.clone();
    illegal[1024 + 8 * 3 + 1] = 0x20;
    let (list, faults) = told(&illegal);
    assert_eq!(list, "c3c4 h9g7");
    assert_eq!(faults, ["game 1, byte 1048: move 2: g3a0 is not legal: a piece of the same side stands on a0"]);
    let mut comment = whole.clone();
    comment[1024 + 4] = 0xFF;
    comment[1024 + 6] = 0xFF;
    assert_eq!(
        told(&comment).1,
        ["game 1, byte 1024: expected a comment that ends within the file, found one of 16711935 bytes"]
    );
    let mut newer = whole.clone();
    newer[2] = 19;
    assert_eq!(told(&newer).1, ["game 1, byte 2: expected a version from 10 to 18, found 19"]);
    assert_eq!(told(&whole[..500]).1, ["game 1, byte 500: expected a header of 1024 bytes, found 500 bytes"]);
    let mut kingless = whole.clone();
    kingless[16 + 4] = 0xFF;
    assert_eq!(told(&kingless).1, ["game 1, byte 16: FEN board: red has no king"]);
}

#[test]
fn xqf_takes_the_side_to_move_from_the_first_move() {
    let text = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b\"]\n\n1... H8+7 2. C2.5 *";
    let black = pgn::read(text).remove(0).expect("a game");
    let mut file = write(&black).expect("a set of pieces");
    file[50] = 0;
    assert_eq!(shape(&game(&file)), shape(&black));
}
