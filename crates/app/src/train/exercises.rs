//! The exercises of the deck: what is asked today, answers, changes, the list.

use super::Train;
use super::openings::with_line_of_today;
use super::queue::QueueState;
use super::views::{CardRow, NamedMove, QuestionView, named_line, no_card, reasons_of_move};
use chuhe_study::review::{MoveQuality, Review};
use chuhe_study::train::{
    Answer, AnswerRating, Card, CardEdit, CardFilter, CardGame, CardId, CardKind, CardState, DeckGuard, EditStamp,
    Event, TriedMove, cards_of_review, in_order,
};
use chuhe_support::date;
use chuhe_support::language::Message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xiangqi::{Color, Move};

/// The most cards of a reply.
const MAX_ROWS: usize = 200;

/// The longest note, in letters.
const MAX_NOTE: usize = 2000;
/// The longest name of a deck or a player, in letters.
pub const MAX_NAME: usize = 60;

/// A part of the list of cards.
#[derive(Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CardQuery {
    pub offset: i16,
    pub deck: Option<String>,
    #[cfg_attr(feature = "typescript", ts(optional, type = "CardKind"))]
    pub kind: Option<CardKind>,
    pub flagged: Option<bool>,
    pub text: Option<String>,
    pub from: usize,
    pub count: usize,
}

/// The first letters of a text.
pub fn shortened(text: &str, letters: usize) -> String {
    text.chars().filter(|&letter| letter == '\n' || !letter.is_control()).take(letters).collect()
}

/// The name of a deck, as it is kept.
pub fn deck_name(text: &str) -> String {
    shortened(text.trim(), MAX_NAME)
}

impl Train {
    /// A copy of a card.
    pub fn card(&self, id: CardId) -> Result<Card, Message> {
        let deck = self.store.deck().deck();
        let card = deck.get().get(id).map(|(card, _)| card.clone()).ok_or_else(no_card)?;
        Ok(if card.kind == CardKind::Opening { with_line_of_today(card, deck.get()) } else { card })
    }

    pub fn today(&self, offset: i16) -> Today {
        let (state, me) = {
            let queue = self.queue();
            (queue.state(), queue.me().unwrap_or_default().to_vec())
        };
        let guard = self.deck(offset);
        let deck = guard.get();
        let todays = deck.todays(CardFilter::default());
        let mut due = BTreeMap::new();
        CardKind::ALL.into_iter().for_each(|kind| _ = due.insert(kind, 0));
        let mut due_in: BTreeMap<&str, usize> = BTreeMap::new();
        for (card, state) in todays.cards.iter().filter_map(|&id| deck.get(id)) {
            *due.entry(card.kind).or_default() += 1;
            *due_in.entry(state.deck()).or_default() += 1;
        }
        let decks = deck.decks();
        let cards = decks.values().sum();
        let view = |(name, cards): (&str, usize)| {
            let due = due_in.get(name).copied().unwrap_or_default();
            DeckView { name: name.to_string(), cards, due }
        };
        Today {
            due,
            fresh: todays.fresh,
            cards,
            next: todays.next.filter(|_| todays.cards.is_empty()).map(|day| day.to_string()),
            decks: decks.into_iter().map(view).collect(),
            queue: state,
            me,
            storage_error: guard.refusal().map(|error| error.to_string()),
        }
    }

    /// The names of the person, if they are known: none where both sides' mistakes become cards.
    fn own_names(&self) -> Option<Vec<String>> {
        self.queue().me().map(<[String]>::to_vec)
    }

