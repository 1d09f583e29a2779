//! Reviews one game after the other, and makes cards of the mistakes. A review that is stopped goes on where it was.

use super::Train;
use super::queue::{CurrentGame, FailedGame, GameFate};
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
use chuhe_support::date;
use chuhe_support::language::{Message, message};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Color, RuleSet, Rules};
use xiangqi_record::Game;

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
