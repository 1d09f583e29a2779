//! Showing a running search to the host.

use super::dialect::{Dialect, View};
use super::output::Output;
use chuhe_engine::language::tr;
use chuhe_engine::search::{Control, Info, MateSearch, Reporter};
use chuhe_engine::types::Move;
use std::sync::Arc;

/// Prints what a search tells, as it is told.
pub struct Printer {
    pub dialect: &'static dyn Dialect,
    pub view: View,
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

    fn mate_search(&mut self, search: &MateSearch) {
        self.say(&[self.dialect.message(&words_of(search))]);
    }
}

/// What is known about the mate that was asked for.
fn words_of(search: &MateSearch) -> String {
    let &MateSearch { asked, found, ruled_out, over } = search;
    let moves = |count: u32| if count == 1 { tr!("1 move") } else { tr!("{count} moves", count) };
    match found {
        Some(found) if ruled_out + 1 >= found => {
            tr!("mate in {moves}, and there is no shorter one", moves = moves(found))
        }
        Some(found) if over => tr!(
            "mate in {moves}; none in {fewer}, between them not searched out",
            moves = moves(found),
            fewer = moves(ruled_out)
        ),
        _ if ruled_out >= asked => tr!("there is no mate in {moves}", moves = moves(asked)),
        _ if over => tr!("no mate found; there is none in {moves}", moves = moves(ruled_out)),
        _ => tr!("there is no mate in {moves}", moves = moves(ruled_out)),
    }
}
