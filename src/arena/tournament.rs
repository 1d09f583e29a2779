//! Playing a schedule: some games at a time, each at a table of its own, results gathered in one place.

use super::engine::{Engine, EngineInfo, EngineStartError, ProcessRegistry};
use super::failure_limits::{FailureLimits, TooManyFaults};
use super::game::{self, GameOutcome};
use super::openings::{Opening, RandomOpeningGenerator, RandomOpeningSettings};
use super::schedule::{Schedule, ScheduledGame};
use super::spec::{Budget, EngineSpec, RefereeSpec, Shard, TournamentFormat};
use super::sprt::{Sprt, SprtVerdict};
use super::standings::{FinishedGame, Standings, TournamentInfo};
use crate::interrupts::{InterruptHandler, StopRequest};
use chuhe_engine::language::{print_error, reason, tr};
use chuhe_engine::search::{self, HashSizeError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// How often somebody looks whether an end is wished.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Where openings come from.
#[derive(Clone)]
pub enum Openings {
    Random(RandomOpeningSettings),
    /// These, in turn; not empty.
    Listed(Vec<Opening>),
}

/// Openings by their number.
pub enum OpeningSource<'a> {
    /// Made when they are asked for.
    Random(Box<RandomOpeningGenerator>),
    Listed(&'a [Opening]),
}

impl OpeningSource<'_> {
    /// The opening of this number.
    pub fn opening(&mut self, number: usize) -> Opening {
        match self {
            OpeningSource::Random(maker) => maker.opening(number),
            OpeningSource::Listed(list) => list[number % list.len()].clone(),
        }
    }
}

/// All that makes a tournament.
pub struct Tournament {
    /// What its records call it.
    pub event: String,
    pub engines: Vec<EngineSpec>,
    pub format: TournamentFormat,
    /// Games of each meeting.
    pub games: usize,
    /// What an engine without a budget of its own may spend.
    pub budget: Budget,
    pub openings: Openings,
    pub referee: RefereeSpec,
    /// Games at a time.
    pub concurrency: usize,
    /// When to stop before the last game; for two engines.
    pub sprt: Option<Sprt>,
    /// The part of it that is played here.
    pub shard: Shard,
    /// Play on however often an engine fails.
    pub tolerate_faults: bool,
}

/// An engine that has been started and set.
pub type StartedEngine = (Engine, EngineInfo);

