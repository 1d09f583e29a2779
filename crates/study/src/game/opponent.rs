//! The engine as opponent: its moves, hints and replies to draw offers.

use super::{Clocks, LiveGame};
use crate::book::Variety;
use crate::player::{BookOptions, DrawOrResign, HASH_MB, Player, SearchSummary};
use chuhe_engine::instant::Instant;
use chuhe_engine::nnue::{Explanation, explain};
use chuhe_engine::score::Score;
use chuhe_engine::search::{Control, HashSizeError, Limits, NoReporter, Options, Poll, SearchResult, Searcher};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::language::tr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread};
use xiangqi::{Move, Position};

/// The time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// The book is probed up to this ply, as under the protocols.
const MAX_BOOK_PLIES: u32 = 100;
/// Nodes searched to decide on a draw offer; a fixed number gives the same answer on every machine.
const DRAW_DECISION_NODES: u64 = 50_000;
/// The skill of full strength.
const MAX_SKILL: f32 = 20.0;

/// The engine's reply.
pub struct EngineReply {
    /// The move, if there is one.
    pub best: Option<Move>,
    /// Draw offer or resignation along with the move.
    pub draw_or_resign: DrawOrResign,
    /// The search was ended early by Ctrl-C.
    pub interrupted: bool,
}

pub struct EngineOpponent {
    player: Player,
    /// Set by Ctrl-C, reset when handled.
    interrupt_flag: Arc<AtomicBool>,
    /// Searches run on the caller's thread.
    inline: Option<InlineSearch>,
}

/// A search on the caller's thread. After an interruption the caller repeats its request, and the search resumes.
struct InlineSearch {
    /// Interrupts a search.
    poll: Arc<dyn Poll>,
    /// When the interrupted search began, and what it has found.
    begun: Option<Instant>,
    found: Option<SearchResult>,
}

impl EngineOpponent {
    pub fn new(pressed: Arc<AtomicBool>) -> Result<EngineOpponent, HashSizeError> {
        let mut player = Player::new(Options::default(), HASH_MB)?;
        player.books.configure(Path::new(""));
        Ok(EngineOpponent { player, interrupt_flag: pressed, inline: None })
    }

    /// The same without threads. A search that `poll` stops ends with the error `Interrupted`; repeating the request
    /// resumes it.
    pub fn searching_inline(self, poll: Arc<dyn Poll>) -> EngineOpponent {
        EngineOpponent { inline: Some(InlineSearch { poll, begun: None, found: None }), ..self }
    }

    /// From now on this flag ends a search.
    pub fn set_interrupt_flag(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt_flag = flag;
    }

    /// The next search resumes none.
    pub fn forget_interrupted(&mut self) {
        if let Some(inline) = &mut self.inline {
            (inline.begun, inline.found) = (None, None);
        }
    }

    /// Resets the state of the last game.
    pub fn new_game(&mut self) {
        self.player.new_game();
    }

    pub fn play(&mut self, game: &LiveGame) -> io::Result<EngineReply> {
        if let Some(best) = self.book_move(game) {
            return Ok(EngineReply { best: Some(best), draw_or_resign: DrawOrResign::None, interrupted: false });
        }
        let (side, time) = (game.side(), game.strength.move_time());
        let reading = |clocks: &Clocks, side| clocks.of(side).state();
        let clock = game.clocks.as_ref();
        let clock = clock.map(|clocks| reading(clocks, side).to_search_clock(Some(reading(clocks, !side))));
        let move_time = if clock.is_some() { None } else { time };
        let limits = Limits { clock, move_time, ..Limits::default() };
        let (outcome, interrupted) = self.search(game, limits, game.strength.skill())?;
        let gesture = self.player.decide_draw_or_resign(&SearchSummary {
            position: game.position(),
            score: outcome.score,
            depth: outcome.depth,
            draw_offered: false,
            // As under the protocols: without a clock the engine neither resigns nor offers draws.
            in_game: game.clocks.is_some(),
        });
        Ok(EngineReply { best: outcome.best_move, draw_or_resign: gesture, interrupted })
    }

