//! The review of a game for a page: runs on a thread of its own if there are threads, publishes its progress, and is
//! cancelled when the page closes. What was found is kept with the game.

use super::events::Events;
use super::files::FileDownload;
use super::job_runner::JobRunner;
use super::library::kept_reviews::ReviewSummary;
use super::page_search::{PageSearch, SearchTurn};
use super::preferences::Preferences;
use super::save_store::SaveStore;
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_study::analyse::AnalystResources;
use chuhe_study::reader::line_names;
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{self, AnalysisObserver, GameAnalysis, Review, ReviewDocument};
use chuhe_support::language::{Message, tr};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use xiangqi::{Move, Rules};
use xiangqi_record::Game;

pub struct ReviewSession {
    events: Arc<Events>,
    resources: AnalystResources,
    preferences: Arc<Preferences>,
    runner: JobRunner,
    search: Arc<PageSearch>,
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

/// A finished review.
#[derive(Serialize)]
pub struct ReviewView<'a> {
    /// In the format of `chuhe review --json`.
    #[serde(flatten)]
    document: ReviewDocument<'a>,
    /// The game in words.
    story: String,
    /// The names of the moves.
    names: Vec<String>,
    /// The accuracy of red and black by phase.
    phases: Vec<(String, [Option<f64>; 2])>,
    /// How it was made, if it was kept.
    kept: Option<ReviewSummary>,
}

impl ReviewView<'_> {
    fn of(review: &Review, kept: Option<ReviewSummary>) -> ReviewView<'_> {
        let moves: Vec<Move> = review.moves.iter().map(|reviewed| reviewed.mv).collect();
        let phase = |(phase, accuracies): (review::Phase, _)| (phase.name().to_string(), accuracies);
        ReviewView {
            document: review::document(review),
            story: review.story(),
            names: line_names(review.game.start(), &moves),
            phases: review.accuracy_by_phase().into_iter().map(phase).collect(),
            kept,
        }
    }
}

/// Where a review is kept, and how many bytes all of them may take.
pub struct ReviewKeeping {
    pub store: Arc<SaveStore>,
    pub limit: u64,
}

/// Publishes the progress.
struct ProgressPublisher<'a>(&'a Events);

impl AnalysisObserver for ProgressPublisher<'_> {
    fn progress(&mut self, done: usize, total: usize) {
        self.0.publish("review", || ReviewProgress { done, total, review: None, message: None });
    }
}

/// The review that was kept of a game, if there is one.
#[derive(Serialize)]
pub struct KeptReply<'a> {
    pub review: Option<ReviewView<'a>>,
}

impl ReviewSession {
    pub fn new(
        resources: AnalystResources,
        preferences: Arc<Preferences>,
        events: Arc<Events>,
        runner: JobRunner,
    ) -> ReviewSession {
        ReviewSession { events, resources, preferences, runner, search: Arc::default(), done: Mutex::default() }
    }

    fn done(&self) -> MutexGuard<'_, Option<Arc<Review>>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a review with this time per position; it is kept if that is wanted.
    pub fn begin(
        self: &Arc<ReviewSession>,
        game: Game,
        rules: Rules,
        time: Duration,
        keeping: Option<ReviewKeeping>,
    ) -> Result<(), Message> {
        let Some(turn) = self.search.begin(&self.runner) else { return Ok(()) };
        let room = self.preferences.chosen_room(&self.resources);
        let options = Options { threads: room.threads, rules, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, room.hash_mb).map_err(Message::from_value)?;
        searcher.tablebase = Some(Arc::clone(&self.resources.tablebases));
        let reviews = Arc::clone(self);
        let mut study = GameAnalysis::new(&game);
        let limits = Limits::move_time(time);
        // The review once all positions are searched, and the moves whose reasons were looked for.
        let mut found: Option<(Review, usize)> = None;
        // Goes on with the review until it is finished or this control is stopped; returns whether it is finished.
        let go_on = move |_: &SearchTurn, control: &Arc<Control>| {
            if found.is_none() {
                let mut publisher = ProgressPublisher(&reviews.events);
                if !study.go_on(&game, &mut searcher, &limits, control, &mut publisher) {
                    return false;
                }
                found = Some((Review::of(game.clone(), rules, std::mem::take(&mut study)), 0));
            }
            let Some((review, explained)) = &mut found else { return true };
            while *explained < review.moves.len() {
                let tables = Some(&*reviews.resources.tablebases);
                review.find_reasons_of(*explained, tables, &ReasonLimits::default(), control);
                if control.stopped() {
                    return false;
                }
                *explained += 1;
            }
            if let Some((review, _)) = found.take() {
                let keep = |ReviewKeeping { store, limit }: &ReviewKeeping| {
                    let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                    store.library().reviews().keep(&review, time, *limit).err()
                };
                let message = keeping.as_ref().and_then(keep);
                reviews.finish(review, message);
            }
            true
        };
        turn.search(&self.runner, "review", go_on)
    }

    fn finish(&self, review: Review, message: Option<Message>) {
        *self.done() = Some(Arc::new(review));
        self.publish(message);
    }

    /// Publishes the last review, if there is one.
    pub fn publish_again(&self) {
        self.publish(None);
    }

    fn publish(&self, message: Option<Message>) {
        let Some(review) = self.done().clone() else { return };
        let total = review.positions.len();
        let found = || Some(ReviewView::of(&review, None));
        self.events.publish("review", || ReviewProgress { done: total, total, review: found(), message });
    }

    /// Goes on with a review that was kept, if one was; returns it as the page shows it.
    pub fn take_kept(&self, kept: Option<(ReviewSummary, Review)>) -> Result<String, Message> {
        let review = kept.as_ref().map(|(summary, review)| ReviewView::of(review, Some(summary.clone())));
        let text = serde_json::to_string(&KeptReply { review });
        if let Some((_, review)) = kept {
            *self.done() = Some(Arc::new(review));
        }
        text.map_err(Message::from_error)
    }

    /// The owner of the running review.
    pub fn search(&self) -> &PageSearch {
        &self.search
    }

    /// The last complete review.
    pub fn last(&self) -> Result<Arc<Review>, Message> {
        self.done().clone().ok_or_else(|| Message::of(|| tr!("There is no review yet.")))
    }

    /// The last review as an HTML file.
    pub fn page(&self) -> Result<FileDownload, Message> {
        let page = review::page(&*self.last()?);
        Ok(FileDownload::new("review.html", "text/html", page.into_bytes()))
    }
}
