//! The review of a game for a page: publishes its progress, and is cancelled when the page closes. What was found is kept with
//! the game.

use crate::context::AppContext;
use crate::files::FileDownload;
use crate::library::kept_reviews::ReviewSummary;
use crate::searches::{JobPriority, PageSearch};
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_study::reader::line_names;
use chuhe_study::review::{self, GameAnalysis, Review, ReviewDocument};
use chuhe_support::language::{Message, message};
use chuhe_support::lock::Lock;
use chuhe_support::with_values;
use serde::Serialize;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::{Move, Rules};
use xiangqi_record::Game;

/// A review that is made step by step.
pub struct ReviewJob {
    game: Game,
    analysis: GameAnalysis,
    rules: Rules,
    limits: Limits,
    /// The review once all positions are searched, and the moves whose reasons were looked for.
    found: Option<(Review, usize)>,
}

impl ReviewJob {
    pub fn new(game: Game, rules: Rules, limits: Limits) -> ReviewJob {
        let analysis = GameAnalysis::new(&game);
        ReviewJob { game, analysis, rules, limits, found: None }
    }

    /// How many positions are searched.
    pub fn searched(&self) -> usize {
        match &self.found {
            Some((review, _)) => review.positions.iter().flatten().count(),
            None => self.analysis.positions.iter().flatten().count(),
        }
    }

    /// Searches the positions that are left; false if it was stopped.
    pub fn search(
        &mut self,
        searcher: &mut Searcher,
        control: &Control,
        progress: &mut dyn FnMut(usize, usize),
    ) -> bool {
        if self.found.is_none() {
            searcher.options.rules = self.rules;
            if !self.analysis.go_on(&self.game, searcher, &self.limits, control, progress) {
                return false;
            }
            self.found = Some((Review::of(self.game.clone(), self.rules, std::mem::take(&mut self.analysis)), 0));
        }
        true
    }

    /// Looks for the reasons of the mistakes that are left; gives the review away with them, or nothing if it was stopped.
    pub fn explain(&mut self, context: &AppContext, control: &Arc<Control>) -> Option<Review> {
        let (review, explained) = self.found.as_mut()?;
        while *explained < review.moves.len() {
            let tables = Some(&*context.resources.tablebases);
            review.find_reasons_of(*explained, tables, control);
            if control.stopped() {
                return None;
            }
            *explained += 1;
        }
        self.found.take().map(|(review, _)| review)
    }
}

pub struct ReviewSession {
    pub search: Arc<PageSearch>,
    /// The last complete review.
    done: Mutex<Option<Arc<Review>>>,
}

/// The progress of a review.
#[derive(Serialize)]
struct ReviewProgress<'a> {
    done: usize,
    total: usize,
    review: Option<ReviewView<'a>>,
    /// Why it could not be kept.
    message: Option<Message>,
}

with_values! {
    /// A finished review.
    #[derive(Serialize)]
    pub struct ReviewView<'a> {
        /// In the format of `chuhe review --json`.
        #[serde(flatten)]
        document: ReviewDocument<'a> = ReviewDocument::of(review),
        /// The game in words.
        story: String = review.story(),
        /// The names of the moves.
        names: Vec<String> = line_names(review.game.start(), &moves),
        /// The accuracy of red and black by phase.
        phases: Vec<(String, [Option<f64>; 2])> = review.accuracy_by_phase().into_iter().map(phase).collect(),
        /// How it was made, if it was kept.
        kept: Option<ReviewSummary> = kept,
    }
    fn of(review: &'a Review, kept: Option<ReviewSummary>) {
        let moves: Vec<Move> = review.moves.iter().map(|reviewed| reviewed.mv).collect();
        let phase = |(phase, accuracies): (review::Phase, _)| (phase.phrase().to_string(), accuracies);
    }
}

impl ReviewSession {
    pub fn new(search: Arc<PageSearch>) -> ReviewSession {
        ReviewSession { search, done: Mutex::default() }
    }

    /// Starts a review with this time per position; it is kept if that is wanted.
    pub fn begin(
        self: &Arc<ReviewSession>,
        game: Game,
        rules: Rules,
        time: Duration,
        is_kept: bool,
    ) -> Result<(), Message> {
        let Some(turn) = self.search.begin(None) else { return Ok(()) };
        let context = &self.search.context;
        let room = context.preferences.chosen_room(&context.resources);
        let mut searcher = context.searcher(Options { threads: room.threads, ..Options::default() }, room.hash_mb)?;
        let session = Arc::clone(self);
        let mut job = ReviewJob::new(game, rules, Limits::move_time(time));
        turn.search("review", JobPriority::Review, move |turn, control| {
            let context = &turn.owner.context;
            let mut progress = |done: usize, total: usize| {
                turn.owner.events.publish("review", || ReviewProgress { done, total, review: None, message: None });
            };
            if !job.search(&mut searcher, control, &mut progress) {
                return false;
            }
            let Some(review) = job.explain(context, control) else { return false };
            let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let reviews = context.store.library().reviews();
            let kept = is_kept.then(|| reviews.keep(&review, time, context.preferences.review_bytes()));
            *session.done.locked() = Some(Arc::new(review));
            session.publish(kept.and_then(Result::err));
            true
        })
    }

    /// Publishes the last review, if there is one.
    pub fn publish_again(&self) {
        self.publish(None);
    }

    fn publish(&self, message: Option<Message>) {
        let Some(review) = self.done.locked().clone() else { return };
        let total = review.positions.len();
        let found = || Some(ReviewView::of(&review, None));
        self.search.events.publish("review", || ReviewProgress { done: total, total, review: found(), message });
    }

    /// Goes on with a review that was kept, if one was; `show` is given it as the page shows it.
    pub fn take_kept<T>(
        &self,
        kept: Option<(ReviewSummary, Review)>,
        show: impl FnOnce(Option<ReviewView<'_>>) -> T,
    ) -> T {
        let shown = show(kept.as_ref().map(|(summary, review)| ReviewView::of(review, Some(summary.clone()))));
        if let Some((_, review)) = kept {
            *self.done.locked() = Some(Arc::new(review));
        }
        shown
    }

    /// The last complete review.
    pub fn last(&self) -> Result<Arc<Review>, Message> {
        self.done.locked().clone().ok_or_else(|| message!("There is no review yet."))
    }

    /// The last review as an HTML file.
    pub fn page(&self) -> Result<FileDownload, Message> {
        let page = review::page(&*self.last()?);
        Ok(FileDownload::new("review.html", "text/html", page.into_bytes()))
    }
}
