//! A board for terminals: every point is a cell of two columns, the width of a Chinese character.
//!
//! Red and black use different characters, so colours are not needed; letters beside the board serve terminals without
//! Chinese characters.

use std::fmt;
use xiangqi::{Color, Move, Piece, Position, Square};

/// Whether output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ColourMode {
    /// Text alone.
    #[default]
    Plain,
    /// With ANSI colours.
    Colour,
}

impl ColourMode {
    /// A text in an ANSI colour (`1;31` is bold red).
    pub fn paint(self, colour: &str, text: &str) -> String {
        match self {
            ColourMode::Colour if !text.is_empty() => format!("\x1b[{colour}m{text}\x1b[0m"),
            _ => text.to_string(),
        }
    }
}

/// Red, and a blue that remains distinct with colour vision deficiency.
const RED_STYLE: &str = "1;31";
const BLACK_STYLE: &str = "1;36";
const FAINT_STYLE: &str = "90";

/// The width in columns with the letter board beside it, and of the board with its margins.
const WIDTH_WITH_LETTERS: usize = 63;
const WIDTH_WITH_MARGINS: usize = 42;

/// What is below the piece on a square: up to three characters.
pub type SquareNotes<'a> = dyn Fn(Square) -> Option<String> + 'a;

/// The contents and options of a board.
///
/// ```
/// use xiangqi::Position;
/// use xiangqi_draw::TerminalBoard;
///
/// let position = Position::start();
/// let board = TerminalBoard { width: 42, ..TerminalBoard::new(&position) };
/// assert_eq!(board.lines()[1], "  9  車──馬──象──士──將──士──象──馬──車  9");
/// ```
#[derive(Clone, Copy)]
pub struct TerminalBoard<'a> {
    /// The position.
    pub position: &'a Position,
    /// The last move; its squares are in brackets.
    pub last: Option<Move>,
    /// Seen from black's side.
    pub flipped: bool,
    /// Whether the pieces are coloured.
    pub colours: ColourMode,
    /// The terminal width in columns. Narrow ones omit the letters, very narrow ones also the rank numbers.
    pub width: usize,
    /// The notes below the pieces, if notes are shown.
    pub notes: Option<&'a SquareNotes<'a>>,
}

impl fmt::Debug for TerminalBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

impl<'a> TerminalBoard<'a> {
    /// The position alone, without colours, on a terminal of any width.
    pub fn new(position: &'a Position) -> TerminalBoard<'a> {
        TerminalBoard {
            position,
            last: None,
            flipped: false,
            colours: ColourMode::Plain,
            width: usize::MAX,
            notes: None,
        }
    }

    /// The lines of the board.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.file_numbers(Color::Black)];
        for row in 0..10 {
            lines.push(self.rank(row));
            match self.notes {
                Some(notes) => lines.push(self.note_row(row, notes)),
                None if row < 9 => lines.push(self.grid_row(row)),
                None => {}
            }
        }
        lines.push(self.file_numbers(Color::Red));
        if self.flipped {
            let last = lines.len() - 1;
            lines.swap(0, last);
        }
        lines.push(self.letters());
        lines
    }

