//! The terminal: whether it has colours, its width, and progress bars.

use chuhe_engine::language::tr;
use chuhe_toolkit::draw::ColourMode;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

/// Redraws per second.
const FRAMES_PER_SECOND: u8 = 20;

/// The colours chosen on the command line.
static CHOSEN_COLOURS: OnceLock<ColourMode> = OnceLock::new();

/// Sets the colours of the whole process. Only the first call has an effect.
pub fn choose_colours(mode: ColourMode) {
    let _ = CHOSEN_COLOURS.set(mode);
}

/// The colours of text on standard output: the chosen ones, or else on a terminal, unless NO_COLOR is set or TERM says that
/// it has none. A console that would show escape codes as text gets none, whatever was chosen.
pub fn colour_mode(is_terminal: bool) -> ColourMode {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let mode = colours_for(CHOSEN_COLOURS.get().copied(), is_terminal, unwanted || dumb);
    if mode == ColourMode::Colour && is_terminal && !obeys_escape_codes() { ColourMode::Plain } else { mode }
}

fn colours_for(chosen: Option<ColourMode>, is_terminal: bool, is_unwanted: bool) -> ColourMode {
    let usual = if is_terminal && !is_unwanted { ColourMode::Colour } else { ColourMode::Plain };
    chosen.unwrap_or(usual)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_colours_come_before_the_usual_ones() {
        let (plain, colour) = (ColourMode::Plain, ColourMode::Colour);
        for (chosen, is_terminal, is_unwanted, wanted) in [
            (None, true, false, colour),
            (None, true, true, plain),
            (None, false, false, plain),
            (Some(colour), false, true, colour),
            (Some(plain), true, false, plain),
        ] {
            let mode = colours_for(chosen, is_terminal, is_unwanted);
            assert_eq!(mode, wanted, "{chosen:?} {is_terminal} {is_unwanted}");
        }
    }
}
