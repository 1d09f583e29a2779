//! The games that wait for their review, and what became of those before them. What waits is kept from run to run. One game is
//! reviewed after the other, and the mistakes become cards; a review that is stopped goes on where it was.

use super::Train;
use super::views::{MAX_NAME, shortened};
use crate::library::Player;
use crate::library::record::{GameId, GameSummary};
use crate::review_session::ReviewJob;
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_study::game::{Seat, game_record};
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::review::{PlayerNames, Review};
use chuhe_study::train::{
    CardGame, CardId, Event, LEAST_LOSS, ReviewedGame, cards_of_review, game_hash, is_mistake, month_of,
};
use chuhe_support::files::{Folder, JsonState, StateFile, StateNotes};
use chuhe_support::language::{Message, message};
use chuhe_support::{date, with_values};
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Color, RuleSet, Rules};
use xiangqi_record::Game;

/// The file in the state folder.
const FILE: &str = "train-queue.json";
/// It is written after so many games at the latest: those that are done then are known by their moves.
const WRITE_INTERVAL: usize = 20;
/// The most games that fail and are named.
const MAX_FAILED: usize = 50;
/// The positions of a game, as long as none was reviewed.
const USUAL_POSITIONS: usize = 80;
/// The most names of the person.
const MAX_ME: usize = 20;
/// The most names that recur.
const MAX_PLAYERS: usize = 30;

/// What is kept of the queue.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct KeptQueue {
    /// The names of the person, once they were told.
    me: Option<Vec<String>>,
    paused: bool,
    /// The nodes of a position, if others than usual are wanted.
    nodes: Option<u64>,
    games: VecDeque<GameId>,
}

impl JsonState for KeptQueue {
    const FORMAT: u32 = 1;
    const MAX_BYTES: u64 = 4 << 20;
}

with_values! {
    /// The state of the queue, as pages are told.
    #[derive(Clone, Serialize, crate::TS)]
    pub struct QueueState {
        games: usize = queue.counts.done + waiting,
        #[serde(flatten)]
        counts: QueueCounts = queue.counts.clone(),
        current: Option<CurrentGame> = queue.current.clone().filter(|_| waiting > 0),
        paused: bool = queue.is_paused(),
        waits: bool = waiting > 0 && !queue.playing.is_empty(),
        seconds_left: Option<u64> = seconds,
        #[ts(type = "string | null")]
        error: Option<Message> = queue.error.clone(),
    }
    pub fn of(queue: &Queue) {
        let waiting = queue.waiting().count();
        let (time, positions) = queue.spent;
        let mean = positions.checked_div(queue.reviewed).unwrap_or(USUAL_POSITIONS);
        let rest = queue.current.as_ref().map_or(mean, |current| current.total - current.done.min(current.total));
        let left = rest + mean * waiting.saturating_sub(1);
        let seconds =
            (positions > 0 && waiting > 0).then(|| (time.as_secs_f64() / positions as f64 * left as f64).ceil() as u64);
    }
}

/// Counts since the queue was empty last.
#[derive(Clone, Default, Serialize, crate::TS)]
struct QueueCounts {
    done: usize,
    failed: Vec<FailedGame>,
    known: usize,
    others: usize,
    mistakes: usize,
    /// The cards that were kept.
    kept: usize,
}

#[derive(Clone, Serialize, crate::TS)]
pub struct FailedGame {
    pub title: String,
    #[ts(type = "string")]
    pub error: Message,
}

/// The game that is reviewed.
#[derive(Clone, Serialize, crate::TS)]
pub struct CurrentGame {
    pub title: String,
    pub done: usize,
    pub total: usize,
}

/// What has become of a game.
pub enum GameFate {
    /// Its mistakes, and the new cards.
    Reviewed {
        mistakes: usize,
        kept: usize,
    },
    /// It was reviewed before.
    Known,
    /// The person does not play in it.
    OfOthers,
    Failed(FailedGame),
}

#[derive(Default)]
pub struct Queue {
    /// What is kept; `None` as long as this program may not write it.
    file: Option<StateFile<KeptQueue>>,
    /// The games in it that are done.
    gone: HashSet<u64>,
    counts: QueueCounts,
    pub current: Option<CurrentGame>,
    /// The time for positions that were searched, and their number; the games that were reviewed.
    spent: (Duration, usize),
    reviewed: usize,
    /// The pages that play against the engine.
    playing: HashSet<u64>,
    /// Somebody reviews; this stops it.
    is_running: bool,
    control: Option<Arc<Control>>,
    is_closed: bool,
    error: Option<Message>,
}

impl Queue {
    pub fn is_loaded(&self) -> bool {
        self.file.is_some()
    }

