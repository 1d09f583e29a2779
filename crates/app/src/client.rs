//! A client: an open page with its event stream, its game and its expiry time.

use super::access::{Access, Help, Rights, Sender};
use super::analysis::{AnalysisSession, SolveSession};
use super::context::{AppContext, Events};
use super::game_session::GameSession;
use super::game_tree::GameTree;
use super::library::Library;
use super::review_session::ReviewSession;
use super::searches::PageSearch;
use super::train::Train;
use super::train::endings::PlayedEnding;
use super::two_players::{self, Role, SharedGame, TwoOptions, TwoPlayers};
use chuhe_engine::instant::Instant;
use chuhe_study::game::{Clocks, LiveGame, Seat};
use chuhe_study::player::TimeControl;
use chuhe_support::language::{Language, Message, NoThread, message};
use chuhe_support::lock::Lock;
use chuhe_support::with_values;
use serde::Deserialize;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::Rules;
use xiangqi_record::PositionSpec;

/// A client expires after this time without a request: timers of hidden pages fire once a minute.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(90);
/// A page that was closed may be reloaded within this time.
const RELOAD_GRACE: Duration = Duration::from_secs(5);
/// The setting that lets paired devices change what is kept.
pub const DEVICE_CHANGES: &str = "device-changes";

with_values! {
    pub struct Client {
        pub id: u64 = id,
        pub access: Access = access,
        pub events: Arc<Events> = Arc::clone(&events),
        pub game: Arc<GameSession> = game,
        pub analysis: AnalysisSession = AnalysisSession::new(PageSearch::new(&context, &events)),
        pub review: Arc<ReviewSession> = Arc::new(ReviewSession::new(PageSearch::new(&context, &events))),
        pub solver: Arc<SolveSession> = Arc::new(SolveSession::new(PageSearch::new(&context, &events))),
        pub trial: Arc<PageSearch> = PageSearch::new(&context, &events),
        pub ending: PlayedEnding = Mutex::default(),
        pub train: Arc<Train> = train,
        pub shared: Arc<SharedGame> = shared,
        pub context: AppContext = context,
        /// The game that the page analyses, as it was told last.
        tree: Mutex<Option<GameTree>> = Mutex::new(None),
        /// The number of the open stream; 0 = none.
        stream: AtomicU64 = AtomicU64::default(),
        streams: AtomicU64 = AtomicU64::default(),
        /// Its page was closed, and was not heard of since.
        has_left: AtomicBool = AtomicBool::default(),
        /// When the client expires without further requests.
        expires_at: Mutex<Instant> = Mutex::new(Instant::now() + CLIENT_TIMEOUT),
    }
    pub fn new(id: u64, access: Access, game: ClientGame, context: &ClientContext) -> Result<Self, NoThread> as Ok {
        let ClientContext { app: context, shared, train } = context.clone();
        let events = Arc::new(Events::new(context.runner.queue().map(|queue| queue.listener())));
        if access.is_whole() {
            train.listen(&events);
        }
        let game = match game {
            ClientGame::Own { game, goes_on } => {
                // A record that somebody else has written may say that two people have played, too.
                let two = TwoPlayers::of_tags(&game.tags).filter(|_| goes_on).map(TwoPlayers::at_one_board);
                Arc::new(GameSession::new(id, *game, two, Arc::clone(&events), &context)?)
            }
            ClientGame::Shared(game) => {
                let role = match access {
                    Access::Owner | Access::Device => Role::Host,
                    Access::Player => Role::Guest,
                    Access::Watcher => Role::Watcher,
                };
                game.join(id, role, Arc::clone(&events));
                game
            }
        };
    }
}

/// What the pages of a program share.
#[derive(Clone)]
pub struct ClientContext {
    pub app: AppContext,
    pub shared: Arc<SharedGame>,
    pub train: Arc<Train>,
}

