//! Many positions: of a list, a game or several, or of the queries in a file. They are read one after the other as they are
//! needed, analysed as many at a time as there are threads, and printed in the order of the list, or appended to a journal.

use super::{AnalyseArgs, ErrorLine, PlayedMove, ReportLine, Subject, TextStyle, row, to_json_line, with_default_time};
use crate::cli::error::{CliError, cli_error};
use crate::cli::games::{GameSelection, NumberedGame, is_in_shard};
use crate::cli::journal::{Journal, LineFault, Start, conditions_of};
use crate::cli::output::print_tablebase_warnings;
use crate::cli::position_args::FaultPrinter;
use crate::protocol::{InputEvent, MAX_LINE_LENGTH, read_in_background};
use chuhe_engine::search::Control;
use chuhe_study::analyse::{
    AnalyseRequest, AnalyseRequestError, AnalysisConditions, AnalysisReport, Analyst, AnalystResources, GamePosition,
    Query, QueryBatch,
};
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::review::{Assessment, move_loss, round_to};
use chuhe_support::files::At;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, phrase, print_error, sanitize, tr};
use chuhe_support::terminal::ProgressDisplay;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use xiangqi::{Move, Position};
use xiangqi_record::{Game, ParsedGame, RecordError, RecordFile, RecordFormat};

/// A game of a file.
pub struct SourceGame {
    /// From 1.
    pub number: usize,
    pub tags: Map<String, Value>,
}

impl SourceGame {
    pub fn of(number: usize, game: &Game) -> Arc<SourceGame> {
        let tags = game.tags.iter().map(|(name, value)| (name.clone(), sanitize(value).into_owned().into()));
        Arc::new(SourceGame { number, tags: tags.collect() })
    }

    /// Identifies a position of this game in the answers.
    pub fn id_at(&self, ply: usize) -> Value {
        Value::from(format!("{}:{ply}", self.number))
    }
}

/// An entry of a list.
pub struct ListEntry {
    /// Its number in the list, from 1.
    pub number: usize,
    pub id: Value,
    /// The game that it comes from.
    pub game: Option<Arc<SourceGame>>,
    /// What is asked about it, or why nothing can be, in English.
    pub query: Result<Query, String>,
}

pub type Entries<'a> = Box<dyn Iterator<Item = ListEntry> + 'a>;

/// A list of positions.
pub struct PositionList<'a> {
    pub entries: Entries<'a>,
    /// Whether it is about several games.
    pub several: bool,
    /// Counts the entries, which takes as long as reading all games; not for a position of the command line.
    pub count: Option<Box<dyn Fn() -> usize + 'a>>,
}

impl PositionList<'_> {
    /// How people are told which position an answer is about: the number in the list, or the game and the ply.
    pub fn label(&self, entry: &ListEntry, every_ply: bool) -> String {
        match entry.id.as_str() {
            Some(id) if self.several && every_ply => id.to_string(),
            _ => entry.number.to_string(),
        }
    }
}

/// A position, or why there is none; with the id and the game of its entry.
type Found = (Value, Option<Arc<SourceGame>>, Result<GamePosition, String>);

/// The positions of the selected games of a file: the last one of each, or every one. Faults are printed as they are met.
pub fn of_file<'a>(file: &Path, source: &'a RecordFile, args: &'a AnalyseArgs) -> Result<Entries<'a>, CliError> {
    let mut faults = FaultPrinter::of(file);
    let selection = args.position.selection().unwrap_or(GameSelection::All);
    let games = selection.games_of(source, file)?;
    // The lines of a list of positions are no games.
    let is_game = args.every_ply || source.format() != RecordFormat::Fen;
    if args.every_ply {
        // Numbers are those of the whole list, whatever part of it is done here.
        let mut next = 1;
        return Ok(Box::new(games.flat_map(move |game| {
            let first = next;
            if !is_in_shard(args.shard, game.0) {
                next += position_count(&game.1, args);
                return Vec::new();
            }
            let found = every_position(game, args, &mut faults);
            next += found.len();
            (first..).zip(found).map(|(number, found)| entry(number, found, args)).collect()
        })));
    }
    let games = games.filter(|(number, _)| is_in_shard(args.shard, *number));
    Ok(Box::new(games.map(move |game| {
        let number = game.0;
        let (game, position) = last_position(game, args, &mut faults);
        let game = game.filter(|_| is_game);
        let id = match (&game, &position) {
            (Some(game), Ok(position)) => game.id_at(position.ply()),
            _ => number.into(),
        };
        entry(number, (id, game, position), args)
    })))
}

