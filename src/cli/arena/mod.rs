//! `chuhe arena`: builds a tournament from its options, plays it and prints the report.

mod args;
mod peer_spelling;

pub use args::{ArenaArgs, USUAL_OPTIONS, merge_config};
pub use peer_spelling::with_peer_spelling;

use crate::cli::error::{CliError, cli_error};
use crate::protocol::VERSION;
use chuhe_lab::arena::engine::{EngineInfo, ProcessRegistry};
use chuhe_lab::arena::game::GameOutcome;
use chuhe_lab::arena::game_record::{Conditions, GameRecorder, finished_game};
use chuhe_lab::arena::openings::{self, OpeningError, RandomOpeningSettings};
use chuhe_lab::arena::report::{self, JsonReport, TextReport};
use chuhe_lab::arena::spec::{Budget, EngineSource, EngineSpec, Shard, TournamentFormat};
use chuhe_lab::arena::standings::{FinishedGame, ScheduledGame, Standings, TournamentInfo};
use chuhe_lab::arena::stats::SprtVerdict;
use chuhe_lab::arena::tournament::{Openings, Tournament, TournamentError, TournamentObserver, TournamentResult};
use chuhe_lab::arena::tournament_record::{self, RecordedGames, TournamentRecord};
use chuhe_support::files::{At, OverwritePolicy, make_folder};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::language::{print_error, tr};
use chuhe_support::terminal;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use xiangqi::Rules;

/// The event name of a tournament without one.
const DEFAULT_EVENT: &str = "Chuhe arena";
/// The exit codes of an SPRT that does not accept H1: H0 accepted; a verdict that would differ without the games that were
/// lost by faults; undecided after all games.
const EXIT_H0: u8 = 1;
const EXIT_DOUBTFUL: u8 = 3;
const EXIT_UNDECIDED: u8 = 4;

/// Runs `chuhe arena`. `terminal`: progress can be drawn on the screen.
pub fn run(args: &ArenaArgs, out: &mut dyn Write, terminal: bool) -> Result<ExitCode, CliError> {
    if args.record.resume && args.record.pgn.is_none() {
        return Err(cli_error!("--resume needs the record of the tournament: --pgn FILE"));
    }
    let over = OverwritePolicy::IfMarked(report::page::GENERATOR_META.as_bytes()).or_force(args.force);
    if let Some(path) = &args.report {
        over.check(path)?;
    }
    if !args.merge.is_empty() {
        return merge_records(args, over, out, terminal);
    }
    let tournament = tournament(args)?;
    let roster = tournament.roster();
    let traffic = args.record.traffic.clone();
    traffic.iter().try_for_each(|folder| make_folder(folder).at(folder))?;
    let processes = Arc::new(ProcessRegistry::new(traffic));
    let interrupts = InterruptHandler::install()?;
    // Nothing is written before every engine has been started successfully.
    let introduced = tournament.start_engines(&processes, &interrupts)?;
    let infos: Vec<&EngineInfo> = introduced.iter().map(|(_, introduction)| introduction).collect();
    let budget = |engine: &EngineSpec| engine.budget.unwrap_or(tournament.budget);
    let recorder = GameRecorder {
        event: tournament.event.clone(),
        roster: tournament.roster(),
        conditions: Conditions::of(&tournament, &infos),
        budgets: tournament.engines.iter().map(budget).collect(),
        notation: args.record.notation.unwrap_or_default(),
    };
    let (archive, contents) = match &args.record.pgn {
        Some(path) => {
            let (encoding, resume) = (args.record.encoding.unwrap_or_default(), args.record.resume);
            let openings = tournament.opening_source().map_err(TournamentError::from)?;
            let (archive, contents) = TournamentRecord::open(path, encoding, resume, &recorder, openings)?;
            (Some(archive), contents)
        }
        None => (None, RecordedGames::new()),
    };
    let finished: Vec<FinishedGame> = contents.iter().map(|(game, _)| game.clone()).collect();
    let display: Box<dyn TournamentObserver + '_> = match args.json {
        true => Box::new(JsonReport::new(&roster, out)),
        false => Box::new(TextReport::new(&roster, out, terminal)),
    };
    let page = args.report.as_deref().map(|path| (path, over));
    // Only the report shows them.
    let contents = if page.is_some() { contents } else { RecordedGames::new() };
    let mut observer = ArenaObserver { recorder, archive, page, contents, display };
    let closing = tournament.run(&finished, introduced, &processes, &interrupts, &mut observer)?;
    Ok(exit_code(&closing, &roster, observer.archive.is_some()))
}

