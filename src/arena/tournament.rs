//! Playing a schedule: some games at a time, each at a table of its own, results gathered in one place.

use super::engine::{Introduction, Player, Premises, StartError};
use super::game::{self, Played};
use super::openings::{Opening, RandomMaker, RandomOpenings};
use super::results::Finished;
use super::roster::Roster;
use super::schedule::{Fixture, Schedule};
use super::spec::{Budget, EngineSpec, Format, RefereeSpec, Shard};
use super::sprt::{Decision, Sprt};
use super::standings::Standings;
use super::troubles::{TooManyFaults, Troubles};
use crate::interrupts::{Interrupts, Wish};
use chuhe_engine::language::tr;
use chuhe_engine::language::{complain, reason};
use chuhe_engine::search::{self, TableSizeError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// How often somebody looks whether an end is wished.
const GLANCE: Duration = Duration::from_millis(50);

/// Where openings come from.
#[derive(Clone)]
pub enum Openings {
    Random(RandomOpenings),
    /// These, in turn; not empty.
    Listed(Vec<Opening>),
}

/// Openings by their number.
pub enum OpeningSource<'a> {
    /// Made when they are asked for.
    Random(Box<RandomMaker>),
    Listed(&'a [Opening]),
}

impl OpeningSource<'_> {
    /// The opening of this number.
    pub fn opening(&mut self, number: usize) -> Opening {
        match self {
            OpeningSource::Random(maker) => maker.make(number),
            OpeningSource::Listed(list) => list[number % list.len()].clone(),
        }
    }
}

/// All that makes a tournament.
pub struct Tournament {
    /// What its records call it.
    pub event: String,
    pub engines: Vec<EngineSpec>,
    pub format: Format,
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
    pub tolerant: bool,
}

/// An engine that has been started and set.
pub type Introduced = (Player, Introduction);

/// How a tournament ended.
pub struct Closing {
    pub standings: Standings,
    /// It was told to end before it was over.
    pub interrupted: bool,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine cannot take part.
    #[error(transparent)]
    Start(#[from] StartError),
    /// No memory for judging openings.
    #[error("{}", tr!("random openings: {cause}", cause = _0))]
    Openings(#[from] TableSizeError),
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
pub trait Audience {
    /// A game is over and counted.
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings)
    -> std::io::Result<()>;

    /// The tournament is over.
    fn closed(&mut self, standings: &Standings) -> std::io::Result<()>;

    /// Something is said beside what is shown.
    fn beside(&mut self, say: &dyn Fn()) {
        say();
    }
}

/// What a table sends to the hall.
enum Message {
    Over(Fixture, Box<Played>),
    Failed(TournamentError),
}

impl Tournament {
    /// The order of the games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.engines.len(), self.games)
    }

    /// Where the openings come from.
    pub fn opening_source(&self) -> Result<OpeningSource<'_>, TableSizeError> {
        Ok(match &self.openings {
            Openings::Random(how) => {
                OpeningSource::Random(Box::new(RandomMaker::new(*how, self.referee.rules)?))
            }
            Openings::Listed(list) => OpeningSource::Listed(list),
        })
    }

    /// The numbers of the games that are played here.
    fn numbers(&self, schedule: &Schedule) -> impl Iterator<Item = usize> {
        let shard = self.shard;
        let games = schedule.len();
        (0..games).filter(move |number| shard.holds(number / 2))
    }

    /// What tables of results need to know.
    pub fn roster(&self) -> Roster {
        let schedule = self.schedule();
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let planned = self.numbers(&schedule).count();
        Roster { names, planned, schedule, sprt: self.sprt }
    }

