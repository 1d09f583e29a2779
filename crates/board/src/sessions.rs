//! The open pages, each with a client that its requests name. All request contents are untrusted.

use super::page::BoardPage;
use super::requests::{Refusal, Reply, RequestName, refusals};
use chuhe_app::access::Access;
use chuhe_app::client::{Client, ClientContext, ClientGame, DEVICE_CHANGES};
use chuhe_app::context::AppContext;
use chuhe_app::game_session::GameSession;
use chuhe_app::game_tree::GameTree;
use chuhe_app::library::record::{Source, StoredGame};
use chuhe_app::train::Train;
use chuhe_study::game::{LiveGame, game_record};
use chuhe_support::files::{StateNote, StateNotes};
use chuhe_support::language::{Language, Message, message};
use chuhe_support::lock::Lock;
use chuhe_support::with_values;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use xiangqi::Position;

/// The maximum number of pages. Each has an opponent with a hash table of its own.
const MAX_CLIENTS: usize = 6;
/// The maximum number of pages of devices that were invited to a game.
const MAX_GUESTS: usize = 12;
/// The maximum number of streams: a browser opens six connections per host over all pages, and some are for requests.
const MAX_STREAMS: usize = 4;
/// The most games of pages that were given up.
const MAX_LOST_GAMES: usize = 16;

/// Why a request fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApiError {
    /// Unknown path.
    NotFound,
    /// The body is not valid for the path.
    BadRequest,
}

pub struct Sessions {
    /// Written when somebody asks for it.
    page: OnceLock<BoardPage>,
    context: ClientContext,
    /// The game shown by a new page.
    pub opening: Option<xiangqi_record::Game>,
    /// The language that the user has asked for.
    pub language: Option<Language>,
    /// The error that prevents saving games, if any.
    pub storage_error: Option<Message>,
    /// What the command line has been told of files, and no page yet.
    notes: Mutex<Vec<StateNote>>,
    clients: Mutex<Vec<Arc<Client>>>,
    /// The games of pages that were given up, by the pages' numbers: a page may have been asleep for long.
    lost_games: Mutex<VecDeque<(u64, LiveGame)>>,
    /// Whether any page was ever opened.
    was_opened: AtomicBool,
}

/// The first request of a page.
#[derive(Deserialize)]
struct OpenRequest {
    page: Option<String>,
    /// The language of the page.
    #[serde(default)]
    language: String,
}

with_values! {
    #[derive(Serialize, crate::TS)]
    pub(crate) struct Opened {
        page: String = format!("{:016x}", client.id),
        access: Access = client.access,
        denied: Vec<Refusal> = refusals(client),
        /// The unfinished game, if there is one.
        unfinished: Option<Unfinished> = None,
        /// The game that the program was started with, for a new page.
        opened_game: Option<GameTree> = None,
        /// The game that the page analyses, or that the last one of an earlier run analysed.
        analysed_game: Option<GameTree> = client.kept_tree().and_then(with_names),
        /// What the person should know of what is kept.
        storage_notes: Vec<String> = Vec::new(),
    }
    /// What every page is told that opens or comes back.
    fn of(client: &Client) {
        client.set_language(Language::current());
        client.touch();
        client.reopen_searches();
    }
}

#[derive(Serialize, crate::TS)]
struct Unfinished {
    moves: usize,
    seat: &'static str,
    strength: String,
}

/// Asks for events after a number.
#[derive(Deserialize)]
struct EventsRequest {
    after: u64,
}

/// A tree with the names of its moves, which the page needs, too.
fn with_names(tree: GameTree) -> Option<GameTree> {
    GameTree::of(&tree.game().ok()?).ok()
}

impl Sessions {
    pub fn new(app: AppContext) -> Sessions {
        let (page, opening, language, storage_error) = Default::default();
        let (notes, clients, lost_games, was_opened) = Default::default();
        let context = ClientContext { train: Train::new(&app), app, shared: Arc::default() };
        Sessions { page, context, opening, language, storage_error, notes, clients, lost_games, was_opened }
    }

    /// The page as it opens, in the remembered colours, and in the language that its address names; or else the remembered one,
    /// the one that the program was asked for, the one that the browser prefers, or that of the system.
    pub fn html(&self, named: Option<Language>, accept_language: Option<&str>) -> String {
        let settings = self.context.app.preferences.all();
        let remembered = || settings.get("language").and_then(|name| name.parse().ok());
        let accepted = || accept_language.and_then(Language::preferred);
        let language = named.or_else(remembered).or(self.language).or_else(accepted);
        self.page().html_with(&settings, language.unwrap_or_else(Language::program_language))
    }

    fn new_notes(&self) -> Vec<StateNote> {
        let mut notes = StateNotes::default();
        self.context.app.preferences.notes(&mut notes);
        self.context.app.store.notes(&mut notes);
        self.context.train.notes(&mut notes);
        notes.0
    }

    /// What the command line is to be told of the files that are kept; the next page is told of it, too.
    pub fn notes(&self) -> Vec<StateNote> {
        let notes = self.new_notes();
        self.notes.locked().extend(notes.iter().filter(|note| note.is_over()).cloned());
        notes
    }

