//! The cards of the deck: hints, what was dropped, files of cards, sheets, the pattern of mistakes.

use super::Train;
use super::exercises::{MAX_NAME, deck_name, shortened};
use super::tactics::week_of_tactics;
use super::views::PatternView;
use crate::files::FileDownload;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::train::{Card, CardId, DeckGuard, ExerciseSheet, Pattern, PerPage, months_of_play};
use chuhe_support::date;
use chuhe_support::language::{Language, Message};
use serde::Serialize;
use std::collections::BTreeSet;
use xiangqi::Move;

impl Train {
    fn deck_file(&self) -> DeckGuard<'_> {
        self.store.deck().deck()
    }

    pub fn drop_cards(&self, ids: &[CardId]) -> Result<usize, Message> {
        let ids = self.set_dropped(ids, true)?;
        let count = ids.len();
        self.dropped().push(ids);
        Ok(count)
    }

    /// Brings back the cards that were dropped last.
    pub fn undrop_cards(&self) -> Result<usize, Message> {
        let ids = self.dropped().pop().unwrap_or_default();
        let outcome = self.set_dropped(&ids, false);
        if outcome.is_err() {
            self.dropped().push(ids);
        }
        Ok(outcome?.len())
    }

    /// Of the person's own cards and answers, or of a deck and those of who has sent it.
    pub fn pattern(&self, deck: Option<&str>) -> PatternView {
        let file = self.deck_file();
        let week = deck.is_none().then(|| week_of_tactics(file.get(), date::unix_seconds())).flatten();
        PatternView::of(&Pattern::of(file.get(), deck), &months_of_play(file.get()), week)
    }

    pub fn export(&self, deck: Option<&str>, answers: bool) -> FileDownload {
        let text = self.deck_file().export(deck, answers);
        FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.into_bytes())
    }

    /// Takes in a file in base64. Without `deck` it comes from another device of the person.
    pub fn import(&self, bytes: &str, name: &str, deck: Option<&str>) -> Result<Imported, Message> {
        let bytes = BASE64.decode(bytes).unwrap_or_default();
        let deck = deck.map(deck_name).filter(|deck| !deck.is_empty());
        let count = self.deck_file().import(&bytes, &shortened(name, MAX_NAME), deck.as_deref());
        let count = count.map_err(Message::from_error)?;
        Ok(Imported { cards: count.cards, answers: count.answers, known: count.known, bad: count.bad })
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

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainHint"))]
pub struct Hint {
    from: Option<String>,
    to: Option<String>,
}

impl Hint {
    pub fn of(best: Option<Move>, step: u8) -> Hint {
        let to = best.filter(|_| step > 1).map(|best| best.to().to_string());
        Hint { from: best.map(|best| best.from().to_string()), to }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Imported {
    cards: usize,
    answers: usize,
    known: usize,
    bad: usize,
}
