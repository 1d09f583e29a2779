//! Tactics: which one comes next, whether a move is right, what becomes of an answer, and the numbers of the person. They are
//! those of the program, or of a file that was opened; a page without a server brings those of the program when they are
//! first wanted.

use super::views::{MAX_NAME, NamedMove, named_line, no_card, shortened};
use super::{Shelf, Train};
use crate::game_session::Choices;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::motifs::Motif;
use chuhe_study::reasons::{KnownMates, Mistake, find_reasons};
use chuhe_study::tactics::{self, Tactic, TacticTrial, counts, try_move};
use chuhe_study::train::{Card, CardId, Deck, Event, Rating, TacticAnswer, TacticRun, reasons_text};
use chuhe_support::language::{Message, message, tr};
use chuhe_support::lock::Lock;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::{date, with_values};
use rand::RngExt;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Arc;
use xiangqi::{Color, Move, Position, Rules};

/// The next tactic is one of so many whose difficulties are nearest to what is wanted.
const NEAREST: usize = 24;
/// A theme is offered where there are so many.
const LEAST_OF_THEME: usize = 8;
/// Nodes to judge a move that is not the solution's.
const NODES: u64 = 60_000;
const HASH_MB: usize = 8;
/// The work of the proofs of what is wrong with a move: somebody waits.
const REASON_NODES: u64 = 20_000;
/// So many of the last answers are shown.
const LAST: usize = 10;
/// The most moves of a refutation.
const SHOWN_PLIES: usize = 6;
/// Days of a week.
const WEEK: i64 = 7 * 86_400;

impl Shelf {
    fn of(tactics: Vec<Tactic>, name: String) -> Shelf {
        let ids = tactics.iter().filter_map(Tactic::position).map(|start| CardId::of(&start)).collect();
        Shelf { tactics, ids, name }
    }

    /// The tactics of a file, in base64.
    fn read(bytes: &str, name: String) -> Result<Shelf, Message> {
        let found = tactics::read_file(&BASE64.decode(bytes).unwrap_or_default()).map_err(|error| {
            let name = name.clone();
            message!("{name} cannot be read: {error}.", name, error)
        })?;
        Ok(Shelf::of(found, name))
    }

    fn find(&self, id: CardId) -> Option<&Tactic> {
        self.tactics.get(self.ids.iter().position(|other| *other == id)?)
    }
}

with_values! {
    /// What there is, and how the person does.
    #[derive(Serialize, crate::TS)]
    pub struct TacticsView {
        /// The tactics of the program have not come yet.
        missing: bool = shelf.is_none(),
        count: usize = tactics.len(),
        /// The name of the file that was opened, or nothing.
        file: String = shelf.as_ref().map(|shelf| shelf.name.clone()).unwrap_or_default(),
        rating: i32 = rating.number.round() as i32,
        deviation: i32 = rating.deviation.round() as i32,
        tried: usize = deck.get().tactics().count(),
        best: u32 = best_run(deck.get()),
        themes: Vec<ThemeView> = themes.collect(),
        week: Option<String> = week_of_tactics(deck.get(), date::unix_seconds()),
        /// The rating after each answer of the last seven days that counts, the one before them first.
        ratings: Vec<i32> = ratings_of_week(deck.get(), date::unix_seconds()),
        /// The last answers, the latest first.
        last: Vec<LastTactic> = last.collect(),
    }
    pub fn of(train: &Train, offset: i16) {
        let shelf = train.tactics_shelf();
        let tactics = shelf.as_ref().map(|shelf| shelf.tactics.as_slice()).unwrap_or_default();
        let found = counts(tactics);
        let themes = Motif::all().filter_map(|motif| {
            let count = found.get(&motif).copied().filter(|&count| count >= LEAST_OF_THEME)?;
            Some(ThemeView { key: motif.name(), name: motif.phrase().to_string(), count })
        });
        let deck = train.deck(offset);
        let is_known = |id: CardId| shelf.as_ref().is_some_and(|shelf| shelf.ids.contains(&id));
        let last = deck.get().tactics().rev().take(LAST).map(|answer| {
            let TacticAnswer { tactic: id, difficulty, right, .. } = *answer;
            LastTactic { id, difficulty, right, known: is_known(id) }
        });
        let rating = rating(deck.get());
    }
}