    /// The indentation of the first point.
    fn indent(&self) -> &'static str {
        if self.has_margins() { "     " } else { " " }
    }

    fn has_margins(&self) -> bool {
        self.width >= WIDTH_WITH_MARGINS
    }

    fn has_letters(&self) -> bool {
        self.width >= WIDTH_WITH_LETTERS
    }

    /// The square in this row and column of the picture.
    fn square(&self, row: u8, column: u8) -> Square {
        if self.flipped { Square::new(8 - column, row) } else { Square::new(column, 9 - row) }
    }

    /// The file numbers of a side: full-width digits or numerals.
    fn file_numbers(&self, color: Color) -> String {
        let sign = |column: u8| {
            let file = self.square(0, column).file();
            match color {
                Color::Black => ['１', '２', '３', '４', '５', '６', '７', '８', '９'][usize::from(file)],
                Color::Red => ['九', '八', '七', '六', '五', '四', '三', '二', '一'][usize::from(file)],
            }
        };
        let signs: Vec<String> = (0..9).map(|column| sign(column).to_string()).collect();
        format!("{}{}", self.indent(), self.colours.paint(FAINT_STYLE, &signs.join("  ")))
    }

    fn letters(&self) -> String {
        let letter = |column: u8| char::from(b'a' + self.square(0, column).file());
        let apart = |gap: &str| (0..9).map(|column| letter(column).to_string()).collect::<Vec<_>>().join(gap);
        let beside = if self.has_letters() { format!("        {}", apart(" ")) } else { String::new() };
        self.colours.paint(FAINT_STYLE, &format!("{}{}{beside}", self.indent(), apart("   ")))
    }

    fn rank(&self, row: u8) -> String {
        let number = self.colours.paint(FAINT_STYLE, &self.square(row, 0).rank().to_string());
        let mut line = if self.has_margins() { format!("  {number} ") } else { String::new() };
        let mut letters = String::new();
        for column in 0..9 {
            let square = self.square(row, column);
            let piece = self.position.piece_at(square);
            let is_marked = |column: u8| {
                let square = self.square(row, column);
                self.last.is_some_and(|mv| [mv.from(), mv.to()].contains(&square))
            };
            let before = column.checked_sub(1).is_some_and(is_marked);
            let gap = match (column, before, is_marked(column)) {
                (0, _, true) => "[",
                (0, _, false) => " ",
                (_, true, true) => "][",
                (_, true, false) => "]─",
                (_, false, true) => "─[",
                (_, false, false) => "──",
            };
            line.push_str(&self.dimmed(gap));
            line.push_str(&self.point(row, column, piece, is_marked(column)));
            letters.push(' ');
            letters.push(piece.map_or('.', Piece::letter));
        }
        let end = if self.last.is_some_and(|mv| {
            let corner = self.square(row, 8);
            mv.from() == corner || mv.to() == corner
        }) {
            "]"
        } else {
            " "
        };
        line.push_str(&self.dimmed(end));
        if self.has_margins() {
            line.push_str(&format!(" {number}"));
        }
        if self.has_letters() {
            line.push_str(&format!("    {}", self.colours.paint(FAINT_STYLE, letters.trim_start())));
        }
        line
    }

    /// Brackets are highlighted, lines are dimmed.
    fn dimmed(&self, text: &str) -> String {
        let colour = |letter: char| if letter == '─' { FAINT_STYLE } else { "1;33" };
        text.chars().map(|letter| self.colours.paint(colour(letter), &letter.to_string())).collect()
    }

    /// A piece or a line crossing, with the fill of its second column.
    fn point(&self, row: u8, column: u8, piece: Option<Piece>, is_marked: bool) -> String {
        if let Some(piece) = piece {
            let colour = if piece.color() == Color::Red { RED_STYLE } else { BLACK_STYLE };
            return self.colours.paint(colour, &traditional(piece).to_string());
        }
        let crossing = match (row, column) {
            (0, 0) => '┌',
            (0, 8) => '┐',
            (9, 0) => '└',
            (9, 8) => '┘',
            (_, 0) => '├',
            (_, 8) => '┤',
            (0 | 5, _) => '┬',
            (4 | 9, _) => '┴',
            _ => '┼',
        };
        let filling = if column == 8 || is_marked { ' ' } else { '─' };
        self.colours.paint(FAINT_STYLE, &format!("{crossing}{filling}"))
    }

    /// The lines between two rows: files, palace diagonals, or the river.
    fn grid_row(&self, row: u8) -> String {
        let text = match row {
            4 if self.flipped => "│     界  漢         河  楚     │".to_string(),
            4 => "│     楚  河         漢  界     │".to_string(),
            0 | 7 => palace("╲", "╱"),
            1 | 8 => palace("╱", "╲"),
            _ => ["│"; 9].join("   "),
        };
        format!("{}{}", self.indent(), self.colours.paint(FAINT_STYLE, &text))
    }

    /// The notes below the pieces of a row, with the file lines between them.
    fn note_row(&self, row: u8, notes: &SquareNotes) -> String {
        let file = if row < 9 { "│" } else { " " };
        let cell = |column| match notes(self.square(row, column)) {
            Some(note) => format!("{note:<4}"),
            None => self.colours.paint(FAINT_STYLE, &format!("{file:<4}")),
        };
        format!("{}{}", self.indent(), (0..9).map(cell).collect::<String>())
    }
}

