//! The game of a page: its state with its clock, what its users do, and its form for the pages after every change. Pages of invited
//! devices show the same game.

use super::context::{AppContext, Events};
use super::game_engine::OpponentWorker;
use super::save_store::{SaveStore, is_reviewed};
use super::searches::JobOutcome;
use super::two_players::{self, Member, OfferKind, Role, TwoOptions, TwoPlayers};
use chuhe_engine::instant::Instant;
use chuhe_engine::score;
use chuhe_engine::search::SearchResult;
use chuhe_study::game::game_record::HELPED;
use chuhe_study::game::opponent::EngineOpponent;
use chuhe_study::game::{GameEnd, LiveGame, Seat, end_reason_name, end_reasons};
use chuhe_study::reader::{chosen_notation, line_names};
use chuhe_study::review::score_text;
use chuhe_support::language::{Message, NoThread, message};
use chuhe_support::lock::Lock;
use chuhe_support::{date, with_values};
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::intended_move;

pub struct GameSession {
    /// The page whose game it is.
    pub(super) host: AtomicU64,
    pub(super) state: Mutex<GameState>,
    pub(super) opponent: OpponentWorker,
    store: Arc<SaveStore>,
}

impl GameSession {
    pub fn new(
        page: u64,
        game: LiveGame,
        two: Option<TwoPlayers>,
        events: Arc<Events>,
        context: &AppContext,
    ) -> Result<GameSession, NoThread> {
        let mut state = GameState::of(game, two);
        state.members.push(Member::new(page, Role::Host, events));
        let (host, state) = (AtomicU64::new(page), Mutex::new(state));
        Ok(GameSession {
            host,
            state,
            opponent: OpponentWorker::start(&context.runner)?,
            store: Arc::clone(&context.store),
        })
    }

    /// A copy of the game.
    pub fn game(&self) -> LiveGame {
        self.state.locked().game.clone()
    }

    /// The page whose game it is.
    pub fn host(&self) -> u64 {
        self.host.load(Ordering::Relaxed)
    }

    /// The number of the page whose game it is.
    pub fn is_of(&self, page: u64) -> bool {
        self.host() == page
    }

    /// Sends the state of the game to its pages.
    pub(super) fn publish(&self, state: &GameState) {
        let is_kept = self.store.is_kept(self.host());
        // Guests see a game of two, and nothing that the host does besides.
        let is_shared = state.two.as_ref().is_some_and(|two| two.remote.is_some());
        for member in state.members.iter().filter(|member| is_shared || member.role == Role::Host) {
            member.events.publish("game", || GameView::of(state, is_kept, member.role));
        }
    }

    /// Called after every change: saves and publishes the game, and starts the engine's move if it is its turn. What the
    /// engine was doing is not wanted any more.
    pub(super) fn after_change(self: &Arc<GameSession>, mut state: MutexGuard<'_, GameState>) {
        self.drop_task(&mut state);
        state.update_clock();
        self.save(&mut state);
        self.go_on(&mut state);
    }

    pub(super) fn save(&self, state: &mut GameState) {
        if let Err(error) = self.store.save(self.host(), &state.game) {
            state.message = Some(error);
        }
    }

    /// The next step after every change of the game and every task of the engine: it begins to think if it is its turn. The
    /// pages are told.
    pub(super) fn go_on(self: &Arc<GameSession>, state: &mut GameState) {
        if state.awaits_engine() {
            self.start_task(state, EngineTask::Move);
        }
        self.publish(state);
    }

    /// The same if the engine was paused.
    pub fn wake(self: &Arc<GameSession>) {
        let mut state = self.state.locked();
        if state.awaits_engine() {
            self.go_on(&mut state);
        }
    }

    /// What the engine does is not wanted any more.
    pub(super) fn drop_task(&self, state: &mut GameState) {
        if matches!(state.engine, EngineState::Busy(_)) {
            self.opponent.move_now();
        }
        state.engine = EngineState::Idle;
        state.turn += 1;
    }

    /// Continues after a reload.
    pub fn resume(self: &Arc<GameSession>) {
        self.go_on(&mut self.state.locked());
    }

    /// Tells its pages how it stands.
    pub fn publish_again(&self) {
        self.publish(&self.state.locked());
    }

    /// The page is closed, unless it is open again: what the engine does is discarded; its move begins anew on
    /// [`GameSession::wake`].
    pub fn pause(&self, is_open: impl Fn() -> bool) {
        let mut state = self.state.locked();
        if !is_open() {
            self.drop_task(&mut state);
        }
    }

    /// Whether the engine is searching.
    pub fn is_searching(&self) -> bool {
        self.opponent.is_busy()
    }

