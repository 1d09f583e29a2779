//! Short answers of the training.

use super::exercises::{MAX_NAME, deck_name, shortened};
use crate::bilingual::Bilingual;
use crate::client::Client;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde::Serialize;
use xiangqi::Move;

/// The most names that recur.
const MAX_PLAYERS: usize = 30;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Players {
    players: Vec<PlayerView>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Player"))]
struct PlayerView {
    name: String,
    games: usize,
}

impl Players {
    pub fn of(client: &Client) -> Players {
        let players = client.library().recurring_players(MAX_PLAYERS);
        Players { players: players.into_iter().map(|(name, games)| PlayerView { name, games }).collect() }
    }
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
pub struct Queued {
    pub queued: usize,
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
    pub fn from_file(client: &Client, bytes: &str, name: &str, deck: Option<&str>) -> Result<Imported, Bilingual> {
        let bytes = BASE64.decode(bytes).unwrap_or_default();
        let deck = deck.map(deck_name).filter(|deck| !deck.is_empty());
        let count = client.train.deck_file().import(&bytes, &shortened(name, MAX_NAME), deck.as_deref());
        let count = count.map_err(Bilingual::from_error)?;
        Ok(Imported { cards: count.cards, answers: count.answers, known: count.known, bad: count.bad })
    }
}
