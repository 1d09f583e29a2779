//! What pages ask of the games that wait for their review.

use super::Train;
use super::exercises::{MAX_NAME, shortened};
use super::queue::{Queue, QueueError};
use crate::access::{DEVICE, TRUSTED};
use crate::client::Client;
use crate::ids::Ids;
use crate::library::record::GameId;
use crate::request_kind::{Answered, Requests, requests};
use crate::requests::{Empty, json};
use chuhe_study::review::PlayerNames;
use chuhe_support::language::Message;
use serde::Serialize;
use std::sync::Arc;

/// The most names of the person.
const MAX_ME: usize = 20;
/// The most names that recur.
const MAX_PLAYERS: usize = 30;

requests! {
    /// Requests about the games that wait for their review, and about whose games they are.
    #[cfg_attr(test, derive(ts_rs::TS), ts(tag = "do", optional_fields))]
    pub enum QueueRequest of "train" {
        /// The names that recur in the list of games, the most frequent first.
        "players": DEVICE => Players,
        /// Reviews games of the list.
        "add": DEVICE.changes().helps() => Add { games: Ids<GameId> },
        /// Whose mistakes become cards: with no names those of both sides. `nodes` are those of a position, if others than
        /// usual are wanted.
        "me": TRUSTED.changes() => Me { names: Vec<String>, nodes: Option<u64> },
        "pause": TRUSTED.changes() => Pause,
        "resume": TRUSTED.changes() => Resume,
        /// Forgets the games that wait.
        "cancel": TRUSTED.changes() => Cancel,
    }
}

impl Requests for QueueRequest {
    fn answer(self, client: &Client) -> Answered {
        use QueueRequest as R;
        let train = Train::of(client);
        match self {
            R::Players => json(&Players::of(client)),
            R::Add { games } => {
                let queued = train.change(|queue| queue.add(&games.0, None)).map_err(Message::from_error)?;
                train.go_on();
                json(&Queued { queued })
            }
            R::Me { names, nodes } => {
                let names = checked_names(&names)?;
                train.answer_change(|queue| {
                    queue.set_me(names)?;
                    if nodes.is_some() {
                        queue.add(&[], nodes)?;
                    }
                    Ok(())
                })
            }
            R::Pause => train.answer_change(|queue| queue.set_paused(true)),
            R::Resume => train.answer_change(|queue| queue.set_paused(false)),
            R::Cancel => train.answer_change(Queue::clear),
        }
    }
}

impl Train {
    fn answer_change(self: &Arc<Train>, change: impl FnOnce(&mut Queue) -> Result<(), QueueError>) -> Answered {
        self.change(change).map_err(Message::from_error)?;
        self.go_on();
        json(&Empty {})
    }
}

/// The names of the person, of which each has a letter.
fn checked_names(names: &[String]) -> Result<Vec<String>, Message> {
    let names: Vec<String> = names.iter().take(MAX_ME).map(|name| shortened(name.trim(), MAX_NAME)).collect();
    PlayerNames::new(&names).map_err(Message::from_error)?;
    Ok(names)
}

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
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Queued {
    pub queued: usize,
}
