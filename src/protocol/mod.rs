//! The session that hosts talk to: one state machine, two dialects.
//!
//! The path of a line: `host_io` (bytes into lines) → `host_session` (what a search takes in meanwhile) → `session` (state,
//! and dispatch) → `command` (words into commands) → `thinking` (the search) → `info_throttle` and `dialect` (words for
//! the host). `options` are what `setoption` sets, `settings` what it sets them in.

mod command;
mod dialect;
mod host_io;
mod host_session;
mod info_throttle;
mod options;
#[cfg(not(target_family = "wasm"))]
mod paths;
mod session;
mod session_options;
mod settings;
pub mod terminal;
mod thinking;

pub use command::{ClockWords, CommandError, Go, GoWarning, HostCommand, parse};
pub use dialect::VERSION;
pub use host_io::{Backlog, InputEvent, MAX_LINE_LENGTH, log_heading, read_in_background};
pub use host_session::{HostSession, Input, InputSource, run};
pub use options::options_as_markdown;
pub use terminal::terminal_greeting;
