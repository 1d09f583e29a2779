//! The cards of the deck as pages ask for them: `{"type":"train","do":NAME,...}`; `page/train.d.ts` has the replies.

use super::Train;
use super::exercises::{CardQuery, MAX_NAME, Solution, deck_name, shortened};
use super::tactics::week_of_tactics;
use super::views::{PatternView, no_card, parse_move};
use crate::access::{DEVICE, TRUSTED};
use crate::client::Client;
use crate::files::FileDownload;
use crate::ids::Ids;
use crate::request_kind::{Answered, Requests, requests};
use crate::requests::{Count, Empty, Reply, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::train::{
    AnswerRating, Card, CardEdit, CardFilter, CardId, CardKind, DeckGuard, ExerciseSheet, Pattern, PerPage,
    months_of_play,
};
use chuhe_support::date;
use chuhe_support::language::{Language, Message};
use serde::Serialize;
use std::collections::BTreeSet;
use xiangqi::{Color, Move};

/// The longest note, in letters.
const MAX_NOTE: usize = 2000;

requests! {
    /// Requests about the cards of the deck. `offset` is the person's time zone, minutes east of UTC: days are in it.
    #[cfg_attr(test, derive(ts_rs::TS), ts(tag = "do", optional_fields))]
    pub enum CardRequest of "train" {
        "today": DEVICE => Today { offset: i16 },
        /// The next card of all decks and kinds, or of these; `after` is not wanted again now, if there is another. With `ids`
        /// the first of these cards that is there, due or not: the page takes out those that are done.
        "question": DEVICE.helps() => Question {
            offset: i16,
            deck: Option<String>,
            #[cfg_attr(test, ts(optional, type = "CardKind"))]
            kind: Option<CardKind>,
            after: Option<String>,
            #[cfg_attr(test, ts(optional, type = "Array<string>"))]
            ids: Option<Ids<CardId>>,
        },
        /// Judges a move; the answer is the event `trial`.
        "try": DEVICE.helps() => Try {
            id: String,
            #[serde(rename = "move")]
            mv: String,
            number: u64,
        },
        /// The square of the piece, or with step 2 the one it goes to as well.
        "hint": DEVICE.helps() => Hint {
            id: String,
            step: u8,
        },
        "show": DEVICE.helps() => Show { id: String },
        /// What stands beside a card; `answered` tells what came after its position, too.
        "context": DEVICE.helps() => Context {
            id: String,
            answered: bool,
        },
        "answer": DEVICE.changes() => Answer {
            id: String,
            #[cfg_attr(test, ts(type = "1 | 2 | 3 | 4"))]
            rating: AnswerRating,
            /// The move that was tried first.
            #[serde(rename = "move")]
            mv: Option<String>,
            offset: i16,
        },
        "edit": TRUSTED.changes() => Edit {
            id: String,
            flagged: Option<bool>,
            note: Option<String>,
            deck: Option<String>,
        },
        /// Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones.
        "drop": TRUSTED.changes() => Drop {
            #[cfg_attr(test, ts(type = "Array<string>"))]
            ids: Ids<CardId>,
        },
        "undrop": TRUSTED.changes() => Undrop,
        "cards": DEVICE.helps() => Cards(CardQuery),
        /// Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder.
        "learn": DEVICE.changes().helps() => Learn {
            #[cfg_attr(test, ts(type = "Side"))]
            side: Color,
        },
        /// Of the person's own cards and answers, or of a deck and those of who has sent it.
        "pattern": DEVICE => Pattern { deck: Option<String> },
        "export": DEVICE.helps() => Export {
            deck: Option<String>,
            answers: bool,
        },
        /// A file in base64. Without `deck` it comes from another device of the person.
        "import": TRUSTED.changes() => Import {
            bytes: String,
            #[serde(default)]
            name: String,
            deck: Option<String>,
        },
        "sheet": DEVICE.helps() => Sheet {
            #[cfg_attr(test, ts(type = "Array<string>"))]
            ids: Ids<CardId>,
            title: String,
            per_page: u8,
        },
    }
}

impl Requests for CardRequest {
    fn answer(self, client: &Client) -> Answered {
        use CardRequest as R;
        let train = Train::of(client);
        match self {
            R::Today { offset } => json(&train.today(offset)),
            R::Question { ids: Some(Ids(ids)), .. } => json(&train.chosen_question(&ids)),
            R::Question { offset, deck, kind, after, ids: None } => {
                let after = after.as_deref().and_then(CardId::parse);
                json(&train.question(offset, CardFilter { deck: deck.as_deref(), kind }, after))
            }
            R::Try { id, mv, number } => {
                let (card, mv) = (train.card(card_id(&id)?)?, parse_move(&mv)?);
                let opening = train.opening_choice(&card, mv);
                client.trial.begin(card, mv, opening, number)?;
                json(&Empty {})
            }
            R::Hint { id, step } => json(&Hint::of(train.card(card_id(&id)?)?.best(), step)),
            R::Show { id } => json(&Solution::of(&train.card(card_id(&id)?)?)?),
            R::Context { id, answered } => json(&train.context(card_id(&id)?, answered)?),
            R::Answer { id, rating, mv, offset } => {
                json(&train.answer(card_id(&id)?, rating, mv.as_deref().map(parse_move).transpose()?, offset)?)
            }
            R::Edit { id, flagged, note, deck } => {
                let note = note.map(|note| shortened(&note, MAX_NOTE));
                let edit = CardEdit { flagged, note, deck: deck.as_deref().map(deck_name), dropped: None };
                train.edit(&[card_id(&id)?], &edit)?;
                json(&Empty {})
            }
            R::Drop { ids } => json(&Count { count: train.drop_cards(&ids.0)? }),
            R::Undrop => json(&Count { count: train.undrop_cards()? }),
            R::Cards(query) => json(&train.cards(&query)),
            R::Learn { side } => json(&train.learn(&*client.review.last()?, side)?),
            R::Pattern { deck } => {
                let file = train.deck_file();
                let week = deck.is_none().then(|| week_of_tactics(file.get(), date::unix_seconds())).flatten();
                let pattern = Pattern::of(file.get(), deck.as_deref());
                json(&PatternView::of(&pattern, &months_of_play(file.get()), week))
            }
            R::Export { deck, answers } => {
                let text = train.deck_file().export(deck.as_deref(), answers);
                Ok(Reply::File(FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.into_bytes())))
            }
            R::Import { bytes, name, deck } => json(&Imported::from_file(client, &bytes, &name, deck.as_deref())?),
            R::Sheet { ids, title, per_page } => Ok(sheet(client, &ids.0, &title, per_page)),
        }
    }
}

