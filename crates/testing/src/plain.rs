//! A slow and simple implementation of the rules on an array of letters, as a reference for the fast board.

use xiangqi::Position;

/// A point of the board as (file, rank), red at the bottom.
pub type Point = (i32, i32);

/// A board as FEN letters, upper case for red, `.` for empty; `at[rank][file]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plain {
    pub at: [[char; 9]; 10],
    pub red_to_move: bool,
    pub promotion: bool,
}

const ORTHOGONAL: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

pub fn plus(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

pub fn points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

fn on_board((file, rank): Point) -> bool {
    (0..9).contains(&file) && (0..10).contains(&rank)
}

fn at_home(red: bool, (_, rank): Point) -> bool {
    if red { rank <= 4 } else { rank >= 5 }
}

fn in_palace(red: bool, (file, rank): Point) -> bool {
    (3..=5).contains(&file) && if red { (0..=2).contains(&rank) } else { (7..=9).contains(&rank) }
}

/// The name of a point: `h2` for (7, 2).
pub fn point_name((file, rank): Point) -> String {
    format!("{}{rank}", (b'a' + file as u8) as char)
}

/// The name of a move, such as `h2e2`.
pub fn move_name(from: Point, to: Point) -> String {
    point_name(from) + &point_name(to)
}

impl Plain {
    /// Copies the letters of a position.
    pub fn of(position: &Position) -> Plain {
        let fen = position.fen();
        let mut fields = fen.split(' ');
        let mut at = [['.'; 9]; 10];
        for (index, text) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(count) => file += count as usize,
                    None => {
                        at[9 - index][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        Plain { at, red_to_move: fields.next() == Some("w"), promotion: position.promotion() }
    }

    /// The board part of a FEN.
    pub fn board_text(&self) -> String {
        let rank = |rank: &[char; 9]| rank.iter().map(|&c| if c == '.' { '1' } else { c }).collect::<String>();
        self.at.iter().rev().map(rank).collect::<Vec<_>>().join("/")
    }

    pub fn get(&self, (file, rank): Point) -> char {
        self.at[rank as usize][file as usize]
    }

    pub fn set(&mut self, (file, rank): Point, letter: char) {
        self.at[rank as usize][file as usize] = letter;
    }

    fn is_empty(&self, point: Point) -> bool {
        on_board(point) && self.get(point) == '.'
    }

    /// True if a piece of this side stands on the point.
    pub fn is_own(&self, red: bool, point: Point) -> bool {
        let letter = self.get(point);
        letter != '.' && letter.is_ascii_uppercase() == red
    }

    /// The points that the piece on `from` can go to, captures included, never onto own pieces. `flying`: a king may
    /// capture the other along an open file.
    pub fn reach(&self, from: Point, flying: bool) -> Vec<Point> {
        let letter = self.get(from);
        let red = letter.is_ascii_uppercase();
        let mut found = Vec::new();
        match letter.to_ascii_uppercase() {
            'K' => {
                let steps = ORTHOGONAL.map(|step| plus(from, step));
                found.extend(steps.into_iter().filter(|&to| in_palace(red, to)));
                if flying {
                    let ahead = (0, if red { 1 } else { -1 });
                    let mut to = plus(from, ahead);
                    while self.is_empty(to) {
                        to = plus(to, ahead);
                    }
                    if on_board(to) && self.get(to).eq_ignore_ascii_case(&'k') && !found.contains(&to) {
                        found.push(to);
                    }
                }
            }
            'A' => {
                let steps = DIAGONAL.map(|step| plus(from, step));
                found.extend(steps.into_iter().filter(|&to| in_palace(red, to)));
            }
            'B' => {
                for step in DIAGONAL {
                    let eye = plus(from, step);
                    let to = plus(eye, step);
                    if on_board(to) && at_home(red, to) && self.is_empty(eye) {
                        found.push(to);
                    }
                }
            }
            'N' => {
                for leg in ORTHOGONAL {
                    let knee = plus(from, leg);
                    if !self.is_empty(knee) {
                        continue;
                    }
                    for turn in DIAGONAL {
                        if turn.0 == leg.0 || turn.1 == leg.1 {
                            found.push(plus(knee, turn));
                        }
                    }
                }
            }
            'R' => ORTHOGONAL.iter().for_each(|&step| self.slide(from, step, 0, &mut found)),
            'C' => ORTHOGONAL.iter().for_each(|&step| self.slide(from, step, 1, &mut found)),
            'P' => {
                found.push(plus(from, (0, if red { 1 } else { -1 })));
                if !at_home(red, from) {
                    found.extend([plus(from, (1, 0)), plus(from, (-1, 0))]);
                }
            }
            _ => {}
        }
        found.retain(|&to| on_board(to) && !self.is_own(red, to));
        found
    }

    /// Slides over empty points, and onto the piece behind exactly `screens` others.
    fn slide(&self, from: Point, step: Point, screens: usize, found: &mut Vec<Point>) {
        let mut passed = 0;
        let mut to = plus(from, step);
        while on_board(to) {
            let empty = self.is_empty(to);
            if passed == 0 && empty || passed == screens && !empty {
                found.push(to);
            }
            if !empty {
                passed += 1;
            }
            to = plus(to, step);
        }
    }

    pub fn king(&self, red: bool) -> Point {
        let king = if red { 'K' } else { 'k' };
        points().find(|&point| self.get(point) == king).expect("every tested position has kings")
    }

    /// The pieces of one side that could capture on the point.
    pub fn attackers(&self, target: Point, by_red: bool, flying: bool) -> Vec<Point> {
        points().filter(|&from| self.is_own(by_red, from) && self.reach(from, flying).contains(&target)).collect()
    }

    /// True if the king of this side could be captured, facing kings included.
    pub fn in_check(&self, red: bool) -> bool {
        !self.attackers(self.king(red), !red, true).is_empty()
    }

    /// The board after a move; equal points are a promotion of the variant.
    pub fn after(&self, from: Point, to: Point) -> Plain {
        let mut next = self.clone();
        let letter = match (from == to, self.red_to_move) {
            (false, _) => self.get(from),
            (true, true) => 'P',
            (true, false) => 'p',
        };
        next.set(from, '.');
        next.set(to, letter);
        next.red_to_move = !self.red_to_move;
        next
    }

    fn may_promote(&self, from: Point) -> bool {
        let red = self.red_to_move;
        let pawn = if red { 'P' } else { 'p' };
        let pawns = points().filter(|&point| self.get(point) == pawn).count();
        self.promotion
            && matches!(self.get(from).to_ascii_uppercase(), 'A' | 'B')
            && from.1 == if red { 0 } else { 9 }
            && pawns < 5
            && !self.in_check(red)
    }

    /// All legal moves, each tried on the board.
    pub fn legal_moves(&self) -> Vec<(Point, Point)> {
        let red = self.red_to_move;
        let mut moves = Vec::new();
        for from in points().filter(|&from| self.is_own(red, from)) {
            let mut targets = self.reach(from, false);
            if self.may_promote(from) {
                targets.push(from);
            }
            moves.extend(targets.into_iter().map(|to| (from, to)));
        }
        moves.retain(|&(from, to)| !self.after(from, to).in_check(red));
        moves
    }
}
