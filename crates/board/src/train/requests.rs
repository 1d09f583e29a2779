//! The requests of a page that trains: `{"type":"train","do":NAME,...}`; `page/train.d.ts` has their replies.

use super::exercises::Solution;
use super::views::PatternView;
use crate::bilingual::Bilingual;
use crate::client::Client;
use crate::files::FileDownload;
use crate::library::record::GameId;
use crate::requests::{Count, Empty, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::review::PlayerNames;
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

/// A request of a page that trains.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum TrainRequest {
    Today {
        offset: i16,
    },
    /// Asks for the names that recur in the list of games.
    Players,
    Question {
        offset: i16,
        deck: Option<String>,
        kind: Option<CardKind>,
        /// A card that is not wanted again now.
        after: Option<CardId>,
        /// One of these cards, due or not.
        ids: Option<Vec<CardId>>,
    },
    /// Tries a move.
    Try {
        id: CardId,
        #[serde(rename = "move")]
        mv: String,
        number: u64,
    },
    Hint {
        id: CardId,
        step: u8,
    },
    Show {
        id: CardId,
    },
    Answer {
        id: CardId,
        rating: AnswerRating,
        offset: i16,
    },
    Edit {
        id: CardId,
        flagged: Option<bool>,
        note: Option<String>,
        deck: Option<String>,
    },
    Drop {
        ids: Vec<CardId>,
    },
    Undrop,
    Cards(CardsRequest),
    /// Reviews games of the list.
    Add {
        games: Vec<GameId>,
        me: Option<Vec<String>>,
        nodes: Option<u64>,
    },
    Me {
        names: Vec<String>,
    },
    Pause,
    Resume,
    /// Forgets the games that wait for their review.
    Cancel,
    /// Makes cards of the mistakes in the review of the page.
    Learn {
        side: Color,
    },
    Pattern {
        deck: Option<String>,
    },
    Export {
        deck: Option<String>,
        answers: bool,
    },
    Import {
        /// In base64.
        bytes: String,
        name: String,
        deck: Option<String>,
    },
    Sheet {
        ids: Vec<CardId>,
        title: String,
        per_page: u8,
        language: String,
    },
}

/// Asks for a part of the list of cards.
#[derive(Deserialize)]
pub struct CardsRequest {
    pub offset: i16,
    pub deck: Option<String>,
    pub text: Option<String>,
    pub kind: Option<CardKind>,
    pub flagged: Option<bool>,
    pub from: usize,
    pub count: usize,
}

impl TrainRequest {
    /// Whether the engine answers: a deck that was imported may have any position.
    pub fn is_help(&self) -> bool {
        matches!(self, TrainRequest::Try { .. } | TrainRequest::Hint { .. } | TrainRequest::Show { .. })
    }

