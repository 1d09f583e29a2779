//! Training: the deck of the person, and the games whose mistakes become cards. All pages of a program share it.
//!
//! * `exercises` has what is asked and answered, `views` what pages are sent of it.
//! * `endings` are played out, `rulings` are asked, `tactics` are solved.
//! * `openings` is the person's repertoire.
//! * `queue` holds the games that wait for their review, and reviews them, behind whatever else is done.
//! * `trial` judges the move that a page has tried.

pub mod endings;
pub mod exercises;
pub mod openings;
pub mod queue;
pub mod rulings;
pub mod tactics;
pub mod trial;
pub mod views;

use crate::context::{AppContext, Events};
use crate::library::Library;
use crate::library::record::GameId;
use crate::searches::{JobOutcome, JobPriority};
use chuhe_engine::search::Control;
use chuhe_study::player::Strength;
use chuhe_study::repertoire::OpeningCounts;
use chuhe_study::tactics::Tactic;
use chuhe_study::train::endings::Ending;
use chuhe_study::train::{CardId, Day, DeckGuard, LEAST_MOVES, RatedGame, Rating};
use chuhe_support::date;
use chuhe_support::files::StateNotes;
use chuhe_support::language::Message;
use chuhe_support::lock::Lock;
use queue::{Queue, QueueState, ReviewWorker};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

/// What training has in common for all pages.
pub struct Train {
    context: AppContext,
    queue: Mutex<Queue>,
    worker: Mutex<ReviewWorker>,
    /// The pages that hear of the queue.
    pages: Mutex<Vec<Weak<Events>>>,
    /// What can be practised, once a page has asked.
    endings: OnceLock<Vec<Ending>>,
    tactics: Mutex<Shelves>,
    own_games: Mutex<OwnGames>,
    /// The cards that were dropped last.
    dropped: Mutex<Vec<Vec<CardId>>>,
}

/// Tactics with the ids of their positions.
struct Shelf {
    tactics: Vec<Tactic>,
    ids: Vec<CardId>,
    /// The file; empty for those of the program.
    name: String,
}

/// The tactics that are there: those of the program, and of a file that was opened.
#[derive(Default)]
struct Shelves {
    own: Option<Arc<Shelf>>,
    opened: Option<Arc<Shelf>>,
}

/// The state of the list of games, and the names of the person.
type Version = ((usize, GameId), Option<Vec<String>>);

/// What the person has played with red and with black, counted when it is first wanted.
#[derive(Default)]
struct OwnGames(Option<(Version, Arc<[OpeningCounts; 2]>)>);

impl Train {
    pub fn new(context: &AppContext) -> Arc<Train> {
        let (queue, worker, pages, endings, tactics, own_games, dropped) = Default::default();
        let context = context.clone();
        let train = Arc::new(Train { context, queue, worker, pages, endings, tactics, own_games, dropped });
        let weak = Arc::downgrade(&train);
        train.context.store.tell_finished(move |page, id| {
            if let Some(train) = weak.upgrade() {
                train.add_finished_game(page, id);
            }
        });
        train
    }

    /// Ends the reviews, as the program ends.
    pub fn close(&self) {
        // The queue is not read for that.
        self.queue.locked().close();
    }

