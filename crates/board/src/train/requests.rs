//! The requests of a page that trains: `{"type":"train","do":NAME,...}`; `page/train.d.ts` has their replies.

use super::exercises::Solution;
use super::views::{PatternView, no_card};
use crate::bilingual::Bilingual;
use crate::client::Client;
use crate::files::FileDownload;
use crate::ids::Ids;
use crate::library::record::GameId;
use crate::requests::{Count, Empty, Reply, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::endings::EndingSide;
use chuhe_study::train::rulings::RulingAnswer;
use chuhe_study::train::{AnswerRating, CardEdit, CardFilter, CardId, CardKind, ExerciseSheet, Pattern, PerPage};
use chuhe_support::language::Language;
use serde::{Deserialize, Serialize};
use xiangqi::Color;

/// The most names that recur.
const MAX_PLAYERS: usize = 30;
/// The longest note and name of a deck, in letters.
const MAX_NOTE: usize = 2000;
pub const MAX_NAME: usize = 60;
/// The most names of the person.
const MAX_ME: usize = 20;

/// What a page wants.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TrainDo"))]
pub(crate) enum Wish {
    Today,
    Players,
    Question,
    Try,
    Hint,
    Show,
    Answer,
    Edit,
    Drop,
    Undrop,
    Cards,
    Add,
    Me,
    Pause,
    Resume,
    Cancel,
    Learn,
    Pattern,
    Export,
    Import,
    Sheet,
    Endings,
    Ending,
    EndingMove,
    /// Goes on from before the fault.
    EndingAgain,
    Rulings,
    RulingAnswer,
}

/// A request of a page that trains: the fields of all wishes together. A type for each would be clearer, and take six times
/// as much code, which a page without a server downloads.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct TrainRequest {
    #[serde(rename = "do")]
    wish: Option<Wish>,
    /// The person's time zone: minutes east of UTC.
    offset: i16,
    /// A card, an ending or a ruling; or several cards.
    id: String,
    ids: Option<Ids<CardId>>,
    /// Which cards are meant.
    pub deck: Option<String>,
    pub kind: Option<CardKind>,
    pub flagged: Option<bool>,
    pub text: Option<String>,
    pub from: usize,
    pub count: usize,
    /// A card or a ruling that is not wanted again now.
    after: Option<String>,
    #[serde(rename = "move")]
    mv: String,
    number: u64,
    step: u8,
    rating: Option<AnswerRating>,
    note: Option<String>,
    games: Ids<GameId>,
    /// The names of the person.
    me: Option<Vec<String>>,
    names: Vec<String>,
    nodes: Option<u64>,
    /// A colour, or `attack` or `defend`; how hard an ending is, 1 to 3.
    side: String,
    level: u8,
    /// The ruling that the person thinks right.
    key: Option<RulingAnswer>,
    answers: bool,
    /// A file, in base64, and its name.
    bytes: String,
    name: String,
    title: String,
    per_page: u8,
    language: String,
}

impl TrainRequest {
    /// Whether the engine answers: a deck that was imported may have any position.
    pub fn is_help(&self) -> bool {
        matches!(self.wish, Some(Wish::Try | Wish::Hint | Wish::Show))
    }

