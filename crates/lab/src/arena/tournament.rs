//! Plays the schedule of a tournament: several games at a time on worker threads, whose results the calling thread
//! collects.

use super::engine::{Engine, EngineFault, EngineInfo, EngineStartError, ProcessRegistry};
use super::game::{self, GameOutcome};
use super::openings::{Opening, RandomOpeningGenerator, RandomOpeningSettings};
use super::spec::{Budget, EngineSpec, RefereeSpec, Shard, TournamentFormat};
use super::standings::{FinishedGame, Schedule, ScheduledGame, Standings, TournamentInfo};
use super::stats::{Sprt, SprtVerdict};
use chuhe_engine::search::HashSizeError;
use chuhe_study::batch::start_workers;
use chuhe_support::POLL_INTERVAL;
use chuhe_support::interrupts::{InterruptHandler, StopRequest};
use chuhe_support::language::{NoThread, Phrase, phrase, print_error, reason, tr};
use chuhe_support::messages::Localize;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// The openings of a tournament.
#[derive(Clone)]
pub enum Openings {
    Random(RandomOpeningSettings),
    /// Used in turn; not empty.
    Listed(Vec<Opening>),
}

/// Returns openings by number.
pub enum OpeningSource<'a> {
    /// Generated on demand.
    Random(Box<RandomOpeningGenerator>),
    Listed(&'a [Opening]),
}

impl OpeningSource<'_> {
    pub fn opening(&mut self, number: usize) -> Opening {
        match self {
            OpeningSource::Random(generator) => generator.opening(number),
            OpeningSource::Listed(list) => list[number % list.len()].clone(),
        }
    }
}

/// The specification of a tournament.
pub struct Tournament {
    /// The `Event` tag of its records.
    pub event: String,
    /// The name and version of this program, for its own engine.
    pub own_id: String,
    pub engines: Vec<EngineSpec>,
    pub format: TournamentFormat,
    /// Games per pairing.
    pub games: usize,
    /// The budget of engines without their own.
    pub budget: Budget,
    pub openings: Openings,
    pub referee: RefereeSpec,
    /// Number of games played at the same time.
    pub concurrency: usize,
    /// Stops the match early; for two engines only.
    pub sprt: Option<Sprt>,
    /// The part of the tournament to play.
    pub shard: Shard,
    /// Colours are swapped in the second game of a pair.
    pub swap_colours: bool,
    /// Continue however often an engine fails.
    pub tolerate_faults: bool,
}

/// A started engine with its options set.
pub type StartedEngine = (Engine, EngineInfo);