/// A tactic that was answered.
#[derive(Serialize, crate::TS)]
struct LastTactic {
    #[ts(type = "string")]
    id: CardId,
    difficulty: u16,
    right: bool,
    /// It is there to be looked at again.
    known: bool,
}

#[derive(Serialize, crate::TS)]
struct ThemeView {
    key: &'static str,
    name: String,
    count: usize,
}

impl ThemeView {
    /// A theme, with the number of these tactics that have it.
    fn of(theme: Motif, tactics: &[Tactic]) -> ThemeView {
        let count = tactics.iter().filter(|tactic| tactic.themes.contains(&theme)).count();
        ThemeView { key: theme.name(), name: theme.phrase().to_string(), count }
    }
}

with_values! {
    /// A tactic that is asked. It holds nothing that tells the solution.
    #[derive(Serialize, crate::TS)]
    pub struct TacticView {
        #[ts(type = "string | null")]
        id: Option<CardId> = start.map(CardId::of),
        fen: String = start.map(Position::fen).unwrap_or_default(),
        #[ts(type = "Side")]
        side: Color = start.map_or(Color::Red, Position::side),
        difficulty: u16 = difficulty,
        /// It was answered before.
        answered: bool = answered,
        next: Option<Choices> = start.map(|start| Choices::of(start, &Rules::default())),
    }
    fn of(start: Option<&Position>, difficulty: u16, answered: bool);
}

/// What is said of a move.
#[derive(Serialize, Default, crate::TS)]
pub struct TacticStep {
    #[ts(type = "\"right\" | \"solved\" | \"as-good\" | \"wrong\" | \"shown\"")]
    state: &'static str,
    /// The answer of the other side, if the solution goes on.
    reply: Option<String>,
    next: Option<Choices>,
    /// What follows a wrong move.
    refutation: Vec<NamedMove>,
    /// What it does, and what was missed, by proofs; nothing without one.
    reason: Option<String>,
    /// The solution from this move on, where it is over.
    solution: Vec<NamedMove>,
    themes: Vec<ThemeView>,
}

/// What an answer has changed.
#[derive(Serialize, crate::TS)]
pub struct TacticAnswered {
    rating: i32,
    change: i32,
}

#[derive(Serialize, crate::TS)]
pub struct TacticRunView {
    best: u32,
    is_best: bool,
}

/// The rating by the answers that count.
fn rating(deck: &Deck) -> Rating {
    Rating::after(deck.tactics().filter(|answer| answer.rated).map(|answer| (answer.difficulty, answer.right)))
}

fn best_run(deck: &Deck) -> u32 {
    deck.tactic_runs().map(|run| run.solved).max().unwrap_or_default()
}

/// The ratings of the last seven days, the one before them first.
fn ratings_of_week(deck: &Deck, now: i64) -> Vec<i32> {
    let rated: Vec<&TacticAnswer> = deck.tactics().filter(|answer| answer.rated).collect();
    let before = rated.partition_point(|answer| answer.at <= now - WEEK);
    let after = |count: usize| Rating::after(rated[..count].iter().map(|answer| (answer.difficulty, answer.right)));
    let ratings = (before..=rated.len()).map(|count| after(count).number.round() as i32);
    ratings.collect()
}

