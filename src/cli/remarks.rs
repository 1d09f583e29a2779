//! What is wrong with tables that were to be asked.

use crate::language::complain;
use crate::tables::Shelf;

/// Tells it, once the tables are no longer asked.
pub fn say_remarks(shelf: &Shelf) {
    for remark in shelf.take_remarks() {
        complain(|| remark.to_string());
    }
}