/// How a tournament ended.
pub struct TournamentResult {
    pub standings: Standings,
    /// The user interrupted it before it was over.
    pub interrupted: bool,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine cannot be used.
    #[error(transparent)]
    Start(#[from] EngineStartError),
    /// No memory for the opening generator's searcher.
    #[error("{}", tr!("random openings: {cause}", cause = _0.localized()))]
    Openings(#[from] HashSizeError),
    /// An engine failed too often.
    #[error(transparent)]
    Faults(#[from] TooManyFaults),
    /// Interrupted before the first game.
    #[error("{}", tr!("interrupted before the first game"))]
    Interrupted,
    /// No thread for the games.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// An observer could not write its output.
    #[error("{}", reason(_0))]
    Output(#[from] std::io::Error),
}

/// Receives the results of a tournament.
pub trait TournamentObserver {
    /// A game is over; the standings include it.
    fn game_over(
        &mut self,
        scheduled: &ScheduledGame,
        played: &GameOutcome,
        standings: &Standings,
    ) -> std::io::Result<()>;

    /// The tournament is over.
    fn tournament_over(&mut self, standings: &Standings) -> std::io::Result<()>;

    /// Prints something without damaging a live display.
    fn print_beside(&mut self, say: &dyn Fn()) {
        say();
    }
}

/// A message from a game thread.
enum ThreadMessage {
    Over(ScheduledGame, Box<GameOutcome>),
    Failed(TournamentError),
}

impl Tournament {
    /// The order of the games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.engines.len(), self.games).with_swapped_colours(self.swap_colours)
    }

    pub fn opening_source(&self) -> Result<OpeningSource<'_>, HashSizeError> {
        Ok(match &self.openings {
            Openings::Random(how) => {
                OpeningSource::Random(Box::new(RandomOpeningGenerator::new(*how, self.referee.rules)?))
            }
            Openings::Listed(list) => OpeningSource::Listed(list),
        })
    }

    /// The numbers of the games in this shard.
    fn numbers(&self, schedule: &Schedule) -> impl Iterator<Item = usize> {
        let shard = self.shard;
        let games = schedule.len();
        (0..games).filter(move |number| shard.contains(number / 2))
    }

    /// What reports need to know.
    pub fn roster(&self) -> TournamentInfo {
        let schedule = self.schedule();
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let planned = self.numbers(&schedule).count();
        TournamentInfo { names, planned, schedule, sprt: self.sprt }
    }

    /// Starts every engine and sets its options before anything is played or written. Prints the messages of the
    /// engines.
    pub fn start_engines(
        &self,
        registry: &Arc<ProcessRegistry>,
        interrupts: &InterruptHandler,
    ) -> Result<Vec<StartedEngine>, TournamentError> {
        let start = |spec: &EngineSpec| -> Result<StartedEngine, TournamentError> {
            let mut player = Engine::new(spec, &self.referee, registry)?;
            let info = player.start(&self.own_id)?;
            log::info!("engine '{}' is {}", spec.name, info.id);
            for remark in &info.messages {
                print_error(|| tr!("engine '{name}' says: {remark}", name = spec.name, remark));
            }
            Ok((player, info))
        };
        std::thread::scope(|scope| {
            let start_all = || self.engines.iter().map(start).collect::<Result<Vec<_>, _>>();
            let all = std::thread::Builder::new().spawn_scoped(scope, start_all).map_err(NoThread)?;
            while !all.is_finished() {
                if interrupts.poll().is_some() {
                    registry.kill_all();
                }
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            match all.join() {
                _ if interrupts.is_requested() => Err(TournamentError::Interrupted),
                Ok(started_engines) => started_engines,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Plays all games that are not finished yet, or until the SPRT is decided.
    pub fn run(
        &self,
        finished: &[FinishedGame],
        started_engines: Vec<StartedEngine>,
        registry: &Arc<ProcessRegistry>,
        interrupts: &InterruptHandler,
        observer: &mut dyn TournamentObserver,
    ) -> Result<TournamentResult, TournamentError> {
        let roster = self.roster();
        let mut standings = Standings::new(&roster.schedule);
        finished.iter().for_each(|game| standings.add(game));
        let done: BTreeSet<usize> = finished.iter().map(|game| game.scheduled.number).collect();
        let mut waiting: Vec<usize> = self.numbers(&roster.schedule).filter(|number| !done.contains(number)).collect();
        if roster.decision(&standings) != SprtVerdict::Open {
            waiting.clear();
        }
        let engines = started_engines.into_iter().map(|(player, _)| player).enumerate().collect();
        let state = TournamentState {
            tournament: self,
            registry,
            schedule: &roster.schedule,
            started_engines: Mutex::new(engines),
            queue: Mutex::new(GameQueue { waiting: waiting.iter(), openings: self.opening_source()? }),
            stopping: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        };
        let outcome = std::thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            let table = || {
                let sender = sender.clone();
                let state = &state;
                move || state.play_games(&sender)
            };
            let count = self.concurrency.clamp(1, waiting.len().max(1));
            start_workers(scope, "table", (0..count).map(|_| table()))?;
            drop(sender);
            let mut failures = FailureLimits::new(self.engines.len());
            let mut outcome = Ok(());
            loop {
                if let Some(request) = interrupts.poll() {
                    state.apply_stop_request(request, observer);
                }
                let message = match messages.recv_timeout(POLL_INTERVAL) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break outcome,
                };
                if state.stop.load(Ordering::Relaxed) {
                    continue;
                }
                outcome = self.receive(message, &mut standings, &mut failures, observer);
                if outcome.is_err() || roster.decision(&standings) != SprtVerdict::Open {
                    state.abort_games();
                }
            }
        });
        if matches!(outcome, Ok(()) | Err(TournamentError::Faults(_))) {
            observer.tournament_over(&standings)?;
        }
        outcome?;
        let open = standings.games() < roster.planned as u64 && roster.decision(&standings) == SprtVerdict::Open;
        Ok(TournamentResult { standings, interrupted: interrupts.is_requested() && open })
    }

    fn receive(
        &self,
        message: ThreadMessage,
        standings: &mut Standings,
        failures: &mut FailureLimits,
        observer: &mut dyn TournamentObserver,
    ) -> Result<(), TournamentError> {
        let (scheduled, played) = match message {
            ThreadMessage::Over(scheduled, played) => (scheduled, played),
            ThreadMessage::Failed(error) => return Err(error),
        };
        let fault = played.fault().map(|(side, fault)| (side, fault.kind().0.to_string()));
        log::info!("game {}: {} ({played}, {} plies)", scheduled.number + 1, played.result(), played.plies.len());
        if let Some(diagnostics) = &played.diagnostics {
            log::warn!("game {}: {played}\n{diagnostics}", scheduled.number + 1);
        }
        standings.add(&FinishedGame { scheduled, winner: played.winner, fault, clock_usage: played.spent.clone() });
        observer.game_over(&scheduled, &played, standings)?;
        let failed = played.fault().map(|(side, _)| scheduled.engine(side));
        for engine in [scheduled.red, scheduled.black] {
            let too_often = failures.record(engine, failed == Some(engine));
            if let (Some(how_often), Some((_, fault))) = (too_often.filter(|_| !self.tolerate_faults), played.fault()) {
                let name = self.engines[engine].name.clone();
                return Err(TooManyFaults { name, how_often, what: fault.clone() }.into());
            }
        }
        Ok(())
    }
}

/// The games not started yet, with their openings. Games are taken in order, so consecutive requests for one opening
/// generate it once.
struct GameQueue<'a> {
    waiting: std::slice::Iter<'a, usize>,
    openings: OpeningSource<'a>,
}

/// State shared by the game threads.
struct TournamentState<'a> {
    tournament: &'a Tournament,
    registry: &'a Arc<ProcessRegistry>,
    schedule: &'a Schedule,
    /// Engines started by `start_engines`; the first game thread takes them all.
    started_engines: Mutex<Vec<(usize, Engine)>>,
    queue: Mutex<GameQueue<'a>>,
    /// Start no new games.
    stopping: AtomicBool,
    /// Drop the running games.
    stop: AtomicBool,
}

impl TournamentState<'_> {
    /// Applies a stop request of the user.
    fn apply_stop_request(&self, request: StopRequest, observer: &mut dyn TournamentObserver) {
        log::warn!("interrupted: {request:?}");
        match request {
            StopRequest::Finish => {
                self.stopping.store(true, Ordering::Relaxed);
                let say = || print_error(|| tr!("finishing the running games; once more drops them"));
                observer.print_beside(&say);
            }
            StopRequest::Abort => {
                self.abort_games();
                // Do not wait for running searches.
                self.registry.kill_all();
            }
        }
    }

    /// Drops the running games after their current moves.
    fn abort_games(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next game with its opening.
    fn next_game(&self) -> Option<(ScheduledGame, Opening)> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let scheduled = self.schedule.game(*queue.waiting.next()?);
        Some((scheduled, queue.openings.opening(scheduled.opening)))
    }

    /// Plays games until none is left.
    fn play_games(&self, sender: &Sender<ThreadMessage>) {
        // Engines are kept for the next game if they play in it; others are dropped.
        let mut running = std::mem::take(&mut *self.started_engines.lock().unwrap_or_else(PoisonError::into_inner));
        while !self.stopping.load(Ordering::Relaxed) {
            let Some((scheduled, opening)) = self.next_game() else { break };
            let message = match self.play(&scheduled, &opening, &mut running) {
                Ok(Some(played)) => ThreadMessage::Over(scheduled, Box::new(played)),
                Ok(None) => break,
                Err(error) => ThreadMessage::Failed(error),
            };
            if sender.send(message).is_err() {
                break;
            }
        }
    }

    fn play(
        &self,
        scheduled: &ScheduledGame,
        opening: &Opening,
        running: &mut Vec<(usize, Engine)>,
    ) -> Result<Option<GameOutcome>, TournamentError> {
        let Tournament { engines, referee, budget, .. } = self.tournament;
        let mut take = |engine: usize| match running.iter().position(|(number, _)| *number == engine) {
            Some(index) => Ok(running.swap_remove(index).1),
            None => Engine::new(&engines[engine], referee, self.registry),
        };
        let (mut red, mut black) = (take(scheduled.red)?, take(scheduled.black)?);
        running.clear();
        for (player, color, other) in [(&red, "red", scheduled.black), (&black, "black", scheduled.red)] {
            let (number, name) = (scheduled.number + 1, &engines[other].name);
            player.log_remark(&format!("game {number}, {color} against {name}"));
        }
        let budgets = [scheduled.red, scheduled.black].map(|engine| engines[engine].budget.unwrap_or(*budget));
        let played = game::play([&mut red, &mut black], budgets, opening, referee, &self.stop);
        running.extend([(scheduled.red, red), (scheduled.black, black)]);
        if let Some((side, _)) = played.as_ref().and_then(GameOutcome::fault) {
            // A failed engine is created anew.
            running.remove(side.index());
        }
        Ok(played)
    }
}

/// A tournament stops after this many consecutive failures of an engine …
const MAX_FAILURES_IN_ROW: usize = 3;
/// … or after this many failures in its last `FAILURE_WINDOW` games.
const MAX_FAILURES: usize = 10;
const FAILURE_WINDOW: usize = 100;

/// An engine that failed too often.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("stopped: engine '{name}' failed {how_often}, the last time because it {what}; repair the engine, or continue with --tolerate-faults", name, how_often, what))]
pub struct TooManyFaults {
    pub name: String,
    pub how_often: Phrase,
    pub what: EngineFault,
}

/// For each engine, whether it failed in its last games.
#[derive(Clone, Debug, Default)]
struct FailureLimits(Vec<VecDeque<bool>>);

impl FailureLimits {
    fn new(engines: usize) -> FailureLimits {
        FailureLimits(vec![VecDeque::new(); engines])
    }

    /// Records a game of an engine. Returns how often it failed if that is too often.
    fn record(&mut self, engine: usize, failed: bool) -> Option<Phrase> {
        let games = self.0.get_mut(engine)?;
        games.push_back(failed);
        if games.len() > FAILURE_WINDOW {
            games.pop_front();
        }
        if !failed {
            None
        } else if games.len() >= MAX_FAILURES_IN_ROW
            && games.iter().rev().take(MAX_FAILURES_IN_ROW).all(|&failed| failed)
        {
            Some(phrase!("in three games in a row"))
        } else if games.iter().filter(|&&failed| failed).count() >= MAX_FAILURES {
            Some(phrase!("in ten games of a hundred"))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_limits_stop_at_ten_of_a_hundred_but_not_at_nine() {
        let every = |step: usize, games: usize| {
            let mut limits = FailureLimits::new(1);
            (0..games).find_map(|game| limits.record(0, game.is_multiple_of(step)).map(|_| game))
        };
        assert_eq!(every(10, 1000), Some(90));
        assert_eq!(every(12, 1000), None);
    }
}
