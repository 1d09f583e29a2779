//! Where a book comes from, as its note says, and so whether a command may write over it.

use crate::cli::force::ForceArgs;
use chuhe_engine::files::Over;
use chuhe_toolkit::book::OwnBook;

/// What a command may write over: a book of Chuhe, whole, whose note says that the command made it, and nothing of others,
/// as their books have no room for notes.
pub fn over(is_own: fn(&[u8]) -> bool, force: ForceArgs) -> Over {
    Over::Own(is_own).or_force(force.force)
}

/// The note of a book of Chuhe; nothing in a file that is none, or not a whole one.
pub fn note_of(bytes: &[u8]) -> String {
    let book = OwnBook::read(bytes.to_vec().into());
    book.map(|book| book.note().to_string()).unwrap_or_default()
}
