//! Reviews one game after the other, and makes cards of the mistakes. A review that is stopped goes on where it was.

use super::Train;
use super::queue::{CurrentGame, GameFate};
use crate::library::record::{GameId, GameSummary};
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_study::game::{Seat, game_record};
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{AnalysisObserver, GameAnalysis, PlayerNames, Review};
use chuhe_study::train::{
    Card, CardGame, CardId, Event, LEAST_LOSS, ReviewedGame, cards_of_review, game_hash, is_mistake, month_of,
};
use chuhe_support::date;
use chuhe_support::language::{Message, tr};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Color, RuleSet, Rules};
use xiangqi_record::Game;

/// The nodes of a position, and the range of those that are asked for. Without threads it may be a phone.
const NODES: u64 = 100_000;
const INLINE_NODES: u64 = 20_000;
const NODE_RANGE: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;

/// What comes after a step.
pub enum Step {
    /// There may be more to do.
    GoesOn,
    /// It is tried again when the person asks for anything.
    Failed(Message),
}

#[derive(Default)]
pub struct ReviewWorker {
    searcher: Option<Searcher>,
    job: Option<ReviewJob>,
}

/// A game that is reviewed.
struct ReviewJob {
    id: GameId,
    hash: CardId,
    game: Game,
    analysis: GameAnalysis,
    limits: Limits,
    rules: Rules,
    sides: Vec<Color>,
    origin: CardGame,
    /// How long its positions were searched.
    spent: Duration,
    /// What was found, once it is searched.
    found: Option<Findings>,
}

struct Findings {
    review: Review,
    cards: Vec<Card>,
    /// Of so many of them the reasons are known, if there are any; then of so many moves of the review.
    explained: usize,
    explained_moves: usize,
    mistakes: usize,
    /// The accuracy of the person, in tenths.
    accuracy: Option<u16>,
}

impl ReviewWorker {
    /// Gives back the hash table: there is nothing to do for now.
    pub fn rest(&mut self) {
        self.searcher = None;
    }

    /// Goes on with the next review until it is done or stopped.
    pub fn step(&mut self, train: &Train, control: &Arc<Control>) -> Step {
        let Some((id, nodes)) = train.queue().next() else { return Step::GoesOn };
        if self.job.as_ref().is_none_or(|job| job.id != id) {
            match ReviewJob::prepare(train, id, nodes) {
                Ok(job) => self.job = Some(job),
                Err(fate) => {
                    train.change(|queue| queue.finish(id, fate));
                    return Step::GoesOn;
                }
            }
            if let Some(searcher) = &mut self.searcher {
                searcher.new_game();
            }
        }
        let Some(job) = &mut self.job else { return Step::GoesOn };
        if job.found.is_none() {
            let searcher = match self.searcher.take().map_or_else(|| new_searcher(train), Ok) {
                Ok(searcher) => self.searcher.insert(searcher),
                Err(error) => return Step::Failed(error),
            };
            if !job.review(train, searcher, control) {
                return Step::GoesOn;
            }
        }
        if !job.explain(train, control) {
            return Step::GoesOn;
        }
        match job.keep(train) {
            Ok(fate) => {
                self.job = None;
                train.change(|queue| queue.finish(id, fate));
                Step::GoesOn
            }
            Err(error) => Step::Failed(error),
        }
    }
}

fn new_searcher(train: &Train) -> Result<Searcher, Message> {
    let options = Options { threads: 1, overhead: Duration::ZERO, ..Options::default() };
    let mut searcher = Searcher::new(options, SMALL_HASH_MB).map_err(Message::from_value)?;
    searcher.tablebase = Some(Arc::clone(&train.resources.tablebases));
    Ok(searcher)
}

/// Publishes the progress.
struct Progress<'a> {
    train: &'a Train,
    title: &'a str,
}

impl AnalysisObserver for Progress<'_> {
    fn progress(&mut self, done: usize, total: usize) {
        self.train.change(|queue| queue.current = Some(CurrentGame { title: self.title.to_string(), done, total }));
    }
}

impl ReviewJob {
    /// The review of a game; or why there is none.
    fn prepare(train: &Train, id: GameId, nodes: Option<u64>) -> Result<ReviewJob, GameFate> {
        let (game, about) =
            train.store.library().get(id).map_err(|error| GameFate::Failed { title: format!("{id}"), error })?;
        let title = title(&about);
        if game.moves().next().is_none() {
            return Err(GameFate::Failed { title, error: Message::of(|| tr!("There are no moves in it.")) });
        }
        let hash = game_hash(&game);
        if train.store.deck().deck().get().game(hash).is_some_and(|known| !known.failed) {
            return Err(GameFate::Known);
        }
        let sides = sides_of_person(&game, train.queue().me());
        if sides.is_empty() {
            return Err(GameFate::OfOthers);
        }
        let usual = if train.runner.has_threads() { NODES } else { INLINE_NODES };
        let nodes = nodes.unwrap_or(usual).clamp(*NODE_RANGE.start(), *NODE_RANGE.end());
        let rules = game.tag("Rules").and_then(|text| text.parse::<RuleSet>().ok()).map(Rules::new);
        Ok(ReviewJob {
            id,
            hash,
            analysis: GameAnalysis::new(&game),
            limits: Limits::nodes(nodes),
            rules: rules.unwrap_or_default(),
            sides,
            origin: CardGame { id: id.to_string(), title, date: about.date, players: [about.red, about.black] },
            game,
            spent: Duration::ZERO,
            found: None,
        })
    }