    pub fn question(&self, offset: i16, filter: CardFilter, after: Option<CardId>) -> Asked {
        let me = self.own_names();
        let deck = self.deck(offset);
        let mut todays = deck.get().todays(filter);
        if filter.kind.is_none() {
            // Rulings are asked by themselves: they want no move.
            let is_ruling = |id: &CardId| deck.get().get(*id).is_some_and(|(card, _)| card.kind == CardKind::Ruling);
            todays.cards.retain(|id| !is_ruling(id));
        }
        let is_other = |id: &&CardId| Some(**id) != after;
        let ids = todays.cards.iter().filter(is_other).chain(todays.cards.iter().filter(|id| !is_other(id)));
        let view = |&id: &CardId| {
            let (card, state) = deck.get().get(id)?;
            QuestionView::of(card, state, me.as_deref(), [todays.done + 1, todays.done + todays.cards.len()])
        };
        Asked { question: ids.filter_map(view).next(), left: todays.cards.len() }
    }

    pub fn chosen_question(&self, ids: &[CardId]) -> Asked {
        let (me, deck) = (self.own_names(), self.store.deck().deck());
        let there: Vec<(&Card, &CardState)> = ids.iter().filter_map(|&id| deck.get().get(id)).collect();
        let view =
            |&(card, state): &(&Card, &CardState)| QuestionView::of(card, state, me.as_deref(), [1, there.len()]);
        Asked { question: there.iter().find_map(view), left: there.len() }
    }

    /// Keeps an answer, with the move that was tried first if there was one.
    pub fn answer(
        &self,
        id: CardId,
        rating: AnswerRating,
        tried: Option<Move>,
        offset: i16,
    ) -> Result<Answered, Message> {
        let mut deck = self.deck(offset);
        let (card, _) = deck.get().get(id).ok_or_else(no_card)?;
        let tried = tried.filter(|&mv| card.position().is_some_and(|position| position.is_legal(mv)));
        let answer = Answer { at: date::unix_seconds(), offset, device: deck.device(), rating, by: None };
        let mut events = vec![deck.get().answer(id, answer)];
        if let (Some(mv), Some(Event::Answer { answer, .. })) = (tried, events.first()) {
            let stamp = EditStamp { at: answer.at, device: answer.device };
            events.push(Event::Tried(TriedMove { card: id, stamp, mv }));
        }
        deck.add(events).map_err(Message::from_error)?;
        let due = deck.get().get(id).and_then(|(_, state)| state.due());
        let left = deck.get().todays(CardFilter::default()).cards.len();
        Ok(Answered { due: due.map(|day| day.to_string()), left })
    }

    /// Changes cards; returns those that are there.
    pub fn edit(&self, ids: &[CardId], edit: CardEdit) -> Result<Vec<CardId>, Message> {
        let note = edit.note.as_deref().map(|note| shortened(note, MAX_NOTE));
        let edit = CardEdit { note, deck: edit.deck.as_deref().map(deck_name), ..edit };
        let mut deck = self.store.deck().deck();
        let ids: Vec<CardId> = ids.iter().copied().filter(|&id| deck.get().has_known(id)).collect();
        let events = ids.iter().map(|&id| edit_event(&deck, id, edit.clone())).collect();
        deck.add(events).map_err(Message::from_error)?;
        Ok(ids)
    }

    /// Takes cards out of the deck or brings them back; returns those that are there.
    pub fn set_dropped(&self, ids: &[CardId], is_dropped: bool) -> Result<Vec<CardId>, Message> {
        self.edit(ids, CardEdit { dropped: Some(is_dropped), ..CardEdit::default() })
    }

