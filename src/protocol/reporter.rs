//! Showing a running search to the host.

use super::dialect::{Dialect, View};
use super::output::Output;
use crate::search::{Control, Info, Reporter};
use crate::types::Move;
use std::sync::Arc;

/// Prints what a search tells, as it is told.
pub struct Printer {
    /// In whose words.
    pub dialect: &'static dyn Dialect,
    /// How much.
    pub view: View,
    /// Where to.
    pub output: Arc<Output>,
    /// To end the search when nobody listens any more.
    pub control: Arc<Control>,
}

impl Printer {
    fn say(&self, lines: &[String]) {
        self.output.say(lines);
        if self.output.is_closed() {
            self.control.stop();
        }
    }
}

impl Reporter for Printer {
    fn info(&mut self, info: &Info) {
        self.say(&self.dialect.info(info, &self.view));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.say(&[self.dialect.current_move(depth, mv, number, self.view.ranks)]);
    }
}
