//! A game of two people as their pages share it: who joins it and is there, what one asks the other for, and the one game
//! of the program that is open to invited devices.

use super::events::Events;
use super::game_session::GameSession;
use super::game_state::GameState;
use super::game_tree::GameTree;
use super::two_players::{self, Member, OfferKind, Role};
use chuhe_engine::instant::Instant;
use chuhe_study::game::GameEnd;
use chuhe_support::language::{Message, tr};
use serde::Serialize;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// The game that invited devices see, if there is one.
#[derive(Default)]
pub struct SharedGame(Mutex<Option<Arc<GameSession>>>);

impl SharedGame {
    /// The game, as long as a device is invited to it.
    pub fn get(&self) -> Option<Arc<GameSession>> {
        let game = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.as_ref().is_some_and(|game| game.is_shared() && game.forbids_help() && !game.is_of(page)) {
            return Err(Message::of(move || {
                tr!("Another page is playing with an invited device: end that game first.")
            }));
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
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SharedAnalysis {
    tree: GameTree,
    line: Vec<String>,
}

impl GameSession {
    /// Whether two people play.
    pub fn is_of_two(&self) -> bool {
        self.state().two.is_some()
    }

    /// Whether two people play and their game is not over: there is no help then.
    pub fn forbids_help(&self) -> bool {
        let state = self.state();
        state.two.is_some() && state.game.end().is_none()
    }

    /// Whether another device plays or has played a side of this game.
    pub fn is_shared(&self) -> bool {
        self.state().two.as_ref().is_some_and(|two| two.remote.is_some())
    }

    /// A page that shows the game from now on.
    pub fn join(self: &Arc<GameSession>, page: u64, role: Role, events: Arc<Events>) {
        let mut state = self.state();
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
        let mut state = self.state();
        state.members.retain(|member| member.page != page || member.role == Role::Host);
        state.update_clock();
        self.publish(&state);
    }

    /// A page was heard of, or its connection has ended. The others learn what that changes.
    pub fn see(self: &Arc<GameSession>, page: u64, is_there: bool) {
        let mut state = self.state();
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
        let state = self.state();
        if state.role_of(page) == Role::Watcher {
            return Err(two_players::watches());
        }
        if state.game.end().is_none() {
            return Err(two_players::no_help());
        }
        let shared = SharedAnalysis { tree, line };
        let others = state.members.iter().filter(|member| member.page != page);
        others.for_each(|member| member.events.publish("shared", || &shared));
        Ok(())
    }

    /// A player asks the other one for a draw or for a move back; who asks for the draw that was offered accepts it.
    pub(super) fn ask(self: &Arc<GameSession>, page: u64, kind: OfferKind) -> Result<(), Message> {
        let mut state = self.state();
        state.check_running()?;
        if state.game.moves().is_empty() {
            return Err(Message::of(|| tr!("No move has been made yet.")));
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
        let mut state = self.state();
        let role = state.role_of(page);
        let offer = state.two.as_mut().ok_or_else(two_players::no_offer)?.take_offer(role, number)?;
        match offer.kind {
            _ if !is_accepted => state.message = Some(two_players::refusal(offer, &state.game.tags)),
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
