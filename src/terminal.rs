//! The terminal: its width, and progress bars.

use chuhe_engine::language::tr;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use std::io;
use std::time::Duration;

/// Redraws per second.
const FRAMES_PER_SECOND: u8 = 20;

/// A terminal whose cursor is kept at the beginning of the line under the progress bar.
///
/// A bar would leave the cursor at the right margin, where the next character starts a new line. When the user presses
/// Ctrl-C the terminal itself writes `^C` there, and the bar would then be cleared one line too low.
#[derive(Debug)]
struct LineStartTerm(Term);

/// Draws on the terminal, or nowhere if it cannot draw.
pub fn draw_target(terminal: Term) -> ProgressDrawTarget {
    if terminal.is_term() && !console::is_dumb() {
        ProgressDrawTarget::term_like_with_hz(Box::new(LineStartTerm(terminal)), FRAMES_PER_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    }
}

impl TermLike for LineStartTerm {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    /// Ends a redraw.
    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}

/// The width of the terminal at standard output; `usize::MAX` if it is not a terminal or its width is unknown.
pub fn terminal_width(is_terminal: bool) -> usize {
    let known = if is_terminal { terminal_size::terminal_size() } else { None };
    known.map_or(usize::MAX, |(width, _)| width.0.into())
}

/// How often the remaining time is updated.
const TICK_INTERVAL: Duration = Duration::from_millis(500);

/// A progress bar; it is removed when dropped.
pub struct ProgressDisplay(ProgressBar);

impl ProgressDisplay {
    /// A bar for so much work, on standard error, apart from the output.
    pub fn new(all: u64) -> ProgressDisplay {
        ProgressDisplay::drawn(Some(all), Term::buffered_stderr())
    }

    /// The same on standard output, for commands that own the screen; only the text if the amount of work is unknown.
    pub fn on_stdout(all: Option<u64>) -> ProgressDisplay {
        ProgressDisplay::drawn(all, Term::buffered_stdout())
    }

    fn drawn(all: Option<u64>, terminal: Term) -> ProgressDisplay {
        let bar = ProgressBar::with_draw_target(all, draw_target(terminal));
        // A quarter of the terminal leaves space for the text.
        let bar_width = (terminal_width(true).min(160) / 4).clamp(8, 40);
        let template = match all {
            Some(_) => format!("{{prefix}}{{bar:{bar_width}}} {{percent:>3}} %  {{left}}{{wide_msg}}"),
            None => String::from("{prefix}{wide_msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ ").with_key("left", time_left));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK_INTERVAL);
        }
        ProgressDisplay(bar)
    }

    /// Whether the bar is visible.
    pub fn is_shown(&self) -> bool {
        !self.0.is_hidden()
    }

    /// Sets the amount of work, if it was unknown before.
    pub fn set_total(&self, all: u64) {
        self.0.set_length(all);
    }

    /// Sets the work done by an earlier run, which is not counted in the estimate of the time.
    pub fn set_already_done(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// Sets the work done, and the text beside the bar.
    pub fn set(&self, done: u64, text: &str) {
        self.0.set_message(text.to_string());
        self.0.set_position(done);
    }

    /// Sets the lines above the bar, each with its line end.
    pub fn set_lines_above(&self, lines: String) {
        self.0.set_prefix(lines);
    }

    /// Runs `write` with the bar hidden; its output stays above the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Writes the remaining time, once it can be estimated.
fn time_left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    if state.pos() > 0 {
        let time = format!("{:#}", indicatif::HumanDuration(state.eta()));
        let _ = write!(text, "{}  ", tr!("{time} to go", time));
    }
}