    /// What a page is told.
    fn storage_notes(&self) -> Vec<String> {
        let told = std::mem::take(&mut *self.notes.locked());
        let notes = told.into_iter().chain(self.new_notes()).map(|note| note.to_string());
        self.storage_error.iter().map(ToString::to_string).chain(notes).collect()
    }

    /// Whether any page was opened.
    pub fn was_opened(&self) -> bool {
        self.was_opened.load(Ordering::Relaxed)
    }

    /// The HTML page.
    pub fn page(&self) -> &BoardPage {
        self.page.get_or_init(BoardPage::new)
    }

    /// Answers a POST to this path, of a page that may do this.
    pub fn answer(&self, access: Access, path: &str, body: &[u8]) -> Result<Reply, ApiError> {
        if path == "/open" {
            let request: OpenRequest = parse(body)?;
            let language = request.language.parse().unwrap_or_else(|_| Language::current());
            let reply = language
                .with(|| self.open(access, &request).map_or_else(|error| refusal(&error), |reply| json(&reply)));
            return Ok(Reply::Json(reply));
        }
        let named = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let (action, page) = named.ok_or(ApiError::NotFound)?;
        let Some(client) = self.find(access, page) else {
            // It has to open again.
            return Ok(Reply::Json("{\"closed\":true}".to_string()));
        };
        client.events.language().with(|| self.answer_client(client, action, body))
    }

    /// Answers a page in its language.
    fn answer_client(&self, client: Arc<Client>, action: &str, body: &[u8]) -> Result<Reply, ApiError> {
        client.touch();
        if action != "request" {
            client.reopen_searches();
        }
        match action {
            "request" => {
                let is_quiet = self.context.shared.forbids_help();
                let allowed = self.context.app.preferences.get(DEVICE_CHANGES);
                // What a request is says its name: parsing the rest takes many times its size in memory.
                let kind = parse::<RequestName>(body)?.kind().ok_or(ApiError::BadRequest)?;
                let answer = match client.check(kind.rights) {
                    Ok(()) => (kind.answer)(kind.name, body, &client).map_err(|_| ApiError::BadRequest)?,
                    Err(error) => Err(error),
                };
                // A game of two has begun: what was asked before is not answered any more.
                if !is_quiet && self.context.shared.forbids_help() {
                    self.clients.locked().iter().for_each(|client| client.stop_help());
                }
                if allowed != self.context.app.preferences.get(DEVICE_CHANGES) {
                    let tell = |client: &Arc<Client>| client.events.publish("denied", || refusals(client));
                    self.clients.locked().iter().for_each(tell);
                }
                Ok(answer.unwrap_or_else(|error| Reply::Json(refusal(&error))))
            }
            "stream" if self.streams(client.access) < MAX_STREAMS || client.is_streaming() => {
                Ok(Reply::Stream(client, parse::<EventsRequest>(body)?.after))
            }
            "stream" => Ok(Reply::Json("{}".to_string())),
            "events" => {
                client.game.wake();
                let events = client.events.since(parse::<EventsRequest>(body)?.after, Duration::ZERO);
                Ok(Reply::Json(events.map_or_else(|| "{}".to_string(), |(_, events)| events)))
            }
            _ => Err(ApiError::NotFound),
        }
    }

    /// The game of a page that was given up, and the page's number.
    fn lost_game(&self, page: &str) -> Option<(u64, LiveGame)> {
        let id = u64::from_str_radix(page, 16).ok()?;
        let mut games = self.lost_games.locked();
        let place = games.iter().position(|&(owner, _)| owner == id)?;
        games.remove(place)
    }

    fn streams(&self, access: Access) -> usize {
        self.clients.locked().iter().filter(|client| client.access == access && client.is_streaming()).count()
    }

    fn find(&self, access: Access, page: &str) -> Option<Arc<Client>> {
        let id = u64::from_str_radix(page, 16).ok()?;
        self.clients.locked().iter().find(|client| client.id == id && client.access == access).cloned()
    }

