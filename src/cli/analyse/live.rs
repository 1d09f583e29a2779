//! Analyses one position: on a terminal redrawn in place until a limit is reached or Ctrl-C is pressed, elsewhere
//! printed at the end; JSON for scripts.

use super::args::{AnalyseArgs, with_default_time};
use super::entries::SourceGame;
use super::error::AnalyseError;
use super::output::{self, ReportLine, Subject, TextStyle};
use crate::cli::output::print_tablebase_warnings;
use chuhe_study::analyse::{Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, GamePosition, Query};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::batch::search_failed;
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler};
use chuhe_support::terminal::{self, ProgressDisplay};
use chuhe_support::text_width::{truncate, wrap};
use serde_json::Value;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often the table is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

pub fn run(
    args: &AnalyseArgs,
    game_position: GamePosition,
    game: Option<&Arc<SourceGame>>,
    style: &TextStyle,
    out: &mut dyn Write,
    is_terminal: bool,
) -> Result<ExitCode, AnalyseError> {
    let (_, resources) = args.resources(true)?;
    let id = game.map_or_else(|| Value::from(1), |game| game.id_at(game_position.ply()));
    let print_report = |out: &mut dyn Write, is_final: bool, analysis: &Analysis| -> Result<(), AnalyseError> {
        let report = AnalysisReport::of(analysis, &resources);
        let subject = Subject::of_id(&id).with_game(game.map(|game| &**game));
        writeln!(out, "{}", output::to_json_line(&ReportLine { subject, r#final: is_final, report: &report }))?;
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
                None => writeln!(out, "{}", output::table(&analysis, style)).and_then(|()| out.flush())?,
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
        let table = output::table(&answer, style);
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
    let rows: Vec<String> = output::table(analysis, style).lines().map(|line| truncate(line, width) + "\n").collect();
    picture.set_lines_above(rows.concat());
    picture.set(0, "");
}