/// The number of entries of a file, for the progress bar.
pub fn count(source: &RecordFile, args: &AnalyseArgs) -> usize {
    let selection = args.position.selection().unwrap_or(GameSelection::All);
    let games = selection.games(source).into_iter().flatten().filter(|(number, _)| is_in_shard(args.shard, *number));
    games.map(|(_, reading)| position_count(&reading, args)).sum()
}

/// The number of entries of a game.
fn position_count(reading: &Result<ParsedGame, RecordError>, args: &AnalyseArgs) -> usize {
    match reading {
        Ok(reading) if args.every_ply => match args.position.position_in_game(&reading.game) {
            Ok(last) => last.history_len() + 1 + usize::from(!reading.errors.is_empty()),
            Err(_) => 1,
        },
        _ => 1,
    }
}

/// A position of the command line, or every one of its game.
pub fn of_position<'a>(game_position: &GamePosition, args: &'a AnalyseArgs) -> Entries<'a> {
    let positions = match args.every_ply {
        true => game_position.all().collect(),
        false => vec![game_position.clone()],
    };
    let numbered = (1..).zip(positions).filter(|(number, _)| is_in_shard(args.shard, *number));
    Box::new(numbered.map(|(number, position)| entry(number, (number.into(), None, Ok(position)), args)))
}

fn entry(number: usize, (id, game, position): Found, args: &AnalyseArgs) -> ListEntry {
    let query = position.and_then(|position| match args.query(position) {
        Ok(query) => Ok(Query { clear_hash: true, report_interval: None, ..with_default_time(query) }),
        Err(error) => {
            print_error(|| error.to_string());
            Err(Language::ENGLISH.with(|| error.to_string()))
        }
    });
    ListEntry { number, id, game, query }
}

/// Every position of a game as far as it can be read, and then what is wrong with the rest.
fn every_position(game: NumberedGame, args: &AnalyseArgs, faults: &mut FaultPrinter) -> Vec<Found> {
    let number = game.0;
    let fault = game.1.as_ref().map_or_else(Some, |reading| reading.errors.first()).map(ToString::to_string);
    let (game, position) = last_position((number, game.1), args, faults);
    let Ok(last) = position else {
        return vec![(Value::from(format!("{number}:0")), game, position)];
    };
    let id_at = |ply| Value::from(format!("{number}:{ply}"));
    let positions = last.all().map(|position| (id_at(position.ply()), game.clone(), Ok(position)));
    let fault = fault.map(|fault| (id_at(last.plies() + 1), game.clone(), Err(fault)));
    positions.chain(fault).collect()
}

/// The position of a game that the options select; of every ply the last one that can be reached.
fn last_position(
    (number, reading): NumberedGame,
    args: &AnalyseArgs,
    faults: &mut FaultPrinter,
) -> (Option<Arc<SourceGame>>, Result<GamePosition, String>) {
    let reading = match reading {
        Ok(reading) => reading,
        Err(fault) => {
            faults.print(&fault);
            return (None, Err(fault.to_string()));
        }
    };
    let game = Some(SourceGame::of(number, &reading.game));
    reading.errors.iter().for_each(|fault| faults.print(fault));
    // A position whose moves cannot be played is a different one, so it is left out.
    if let Some(fault) = reading.errors.first().filter(|_| !args.every_ply) {
        return (game, Err(fault.to_string()));
    }
    match args.position.position_in_game(&reading.game) {
        Ok(position) => (game, Ok(GamePosition::from_position(&position))),
        Err(error) => {
            faults.print_text(&error);
            (game, Err(Language::ENGLISH.with(|| error.to_string())))
        }
    }
}

/// Whether a file has queries: by its name, or because its first line is an object.
pub fn is_query_file(file: &Path) -> bool {
    let is_named_so = |name: &str| ["jsonl", "ndjson"].contains(&name.to_lowercase().as_str());
    if !file.is_file() {
        return false;
    }
    file.extension().and_then(|name| name.to_str()).is_some_and(is_named_so)
        || File::open(file).is_ok_and(|opened| {
            let mut line = Vec::new();
            let read = BufReader::new(opened.take(MAX_LINE_LENGTH as u64)).read_until(b'\n', &mut line);
            read.is_ok() && serde_json::from_slice::<Map<String, Value>>(&line).is_ok()
        })
}