/// Merges the records of several parts of a tournament.
fn merge_records(
    args: &ArenaArgs,
    over: OverwritePolicy,
    out: &mut dyn Write,
    terminal: bool,
) -> Result<ExitCode, CliError> {
    let (roster, contents) = tournament_record::merge_records(&args.merge, args.sprt)?;
    if roster.sprt.is_some() && roster.schedule.pairings().len() > 1 {
        return Err(sprt_needs_two_engines());
    }
    let mut standings = Standings::new(&roster.schedule);
    contents.iter().for_each(|(game, _)| standings.add(game));
    if let Some(path) = &args.report {
        let event = contents.first().and_then(|(_, record)| record.tag("Event")).unwrap_or(DEFAULT_EVENT);
        report::page::write(path, over, event, &roster, &contents)?;
    }
    if args.json {
        JsonReport::new(&roster, out).tournament_over(&standings)?;
    } else {
        write!(out, "{}", report::table(&roster, &standings, terminal::terminal_width(terminal)))?;
    }
    Ok(verdict_code(&roster, &standings))
}

/// Prints the closing remarks, if any, and returns the exit code.
fn exit_code(closing: &TournamentResult, roster: &TournamentInfo, recorded: bool) -> ExitCode {
    if closing.interrupted {
        let games = closing.standings.games();
        print_error(|| match recorded {
            true => tr!("interrupted after {games} games; --resume continues", games),
            false => tr!("interrupted after {games} games; nothing is saved without --pgn FILE", games),
        });
        return ExitCode::from(EXIT_INTERRUPTED);
    }
    verdict_code(roster, &closing.standings)
}

/// The exit code of the SPRT's verdict; success without one.
fn verdict_code(roster: &TournamentInfo, standings: &Standings) -> ExitCode {
    match roster.decision(standings) {
        _ if roster.depends_on_faults(standings) => ExitCode::from(EXIT_DOUBTFUL),
        SprtVerdict::H0 => ExitCode::from(EXIT_H0),
        SprtVerdict::Open if roster.sprt.is_some() => ExitCode::from(EXIT_UNDECIDED),
        SprtVerdict::H1 | SprtVerdict::Open => ExitCode::SUCCESS,
    }
}

/// Receives each game: it is recorded first, so that nothing is shown that could be lost.
struct ArenaObserver<'a> {
    recorder: GameRecorder,
    archive: Option<TournamentRecord>,
    /// Where the report is written.
    page: Option<(&'a Path, OverwritePolicy)>,
    /// The games for it.
    contents: RecordedGames,
    display: Box<dyn TournamentObserver + 'a>,
}

impl TournamentObserver for ArenaObserver<'_> {
    fn game_over(&mut self, scheduled: &ScheduledGame, played: &GameOutcome, standings: &Standings) -> io::Result<()> {
        let record = self.recorder.record(scheduled, played);
        if let Some(archive) = &mut self.archive {
            archive.add(&record, self.recorder.notation)?;
        }
        if self.page.is_some() {
            self.contents.extend(finished_game(&record, *scheduled).map(|game| (game, record)));
        }
        self.display.game_over(scheduled, played, standings)
    }

    fn tournament_over(&mut self, standings: &Standings) -> io::Result<()> {
        if let Some((path, over)) = self.page {
            let GameRecorder { event, roster, .. } = &self.recorder;
            report::page::write(path, over, event, roster, &self.contents).map_err(io::Error::other)?;
        }
        self.display.tournament_over(standings)
    }

    fn print_beside(&mut self, say: &dyn Fn()) {
        self.display.print_beside(say);
    }
}