    /// Whether the user plays against the engine.
    pub fn is_played(&self) -> bool {
        let state = self.state.locked();
        state.game.end().is_none() && state.two.is_none() && state.game.seat != Seat::Both
    }

    // ---- user actions ----

    /// Begins a new game; two people play under these conditions.
    pub fn begin(self: &Arc<GameSession>, mut game: LiveGame, two: Option<&TwoOptions>) {
        let message = self.store.archive(self.host(), &self.game()).err();
        // The day on which it began.
        game.tags.push(("Date".to_string(), date::today()));
        game.tags.extend(two.iter().flat_map(|two| two.tags()));
        game.apply_rules();
        self.opponent.move_now();
        self.opponent.submit(|opponent| {
            let _ = opponent.map(EngineOpponent::new_game);
            JobOutcome::Done
        });
        self.replace_with(game, two.map(TwoPlayers::new), message);
    }

    /// Replaces the game by one that was played here before.
    pub fn replace(self: &Arc<GameSession>, game: LiveGame) {
        let two = TwoPlayers::of_tags(&game.tags);
        self.replace_with(game, two, None);
    }

    fn replace_with(self: &Arc<GameSession>, game: LiveGame, two: Option<TwoPlayers>, message: Option<Message>) {
        let mut state = self.state.locked();
        state.two = two;
        (state.game, state.draw_offered, state.message) = (game, false, message);
        state.turn_began = Instant::now();
        self.after_change(state);
    }

    /// Plays a move in any notation.
    pub fn play(self: &Arc<GameSession>, page: u64, text: &str) -> Result<(), Message> {
        let mut state = self.state.locked();
        let role = state.role_of(page);
        state.check_running()?;
        if role == Role::Watcher {
            return Err(two_players::watches());
        }
        if !state.may_move(role) {
            return Err(message!("It is not your turn."));
        }
        let position = state.game.position();
        let mv = intended_move::parse_with(position, text, chosen_notation()).map_err(Message::from_value)?;
        state.play(mv);
        self.after_change(state);
        Ok(())
    }

    pub fn undo(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::TakeBack);
        }
        let mut state = self.state.locked();
        state.game.undo().ok_or_else(|| message!("No move has been made yet."))?;
        note_help(&mut state.game);
        (state.draw_offered, state.message) = (false, None);
        state.turn_began = Instant::now();
        self.after_change(state);
        Ok(())
    }

    pub fn resign(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        let mut state = self.state.locked();
        state.check_running()?;
        let side = state.game.side();
        let loser = match &state.two {
            Some(two) => two.side_of(state.role_of(page), side)?,
            None if state.game.seat.includes(side) => side,
            None => !side,
        };
        state.game.finish(GameEnd::Resigned(loser));
        self.after_change(state);
        Ok(())
    }

    /// Ends the game if the time of the side to move has run out; otherwise the page learns how much there is.
    pub fn check_clock(self: &Arc<GameSession>) {
        let mut state = self.state.locked();
        state.update_clock();
        let (side, spent) = (state.game.side(), state.spent());
        if state.game.end().is_none() && state.game.has_lost_on_time(spent) {
            state.game.finish(GameEnd::OutOfTime(side));
            self.after_change(state);
        } else {
            self.publish(&state);
        }
    }

    pub fn hint(self: &Arc<GameSession>) -> Result<(), Message> {
        self.ask_engine(EngineTask::Hint)
    }

    pub fn offer_draw(self: &Arc<GameSession>, page: u64) -> Result<(), Message> {
        if self.is_of_two() {
            return self.ask(page, OfferKind::Draw);
        }
        let mut state = self.state.locked();
        state.check_running()?;
        if state.draw_offered || state.game.seat == Seat::Both {
            state.game.finish(GameEnd::Agreed);
            self.after_change(state);
            return Ok(());
        }
        drop(state);
        self.ask_engine(EngineTask::DrawOffer)
    }
}

/// The game says from here on that the user was helped.
pub(super) fn note_help(game: &mut LiveGame) {
    if !game.tags.iter().any(|(name, _)| name == HELPED) {
        game.tags.push((HELPED.to_string(), "yes".to_string()));
    }
}

/// What the engine is asked about the game as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineTask {
    Move,
    Hint,
    DrawOffer,
}

/// What the engine does for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineState {
    #[default]
    Idle,
    /// It works on this, for the current turn.
    Busy(EngineTask),
    /// It could not move: it tries again when it is asked to.
    Failed,
}

