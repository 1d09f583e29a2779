//! The desk at which requests are answered: who may ask (`guard`), which page it is, what it wishes.

use super::both::Both;
use super::guard::Guard;
use super::http::{Method, Refusal, Request, Response};
use super::keeper::Keeper;
use super::page::Face;
use super::question::{Done, Question};
use super::tab::Tab;
use super::tree::Tree;
use super::wish::Wish;
use crate::analyse::Equipment;
use crate::board::Position;
use crate::book;
use crate::language::tr;
use crate::play::game::Game;
use crate::play::pgn;
use crate::record;
use crate::tables::Shelf;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Pages at once. Each has an opponent with a memory of its own.
const MOST_TABS: usize = 6;
/// Streams at once: a browser opens six connections to one place, over all its pages, and some are for requests.
const MOST_STREAMS: usize = 4;

/// The size of the hash table with which a page analyses, in megabytes.
const HASH_MB: usize = 64;

const NOT_FOUND: Refusal = Refusal { status: 404, reason: "there is nothing of this name" };

/// What becomes of a request.
pub enum Answer {
    Now(Response),
    /// News of a page as they come.
    Stream(Arc<Tab>, u64),
}

pub struct Desk {
    pub guard: Guard,
    face: Face,
    keeper: Arc<Keeper>,
    equipment: Equipment,
    /// The game with which a page begins.
    opening: Option<record::Game>,
    /// What is wrong with the keeping of games.
    trouble: Option<Both>,
    tabs: Mutex<Vec<Arc<Tab>>>,
    /// Somebody has been here.
    was_visited: AtomicBool,
}

#[derive(Serialize)]
struct Key<'a> {
    token: &'a str,
}

/// A page introduces itself.
#[derive(Deserialize)]
struct Hello {
    page: Option<String>,
}

#[derive(Serialize)]
struct Welcome {
    page: String,
    /// The game that was left unfinished.
    unfinished: Option<Unfinished>,
    /// The game that the program was started with, for a page that is new.
    tree: Option<Tree>,
    trouble: Option<Both>,
}

#[derive(Serialize)]
struct Unfinished {
    moves: usize,
    seat: &'static str,
    strength: String,
}

/// What a page has been told already.
#[derive(Deserialize)]
struct Seen {
    seen: u64,
}

#[derive(Serialize)]
struct Wrong {
    wrong: Both,
}

impl Desk {
    pub fn new(guard: Guard, keeper: Keeper, trouble: Option<Both>, opening: Option<record::Game>) -> Desk {
        let (tabs, was_visited) = Default::default();
        let (face, equipment) = (Face::new(), equipment());
        Desk { guard, face, keeper: Arc::new(keeper), equipment, opening, trouble, tabs, was_visited }
    }

    fn tabs(&self) -> MutexGuard<'_, Vec<Arc<Tab>>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a request, whatever it is.
    pub fn answer(&self, request: &Request) -> Answer {
        match self.answered(request) {
            Ok(answer) => answer,
            Err(refusal) => Answer::Now(Response::refusal(refusal)),
        }
    }

    fn answered(&self, request: &Request) -> Result<Answer, Refusal> {
        self.guard.check_origin(request)?;
        if request.method == Method::Get {
            return if request.path == "/" { Ok(Answer::Now(self.face.response())) } else { Err(NOT_FOUND) };
        }
        if request.path == "/key" {
            return Ok(Answer::Now(json(&Key { token: self.guard.redeem(request)? })));
        }
        self.guard.check_token(request)?;
        if request.path == "/open" {
            return Ok(Answer::Now(self.open(body(request)?)));
        }
        let named = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let (verb, page) = named.ok_or(NOT_FOUND)?;
        let Some(tab) = self.find(page) else { return Ok(Answer::Now(json(&GONE))) };
        tab.touch();
        match verb {
            "do" => Ok(Answer::Now(self.grant(&tab, request)?)),
            "stream" if self.streams() < MOST_STREAMS || tab.is_streaming() => {
                Ok(Answer::Stream(tab, body::<Seen>(request)?.seen))
            }
            "stream" => Ok(Answer::Now(json(&Done {}))),
            "news" => {
                let news = tab.news.since(body::<Seen>(request)?.seen, Duration::ZERO);
                let news = news.map_or_else(|| "{}".to_string(), |(_, news)| news);
                Ok(Answer::Now(Response::json(200, news)))
            }
            _ => Err(NOT_FOUND),
        }
    }

    fn streams(&self) -> usize {
        self.tabs().iter().filter(|tab| tab.is_streaming()).count()
    }

    fn find(&self, page: &str) -> Option<Arc<Tab>> {
        let id = u64::from_str_radix(page, 16).ok()?;
        self.tabs().iter().find(|tab| tab.id == id).cloned()
    }