    /// Handles the request for a client. Returns the answer as JSON.
    pub fn answer(self, client: &Client) -> Result<Reply, Bilingual> {
        let train = &client.train;
        // Who trains does not play at the same time.
        train.set_playing(client.id, false);
        train.go_on();
        let (id, deck) = (|| CardId::parse(&self.id).ok_or_else(no_card), self.deck.as_deref());
        let Some(wish) = self.wish else { return json(&Empty {}) };
        match wish {
            Wish::Today => json(&train.today(self.offset)),
            Wish::Players => {
                let players = client.library().recurring_players(MAX_PLAYERS);
                let players = players.into_iter().map(|(name, games)| PlayerView { name, games }).collect();
                json(&Players { players })
            }
            Wish::Question => match &self.ids {
                Some(Ids(ids)) => json(&train.chosen_question(ids)),
                None => {
                    let after = self.after.as_deref().and_then(CardId::parse);
                    json(&train.question(self.offset, CardFilter { deck, kind: self.kind }, after))
                }
            },
            Wish::Try => {
                let card = train.card(id()?)?;
                let mv = self.mv.parse().map_err(Bilingual::from_value)?;
                client.trial.begin(card, mv, self.number)?;
                json(&Empty {})
            }
            Wish::Hint => {
                let best = train.card(id()?)?.best();
                let to = best.filter(|_| self.step > 1).map(|best| best.to().to_string());
                json(&Hint { from: best.map(|best| best.from().to_string()), to })
            }
            Wish::Show => json(&Solution::of(&train.card(id()?)?)?),
            Wish::Answer => {
                let rating = self.rating.ok_or_else(no_card)?;
                json(&train.answer(id()?, rating, self.offset)?)
            }
            Wish::Edit => {
                let note = self.note.as_deref().map(|note| shortened(note, MAX_NOTE));
                let deck = deck.map(|deck| shortened(deck.trim(), MAX_NAME));
                train.edit(&[id()?], &CardEdit { flagged: self.flagged, note, deck, dropped: None })?;
                json(&Empty {})
            }
            Wish::Drop => {
                let ids = train.set_dropped(&self.ids.unwrap_or_default().0, true)?;
                let count = ids.len();
                train.dropped().push(ids);
                json(&Count { count })
            }
            Wish::Undrop => {
                let ids = train.dropped().pop().unwrap_or_default();
                let outcome = train.set_dropped(&ids, false);
                if outcome.is_err() {
                    train.dropped().push(ids);
                }
                json(&Count { count: outcome?.len() })
            }
            Wish::Cards => json(&train.cards(self.offset, &self)),
            Wish::Add => {
                let me = self.me.as_deref().map(checked_names).transpose()?;
                let queued = train.change(|queue| {
                    if let Some(me) = me {
                        queue.set_me(me);
                    }
                    queue.add(&self.games.0, self.nodes)
                });
                train.go_on();
                json(&Queued { queued })
            }
            Wish::Me => {
                let names = checked_names(&self.names)?;
                train.change(|queue| queue.set_me(names));
                json(&Empty {})
            }
            Wish::Pause | Wish::Resume => {
                train.change(|queue| queue.set_paused(wish == Wish::Pause));
                train.go_on();
                json(&Empty {})
            }
            Wish::Cancel => {
                train.change(super::Queue::clear);
                json(&Empty {})
            }
            Wish::Learn => {
                let side = if self.side == "black" { Color::Black } else { Color::Red };
                json(&train.learn(&*client.review.last()?, side)?)
            }
            Wish::Pattern => json(&PatternView::of(&Pattern::of(train.store.deck().deck().get(), deck))),
            Wish::Export => {
                let text = train.store.deck().deck().export(deck, self.answers);
                Ok(Reply::File(FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.into_bytes())))
            }
            Wish::Import => {
                let bytes = BASE64.decode(&self.bytes).unwrap_or_default();
                let deck = deck.map(|deck| shortened(deck.trim(), MAX_NAME)).filter(|deck| !deck.is_empty());
                let name = shortened(&self.name, MAX_NAME);
                let count = train.store.deck().deck().import(&bytes, &name, deck.as_deref());
                let count = count.map_err(Bilingual::from_error)?;
                json(&Imported { cards: count.cards, answers: count.answers, known: count.known, bad: count.bad })
            }
            Wish::Endings => json(&train.shelves()),
            Wish::Ending => {
                let side = if self.side == "defend" { EndingSide::Defend } else { EndingSide::Attack };
                json(&train.begin_ending(client, &self.id, side, self.level)?)
            }
            Wish::EndingMove => {
                let mv = self.mv.parse().map_err(Bilingual::from_value)?;
                json(&train.play_ending(client, mv)?)
            }
            Wish::EndingAgain => json(&train.go_on_with_ending(client)?),
            Wish::Rulings => json(&train.ruling(self.offset, self.after.as_deref())),
            Wish::RulingAnswer => {
                let key = self.key.ok_or_else(no_card)?;
                json(&train.answer_ruling(&self.id, key, self.offset)?)
            }
            Wish::Sheet => {
                let (deck, ids) = (train.store.deck().deck(), self.ids.unwrap_or_default().0);
                let sheet = ExerciseSheet {
                    title: self.title.trim(),
                    per_page: if self.per_page > 4 { PerPage::Six } else { PerPage::Four },
                    language: if self.language == "zh" { Language::CHINESE } else { Language::ENGLISH },
                    cards: ids.iter().filter_map(|&id| Some(deck.get().get(id)?.0)).collect(),
                };
                Ok(Reply::File(FileDownload::new("exercises.html", "text/html", sheet.html().into_bytes())))
            }
        }
    }
}

/// The names of the person, of which each has a letter.
fn checked_names(names: &[String]) -> Result<Vec<String>, Bilingual> {
    let names: Vec<String> = names.iter().take(MAX_ME).map(|name| shortened(name.trim(), MAX_NAME)).collect();
    PlayerNames::new(&names).map_err(Bilingual::from_error)?;
    Ok(names)
}

/// The first letters of a text.
pub fn shortened(text: &str, letters: usize) -> String {
    text.chars().filter(|&letter| letter == '\n' || !letter.is_control()).take(letters).collect()
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Players {
    players: Vec<PlayerView>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Player"))]
struct PlayerView {
    name: String,
    games: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TrainHint"))]
pub(crate) struct Hint {
    from: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Queued {
    queued: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Imported {
    cards: usize,
    answers: usize,
    known: usize,
    bad: usize,
}
