//! The exercises of the deck: what is asked today, hints, answers, changes, the list; what stands beside an exercise, the moves of its
//! game around the question, its curve and earlier answers; files of cards, sheets, the pattern of mistakes.

use super::Train;
use super::openings::with_line_of_today;
use super::queue::QueueState;
use super::tactics::week_of_tactics;
use super::views::{
    MAX_NAME, NamedMove, TrainCard, TrainPattern, TrainQuestion, bring_card, deck_name, named_line, no_card, shortened,
};
use crate::files::FileDownload;
use crate::library::record::GameId;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::review::{MoveQuality, Review};
use chuhe_study::train::reasons_text;
use chuhe_study::train::{
    Answer, AnswerRating, Card, CardEdit, CardFilter, CardGame, CardId, CardKind, CardState, EditStamp, Event,
    ExerciseSheet, ImportCount, Pattern, PerPage, TriedMove, cards_of_review, in_order, months_of_play,
};
use chuhe_support::language::{Language, Message};
use chuhe_support::lock::Lock;
use chuhe_support::{date, with_values};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use xiangqi::{Color, Move};
use xiangqi_record::Game;

/// The most cards of a reply.
const MAX_ROWS: usize = 200;

/// The longest note, in letters.
const MAX_NOTE: usize = 2000;

/// A part of the list of cards.
#[derive(Deserialize, crate::TS)]
#[ts(optional_fields)]
pub struct CardQuery {
    pub offset: i16,
    pub deck: Option<String>,
    #[ts(optional, type = "CardKind")]
    pub kind: Option<CardKind>,
    pub flagged: Option<bool>,
    pub text: Option<String>,
    pub from: usize,
    pub count: usize,
}

impl Train {
    /// A copy of a card.
    pub fn card(&self, id: CardId) -> Result<Card, Message> {
        let deck = self.deck_file();
        let card = deck.get().get(id).map(|(card, _)| card.clone()).ok_or_else(no_card)?;
        Ok(if card.kind == CardKind::Opening { with_line_of_today(card, deck.get()) } else { card })
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
            TrainQuestion::of(card, state, me.as_deref(), [todays.done + 1, todays.done + todays.cards.len()])
        };
        Asked { question: ids.filter_map(view).next(), left: todays.cards.len() }
    }

    pub fn chosen_question(&self, ids: &[CardId]) -> Asked {
        let (me, deck) = (self.own_names(), self.deck_file());
        let there: Vec<(&Card, &CardState)> = ids.iter().filter_map(|&id| deck.get().get(id)).collect();
        let view =
            |&(card, state): &(&Card, &CardState)| TrainQuestion::of(card, state, me.as_deref(), [1, there.len()]);
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
        let mut deck = self.deck_file();
        let ids: Vec<CardId> = ids.iter().copied().filter(|&id| deck.get().has_known(id)).collect();
        let change = |&id: &CardId| deck.get().edit(id, edit.clone(), date::unix_seconds(), deck.device());
        let events = ids.iter().map(change).collect();
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
        let row = |&id: &CardId| deck.get().get(id).map(|(card, state)| TrainCard::of(card, state));
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
        let mut deck = self.deck_file();
        let known = ids.iter().filter(|&&id| deck.get().get(id).is_some()).count();
        let events = cards.into_iter().filter_map(|card| bring_card(&deck, card)).collect();
        deck.add(events).map_err(Message::from_error)?;
        Ok(Learnt { ids, known })
    }
}

with_values! {
    #[derive(Serialize, crate::TS)]
    pub struct TrainToday {
        #[ts(type = "Record<CardKind, number>")]
        due: BTreeMap<CardKind, usize> = due,
        fresh: usize = todays.fresh,
        cards: usize = cards,
        next: Option<String> = todays.next.filter(|_| todays.cards.is_empty()).map(|day| day.to_string()),
        decks: Vec<Deck> = decks.into_iter().map(view).collect(),
        queue: QueueState = state,
        me: Vec<String> = me,
        storage_error: Option<String> = guard.refusal().map(|error| error.to_string()),
    }
    pub fn of(train: &Train, offset: i16) {
        let (state, me) = {
            let queue = train.queue();
            (QueueState::of(&queue), queue.me().unwrap_or_default().to_vec())
        };
        let guard = train.deck(offset);
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
            Deck { name: name.to_string(), cards, due }
        };
    }
}

#[derive(Serialize, crate::TS)]
struct Deck {
    name: String,
    cards: usize,
    due: usize,
}

#[derive(Serialize, crate::TS)]
pub struct Asked {
    question: Option<TrainQuestion>,
    left: usize,
}

with_values! {
    /// What the answer to a card is.
    #[derive(Serialize, crate::TS)]
    pub struct ShownSolution {
        best: Option<String> = card.best().map(|best| best.to_string()),
        line: Vec<NamedMove> = named_line(&position, &card.line),
        reply: Vec<NamedMove> = named_line(&position, &refuted).into_iter().skip(1).collect(),
        reason: Option<String> = card.played.and_then(|played| reasons_text(&card.reasons, &position, played)),
    }
    pub fn of(card: &Card) -> Result<Self, Message> as Ok {
        let position = card.position().ok_or_else(no_card)?;
        let refuted: Vec<_> = card.played.into_iter().chain(card.refutation.iter().copied()).collect();
    }
}

#[derive(Serialize, crate::TS)]
pub struct Answered {
    due: Option<String>,
    left: usize,
}

#[derive(Serialize, crate::TS)]
pub struct Cards {
    total: usize,
    found: usize,
    cards: Vec<TrainCard>,
}

#[derive(Serialize, crate::TS)]
pub struct Learnt {
    #[ts(type = "string[]")]
    ids: Vec<CardId>,
    known: usize,
}