    /// Starts every engine and sets its options, before anything is played or written. What they have to say about
    /// it is shown.
    pub fn introduce(
        &self,
        premises: &Arc<Premises>,
        interrupts: &Interrupts,
    ) -> Result<Vec<Introduced>, TournamentError> {
        let introduce = |spec: &EngineSpec| -> Result<Introduced, TournamentError> {
            let mut player = Player::new(spec, &self.referee, premises)?;
            let introduction = player.introduce()?;
            log::info!("engine '{}' is {}", spec.name, introduction.id);
            for remark in &introduction.remarks {
                complain(|| tr!("engine '{name}' says: {remark}", name = spec.name, remark));
            }
            Ok((player, introduction))
        };
        std::thread::scope(|scope| {
            let all = scope.spawn(|| self.engines.iter().map(introduce).collect::<Result<Vec<_>, _>>());
            while !all.is_finished() {
                if interrupts.news().is_some() {
                    premises.end_all();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            match all.join() {
                _ if interrupts.wished() => Err(TournamentError::Interrupted),
                Ok(introduced) => introduced,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Plays all games but those that are finished already, or as many as the test needs.
    pub fn run(
        &self,
        finished: &[Finished],
        introduced: Vec<Introduced>,
        premises: &Arc<Premises>,
        interrupts: &Interrupts,
        audience: &mut dyn Audience,
    ) -> Result<Closing, TournamentError> {
        let roster = self.roster();
        let mut standings = Standings::new(&roster.schedule);
        finished.iter().for_each(|game| standings.add(game));
        let done: BTreeSet<usize> = finished.iter().map(|game| game.fixture.number).collect();
        let mut waiting: Vec<usize> =
            self.numbers(&roster.schedule).filter(|number| !done.contains(number)).collect();
        if roster.decision(&standings) != Decision::Open {
            waiting.clear();
        }
        let seats = introduced.into_iter().map(|(player, _)| player).enumerate().collect();
        let hall = Hall {
            tournament: self,
            premises,
            schedule: &roster.schedule,
            introduced: Mutex::new(seats),
            queue: Mutex::new(Queue { waiting: waiting.iter(), openings: self.opening_source()? }),
            closing: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        };
        let outcome = std::thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            for index in 0..self.concurrency.clamp(1, waiting.len().max(1)) {
                let sender = sender.clone();
                let hall = &hall;
                let spawned = search::thread("table").spawn_scoped(scope, move || hall.sit(&sender));
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
            let mut troubles = Troubles::new(self.engines.len());
            let mut outcome = Ok(());
            loop {
                if let Some(wish) = interrupts.news() {
                    hall.heed(wish, audience);
                }
                let message = match messages.recv_timeout(GLANCE) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break outcome,
                };
                if hall.stop.load(Ordering::Relaxed) {
                    continue;
                }
                outcome = self.receive(message, &mut standings, &mut troubles, audience);
                if outcome.is_err() || roster.decision(&standings) != Decision::Open {
                    hall.drop_games();
                }
            }
        });
        if matches!(outcome, Ok(()) | Err(TournamentError::Faults(_))) {
            audience.closed(&standings)?;
        }
        outcome?;
        let open = standings.games() < roster.planned as u64 && roster.decision(&standings) == Decision::Open;
        Ok(Closing { standings, interrupted: interrupts.wished() && open })
    }

    fn receive(
        &self,
        message: Message,
        standings: &mut Standings,
        troubles: &mut Troubles,
        audience: &mut dyn Audience,
    ) -> Result<(), TournamentError> {
        let (fixture, played) = match message {
            Message::Over(fixture, played) => (fixture, played),
            Message::Failed(error) => return Err(error),
        };
        let fault = played.fault().map(|(side, fault)| (side, fault.kind().0.to_string()));
        log::info!(
            "game {}: {} ({played}, {} plies)",
            fixture.number + 1,
            played.result(),
            played.plies.len()
        );
        if let Some(evidence) = &played.evidence {
            log::warn!("game {}: {played}\n{evidence}", fixture.number + 1);
        }
        standings.add(&Finished { fixture, winner: played.winner, fault, spent: played.spent.clone() });
        audience.game_over(&fixture, &played, standings)?;
        let failed = played.fault().map(|(side, _)| fixture.engine(side));
        for engine in [fixture.red, fixture.black] {
            let too_often = troubles.note(engine, failed == Some(engine));
            if let (Some(how_often), Some((_, fault))) =
                (too_often.filter(|_| !self.tolerant), played.fault())
            {
                let name = self.engines[engine].name.clone();
                return Err(TooManyFaults { name, how_often, what: fault.clone() }.into());
            }
        }
        Ok(())
    }
}

/// The games that nobody has begun, and where they begin. Games are drawn in their order, so that an opening is made
/// once for all who play it one after the other, whatever the table.
struct Queue<'a> {
    waiting: std::slice::Iter<'a, usize>,
    openings: OpeningSource<'a>,
}

/// What the tables share.
struct Hall<'a> {
    tournament: &'a Tournament,
    premises: &'a Arc<Premises>,
    schedule: &'a Schedule,
    /// Those who have been introduced and not yet sat down; the first table takes them all.
    introduced: Mutex<Vec<(usize, Player)>>,
    queue: Mutex<Queue<'a>>,
    /// No new game is begun.
    closing: AtomicBool,
    /// Running games are dropped.
    stop: AtomicBool,
}

impl Hall<'_> {
    /// Does what somebody outside wishes.
    fn heed(&self, wish: Wish, audience: &mut dyn Audience) {
        log::warn!("interrupted: {wish:?}");
        match wish {
            Wish::Finish => {
                self.closing.store(true, Ordering::Relaxed);
                let say = || complain(|| tr!("finishing the running games; once more drops them"));
                audience.beside(&say);
            }
            Wish::Drop => {
                self.drop_games();
                // Whoever is thinking need not finish the thought.
                self.premises.end_all();
            }
        }
    }

    /// Drops the running games after the moves that are being thought about.
    fn drop_games(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next game, and where it begins.
    fn draw(&self) -> Option<(Fixture, Opening)> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let fixture = self.schedule.fixture(*queue.waiting.next()?);
        Some((fixture, queue.openings.opening(fixture.opening)))
    }

    /// Plays one game after the other until none is left.
    fn sit(&self, sender: &Sender<Message>) {
        let mut table = Table::new(self);
        while !self.closing.load(Ordering::Relaxed) {
            let Some((fixture, opening)) = self.draw() else { break };
            let message = match table.play(&fixture, &opening, &self.stop) {
                Ok(Some(played)) => Message::Over(fixture, Box::new(played)),
                Ok(None) => break,
                Err(error) => Message::Failed(error),
            };
            if sender.send(message).is_err() {
                break;
            }
        }
    }
}

/// A table with the engines that sit at it.
struct Table<'a> {
    tournament: &'a Tournament,
    premises: &'a Arc<Premises>,
    /// Engines stay for the next game if they play in it; the others leave.
    seated: Vec<(usize, Player)>,
}