/// How a tournament ended.
pub struct TournamentResult {
    pub standings: Standings,
    /// It was told to end before it was over.
    pub interrupted: bool,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine cannot take part.
    #[error(transparent)]
    Start(#[from] EngineStartError),
    /// No memory for judging openings.
    #[error("{}", tr!("random openings: {cause}", cause = _0))]
    Openings(#[from] HashSizeError),
    /// An engine fails all the time.
    #[error(transparent)]
    Faults(#[from] TooManyFaults),
    /// It was told to end before it began.
    #[error("{}", tr!("interrupted before the first game"))]
    Interrupted,
    /// The audience gave up.
    #[error("{}", reason(_0))]
    Output(#[from] std::io::Error),
}

/// Whoever follows a tournament.
pub trait TournamentObserver {
    /// A game is over and counted.
    fn game_over(
        &mut self,
        fixture: &ScheduledGame,
        played: &GameOutcome,
        standings: &Standings,
    ) -> std::io::Result<()>;

    /// The tournament is over.
    fn tournament_over(&mut self, standings: &Standings) -> std::io::Result<()>;

    /// Something is said beside what is shown.
    fn print_beside(&mut self, say: &dyn Fn()) {
        say();
    }
}

/// What a table sends to the hall.
enum ThreadMessage {
    Over(ScheduledGame, Box<GameOutcome>),
    Failed(TournamentError),
}

impl Tournament {
    /// The order of the games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.engines.len(), self.games)
    }

    /// Where the openings come from.
    pub fn opening_source(&self) -> Result<OpeningSource<'_>, HashSizeError> {
        Ok(match &self.openings {
            Openings::Random(how) => {
                OpeningSource::Random(Box::new(RandomOpeningGenerator::new(*how, self.referee.rules)?))
            }
            Openings::Listed(list) => OpeningSource::Listed(list),
        })
    }

    /// The numbers of the games that are played here.
    fn numbers(&self, schedule: &Schedule) -> impl Iterator<Item = usize> {
        let shard = self.shard;
        let games = schedule.len();
        (0..games).filter(move |number| shard.contains(number / 2))
    }

    /// What tables of results need to know.
    pub fn roster(&self) -> TournamentInfo {
        let schedule = self.schedule();
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let planned = self.numbers(&schedule).count();
        TournamentInfo { names, planned, schedule, sprt: self.sprt }
    }

    /// Starts every engine and sets its options, before anything is played or written. What they have to say about
    /// it is shown.
    pub fn start_engines(
        &self,
        premises: &Arc<ProcessRegistry>,
        interrupts: &InterruptHandler,
    ) -> Result<Vec<StartedEngine>, TournamentError> {
        let introduce = |spec: &EngineSpec| -> Result<StartedEngine, TournamentError> {
            let mut player = Engine::new(spec, &self.referee, premises)?;
            let introduction = player.start()?;
            log::info!("engine '{}' is {}", spec.name, introduction.id);
            for remark in &introduction.messages {
                print_error(|| tr!("engine '{name}' says: {remark}", name = spec.name, remark));
            }
            Ok((player, introduction))
        };
        std::thread::scope(|scope| {
            let all = scope.spawn(|| self.engines.iter().map(introduce).collect::<Result<Vec<_>, _>>());
            while !all.is_finished() {
                if interrupts.poll().is_some() {
                    premises.kill_all();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            match all.join() {
                _ if interrupts.is_requested() => Err(TournamentError::Interrupted),
                Ok(introduced) => introduced,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Plays all games but those that are finished already, or as many as the test needs.
    pub fn run(
        &self,
        finished: &[FinishedGame],
        introduced: Vec<StartedEngine>,
        premises: &Arc<ProcessRegistry>,
        interrupts: &InterruptHandler,
        audience: &mut dyn TournamentObserver,
    ) -> Result<TournamentResult, TournamentError> {
        let roster = self.roster();
        let mut standings = Standings::new(&roster.schedule);
        finished.iter().for_each(|game| standings.add(game));
        let done: BTreeSet<usize> = finished.iter().map(|game| game.fixture.number).collect();
        let mut waiting: Vec<usize> = self.numbers(&roster.schedule).filter(|number| !done.contains(number)).collect();
        if roster.decision(&standings) != SprtVerdict::Open {
            waiting.clear();
        }
        let seats = introduced.into_iter().map(|(player, _)| player).enumerate().collect();
        let hall = TournamentState {
            tournament: self,
            premises,
            schedule: &roster.schedule,
            introduced: Mutex::new(seats),
            queue: Mutex::new(GameQueue { waiting: waiting.iter(), openings: self.opening_source()? }),
            stopping: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        };
        let outcome = std::thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            for index in 0..self.concurrency.clamp(1, waiting.len().max(1)) {
                let sender = sender.clone();
                let hall = &hall;
                let spawned = search::thread_builder("table").spawn_scoped(scope, move || hall.play_games(&sender));
                // A machine that has no thread left to give plays at the tables that are there.
                if let Err(error) = spawned {
                    if index == 0 {
                        return Err(TournamentError::Output(error));
                    }
                    log::warn!("only {index} games at a time: {error}");
                    break;
                }
            }
            drop(sender);
            let mut troubles = FailureLimits::new(self.engines.len());
            let mut outcome = Ok(());
            loop {
                if let Some(wish) = interrupts.poll() {
                    hall.apply_stop_request(wish, audience);
                }
                let message = match messages.recv_timeout(POLL_INTERVAL) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break outcome,
                };
                if hall.stop.load(Ordering::Relaxed) {
                    continue;
                }
                outcome = self.receive(message, &mut standings, &mut troubles, audience);
                if outcome.is_err() || roster.decision(&standings) != SprtVerdict::Open {
                    hall.abort_games();
                }
            }
        });
        if matches!(outcome, Ok(()) | Err(TournamentError::Faults(_))) {
            audience.tournament_over(&standings)?;
        }
        outcome?;
        let open = standings.games() < roster.planned as u64 && roster.decision(&standings) == SprtVerdict::Open;
        Ok(TournamentResult { standings, interrupted: interrupts.is_requested() && open })
    }

    fn receive(
        &self,
        message: ThreadMessage,
        standings: &mut Standings,
        troubles: &mut FailureLimits,
        audience: &mut dyn TournamentObserver,
    ) -> Result<(), TournamentError> {
        let (fixture, played) = match message {
            ThreadMessage::Over(fixture, played) => (fixture, played),
            ThreadMessage::Failed(error) => return Err(error),
        };
        let fault = played.fault().map(|(side, fault)| (side, fault.kind().0.to_string()));
        log::info!("game {}: {} ({played}, {} plies)", fixture.number + 1, played.result(), played.plies.len());
        if let Some(evidence) = &played.diagnostics {
            log::warn!("game {}: {played}\n{evidence}", fixture.number + 1);
        }
        standings.add(&FinishedGame { fixture, winner: played.winner, fault, clock_usage: played.spent.clone() });
        audience.game_over(&fixture, &played, standings)?;
        let failed = played.fault().map(|(side, _)| fixture.engine(side));
        for engine in [fixture.red, fixture.black] {
            let too_often = troubles.record(engine, failed == Some(engine));
            if let (Some(how_often), Some((_, fault))) = (too_often.filter(|_| !self.tolerate_faults), played.fault()) {
                let name = self.engines[engine].name.clone();
                return Err(TooManyFaults { name, how_often, what: fault.clone() }.into());
            }
        }
        Ok(())
    }
}

/// The games that nobody has begun, and where they begin. Games are drawn in their order, so that an opening is made
/// once for all who play it one after the other, whatever the table.
struct GameQueue<'a> {
    waiting: std::slice::Iter<'a, usize>,
    openings: OpeningSource<'a>,
}

/// What the tables share.
struct TournamentState<'a> {
    tournament: &'a Tournament,
    premises: &'a Arc<ProcessRegistry>,
    schedule: &'a Schedule,
    /// Those who have been introduced and not yet sat down; the first table takes them all.
    introduced: Mutex<Vec<(usize, Engine)>>,
    queue: Mutex<GameQueue<'a>>,
    /// No new game is begun.
    stopping: AtomicBool,
    /// Running games are dropped.
    stop: AtomicBool,
}

impl TournamentState<'_> {
    /// Does what somebody outside wishes.
    fn apply_stop_request(&self, wish: StopRequest, audience: &mut dyn TournamentObserver) {
        log::warn!("interrupted: {wish:?}");
        match wish {
            StopRequest::Finish => {
                self.stopping.store(true, Ordering::Relaxed);
                let say = || print_error(|| tr!("finishing the running games; once more drops them"));
                audience.print_beside(&say);
            }
            StopRequest::Abort => {
                self.abort_games();
                // Whoever is thinking need not finish the thought.
                self.premises.kill_all();
            }
        }
    }

    /// Drops the running games after the moves that are being thought about.
    fn abort_games(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next game, and where it begins.
    fn next_game(&self) -> Option<(ScheduledGame, Opening)> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let fixture = self.schedule.game(*queue.waiting.next()?);
        Some((fixture, queue.openings.opening(fixture.opening)))
    }

    /// Plays one game after the other until none is left.
    fn play_games(&self, sender: &Sender<ThreadMessage>) {
        let mut table = GameThread::new(self);
        while !self.stopping.load(Ordering::Relaxed) {
            let Some((fixture, opening)) = self.next_game() else { break };
            let message = match table.play(&fixture, &opening, &self.stop) {
                Ok(Some(played)) => ThreadMessage::Over(fixture, Box::new(played)),
                Ok(None) => break,
                Err(error) => ThreadMessage::Failed(error),
            };
            if sender.send(message).is_err() {
                break;
            }
        }
    }
}

/// A table with the engines that sit at it.
struct GameThread<'a> {
    tournament: &'a Tournament,
    premises: &'a Arc<ProcessRegistry>,
    /// Engines stay for the next game if they play in it; the others leave.
    running_engines: Vec<(usize, Engine)>,
}

impl<'a> GameThread<'a> {
    fn new(hall: &TournamentState<'a>) -> GameThread<'a> {
        let seated = std::mem::take(&mut *hall.introduced.lock().unwrap_or_else(PoisonError::into_inner));
        GameThread { tournament: hall.tournament, premises: hall.premises, running_engines: seated }
    }

    fn play(
        &mut self,
        fixture: &ScheduledGame,
        opening: &Opening,
        stop: &AtomicBool,
    ) -> Result<Option<GameOutcome>, TournamentError> {
        let mut red = self.take_engine(fixture.red)?;
        let mut black = self.take_engine(fixture.black)?;
        self.running_engines.clear();
        let spec = |engine: usize| &self.tournament.engines[engine];
        for (player, color, other) in [(&red, "red", fixture.black), (&black, "black", fixture.red)] {
            player.log_remark(&format!("game {}, {color} against {}", fixture.number + 1, spec(other).name));
        }
        let budgets = [fixture.red, fixture.black].map(|engine| spec(engine).budget.unwrap_or(self.tournament.budget));
        let players = [&mut red, &mut black];
        let played = game::play(players, budgets, opening, &self.tournament.referee, stop);
        self.running_engines = vec![(fixture.red, red), (fixture.black, black)];
        if let Some((side, _)) = played.as_ref().and_then(GameOutcome::fault) {
            // Whoever failed comes back as a new one.
            self.running_engines.remove(side.index());
        }
        Ok(played)
    }

    /// The engine, from its chair or from the door.
    fn take_engine(&mut self, engine: usize) -> Result<Engine, TournamentError> {
        match self.running_engines.iter().position(|(number, _)| *number == engine) {
            Some(index) => Ok(self.running_engines.swap_remove(index).1),
            None => {
                let Tournament { engines, referee, .. } = self.tournament;
                Ok(Engine::new(&engines[engine], referee, self.premises)?)
            }
        }
    }
}
