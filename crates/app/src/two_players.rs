//! A game of two people: who plays which side, offers and their answers, and the clock while a player is away; who joins it and is
//! there, what one asks the other for, and the one game of the program that is open to invited devices. The engine only judges it.

use super::context::Events;
use super::game_session::{GameSession, GameState};
use super::game_tree::GameTree;
use chuhe_engine::instant::Instant;
use chuhe_study::game::GameEnd;
use chuhe_support::files::visible_name;
use chuhe_support::language::{Message, message, tr};
use chuhe_support::lock::Lock;
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::Color;

/// A page that was not heard of for this long is away. Pages report every four seconds.
const ABSENCE: Duration = Duration::from_secs(12);
/// The longest name of a player, in letters.
const MAX_NAME: usize = 40;

/// What a page is to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its game: it plays the sides of the user.
    Host,
    /// It was invited, and plays the side that the host does not.
    Guest,
    Watcher,
}

/// A page that shows a game.
pub struct Member {
    pub page: u64,
    pub role: Role,
    pub events: Arc<Events>,
    /// When it was heard of last.
    seen: Instant,
    /// It was closed, or its connection was.
    has_left: bool,
}

impl Member {
    pub fn new(page: u64, role: Role, events: Arc<Events>) -> Member {
        Member { page, role, events, seen: Instant::now(), has_left: false }
    }

    pub fn came(&mut self) {
        (self.seen, self.has_left) = (Instant::now(), false);
    }

    pub fn left(&mut self) {
        self.has_left = true;
    }

    /// The host's stream ends with its page; a phone may be gone without a word.
    pub fn is_away(&self) -> bool {
        self.has_left || self.role != Role::Host && self.seen.elapsed() > ABSENCE
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, crate::TS)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    Draw,
    TakeBack,
}

/// What a player has asked the other one for.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// Its number among the offers of the game: an answer is one to the offer that its page shows.
    pub number: u64,
    pub kind: OfferKind,
    pub by: Color,
}

/// The conditions of such a game, as the page names them.
#[derive(Deserialize, Clone, Default, crate::TS)]
pub struct TwoOptions {
    pub red: String,
    pub black: String,
    /// The side of the device that is invited; none if both are at one board. It comes with the request for such a game.
    #[serde(skip)]
    pub remote: Option<Color>,
    /// Whether the board is turned after each move.
    pub turns: bool,
    /// Whether the clock stops while the player to move is away.
    pub stops: bool,
}

impl TwoOptions {
    /// The tags with the names of the players.
    pub fn tags(&self) -> Vec<(String, String)> {
        let name = |name: &str, usual: &str| {
            let name: String = visible_name(name).trim().chars().take(MAX_NAME).collect();
            if name.is_empty() { usual.to_string() } else { name }
        };
        let names =
            [("Red", name(&self.red, "Red")), ("Black", name(&self.black, "Black")), (MODE, OVER_THE_BOARD.into())];
        let remote = self.remote.map(|color| (REMOTE, color.to_string()));
        names.into_iter().chain(remote).map(|(tag, value)| (tag.to_string(), value)).collect()
    }
}

/// How a record says that two people have played: `OTB`, over the board.
const MODE: &str = "Mode";
const OVER_THE_BOARD: &str = "OTB";
/// The side of a device that was invited.
const REMOTE: &str = "Remote";

with_values! {
    /// The state of such a game.
    pub struct TwoPlayers {
        pub remote: Option<Color> = remote,
        pub turns: bool = options.turns,
        pub stops: bool = options.stops,
        pub offer: Option<Offer> = None,
        /// How many offers there were.
        offers: u64 = 0,
        /// The device that was invited has not come yet.
        pub is_waiting: bool = remote.is_some(),
        /// Since when the clock stands still.
        pub paused_at: Option<Instant> = None,
        /// After how many moves each side has offered a draw last.
        offered_at: [Option<usize>; 2] = [None; 2],
    }
    pub fn new(options: &TwoOptions) {
        let remote = options.remote;
    }
}