impl<'a> Table<'a> {
    fn new(hall: &Hall<'a>) -> Table<'a> {
        let seated = std::mem::take(&mut *hall.introduced.lock().unwrap_or_else(PoisonError::into_inner));
        Table { tournament: hall.tournament, premises: hall.premises, seated }
    }

    fn play(
        &mut self,
        fixture: &Fixture,
        opening: &Opening,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, TournamentError> {
        let mut red = self.take(fixture.red)?;
        let mut black = self.take(fixture.black)?;
        self.seated.clear();
        let spec = |engine: usize| &self.tournament.engines[engine];
        for (player, color, other) in [(&red, "red", fixture.black), (&black, "black", fixture.red)] {
            player.remark(&format!("game {}, {color} against {}", fixture.number + 1, spec(other).name));
        }
        let budgets =
            [fixture.red, fixture.black].map(|engine| spec(engine).budget.unwrap_or(self.tournament.budget));
        let players = [&mut red, &mut black];
        let played = game::play(players, budgets, opening, &self.tournament.referee, stop);
        self.seated = vec![(fixture.red, red), (fixture.black, black)];
        if let Some((side, _)) = played.as_ref().and_then(Played::fault) {
            // Whoever failed comes back as a new one.
            self.seated.remove(side.index());
        }
        Ok(played)
    }

    /// The engine, from its chair or from the door.
    fn take(&mut self, engine: usize) -> Result<Player, TournamentError> {
        match self.seated.iter().position(|(number, _)| *number == engine) {
            Some(index) => Ok(self.seated.swap_remove(index).1),
            None => {
                let Tournament { engines, referee, .. } = self.tournament;
                Ok(Player::new(&engines[engine], referee, self.premises)?)
            }
        }
    }
}
