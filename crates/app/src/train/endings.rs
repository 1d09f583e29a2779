//! Endings that a page plays out: the shelves, a session for each page. What was passed is kept with the deck, and a fault
//! becomes a card.

use super::Train;
use super::views::plain_card;
use crate::game_session::{Choices, texts};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::train::endings::{Ending, EndingGrade, EndingSession, EndingSide, EndingState, draw_start};
use chuhe_study::train::{Card, CardId, CardKind, Deck, EndingPass, Event};
use chuhe_support::language::{Message, message};
use chuhe_support::lock::Lock;
use chuhe_support::{date, with_values};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;
use std::sync::Mutex;
use xiangqi::{Color, Move, Position, Rules};

/// The ending that a page plays out.
pub type PlayedEnding = Mutex<Option<EndingSession>>;

/// An ending is passed when it was won or held from so many positions.
const PASSES: usize = 2;
/// Megabytes of the opponent's hash table: its searches are short, and each page has one.
const HASH_MB: usize = 4;

with_values! {
    #[derive(Serialize, crate::TS)]
    pub struct Shelf {
        id: String = ending.id(),
        name: String = ending.name(),
        #[ts(type = "\"won\" | \"drawn\" | \"mixed\"")]
        grade: EndingGrade = ending.grade(),
        red: String = ending.material.side(Color::Red).to_string(),
        black: String = ending.material.side(Color::Black).to_string(),
        won: f64 = ending.share_won,
        offers: BySide =
            BySide { attack: ending.offers(EndingSide::Attack), defend: ending.offers(EndingSide::Defend) },
        /// How often each side was won or held, at most as often as it takes to pass.
        passes: Passes =
            Passes { attack: passes(EndingSide::Attack), defend: passes(EndingSide::Defend), needed: PASSES },
    }
    fn of(ending: &Ending, deck: &Deck) {
        let passes = |side| deck.passes(&ending.id(), side).min(PASSES);
    }
}

#[derive(Serialize, crate::TS)]
struct Passes {
    attack: usize,
    defend: usize,
    needed: usize,
}

#[derive(Serialize, crate::TS)]
struct BySide {
    attack: bool,
    defend: bool,
}

with_values! {
    #[derive(Serialize, crate::TS)]
    pub struct EndingView {
        id: String = session.ending.id(),
        level: u8 = session.level,
        start: String = session.start().fen(),
        moves: Vec<String> = texts(&session.line()),
        #[ts(type = "Side")]
        side: Color = session.side.color(),
        #[ts(type = "\"win\" | \"hold\"")]
        goal: &'static str = match session.side {
            EndingSide::Attack => "win",
            EndingSide::Defend => "hold",
        },
        #[ts(type = "\"on\" | \"passed\" | \"spoiled\"")]
        state: EndingState = session.state(),
        sentence: Option<String> = session.sentence(),
        #[serde(flatten)]
        choices: Choices = if is_on { choices } else { Choices { check: choices.check, ..Choices::default() } },
    }
    fn of(session: &EndingSession) {
        let choices = Choices::of(session.position(), &Rules::default());
        let is_on = session.state() == EndingState::On;
    }
}

impl Train {
    pub fn shelves(&self) -> Vec<Shelf> {
        let deck = self.deck_file();
        self.endings().iter().map(|ending| Shelf::of(ending, deck.get())).collect()
    }

    /// The endings of all tables: those inside the program first.
    fn endings(&self) -> &[Ending] {
        let find = || [Ending::all(), &Ending::of_files(&self.context.resources.tablebases)].concat();
        self.endings.get_or_init(find)
    }

    pub fn begin_ending(
        &self,
        ending: &PlayedEnding,
        id: &str,
        side: EndingSide,
        level: u8,
    ) -> Result<EndingView, Message> {
        let none = || message!("There is no such position of this ending.");
        let found = *self.endings().iter().find(|ending| ending.id() == id).ok_or_else(none)?;
        let mut random = StdRng::seed_from_u64(rand::random());
        let start = draw_start(found.material, side, level, &self.context.resources.tablebases, &mut random)
            .ok_or_else(none)?;
        let session = EndingSession::new(found, side, level.clamp(1, 3), start);
        let view = EndingView::of(&session);
        *ending.locked() = Some(session);
        Ok(view)
    }

    pub fn play_ending(&self, ending: &PlayedEnding, mv: Move) -> Result<EndingView, Message> {
        let mut session = ending.locked();
        let session = session.as_mut().ok_or_else(no_ending)?;
        let mut searcher = Searcher::new(Options::default(), HASH_MB).map_err(Message::from_value)?;
        let control = Control::new(false);
        session.play(mv, &self.context.resources.tablebases, &mut searcher, &control).map_err(Message::from_error)?;
        if session.is_passed_cleanly() {
            let start = CardId::of(session.start());
            let at = date::unix_seconds();
            self.keep(vec![Event::Ending(EndingPass { ending: session.ending.id(), side: session.side, start, at })]);
        }
        if let Some((before, mv)) = session.fault() {
            self.keep_card(fault_card(session, before, mv));
        }
        Ok(EndingView::of(session))
    }

    pub fn go_on_with_ending(&self, ending: &PlayedEnding) -> Result<EndingView, Message> {
        let mut session = ending.locked();
        let session = session.as_mut().ok_or_else(no_ending)?;
        session.again();
        Ok(EndingView::of(session))
    }

    /// Adds a card, unless there is or was one of its position.
    pub(super) fn keep_card(&self, card: Card) {
        if !self.deck_file().get().has_known(card.id) {
            self.keep(vec![Event::Card(Box::new(card))]);
        }
    }

    /// Adds events to the deck. Where it cannot be written, the page is told with the next request for today, and what is
    /// practised goes on.
    pub(super) fn keep(&self, events: Vec<Event>) {
        if let Err(error) = self.deck_file().add(events) {
            log::warn!("{error}");
        }
    }
}

fn no_ending() -> Message {
    message!("No ending is played.")
}

/// The position in which the result was given away; the tables tell right from wrong.
fn fault_card(session: &EndingSession, before: &Position, mv: Move) -> Card {
    let chance = |is_won: bool| if is_won { 1.0 } else { 0.5 };
    let mut moves = session.line();
    moves.truncate(before.history_len());
    Card {
        played: Some(mv),
        piece: Some(before.moved_piece(mv).kind()),
        chance: chance(session.side == EndingSide::Attack),
        lost: 0.5,
        ..plain_card(CardKind::Ending, before, session.start(), moves, Rules::default().set, session.ending.name())
    }
}