fn palace(left: &str, right: &str) -> String {
    format!("│   │   │   │ {left} │ {right} │   │   │   │")
}

/// The traditional character, different for each side.
fn traditional(piece: Piece) -> char {
    const RED_STYLE: [char; 7] = ['帥', '仕', '相', '傌', '俥', '炮', '兵'];
    const BLACK_STYLE: [char; 7] = ['將', '士', '象', '馬', '車', '砲', '卒'];
    let set = if piece.color() == Color::Red { RED_STYLE } else { BLACK_STYLE };
    set[piece.kind()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The display width: Chinese characters take two columns.
    fn columns(line: &str) -> usize {
        line.chars().map(|letter| if letter >= '\u{3000}' { 2 } else { 1 }).sum()
    }

    #[test]
    fn board_lines_have_equal_width() {
        let mut position = Position::start();
        for text in ["h2e2", "h9g7", "e2e6"] {
            let mv = text.parse().expect("a move");
            position.play(mv).expect("legal");
        }
        for last in [None, position.last_move(), "h0i0".parse().ok(), "a0b0".parse().ok()] {
            for flipped in [false, true] {
                let lines = TerminalBoard { last, flipped, ..TerminalBoard::new(&position) }.lines();
                assert_eq!(lines.len(), 22);
                for row in 0..10 {
                    let line = &lines[1 + 2 * row];
                    let board = line.rfind("    ").expect("letters behind it");
                    assert_eq!(columns(&line[..board]), 42, "{line}");
                    assert_eq!(columns(line), 63, "{line}");
                }
                for row in 0..9 {
                    assert_eq!(columns(&lines[2 + 2 * row]), 38, "{}", lines[2 + 2 * row]);
                }
            }
        }
    }

    #[test]
    fn notes_are_below_their_pieces() {
        let position = Position::start();
        let notes = |square: Square| position.piece_at(square).is_some().then(|| String::from("1.5"));
        for (flipped, width) in [(false, 80), (true, 37)] {
            let board = TerminalBoard { flipped, width, notes: Some(&notes), ..TerminalBoard::new(&position) };
            let lines = board.lines();
            let columns_before = |line: &str, at: usize| columns(&line[..at]);
            for (above, below) in lines[1..].iter().zip(&lines[2..]).step_by(2).take(10) {
                let end = above.rfind("    ").unwrap_or(above.len());
                let pieces = above[..end].char_indices().filter(|(_, letter)| *letter >= '\u{3000}');
                let places: Vec<usize> = pieces.map(|(at, _)| columns_before(above, at)).collect();
                let notes: Vec<usize> = below.match_indices("1.5").map(|(at, _)| columns_before(below, at)).collect();
                assert_eq!(places, notes, "{above}\n{below}");
            }
        }
    }

    #[test]
    fn colours_leave_the_text_unchanged() {
        let position = Position::start();
        let drawn = |colours| {
            TerminalBoard { last: "h2e2".parse().ok(), colours, ..TerminalBoard::new(&position) }.lines().join("\n")
        };
        let (plain, coloured) = (drawn(ColourMode::Plain), drawn(ColourMode::Colour));
        let mut stripped = String::new();
        let mut parts = coloured.split('\x1b');
        stripped.push_str(parts.next().unwrap_or_default());
        for part in parts {
            stripped.push_str(part.split_once('m').expect("a colour").1);
        }
        assert_eq!(stripped, plain);
        assert!(coloured.contains("\x1b[1;31m帥\x1b[0m") && coloured.contains("\x1b[1;36m將\x1b[0m"));
    }
}