    /// Handles an opened or reloaded page.
    fn open(&self, access: Access, request: &OpenRequest) -> Result<Opened, Message> {
        self.remove_gone_clients();
        let known = request.page.as_ref().and_then(|page| self.find(access, page));
        if !access.is_whole() {
            return self.open_guest(access, known);
        }
        let lost = request.page.as_ref().filter(|_| known.is_none()).and_then(|page| self.lost_game(page));
        let is_new = known.is_none() && lost.is_none();
        let client = match known.clone().filter(|client| !client.is_streaming()) {
            Some(client) => client,
            // A duplicated browser tab continues with a copy of the game.
            None => match self.shared_game_to_return_to(access, lost.as_ref().map(|(page, _)| *page)) {
                Some(game) => self.add_client(access, ClientGame::Shared(game))?,
                None => {
                    let copy = || known.map(|client| client.game.game());
                    let game = lost.as_ref().map(|(_, game)| game.clone()).or_else(copy);
                    let goes_on = game.is_some();
                    let game = Box::new(game.unwrap_or_else(|| self.first_game()));
                    self.add_client(access, ClientGame::Own { game, goes_on })?
                }
            },
        };
        // Not before it is among the pages: until then, all pages would seem to be gone.
        let is_first = !self.was_opened.swap(true, Ordering::Relaxed);
        if let Some((page, _)) = lost {
            self.context.app.store.hand_over(page, client.id);
        }
        let mut reply = Opened::of(&client);
        client.game.resume();
        // What has waited since the last run.
        client.train.go_on();
        if self.opening.is_none() {
            reply.unfinished = self.context.app.store.unfinished().map(|game| Unfinished {
                moves: game.moves().len(),
                seat: game.seat.name(),
                strength: game.strength.to_string(),
            });
            if reply.analysed_game.is_none() && is_first {
                reply.analysed_game = self.context.app.preferences.last_tree().and_then(with_names);
            }
        } else if is_new {
            reply.opened_game = self.opening.as_ref().and_then(|game| self.opened_game(game));
        }
        if reply.opened_game.is_some() {
            reply.analysed_game = None;
        }
        reply.storage_notes = self.storage_notes();
        Ok(reply)
    }

    /// The game that the program was started with, which is in the list then.
    fn opened_game(&self, game: &xiangqi_record::Game) -> Option<GameTree> {
        let stored = StoredGame::new(game, Source::Opened, "");
        if stored.about.moves > 0
            && let Err(error) = self.context.app.store.library().add(vec![stored])
        {
            log::warn!("{}", error.english());
        }
        GameTree::of(game).ok()
    }

    /// The page of an invited device opens, or comes back: it shows the game that it was invited to.
    fn open_guest(&self, access: Access, known: Option<Arc<Client>>) -> Result<Opened, Message> {
        let nothing = || message!("The game that this device was invited to is over, and another has begun.");
        let game = self.context.shared.get().ok_or_else(nothing)?;
        let client = match known.filter(|client| !client.is_streaming() && Arc::ptr_eq(&client.game, &game)) {
            Some(client) => client,
            None => self.add_client(access, ClientGame::Shared(game))?,
        };
        let reply = Opened::of(&client);
        client.game.publish_again();
        Ok(reply)
    }

    /// The game with an invited device that a page of this machine goes on with: its own, or one that was left.
    fn shared_game_to_return_to(&self, access: Access, lost: Option<u64>) -> Option<Arc<GameSession>> {
        let game = self.context.shared.get().filter(|_| access == Access::Owner)?;
        let is_played = self.clients.locked().iter().any(|client| game.is_of(client.id) && !client.has_left());
        let is_own = lost.is_some_and(|page| game.is_of(page));
        (is_own || !is_played && game.forbids_help()).then_some(game)
    }

    /// The game of a page that has none.
    fn first_game(&self) -> LiveGame {
        let opening = self.opening.clone().map(game_record::from_record);
        opening.unwrap_or_else(|| LiveGame::new(Position::start(), Vec::new()))
    }

    fn add_client(&self, access: Access, game: ClientGame) -> Result<Arc<Client>, Message> {
        let mut clients = self.clients.locked();
        let count = clients.iter().filter(|client| client.access.is_whole() == access.is_whole()).count();
        if count >= if access.is_whole() { MAX_CLIENTS } else { MAX_GUESTS } {
            return Err(message!(
                "{count} boards are open already: close one of them, and load this page again.",
                count
            ));
        }
        let id = rand::rng().random();
        if let ClientGame::Shared(game) = &game
            && access.is_whole()
        {
            self.context.app.store.hand_over(game.host(), id);
        }
        let client = Client::new(id, access, game, &self.context);
        let client = Arc::new(client.map_err(Message::from_error)?);
        clients.push(Arc::clone(&client));
        Ok(client)
    }

    /// Whether the engine searches for any page.
    pub fn is_searching(&self) -> bool {
        self.clients.locked().iter().any(|client| client.is_searching())
    }

    /// Removes expired clients. Returns true if all pages are gone.
    pub fn remove_gone_clients(&self) -> bool {
        let mut clients = self.clients.locked();
        for client in clients.iter().filter(|client| client.is_gone()) {
            client.close_searches();
            client.game.part(client.id);
            self.context.app.store.leave(client.id);
            remember_game(&mut self.lost_games.locked(), client);
        }
        clients.retain(|client| !client.is_gone());
        clients.is_empty() && self.was_opened.load(Ordering::Relaxed)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.context.train.close();
    }
}

/// Remembers the game of a page that is given up.
fn remember_game(games: &mut VecDeque<(u64, LiveGame)>, client: &Client) {
    let game = client.game.game();
    if !game.moves().is_empty() {
        games.push_back((client.id, game));
    }
    if games.len() > MAX_LOST_GAMES {
        games.pop_front();
    }
}

fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|_| ApiError::BadRequest)
}

fn refusal(error: &Message) -> String {
    format!("{{\"error\":{}}}", json(error))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