impl Train {
    fn deck_file(&self) -> DeckGuard<'_> {
        self.store.deck().deck()
    }

    fn drop_cards(&self, ids: &[CardId]) -> Result<usize, Message> {
        let ids = self.set_dropped(ids, true)?;
        let count = ids.len();
        self.dropped().push(ids);
        Ok(count)
    }

    /// Brings back the cards that were dropped last.
    fn undrop_cards(&self) -> Result<usize, Message> {
        let ids = self.dropped().pop().unwrap_or_default();
        let outcome = self.set_dropped(&ids, false);
        if outcome.is_err() {
            self.dropped().push(ids);
        }
        Ok(outcome?.len())
    }
}

pub(super) fn card_id(text: &str) -> Result<CardId, Message> {
    CardId::parse(text).ok_or_else(no_card)
}

/// Exercises to print.
fn sheet(client: &Client, ids: &[CardId], title: &str, per_page: u8) -> Reply {
    let deck = client.train.deck_file();
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
    Reply::File(FileDownload::new("exercises.html", "text/html", sheet.html().into_bytes()))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TrainHint"))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Imported {
    cards: usize,
    answers: usize,
    known: usize,
    bad: usize,
}

impl Imported {
    pub fn from_file(client: &Client, bytes: &str, name: &str, deck: Option<&str>) -> Result<Imported, Message> {
        let bytes = BASE64.decode(bytes).unwrap_or_default();
        let deck = deck.map(deck_name).filter(|deck| !deck.is_empty());
        let count = client.train.deck_file().import(&bytes, &shortened(name, MAX_NAME), deck.as_deref());
        let count = count.map_err(Message::from_error)?;
        Ok(Imported { cards: count.cards, answers: count.answers, known: count.known, bad: count.bad })
    }
}
