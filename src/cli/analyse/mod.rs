//! `chuhe analyse`: analyses one position, a list of positions, or the queries of a script. One position is on a terminal
//! redrawn in place until a limit is reached or Ctrl-C is pressed, elsewhere printed at the end; JSON is for scripts.

mod list;
mod session;

use self::list::{PositionList, SourceGame};
use super::error::{CliError, cli_error};
use super::games::GameSelection;
use super::output::{OverwriteArgs, print_tablebase_warnings};
use super::position_args::{self, InputSpec, PositionArgs};
use super::values::{group_digits, number_in, parse_seconds, thread_count, worded};
use crate::protocol;
use chuhe_engine::nnue::{self, Explanation, large_network};
use chuhe_engine::score::Score;
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::analyse::{
    Analysis, AnalysisLine, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, GamePosition, MAX_DEPTH,
    MAX_LINES, MAX_MATE_MOVES, Query, QueryTask, SearchBudget,
};
use chuhe_study::batch::search_failed;
use chuhe_study::book::{self, Book, EMBEDDED_BOOK_NAME, opening_names};
use chuhe_study::player::HASH_MB;
use chuhe_study::reader::{NamedVerdict, choose_notation, chosen_notation, default_notation, line_in, move_in};
use chuhe_study::review::{Assessment, percent, score_text};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::files::{At, OutputError, is_stdio};
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::{Localize, Localized};
use chuhe_support::terminal::{self, ProgressDisplay};
use chuhe_support::text_width::{truncate, wrap};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use xiangqi::{Color, Move, Piece, Position, RuleSet, Rules, Square};
use xiangqi_record::{Notation, RecordFileError, RecordFormat, notation};

const EXAMPLES: &str = "\
Examples:
  chuhe analyse                                   the start position, until Ctrl-C
  chuhe analyse h2e2 h9g7 --lines 3               three lines behind these moves
  chuhe analyse game.pgn --ply 30 --time 5 --notation ICCS
  chuhe analyse game.xqf --every-ply --nodes 100000 --json
  chuhe analyse positions.txt --depth 14 --out answers.jsonl
                                                  all of a list, on all processors; continues where it was interrupted
  chuhe analyse \"FEN\" --mate 5                    is there a mate in five?
  chuhe analyse game.pgn --ply 30 --eval          what the network says of the position, piece by piece
  chuhe analyse queries.jsonl --shard 1/8         answers queries, a JSON object a line; --stdin does as they come

Without a limit one position is analysed until Ctrl-C on a terminal, and everything else for one second. A file of
positions, one on each line, is a list. `docs/scripts.md` describes the JSON and the queries.";