    fn grant(&self, tab: &Arc<Tab>, request: &Request) -> Result<Response, Refusal> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Asked {
            Wish(Wish),
            Question(Question),
            Page(PageWish),
        }
        #[derive(Deserialize)]
        #[serde(tag = "do", rename_all = "kebab-case")]
        enum PageWish {
            /// Goes on with the game that was left unfinished.
            Resume,
            /// The page is closed, or loaded again.
            Leave,
        }
        let answered = match body::<Asked>(request)? {
            Asked::Wish(wish) => wish.grant(&tab.table).map(|()| json(&Done {})),
            Asked::Question(question) => question.answer(tab).map(|json| Response::json(200, json)),
            Asked::Page(PageWish::Leave) => {
                tab.leave();
                Ok(json(&Done {}))
            }
            Asked::Page(PageWish::Resume) => self.resume(tab),
        };
        Ok(answered.unwrap_or_else(|wrong| json(&Wrong { wrong })))
    }

    fn resume(&self, tab: &Tab) -> Result<Response, Both> {
        let game = self.keeper.resume(tab.id);
        tab.table.replace(game.ok_or_else(|| Both::of(|| tr!("Another page goes on with it.")))?, None);
        Ok(json(&Done {}))
    }

    /// A page is opened, or loaded again.
    fn open(&self, hello: Hello) -> Response {
        self.was_visited.store(true, Ordering::Relaxed);
        self.sweep();
        let known = hello.page.and_then(|page| self.find(&page));
        let is_new = known.is_none();
        let tab = match known.clone().filter(|tab| !tab.is_streaming()) {
            Some(tab) => Ok(tab),
            // The copy of a page that is still open goes on with a copy of its game.
            None => self.add(known.map(|tab| tab.table.game())),
        };
        match tab {
            Ok(tab) => {
                tab.touch();
                tab.table.wake();
                let unfinished = self.keeper.unfinished().filter(|_| self.opening.is_none());
                let unfinished = unfinished.map(|game| Unfinished {
                    moves: game.moves().len(),
                    seat: game.seat.name(),
                    strength: game.strength.to_string(),
                });
                let tree = self.opening.as_ref().filter(|_| is_new).and_then(|game| Tree::of(game).ok());
                json(&Welcome {
                    page: format!("{:016x}", tab.id),
                    unfinished,
                    tree,
                    trouble: self.trouble.clone(),
                })
            }
            Err(wrong) => json(&Wrong { wrong }),
        }
    }

    fn add(&self, game: Option<Game>) -> Result<Arc<Tab>, Both> {
        let mut tabs = self.tabs();
        if tabs.len() >= MOST_TABS {
            return Err(Both::of(|| {
                tr!(
                    "{count} boards are open already: close one of them, and load this page again.",
                    count = MOST_TABS
                )
            }));
        }
        let game = game.or_else(|| self.opening.clone().map(pgn::read));
        let game = game.unwrap_or_else(|| Game::new(Position::start(), Vec::new()));
        let tab = Tab::new(rand::rng().random(), game, Arc::clone(&self.keeper), self.equipment.clone());
        let tab = Arc::new(tab.map_err(Both::told)?);
        tabs.push(Arc::clone(&tab));
        Ok(tab)
    }

    /// Whether the engine works for any page.
    pub fn is_searching(&self) -> bool {
        self.tabs().iter().any(|tab| tab.is_searching())
    }

    /// Lets go of the pages that are gone. Whether none is left of those that were there.
    pub fn sweep(&self) -> bool {
        let mut tabs = self.tabs();
        for tab in tabs.iter().filter(|tab| tab.is_gone()) {
            tab.rest();
            self.keeper.forget(tab.id);
        }
        tabs.retain(|tab| !tab.is_gone());
        tabs.is_empty() && self.was_visited.load(Ordering::Relaxed)
    }
}

/// What the engine analyses with: all that the machine has, the tables and the book inside the program.
fn equipment() -> Equipment {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // The own book is there: a program without it would not have been built.
    let books = book::open(Path::new(book::EMBEDDED)).into_iter().collect();
    Equipment { threads, hash_mb: HASH_MB, tables: Arc::new(Shelf::built_in()), books }
}

/// The page is not known any more: it introduces itself again.
const GONE: Gone = Gone { gone: true };

#[derive(Serialize)]
struct Gone {
    gone: bool,
}

fn body<'a, T: Deserialize<'a>>(request: &'a Request) -> Result<T, Refusal> {
    serde_json::from_slice(&request.body).map_err(|_| Refusal::BAD)
}

fn json(value: &impl Serialize) -> Response {
    Response::json(200, serde_json::to_string(value).unwrap_or_default())
}