/// The game that a new page shows.
pub enum ClientGame {
    /// Its own, which may go on with one that was played here before.
    Own { game: Box<LiveGame>, goes_on: bool },
    /// One that is there already.
    Shared(Arc<GameSession>),
}

/// A game to begin.
#[derive(Deserialize, crate::TS)]
pub struct NewGame {
    seat: String,
    strength: String,
    rules: String,
    clock: Option<String>,
    /// The start position, followed by the moves.
    position: String,
    /// Set if two people play.
    #[serde(default)]
    #[ts(optional)]
    pub two: Option<TwoOptions>,
}

impl Client {
    /// Begins a game; no other page gives help while two people play it and one of them is invited.
    pub fn begin(&self, game: NewGame) -> Result<(), Message> {
        let is_shared = game.two.as_ref().is_some_and(|two| two.remote.is_some());
        let mut start = LiveGame::from_spec(&PositionSpec::parse(&game.position)).map_err(Message::from_value)?;
        start.seat = if game.two.is_some() { Seat::Both } else { parse(&game.seat)? };
        start.strength = parse(&game.strength)?;
        start.rules = Rules::new(game.rules.parse().map_err(Message::from_value)?);
        let clock: Option<TimeControl> = game.clock.as_deref().map(parse).transpose()?;
        start.clocks = clock.map(|control| Clocks::new(control, None, start.moves().len()));
        let begin = || {
            self.game.begin(start, game.two.as_ref());
            Ok(())
        };
        if is_shared {
            return self.shared.begin(self.id, &self.game, begin);
        }
        begin()?;
        if self.game.forbids_help() {
            self.stop_help();
        }
        Ok(())
    }

    /// Continues the unfinished game. The device that was invited to it can be invited again.
    pub fn resume(&self) -> Result<(), Message> {
        let take = || {
            let game = self.context.store.resume(self.id);
            self.game.replace(game.ok_or_else(|| message!("Another page continues it."))?);
            Ok(())
        };
        let two = self.context.store.unfinished().and_then(|game| TwoPlayers::of_tags(&game.tags));
        if two.is_some_and(|two| two.remote.is_some()) { self.shared.begin(self.id, &self.game, take) } else { take() }
    }

    /// The page is in this language now: it is told again what it shows.
    pub fn set_language(&self, language: Language) {
        if self.events.set_language(language) {
            self.game.publish_again();
            self.review.publish_again();
        }
    }

    /// Extends the expiry after a request.
    pub fn touch(&self) {
        self.context.store.come_back(self.id);
        self.has_left.store(false, Ordering::Relaxed);
        self.game.see(self.id, true);
        self.extend_expiry(CLIENT_TIMEOUT);
    }

    /// The page was closed: stops its searches and shortens the expiry.
    pub fn disconnect(&self) {
        self.context.store.leave(self.id);
        self.has_left.store(true, Ordering::Relaxed);
        self.game.see(self.id, false);
        self.extend_expiry(RELOAD_GRACE);
        self.stream.store(0, Ordering::Relaxed);
        self.close_searches();
    }

    /// Stops all searches of this client; until its page asks for events again, no check and no review begins.
    pub fn close_searches(&self) {
        self.long_searches().into_iter().for_each(PageSearch::close);
        self.train.set_playing(self.id, false);
        self.stop_searches();
    }

    /// The page is there: it was opened, or asks for events.
    pub fn reopen_searches(&self) {
        self.long_searches().into_iter().for_each(PageSearch::reopen);
    }

    /// The searches that may take a while.
    fn long_searches(&self) -> [&PageSearch; 3] {
        [&self.review.search, &self.solver.search, &self.trial]
    }

    /// Stops all searches of this client.
    pub fn stop_searches(&self) {
        if self.game.is_of(self.id) {
            self.game.pause(|| self.is_streaming());
        }
        self.stop_help();
    }