with_values! {
    /// The state of a session.
    pub struct GameState {
        pub game: LiveGame = game,
        /// Increases with every change; engine replies to an older turn are discarded.
        pub turn: u64 = 0,
        /// What the engine does, for this turn.
        pub engine: EngineState = EngineState::Idle,
        /// The engine offered a draw with its last move.
        pub draw_offered: bool = false,
        /// When the turn of the side to move began.
        pub turn_began: Instant = Instant::now(),
        /// The last message.
        pub message: Option<Message> = None,
        /// The pages that show the game.
        pub members: Vec<Member> = Vec::new(),
        /// Set if two people play.
        pub two: Option<TwoPlayers> = two,
    }
    pub fn of(game: LiveGame, two: Option<TwoPlayers>);
}

impl GameState {
    /// How long the side to move has thought.
    pub fn spent(&self) -> Duration {
        let stands_since = self.two.as_ref().and_then(|two| two.paused_at);
        let uncounted = stands_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.turn_began.elapsed().saturating_sub(uncounted)
    }

    /// What a page is to the game.
    pub fn role_of(&self, page: u64) -> Role {
        self.members.iter().find(|member| member.page == page).map_or(Role::Watcher, |member| member.role)
    }

    /// Whether a page of this role may move now.
    pub fn may_move(&self, role: Role) -> bool {
        match &self.two {
            _ if self.game.end().is_some() => false,
            Some(two) => !two.is_waiting && two.plays(role, self.game.side()),
            None => role == Role::Host && self.game.is_users_turn(),
        }
    }

    /// Refuses what needs a game that goes on.
    pub fn check_running(&self) -> Result<(), Message> {
        if self.game.end().is_some() { Err(message!("The game is over.")) } else { Ok(()) }
    }

    /// Whether the engine is to move, and does nothing.
    pub fn awaits_engine(&self) -> bool {
        let is_its_turn = self.two.is_none() && self.game.end().is_none() && !self.game.is_users_turn();
        is_its_turn && self.engine == EngineState::Idle
    }

    /// Stops the clock or lets it go on, as the player to move is there or not.
    pub(super) fn update_clock(&mut self) {
        let (side, is_over) = (self.game.side(), self.game.end().is_some());
        if let Some(two) = &mut self.two {
            self.turn_began = two.update_clock(&self.members, side, is_over, self.turn_began);
        }
    }

    /// Plays a legal move of the side to move, if its time has not run out.
    pub fn play(&mut self, mv: Move) {
        let (side, spent) = (self.game.side(), self.spent());
        if self.game.has_lost_on_time(spent) {
            self.game.finish(GameEnd::OutOfTime(side));
            return;
        }
        self.game.play(mv, spent);
        (self.draw_offered, self.message) = (false, None);
        self.turn_began = Instant::now();
        if let Some(two) = &mut self.two {
            two.paused_at = None;
            two.moved(side);
        }
    }
}

with_values! {
    /// What the side to move can do.
    #[derive(Serialize, Default, crate::TS)]
    pub struct Choices {
        pub legal: Vec<String> = texts(&position.legal_moves()),
        /// The legal moves that lose at once by the repetition rules.
        pub forbidden: Vec<String> = texts(&rules.losing_moves(position)),
        /// The square of the king in check.
        pub check: Option<String> = position.in_check().then(|| position.king(position.side()).to_string()),
    }
    pub fn of(position: &Position, rules: &Rules);
}

/// Moves as pages are sent them.
pub fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

