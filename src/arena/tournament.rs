//! Playing a schedule: some games at a time, each at a table of its own, results gathered in one place.

use super::engine::{Player, StartError};
use super::game::{self, Played};
use super::openings::{Opening, RandomMaker, RandomOpenings};
use super::schedule::{Fixture, Schedule};
use super::spec::{Budget, EngineSpec, Format, RefereeSpec};
use super::sprt::{Decision, Sprt};
use super::standings::{Finished, Standings};
use crate::search::{self, TableSizeError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use thiserror::Error;

/// Where openings come from.
#[derive(Clone)]
pub enum Openings {
    /// Made at random.
    Random(RandomOpenings),
    /// These, in turn; not empty.
    Listed(Vec<Opening>),
}

/// Openings by their number.
pub enum OpeningSource<'a> {
    /// Made when they are asked for.
    Random(Box<RandomMaker>),
    /// These, in turn.
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
    /// Who takes part.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games of each meeting.
    pub games: usize,
    /// What an engine without a budget of its own may spend.
    pub budget: Budget,
    /// Where games begin.
    pub openings: Openings,
    /// How games end.
    pub referee: RefereeSpec,
    /// Games at a time.
    pub concurrency: usize,
    /// When to stop before the last game; for two engines.
    pub sprt: Option<Sprt>,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine cannot take part.
    #[error(transparent)]
    Start(#[from] StartError),
    /// No memory for judging openings.
    #[error("random openings: {0}")]
    Openings(#[from] TableSizeError),
    /// The audience gave up.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

/// Whoever follows a tournament.
pub trait Audience {
    /// A game is over and counted.
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings)
    -> std::io::Result<()>;

    /// The tournament is over.
    fn closed(&mut self, standings: &Standings) -> std::io::Result<()>;
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

    /// Where the openings come from; each table has a source of its own.
    pub fn opening_source(&self) -> Result<OpeningSource<'_>, TableSizeError> {
        Ok(match &self.openings {
            Openings::Random(how) => {
                OpeningSource::Random(Box::new(RandomMaker::new(*how, self.referee.rules)?))
            }
            Openings::Listed(list) => OpeningSource::Listed(list),
        })
    }

    /// Plays all games but those that are finished already, or as many as the test needs.
    pub fn run(
        &self,
        finished: &[Finished],
        audience: &mut dyn Audience,
    ) -> Result<Standings, TournamentError> {
        let schedule = self.schedule();
        let mut standings = Standings::new(&schedule);
        finished.iter().for_each(|game| standings.add(game));
        let done: BTreeSet<usize> = finished.iter().map(|game| game.fixture.number).collect();
        let mut waiting: Vec<usize> = (0..schedule.len()).filter(|number| !done.contains(number)).collect();
        if self.decision(&standings) != Decision::Open {
            waiting.clear();
        }
        let hall = Hall {
            tournament: self,
            schedule: &schedule,
            waiting: &waiting,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        };
        let (sender, messages) = mpsc::channel();
        std::thread::scope(|scope| {
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
            let mut outcome = Ok(());
            for message in messages {
                if hall.stop.load(Ordering::Relaxed) {
                    continue;
                }
                outcome = self.receive(message, &mut standings, audience);
                if outcome.is_err() || self.decision(&standings) != Decision::Open {
                    hall.stop.store(true, Ordering::Relaxed);
                }
            }
            outcome
        })?;
        audience.closed(&standings)?;
        Ok(standings)
    }

    fn receive(
        &self,
        message: Message,
        standings: &mut Standings,
        audience: &mut dyn Audience,
    ) -> Result<(), TournamentError> {
        match message {
            Message::Over(fixture, played) => {
                let fault = played.fault().map(|(side, fault)| (side, fault.kind().to_string()));
                standings.add(&Finished { fixture, winner: played.winner, fault });
                Ok(audience.game_over(&fixture, &played, standings)?)
            }
            Message::Failed(error) => Err(error),
        }
    }

    /// What the test says so far; open without one.
    pub fn decision(&self, standings: &Standings) -> Decision {
        match (&self.sprt, standings.meetings()) {
            (Some(sprt), [meeting]) => sprt.decide(&meeting.score.pairs),
            _ => Decision::Open,
        }
    }
}

/// What the tables share.
struct Hall<'a> {
    tournament: &'a Tournament,
    schedule: &'a Schedule,
    waiting: &'a [usize],
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Hall<'_> {
    /// Plays one game after the other until none is left.
    fn sit(&self, sender: &Sender<Message>) {
        let mut table = match Table::new(self.tournament) {
            Ok(table) => table,
            Err(error) => return drop(sender.send(Message::Failed(error))),
        };
        while !self.stop.load(Ordering::Relaxed) {
            let Some(&number) = self.waiting.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let fixture = self.schedule.fixture(number);
            let message = match table.play(&fixture, &self.stop) {
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
    openings: OpeningSource<'a>,
    /// Engines stay for the next game if they play in it; the others leave.
    seated: Vec<(usize, Player)>,
}

impl<'a> Table<'a> {
    fn new(tournament: &'a Tournament) -> Result<Table<'a>, TournamentError> {
        Ok(Table { tournament, openings: tournament.opening_source()?, seated: Vec::new() })
    }

    fn play(&mut self, fixture: &Fixture, stop: &AtomicBool) -> Result<Option<Played>, TournamentError> {
        let opening = self.openings.opening(fixture.opening);
        let mut red = self.take(fixture.red)?;
        let mut black = self.take(fixture.black)?;
        self.seated.clear();
        let spec = |engine: usize| &self.tournament.engines[engine];
        let budgets =
            [fixture.red, fixture.black].map(|engine| spec(engine).budget.unwrap_or(self.tournament.budget));
        let players = [&mut red, &mut black];
        let played = game::play(players, budgets, &opening, &self.tournament.referee, stop);
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
            None => Ok(Player::new(&self.tournament.engines[engine], &self.tournament.referee)?),
        }
    }
}
