//! One position: on a terminal redrawn in place until a limit is reached or Ctrl-C is pressed, elsewhere told in the end;
//! as JSON for scripts.

use super::args::{AnalyseArgs, bounded};
use super::error::AnalyseError;
use super::text::{self, Manner};
use super::told::Told;
use crate::cli::remarks::say_remarks;
use crate::interrupts::{INTERRUPTED, Interrupts, Wish};
use crate::terminal::{self, Progress};
use chuhe_toolkit::analyse::{Analysis, Pool, Query, Report, Spot, Word};
use chuhe_toolkit::text::{cut, wrapped};
use std::io::Write;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often the picture changes.
const FRAME: Duration = Duration::from_millis(200);
/// How often somebody looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(30);

pub fn run(
    args: &AnalyseArgs,
    spot: Spot,
    manner: &Manner,
    out: &mut dyn Write,
    is_terminal: bool,
) -> Result<ExitCode, AnalyseError> {
    let (_, equipment) = args.equipment(true)?;
    let is_drawn = is_terminal && !args.json;
    let query = args.query(spot)?;
    let query = Query { every: if is_drawn { Some(FRAME) } else { query.every }, ..query };
    let query = if is_drawn { query } else { bounded(query) };
    let interrupts = Interrupts::listen()?;
    let pool = Pool::open(1, &equipment)?;
    let (sender, words) = mpsc::channel();
    // Nobody is left to be told once this function has ended.
    let ticket = pool.ask(query, 0, Box::new(move |word| drop(sender.send(word))));
    let mut picture = is_drawn.then(|| Progress::on_output(None));
    let mut interrupted = false;
    let answer = loop {
        match interrupts.news() {
            Some(_) if interrupted => std::process::exit(INTERRUPTED.into()),
            Some(Wish::Finish | Wish::Drop) => {
                interrupted = true;
                pool.give_up(ticket);
            }
            None => {}
        }
        match words.recv_timeout(PATIENCE) {
            Ok(Word::Final(answer)) => break answer,
            Ok(Word::Partial(analysis)) => match &mut picture {
                Some(picture) => draw(picture, &analysis, manner),
                None if args.json => tell(out, false, &Report::of(&analysis, &equipment))?,
                None => writeln!(out, "{}", text::table(&analysis, manner)).and_then(|()| out.flush())?,
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(std::io::Error::other("the search has failed").into());
            }
        }
    };
    drop(picture);
    if args.json {
        tell(out, true, &Report::of(&answer, &equipment))?;
    } else {
        let table = text::table(&answer, manner);
        write!(out, "{}", wrapped(&table, terminal::width(is_terminal)))?;
        out.flush()?;
    }
    say_remarks(&equipment.tables);
    // Who has no other way to end it has not interrupted anything.
    let is_cut_short = interrupted && !answer.query.is_endless();
    Ok(if is_cut_short { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The table as it stands, a row for each of its lines.
fn draw(picture: &mut Progress, analysis: &Analysis, manner: &Manner) {
    let width = terminal::width(true);
    let rows: Vec<String> =
        text::table(analysis, manner).lines().map(|line| cut(line, width) + "\n").collect();
    picture.stands_below(rows.concat());
    picture.at(0, "");
}

fn tell(out: &mut dyn Write, is_final: bool, report: &Report) -> Result<(), AnalyseError> {
    writeln!(out, "{}", Told { id: None, number: None, r#final: is_final, report }.line())?;
    Ok(out.flush()?)
}
