//! What WXF and Chinese write: the piece (by its file, counted from the mover's right, or by its order among equal pieces
//! on a file), the direction, and a number: steps for straight moves, the target file otherwise.

use xiangqi::{Color, Move, PieceKind, Position, Square};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceSelector {
    /// The one on this file, 1 to 9.
    File(u8),
    /// The front one of two.
    Front,
    /// The rear one of two.
    Rear,
    /// One of three or more (pawns, in real games), index from 0: by file from the mover's right, then from the front.
    Nth { index: usize, of: usize },
}

/// The direction of a move from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Forward,
    Sideways,
    Back,
}

/// The second half of a move in WXF and Chinese: direction, and distance or target file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Displacement {
    pub direction: Direction,
    pub number: u8,
}

impl Displacement {
    pub fn new(color: Color, mv: Move, kind: PieceKind) -> Displacement {
        let (from, to) = (mv.from().rank_for(color), mv.to().rank_for(color));
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Equal => Direction::Sideways,
            std::cmp::Ordering::Less => Direction::Back,
        };
        let straight = matches!(kind, PieceKind::King | PieceKind::Rook | PieceKind::Cannon | PieceKind::Pawn);
        let steps = straight && direction != Direction::Sideways;
        Displacement { direction, number: if steps { from.abs_diff(to) } else { file_number(mv.to(), color) } }
    }

    /// That of a move in this position.
    pub fn of(position: &Position, mv: Move) -> Displacement {
        Displacement::new(position.side(), mv, moving_kind(position, mv))
    }

    /// The displacement of a normalised word. Without one the word is not a move, and no legal moves need be generated.
    pub fn read(word: &str) -> Option<Displacement> {
        let mut letters = word.chars().skip(2);
        let direction = match letters.next()? {
            '+' | '进' => Direction::Forward,
            '.' | '平' => Direction::Sideways,
            '-' | '退' => Direction::Back,
            _ => return None,
        };
        let sign = letters.next()?;
        let number = (1..=9).find(|&number| sign == char::from(b'0' + number) || sign == numeral(number))?;
        letters.next().is_none().then_some(Displacement { direction, number })
    }
}

/// A number in Chinese, 0 to 9.
pub(super) fn numeral(number: u8) -> char {
    ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) % 10]
}

pub(super) fn moving_kind(position: &Position, mv: Move) -> PieceKind {
    position.moved_piece(mv).kind()
}

/// The parts of a move in WXF and Chinese.
pub(super) struct RelativeMove {
    pub color: Color,
    pub kind: PieceKind,
    pub selector: PieceSelector,
    pub displacement: Displacement,
}

impl RelativeMove {
    pub fn new(position: &Position, mv: Move) -> RelativeMove {
        let (color, kind) = (position.side(), moving_kind(position, mv));
        RelativeMove {
            color,
            kind,
            selector: select_piece(position, mv.from(), color, kind),
            displacement: Displacement::new(color, mv, kind),
        }
    }
}

/// 1 to 9 from the mover's right.
pub(super) fn file_number(square: Square, color: Color) -> u8 {
    match color {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

/// How a piece is distinguished from equal ones.
fn select_piece(position: &Position, square: Square, color: Color, kind: PieceKind) -> PieceSelector {
    let file = PieceSelector::File(file_number(square, color));
    // Advisors and bishops on one file never move in the same direction, so the direction distinguishes them.
    if matches!(kind, PieceKind::Advisor | PieceKind::Bishop | PieceKind::King) {
        return file;
    }
    let like = position.squares(color, kind);
    let crowd = |file: u8| like.iter().filter(|other| other.file() == file).count();
    if crowd(square.file()) < 2 {
        return file;
    }
    // All that share a file with an equal piece, from the mover's right, then from the front.
    let mut crowded: Vec<Square> = like.iter().copied().filter(|other| crowd(other.file()) >= 2).collect();
    crowded.sort_unstable_by_key(|other| (file_number(*other, color), std::cmp::Reverse(other.rank_for(color))));
    let index = crowded.iter().position(|other| *other == square).unwrap_or(0);
    match (crowded.len(), index) {
        (2, 0) => PieceSelector::Front,
        (2, _) => PieceSelector::Rear,
        (of, index) => {
            // Three on one file are front, middle and rear; spread over several files they are numbered.
            let one_file = crowded.iter().all(|other| other.file() == square.file());
            PieceSelector::Nth { index, of: if one_file { of } else { 0 } }
        }
    }
}