/// Time for each position where no limit is given, except for a live analysis.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Arguments of `chuhe analyse`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// Every position of the game, the first one first, as a list; of all games of a file, unless --game chooses some
    #[arg(long)]
    pub every_ply: bool,
    /// Only part K of N of the games, of a list of positions, or of queries: for N machines that share a file
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// How many best lines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=MAX_LINES as u16))]
    pub lines: u16,
    /// Seconds for each position; the first limit that is reached ends its search
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<Duration>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=MAX_DEPTH))]
    pub depth: Option<u32>,
    /// Search for a mate in at most N moves, and end when that is settled
    #[arg(long, value_name = "MOVES", value_parser = number_in::<u32>(1..=MAX_MATE_MOVES))]
    pub mate: Option<u32>,
    /// Explain the static evaluation of the position, piece by piece
    #[arg(long, conflicts_with_all = ["eval_only", "mate", "time", "nodes", "depth", "lines", "every_ply", "shard", "only",
        "avoid", "threads", "at_once", "hash", "tables", "book", "rules", "natural_limit", "notation", "mover", "every", "out",
        "force", "stdin"])]
    pub eval: bool,
    /// Evaluate the position without a search
    #[arg(long, conflicts_with_all = ["mate", "time", "nodes", "depth", "lines"])]
    pub eval_only: bool,
    /// Choose from these first moves only
    #[arg(long, value_name = "\"M1 M2 …\"", conflicts_with_all = ["every_ply", "stdin"])]
    pub only: Option<String>,
    /// Leave these first moves out
    #[arg(long, value_name = "\"M1 M2 …\"", conflicts_with_all = ["every_ply", "stdin"])]
    pub avoid: Option<String>,
    /// How many threads search [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    pub threads: Option<u16>,
    /// How many positions of a list, or queries, are searched at a time, with a part of the threads each [default: one
    /// for each thread]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    pub at_once: Option<u16>,
    /// Size of the hash table in megabytes, for each position that is searched at a time
    #[arg(long, value_name = "MB", default_value_t = HASH_MB as u32, value_parser = number_in::<u32>(1..=1_048_576))]
    pub hash: u32,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    pub tables: Vec<PathBuf>,
    /// The book that is asked what is played
    #[arg(long, value_name = "FILE", default_value = EMBEDDED_BOOK_NAME)]
    pub book: PathBuf,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, value_name = "SET", default_value_t, value_parser = worded::<RuleSet>)]
    pub rules: RuleSet,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    pub natural_limit: Option<usize>,
    /// How moves are written for people: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    pub notation: Option<Notation>,
    /// Show people the scores of the side to move instead of red's
    #[arg(long)]
    pub mover: bool,
    /// Print a JSON object for each position
    #[arg(long)]
    pub json: bool,
    /// Print partial results every N seconds, where the table is not redrawn in place
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, conflicts_with_all = ["every_ply", "out"])]
    pub every: Option<Duration>,
    /// Append the JSON of a list to this file, and pass over what is in it already
    #[arg(long, value_name = "FILE", conflicts_with = "stdin")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub over: OverwriteArgs,
    /// Answer queries on standard input, a JSON object a line
    #[arg(long, conflicts_with_all = ["words", "fen", "moves", "number", "ply", "every_ply"])]
    pub stdin: bool,
}

impl AnalyseArgs {
    /// The query about a position; it has no limit if none was given.
    pub fn query(&self, game_position: GamePosition) -> Result<Query, CliError> {
        let task = match self.mate {
            Some(moves) => QueryTask::Mate(moves),
            None if self.eval_only => QueryTask::Evaluate,
            None => QueryTask::Search,
        };
        let position = game_position.position();
        let only = moves(self.only.as_deref(), &position)?;
        let avoid = moves(self.avoid.as_deref(), &position)?;
        let query = Query {
            rules: Rules::with_limit(self.rules, self.natural_limit),
            task,
            budget: SearchBudget { time: self.time, nodes: self.nodes, depth: self.depth },
            lines: self.lines.into(),
            include_moves: only,
            exclude_moves: avoid,
            report_interval: self.every,
            ..Query::new(game_position)
        };
        if query.has_candidates() { Ok(query) } else { Err(cli_error!("--avoid leaves no move")) }
    }

    /// How many positions are analysed at a time, and the resources of each analyst; a single position gets everything.
    pub fn resources(&self, is_single: bool) -> Result<(usize, AnalystResources), CliError> {
        let threads = thread_count(self.threads.map(usize::from));
        let at_once = if is_single { 1 } else { self.at_once.map_or(threads, usize::from).max(1) };
        let book: Arc<dyn Book> = book::open_book(Path::new(&self.book))?;
        Ok((
            at_once,
            AnalystResources {
                version: protocol::VERSION,
                threads: (threads / at_once).max(1),
                hash_mb: self.hash as usize,
                tablebases: Arc::new(Tablebase::open(&self.tables)),
                books: vec![book],
            },
        ))
    }
}

/// Limits a query without a limit to one second.
fn with_default_time(query: Query) -> Query {
    if !query.is_infinite() {
        return query;
    }
    Query { budget: SearchBudget { time: Some(DEFAULT_TIME), ..query.budget }, ..query }
}