    /// Stops all searches but that of the opponent.
    pub fn stop_help(&self) {
        self.analysis.search.stop(None);
        self.long_searches().into_iter().for_each(|search| search.stop(None));
    }

    /// Whether any search of this client is running.
    pub fn is_searching(&self) -> bool {
        let searches_long = self.long_searches().iter().any(|search| search.is_running());
        self.game.is_searching() || self.analysis.search.is_running() || searches_long
    }

    /// Refuses what this page may not do, and help while two people play: on their pages, and on all of them if one plays on
    /// an invited device.
    pub fn check(&self, rights: Rights) -> Result<(), Message> {
        self.check_sender(rights.sender)?;
        let is_refused = match rights.help {
            Help::None => false,
            Help::Opponent => {
                self.shared.get().is_some_and(|game| !Arc::ptr_eq(&game, &self.game) && game.forbids_help())
            }
            Help::Word => self.game.forbids_help() || self.shared.forbids_help(),
        };
        if is_refused { Err(two_players::no_help()) } else { Ok(()) }
    }

    /// Refuses what is not open to this page.
    pub fn check_sender(&self, sender: Sender) -> Result<(), Message> {
        self.access.check(sender, self.context.preferences.get(DEVICE_CHANGES).as_deref() == Some("on"))
    }

    /// Begins a game, goes on with it or ends it: reviews wait as long as this page plays against the engine.
    pub fn playing<T>(&self, play: impl FnOnce() -> T) -> T {
        let outcome = play();
        self.train.set_playing(self.id, self.game.is_played());
        outcome
    }

    /// The training as the page asks for it. Who trains does not play at the same time.
    pub fn train(&self) -> &Arc<Train> {
        self.train.set_playing(self.id, false);
        self.train.go_on();
        &self.train
    }

    /// All games.
    pub fn library(&self) -> &Library {
        self.context.store.library()
    }

    /// Keeps the game that the page analyses; that of a device as long as its page.
    pub fn keep_tree(&self, tree: GameTree) -> Result<(), Message> {
        let kept = if self.access == Access::Owner { self.context.preferences.keep_tree(&tree) } else { Ok(()) };
        // As long as the page is open it is there all the same.
        *self.tree.locked() = Some(tree);
        kept.map_err(Message::from_error)
    }

    /// The game that the page analyses.
    pub fn kept_tree(&self) -> Option<GameTree> {
        self.tree.locked().clone()
    }

    /// Whether its page was closed.
    pub fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    fn extend_expiry(&self, timeout: Duration) {
        *self.expires_at.locked() = Instant::now() + timeout;
    }

    /// Whether the client has expired.
    pub fn is_gone(&self) -> bool {
        let until = *self.expires_at.locked();
        !self.is_streaming() && Instant::now() > until
    }

    pub fn is_streaming(&self) -> bool {
        self.stream.load(Ordering::Relaxed) != 0
    }

    /// Opens a stream that replaces the previous one. Returns its number.
    pub fn begin_stream(&self) -> u64 {
        let number = self.streams.fetch_add(1, Ordering::Relaxed) + 1;
        self.stream.store(number, Ordering::Relaxed);
        // The stream before may have ended, and the engine with it.
        self.game.wake();
        number
    }

    /// Whether this stream is still the current one.
    pub fn is_current_stream(&self, stream: u64) -> bool {
        self.stream.load(Ordering::Relaxed) == stream
    }

    /// Closes a stream. If it was the current one, stops the searches.
    pub fn end_stream(&self, stream: u64) {
        let ended = self.stream.compare_exchange(stream, 0, Ordering::Relaxed, Ordering::Relaxed);
        if ended.is_ok() {
            self.touch();
            self.game.see(self.id, false);
            self.stop_searches();
        }
    }
}

fn parse<T: FromStr<Err: Display + Send + Sync + 'static>>(text: &str) -> Result<T, Message> {
    text.parse().map_err(Message::from_error)
}
