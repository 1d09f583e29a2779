//! The open pages: each has a client, which its requests name. What a server or a worker hands over here is what the page said.

use super::api::{Empty, Request};
use super::bilingual::Bilingual;
use super::client::Client;
use super::game_tree::GameTree;
use super::page::BoardPage;
use super::save_store::SaveStore;
use crate::analyse::AnalystResources;
use crate::game::{LiveGame, pgn};
use crate::{book, record};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::tablebase::Tablebase;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Pages at once. Each has an opponent with a hash table of its own.
const MAX_CLIENTS: usize = 6;
/// Streams at once: a browser opens six connections to one host, over all its pages, and some are for requests.
const MAX_STREAMS: usize = 4;

/// The size of the hash table with which a page analyses, in megabytes.
const HASH_MB: usize = 64;

/// What answers a request.
pub enum RouteAnswer {
    Json(String),
    /// Events of a page as they come, after the ones up to this number.
    Stream(Arc<Client>, u64),
}

/// Why a request has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApiError {
    /// Its path names nothing.
    NotFound,
    /// Its body is not what the path wants.
    BadRequest,
}

/// All open pages.
pub struct Sessions {
    page: BoardPage,
    store: Arc<SaveStore>,
    equipment: AnalystResources,
    /// The game with which a page begins.
    opening: Option<record::Game>,
    /// What is wrong with the saving of games.
    trouble: Option<Bilingual>,
    clients: Mutex<Vec<Arc<Client>>>,
    /// Whether any page was ever open.
    was_opened: AtomicBool,
}

/// A page introduces itself.
#[derive(Deserialize)]
struct OpenRequest {
    page: Option<String>,
}

#[derive(Serialize)]
struct OpenReply {
    page: String,
    /// The game that was left unfinished.
    unfinished: Option<Unfinished>,
    /// The game that the program was started with, for a page that is new.
    tree: Option<GameTree>,
    trouble: Option<Bilingual>,
}

#[derive(Serialize)]
struct Unfinished {
    moves: usize,
    seat: &'static str,
    strength: String,
}

/// What a page has been told already.
#[derive(Deserialize)]
struct NewsRequest {
    seen: u64,
}

#[derive(Serialize)]
struct ErrorReply {
    wrong: Bilingual,
}

/// The page is not known any more: it introduces itself again.
#[derive(Serialize)]
struct GoneReply {
    gone: bool,
}

impl Sessions {
    pub fn new(
        version: &'static str,
        store: SaveStore,
        trouble: Option<Bilingual>,
        opening: Option<record::Game>,
    ) -> Sessions {
        let (clients, was_visited) = Default::default();
        let (page, equipment) = (BoardPage::new(), equipment(version));
        Sessions { page, store: Arc::new(store), equipment, opening, trouble, clients, was_opened: was_visited }
    }

    /// The page itself.
    pub fn page(&self) -> &BoardPage {
        &self.page
    }

    fn clients(&self) -> MutexGuard<'_, Vec<Arc<Client>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers what a page posts to this path.
    pub fn answer(&self, path: &str, body: &[u8]) -> Result<RouteAnswer, ApiError> {
        if path == "/open" {
            return Ok(RouteAnswer::Json(self.open(parse(body)?)));
        }
        let named = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let (verb, page) = named.ok_or(ApiError::NotFound)?;
        let Some(client) = self.find(page) else {
            return Ok(RouteAnswer::Json(json(&GoneReply { gone: true })));
        };
        client.touch();
        match verb {
            "do" => {
                let answer = parse::<Request>(body)?.answer(&client);
                Ok(RouteAnswer::Json(answer.unwrap_or_else(|wrong| json(&ErrorReply { wrong }))))
            }
            "stream" if self.streams() < MAX_STREAMS || client.is_streaming() => {
                Ok(RouteAnswer::Stream(client, parse::<NewsRequest>(body)?.seen))
            }
            "stream" => Ok(RouteAnswer::Json(json(&Empty {}))),
            "news" => {
                let events = client.events.since(parse::<NewsRequest>(body)?.seen, Duration::ZERO);
                Ok(RouteAnswer::Json(events.map_or_else(|| "{}".to_string(), |(_, events)| events)))
            }
            _ => Err(ApiError::NotFound),
        }
    }

    fn streams(&self) -> usize {
        self.clients().iter().filter(|client| client.is_streaming()).count()
    }

    fn find(&self, page: &str) -> Option<Arc<Client>> {
        let id = u64::from_str_radix(page, 16).ok()?;
        self.clients().iter().find(|client| client.id == id).cloned()
    }

    /// A page is opened, or loaded again.
    fn open(&self, hello: OpenRequest) -> String {
        self.was_opened.store(true, Ordering::Relaxed);
        self.remove_gone_clients();
        let known = hello.page.and_then(|page| self.find(&page));
        let is_new = known.is_none();
        let client = match known.clone().filter(|client| !client.is_streaming()) {
            Some(client) => Ok(client),
            // The copy of a page that is still open goes on with a copy of its game.
            None => self.add_client(known.map(|client| client.game.game())),
        };
        match client {
            Ok(client) => {
                client.touch();
                client.game.resume();
                let unfinished = self.store.unfinished().filter(|_| self.opening.is_none());
                let unfinished = unfinished.map(|game| Unfinished {
                    moves: game.moves().len(),
                    seat: game.seat.name(),
                    strength: game.strength.to_string(),
                });
                let tree = self.opening.as_ref().filter(|_| is_new).and_then(|game| GameTree::of(game).ok());
                json(&OpenReply {
                    page: format!("{:016x}", client.id),
                    unfinished,
                    tree,
                    trouble: self.trouble.clone(),
                })
            }
            Err(wrong) => json(&ErrorReply { wrong }),
        }
    }

    fn add_client(&self, game: Option<LiveGame>) -> Result<Arc<Client>, Bilingual> {
        let mut clients = self.clients();
        if clients.len() >= MAX_CLIENTS {
            return Err(Bilingual::of(|| {
                tr!(
                    "{count} boards are open already: close one of them, and load this page again.",
                    count = MAX_CLIENTS
                )
            }));
        }
        let game = game.or_else(|| self.opening.clone().map(pgn::from_record));
        let game = game.unwrap_or_else(|| LiveGame::new(Position::start(), Vec::new()));
        let client = Client::new(rand::rng().random(), game, Arc::clone(&self.store), self.equipment.clone());
        let client = Arc::new(client.map_err(Bilingual::from_error)?);
        clients.push(Arc::clone(&client));
        Ok(client)
    }

    /// Whether the engine works for any page.
    pub fn is_searching(&self) -> bool {
        self.clients().iter().any(|client| client.is_searching())
    }

    /// Lets go of the pages that are gone. Whether none is left of those that were there.
    pub fn remove_gone_clients(&self) -> bool {
        let mut clients = self.clients();
        for client in clients.iter().filter(|client| client.is_gone()) {
            client.stop_searches();
            self.store.release(client.id);
        }
        clients.retain(|client| !client.is_gone());
        clients.is_empty() && self.was_opened.load(Ordering::Relaxed)
    }
}

/// What the engine analyses with: all processors, the embedded tables and the embedded book.
fn equipment(version: &'static str) -> AnalystResources {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // The embedded book is there: a program without it would not have been built.
    let books = book::open_book(Path::new(book::EMBEDDED_BOOK_NAME)).into_iter().collect();
    AnalystResources { version, threads, hash_mb: HASH_MB, tablebases: Arc::new(Tablebase::built_in()), books }
}

fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|_| ApiError::BadRequest)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