    /// Searches the positions that are left, and finds the mistakes. False if it was stopped.
    fn review(&mut self, train: &Train, searcher: &mut Searcher, control: &Control) -> bool {
        searcher.options.rules = self.rules;
        let count = |analysis: &GameAnalysis| analysis.positions.iter().flatten().count();
        let (begun, before) = (Instant::now(), count(&self.analysis));
        let mut progress = Progress { train, title: &self.origin.title };
        let is_finished = self.analysis.go_on(&self.game, searcher, &self.limits, control, &mut progress);
        self.spent += begun.elapsed();
        train.queue().count_time(begun.elapsed(), count(&self.analysis) - before);
        if is_finished {
            let review = Review::of(self.game.clone(), self.rules, std::mem::take(&mut self.analysis));
            self.found = Some(self.findings(review));
        }
        is_finished
    }

    fn findings(&self, review: Review) -> Findings {
        let of_person = review.moves.iter().filter(|reviewed| self.sides.contains(&reviewed.side));
        let mistakes = of_person.filter(|reviewed| reviewed.loss().is_some_and(|loss| loss >= LEAST_LOSS)).count();
        let at = date::unix_seconds();
        let cards =
            cards_of_review(&review, &self.sides, &self.origin, at, |reviewed| is_mistake(reviewed, LEAST_LOSS));
        let own: Vec<f64> = self.sides.iter().filter_map(|&color| review.side(color).accuracy).collect();
        let accuracy = (!own.is_empty()).then(|| (10.0 * own.iter().sum::<f64>() / own.len() as f64).round() as u16);
        Findings { review, cards, explained: 0, explained_moves: 0, mistakes, accuracy }
    }

    /// Looks for the reasons of mistakes that are new. False if it was stopped.
    fn explain(&mut self, train: &Train, control: &Arc<Control>) -> bool {
        let Some(found) = &mut self.found else { return false };
        // A position that was a card once is none again, not even if it was dropped.
        let deck = train.store.deck().deck();
        let is_new: Vec<bool> = found.cards.iter().map(|card| !deck.get().has_known(card.id)).collect();
        drop(deck);
        while let Some(card) = found.cards.get_mut(found.explained) {
            if let (true, Some(played)) = (is_new[found.explained], card.played) {
                let tables = Some(&*train.resources.tablebases);
                let reasons = card.find_reasons(played, &card.refutation, tables, control);
                if control.stopped() {
                    return false;
                }
                found.review.moves[card.moves.len()].reasons.clone_from(&reasons);
                card.reasons = reasons;
            }
            found.explained += 1;
        }
        while let Some(reviewed) = found.review.moves.get(found.explained_moves) {
            if reviewed.reasons.is_empty() {
                let tables = Some(&*train.resources.tablebases);
                found.review.find_reasons_of(found.explained_moves, tables, &ReasonLimits::default(), control);
                if control.stopped() {
                    return false;
                }
            }
            found.explained_moves += 1;
        }
        true
    }

    /// Keeps the review, the cards, and that the game was reviewed.
    fn keep(&self, train: &Train) -> Result<GameFate, Message> {
        let Some(found) = &self.found else { return Ok(GameFate::Known) };
        let time = self.spent.as_millis() / found.review.positions.len().max(1) as u128;
        let reviews = train.store.library().reviews();
        // The cards are worth more: without a review they are kept all the same.
        let kept = reviews.keep_beside(&found.review, time as u64, train.preferences.review_bytes());
        if let Err(error) = kept {
            log::warn!("{}", error.english());
        }
        let mut deck = train.store.deck().deck();
        let fresh = found.cards.iter().filter(|card| !deck.get().has_known(card.id));
        let mut events: Vec<Event> = fresh.map(|card| Event::Card(Box::new(card.clone()))).collect();
        let kept = events.len();
        let mistakes = found.mistakes;
        events.push(Event::Game(ReviewedGame {
            hash: self.hash,
            at: date::unix_seconds(),
            mistakes: mistakes as u32,
            failed: false,
            month: month_of(&self.origin.date).unwrap_or_default(),
            accuracy: found.accuracy,
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