/// The plies before and after the question.
const BEFORE: usize = 8;
const AFTER: usize = 8;

#[derive(Serialize, crate::TS)]
pub struct ExerciseContext {
    /// The plies of the game before the first of the moves.
    from: usize,
    moves: Vec<NamedMove>,
    /// Red's chance after each ply, from the beginning; nothing if no review of the game is kept.
    curve: Vec<f64>,
    answers: Vec<EarlierAnswer>,
}

#[derive(Serialize, crate::TS)]
struct EarlierAnswer {
    day: String,
    right: bool,
    /// The move that was tried, once the question is answered.
    tried: Option<NamedMove>,
}

impl Train {
    /// What stands beside a card. Before it is answered nothing is told of what came after its position.
    pub fn context(&self, id: CardId, is_answered: bool) -> Result<ExerciseContext, Message> {
        let (card, answers) = {
            let deck = self.deck_file();
            let (card, state) = deck.get().get(id).ok_or_else(no_card)?;
            let position = card.position().filter(|_| is_answered);
            let tried = |answer: &Answer| {
                let (position, mv) = (position.as_ref()?, state.tried(answer)?);
                position.is_legal(mv).then(|| NamedMove::of(position, mv))
            };
            let answer = |answer: &Answer| {
                let right = answer.rating.is_right();
                EarlierAnswer { day: answer.day().to_string(), right, tried: tried(answer) }
            };
            (card.clone(), state.own_answers().map(answer).collect())
        };
        let start = card.start().ok_or_else(no_card)?;
        let ply = card.moves.len();
        let game = self.game_of(&card);
        let mut moves = card.moves.clone();
        if is_answered {
            moves.extend(card.played);
            if let Some(game) = &game {
                moves = game.moves().take(ply + AFTER).collect();
            }
        }
        let told = if is_answered { usize::MAX } else { ply + 1 };
        let review = game.and_then(|game| self.library().reviews().of_game(&game).ok().flatten());
        let curve = review.map_or_else(Vec::new, |(_, review)| curve(&review, told));
        let from = ply.saturating_sub(BEFORE);
        Ok(ExerciseContext { from, moves: named_line(&start, &moves).split_off(from), curve, answers })
    }

    /// The game of a card, if it is in the list and has the moves before the question still.
    fn game_of(&self, card: &Card) -> Option<Game> {
        let (game, _) = self.library().get(GameId::parse(&card.game.id)?).ok()?;
        let own: Vec<Move> = game.moves().take(card.moves.len()).collect();
        (own == card.moves && game.start().fen() == card.start()?.fen()).then_some(game)
    }
}

/// Red's chances, as long as they are known.
fn curve(review: &Review, most: usize) -> Vec<f64> {
    let chances = review.positions.iter().map_while(Option::as_ref);
    let red = chances.map(|position| position.standing.from_red(position.side).chance);
    red.take(most).map(|chance| (chance * 1000.0).round() / 1000.0).collect()
}

impl Train {
    pub fn drop_cards(&self, ids: &[CardId]) -> Result<usize, Message> {
        let ids = self.set_dropped(ids, true)?;
        let count = ids.len();
        self.dropped.locked().push(ids);
        Ok(count)
    }

    /// Brings back the cards that were dropped last.
    pub fn undrop_cards(&self) -> Result<usize, Message> {
        let ids = self.dropped.locked().pop().unwrap_or_default();
        let outcome = self.set_dropped(&ids, false);
        if outcome.is_err() {
            self.dropped.locked().push(ids);
        }
        Ok(outcome?.len())
    }

    /// Of the person's own cards and answers, or of a deck and those of who has sent it.
    pub fn pattern(&self, deck: Option<&str>) -> TrainPattern {
        let file = self.deck_file();
        let week = deck.is_none().then(|| week_of_tactics(file.get(), date::unix_seconds())).flatten();
        TrainPattern::of(&Pattern::of(file.get(), deck), months_of_play(file.get()), week)
    }

    pub fn export(&self, deck: Option<&str>, answers: bool) -> FileDownload {
        let text = self.deck_file().export(deck, answers);
        FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.into_bytes())
    }

    /// Takes in a file in base64. Without `deck` it comes from another device of the person.
    pub fn import(&self, bytes: &str, name: &str, deck: Option<&str>) -> Result<ImportCount, Message> {
        let bytes = BASE64.decode(bytes).unwrap_or_default();
        let deck = deck.map(deck_name).filter(|deck| !deck.is_empty());
        self.deck_file().import(&bytes, &shortened(name, MAX_NAME), deck.as_deref()).map_err(Message::from_error)
    }

    /// Exercises to print.
    pub fn sheet(&self, ids: &[CardId], title: &str, per_page: u8) -> FileDownload {
        let deck = self.deck_file();
        let cards: Vec<&Card> = ids.iter().filter_map(|&id| Some(deck.get().get(id)?.0)).collect();
        let players: BTreeSet<Option<&str>> = cards.iter().map(|card| card.player()).collect();
        let only = players.first().copied().flatten().filter(|_| players.len() == 1);
        let sheet = ExerciseSheet {
            title: title.trim(),
            name: only.unwrap_or_default(),
            per_page: if per_page > 4 { PerPage::Six } else { PerPage::Four },
            language: Language::current(),
            cards,
        };
        FileDownload::new("exercises.html", "text/html", sheet.html().into_bytes())
    }
}

#[derive(Serialize, crate::TS)]
pub struct TrainHint {
    from: Option<String>,
    to: Option<String>,
}

impl TrainHint {
    pub fn of(best: Option<Move>, step: u8) -> TrainHint {
        let to = best.filter(|_| step > 1).map(|best| best.to().to_string());
        TrainHint { from: best.map(|best| best.from().to_string()), to }
    }
}