    /// Reads what waits since the last run.
    pub fn load(&mut self, folder: &Folder) {
        self.file = Some(StateFile::open(folder, FILE));
    }

    /// What the person should know of the file.
    pub fn notes(&mut self, notes: &mut StateNotes) {
        self.file.iter_mut().for_each(|file| notes.add(file));
    }

    fn kept(&self) -> Option<&KeptQueue> {
        Some(self.file.as_ref()?.get())
    }

    /// Changes what is kept. The games that are done leave it at the same time.
    fn change<T>(&mut self, change: impl FnOnce(&mut KeptQueue) -> T) -> Result<T, Message> {
        let gone = &self.gone;
        let changed = self.file.as_mut().ok_or_else(not_writable)?.set(|kept| {
            kept.games.retain(|id| !gone.contains(&id.0));
            change(kept)
        })?;
        self.gone.clear();
        Ok(changed)
    }

    /// The games that wait.
    fn waiting(&self) -> impl Iterator<Item = GameId> {
        let games = self.kept().into_iter().flat_map(|kept| kept.games.iter().copied());
        games.filter(|id| !self.gone.contains(&id.0))
    }

    // ---- what waits ----

    /// Adds games that do not wait yet; returns how many.
    pub fn add(&mut self, ids: &[GameId], nodes: Option<u64>) -> Result<usize, Message> {
        let was_empty = self.waiting().next().is_none();
        let count = self.change(|kept| {
            let mut waiting: HashSet<u64> = kept.games.iter().map(|id| id.0).collect();
            let before = waiting.len();
            kept.games.extend(ids.iter().filter(|id| waiting.insert(id.0)));
            kept.nodes = nodes.or(kept.nodes);
            waiting.len() - before
        })?;
        if was_empty {
            self.counts = QueueCounts::default();
        }
        Ok(count)
    }

    /// Forgets all games that wait.
    pub fn clear(&mut self) -> Result<(), Message> {
        self.change(|kept| kept.games.clear())?;
        self.current = None;
        self.stop();
        Ok(())
    }

    pub fn me(&self) -> Option<&[String]> {
        self.kept()?.me.as_deref()
    }

    pub fn set_me(&mut self, names: Vec<String>) -> Result<(), Message> {
        self.change(|kept| kept.me = Some(names))
    }

    fn is_paused(&self) -> bool {
        self.kept().is_some_and(|kept| kept.paused)
    }

    pub fn set_paused(&mut self, is_paused: bool) -> Result<(), Message> {
        self.change(|kept| kept.paused = is_paused)?;
        if is_paused {
            self.stop();
        }
        Ok(())
    }

    /// The next game, and the nodes of a position if others than usual are wanted.
    pub fn next(&self) -> Option<(GameId, Option<u64>)> {
        Some((self.waiting().next()?, self.kept()?.nodes))
    }

    /// A game is done.
    pub fn finish(&mut self, id: GameId, fate: GameFate) {
        self.gone.insert(id.0);
        self.current = None;
        let counts = &mut self.counts;
        counts.done += 1;
        match fate {
            GameFate::Reviewed { mistakes, kept } => {
                counts.mistakes += mistakes;
                counts.kept += kept;
                self.reviewed += 1;
            }
            GameFate::Known => counts.known += 1,
            GameFate::OfOthers => counts.others += 1,
            GameFate::Failed(game) if counts.failed.len() < MAX_FAILED => counts.failed.push(game),
            GameFate::Failed(_) => {}
        }
        if self.gone.len().is_multiple_of(WRITE_INTERVAL) || self.waiting().next().is_none() {
            // To review a game again is no loss: a failure is for the log.
            if let Err(error) = self.change(|_| ()) {
                log::warn!("{}", error.english());
            }
        }
    }

    /// So much time went into so many positions.
    pub fn count_time(&mut self, time: Duration, positions: usize) {
        self.spent = (self.spent.0 + time, self.spent.1 + positions);
    }

    // ---- whether it runs ----

    /// Returns whether that is new.
    pub fn set_playing(&mut self, page: u64, is_playing: bool) -> bool {
        if is_playing {
            self.stop();
            self.playing.insert(page)
        } else {
            self.playing.remove(&page)
        }
    }

    fn may_run(&self) -> bool {
        let is_free = self.playing.is_empty() && !self.is_paused() && !self.is_closed;
        is_free && self.waiting().next().is_some()
    }

    /// Marks the queue as running; true if the caller must start the reviews.
    pub fn begin(&mut self) -> bool {
        if self.is_running || !self.may_run() {
            return false;
        }
        (self.is_running, self.error) = (true, None);
        true
    }

