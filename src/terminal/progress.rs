//! How far a long piece of work is: a bar with a few words behind it, and lines above it that change with it. Every bar
//! of the program is made here. Bars are for people: where there is no terminal, nothing is drawn.

use super::at_start::drawn_on;
use super::width;
use chuhe_engine::language::tr;
use console::Term;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::time::Duration;

/// How often the time is told anew.
const TICK: Duration = Duration::from_millis(500);

/// A bar; it goes when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so much work, on standard error, where it does not mix with what is written.
    pub fn over(all: u64) -> Progress {
        Progress::drawn(Some(all), Term::buffered_stderr())
    }

    /// The same on standard output, for what has the screen to itself; no more than the words where the work has no end.
    pub fn on_output(all: Option<u64>) -> Progress {
        Progress::drawn(all, Term::buffered_stdout())
    }

    fn drawn(all: Option<u64>, terminal: Term) -> Progress {
        let bar = ProgressBar::with_draw_target(all, drawn_on(terminal));
        // A quarter of the terminal, so that there is room for the words.
        let bar_width = (width(true).min(160) / 4).clamp(8, 40);
        let template = match all {
            Some(_) => format!("{{prefix}}{{bar:{bar_width}}} {{percent:>3}} %  {{left}}{{wide_msg}}"),
            None => String::from("{prefix}{wide_msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ ").with_key("left", time_left));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Progress(bar)
    }

    /// Whether anybody sees it.
    pub fn is_shown(&self) -> bool {
        !self.0.is_hidden()
    }

    /// How much work there is, where that was not known before.
    pub fn has(&self, all: u64) {
        self.0.set_length(all);
    }

    /// So much was done before this began: it took no time.
    pub fn begin_at(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// So much is done now, and this is to be said of it, in the reader's language.
    pub fn at(&self, done: u64, text: &str) {
        self.0.set_message(text.to_string());
        self.0.set_position(done);
    }

    /// Lines that stand above the bar from now on, each with its end.
    pub fn stands_below(&self, lines: String) {
        self.0.set_prefix(lines);
    }

    /// Writes something else to the terminal, which stays there, above the bar.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// How long it will take, once that can be known.
fn time_left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    if state.pos() > 0 {
        let time = format!("{:#}", indicatif::HumanDuration(state.eta()));
        let _ = write!(text, "{}  ", tr!("{time} to go", time));
    }
}
