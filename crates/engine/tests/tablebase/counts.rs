//! Counts of whole tables, computed by another program from the rules alone.

use super::name;
use chuhe_engine::tablebase::{Material, TableBuilder, TableValue};
use xiangqi::{Color, Position};

/// Name; won, drawn and lost positions with the first side to move, and its longest win; the same for the second side,
/// with its longest loss.
type Row = (&'static str, [u64; 3], u16, [u64; 3], u16);

const COUNTS: &[Row] = &[
    ("KNKA", [21_366, 60, 0], 37, [0, 816, 21_990], 38),
    ("KNKB", [7_668, 24_132, 0], 31, [0, 31_904, 2_062], 30),
    ("KPK", [2_394, 432, 0], 19, [0, 546, 2_469], 20),
    ("KRKAABB", [590_094, 129_438, 0], 63, [0, 408_288, 432_474], 64),
    ("KCAKAA", [180_630, 112, 0], 47, [0, 6_301, 182_865], 48),
    ("KPPKAA", [506_694, 83_316, 0], 55, [0, 169_500, 487_212], 56),
    ("KRKR", [139_671, 193_950, 14_400], 9, [139_671, 193_950, 14_400], 10),
    ("KRKN", [346_311, 702, 1_008], 25, [37_476, 3_710, 370_780], 26),
    ("KNAAK", [38_823, 0, 3], 15, [9, 1_028, 40_633], 16),
];

/// Name, the first side's longest win (0 if it never wins), and the share of its wins in hundredths of a percent.
const SHARES: &[(&str, u16, u64)] = &[
    ("KRK", 3, 10_000),
    ("KRKA", 9, 10_000),
    ("KRKB", 11, 10_000),
    ("KRKAA", 19, 10_000),
    ("KRKBB", 23, 10_000),
    ("KRKAB", 15, 10_000),
    ("KRKAAB", 31, 10_000),
    ("KRKABB", 35, 10_000),
    ("KNK", 13, 10_000),
    ("KNKAA", 43, 726),
    ("KNKAB", 43, 908),
    ("KNKBB", 29, 47),
    ("KPKA", 13, 843),
    ("KPKAA", 13, 110),
    ("KPKB", 13, 353),
    ("KPKAB", 9, 23),
    ("KPKBB", 0, 0),
    ("KPKABB", 0, 0),
    ("KCAK", 17, 10_000),
    ("KCAKA", 27, 10_000),
    ("KCAKB", 29, 10_000),
    ("KCAAKAA", 43, 9_994),
    ("KCAKBB", 37, 602),
    ("KCBK", 0, 0),
    ("KCBKB", 0, 0),
    ("KCBKBB", 0, 0),
    ("KPPK", 19, 9_784),
    ("KPPKA", 35, 9_236),
    ("KPPKB", 37, 7_417),
    ("KNKN", 23, 986),
    ("KNKC", 17, 939),
    ("KNKP", 41, 1_633),
    ("KPKP", 21, 428),
    ("KCKC", 0, 0),
    ("KRKC", 15, 10_000),
];

#[test]
fn table_counts_equal_the_known_ones() {
    let mut builder = TableBuilder::new(2);
    for &(text, first, win, second, loss) in COUNTS {
        let table = builder.table(name(text)).expect("short mates");
        let red = table.count(Color::Red, 2);
        let black = table.count(Color::Black, 2);
        assert_eq!([red.won, red.drawn, red.lost], first, "{text}, first side to move");
        assert_eq!([black.won, black.drawn, black.lost], second, "{text}, second side to move");
        assert_eq!(red.longest_win.map(|(plies, _)| plies), Some(win), "{text}, longest win");
        assert_eq!(black.longest_loss.map(|(plies, _)| plies), Some(loss), "{text}, longest loss");
    }
}

#[test]
fn table_shares_and_longest_wins_equal_the_known_ones() {
    let mut builder = TableBuilder::new(2);
    for &(text, longest, share) in SHARES {
        let count = builder.table(name(text)).expect("short mates").count(Color::Red, 2);
        let all = count.won + count.drawn + count.lost;
        assert_eq!(count.longest_win.map_or(0, |(plies, _)| plies), longest, "{text}");
        let percent = (count.won as f64 / all as f64 * 10_000.0).round() as u64;
        assert_eq!(percent, share, "{text}: {} of {all}", count.won);
    }
}

#[test]
fn table_distances_equal_the_known_ones() {
    let mut builder = TableBuilder::new(2);
    for (fen, value) in [
        ("3k1a3/9/5a2b/9/6b2/9/9/9/9/5K1R1 w", TableValue::Win(63)),
        ("3a5/9/4k4/9/9/9/9/9/9/N2K5 w", TableValue::Win(37)),
        ("3k5/9/b8/9/6N2/9/9/9/9/4K4 w", TableValue::Win(31)),
        ("9/4k4/3aCa3/9/9/9/9/9/9/3K1A3 w", TableValue::Win(47)),
        ("4k4/9/9/9/9/9/9/9/4N4/3AKA3 w", TableValue::Loss(0)),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        for seen in [position.clone(), position.mirrored(), position.color_flipped()] {
            let (material, _) = Material::of(&seen).expect("a material");
            let table = builder.table(material).expect("short mates");
            assert_eq!(table.value(&seen), Some(value), "{}", seen.fen());
        }
    }
}