    /// True if the reviewer may take the next game, to be stopped by this control; otherwise the reviews have ended.
    pub fn may_go_on(&mut self, control: &Arc<Control>) -> bool {
        let may = self.may_run();
        (self.is_running, self.control) = (may, may.then(|| Arc::clone(control)));
        may
    }

    /// The reviews have ended because of an error.
    pub fn end(&mut self, error: Option<Message>) {
        (self.is_running, self.control, self.error) = (false, None, error);
    }

    fn stop(&self) {
        if let Some(control) = &self.control {
            control.stop();
        }
    }

    /// The program ends.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.stop();
    }
}

fn not_writable() -> Message {
    message!("Another program of Chuhe keeps the exercises: nothing can be changed here until it ends.")
}

impl Train {
    /// The names that recur in the list of games, the most frequent first.
    pub fn players(&self) -> Vec<Player> {
        self.library().recurring_players(MAX_PLAYERS)
    }

    /// Reviews games of the list; returns how many did not wait yet.
    pub fn add_games(self: &Arc<Train>, games: &[GameId]) -> Result<usize, Message> {
        self.change_and_go_on(|queue| queue.add(games, None))
    }

    /// Tells whose mistakes become cards, and the nodes of a position if others than usual are wanted.
    pub fn set_me(self: &Arc<Train>, names: &[String], nodes: Option<u64>) -> Result<(), Message> {
        let names: Vec<String> = names.iter().take(MAX_ME).map(|name| shortened(name.trim(), MAX_NAME)).collect();
        // Each of them has a letter.
        PlayerNames::new(&names).map_err(Message::from_error)?;
        self.change_and_go_on(|queue| {
            queue.set_me(names)?;
            if nodes.is_some() {
                queue.add(&[], nodes)?;
            }
            Ok(())
        })
    }

    pub fn set_paused(self: &Arc<Train>, is_paused: bool) -> Result<(), Message> {
        self.change_and_go_on(|queue| queue.set_paused(is_paused))
    }

    /// Forgets the games that wait.
    pub fn forget_waiting(self: &Arc<Train>) -> Result<(), Message> {
        self.change_and_go_on(Queue::clear)
    }

    fn change_and_go_on<T>(
        self: &Arc<Train>,
        change: impl FnOnce(&mut Queue) -> Result<T, Message>,
    ) -> Result<T, Message> {
        let outcome = self.change(change)?;
        self.go_on();
        Ok(outcome)
    }
}

/// The nodes of a position, and the range of those that are asked for. Without threads it may be a phone.
const NODES: u64 = 100_000;
const INLINE_NODES: u64 = 20_000;
const NODE_RANGE: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;

#[derive(Default)]
pub struct ReviewWorker {
    searcher: Option<Searcher>,
    job: Option<QueuedReview>,
}

/// A game that is reviewed.
struct QueuedReview {
    id: GameId,
    hash: CardId,
    job: ReviewJob,
    sides: Vec<Color>,
    origin: CardGame,
    /// How long its positions were searched.
    spent: Duration,
    /// What was found, once it is done.
    found: Option<Review>,
}

impl ReviewWorker {
    /// Gives back the hash table: there is nothing to do for now.
    pub fn rest(&mut self) {
        self.searcher = None;
    }

    /// Goes on with the next review until it is done or stopped; there may be more to do. After an error it is tried again when
    /// the person asks for anything.
    pub fn step(&mut self, train: &Train, control: &Arc<Control>) -> Result<(), Message> {
        let Some((id, nodes)) = train.queue().next() else { return Ok(()) };
        if self.job.as_ref().is_none_or(|job| job.id != id) {
            match QueuedReview::prepare(train, id, nodes) {
                Ok(job) => self.job = Some(job),
                Err(fate) => {
                    train.change(|queue| queue.finish(id, fate));
                    return Ok(());
                }
            }
            if let Some(searcher) = &mut self.searcher {
                searcher.new_game();
            }
        }
        let Some(job) = &mut self.job else { return Ok(()) };
        if job.found.is_none() {
            let searcher = match &mut self.searcher {
                Some(searcher) => searcher,
                None => {
                    let options = Options { threads: 1, ..Options::default() };
                    self.searcher.insert(train.context.searcher(options, SMALL_HASH_MB)?)
                }
            };
            job.found = job.review(train, searcher, control);
        }
        if job.found.is_some() {
            let fate = job.keep(train)?;
            self.job = None;
            train.change(|queue| queue.finish(id, fate));
        }
        Ok(())
    }
}

