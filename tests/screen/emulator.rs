//! The screen of a terminal after all that was written to it.

/// Visible rows, as reported by `Person`.
const ROWS: u16 = 50;

/// The lines of the screen, with those that have scrolled off at the top, and whether the terminal broke each because it
/// was too long.
pub struct Screen(Vec<(String, bool)>);

impl Screen {
    /// The screen of a terminal with so many columns after this output.
    pub fn after(text: &str, columns: u16) -> Screen {
        let mut parser = vt100::Parser::new(ROWS, columns, 10_000);
        parser.process(text.as_bytes());
        let screen = parser.screen_mut();
        let mut lines = Vec::new();
        screen.set_scrollback(usize::MAX);
        for offset in (0..=screen.scrollback()).rev() {
            screen.set_scrollback(offset);
            let visible = screen.rows(0, columns).zip(0..).map(|(line, row)| (line, screen.row_wrapped(row)));
            lines.extend(visible.take(if offset == 0 { ROWS.into() } else { 1 }));
        }
        Screen(lines)
    }

    /// The lines, without trailing blanks.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.0.iter().map(|(line, _)| line.trim_end().to_string()).collect();
        lines.truncate(lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
        lines
    }

    /// The lines that were too long.
    pub fn broken(&self) -> Vec<String> {
        self.0.iter().filter(|(_, is_broken)| *is_broken).map(|(line, _)| line.clone()).collect()
    }
}
