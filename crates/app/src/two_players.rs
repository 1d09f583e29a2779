//! A game of two people: who plays which side, offers and their answers, and the clock while a player is away. The engine
//! only judges it.

use super::events::Events;
use chuhe_engine::instant::Instant;
use chuhe_support::files::visible_name;
use chuhe_support::language::{Message, tr};
use chuhe_support::messages::Localize;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
#[derive(Deserialize, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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

/// The state of such a game.
pub struct TwoPlayers {
    pub remote: Option<Color>,
    pub turns: bool,
    pub stops: bool,
    pub offer: Option<Offer>,
    /// How many offers there were.
    offers: u64,
    /// The device that was invited has not come yet.
    pub is_waiting: bool,
    /// Since when the clock stands still.
    pub paused_at: Option<Instant>,
    /// After how many moves each side has offered a draw last.
    offered_at: [Option<usize>; 2],
}

impl TwoPlayers {
    pub fn new(options: &TwoOptions) -> TwoPlayers {
        let remote = options.remote;
        TwoPlayers {
            remote,
            turns: options.turns,
            stops: options.stops,
            offer: None,
            offers: 0,
            is_waiting: remote.is_some(),
            paused_at: None,
            offered_at: [None; 2],
        }
    }

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
                return Err(Message::of(|| tr!("A draw can be offered again after your next move.")));
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
            return Err(Message::of(|| tr!("The other player answers this.")));
        }
        if offer.number != number {
            return Err(Message::of(|| tr!("This offer is not there any more: another one has been made.")));
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
    Message::of(|| tr!("There is no offer any more."))
}

pub fn watches() -> Message {
    Message::of(|| tr!("You watch this game: only its players can do that."))
}

pub fn no_help() -> Message {
    Message::of(move || {
        tr!("Two people are playing: there is no engine, no book and no analysis until their game is over.")
    })
}
