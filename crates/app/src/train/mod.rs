//! Training: the deck of the person, and the games whose mistakes become cards. All pages of a program share it.
//!
//! * `exercises` has what is asked and answered, `views` what pages are sent of it, `exercise_context` what stands beside an
//!   exercise, `cards` the files of cards.
//! * `endings` are played out, `rulings` are asked, `tactics` are solved.
//! * `openings` is the person's repertoire, `opening_views` what pages are sent of it, `opening_trial` what is said of a move.
//! * `queue` holds the games that wait for their review; `review_worker` reviews them, behind whatever else is done.
//! * `trial_session` judges the move that a page has tried.

pub mod cards;
pub mod endings;
pub mod exercise_context;
pub mod exercises;
mod opening_trial;
pub mod opening_views;
pub mod openings;
pub mod queue;
mod review_worker;
pub mod rulings;
pub mod tactics;
pub mod trial_session;
pub mod views;

pub use trial_session::TrialSession;

use crate::client::Client;
use crate::events::Events;
use crate::job_runner::{JobOutcome, JobPriority, JobRunner};
use crate::library::record::GameId;
use crate::preferences::Preferences;
use crate::save_store::SaveStore;
use chuhe_engine::search::Control;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::train::endings::Ending;
use chuhe_study::train::{CardId, Day, DeckGuard};
use chuhe_support::date;
use chuhe_support::files::StateNotes;
use chuhe_support::language::Message;
use queue::{Queue, QueueState};
use review_worker::{ReviewWorker, Step};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// What training has in common for all pages.
pub struct Train {
    store: Arc<SaveStore>,
    preferences: Arc<Preferences>,
    resources: AnalystResources,
    runner: JobRunner,
    queue: Mutex<Queue>,
    worker: Mutex<ReviewWorker>,
    /// The pages that hear of the queue.
    pages: Mutex<Vec<Weak<Events>>>,
    /// What can be practised, once a page has asked.
    endings: OnceLock<Vec<Ending>>,
    tactics: Mutex<tactics::Shelves>,
    own_games: Mutex<openings::OwnGames>,
    /// The cards that were dropped last.
    dropped: Mutex<Vec<Vec<CardId>>>,
}

/// Ends the reviews when the program does.
pub struct TrainOwner(Arc<Train>);

impl Drop for TrainOwner {
    fn drop(&mut self) {
        // It is not read for that.
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner).close();
    }
}

impl Train {
    /// Also returns what ends its reviews.
    pub fn new(
        store: &Arc<SaveStore>,
        preferences: &Arc<Preferences>,
        resources: AnalystResources,
        runner: JobRunner,
    ) -> (Arc<Train>, TrainOwner) {
        let (queue, worker, pages, endings, tactics, own_games, dropped) = Default::default();
        let (store, preferences) = (Arc::clone(store), Arc::clone(preferences));
        let train = Arc::new(Train {
            store,
            preferences,
            resources,
            runner,
            queue,
            worker,
            pages,
            endings,
            tactics,
            own_games,
            dropped,
        });
        let weak = Arc::downgrade(&train);
        train.store.tell_finished(move |page, id| {
            if let Some(train) = weak.upgrade() {
                train.add_finished_game(page, id);
            }
        });
        (Arc::clone(&train), TrainOwner(train))
    }

    /// The training as a page asks for it. Who trains does not play at the same time.
    pub fn of(client: &Client) -> &Arc<Train> {
        client.train.set_playing(client.id, false);
        client.train.go_on();
        &client.train
    }

    /// The queue; it is read when this program may write it.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if !queue.is_loaded() && self.store.deck().is_writable() {
            queue.load(self.store.folder());
        }
        queue
    }

    /// What the person should know of its files.
    pub fn notes(&self, notes: &mut StateNotes) {
        self.queue().notes(notes);
    }

    /// The deck, with dues for today where the person is.
    fn deck(&self, offset: i16) -> DeckGuard<'_> {
        let mut deck = self.store.deck().deck();
        deck.get_mut().set_today(Day::of(date::unix_seconds(), offset));
        deck
    }

    fn dropped(&self) -> MutexGuard<'_, Vec<Vec<CardId>>> {
        self.dropped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page is to hear of the queue.
    pub fn listen(&self, events: &Arc<Events>) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|page| page.strong_count() > 0);
        pages.push(Arc::downgrade(events));
    }

    fn publish(&self, state: &QueueState) {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        pages.iter().filter_map(Weak::upgrade).for_each(|events| events.publish("train", || state));
    }

    /// Changes the queue, and tells all pages.
    fn change<T>(&self, change: impl FnOnce(&mut Queue) -> T) -> T {
        let mut queue = self.queue();
        let result = change(&mut queue);
        let state = queue.state();
        drop(queue);
        self.publish(&state);
        result
    }

    /// A game against the engine is over: its mistakes become cards.
    fn add_finished_game(self: &Arc<Train>, page: u64, id: GameId) {
        self.change(|queue| {
            queue.set_playing(page, false);
            if let Err(error) = queue.add(&[id], None) {
                queue.end(Some(Message::from_error(error)));
            }
        });
        self.go_on();
    }

    /// A page plays against the engine, or does not any more: reviews wait as long as any page plays.
    pub fn set_playing(self: &Arc<Train>, page: u64, is_playing: bool) {
        if self.queue().set_playing(page, is_playing) {
            self.publish(&self.queue().state());
            self.go_on();
        }
    }

    /// Goes on with the reviews, if any wait and may run.
    pub fn go_on(self: &Arc<Train>) {
        if !self.queue().begin() {
            return;
        }
        let train = Arc::clone(self);
        let begun = self.runner.begin("train", JobPriority::Train, move |control| train.step(control));
        if let Err(error) = begun {
            self.change(|queue| queue.end(Some(Message::from_error(error))));
        }
    }

    /// Goes on with the next review until it is done or stopped. `Interrupted` if there is more to do.
    fn step(self: &Arc<Train>, control: Option<Control>) -> JobOutcome {
        let control = Arc::new(control.unwrap_or_default());
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.queue().may_go_on(&control) {
            worker.rest();
            return JobOutcome::Done;
        }
        match worker.step(self, &control) {
            Step::GoesOn => JobOutcome::Interrupted,
            Step::Failed(error) => {
                self.change(|queue| queue.end(Some(error)));
                JobOutcome::Done
            }
        }
    }
}