/// The queries of a file, read as they are needed.
pub fn queries_of_file<'a>(file: &Path, args: &'a AnalyseArgs) -> Result<Entries<'a>, CliError> {
    if args.every_ply || args.only.is_some() || args.avoid.is_some() || args.position.selects_position() {
        return Err(cli_error!(
            "a file of queries says itself what is searched: leave out --every-ply, --game, --ply, --moves, --only and --avoid"
        ));
    }
    let usual = with_default_time(args.query(GamePosition::from_position(&Position::start()))?);
    let (events, inbox) = mpsc::channel();
    let backlog = read_in_background(File::open(file).at(file)?, events).at(file)?;
    let lines = inbox.into_iter().inspect(move |event| backlog.remove(event.size()));
    let lines = lines.filter_map(|event| match event {
        InputEvent::Line(line, _) if line.trim_ascii().is_empty() => None,
        InputEvent::Line(line, _) => Some(Ok(line)),
        InputEvent::TooLong => Some(Err(format!("longer than {MAX_LINE_LENGTH} bytes"))),
        InputEvent::EndOfInput | InputEvent::JobFinished(_) => None,
    });
    let lines = (1..).zip(lines).filter(|(number, _)| is_in_shard(args.shard, *number));
    let (mut faults, mut unknown) = (FaultPrinter::of(file), BTreeSet::new());
    let queries = lines.flat_map(move |(number, line)| {
        let read = line.map_err(|error| (Value::Null, error)).and_then(|line| read_queries(&line, &usual));
        let (id, queries) = match read {
            Ok((batch, fields)) => {
                for field in fields.into_iter().filter(|field| unknown.insert(field.clone())) {
                    faults.print_text(&tr!("{number}: unknown field '{field}'", number, field = sanitize(&field)));
                }
                (batch.id, batch.queries.into_iter().map(Ok).collect())
            }
            Err((id, error)) => {
                faults.print_text(&format!("{number}: {error}"));
                (id, vec![Err(error)])
            }
        };
        queries.into_iter().map(move |query| ListEntry { number, id: id.clone(), game: None, query })
    });
    Ok(Box::new(queries))
}

/// What a line asks, and its unknown fields; or its id, and what is wrong with it.
fn read_queries(line: &[u8], usual: &Query) -> Result<(QueryBatch, Vec<String>), (Value, String)> {
    let sentence = |error: AnalyseRequestError| {
        let field = error.field.as_ref().map_or_else(String::new, |field| format!("{field}: "));
        (error.id.clone(), format!("{field}{error}"))
    };
    let read = Language::ENGLISH.with(|| AnalyseRequest::read(line, usual).map_err(sentence))?;
    match read.request {
        AnalyseRequest::Analyse(batch) if batch.queries.iter().any(Query::is_infinite) => {
            Err((batch.id, "infinite: is for --stdin only".to_string()))
        }
        AnalyseRequest::Analyse(mut batch) => {
            batch.queries.iter_mut().for_each(|query| query.report_interval = None);
            Ok((batch, read.unknown))
        }
        other => Err((other.id().clone(), "action: is for --stdin only".to_string())),
    }
}

/// The first bytes of every answer.
const LINE_PREFIX: &[u8] = b"{\"number\":";

/// The fields of an answer that identify its query.
#[derive(Deserialize)]
#[serde(untagged)]
enum KeptLine {
    Answer { start: String, played: Vec<String>, conditions: Map<String, Value> },
    Fault { error: String },
}

/// What a file has already.
#[derive(Default)]
struct KeptLines {
    answers: usize,
    faults: usize,
}

/// Opens or creates the journal of a list, passes over the entries that it has already, and returns how many they are:
/// answers and faults.
fn open_journal(
    path: &Path,
    start: Start,
    entries: &mut Entries,
    resources: &AnalystResources,
) -> Result<(Journal, KeptLines), CliError> {
    let mut kept = KeptLines::default();
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("analyses")), start, |_, line| {
        let there: KeptLine = serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
        match there {
            KeptLine::Answer { .. } => kept.answers += 1,
            KeptLine::Fault { .. } => kept.faults += 1,
        }
        check(&there, entries.next(), resources)
    })?;
    Ok((journal, kept))
}

