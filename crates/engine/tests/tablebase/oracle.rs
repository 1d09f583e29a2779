//! The smallest tables, compared position by position with a simple solver: all boards in a map, every move tried on a
//! plain board, and values propagated until nothing changes.

use chuhe_engine::tablebase::{Material, TableBuilder, TableValue};
use chuhe_testing::plain::{Plain, Point, points};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use xiangqi::Position;

type Board = ([[char; 9]; 10], bool);

/// True if a piece of this letter may be set up on the point.
fn can_stand(letter: char, (file, rank): Point) -> bool {
    let rank = if letter.is_ascii_uppercase() { rank } else { 9 - rank };
    let palace = (3..=5).contains(&file) && rank <= 2;
    match letter.to_ascii_uppercase() {
        'K' => palace,
        'A' => palace && (file + rank) % 2 == 1,
        'B' => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        'P' => rank >= 5 || rank >= 3 && file % 2 == 0,
        _ => true,
    }
}

/// Every legal position with these pieces and this side to move.
fn boards(letters: &str, red_to_move: bool) -> Vec<Plain> {
    let mut all = vec![Plain { at: [['.'; 9]; 10], red_to_move, promotion: false }];
    for letter in letters.chars() {
        let mut more = HashMap::new();
        for board in &all {
            for point in points().filter(|&point| board.get(point) == '.' && can_stand(letter, point)) {
                let mut next = board.clone();
                next.set(point, letter);
                more.insert(next.at, next);
            }
        }
        all = more.into_values().collect();
    }
    all.retain(|board| !board.in_check(!red_to_move));
    all
}

/// Adds the won and lost positions with their distances; draws are missing. Solves smaller materials first.
fn solve(letters: &str, known: &mut HashMap<Board, TableValue>) {
    let attackers = |letter: char| "RNCPrncp".contains(letter);
    let is_game = letters.chars().any(attackers);
    let mut open: Vec<(Board, Vec<Board>)> = Vec::new();
    for board in [true, false].into_iter().flat_map(|side| boards(letters, side)) {
        let after = |(from, to): (Point, Point)| board.after(from, to);
        let nexts: Vec<Board> =
            board.legal_moves().into_iter().map(after).map(|next| (next.at, next.red_to_move)).collect();
        if nexts.is_empty() {
            known.insert((board.at, board.red_to_move), TableValue::Loss(0));
        } else if is_game {
            open.push(((board.at, board.red_to_move), nexts));
        }
    }
    for plies in 1.. {
        let before = open.len();
        let mut found = Vec::new();
        open.retain(|(board, nexts)| {
            let value = decided(nexts.iter().map(|next| known.get(next)), plies);
            found.extend(value.map(|value| (*board, value)));
            value.is_none()
        });
        known.extend(found);
        // A capture may give a longer distance than any found so far.
        if open.len() == before && plies > 60 {
            return;
        }
    }
}

/// The value, if its distance is this many plies.
fn decided<'a>(nexts: impl Iterator<Item = Option<&'a TableValue>>, plies: u16) -> Option<TableValue> {
    let mut longest = Some(0);
    for next in nexts {
        match next {
            Some(TableValue::Loss(distance)) if distance + 1 == plies => return Some(TableValue::Win(plies)),
            Some(TableValue::Win(distance)) if *distance < plies => {
                longest = longest.map(|longest: u16| longest.max(*distance));
            }
            _ => longest = None,
        }
    }
    longest.filter(|longest| longest + 1 == plies).map(TableValue::Loss).map(|_| TableValue::Loss(plies))
}

#[test]
fn tables_agree_with_a_plain_solver() {
    let mut builder = TableBuilder::new(2);
    let mut known = HashMap::new();
    for letters in ["Kk", "Kka", "KAk", "KPk", "KNk", "KRk", "KCk", "KPka"] {
        solve(letters, &mut known);
        if letters.to_ascii_uppercase().chars().all(|letter| "KA".contains(letter)) {
            continue;
        }
        let (first, second) = letters.split_at(letters.find('k').expect("a black king"));
        let material: Material = format!("{first}{second}").parse().expect("a name");
        let table = builder.table(material).expect("short mates");
        let mut count = 0;
        for board in [true, false].into_iter().flat_map(|side| boards(letters, side)) {
            let side = if board.red_to_move { 'w' } else { 'b' };
            let fen = format!("{} {side}", board.board_text());
            let position = Position::from_fen(&fen).expect("a position");
            let plain = known.get(&(board.at, board.red_to_move)).copied().unwrap_or(TableValue::Draw);
            assert_eq!(table.value(&position), Some(plain), "{fen}");
            count += 1;
        }
        assert!(count > 2_000, "{letters}: {count} positions");
    }
}

/// A random legal position with these letters.
fn random_position(rng: &mut StdRng, letters: &str) -> Position {
    loop {
        let mut board = Plain { at: [['.'; 9]; 10], red_to_move: rng.random_bool(0.5), promotion: false };
        for letter in letters.chars() {
            let free: Vec<Point> = points().filter(|&p| board.get(p) == '.' && can_stand(letter, p)).collect();
            board.set(*free.choose(rng).expect("room"), letter);
        }
        let side = if board.red_to_move { 'w' } else { 'b' };
        if let Ok(position) = Position::from_fen(&format!("{} {side}", board.board_text())) {
            return position;
        }
    }
}

/// The value of a position from the tables of its successors.
fn from_moves(builder: &mut TableBuilder, position: &Position) -> TableValue {
    let mut best_win: Option<u16> = None;
    let mut longest = Some(0);
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let (material, _) = Material::of(&next).expect("a material");
        let value = builder.table(material).expect("short mates").value(&next).expect("a legal position");
        match value {
            TableValue::Loss(plies) => best_win = Some(best_win.unwrap_or(plies + 1).min(plies + 1)),
            TableValue::Win(plies) => longest = longest.map(|longest: u16| longest.max(plies + 1)),
            TableValue::Draw | TableValue::Doubtful => longest = None,
        }
    }
    match (best_win, longest) {
        (Some(plies), _) => TableValue::Win(plies),
        (None, Some(plies)) => TableValue::Loss(plies),
        (None, None) => TableValue::Draw,
    }
}

#[test]
fn table_values_follow_from_the_moves_of_the_board() {
    let mut builder = TableBuilder::new(2);
    let mut rng = StdRng::seed_from_u64(18);
    for letters in ["KRkn", "KNAkp", "KPPka", "KNNk", "KRkbb", "KCAkab", "KAckp", "Kkrab"] {
        for _ in 0..2_000 {
            let position = random_position(&mut rng, letters);
            let (material, _) = Material::of(&position).expect("a material");
            let table = builder.table(material).expect("short mates");
            let value = match table.value(&position) {
                Some(TableValue::Doubtful) => Some(TableValue::Draw),
                value => value,
            };
            assert_eq!(value, Some(from_moves(&mut builder, &position)), "{}", position.fen());
        }
    }
}
