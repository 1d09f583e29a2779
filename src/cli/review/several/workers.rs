//! A worker that reviews one game after the other.

use super::super::{ReviewArgs, ReviewError};
use chuhe_engine::search::{Control, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{AnalysisObserver, KeptReview, Review, analyse_game};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use xiangqi_record::Game;

/// A game to review.
pub struct ReviewJob {
    pub game: Box<Game>,
    /// The line of the journal, if it has one of this game.
    pub kept: Option<Vec<u8>>,
}

pub struct FinishedReview {
    pub review: Box<Review>,
    /// The journal had it.
    pub is_kept: bool,
}

/// A worker, which adds to the number of positions that were searched.
pub fn reviewer<'a>(
    args: &'a ReviewArgs,
    tablebase: &'a Arc<Tablebase>,
    control: &'a Arc<Control>,
    positions: &'a AtomicUsize,
) -> impl FnMut(ReviewJob) -> Result<Option<FinishedReview>, ReviewError> + Send + 'a {
    // Made for the first game: there may be fewer games than threads.
    let mut own_searcher: Option<Searcher> = None;
    move |ReviewJob { game, kept }| {
        let rules = args.rules();
        let kept: Option<KeptReview> = kept.and_then(|line| serde_json::from_slice(&line).ok());
        if let Some(review) = kept.and_then(|kept| kept.review((*game).clone(), rules)) {
            return Ok(Some(FinishedReview { review: Box::new(review), is_kept: true }));
        }
        if control.stopped() {
            return Ok(None);
        }
        let searcher = match &mut own_searcher {
            Some(searcher) => searcher,
            none => none.insert(args.searcher(true, Arc::clone(tablebase))?),
        };
        // What was searched of another game is no part of the answer.
        searcher.new_game();
        let limits = args.limits(true);
        let mut observer = PositionCounter { all: positions, done: 0 };
        let found = analyse_game(&game, searcher, &limits, control, &mut observer);
        let mut review = Review::of(*game, rules, found);
        // A review without all its reasons would be kept as it is.
        let is_done = review.is_complete() && review.find_reasons(Some(tablebase), &ReasonLimits::default(), control);
        Ok(is_done.then(|| FinishedReview { review: Box::new(review), is_kept: false }))
    }
}

/// Adds the positions of a game to those of all games.
struct PositionCounter<'a> {
    all: &'a AtomicUsize,
    done: usize,
}

impl AnalysisObserver for PositionCounter<'_> {
    fn progress(&mut self, done: usize, _: usize) {
        self.all.fetch_add(done - self.done, Ordering::Relaxed);
        self.done = done;
    }
}