fn check(there: &KeptLine, entry: Option<ListEntry>, resources: &AnalystResources) -> Result<(), LineFault> {
    let query = entry.ok_or(LineFault::OtherItem)?.query;
    let (start, played, conditions, query) = match (there, query) {
        (KeptLine::Answer { start, played, conditions }, Ok(query)) => (start, played, conditions, query),
        (KeptLine::Fault { error }, Err(fault)) if *error == fault => return Ok(()),
        _ => return Err(LineFault::OtherItem),
    };
    let position = &query.position;
    if *start != position.start().fen() || !position.played().iter().map(ToString::to_string).eq(played.iter().cloned())
    {
        return Err(LineFault::OtherItem);
    }
    LineFault::check_conditions(conditions, &conditions_of(&AnalysisConditions::of(&query, resources)))
}

/// Positions for each analyst that may be submitted ahead of the next one to print.
const LOOKAHEAD_PER_ANALYST: usize = 8;

/// Where answers are written, one for each position.
enum AnswerSink<'a> {
    Output(&'a mut dyn Write),
    Log(Journal),
}

/// An answer, in the form that its thread has made of it.
enum AnswerText {
    Row(String),
    Report(Box<AnalysisReport>),
}

struct ListAnswer {
    text: AnswerText,
    /// Of the side to move.
    assessment: Option<Assessment>,
    best: Option<Move>,
}

/// What is asked about an entry, and what people call it.
type ListJob = (Arc<Query>, String);

/// Whether an entry is about the next position of the same game as another, where every position is in the list.
fn is_followed_by(entry: &ListEntry, next: &ListEntry) -> bool {
    let ply = |entry: &ListEntry| entry.query.as_ref().map(|query| query.position.ply()).ok();
    let is_same_game = match (&entry.game, &next.game) {
        (Some(game), Some(other)) => Arc::ptr_eq(game, other),
        (game, other) => game.is_none() && other.is_none(),
    };
    is_same_game && ply(entry).zip(ply(next)).is_some_and(|(ply, next)| ply + 1 == next)
}

pub fn run(
    args: &AnalyseArgs,
    mut list: PositionList,
    style: &TextStyle,
    out: &mut dyn Write,
) -> Result<ExitCode, CliError> {
    if args.every.is_some() {
        return Err(cli_error!("--every is for one position, and this is a list"));
    }
    let (at_once, resources) = args.resources(false)?;
    let (sink, kept) = match &args.out {
        Some(path) => {
            let (log, kept) = open_journal(path, args.over.start(), &mut list.entries, &resources)?;
            (AnswerSink::Log(log), kept)
        }
        None => (AnswerSink::Output(out), KeptLines::default()),
    };
    let is_json = args.json || args.out.is_some();
    let window = LOOKAHEAD_PER_ANALYST * at_once;
    // Fewer positions need fewer analysts, with the same resources each.
    let entries: Vec<ListEntry> = list.entries.by_ref().take(at_once).collect();
    let analysts = entries.len().max(1);
    list.entries = Box::new(entries.into_iter().chain(list.entries));
    let progress = ProgressDisplay::new(0);
    let total = list.count.as_ref().filter(|_| progress.is_shown()).map(|count| count());
    if let Some(total) = total {
        progress.set_total(total as u64);
    }
    progress.set_already_done((kept.answers + kept.faults) as u64);
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut analyst, resources, control) = (Analyst::new(&resources)?, &resources, &control);
        Ok(move |(query, label): ListJob| {
            let analysis = analyst.analyse(&query, control, &mut |_| {});
            // Formatted on this thread.
            let text = match is_json {
                true => AnswerText::Report(Box::new(AnalysisReport::of(&analysis, resources))),
                false => AnswerText::Row(row(&label, &analysis, style)),
            };
            let best = analysis.lines.first().map(|line| line.moves[0]);
            Ok(analysis.complete.then_some(ListAnswer { text, assessment: analysis.assessment, best }))
        })
    };
    let workers = (0..analysts).map(|_| worker()).collect::<Result<_, _>>()?;
    let mut work = ListRun {
        list,
        every_ply: args.every_ply,
        shows_moves: is_json && args.every_ply,
        is_json,
        held: None,
        is_at_end: false,
        is_over: false,
        kept,
        sink,
        progress,
        total,
    };
    let batch = Batch { name: "analyst", window, is_in_order: true, control: &control };
    let interrupted = batch.run(workers, |step| work.step(step))?;
    work.write_held(None)?;
    let interrupted = interrupted && (work.is_over || !work.is_at_end);
    let KeptLines { answers, faults } = work.kept;
    drop(work);
    print_tablebase_warnings(&resources.tablebases);
    Ok(match (interrupted, answers, faults) {
        (true, ..) => ExitCode::from(EXIT_INTERRUPTED),
        (false, _, 0) => ExitCode::SUCCESS,
        // The errors have been printed already.
        (false, 0, _) => ExitCode::from(2),
        (false, ..) => ExitCode::from(1),
    })
}

