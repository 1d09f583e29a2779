//! The session that hosts talk to: one state machine, two dialects.
//!
//! The path of a line: `host_io` (bytes into lines) → `command` and `go` (words into commands) → `session` (state, and
//! dispatch) → `job` (the search, on its own thread) → `info_throttle` and `dialect`, which is either `ucci_output` or
//! `uci_output` (words for the host) → `host_io`. `words` splits lines. `options` are what
//! `setoption` sets.

mod command;
pub mod dialect;
mod go;
mod host_io;
mod info_throttle;
mod inline_session;
mod job;
mod options;
#[cfg(not(target_family = "wasm"))]
mod paths;
mod rank_base_detection;
mod session;
mod terminal;
mod thinking;
mod ucci_output;
mod uci_output;
mod words;

pub use command::{CommandError, HostCommand, parse};
pub use dialect::VERSION;
pub use go::{ClockWords, Go, GoWarning};
pub use host_io::{Backlog, InputEvent, MAX_LINE_LENGTH, log_heading, read_in_background};
pub use inline_session::{InlineSession, Input, InputSource};
pub use options::options_as_markdown;
pub use session::run;
pub use terminal::terminal_greeting;
