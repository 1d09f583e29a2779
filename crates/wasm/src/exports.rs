//! What JavaScript calls. The module is called by one thread, and never while a call is running.

#![allow(unsafe_code)]

use super::host::{self, HostInput, HostWriter};
use chuhe::bench::SIGNATURE_DEPTH;
use chuhe::protocol::{HostSession, Input};
use chuhe_engine::instant::lend_clocks;
use chuhe_support::date::lend_clock;
use chuhe_support::language::Language;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use xiangqi_record::legacy_text::host::lend_decoder;

thread_local! {
    /// Whether a person reads the output, at a terminal.
    static IS_TERMINAL: Cell<bool> = const { Cell::new(false) };
    static SESSION: RefCell<Option<HostSession>> = const { RefCell::new(None) };
    /// Where JavaScript writes input.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Prepares what all of the module needs; returns the interval at which input is asked for.
pub fn prepare(interval_ms: f64) -> Duration {
    std::panic::set_hook(Box::new(|info| host::tell_panic(&info.to_string())));
    lend_clocks(host::monotonic_clock, host::wall_clock);
    lend_clock(host::wall_clock);
    lend_decoder(host::decode_legacy);
    chuhe::install_languages();
    Duration::from_secs_f64(interval_ms.max(0.0) / 1000.0)
}

/// The input that JavaScript has written.
pub fn take_written() -> Vec<u8> {
    INPUT.with(RefCell::take)
}

/// Has the session speak to a person at a terminal, in Chinese if this is 1. Called before `start`, or not at all.
#[unsafe(no_mangle)]
extern "C" fn use_terminal(is_chinese: i32) {
    IS_TERMINAL.set(true);
    if is_chinese == 1 {
        Language::CHINESE.set_program_language();
    }
}

/// Starts a session, which asks for input at this interval while it thinks. Called once, before everything else.
#[unsafe(no_mangle)]
extern "C" fn start(interval_ms: f64) {
    let interval = prepare(interval_ms);
    match HostSession::new(HostWriter, HostInput::new(interval), IS_TERMINAL.get()) {
        Ok(session) => SESSION.with(|slot| *slot.borrow_mut() = Some(session)),
        Err(error) => host::tell_panic(&error.to_string()),
    }
}

/// Takes the endgame tables that have been written. Positions are judged by them from then on.
#[unsafe(no_mangle)]
extern "C" fn lend_tables() {
    chuhe_engine::tablebase::lend_tables(take_written());
}

/// Where to write so many bytes of input.
#[unsafe(no_mangle)]
extern "C" fn input_buffer(length: usize) -> *mut u8 {
    INPUT.with(|input| {
        let mut input = input.borrow_mut();
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Handles the input that has been written, with all that its lines ask for. 1 if the session goes on.
#[unsafe(no_mangle)]
extern "C" fn handle_input() -> i32 {
    handle(Input::Bytes(take_written()))
}

/// Handles the end of the input.
#[unsafe(no_mangle)]
extern "C" fn end_input() -> i32 {
    handle(Input::End)
}

fn handle(input: Input) -> i32 {
    SESSION.with(|session| i32::from(session.borrow().as_ref().is_some_and(|session| session.handle(input))))
}

/// Runs the searches of `chuhe bench`, to its own depth if this one is 0; returns their nodes.
#[unsafe(no_mangle)]
extern "C" fn bench(depth: u32) -> f64 {
    let depth = if depth == 0 { SIGNATURE_DEPTH } else { depth };
    chuhe::bench::total_nodes(depth).map_or(0.0, |nodes| nodes as f64)
}