/// The state of a list that is being analysed.
struct ListRun<'a> {
    list: PositionList<'a>,
    every_ply: bool,
    /// Answers tell the moves of the game, and what they lose.
    shows_moves: bool,
    is_json: bool,
    /// An entry that is written once the next one is there: it tells what a move of the game loses.
    held: Option<(ListEntry, Option<ListAnswer>)>,
    /// The list has no more entries.
    is_at_end: bool,
    /// An entry has no answer: nothing is written behind it.
    is_over: bool,
    /// What has been written, with that of earlier runs.
    kept: KeptLines,
    sink: AnswerSink<'a>,
    progress: ProgressDisplay,
    total: Option<usize>,
}

impl ListRun<'_> {
    fn step(&mut self, step: Step<ListEntry, ListJob, ListAnswer>) -> Result<(), CliError> {
        match step {
            Step::Next(next) => *next = self.next(),
            Step::Answered(..) => {}
            Step::Write(entry, answer) => {
                self.write_held(Some((&entry, answer.as_ref())))?;
                self.held = Some((entry, answer));
                if !self.shows_moves {
                    self.write_held(None)?;
                }
            }
            Step::Progress => {
                let done = self.kept.answers + self.kept.faults;
                let text = match self.total {
                    Some(total) => tr!("{done} of {total} positions", done, total),
                    None => tr!("{done} positions", done),
                };
                self.progress.set(done as u64, &text);
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Next<ListEntry, ListJob> {
        let Some(entry) = self.list.entries.next() else {
            self.is_at_end = true;
            return Next::End;
        };
        match &entry.query {
            Ok(query) => {
                let job = (Arc::new(query.clone()), self.list.label(&entry, self.every_ply));
                Next::Job(entry, job)
            }
            Err(_) => Next::Settled(entry),
        }
    }

    /// Writes the entry that is held, in front of the next one if there is one.
    fn write_held(&mut self, next: Option<(&ListEntry, Option<&ListAnswer>)>) -> Result<(), CliError> {
        let Some((entry, answer)) = self.held.take() else { return Ok(()) };
        let after = next.filter(|(next, _)| is_followed_by(&entry, next));
        let lacks_next = after.map_or(next.is_none() && !self.is_at_end, |(_, answer)| answer.is_none());
        self.is_over |= entry.query.is_ok() && (answer.is_none() || self.shows_moves && lacks_next);
        if self.is_over {
            return Ok(());
        }
        let played_move = answer.as_ref().filter(|_| self.shows_moves).and_then(|answer| {
            let mv = entry.query.as_ref().ok()?.position.next_move();
            let loss = after.and_then(|(_, after)| after).and_then(|after| {
                let is_best = answer.best == mv;
                Some(move_loss(answer.assessment?, after.assessment?.opposite(), is_best))
            });
            Some(PlayedMove { mv: mv.map(|mv| mv.to_string()), loss: loss.map(|loss| round_to(loss, 10_000.0)) })
        });
        self.print(entry, answer, played_move)
    }

    fn print(
        &mut self,
        entry: ListEntry,
        answer: Option<ListAnswer>,
        played_move: Option<PlayedMove>,
    ) -> Result<(), CliError> {
        let ListEntry { number, id, game, query } = entry;
        let subject = Subject { number: Some(number), played_move, ..Subject::of_id(&id).with_game(game.as_deref()) };
        match &query {
            Ok(_) => self.kept.answers += 1,
            Err(_) => self.kept.faults += 1,
        }
        let text = match (answer.map(|answer| answer.text), query) {
            (Some(AnswerText::Row(row)), _) => row,
            (Some(AnswerText::Report(report)), _) => {
                to_json_line(&ReportLine { subject, r#final: true, report: &report }) + "\n"
            }
            (None, Err(error)) if self.is_json => to_json_line(&ErrorLine { subject, error: &error }) + "\n",
            (None, _) => String::new(),
        };
        match &mut self.sink {
            AnswerSink::Log(log) => drop(log.append(&text)?),
            AnswerSink::Output(out) => {
                self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
            }
        }
        Ok(())
    }
}
