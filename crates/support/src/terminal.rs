//! The terminal: whether it has colours, its width, and progress bars.

use crate::language::tr;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Redraws per second.
const FRAMES_PER_SECOND: u8 = 20;

/// The colours chosen on the command line.
static CHOSEN_COLOURS: OnceLock<bool> = OnceLock::new();

/// Sets whether the whole process has colours. Only the first call has an effect.
pub fn choose_colours(has_colours: bool) {
    let _ = CHOSEN_COLOURS.set(has_colours);
}

/// Whether text on standard output has colours: as chosen, or else on a terminal, unless NO_COLOR is set or TERM says that
/// it has none. A console that would show escape codes as text gets none, whatever was chosen.
pub fn has_colours(is_terminal: bool) -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let is_wanted = has_colours_as(CHOSEN_COLOURS.get().copied(), is_terminal, unwanted || dumb);
    is_wanted && (!is_terminal || obeys_escape_codes())
}

fn has_colours_as(chosen: Option<bool>, is_terminal: bool, is_unwanted: bool) -> bool {
    chosen.unwrap_or(is_terminal && !is_unwanted)
}

/// Whether the terminal at standard output obeys escape codes; switches them on where that is needed.
#[cfg(windows)]
fn obeys_escape_codes() -> bool {
    static OBEYS: OnceLock<bool> = OnceLock::new();
    *OBEYS.get_or_init(crate::windows::enable_escape_codes)
}

#[cfg(not(windows))]
fn obeys_escape_codes() -> bool {
    true
}

/// A terminal whose cursor is kept at the beginning of the line under the progress bar.
///
/// A bar would leave the cursor at the right margin, where the next character starts a new line. When the user presses
/// Ctrl-C the terminal itself writes `^C` there, and the bar would then be cleared one line too low.
///
/// A console of Windows may begin a new line as soon as the last column is written, or not before the end of a buffer that
/// is wider than its window. There the last column stays free, and lines are ended.
#[derive(Debug)]
struct LineStartTerm<T> {
    terminal: T,
    is_console: bool,
    /// Columns written to the line, at a console.
    column: AtomicUsize,
}

impl<T> LineStartTerm<T> {
    fn new(terminal: T, is_console: bool) -> LineStartTerm<T> {
        LineStartTerm { terminal, is_console, column: AtomicUsize::new(0) }
    }
}

/// Draws on the terminal, or nowhere if it cannot draw.
pub fn draw_target(terminal: Term) -> ProgressDrawTarget {
    if terminal.is_term() && !console::is_dumb() {
        ProgressDrawTarget::term_like_with_hz(Box::new(LineStartTerm::new(terminal, cfg!(windows))), FRAMES_PER_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    }
}

impl<T: TermLike> TermLike for LineStartTerm<T> {
    fn width(&self) -> u16 {
        self.terminal.width().saturating_sub(self.is_console.into())
    }

    fn height(&self) -> u16 {
        self.terminal.height()
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.column.store(0, Ordering::Relaxed);
        self.terminal.write_line(text)
    }

    /// The bar fills each line with blanks up to the width; what follows is the next one.
    fn write_str(&self, text: &str) -> io::Result<()> {
        if self.is_console && text == "\r" {
            self.column.store(0, Ordering::Relaxed);
        } else if self.is_console && !text.is_empty() {
            let before = self.column.load(Ordering::Relaxed);
            let is_full = before >= self.width().into();
            if is_full {
                self.terminal.write_line("")?;
            }
            self.column.store(if is_full { 0 } else { before } + text.width(), Ordering::Relaxed);
        }
        self.terminal.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.terminal.clear_line()
    }

    /// Ends a redraw.
    fn flush(&self) -> io::Result<()> {
        self.write_str("\r")?;
        self.terminal.flush()
    }
}

/// The width of the terminal at standard output; `usize::MAX` if it is not a terminal or its width is unknown.
pub fn terminal_width(is_terminal: bool) -> usize {
    let known = if is_terminal { terminal_size::terminal_size() } else { None };
    // The last column of a console of Windows stays free, see `LineStartTerm`.
    known.map_or(usize::MAX, |(width, _)| usize::from(width.0).saturating_sub(cfg!(windows).into()))
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
        // The bar ticks on a thread; without one it changes with the work alone.
        let has_thread = || std::thread::Builder::new().spawn(|| {}).is_ok();
        if !bar.is_hidden() && has_thread() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    #[test]
    fn lines_of_a_bar_end_before_the_last_column_of_a_console() {
        for (is_console, wanted) in [
            (true, format!(r"one{}\n红方{}\nend", " ".repeat(16), " ".repeat(15))),
            (false, format!("one{}红方{}end", " ".repeat(17), " ".repeat(16))),
        ] {
            let written = InMemoryTerm::new(10, 20);
            let terminal = LineStartTerm::new(written.clone(), is_console);
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(terminal)));
            bar.set_style(ProgressStyle::with_template("{prefix}{wide_msg}").expect("a template"));
            bar.set_prefix("one\n红方\n");
            bar.set_message("end");
            bar.force_draw();
            // Texts as the compiler reads them, between other steps.
            let steps = written.moves_since_last_check().replace("NewLine", r#"Str("\n")"#);
            let texts = steps.lines().filter_map(|step| step.strip_prefix("Str(\"")?.strip_suffix("\")"));
            let text: String = texts.collect();
            assert!(text.contains(&wanted) && text.ends_with("\\r"), "{steps}");
        }
    }

    #[test]
    fn chosen_colours_come_before_the_usual_ones() {
        for (chosen, is_terminal, is_unwanted, wanted) in [
            (None, true, false, true),
            (None, true, true, false),
            (None, false, false, false),
            (Some(true), false, true, true),
            (Some(false), true, false, false),
        ] {
            let has_colours = has_colours_as(chosen, is_terminal, is_unwanted);
            assert_eq!(has_colours, wanted, "{chosen:?} {is_terminal} {is_unwanted}");
        }
    }
}