fn tournament(args: &ArenaArgs) -> Result<Tournament, CliError> {
    let engines = [args.tournament.own_engines.as_slice(), &args.tournament.engines].concat();
    if engines.len() < 2 {
        return Err(cli_error!("a tournament takes two engines at least; name them with --engine or --self"));
    }
    for (index, engine) in engines.iter().enumerate() {
        if engines[..index].iter().any(|other| other.name == engine.name) {
            return Err(cli_error!("two engines are called '{name}'", name = engine.name.clone()));
        }
    }
    if args.sprt.is_some() && engines.len() > 2 {
        return Err(sprt_needs_two_engines());
    }
    if args.sprt.is_some() && args.shard.is_some() {
        return Err(cli_error!("--sprt cannot decide on one part of the games; give it to --merge"));
    }
    let games = args.tournament.games.unwrap_or(100) as usize;
    if games % 2 == 1 {
        let played = games + 1;
        print_error(|| tr!("{games} games are no whole pairs: each pairing has {played}", games, played));
    }
    let referee = args.referee.spec();
    let budget = args.budget.budget();
    if referee.ponder {
        check_pondering(&engines, budget)?;
    }
    Ok(Tournament {
        event: args.record.event.clone().unwrap_or_else(|| DEFAULT_EVENT.to_string()),
        own_id: format!("Chuhe {VERSION}"),
        engines,
        format: if args.tournament.gauntlet { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin },
        games,
        budget,
        openings: openings(args, games.div_ceil(2), referee.rules)?,
        referee,
        swap_colours: !args.tournament.no_swap,
        concurrency: args.tournament.concurrency.unwrap_or(1).into(),
        sprt: args.sprt,
        shard: args.shard.unwrap_or(Shard { part: 1, of: 1 }),
        tolerate_faults: args.tournament.tolerate_faults,
    })
}

fn sprt_needs_two_engines() -> CliError {
    cli_error!("--sprt is for a match of two engines")
}

/// Only an external program can ponder, and pondering gains something only with a clock.
fn check_pondering(engines: &[EngineSpec], budget: Budget) -> Result<(), CliError> {
    for engine in engines {
        let is_program = matches!(engine.driver, EngineSource::Program(_));
        let on_time = matches!(engine.budget.unwrap_or(budget), Budget::Clock(_) | Budget::MoveTime(_));
        if !is_program || !on_time {
            return Err(cli_error!(
                "--ponder is for programs (--engine) that play by time (--tc, --movetime): '{name}' is none",
                name = engine.name.clone()
            ));
        }
    }
    Ok(())
}

fn openings(args: &ArenaArgs, pairs: usize, rules: Rules) -> Result<Openings, OpeningError> {
    let (source, args) = (&args.source, &args.openings);
    let (plies, seed) = (args.plies.unwrap_or(8), args.seed.unwrap_or(1));
    if let Some(path) = &source.openings {
        let mut list = openings::read_openings(path, plies as usize, rules)?;
        if args.shuffle {
            list.shuffle(&mut StdRng::seed_from_u64(seed));
        }
        let first = args.first_opening.unwrap_or(1) as usize - 1;
        let count = list.len();
        list.rotate_left(first % count.max(1));
        return Ok(Openings::Listed(list));
    }
    if let Some(path) = &source.book {
        let mut list = openings::openings_from_book(path, plies as usize)?;
        list.shuffle(&mut StdRng::seed_from_u64(seed));
        return Ok(Openings::Listed(list));
    }
    let count = source.random_openings.map_or(pairs, |count| count as usize);
    let (limited, balance) = (source.random_openings.is_some(), args.balance.unwrap_or(20));
    Ok(Openings::Random(RandomOpeningSettings { count, limited, plies, seed, max_score: balance }))
}
