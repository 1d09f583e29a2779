//! An allocation that fails ends the program with a sentence, where the caller does not expect that it may fail.
//!
//! The standard library has no stable hook for it, and prints the size and a trace. A caller that copes with a lack of
//! memory asks for it inside of `may_fail`, which the engine has for its tables and `chuhe_support` for
//! files.
#![allow(unsafe_code)]

use chuhe_engine::memory;
use chuhe_support::memory as files;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};
use std::process;

/// The allocator of the system.
pub struct Allocator;

/// Printing it must not allocate, so it is not translated.
const SENTENCE: &[u8] = b"chuhe: there is no memory left\n";

fn checked(block: *mut u8) -> *mut u8 {
    if block.is_null() && !memory::is_failure_expected() && !files::is_failure_expected() {
        // If it cannot be printed, there is nobody to tell.
        let _ = io::stderr().write_all(SENTENCE);
        process::exit(2);
    }
    block
}

// SAFETY: all calls go to the allocator of the system, with the arguments of the caller.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
