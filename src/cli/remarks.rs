//! What is wrong with tables that were to be asked.

use chuhe_engine::language::complain;
use chuhe_engine::tablebase::Shelf;

/// Tells it, once the tables are no longer asked.
pub fn say_remarks(shelf: &Shelf) {
    for remark in shelf.take_remarks() {
        complain(|| remark.to_string());
    }
}
