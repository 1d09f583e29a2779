//! A terminal emulator: the screen after all that was written to it.

use unicode_width::UnicodeWidthChar;

/// Visible rows, as reported by `Person`.
const ROWS: usize = 50;

/// A line of the screen, and whether the terminal broke it because it was too long.
#[derive(Clone, Default)]
struct Row {
    /// A character of two columns is followed by a NUL.
    cells: Vec<char>,
    broken: bool,
}

/// The screen, with the lines that have scrolled off at the top.
pub struct Screen {
    columns: usize,
    rows: Vec<Row>,
    at: (usize, usize),
}

impl Screen {
    /// The screen of a terminal with so many columns after this output.
    pub fn after(text: &str, columns: u16) -> Screen {
        let mut screen = Screen { columns: columns.into(), rows: vec![Row::default()], at: (0, 0) };
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\x1b' => screen.obey(&mut letters),
                '\r' => screen.at.1 = 0,
                '\n' => screen.down(1),
                '\x08' => screen.at.1 = screen.at.1.saturating_sub(1),
                letter => screen.put(letter),
            }
        }
        screen
    }

    /// The lines, without trailing blanks.
    pub fn lines(&self) -> Vec<String> {
        let text = |row: &Row| row.cells.iter().filter(|cell| **cell != '\0').collect::<String>();
        self.rows.iter().map(|row| text(row).trim_end().to_string()).collect()
    }

    /// The lines that were too long.
    pub fn broken(&self) -> Vec<String> {
        let lines = self.lines();
        let is_broken = |row: &usize| self.rows[*row].broken && !lines[*row].is_empty();
        (0..lines.len()).filter(is_broken).map(|row| lines[row].clone()).collect()
    }

    fn put(&mut self, letter: char) {
        let Some(width @ 1..) = letter.width() else { return };
        if self.at.1 + width > self.columns {
            self.rows[self.at.0].broken = true;
            self.at.1 = 0;
            self.down(1);
        }
        let (row, column) = self.at;
        let cells = &mut self.rows[row].cells;
        cells.resize(cells.len().max(column + width), ' ');
        cells[column] = letter;
        cells[column + 1..column + width].fill('\0');
        self.at.1 += width;
    }

    fn down(&mut self, count: usize) {
        self.at.0 += count;
        self.rows.resize(self.rows.len().max(self.at.0 + 1), Row::default());
    }

    fn obey(&mut self, letters: &mut std::str::Chars) {
        if letters.next() != Some('[') {
            return;
        }
        let mut number = String::new();
        let order = loop {
            match letters.next() {
                Some(letter @ '@'..='~') => break letter,
                Some(letter) => number.push(letter),
                None => return,
            }
        };
        let count = number.parse().unwrap_or(1);
        let top = self.rows.len().saturating_sub(ROWS);
        match order {
            'A' => self.at.0 = self.at.0.saturating_sub(count).max(top),
            'B' => self.down(count),
            'C' => self.at.1 = (self.at.1 + count).min(self.columns - 1),
            'D' => self.at.1 = self.at.1.saturating_sub(count),
            'G' => self.at.1 = count - 1,
            'J' => {
                self.rows.truncate(self.at.0 + 1);
                self.clear(self.at.1);
            }
            'K' if number == "2" => self.clear(0),
            'K' => self.clear(self.at.1),
            // Colours, and the visibility of the cursor.
            'm' | 'h' | 'l' => {}
            other => panic!("a terminal is told {other}"),
        }
    }

    fn clear(&mut self, from: usize) {
        let row = &mut self.rows[self.at.0];
        row.cells.truncate(from);
        row.broken = false;
    }
}

#[test]
fn emulator_breaks_clears_and_returns_like_a_terminal() {
    let lines = |text: &str| Screen::after(text, 6).lines();
    assert_eq!(lines("abcdefg"), ["abcdef", "g"]);
    assert_eq!(lines("楚河汉界"), ["楚河汉", "界"]);
    assert_eq!(lines("abcde界"), ["abcde", "界"]);
    assert_eq!(lines("abc\rx\r\nyy\x1b[1A\x1b[2Kz"), ["  z", "yy"]);
    assert_eq!(lines("\x1b[1;31mab\x1b[0m"), ["ab"]);
    assert_eq!(Screen::after("abcdef\r\nabcdefg", 6).broken(), ["abcdef"]);
}