/// The numbers of the last seven days; nothing if no tactic was tried.
pub fn week_of_tactics(deck: &Deck, now: i64) -> Option<String> {
    let since = now - WEEK;
    let week: Vec<&TacticAnswer> = deck.tactics().filter(|answer| answer.at > since).collect();
    let (tried, solved) = (week.len(), week.iter().filter(|answer| answer.right).count());
    let before = deck.tactics().filter(|answer| answer.rated && answer.at <= since);
    let before = Rating::after(before.map(|answer| (answer.difficulty, answer.right))).number.round();
    let after = rating(deck).number.round();
    let runs = deck.tactic_runs().filter(|run| run.at > since).count();
    let (rating, change, best) = (after, format!("{:+}", after - before).replace('-', "−"), best_run(deck));
    (tried > 0).then(|| {
        let text = tr!(
            "Tactics of the last seven days: {solved} of {tried} solved, rating {rating} ({change}).",
            solved,
            tried,
            rating,
            change
        );
        let runs_text = tr!("Runs: {runs}, the best of all {best}.", runs, best);
        if best > 0 { tr!("{text} {runs_text}", text, runs_text) } else { text }
    })
}

impl Train {
    /// The file that was opened, or else the tactics of the program; nothing if these have not come.
    fn tactics_shelf(&self) -> Option<Arc<Shelf>> {
        #[cfg(not(target_family = "wasm"))]
        let _ = self
            .tactics
            .locked()
            .own
            .get_or_insert_with(|| Arc::new(Shelf::of(tactics::embedded().to_vec(), String::new())));
        let shelves = self.tactics.locked();
        shelves.opened.clone().or_else(|| shelves.own.clone())
    }

    /// Takes the tactics of a file in base64 in the place of those of the program, for all pages.
    pub fn open_tactics(&self, bytes: &str, name: &str) -> Result<(), Message> {
        let shelf = Shelf::read(bytes, shortened(name, MAX_NAME))?;
        self.tactics.locked().opened = Some(Arc::new(shelf));
        Ok(())
    }

    /// Takes the tactics of the program again.
    pub fn close_tactics(&self) {
        self.tactics.locked().opened = None;
    }

    /// Takes the tactics of the program in base64, which a page without a server brings.
    pub fn bring_tactics(&self, bytes: &str) -> Result<(), Message> {
        let shelf = Shelf::read(bytes, String::new())?;
        self.tactics.locked().own = Some(Arc::new(shelf));
        Ok(())
    }

    /// A tactic of this theme near the level that is wanted, or near the person's; one that was not tried, if there is one.
    pub fn tactic(&self, offset: i16, theme: Option<&str>, target: Option<u16>) -> TacticView {
        let shelf = self.tactics_shelf();
        let tactics = shelf.as_ref().map(|shelf| shelf.tactics.as_slice()).unwrap_or_default();
        let deck = self.deck(offset);
        let target = target.map_or_else(|| rating(deck.get()).number.round() as i32, i32::from);
        let tried: HashSet<CardId> = deck.get().tactics().map(|answer| answer.tactic).collect();
        let has_theme = |tactic: &Tactic| theme.is_none_or(|theme| tactic.themes.iter().any(|it| it.name() == theme));
        let mut places: Vec<(bool, i32, usize)> = (0..tactics.len())
            .filter(|&place| has_theme(&tactics[place]))
            .map(|place| {
                let is_tried = shelf.as_ref().is_some_and(|shelf| tried.contains(&shelf.ids[place]));
                (is_tried, (i32::from(tactics[place].difficulty) - target).abs(), place)
            })
            .collect();
        places.order();
        let is_first_tried = places.first().is_some_and(|place| place.0);
        let near = places.iter().take_while(|place| place.0 == is_first_tried).take(NEAREST).count();
        let chosen = (near > 0).then(|| places[rand::rng().random_range(0..near)].2);
        let start = chosen.and_then(|place| tactics[place].position());
        TacticView::of(start.as_ref(), chosen.map_or(0, |place| tactics[place].difficulty), is_first_tried)
    }

    /// A tactic that was asked before.
    pub fn tactic_again(&self, offset: i16, id: CardId) -> Result<TacticView, Message> {
        let shelf = self.tactics_shelf().ok_or_else(no_card)?;
        let tactic = shelf.find(id).ok_or_else(no_card)?;
        let answered = self.deck(offset).get().tactics().any(|answer| answer.tactic == id);
        Ok(TacticView::of(tactic.position().as_ref(), tactic.difficulty, answered))
    }