impl TwoPlayers {
    /// The same of a game of an earlier run, if it was one of two people. A device that was invited may be so again.
    pub fn of_tags(tags: &[(String, String)]) -> Option<TwoPlayers> {
        let tag = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.clone());
        let remote = tag(REMOTE).and_then(|side| Color::ALL.into_iter().find(|color| color.to_string() == side));
        let options = TwoOptions { red: String::new(), black: String::new(), remote, turns: false, stops: true };
        (tag(MODE).as_deref() == Some(OVER_THE_BOARD)).then(|| TwoPlayers::new(&options))
    }

    /// The same with both players at one board.
    pub fn at_one_board(self) -> TwoPlayers {
        TwoPlayers { remote: None, is_waiting: false, ..self }
    }

    /// Whether a page of this role plays this side.
    pub fn plays(&self, role: Role, color: Color) -> bool {
        match role {
            Role::Host => self.remote != Some(color),
            Role::Guest => self.remote == Some(color),
            Role::Watcher => false,
        }
    }

    /// The side for which a page of this role acts; at one board that of the player to move.
    pub fn side_of(&self, role: Role, to_move: Color) -> Result<Color, Message> {
        let own = Color::ALL.into_iter().filter(|&color| self.plays(role, color)).collect::<Vec<_>>();
        match own[..] {
            [] => Err(watches()),
            [color] => Ok(color),
            _ => Ok(to_move),
        }
    }

    /// A player asks for something, after so many moves.
    pub fn make_offer(&mut self, kind: OfferKind, by: Color, moves: usize) -> Result<(), Message> {
        if kind == OfferKind::Draw {
            let last = self.offered_at[by];
            if last.is_some_and(|last| moves < last + 2) {
                return Err(message!("A draw can be offered again after your next move."));
            }
            self.offered_at[by] = Some(moves);
        }
        self.offers += 1;
        self.offer = Some(Offer { number: self.offers, kind, by });
        Ok(())
    }

    /// The offer of this number, if a page of this role may answer it, which is over with that.
    pub fn take_offer(&mut self, role: Role, number: u64) -> Result<Offer, Message> {
        let offer = self.offer.ok_or_else(no_offer)?;
        if !self.plays(role, !offer.by) {
            return Err(message!("The other player answers this."));
        }
        if offer.number != number {
            return Err(message!("This offer is not there any more: another one has been made."));
        }
        self.offer = None;
        Ok(offer)
    }

    /// A move answers what the other side has asked for, and ends a wish to take one back.
    pub fn moved(&mut self, mover: Color) {
        self.offer = self.offer.filter(|offer| offer.by == mover && offer.kind == OfferKind::Draw);
    }

    /// Whether the page that plays this side is away.
    fn is_away(&self, members: &[Member], color: Color) -> bool {
        !members.iter().any(|member| self.plays(member.role, color) && !member.is_away())
    }

    /// The sides whose pages are away.
    pub fn away(&self, members: &[Member]) -> Vec<Color> {
        Color::ALL.into_iter().filter(|&color| self.is_away(members, color)).collect()
    }

    /// Stops the clock or lets it go on, as who is to move is there or not. Returns when the turn began, without the time
    /// that does not count.
    pub fn update_clock(&mut self, members: &[Member], to_move: Color, is_over: bool, began: Instant) -> Instant {
        if self.is_waiting && self.remote.is_some_and(|remote| !self.is_away(members, remote)) {
            self.is_waiting = false;
            self.paused_at = None;
            return Instant::now();
        }
        let stands = !is_over && (self.is_waiting || self.stops && self.is_away(members, to_move));
        match (stands, self.paused_at) {
            (true, None) => {
                // It has counted since it was heard of last.
                let seen = members.iter().filter(|member| self.plays(member.role, to_move)).map(|member| member.seen);
                self.paused_at = Some(seen.max().unwrap_or(began).max(began));
                began
            }
            (false, Some(since)) => {
                self.paused_at = None;
                began + since.elapsed()
            }
            _ => began,
        }
    }
}

/// What is told of an answer that was no; a player who has a name is called by it.
pub fn refusal(offer: Offer, tags: &[(String, String)]) -> Message {
    let tag = if offer.by == Color::Red { "Black" } else { "Red" };
    let name = tags.iter().rev().find(|(name, value)| name == tag && value != tag && !value.is_empty());
    let name = name.map(|(_, name)| name.clone());
    Message::of(move || {
        let side = name.clone().unwrap_or_else(|| (!offer.by).localized());
        match offer.kind {
            OfferKind::Draw => tr!("{side} declines the draw.", side),
            OfferKind::TakeBack => tr!("{side} does not agree to take the move back.", side),
        }
    })
}

pub fn no_offer() -> Message {
    message!("There is no offer any more.")
}

pub fn watches() -> Message {
    message!("You watch this game: only its players can do that.")
}

pub fn no_help() -> Message {
    message!("Two people are playing: there is no engine, no book and no analysis until their game is over.")
}

/// The game that invited devices see, if there is one.
#[derive(Default)]
pub struct SharedGame(Mutex<Option<Arc<GameSession>>>);

impl SharedGame {
    /// The game, as long as a device is invited to it.
    pub fn get(&self) -> Option<Arc<GameSession>> {
        let game = self.0.locked().clone();
        game.filter(|game| game.is_shared())
    }

    /// Begins the game of a page to which a device is invited: another page may not be in the middle of one.
    pub fn begin(
        &self,
        page: u64,
        game: &Arc<GameSession>,
        begin: impl FnOnce() -> Result<(), Message>,
    ) -> Result<(), Message> {
        // Two pages may ask at once.
        let mut shared = self.0.locked();
        if shared.as_ref().is_some_and(|game| game.is_shared() && game.forbids_help() && !game.is_of(page)) {
            return Err(message!("Another page is playing with an invited device: end that game first."));
        }
        begin()?;
        *shared = Some(Arc::clone(game));
        Ok(())
    }