/// First moves in any notation, as named on the command line.
fn moves(text: Option<&str>, position: &Position) -> Result<Vec<Move>, CliError> {
    let words = text.unwrap_or_default().split_whitespace();
    words.map(|word| Ok(notation::parse_with(position, word, chosen_notation())?)).collect()
}

/// Runs the analysis. The exit code says whether something was unreadable or was interrupted.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, CliError> {
    if args.stdin {
        return session::serve_stdin(args);
    }
    if args.out.as_deref().is_some_and(is_stdio) {
        return Err(OutputError::StdoutNotAllowed.into());
    }
    choose_notation(args.notation);
    let notation = default_notation();
    let language = Language::current();
    let style = TextStyle { language, notation, mover_scores: args.mover };
    let InputSpec::File(file) = args.position.input()? else {
        let game_position = GamePosition::from_position(&args.position.position()?);
        if args.every_ply || args.out.is_some() {
            let list = PositionList { entries: list::of_position(&game_position, args), several: false, count: None };
            return list::run(args, list, &style, out);
        }
        return run_live(args, game_position, None, &style, out, is_terminal);
    };
    if list::is_query_file(&file) {
        // Queries are answered to programs.
        let args = AnalyseArgs { json: true, ..args.clone() };
        let list = PositionList { entries: list::queries_of_file(&file, &args)?, several: false, count: None };
        return list::run(&args, list, &style, out);
    }
    let source = args.position.open(&file)?;
    let several = match args.position.selection() {
        Some(selection) => !matches!(selection, GameSelection::One(_)),
        None => position_args::has_several_games(&source),
    };
    let is_list_of_positions = source.format() == RecordFormat::Fen && args.position.selection().is_none();
    if several || is_list_of_positions || args.every_ply || args.out.is_some() {
        let entries = list::of_file(&file, &source, args)?;
        let list = PositionList { entries, several, count: Some(Box::new(|| list::count(&source, args))) };
        return list::run(args, list, &style, out);
    }
    let selection = args.position.selection().unwrap_or(GameSelection::One(1));
    let mut games = selection.games_of(&source, &file)?;
    let (number, reading) = games.next().ok_or(Localized(RecordFileError::NoGame)).at(&file)?;
    let reading = reading.map_err(|fault| Localized(RecordFileError::from(fault))).at(&file)?;
    let is_whole = reading.errors.is_empty();
    let game = position_args::game_with_warnings(&file, reading);
    let game_position = GamePosition::from_position(&args.position.position_in_game(&game)?);
    let game = SourceGame::of(number, &game);
    let code = run_live(args, game_position, Some(&game), &style, out, is_terminal)?;
    Ok(if is_whole { code } else { ExitCode::from(1) })
}

/// How often the table is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