    /// A part of the list of cards.
    pub fn cards(&self, request: &CardQuery) -> Cards {
        let deck = self.deck(request.offset);
        let text = request.text.as_deref().unwrap_or_default().to_lowercase();
        let is_player = |word: &str| {
            let mut players = deck.get().cards().filter_map(|(card, _)| card.player());
            players.any(|name| name.to_lowercase().contains(word))
        };
        let words: Vec<(&str, bool)> = text.split_whitespace().map(|word| (word, is_player(word))).collect();
        let is_wanted = |&(card, state): &(&Card, &CardState)| {
            // A name of those who erred means what they did wrong, not what was done against them.
            let text = |is_player: bool| {
                let title = card.player().filter(|_| is_player).unwrap_or(&card.game.title);
                let opening = card.opening.as_deref().unwrap_or_default();
                format!("{title} {} {} {opening}", card.game.date, state.note()).to_lowercase()
            };
            request.deck.as_deref().is_none_or(|deck| state.deck() == deck)
                && request.kind.is_none_or(|kind| card.kind == kind)
                && request.flagged.is_none_or(|flagged| state.is_flagged() == flagged)
                && words.iter().all(|&(word, is_player)| text(is_player).contains(word))
        };
        let total = deck.get().cards().count();
        // Those of the last games first, in the order of the game.
        let key = |(card, _): (&Card, &CardState)| (card.added.saturating_neg(), card.moves.len() as i64, card.id);
        let found = in_order(deck.get().cards().filter(is_wanted).map(key).collect());
        let part = found.iter().skip(request.from).take(request.count.min(MAX_ROWS));
        let row = |&id: &CardId| deck.get().get(id).map(|(card, state)| CardRow::of(card, state));
        Cards { total, found: found.len(), cards: part.filter_map(row).collect() }
    }

    /// Makes cards of all moves of a side that a review calls bad.
    pub fn learn(&self, review: &Review, side: Color) -> Result<Learnt, Message> {
        let mut origin = CardGame::of(&review.game);
        origin.title = shortened(&origin.title, 2 * MAX_NAME);
        origin.players = origin.players.map(|name| shortened(&name, MAX_NAME));
        let cards = cards_of_review(review, &[side], &origin, date::unix_seconds(), |reviewed| {
            reviewed.mark.is_some_and(MoveQuality::is_bad)
        });
        let ids: Vec<CardId> = cards.iter().map(|card| card.id).collect();
        let mut deck = self.store.deck().deck();
        let known = ids.iter().filter(|&&id| deck.get().get(id).is_some()).count();
        let mut events = Vec::new();
        for card in cards {
            if !deck.get().has_known(card.id) {
                events.push(Event::Card(Box::new(card)));
            } else if deck.get().get(card.id).is_none() {
                // Who wants to learn from it wants it back.
                let edit = CardEdit { dropped: Some(false), ..CardEdit::default() };
                events.push(edit_event(&deck, card.id, edit));
            }
        }
        deck.add(events).map_err(Message::from_error)?;
        Ok(Learnt { ids, known })
    }
}

fn edit_event(deck: &DeckGuard, id: CardId, edit: CardEdit) -> Event {
    deck.get().edit(id, edit, date::unix_seconds(), deck.device())
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainToday"))]
pub struct Today {
    #[cfg_attr(feature = "typescript", ts(type = "Record<CardKind, number>"))]
    due: BTreeMap<CardKind, usize>,
    fresh: usize,
    cards: usize,
    next: Option<String>,
    decks: Vec<DeckView>,
    queue: QueueState,
    me: Vec<String>,
    storage_error: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Deck"))]
struct DeckView {
    name: String,
    cards: usize,
    due: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Asked {
    question: Option<QuestionView>,
    left: usize,
}

/// What the answer to a card is.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ShownSolution"))]
pub struct Solution {
    best: Option<String>,
    line: Vec<NamedMove>,
    reply: Vec<NamedMove>,
    reason: Option<String>,
}

impl Solution {
    pub fn of(card: &Card) -> Result<Solution, Message> {
        let position = card.position().ok_or_else(no_card)?;
        let refuted: Vec<_> = card.played.into_iter().chain(card.refutation.iter().copied()).collect();
        Ok(Solution {
            best: card.best().map(|best| best.to_string()),
            line: named_line(&position, &card.line),
            reply: named_line(&position, &refuted).into_iter().skip(1).collect(),
            reason: card.played.and_then(|played| reasons_of_move(&card.reasons, &position, played)),
        })
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Answered {
    due: Option<String>,
    left: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Cards {
    total: usize,
    found: usize,
    cards: Vec<CardRow>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Learnt {
    #[cfg_attr(feature = "typescript", ts(type = "string[]"))]
    ids: Vec<CardId>,
    known: usize,
}
