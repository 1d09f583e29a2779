//! Standard output, whose reader may go away as `head` does. That is no failure of anything, and must be told from the
//! pipes and files that do fail.

use std::error::Error;
use std::io::{self, Stdout, Write};
use thiserror::Error;

/// Standard output; its errors say whether it has lost its reader.
pub struct StandardOutput(Stdout);

/// What a failed write says, in two layers: an error that is transparent to `io::Error` does not name it as its source,
/// but what the `io::Error` names.
#[derive(Debug, Error)]
#[error("nobody reads the output any more")]
struct Unread(#[source] ReaderLeft);

#[derive(Debug, Error)]
#[error("the reader of the output has left")]
struct ReaderLeft;

/// True if this error, or whatever caused it, is that nobody reads standard output any more.
pub fn has_lost_its_reader(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source()).any(|error| error.is::<ReaderLeft>())
}

impl StandardOutput {
    /// That of this process.
    pub fn new() -> StandardOutput {
        StandardOutput(io::stdout())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(marked)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(marked)
    }
}

fn marked(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(error.kind(), Unread(ReaderLeft)),
        _ => error,
    }
}
