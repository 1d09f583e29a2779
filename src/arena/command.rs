//! `chuhe arena`: from its options to a tournament, and from the tournament to its report.

pub use super::args::ArenaArgs;

use super::archive::{Archive, ArchiveError};
use super::config::{self, ConfigError};
use super::game::Played;
use super::opening_file::{self, OpeningError};
use super::openings::RandomOpenings;
use super::report::{Json, Live, Plain};
use super::schedule::Fixture;
use super::spec::Format;
use super::standings::Standings;
use super::tournament::{Audience, Openings, Tournament, TournamentError};
use crate::rules::Rules;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::io::{self, Write};
use thiserror::Error;

/// Why `chuhe arena` gave up.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// Nobody to play against.
    #[error("a tournament takes two engines at least; name them with --engine or --self")]
    TooFewEngines,
    /// Two engines that tables could not tell apart.
    #[error("two engines are called '{0}'")]
    SameName(String),
    /// A test is about two engines.
    #[error("--sprt is for a match of two engines")]
    TestOfMany,
    /// Nothing to go on with.
    #[error("--resume needs the record of the tournament: --pgn FILE")]
    ResumeWhat,
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The file of openings is wrong.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The record cannot be kept.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It could not be played.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The report could not be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Does what `chuhe arena` is for. `terminal`: somebody is looking, and the screen can be drawn on.
pub fn run(args: &ArenaArgs, out: &mut dyn Write, terminal: bool) -> Result<(), ArenaError> {
    let mut args = args.clone();
    if let Some(path) = &args.config {
        let config = config::read(path)?;
        args = args.or(config);
    }
    let tournament = tournament(&args)?;
    let (archive, finished) = match &args.output.pgn {
        Some(path) => {
            let notation = args.output.notation.unwrap_or_default();
            let (archive, finished) = Archive::open(&tournament, path, notation, args.output.resume)?;
            (Some(archive), finished)
        }
        None if args.output.resume => return Err(ArenaError::ResumeWhat),
        None => (None, Vec::new()),
    };
    let screen: Box<dyn Audience + '_> = match (args.output.json, terminal) {
        (true, _) => Box::new(Json::new(&tournament, out)),
        (false, true) => Box::new(Live::new(&tournament, out)),
        (false, false) => Box::new(Plain::new(&tournament, out)),
    };
    tournament.run(&finished, &mut Hall { archive, screen })?;
    Ok(())
}

/// Who hears of each game: the record first, so that nothing is shown that could be lost.
struct Hall<'a> {
    archive: Option<Archive<'a>>,
    screen: Box<dyn Audience + 'a>,
}

impl Audience for Hall<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings) -> io::Result<()> {
        if let Some(archive) = &mut self.archive {
            archive.game_over(fixture, played, standings)?;
        }
        self.screen.game_over(fixture, played, standings)
    }

    fn closed(&mut self, standings: &Standings) -> io::Result<()> {
        self.screen.closed(standings)
    }
}

fn tournament(args: &ArenaArgs) -> Result<Tournament, ArenaError> {
    let engines = [args.selves.as_slice(), &args.engines].concat();
    if engines.len() < 2 {
        return Err(ArenaError::TooFewEngines);
    }
    for (index, engine) in engines.iter().enumerate() {
        if engines[..index].iter().any(|other| other.name == engine.name) {
            return Err(ArenaError::SameName(engine.name.clone()));
        }
    }
    if args.sprt.is_some() && engines.len() > 2 {
        return Err(ArenaError::TestOfMany);
    }
    let games = args.games.unwrap_or(100) as usize;
    let referee = args.referee.spec();
    Ok(Tournament {
        event: args.output.event.clone().unwrap_or_else(|| "Chuhe arena".to_string()),
        engines,
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        games,
        budget: args.budget.budget(),
        openings: openings(args, games.div_ceil(2), referee.rules)?,
        referee,
        concurrency: args.concurrency.unwrap_or(1).into(),
        sprt: args.sprt,
    })
}

fn openings(args: &ArenaArgs, pairs: usize, rules: Rules) -> Result<Openings, OpeningError> {
    let args = &args.openings;
    let (plies, seed) = (args.plies.unwrap_or(8), args.seed.unwrap_or(1));
    if let Some(path) = &args.openings {
        let mut list = opening_file::read(path, plies as usize, rules)?;
        if args.shuffle {
            list.shuffle(&mut StdRng::seed_from_u64(seed));
        }
        return Ok(Openings::Listed(list));
    }
    let count = args.random_openings.map_or(pairs, |count| count as usize);
    Ok(Openings::Random(RandomOpenings { count, plies, seed, balance: args.balance.unwrap_or(20) }))
}
