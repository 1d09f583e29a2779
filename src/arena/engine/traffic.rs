//! The whole conversation with one process, line by line with times, for whoever must see what went wrong.

use chuhe_engine::language::{complain, reason, tr};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// A file that a conversation is written to. Shared with the reader of the standard error.
pub struct Traffic {
    path: PathBuf,
    begun: Instant,
    /// Nothing after a failure, which has been told.
    file: Mutex<Option<BufWriter<File>>>,
}

impl Traffic {
    /// A file of its own for this process of an engine, in a folder that is made if need be.
    pub fn open(folder: &Path, engine: &str, process: u32) -> io::Result<Traffic> {
        chuhe_engine::files::make_folder(folder)?;
        let harmless =
            |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
        let engine: String = engine.chars().map(harmless).take(80).collect();
        let path = folder.join(format!("{engine}-{process}.txt"));
        let file = OpenOptions::new().append(true).create(true).open(&path)?;
        Ok(Traffic { path, begun: Instant::now(), file: Mutex::new(Some(BufWriter::new(file))) })
    }

    /// Writes lines with the time since the process was started: `>` was sent, `<` was answered, `!` stood on
    /// standard error, `=` is a remark.
    pub fn note(&self, mark: char, lines: &str) {
        let mut held = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(file) = held.as_mut() else { return };
        let time = self.begun.elapsed().as_secs_f64();
        let written = lines.lines().try_for_each(|line| writeln!(file, "{time:12.6} {mark} {line}"));
        // What was sent is on the disk before anything can happen; of answers the last one is.
        if let Err(error) = written.and_then(|()| file.flush()) {
            *held = None;
            let file = self.path.display();
            complain(|| {
                tr!("{file}: {cause}; the rest of this conversation is lost", file, cause = reason(&error))
            });
        }
    }
}
