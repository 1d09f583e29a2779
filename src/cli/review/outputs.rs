//! What is written of reviews: a line of JSON and an annotated game each, as soon as they are ready; at the end the page and
//! the summary, or of one game its table. Files get their names at the end, whole.

use super::ReviewArgs;
use crate::cli::error::CliError;
use crate::cli::output::written_line;
use crate::protocol::terminal::colour_mode;
use chuhe_study::review::{self, PlayerNames, Review};
use chuhe_study::several::{GamePlace, GamesPage, GamesSummary};
use chuhe_study::train::MistakeCards;
use chuhe_support::date;
use chuhe_support::files::{At, AtomicFile, FileError, OutputError, OverwritePolicy, is_stdio, json_line};
use chuhe_support::language::{print_error, tr};
use chuhe_support::terminal;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use xiangqi_draw::ColourMode;
use xiangqi_record::Encoding;

/// A review as a line of JSON; one of several says where its game is.
#[derive(Serialize)]
struct ReviewLine<'a> {
    #[serde(flatten)]
    review: review::ReviewDocument<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// Its number in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
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
    fn open((path, over): (Option<&'a Path>, OverwritePolicy)) -> Result<Sink<'a>, OutputError> {
        Ok(match path {
            None => Sink::None,
            Some(path) if is_stdio(path) => Sink::Stdout,
            Some(path) => Sink::File(path, over.create(path)?),
        })
    }

    fn is_wanted(&self) -> bool {
        !matches!(self, Sink::None)
    }

    fn write(&mut self, bytes: &[u8], piped: &mut Vec<u8>) -> Result<(), FileError> {
        match self {
            Sink::None => Ok(()),
            Sink::Stdout => {
                piped.extend_from_slice(bytes);
                Ok(())
            }
            Sink::File(path, file) => file.write(bytes).at(path),
        }
    }

    /// Gives a file its name; says so if it has one.
    fn finish(self) -> Result<String, FileError> {
        let Sink::File(path, file) = self else { return Ok(String::new()) };
        file.finish().at(path)?;
        Ok(written_line(path))
    }
}

pub struct Outputs<'a> {
    args: &'a ReviewArgs,
    out: &'a mut dyn Write,
    is_terminal: bool,
    /// How many reviews were added.
    pub count: usize,
    summary: GamesSummary,
    page: GamesPage,
    /// The table, if this is about one game.
    table: Option<String>,
    html: Sink<'a>,
    pgn: Sink<'a>,
    json: Sink<'a>,
    sheet: Sink<'a>,
    /// What goes to standard output instead of the text.
    piped: Vec<u8>,
    /// For the page of a person, and for the exercises.
    mistakes: MistakeCards,
}

impl<'a> Outputs<'a> {
    pub fn open(
        args: &'a ReviewArgs,
        person: PlayerNames,
        out: &'a mut dyn Write,
        is_terminal: bool,
    ) -> Result<Outputs<'a>, OutputError> {
        let [html, pgn, json, sheet] = args.files();
        Ok(Outputs {
            args,
            out,
            is_terminal,
            count: 0,
            summary: GamesSummary::new(person),
            page: GamesPage::default(),
            table: None,
            html: Sink::open(html)?,
            pgn: Sink::open(pgn)?,
            json: Sink::open(json)?,
            sheet: Sink::open(sheet)?,
            piped: Vec::new(),
            mistakes: MistakeCards::default(),
        })
    }

    /// Adds a review, with the place of its game if that is one of several.
    pub fn add(&mut self, place: Option<&GamePlace>, review: &Review) -> Result<(), CliError> {
        self.count += 1;
        if self.json.is_wanted() {
            let (file, game) = (place.map(|place| &*place.file), place.map(|place| place.number));
            let line = json_line(&ReviewLine { review: review::ReviewDocument::of(review), file, game });
            self.json.write(line.as_bytes(), &mut self.piped)?;
        }
        if self.pgn.is_wanted() {
            self.pgn.write(&self.args.encoding.encode(&self.args.annotated(review)), &mut self.piped)?;
        }
        let person = &self.summary.person;
        if self.sheet.is_wanted() || self.html.is_wanted() && !person.is_everybody() {
            self.mistakes.add(review, &person.sides(&review.game), date::unix_seconds());
        }
        let Some(place) = place else {
            // All is written at the end: files first, as the reader of the output may close it early.
            if self.html.is_wanted() {
                self.html.write(&Encoding::Utf8.encode(&review::page(review)), &mut self.piped)?;
            }
            let (ink, columns) = self.terminal();
            self.table = Some(review::table(review, ink, columns));
            return Ok(());
        };
        self.summary.add(place, review);
        if self.html.is_wanted() {
            self.page.add(place, review);
        }
        self.write_piped()
    }

    pub fn add_error(&mut self, place: &GamePlace, error: &str) -> Result<(), CliError> {
        if !self.json.is_wanted() {
            return Ok(());
        }
        let generator = concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " review");
        let line = json_line(&ErrorLine { generator, file: &place.file, game: place.number, error });
        self.json.write(line.as_bytes(), &mut self.piped)?;
        self.write_piped()
    }

    fn write_piped(&mut self) -> Result<(), CliError> {
        if !self.piped.is_empty() {
            self.out.write_all(&std::mem::take(&mut self.piped)).and_then(|()| self.out.flush())?;
        }
        Ok(())
    }

    fn terminal(&self) -> (ColourMode, usize) {
        (colour_mode(self.is_terminal), terminal::terminal_width(self.is_terminal))
    }

    /// Writes the page and the summary, and names the files.
    pub fn finish(mut self) -> Result<(), CliError> {
        let args = self.args;
        if self.html.is_wanted() && self.table.is_none() {
            let page = std::mem::take(&mut self.page).into_string(&self.summary, &self.mistakes);
            self.html.write(&Encoding::Utf8.encode(&page), &mut self.piped)?;
        }
        if self.sheet.is_wanted() {
            if self.table.is_none() && self.mistakes.chosen(&args.choice()).is_empty() {
                print_error(|| tr!("There is no mistake to practise."));
            }
            self.sheet.write(args.exercises(&self.mistakes).as_bytes(), &mut self.piped)?;
        }
        let mut written = String::new();
        for sink in [&mut self.html, &mut self.pgn, &mut self.json, &mut self.sheet] {
            written += &std::mem::replace(sink, Sink::None).finish()?;
        }
        self.write_piped()?;
        if !args.files().into_iter().any(|(path, _)| path.is_some_and(is_stdio)) {
            let (ink, columns) = self.terminal();
            let text = self.table.take().unwrap_or_else(|| self.summary.text(ink, columns));
            write!(self.out, "{text}{written}")?;
        }
        Ok(())
    }
}
