//! What is written of many reviews: a line of JSON and an annotated game each, as soon as they are ready; at the end the page
//! and the summary. Files get their names at the end, whole.

use super::super::{ReviewArgs, ReviewError, written_line};
use chuhe_study::review::{self, GamePlace, GamesPage, GamesSummary, PlayerNames, Review};
use chuhe_study::train::MistakeCards;
use chuhe_support::date;
use chuhe_support::files::{At, AtomicFile, OverwritePolicy, is_stdio};
use chuhe_support::language::{print_error, tr};
use chuhe_support::terminal;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use xiangqi_record::Encoding;

/// A review as a line of JSON.
#[derive(Serialize)]
struct ReviewLine<'a> {
    #[serde(flatten)]
    review: review::ReviewDocument<'a>,
    file: &'a str,
    /// Its number in the file, from 1.
    game: usize,
}

/// What could not be reviewed, as a line of JSON.
#[derive(Serialize)]
struct ErrorLine<'a> {
    generator: &'static str,
    file: &'a str,
    game: usize,
    error: &'a str,
}

/// Where a kind of output goes.
enum Sink<'a> {
    None,
    Stdout,
    File(&'a Path, AtomicFile),
}

impl<'a> Sink<'a> {
    fn open((path, over): (Option<&'a Path>, OverwritePolicy)) -> Result<Sink<'a>, ReviewError> {
        Ok(match path {
            None => Sink::None,
            Some(path) if is_stdio(path) => Sink::Stdout,
            Some(path) => Sink::File(path, over.create(path)?),
        })
    }

    fn is_wanted(&self) -> bool {
        !matches!(self, Sink::None)
    }

    fn write(&mut self, bytes: &[u8], out: &mut dyn Write) -> Result<(), ReviewError> {
        match self {
            Sink::None => {}
            Sink::Stdout => out.write_all(bytes).and_then(|()| out.flush())?,
            Sink::File(path, file) => file.write(bytes).at(path)?,
        }
        Ok(())
    }

    /// Gives a file its name; says so if it has one.
    fn finish(self) -> Result<String, ReviewError> {
        let Sink::File(path, file) = self else { return Ok(String::new()) };
        file.finish().at(path)?;
        Ok(written_line(path))
    }
}

pub struct Outputs<'a> {
    args: &'a ReviewArgs,
    out: &'a mut dyn Write,
    is_terminal: bool,
    summary: GamesSummary,
    page: GamesPage,
    html: Sink<'a>,
    pgn: Sink<'a>,
    json: Sink<'a>,
    sheet: Sink<'a>,
    /// For the page of a person, and for the exercises.
    mistakes: MistakeCards,
}

impl<'a> Outputs<'a> {
    pub fn open(
        args: &'a ReviewArgs,
        person: PlayerNames,
        out: &'a mut dyn Write,
        is_terminal: bool,
    ) -> Result<Outputs<'a>, ReviewError> {
        let [html, pgn, json, sheet] = args.files();
        Ok(Outputs {
            args,
            out,
            is_terminal,
            summary: GamesSummary::new(person),
            page: GamesPage::default(),
            html: Sink::open(html)?,
            pgn: Sink::open(pgn)?,
            json: Sink::open(json)?,
            sheet: Sink::open(sheet)?,
            mistakes: MistakeCards::default(),
        })
    }

    /// How many reviews were added.
    pub fn count(&self) -> usize {
        self.summary.all.games
    }

    pub fn add(&mut self, place: &GamePlace, review: &Review) -> Result<(), ReviewError> {
        if self.json.is_wanted() {
            let line = ReviewLine { review: review::document(review), file: &place.file, game: place.number };
            self.json.write(&json_line(&line)?, self.out)?;
        }
        if self.pgn.is_wanted() {
            self.pgn.write(&self.args.encoding.encode(&self.args.annotated(review)), self.out)?;
        }
        self.summary.add(place, review);
        let person = &self.summary.person;
        if self.sheet.is_wanted() || self.html.is_wanted() && !person.is_everybody() {
            self.mistakes.add(review, &person.sides(&review.game), date::unix_seconds());
        }
        if self.html.is_wanted() {
            self.page.add(place, review);
        }
        Ok(())
    }

    pub fn add_error(&mut self, place: &GamePlace, error: &str) -> Result<(), ReviewError> {
        if !self.json.is_wanted() {
            return Ok(());
        }
        let generator = concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " review");
        let line = ErrorLine { generator, file: &place.file, game: place.number, error };
        self.json.write(&json_line(&line)?, self.out)
    }

    /// Writes the page and the summary, and names the files.
    pub fn finish(self) -> Result<(), ReviewError> {
        let Outputs { args, out, is_terminal, summary, page, mut html, pgn, json, mut sheet, mistakes } = self;
        let uses_stdout = args.files().into_iter().any(|(path, _)| path.is_some_and(is_stdio));
        if html.is_wanted() {
            html.write(&Encoding::Utf8.encode(&page.into_string(&summary, &mistakes)), out)?;
        }
        if sheet.is_wanted() {
            if mistakes.chosen(&args.choice()).is_empty() {
                print_error(|| tr!("There is no mistake to practise."));
            }
            sheet.write(args.exercises(&mistakes).as_bytes(), out)?;
        }
        let written = [html, pgn, json, sheet].into_iter().map(Sink::finish).collect::<Result<String, _>>()?;
        if !uses_stdout {
            let (ink, columns) = (terminal::colour_mode(is_terminal), terminal::terminal_width(is_terminal));
            write!(out, "{}{written}", summary.text(ink, columns))?;
        }
        Ok(())
    }
}

fn json_line(line: &impl Serialize) -> Result<Vec<u8>, ReviewError> {
    let mut bytes = serde_json::to_vec(line).map_err(io::Error::other)?;
    bytes.push(b'\n');
    Ok(bytes)
}
