//! The review of several games of a file: a table, a line of JSON and a game for each. Where standard output takes them, each
//! is there as soon as it is ready; files are written at the end, whole.

use super::*;
use serde::Serialize;
use xiangqi_record::RecordFile;

/// A review as a line of JSON.
#[derive(Serialize)]
struct ReviewLine<'a> {
    #[serde(flatten)]
    review: review::ReviewDocument<'a>,
    /// Its number in the file, from 1.
    game: usize,
}

/// What could not be reviewed, as a line of JSON.
#[derive(Serialize)]
struct ErrorLine<'a> {
    game: usize,
    error: &'a str,
}

/// Reviews the games that the arguments select; returns the exit code.
pub(super) fn run(
    args: &ReviewArgs,
    file: &Path,
    source: &RecordFile,
    reviewer: &mut Reviewer,
    out: &mut dyn Write,
    is_terminal: bool,
) -> Result<u8, ReviewError> {
    if args.html.is_some() {
        return Err(ReviewError::OnePage);
    }
    let games = args.number.unwrap_or(GameSelection::All).games(source);
    let games = games.map_err(|error| InputError::of_file(file, error))?;
    let (mut faults, mut outputs) = (FaultPrinter::of(file), Outputs::of(args, is_terminal));
    let mut interrupted = false;
    for (number, reading) in games.filter(|(number, _)| is_in_shard(args.shard, *number)) {
        match reading {
            Ok(reading) => {
                reading.errors.iter().for_each(|fault| faults.print(fault));
                let review = reviewer.review(reading.game)?;
                interrupted = !review.is_complete();
                // A part of a review is no review: the next run makes it.
                if !interrupted {
                    outputs.add(number, &review, out)?;
                }
            }
            Err(fault) => {
                faults.print(&fault);
                outputs.add_error(number, &fault.to_string(), out)?;
            }
        }
        if interrupted {
            break;
        }
    }
    outputs.finish(args, out)?;
    Ok(if interrupted { EXIT_INTERRUPTED } else { u8::from(faults.has_printed()) })
}

/// What is written of the reviews.
struct Outputs<'a> {
    args: &'a ReviewArgs,
    is_terminal: bool,
    json: String,
    games: String,
}

impl<'a> Outputs<'a> {
    fn of(args: &'a ReviewArgs, is_terminal: bool) -> Outputs<'a> {
        Outputs { args, is_terminal, json: String::new(), games: String::new() }
    }

    fn add(&mut self, number: usize, review: &Review, out: &mut dyn Write) -> Result<(), ReviewError> {
        if self.args.json.is_some() {
            self.add_json(&ReviewLine { review: review::document(review), game: number }, out)?;
        }
        if let Some(path) = &self.args.pgn {
            let game = self.args.annotated(review);
            match is_stdio(path) {
                true => write_now(&self.args.encoding.encode(&game), out)?,
                false => self.games.push_str(&game),
            }
        }
        if !self.uses_stdout() {
            let columns = terminal::terminal_width(self.is_terminal);
            let table = review::table(review, terminal::colour_mode(self.is_terminal), columns);
            write_now(format!("{}\n{table}\n", tr!("game {number}", number)).as_bytes(), out)?;
        }
        Ok(())
    }

    fn add_error(&mut self, number: usize, error: &str, out: &mut dyn Write) -> Result<(), ReviewError> {
        if self.args.json.is_some() {
            self.add_json(&ErrorLine { game: number, error }, out)?;
        }
        Ok(())
    }

    fn add_json(&mut self, line: &impl Serialize, out: &mut dyn Write) -> Result<(), ReviewError> {
        let line = serde_json::to_string(line).map_err(io::Error::other)? + "\n";
        match self.args.json.as_deref().is_some_and(is_stdio) {
            true => write_now(line.as_bytes(), out),
            false => {
                self.json.push_str(&line);
                Ok(())
            }
        }
    }

    fn uses_stdout(&self) -> bool {
        self.args.files().into_iter().any(|(path, _)| path.is_some_and(is_stdio))
    }

    /// Writes the files, and their names.
    fn finish(&self, args: &ReviewArgs, out: &mut dyn Write) -> Result<(), ReviewError> {
        let [_, games, json] = args.files();
        for ((path, over), text, encoding) in [(games, &self.games, args.encoding), (json, &self.json, Encoding::Utf8)]
        {
            let Some(path) = path.filter(|path| !is_stdio(path)) else { continue };
            over.write(path, &encoding.encode(text))?;
            if !is_stream(path) && !self.uses_stdout() {
                let path = path.display().to_string();
                writeln!(out, "{}", tr!("written: {path}", path = sanitize(&path)))?;
            }
        }
        Ok(())
    }
}

fn write_now(bytes: &[u8], out: &mut dyn Write) -> Result<(), ReviewError> {
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
