//! Conversations about a subject: `tests/protocol` has a transcript for each.

use super::conversation::hold;

/// A test for each transcript.
macro_rules! subjects {
    ($($name:ident)*) => {
        $(#[test] fn $name() { hold(stringify!($name), include_str!(concat!(stringify!($name), ".txt")), false); })*
    };
}

subjects! {
    games mates ranks rules thinking ucci uci
}