with_values! {
    /// The state of a game.
    #[derive(Serialize, crate::TS)]
    #[ts(rename = "GameState")]
    pub struct GameView {
        turn: u64 = state.turn,
        start: String = game.start().fen(),
        moves: Vec<String> = texts(&moves),
        names: Vec<String> = line_names(game.start(), &moves),
        /// The seconds of each move, where they are known.
        times: Vec<Option<u64>> = game.times().map(|time| time.map(|time| time.as_secs())).collect(),
        /// The legal moves are those of the user.
        #[serde(flatten)]
        choices: Choices = choices,
        #[ts(type = "Side")]
        side: Color = game.side(),
        #[ts(type = "Seat")]
        seat: &'static str = game.seat.name(),
        strength: String = game.strength.to_string(),
        /// The strength in words.
        strength_name: String = game.strength.in_words(),
        rules: &'static str = game.rules.set.name(),
        clocks: Option<ClocksDto> = clocks(state),
        thinking: bool = matches!(state.engine, EngineState::Busy(_)),
        draw_offered: bool = state.draw_offered,
        end: Option<GameEndDto> = game.end().map(|end| GameEndDto::of(game, end)),
        /// Whether a move can be taken back.
        can_undo: bool = may_ask
            && (moves.len() > 1 || game.end().is_some() || moves.len() == 1 && game.seat.includes(!game.side())),
        /// Whether the game is saved after every move.
        saved: bool = saved,
        #[ts(type = "string | null")]
        message: Option<Message> = state.message.clone(),
        /// Set if two people play.
        two: Option<TwoView> = two.map(|two| TwoView::of(state, two, role)),
    }
    pub fn of(state: &GameState, saved: bool, role: Role) {
        let game = &state.game;
        let (position, moves) = (game.position(), moves(game));
        let mut choices = Choices::of(position, &game.rules);
        if !state.may_move(role) {
            choices.legal.clear();
        }
        let two = state.two.as_ref();
        let may_ask = two.is_none_or(|two| game.end().is_none() && two.side_of(role, game.side()).is_ok());
    }

    /// A game of two people, as a page of one of them sees it.
    #[derive(Serialize, crate::TS)]
    #[ts(rename = "TwoPlayers")]
    struct TwoView {
        /// `both` at one board, otherwise the side of the page, or `watcher`.
        #[ts(type = "Seat | \"watcher\"")]
        role: String = match own[..] {
            [] => "watcher".to_string(),
            [color] => color.to_string(),
            _ => "both".to_string(),
        },
        red: String = name("Red"),
        black: String = name("Black"),
        /// Whether the board is turned after each move.
        turns: bool = two.turns,
        /// Whether the clock stops while the player to move is away, and whether it stands still now.
        stops: bool = two.stops,
        stands: bool = two.paused_at.is_some(),
        /// The invited device has not come yet.
        waiting: bool = two.is_waiting,
        /// The sides whose pages are away.
        #[ts(type = "Side[]")]
        away: Vec<Color> = two.away(&state.members),
        watchers: usize =
            state.members.iter().filter(|member| member.role == Role::Watcher && !member.is_away()).count(),
        offer: Option<OfferView> = two.offer.map(|offer| OfferView {
            number: offer.number,
            kind: offer.kind,
            by: offer.by,
            asked: two.plays(role, !offer.by),
        }),
    }
    fn of(state: &GameState, two: &TwoPlayers, role: Role) {
        let name = |name: &str| {
            let tag = state.game.tags.iter().rev().find(|(tag, _)| tag == name);
            tag.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let own: Vec<Color> = Color::ALL.into_iter().filter(|&color| two.plays(role, color)).collect();
    }
}

#[derive(Serialize, crate::TS)]
#[ts(rename = "Offer")]
struct OfferView {
    number: u64,
    kind: OfferKind,
    #[ts(type = "Side")]
    by: Color,
    /// Whether this page may answer it.
    asked: bool,
}

/// The clocks in milliseconds.
#[derive(Serialize, crate::TS)]
#[ts(rename = "Clocks")]
struct ClocksDto {
    control: String,
    red: u64,
    black: u64,
}

/// The result of a game and its reasons.
#[derive(Serialize, crate::TS)]
#[ts(rename = "GameEnd")]
struct GameEndDto {
    result: &'static str,
    /// The reason in a word or two.
    reason: String,
    text: String,
    /// Whether the game is reviewed without being asked.
    reviewed: bool,
}

fn moves(game: &LiveGame) -> Vec<Move> {
    game.moves().iter().map(|ply| ply.mv).collect()
}

fn clocks(state: &GameState) -> Option<ClocksDto> {
    let clocks = state.game.clocks.as_ref()?;
    let left = |color: Color| {
        let runs = color == state.game.side() && state.game.end().is_none();
        let spent = if runs { state.spent() } else { Duration::ZERO };
        u64::try_from(clocks.of(color).left().saturating_sub(spent).as_millis()).unwrap_or(u64::MAX)
    };
    Some(ClocksDto { control: clocks.control.to_string(), red: left(Color::Red), black: left(Color::Black) })
}

impl GameEndDto {
    fn of(game: &LiveGame, end: &GameEnd) -> GameEndDto {
        let reason = end_reason_name(end).to_string();
        let text = end_reasons(game, end).join("\n");
        GameEndDto { result: game.result().token(), reason, text, reviewed: is_reviewed(game) }
    }
}

/// A hint: the engine's best line.
#[derive(Serialize, crate::TS)]
pub struct Hint {
    turn: u64,
    r#move: String,
    line: String,
    /// From red's side; the page writes it as it writes all scores.
    score: String,
}

impl Hint {
    pub fn of(turn: u64, position: &Position, outcome: &SearchResult, most: usize) -> Option<Hint> {
        let best = outcome.best_move?;
        let line = outcome.pv.get(..most).unwrap_or(&outcome.pv);
        let line = line_names(position, line).join(" ");
        let score = score_text(score::from_red(outcome.score, position.side()));
        Some(Hint { turn, r#move: best.to_string(), line, score })
    }
}