    /// The queue; it is read when this program may write it.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        let mut queue = self.queue.locked();
        if !queue.is_loaded() && self.context.store.deck().is_writable() {
            queue.load(self.context.store.folder());
        }
        queue
    }

    /// What the person should know of its files.
    pub fn notes(&self, notes: &mut StateNotes) {
        self.queue().notes(notes);
    }

    fn deck_file(&self) -> DeckGuard<'_> {
        self.context.store.deck().deck()
    }

    fn library(&self) -> &Library {
        self.context.store.library()
    }

    /// The deck, with dues for today where the person is.
    fn deck(&self, offset: i16) -> DeckGuard<'_> {
        let mut deck = self.deck_file();
        deck.get_mut().set_today(Day::of(date::unix_seconds(), offset));
        deck
    }

    /// A page is to hear of the queue.
    pub fn listen(&self, events: &Arc<Events>) {
        let mut pages = self.pages.locked();
        pages.retain(|page| page.strong_count() > 0);
        pages.push(Arc::downgrade(events));
    }

    fn publish(&self, state: &QueueState) {
        let pages = self.pages.locked().clone();
        pages.iter().filter_map(Weak::upgrade).for_each(|events| events.publish("train", || state));
    }

    /// Changes the queue, and tells all pages.
    fn change<T>(&self, change: impl FnOnce(&mut Queue) -> T) -> T {
        let mut queue = self.queue();
        let result = change(&mut queue);
        let state = QueueState::of(&queue);
        drop(queue);
        self.publish(&state);
        result
    }

    /// A game against the engine is over: its mistakes become cards.
    fn add_finished_game(self: &Arc<Train>, page: u64, id: GameId) {
        self.change(|queue| {
            queue.set_playing(page, false);
            if let Err(error) = queue.add(&[id], None) {
                queue.end(Some(error));
            }
        });
        self.go_on();
    }

    /// A page plays against the engine, or does not any more: reviews wait as long as any page plays.
    pub fn set_playing(self: &Arc<Train>, page: u64, is_playing: bool) {
        if self.queue().set_playing(page, is_playing) {
            self.publish(&QueueState::of(&self.queue()));
            self.go_on();
        }
    }

    /// Goes on with the reviews, if any wait and may run.
    pub fn go_on(self: &Arc<Train>) {
        if !self.queue().begin() {
            return;
        }
        let train = Arc::clone(self);
        let begun = self.context.runner.begin("train", JobPriority::Train, move |control| train.step(control));
        if let Err(error) = begun {
            self.change(|queue| queue.end(Some(Message::from_error(error))));
        }
    }

    /// Goes on with the next review until it is done or stopped. `Interrupted` if there is more to do.
    fn step(self: &Arc<Train>, control: Option<Control>) -> JobOutcome {
        let control = Arc::new(control.unwrap_or_default());
        let mut worker = self.worker.locked();
        if !self.queue().may_go_on(&control) {
            worker.rest();
            return JobOutcome::Done;
        }
        match worker.step(self, &control) {
            Ok(()) => JobOutcome::Interrupted,
            Err(error) => {
                self.change(|queue| queue.end(Some(error)));
                JobOutcome::Done
            }
        }
    }
}

/// How the names of the engine begin.
const ENGINE: &str = "Chuhe ";
/// The last games count.
const MOST_GAMES: usize = 60;
/// Where a person begins who was not asked, and the range of what is told.
const FIRST: u16 = 1450;
const RANGE: (f64, f64) = (1000.0, 3500.0);

/// The strength of the person among the levels.
#[derive(Serialize, crate::TS)]
pub struct OwnLevel {
    elo: u16,
    deviation: u16,
    games: usize,
}

/// The strength by the games against the engine on this board: their results, and the accuracy where a game was reviewed.
impl Train {
    /// The strength of the person by the games so far, who began here.
    pub fn own_level(&self, first: Option<u16>) -> OwnLevel {
        let first = first.unwrap_or(FIRST);
        let mut games: Vec<RatedGame> = self.library().last_played(MOST_GAMES, |about, accuracies| {
            // What was played with help is no measure.
            let strength: Strength = about.level.parse().ok().filter(|_| !about.helped)?;
            let [is_red, is_black] = [&about.black, &about.red].map(|name| name.starts_with(ENGINE));
            let red = match about.result.as_str() {
                "1-0" => 1.0,
                "0-1" => 0.0,
                "1/2-1/2" => 0.5,
                _ => return None,
            };
            let (score, accuracy) = if is_red { (red, accuracies[0]) } else { (1.0 - red, accuracies[1]) };
            let accuracy = accuracy.filter(|_| about.moves >= 2 * LEAST_MOVES);
            (is_red != is_black).then_some(RatedGame { opponent: strength.elo()? as f64, score, accuracy })
        });
        // The latest comes first.
        games.reverse();
        let count = games.len();
        let rating = Rating::after_games(f64::from(first).clamp(RANGE.0, RANGE.1), games);
        let elo = 10.0 * (rating.number.clamp(RANGE.0, RANGE.1) / 10.0).round();
        OwnLevel { elo: elo as u16, deviation: rating.deviation.round() as u16, games: count }
    }
}