    /// Judges a move at this step of the solution, from 0; without a move the solution is shown.
    pub fn tactic_move(&self, id: CardId, step: usize, mv: Option<Move>) -> Result<TacticStep, Message> {
        let shelf = self.tactics_shelf().ok_or_else(no_card)?;
        let tactic = shelf.find(id).ok_or_else(no_card)?;
        let before = tactic.position_at(2 * step).ok_or_else(no_card)?;
        let rest = tactic.moves.get(2 * step..).filter(|rest| !rest.is_empty()).ok_or_else(no_card)?;
        let answer = TacticStep {
            state: "shown",
            solution: named_line(&before, rest),
            themes: tactic.themes.iter().map(|&theme| ThemeView::of(theme, &shelf.tactics)).collect(),
            ..TacticStep::default()
        };
        let Some(mv) = mv else { return Ok(answer) };
        before.clone().play(mv).map_err(Message::from_value)?;
        let mut searcher = Searcher::new(Options::default(), HASH_MB).map_err(Message::from_value)?;
        let trial = try_move(tactic, step, mv, &mut searcher, NODES, &Control::new(false));
        // Nobody stops it.
        Ok(match trial.ok_or_else(no_card)? {
            TacticTrial::Solved => TacticStep { state: "solved", ..answer },
            TacticTrial::Right(reply) => {
                let next = Some(Choices::of(&before.after(&[mv, reply]), &Rules::default()));
                TacticStep { state: "right", reply: Some(reply.to_string()), next, ..TacticStep::default() }
            }
            TacticTrial::AsGood => TacticStep { state: "as-good", ..answer },
            TacticTrial::Wrong(refutation) => {
                let line: Vec<Move> = std::iter::once(mv).chain(refutation.iter().copied()).take(SHOWN_PLIES).collect();
                let rules = Rules::default();
                let mistake = Mistake {
                    position: &before,
                    played: mv,
                    best: rest,
                    refutation: &refutation,
                    rules,
                    known: KnownMates::default(),
                };
                let reasons = find_reasons(&mistake, None, REASON_NODES, &Arc::new(Control::new(false)));
                let (refutation, reason) = (named_line(&before, &line), reasons_text(&reasons, &before, mv));
                TacticStep { state: "wrong", refutation, reason, ..answer }
            }
        })
    }

    /// Keeps an answer. A tactic that was not solved becomes a card, from the move on that was wrong.
    pub fn answer_tactic(
        &self,
        id: CardId,
        step: usize,
        right: bool,
        rated: bool,
        offset: i16,
    ) -> Result<TacticAnswered, Message> {
        let shelf = self.tactics_shelf().ok_or_else(no_card)?;
        let tactic = shelf.find(id).ok_or_else(no_card)?;
        let at = date::unix_seconds();
        if let Some(card) = tactic.card_at(step).filter(|_| !right) {
            self.keep_card(Card { added: at, ..card });
        }
        let mut deck = self.deck(offset);
        let before = rating(deck.get()).number.round() as i32;
        let device = deck.device();
        // Two answers of one second are told apart.
        let last = deck.get().tactics().next_back().filter(|last| last.device == device).map(|last| last.at);
        let at = last.map_or(at, |last| at.max(last + i64::from(last == at)));
        let difficulty = tactic.difficulty;
        let event = Event::Tactic(TacticAnswer { at, offset, device, tactic: id, difficulty, right, rated });
        deck.add(vec![event]).map_err(Message::from_error)?;
        let rating = rating(deck.get()).number.round() as i32;
        Ok(TacticAnswered { rating, change: rating - before })
    }

    /// Keeps a run.
    pub fn end_tactic_run(&self, solved: u32, offset: i16) -> Result<TacticRunView, Message> {
        let mut deck = self.deck(offset);
        let before = best_run(deck.get());
        let run = TacticRun { at: date::unix_seconds(), offset, device: deck.device(), solved };
        deck.add(vec![Event::TacticRun(run)]).map_err(Message::from_error)?;
        Ok(TacticRunView { best: best_run(deck.get()), is_best: solved > before })
    }
}