    /// The book move of the position, if any.
    fn book_move(&mut self, game: &LiveGame) -> Option<Move> {
        let searcher = self.player.searcher()?;
        searcher.options.rules = game.rules;
        let allowed = searcher.root_moves(game.position(), &Limits::default());
        let options = BookOptions { allowed: &allowed, depth: MAX_BOOK_PLIES, variety: Variety::Medium };
        self.player.books.choose_move(game.position(), &options).map(|answer| answer.chosen.mv)
    }

    /// The best line at full strength.
    pub fn hint(&mut self, game: &LiveGame) -> io::Result<SearchResult> {
        Ok(self.search(game, Limits::move_time(HINT_TIME), MAX_SKILL)?.0)
    }

    /// Whether the engine accepts a draw offered by the user.
    pub fn accepts_draw(&mut self, game: &LiveGame) -> io::Result<bool> {
        let (outcome, _) = self.search(game, Limits::nodes(DRAW_DECISION_NODES), MAX_SKILL)?;
        let score: Score = if game.is_users_turn() { -outcome.score } else { outcome.score };
        let circumstances = SearchSummary {
            position: game.position(),
            score,
            depth: outcome.depth,
            draw_offered: true,
            in_game: false,
        };
        Ok(self.player.decide_draw_or_resign(&circumstances) == DrawOrResign::Draw)
    }

    /// The static evaluation, explained.
    pub fn explain(&mut self, position: &Position) -> Option<Explanation> {
        self.player.searcher().map(|searcher| explain(&searcher.options.network, position))
    }

    /// Searches on a thread of its own, if there are threads, and meanwhile watches for Ctrl-C, which ends the search with
    /// the best move so far.
    fn search(&mut self, game: &LiveGame, limits: Limits, skill: f32) -> io::Result<(SearchResult, bool)> {
        let away = || io::Error::other("the searcher is away");
        let searcher = self.player.searcher().ok_or_else(away)?;
        searcher.options.rules = game.rules;
        searcher.options.skill = skill;
        if let Some(inline) = &mut self.inline {
            return inline.search(searcher, game, limits, &self.interrupt_flag);
        }
        let (control, pressed) = (Control::new(false), &self.interrupt_flag);
        let (sender, inbox) = mpsc::channel();
        let mut interrupted = false;
        let outcome = thread::scope(|scope| {
            let work = || {
                let _ = sender.send(searcher.search(game.position(), &limits, &control, &mut NoReporter));
                drop(sender);
            };
            thread::Builder::new().name("thinking".to_string()).spawn_scoped(scope, work)?;
            loop {
                match inbox.recv_timeout(POLL_INTERVAL) {
                    Ok(outcome) => return Ok(outcome),
                    Err(RecvTimeoutError::Timeout) => {
                        if pressed.swap(false, Ordering::Relaxed) {
                            interrupted = true;
                            control.stop();
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(io::Error::other(tr!("the search has failed")));
                    }
                }
            }
        })?;
        Ok((outcome, interrupted))
    }
}

impl InlineSearch {
    fn search(
        &mut self,
        searcher: &mut Searcher,
        game: &LiveGame,
        limits: Limits,
        move_now: &AtomicBool,
    ) -> io::Result<(SearchResult, bool)> {
        let hurries = move_now.load(Ordering::Relaxed);
        if let Some(found) = self.found.take_if(|_| hurries) {
            return Ok((found, true));
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let control = Control::with_poll(false, Arc::clone(&self.poll));
        // Nothing has been found yet: the least that gives a move.
        let limits = if hurries { Limits::depth(1) } else { Limits { started_at: Some(begun), ..limits } };
        let outcome = searcher.search(game.position(), &limits, &control, &mut NoReporter);
        // The time may have run out before the search was as deep as at first.
        let found = self.found.take().filter(|found| found.depth > outcome.depth).unwrap_or(outcome);
        if control.stopped() {
            self.found = Some(found);
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.begun = None;
        Ok((found, false))
    }
}
