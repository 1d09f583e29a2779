//! The session that hosts talk to: one state machine, two small dialects of it.
//!
//! A line travels like this: `input` (bytes into lines) → `command` and `go` (words into commands) → `session`
//! (what state it is in, what to do) → `job` (the search, on its own thread) → `reporter` and `dialect`, which is
//! either `ucci` or `uci` (words for the host) → `output`. The options that both dialects declare stand in one
//! table, `options`; what they have been set to, in `settings`.

mod command;
pub mod dialect;
mod foreign;
mod go;
mod heading;
mod input;
mod job;
mod manual;
mod option_error;
mod option_spec;
mod options;
mod output;
mod paths;
mod ranks;
mod reporter;
mod session;
mod settings;
mod splitting;
mod terminal;
mod thinking;
mod ucci;
mod uci;
mod voice;

pub use command::{Command, CommandError, parse};
pub use dialect::VERSION;
pub use go::{ClockWords, Go, GoRemark};
pub use heading::heading;
pub use input::{Event as InputEvent, LONGEST_LINE, read_lines};
pub use manual::options_as_markdown;
pub use session::run;
pub use terminal::greeting_of_people;