impl QueuedReview {
    /// The review of a game; or why there is none.
    fn prepare(train: &Train, id: GameId, nodes: Option<u64>) -> Result<QueuedReview, GameFate> {
        let (game, about) =
            train.library().get(id).map_err(|error| GameFate::Failed(FailedGame { title: id.to_string(), error }))?;
        let title = title(&about);
        if game.moves().next().is_none() {
            return Err(GameFate::Failed(FailedGame { title, error: message!("There are no moves in it.") }));
        }
        let hash = game_hash(&game);
        if train.deck_file().get().game(hash).is_some_and(|known| !known.failed) {
            return Err(GameFate::Known);
        }
        let sides = sides_of_person(&game, train.queue().me());
        if sides.is_empty() {
            return Err(GameFate::OfOthers);
        }
        let nodes =
            nodes.unwrap_or(train.context.nodes(NODES, INLINE_NODES)).clamp(*NODE_RANGE.start(), *NODE_RANGE.end());
        let rules = game.tag("Rules").and_then(|text| text.parse::<RuleSet>().ok()).map(Rules::new);
        Ok(QueuedReview {
            id,
            hash,
            job: ReviewJob::new(game, rules.unwrap_or_default(), Limits::nodes(nodes)),
            sides,
            origin: CardGame { id: id.to_string(), title, date: about.date, players: [about.red, about.black] },
            spent: Duration::ZERO,
            found: None,
        })
    }

    /// Goes on with the review; nothing if it was stopped.
    fn review(&mut self, train: &Train, searcher: &mut Searcher, control: &Arc<Control>) -> Option<Review> {
        let (begun, before) = (Instant::now(), self.job.searched());
        let title = &self.origin.title;
        let mut progress = |done: usize, total: usize| {
            train.change(|queue| queue.current = Some(CurrentGame { title: title.clone(), done, total }));
        };
        let is_searched = self.job.search(searcher, control, &mut progress);
        self.spent += begun.elapsed();
        train.queue().count_time(begun.elapsed(), self.job.searched() - before);
        if is_searched { self.job.explain(&train.context, control) } else { None }
    }

    /// Keeps the review, the cards of the mistakes that are new, and that the game was reviewed.
    fn keep(&self, train: &Train) -> Result<GameFate, Message> {
        let Some(review) = &self.found else { return Ok(GameFate::Known) };
        let time = self.spent.as_millis() / review.positions.len().max(1) as u128;
        let reviews = train.library().reviews();
        // The cards are worth more: without a review they are kept all the same.
        if let Err(error) = reviews.keep_beside(review, time as u64, train.context.preferences.review_bytes()) {
            log::warn!("{}", error.english());
        }
        let at = date::unix_seconds();
        let of_person = review.moves.iter().filter(|reviewed| self.sides.contains(&reviewed.side));
        let mistakes = of_person.filter(|reviewed| reviewed.loss().is_some_and(|loss| loss >= LEAST_LOSS)).count();
        let own: Vec<f64> = self.sides.iter().filter_map(|&color| review.side(color).accuracy).collect();
        let accuracy = (!own.is_empty()).then(|| (10.0 * own.iter().sum::<f64>() / own.len() as f64).round() as u16);
        let cards = cards_of_review(review, &self.sides, &self.origin, at, |reviewed| is_mistake(reviewed, LEAST_LOSS));
        let mut deck = train.deck_file();
        // A position that was a card once is none again, not even if it was dropped.
        let fresh = cards.into_iter().filter(|card| !deck.get().has_known(card.id));
        let mut events: Vec<Event> = fresh.map(|card| Event::Card(Box::new(card))).collect();
        let kept = events.len();
        events.push(Event::Game(ReviewedGame {
            hash: self.hash,
            at,
            mistakes: mistakes as u32,
            failed: false,
            month: month_of(&self.origin.date).unwrap_or_default(),
            accuracy,
        }));
        deck.add(events).map_err(Message::from_error)?;
        Ok(GameFate::Reviewed { mistakes, kept })
    }
}

/// The sides that the person has played: as a game against the engine says, or by name. Both if no name was told.
pub(super) fn sides_of_person(game: &Game, me: Option<&[String]>) -> Vec<Color> {
    if game.tag("Recorder") == Some(game_record::RECORDER) {
        let seat = game_record::from_record(game.clone()).seat;
        if seat != Seat::Both {
            return Color::ALL.into_iter().filter(|&color| seat.includes(color)).collect();
        }
    }
    PlayerNames::new(me.unwrap_or_default()).unwrap_or_default().sides(game)
}

/// The players of a game, or else its event.
fn title(about: &GameSummary) -> String {
    let known = |text: &str| if text.is_empty() { "?" } else { text }.to_string();
    match (about.red.as_str(), about.black.as_str()) {
        ("", "") => [&about.name, &about.event, &about.file]
            .into_iter()
            .find(|text| !text.is_empty())
            .map_or("–".to_string(), |text| text.clone()),
        (red, black) => format!("{} – {}", known(red), known(black)),
    }
}
