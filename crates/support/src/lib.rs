//! What the crates of Chuhe share.
//!
//! * [`date`]: the current date and time as text.
//! * [`files`]: files that are written whole or not at all.
//! * [`interrupts`]: Ctrl-C and termination signals.
//! * [`language`]: translation of messages.
//! * [`lock`]: locks that a panic leaves usable.
//! * [`memory`]: which allocations may fail; how much memory the machine has, where that is no matter of Linux.
//! * [`messages`]: the values of the published crates in the language of the user.
//! * [`small_sort`]: sorting where the size of the code matters more than speed.
//! * [`terminal`]: the width of the terminal, and progress bars.
//! * [`text_width`]: wraps and pads text by display width.
//! * `windows`: calls that only Windows has.
//! * [`work_queue`]: items that wait for another thread.
//! * [`with_values!`]: structs whose fields say what they begin with.
#![deny(unsafe_code)]

use std::time::Duration;

pub mod date;
pub mod files;
#[cfg(not(target_family = "wasm"))]
pub mod interrupts;
pub mod language;
pub mod lock;
pub mod memory;
pub mod messages;
pub mod small_sort;
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
pub mod text_width;
#[cfg(windows)]
pub mod windows;
pub mod work_queue;

/// Defines a struct and the function that makes it, so that each field stands once: with its type, and with the value that it
/// begins with. What the values need comes in the body of the function. It is for what is written of something, and for state
/// that has one beginning. Where nothing may come of it, the function says so: `fn of(…) -> Option<Self> as Some`.
///
/// ```
/// use chuhe_support::with_values;
///
/// with_values! {
///     /// A word with its length.
///     #[derive(Debug, PartialEq)]
///     struct Word {
///         text: String = text.to_string(),
///         length: usize = length,
///     }
///     fn of(text: &str) {
///         let length = text.chars().count();
///     }
/// }
/// assert_eq!(Word::of("车"), Word { text: String::from("车"), length: 1 });
/// ```
#[macro_export]
macro_rules! with_values {
    ($(
        $(#[$about:meta])*
        $access:vis struct $Type:ident $(<$life:lifetime>)? {
            $($(#[$field_about:meta])* $field_access:vis $field:ident: $kind:ty = $value:expr,)*
        }
        $(#[$make_about:meta])*
        $make_access:vis fn $make:ident($($from:ident: $from_kind:ty),* $(,)?) $(-> $made:ty as $wrap:ident)? $({ $($first:tt)* })? $(;)?
    )*) => {$(
        $(#[$about])*
        $access struct $Type $(<$life>)? {
            $($(#[$field_about])* $field_access $field: $kind,)*
        }

        impl $(<$life>)? $Type $(<$life>)? {
            $(#[$make_about])*
            $make_access fn $make($($from: $from_kind),*) -> $crate::with_values!(made $($made)?) {
                $($($first)*)?
                $crate::with_values!(as $($wrap)? { Self { $($field: $value),* } })
            }
        }
    )*};
    (made) => { Self };
    (made $made:ty) => { $made };
    (as { $view:expr }) => { $view };
    (as $wrap:ident { $view:expr }) => { $wrap($view) };
}

/// How often who waits looks for Ctrl-C, or for what has changed.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);