fn run_live(
    args: &AnalyseArgs,
    game_position: GamePosition,
    game: Option<&Arc<SourceGame>>,
    style: &TextStyle,
    out: &mut dyn Write,
    is_terminal: bool,
) -> Result<ExitCode, CliError> {
    let (_, resources) = args.resources(true)?;
    let id = game.map_or_else(|| Value::from(1), |game| game.id_at(game_position.ply()));
    let print_report = |out: &mut dyn Write, is_final: bool, analysis: &Analysis| -> Result<(), CliError> {
        let report = AnalysisReport::of(analysis, &resources);
        let subject = Subject::of_id(&id).with_game(game.map(|game| &**game));
        writeln!(out, "{}", to_json_line(&ReportLine { subject, r#final: is_final, report: &report }))?;
        Ok(out.flush()?)
    };
    let is_drawn = is_terminal && !args.json;
    let query = args.query(game_position)?;
    let query = match is_drawn {
        true => Query { report_interval: Some(REDRAW_INTERVAL), ..query },
        false => with_default_time(query),
    };
    let interrupts = InterruptHandler::install()?;
    let pool = AnalystPool::open(1, &resources)?;
    let (sender, words) = mpsc::channel();
    // The receiver is gone once this function has returned.
    let query_id = pool.submit(query, 0, Box::new(move |word| drop(sender.send(word))));
    let mut picture = is_drawn.then(|| ProgressDisplay::on_stdout(None));
    let mut interrupted = false;
    let answer = loop {
        match interrupts.poll() {
            Some(_) if std::mem::replace(&mut interrupted, true) => std::process::exit(EXIT_INTERRUPTED.into()),
            Some(_) => {
                pool.cancel(query_id);
            }
            None => {}
        }
        match words.recv_timeout(POLL_INTERVAL) {
            Ok(AnalysisUpdate::Final(answer)) => break answer,
            Ok(AnalysisUpdate::Partial(analysis)) => match &mut picture {
                Some(picture) => draw(picture, &analysis, style),
                None if args.json => print_report(out, false, &analysis)?,
                None => writeln!(out, "{}", table(&analysis, style)).and_then(|()| out.flush())?,
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(search_failed().into());
            }
        }
    };
    drop(picture);
    if args.json {
        print_report(out, true, &answer)?;
    } else {
        let table = table(&answer, style);
        write!(out, "{}", wrap(&table, terminal::terminal_width(is_terminal)))?;
        out.flush()?;
    }
    print_tablebase_warnings(&resources.tablebases);
    // Ctrl-C is the normal end of an infinite analysis, not an interruption.
    let is_cut_short = interrupted && !answer.query.is_infinite();
    Ok(if is_cut_short { ExitCode::from(EXIT_INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The table so far, a row for each line.
fn draw(picture: &mut ProgressDisplay, analysis: &Analysis, style: &TextStyle) {
    let width = terminal::terminal_width(true);
    let rows: Vec<String> = table(analysis, style).lines().map(|line| truncate(line, width) + "\n").collect();
    picture.set_lines_above(rows.concat());
    picture.set(0, "");
}

/// Prints the terms of the evaluation, a row each, and the sum.
pub fn explain(position: &PositionArgs, is_json: bool, out: &mut dyn Write) -> Result<(), CliError> {
    let position = position.position()?;
    let explanation = nnue::explain(&large_network(), &position);
    let text = if is_json { explanation_json(&position, &explanation).to_string() } else { explanation.localized() };
    writeln!(out, "{text}")?;
    Ok(())
}

fn explanation_json(position: &Position, explanation: &Explanation) -> Value {
    let piece = |&(square, piece, worth): &(Square, Piece, Option<Score>)| json!({"square": square.to_string(), "piece": piece.letter(), "worth": worth});
    json!({
        "fen": position.fen(),
        "network": explanation.network,
        "evaluation": explanation.total,
        "can_win": explanation.has_winning_material,
        "head": explanation.output_bucket,
        "heads": explanation.output_scores,
        "pieces": explanation.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}

/// How to show an analysis to people.
#[derive(Clone)]
pub struct TextStyle {
    pub language: Language,
    pub notation: Notation,
    /// Scores are from the side to move's point of view, not red's.
    pub mover_scores: bool,
}

/// The most book moves shown.
const MAX_BOOK_MOVES: usize = 6;

/// The full analysis, as lines that may be wider than a terminal.
pub fn table(analysis: &Analysis, style: &TextStyle) -> String {
    style.language.with(|| {
        let mut lines = vec![headline(analysis)];
        lines.extend(game_over(analysis, style));
        lines.extend(mate_search(analysis));
        for (index, line) in analysis.lines.iter().enumerate() {
            lines.push(line_of_play(index + 1, line, analysis, style));
            lines.extend(end_of_line(line, style));
        }
        if analysis.lines.is_empty() && analysis.verdict.ending.is_none() {
            lines.extend(static_evaluation(analysis, style));
        }
        lines.extend(losing_moves_text(analysis, style));
        lines.extend(tablebase_text(analysis.tablebase, analysis.position.side()));
        lines.extend(book(analysis, style));
        lines.join("\n") + "\n"
    })
}

/// The analysis of one position of a list, in one line.
pub fn row(number: &str, analysis: &Analysis, style: &TextStyle) -> String {
    style.language.with(|| {
        let (score, chance) = analysis
            .assessment
            .map_or((String::from("-"), String::from("-")), |standing| format_assessment(standing, analysis, style));
        let what = match (analysis.lines.first(), analysis.verdict.ending) {
            (Some(line), _) => move_texts(analysis, line, style.notation),
            (None, Some(_)) => verdict_sentence(analysis, style),
            (None, None) => String::new(),
        };
        let depth = format!("d{}", analysis.depth);
        format!("{number:>4}  {score:>7}  {chance:>4}  {depth:<4} {what}").trim_end().to_string() + "\n"
    })
}

fn headline(analysis: &Analysis) -> String {
    let name = opening_names::name_of_game(&analysis.position);
    let name = name.map(opening_names::OpeningName::localized);
    let side = match analysis.position.side() {
        Color::Red => tr!("red to move"),
        Color::Black => tr!("black to move"),
    };
    let work = if analysis.nodes == 0 {
        String::new()
    } else {
        tr!(
            "  depth {depth}/{seldepth}  {nodes} nodes  {speed} n/s  {seconds} s",
            depth = analysis.depth,
            seldepth = analysis.seldepth,
            nodes = group_digits(analysis.nodes),
            speed = group_digits(analysis.speed()),
            seconds = format!("{:.1}", analysis.time.as_secs_f64())
        )
    };
    let name = name.map_or_else(String::new, |name| format!("  {name}"));
    format!("{side}{name}{work}")
}

fn game_over(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    analysis.verdict.ending.map(|_| verdict_sentence(analysis, style))
}

fn verdict_sentence(analysis: &Analysis, style: &TextStyle) -> String {
    NamedVerdict::new(analysis.verdict, &analysis.position).sentence(style.notation)
}

fn mate_search(analysis: &Analysis) -> Option<String> {
    let search = analysis.mate_search?;
    let moves = |count: u32| if count == 1 { tr!("1 move") } else { tr!("{count} moves", count) };
    Some(match search.found {
        Some(found) if search.ruled_out + 1 >= found => {
            tr!("mate in {moves}, and there is no shorter one", moves = moves(found))
        }
        Some(found) => tr!("mate in {moves}; a shorter one is not ruled out", moves = moves(found)),
        None if search.ruled_out >= search.requested => {
            tr!("there is no mate in {moves}", moves = moves(search.requested))
        }
        None => tr!("no mate found; there is none in {moves}", moves = moves(search.ruled_out)),
    })
}

/// The static evaluation, shown where there is no line of play.
fn static_evaluation(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let (score, chance) = format_assessment(analysis.assessment?, analysis, style);
    Some(tr!("without looking ahead: {score}  {chance}", score, chance))
}

/// Score and win rate, from the chosen point of view.
fn format_assessment(standing: Assessment, analysis: &Analysis, style: &TextStyle) -> (String, String) {
    let seen = if style.mover_scores { standing } else { standing.from_red(analysis.position.side()) };
    (score_text(seen.score), percent(seen.chance))
}

fn line_of_play(number: usize, line: &AnalysisLine, analysis: &Analysis, style: &TextStyle) -> String {
    let (score, chance) = format_assessment(line.assessment, analysis, style);
    let bound = if style.mover_scores { line.bound } else { line.bound.from_red(analysis.position.side()) };
    let score = format!("{}{score}", bound.sign());
    format!("{number:>2} {score:>6} {chance:>4}  {}", move_texts(analysis, line, style.notation))
}

fn move_texts(analysis: &Analysis, line: &AnalysisLine, notation: Notation) -> String {
    line_in(&analysis.position, &line.moves, notation).join(" ")
}

fn end_of_line(line: &AnalysisLine, style: &TextStyle) -> Option<String> {
    let line_verdict = line.line_verdict.as_ref()?;
    let verdict = line_verdict.judgement.sentence(style.notation);
    let margin = " ".repeat(16);
    Some(match line_verdict.cycle {
        0 => format!("{margin}{verdict}"),
        _ => format!("{margin}{}", tr!("repeated on: {verdict}", verdict)),
    })
}

fn losing_moves_text(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let write = |&mv| move_in(&analysis.position, mv, style.notation);
    let moves: Vec<String> = analysis.losing_moves.iter().map(write).collect();
    (!moves.is_empty()).then(|| tr!("lost at once by the rules: {moves}", moves = moves.join(" ")))
}

fn tablebase_text(answer: Option<ProbeResult>, side: Color) -> Option<String> {
    let winner = |wins: bool| match (wins, side) {
        (true, Color::Red) | (false, Color::Black) => tr!("red wins"),
        _ => tr!("black wins"),
    };
    let answer = answer?;
    let text = match answer {
        ProbeResult::Win(_) => winner(true),
        ProbeResult::Loss(_) => winner(false),
        ProbeResult::Draw => tr!("a draw"),
        ProbeResult::Doubtful => tr!("a draw if the rules of repetition let both hold it"),
    };
    Some(match answer.plies() {
        Some(plies) => tr!("endgame table: {verdict}, in {plies} plies", verdict = text, plies),
        None => tr!("endgame table: {verdict}", verdict = text),
    })
}

fn book(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let one = |entry: &chuhe_study::book::BookMove| {
        let text = move_in(&analysis.position, entry.mv, style.notation);
        format!("{text} {:.0}%", book::weight_percent(entry, &analysis.book))
    };
    let listed: Vec<String> = analysis.book.iter().take(MAX_BOOK_MOVES).map(one).collect();
    let more = if analysis.book.len() > MAX_BOOK_MOVES { " …" } else { "" };
    (!listed.is_empty()).then(|| tr!("book: {moves}", moves = listed.join("  ") + more))
}

/// A line of JSON: the report of an analysis, and what it is about.
#[derive(Serialize)]
pub struct ReportLine<'a> {
    #[serde(flatten)]
    pub subject: Subject<'a>,
    pub r#final: bool,
    #[serde(flatten)]
    pub report: &'a AnalysisReport,
}

/// What an answer is about.
#[derive(Serialize)]
pub struct Subject<'a> {
    /// The number in the list, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The id of the query; in a list the number, or the game and the ply.
    pub id: &'a Value,
    /// The number of its game in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// What the file says of its game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<&'a Map<String, Value>>,
    /// The move of the game from there.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub played_move: Option<PlayedMove>,
}

/// A move of the game, where every position of it is analysed.
#[derive(Serialize)]
pub struct PlayedMove {
    /// Null after the last move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The part of the expected points that it loses; null where that is not known.
    pub loss: Option<f64>,
}

impl<'a> Subject<'a> {
    pub fn of_id(id: &'a Value) -> Subject<'a> {
        Subject { number: None, id, game: None, tags: None, played_move: None }
    }

    pub fn with_game(self, game: Option<&'a SourceGame>) -> Subject<'a> {
        Subject { game: game.map(|game| game.number), tags: game.map(|game| &game.tags), ..self }
    }
}

/// An entry of a list about which nothing can be answered.
#[derive(Serialize)]
pub struct ErrorLine<'a> {
    #[serde(flatten)]
    pub subject: Subject<'a>,
    pub error: &'a str,
}

/// The line of JSON, without its line end.
pub fn to_json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}
