//! Whole conversations of any bytes: the session survives them, ends at `quit`, and answers every question.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

/// Words that are left out: the session would wait for ever (`quit` is not read in batch mode), or use the machine's
/// memory, threads and files, all of which a host may ask for.
const LEFT_OUT: [&str; 4] = ["batch", "hash", "threads", "log"];

/// Collects the output of the session.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|input: &[u8]| {
    let lower = String::from_utf8_lossy(input).to_lowercase();
    if LEFT_OUT.iter().any(|word| lower.contains(word)) {
        return;
    }
    let heard = Heard::default();
    let conversation = [input, b"\nucci\nstop\nisready\nquit\n"].concat();
    chuhe::protocol::run(Cursor::new(conversation), heard.clone(), false).expect("a session");
    let text = String::from_utf8(heard.0.lock().expect("no writer panics").clone()).expect("UTF-8");
    // Users at a terminal also type `q`.
    let ends = |word: &str| word == "q" || word.contains("quit") || word.contains("exit");
    if !lower.split(|letter: char| !letter.is_alphanumeric()).any(ends) {
        assert!(text.ends_with("ucciok\nnobestmove\nreadyok\nbye\n"), "{text}");
    }
});