    /// Whether such a game is in progress: no page of the program gives help then.
    pub fn forbids_help(&self) -> bool {
        self.get().is_some_and(|game| game.forbids_help())
    }
}

/// What a player shows the others when the game is over: a tree, and the moves to where he is in it.
#[derive(Serialize, crate::TS)]
pub struct SharedAnalysis {
    tree: GameTree,
    line: Vec<String>,
}

impl GameSession {
    /// Whether two people play.
    pub fn is_of_two(&self) -> bool {
        self.state.locked().two.is_some()
    }

    /// Whether two people play and their game is not over: there is no help then.
    pub fn forbids_help(&self) -> bool {
        let state = self.state.locked();
        state.two.is_some() && state.game.end().is_none()
    }

    /// Whether another device plays or has played a side of this game.
    pub fn is_shared(&self) -> bool {
        self.state.locked().two.as_ref().is_some_and(|two| two.remote.is_some())
    }

    /// A page that shows the game from now on.
    pub fn join(self: &Arc<GameSession>, page: u64, role: Role, events: Arc<Events>) {
        let mut state = self.state.locked();
        state.members.retain(|member| member.page != page && (role != Role::Host || member.role != Role::Host));
        state.members.push(Member::new(page, role, events));
        if role == Role::Host {
            self.host.store(page, Ordering::Relaxed);
        }
        state.update_clock();
        self.publish(&state);
    }

    /// A page that shows it no longer.
    pub fn part(&self, page: u64) {
        let mut state = self.state.locked();
        state.members.retain(|member| member.page != page || member.role == Role::Host);
        state.update_clock();
        self.publish(&state);
    }

    /// A page was heard of, or its connection has ended. The others learn what that changes.
    pub fn see(self: &Arc<GameSession>, page: u64, is_there: bool) {
        let mut state = self.state.locked();
        let standing = |state: &GameState| {
            let two = state.two.as_ref()?;
            Some((two.away(&state.members), two.paused_at.is_some(), two.is_waiting))
        };
        let before = standing(&state);
        if let Some(member) = state.members.iter_mut().find(|member| member.page == page) {
            if is_there { member.came() } else { member.left() }
        }
        state.update_clock();
        // One may also have been silent for too long.
        if standing(&state) != before {
            self.publish(&state);
        }
    }

    /// A player shows the other pages his analysis of the game, which is over.
    pub fn share_analysis(&self, page: u64, tree: &GameTree, line: Vec<String>) -> Result<(), Message> {
        let tree = GameTree::of(&tree.game()?)?;
        let state = self.state.locked();
        if state.role_of(page) == Role::Watcher {
            return Err(watches());
        }
        if state.game.end().is_none() {
            return Err(no_help());
        }
        let shared = SharedAnalysis { tree, line };
        let others = state.members.iter().filter(|member| member.page != page);
        others.for_each(|member| member.events.publish("shared", || &shared));
        Ok(())
    }

    /// A player asks the other one for a draw or for a move back; who asks for the draw that was offered accepts it.
    pub(super) fn ask(self: &Arc<GameSession>, page: u64, kind: OfferKind) -> Result<(), Message> {
        let mut state = self.state.locked();
        state.check_running()?;
        if state.game.moves().is_empty() {
            return Err(message!("No move has been made yet."));
        }
        let (role, side, moves) = (state.role_of(page), state.game.side(), state.game.moves().len());
        let Some(two) = &mut state.two else { return Ok(()) };
        let mut by = two.side_of(role, side)?;
        if two.remote.is_none() && kind == OfferKind::TakeBack {
            // At one board: the one who has just moved.
            by = !side;
        }
        let offered = two.offer.filter(|offer| kind == OfferKind::Draw && offer.kind == kind && offer.by != by);
        if let Some(offer) = offered.filter(|_| two.remote.is_some()) {
            drop(state);
            return self.answer_offer(page, offer.number, true);
        }
        two.make_offer(kind, by, moves)?;
        self.after_change(state);
        Ok(())
    }

    /// Answers what the other player has asked for with the offer of this number.
    pub fn answer_offer(self: &Arc<GameSession>, page: u64, number: u64, is_accepted: bool) -> Result<(), Message> {
        let mut state = self.state.locked();
        let role = state.role_of(page);
        let offer = state.two.as_mut().ok_or_else(no_offer)?.take_offer(role, number)?;
        match offer.kind {
            _ if !is_accepted => state.message = Some(refusal(offer, &state.game.tags)),
            OfferKind::Draw => state.game.finish(GameEnd::Agreed),
            OfferKind::TakeBack => {
                // So many that the one who has asked moves.
                let count = if state.game.side() == offer.by { 2 } else { 1 };
                for _ in 0..count {
                    state.game.undo();
                }
                (state.turn_began, state.message) = (Instant::now(), None);
            }
        }
        self.after_change(state);
        Ok(())
    }
}