    /// Handles the request for a client. Returns the answer as JSON.
    pub fn answer(self, client: &Client) -> Result<String, Bilingual> {
        let train = &client.train;
        // Who trains does not play at the same time.
        train.set_playing(client.id, false);
        train.go_on();
        match self {
            TrainRequest::Today { offset } => json(&train.today(offset)),
            TrainRequest::Players => {
                let players = client.library().recurring_players(MAX_PLAYERS);
                let players = players.into_iter().map(|(name, games)| PlayerView { name, games }).collect();
                json(&Players { players })
            }
            TrainRequest::Question { ids: Some(ids), .. } => json(&train.chosen_question(&ids)),
            TrainRequest::Question { offset, deck, kind, after, ids: None } => {
                json(&train.question(offset, CardFilter { deck: deck.as_deref(), kind }, after))
            }
            TrainRequest::Try { id, mv, number } => {
                let card = train.card(id)?;
                let mv = mv.parse().map_err(Bilingual::from_value)?;
                client.trial.begin(card, mv, number)?;
                json(&Empty {})
            }
            TrainRequest::Hint { id, step } => {
                let best = train.card(id)?.best();
                let to = best.filter(|_| step > 1).map(|best| best.to().to_string());
                json(&Hint { from: best.map(|best| best.from().to_string()), to })
            }
            TrainRequest::Show { id } => json(&Solution::of(&train.card(id)?)?),
            TrainRequest::Answer { id, rating, offset } => json(&train.answer(id, rating, offset)?),
            TrainRequest::Edit { id, flagged, note, deck } => {
                let note = note.map(|note| shortened(&note, MAX_NOTE));
                let deck = deck.map(|deck| shortened(deck.trim(), MAX_NAME));
                train.edit(&[id], &CardEdit { flagged, note, deck, dropped: None })?;
                json(&Empty {})
            }
            TrainRequest::Drop { ids } => {
                let edit = CardEdit { dropped: Some(true), ..CardEdit::default() };
                let ids = train.edit(&ids, &edit)?;
                let count = ids.len();
                train.dropped().push(ids);
                json(&Count { count })
            }
            TrainRequest::Undrop => {
                let ids = train.dropped().pop().unwrap_or_default();
                let edit = CardEdit { dropped: Some(false), ..CardEdit::default() };
                match train.edit(&ids, &edit) {
                    Ok(ids) => json(&Count { count: ids.len() }),
                    Err(error) => {
                        train.dropped().push(ids);
                        Err(error)
                    }
                }
            }
            TrainRequest::Cards(request) => json(&train.cards(&request)),
            TrainRequest::Add { games, me, nodes } => {
                let me = me.map(|names| checked_names(&names)).transpose()?;
                let queued = train.change(|queue| {
                    if let Some(me) = me {
                        queue.set_me(me);
                    }
                    queue.add(&games, nodes)
                });
                train.go_on();
                json(&Queued { queued })
            }
            TrainRequest::Me { names } => {
                let names = checked_names(&names)?;
                train.change(|queue| queue.set_me(names));
                json(&Empty {})
            }
            TrainRequest::Pause => {
                train.change(|queue| queue.set_paused(true));
                json(&Empty {})
            }
            TrainRequest::Resume => {
                train.change(|queue| queue.set_paused(false));
                train.go_on();
                json(&Empty {})
            }
            TrainRequest::Cancel => {
                train.change(super::Queue::clear);
                json(&Empty {})
            }
            TrainRequest::Learn { side } => json(&train.learn(&*client.review.last()?, side)?),
            TrainRequest::Pattern { deck } => {
                json(&PatternView::of(&Pattern::of(train.store.deck.deck().get(), deck.as_deref())))
            }
            TrainRequest::Export { deck, answers } => {
                let text = train.store.deck.deck().export(deck.as_deref(), answers);
                json(&FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.as_bytes()))
            }
            TrainRequest::Import { bytes, name, deck } => {
                let bytes = BASE64.decode(&bytes).unwrap_or_default();
                let deck = deck.map(|deck| shortened(deck.trim(), MAX_NAME)).filter(|deck| !deck.is_empty());
                let count = train.store.deck.deck().import(&bytes, &shortened(&name, MAX_NAME), deck.as_deref());
                let count = count.map_err(Bilingual::from_error)?;
                json(&Imported { cards: count.cards, answers: count.answers, known: count.known, bad: count.bad })
            }
            TrainRequest::Sheet { ids, title, per_page, language } => {
                let deck = train.store.deck.deck();
                let sheet = ExerciseSheet {
                    title: title.trim(),
                    per_page: if per_page > 4 { PerPage::Six } else { PerPage::Four },
                    language: if language == "zh" { Language::CHINESE } else { Language::ENGLISH },
                    cards: ids.iter().filter_map(|&id| Some(deck.get().get(id)?.0)).collect(),
                };
                json(&FileDownload::new("exercises.html", "text/html", sheet.html().as_bytes()))
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
struct Players {
    players: Vec<PlayerView>,
}

#[derive(Serialize)]
struct PlayerView {
    name: String,
    games: usize,
}

#[derive(Serialize)]
struct Hint {
    from: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
struct Queued {
    queued: usize,
}

#[derive(Serialize)]
struct Imported {
    cards: usize,
    answers: usize,
    known: usize,
    bad: usize,
}
