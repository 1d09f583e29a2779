//! Endings that a page plays out: the shelves, a session for each page. What was passed is kept with the deck, and a fault
//! becomes a card.

use super::Train;
use super::views::plain_card;
use crate::game_session::{Choices, texts};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::train::endings::{Ending, EndingGrade, EndingSession, EndingSide, EndingState, draw_start};
use chuhe_study::train::{Card, CardId, CardKind, EndingPass, Event};
use chuhe_support::date;
use chuhe_support::language::{Message, message};
use chuhe_support::lock::Lock;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;
use std::sync::Mutex;
use xiangqi::{Color, Move, Position};

/// The ending that a page plays out.
pub type PlayedEnding = Mutex<Option<EndingSession>>;

/// An ending is passed when it was won or held from so many positions.
const PASSES: usize = 2;
/// Megabytes of the opponent's hash table: its searches are short, and each page has one.
const HASH_MB: usize = 4;

#[derive(Serialize, crate::TS)]
pub struct Shelf {
    id: String,
    name: String,
    #[ts(type = "\"won\" | \"drawn\" | \"mixed\"")]
    grade: EndingGrade,
    red: String,
    black: String,
    won: f64,
    offers: BySide,
    /// How often each side was won or held, at most as often as it takes to pass.
    passes: Passes,
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

impl BySide {
    fn of(is: impl Fn(EndingSide) -> bool) -> BySide {
        BySide { attack: is(EndingSide::Attack), defend: is(EndingSide::Defend) }
    }
}

#[derive(Serialize, crate::TS)]
pub struct EndingView {
    id: String,
    level: u8,
    start: String,
    moves: Vec<String>,
    #[ts(type = "Side")]
    side: Color,
    #[ts(type = "\"win\" | \"hold\"")]
    goal: &'static str,
    #[ts(type = "\"on\" | \"passed\" | \"spoiled\"")]
    state: EndingState,
    sentence: Option<String>,
    #[serde(flatten)]
    choices: Choices,
}

impl EndingView {
    fn of(session: &EndingSession) -> EndingView {
        let choices = Choices::of(session.position(), &session.rules());
        let is_on = session.state() == EndingState::On;
        EndingView {
            id: session.ending.id(),
            level: session.level,
            start: session.start().fen(),
            moves: texts(&session.line()),
            side: session.side.color(),
            goal: match session.side {
                EndingSide::Attack => "win",
                EndingSide::Defend => "hold",
            },
            state: session.state(),
            sentence: session.sentence(),
            choices: if is_on { choices } else { Choices { check: choices.check, ..Choices::default() } },
        }
    }
}

impl Train {
    pub fn shelves(&self) -> Vec<Shelf> {
        let deck = self.deck_file();
        let shelf = |ending: &Ending| {
            let (id, material) = (ending.id(), ending.material);
            Shelf {
                name: ending.name(),
                grade: ending.grade(),
                red: material.side(Color::Red).to_string(),
                black: material.side(Color::Black).to_string(),
                won: ending.share_won,
                offers: BySide::of(|side| ending.offers(side)),
                passes: {
                    let count = |side| deck.get().passes(&id, side).min(PASSES);
                    Passes { attack: count(EndingSide::Attack), defend: count(EndingSide::Defend), needed: PASSES }
                },
                id,
            }
        };
        self.endings().iter().map(shelf).collect()
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
        ..plain_card(CardKind::Ending, before, session.start(), moves, session.rules().set, session.ending.name())
    }
}
