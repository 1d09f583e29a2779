//! A file of queries, a JSON object on each line: a list, whose answers come in its order.

use super::args::{AnalyseArgs, with_default_time};
use super::entries::{Entries, ListEntry};
use super::error::AnalyseError;
use crate::cli::game_selection::is_in_shard;
use crate::cli::position_args::FaultPrinter;
use crate::protocol::{InputEvent, MAX_LINE_LENGTH, read_in_background};
use chuhe_study::analyse::request::{AnalyseRequest, AnalyseRequestError, QueryBatch};
use chuhe_study::analyse::{GamePosition, Query};
use chuhe_support::files::At;
use chuhe_support::language::{Language, sanitize, tr};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc;
use xiangqi::Position;

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
pub fn entries<'a>(file: &Path, args: &'a AnalyseArgs) -> Result<Entries<'a>, AnalyseError> {
    if args.every_ply || args.only.is_some() || args.avoid.is_some() || args.position.selects_position() {
        return Err(AnalyseError::OfQueryFile);
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
