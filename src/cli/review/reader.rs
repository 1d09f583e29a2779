//! Reads the games of files on a thread of its own, not far ahead of the reviews.

use super::ReviewArgs;
use crate::cli::error::{CliError, cli_error};
use crate::cli::games::{GameSelection, NumberedGame, is_in_shard};
use crate::cli::position_args::{self, FaultPrinter, LoadedGame};
use chuhe_lab::arena::spec::Shard;
use chuhe_study::player_names::PlayerNames;
use chuhe_study::several::{GamePlace, RecurringNames};
use chuhe_support::files::is_stdio;
use chuhe_support::language::{NoThread, print_error, sanitize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use xiangqi_record::{Game, RecordFile};

/// So many names are offered.
const MAX_NAMES: usize = 10;

/// A file of games, perhaps read already.
pub struct GameFile {
    pub path: PathBuf,
    pub source: Option<RecordFile>,
}

/// What comes next.
pub enum Reading {
    /// A game, with its place where it is one of several.
    Game { place: Option<GamePlace>, game: Box<Game>, is_whole: bool },
    /// A game that cannot be read, as was printed; why, in English.
    Fault { place: GamePlace, error: String },
    /// A file has no games; why, unless that was printed.
    BadFile(Option<CliError>),
}

/// How much there is to do.
#[derive(Clone, Copy, Default)]
pub struct TotalWork {
    pub games: usize,
    pub positions: usize,
}

/// Which games are meant.
#[derive(Clone)]
struct GameFilter {
    selection: GameSelection,
    shard: Option<Shard>,
    person: PlayerNames,
}

/// The games, as they are read.
pub struct GameReader {
    pub readings: Receiver<Reading>,
    /// Known once all games were counted.
    total: Arc<OnceLock<TotalWork>>,
    person: PlayerNames,
    /// The names in games of others, if there are such games.
    others: Arc<Mutex<Option<RecurringNames>>>,
}

impl GameReader {
    /// One game, which is read already.
    pub fn of_game(LoadedGame { game, is_complete }: LoadedGame) -> GameReader {
        let (sender, readings) = sync_channel(1);
        let total = TotalWork { games: 1, positions: game.moves().count() + 1 };
        // The receiver is here, and has room.
        let _ = sender.send(Reading::Game { place: None, game: Box::new(game), is_whole: is_complete });
        let total = Arc::new(OnceLock::from(total));
        GameReader { readings, total, person: PlayerNames::default(), others: Arc::default() }
    }

    /// Begins to read, no more than `ahead` games ahead, and to count the games.
    pub fn start(
        files: Vec<GameFile>,
        args: &ReviewArgs,
        person: PlayerNames,
        ahead: usize,
        is_counted: bool,
    ) -> Result<GameReader, NoThread> {
        let selection = args.number.unwrap_or(GameSelection::All);
        let filter = GameFilter { selection, shard: args.shard, person: person.clone() };
        let total = Arc::new(OnceLock::new());
        // Standard input cannot be read again.
        if is_counted && !files.iter().any(|file| is_stdio(&file.path)) {
            let again = files.iter().map(|file| GameFile { path: file.path.clone(), source: None }).collect();
            let (filter, total) = (filter.clone(), Arc::clone(&total));
            let count = move || {
                let _ = total.set(filter.count(again));
            };
            std::thread::Builder::new().name("count".to_string()).spawn(count).map_err(NoThread)?;
        }
        let (sender, readings) = sync_channel(ahead);
        let others = Arc::<Mutex<Option<RecurringNames>>>::default();
        let names = Arc::clone(&others);
        let read = move || {
            let is_only = files.len() == 1;
            filter.visit(files, &mut |file, faults, found| {
                let reading = match found {
                    Ok((_, Ok(parsed))) if filter.is_of_others(&parsed.game) => {
                        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
                        names.get_or_insert_default().add(&parsed.game);
                        return ControlFlow::Continue(());
                    }
                    Ok(game) => reading(file, game, faults),
                    Err(error) if is_only => Reading::BadFile(Some(error)),
                    Err(error) => {
                        print_error(|| error.to_string());
                        Reading::BadFile(None)
                    }
                };
                // Nobody listens after Ctrl-C or an error.
                if sender.send(reading).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        };
        // It may wait for standard input for ever; it is not joined.
        std::thread::Builder::new().name("reader".to_string()).spawn(read).map_err(NoThread)?;
        Ok(GameReader { readings, total, person, others })
    }

    pub fn total(&self) -> Option<TotalWork> {
        self.total.get().copied()
    }

    /// The error if there were games, but none of the person.
    pub fn no_game(&self) -> Option<CliError> {
        let names = self.others.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.text(MAX_NAMES);
        let (player, names) = (sanitize(&self.person.text()).into_owned(), sanitize(&names).into_owned());
        Some(match names.is_empty() {
            true => cli_error!("no game of {player}", player),
            false => cli_error!("no game of {player}; names that recur: {names}", player, names),
        })
    }
}

/// The part of a game that can be read; its faults are printed.
fn reading(file: &Path, (number, game): NumberedGame, faults: &mut FaultPrinter) -> Reading {
    let place = GamePlace { file: sanitize(&file.display().to_string()).into_owned(), number };
    match game {
        Ok(parsed) => {
            parsed.errors.iter().for_each(|fault| faults.print(fault));
            let is_whole = parsed.errors.is_empty();
            Reading::Game { place: Some(place), game: Box::new(parsed.game), is_whole }
        }
        Err(fault) => {
            faults.print(&fault);
            Reading::Fault { place, error: fault.to_string() }
        }
    }
}

/// Is told of a game of a file, or why a file has none; with the printer of the faults of the file.
type Visit<'a> = &'a mut dyn FnMut(&Path, &mut FaultPrinter, Result<NumberedGame, CliError>) -> ControlFlow<()>;

impl GameFilter {
    fn is_of_others(&self, game: &Game) -> bool {
        self.person.sides(game).is_empty()
    }

    /// Visits the games of files one after the other, also those of other persons, until `visit` breaks.
    fn visit(&self, files: Vec<GameFile>, visit: Visit) {
        let (is_only, mut count) = (files.len() == 1, 0);
        for GameFile { path, source } in files {
            let mut faults = FaultPrinter::of(&path);
            let visit_file = || -> Result<ControlFlow<()>, CliError> {
                let source = source.map_or_else(|| position_args::open(&path), Ok)?;
                for (number, game) in self.selection.games_of(&source, &path)? {
                    count += 1;
                    if is_in_shard(self.shard, if is_only { number } else { count }) {
                        let flow = visit(&path, &mut faults, Ok((number, game)));
                        if flow.is_break() {
                            return Ok(flow);
                        }
                    }
                }
                Ok(ControlFlow::Continue(()))
            };
            let flow = visit_file();
            if flow.unwrap_or_else(|error| visit(&path, &mut faults, Err(error))).is_break() {
                return;
            }
        }
    }

    fn count(&self, files: Vec<GameFile>) -> TotalWork {
        let mut total = TotalWork::default();
        self.visit(files, &mut |_, _, found| {
            if let Ok((_, game)) = found
                && !game.as_ref().is_ok_and(|parsed| self.is_of_others(&parsed.game))
            {
                total.games += 1;
                total.positions += game.map_or(0, |parsed| parsed.game.moves().count() + 1);
            }
            ControlFlow::Continue(())
        });
        total
    }
}
