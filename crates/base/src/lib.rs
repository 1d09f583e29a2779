//! Files that are written whole or not at all, and messages in two languages.
#![deny(unsafe_code)]

pub mod files;
pub mod language;
