//! The journal of `chuhe review --out`: a review a line, in the order in which they were finished. The next run takes from it
//! what it has of its games, in whatever files they are now.

use super::ReviewArgs;
use crate::cli::error::CliError;
use crate::cli::journal::{Journal, LineFault, LinePlace, conditions_of};
use chuhe_study::review::{Review, SearchScores};
use chuhe_study::several::GamePlace;
use chuhe_support::files::json_line;
use chuhe_support::language::phrase;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use xiangqi_record::Game;

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"conditions\":";

/// A longer line is no review.
const MAX_FIRST_LINE: u64 = 1 << 26;

/// What a review depends on besides the game.
fn conditions(args: &ReviewArgs) -> Map<String, Value> {
    let (limits, rules) = (args.limits(true), args.rules());
    conditions_of(&json!({
        "generator": concat!("Chuhe ", env!("CARGO_PKG_VERSION")),
        "nodes": limits.nodes,
        "seconds": args.time_per_move.map(|time| time.as_secs_f64()),
        "depth": args.depth,
        "hash": args.hash_mb(true),
        "rules": rules.set.to_string(),
        "natural_limit": rules.natural_limit,
        "tables": args.tables,
    }))
}

/// The arguments, with what is not given of the limits and rules as the reviews in the journal were made: a later command
/// need not repeat it.
pub fn with_kept_conditions(args: &ReviewArgs) -> ReviewArgs {
    let mut args = args.clone();
    let kept = args.out.as_deref().and_then(first_conditions);
    let Some(kept) = kept else { return args };
    let number = |field: &str| kept.get(field).and_then(Value::as_u64);
    if args.nodes.is_none() && args.depth.is_none() && args.time_per_move.is_none() {
        let seconds = kept.get("seconds").and_then(Value::as_f64);
        args.time_per_move = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        args.depth = number("depth").and_then(|depth| depth.try_into().ok());
        // A limit of time or depth has no nodes beside it.
        args.nodes = number("nodes");
    }
    args.hash = args.hash.or(number("hash").and_then(|hash| hash.try_into().ok()));
    args.natural_limit = args.natural_limit.or_else(|| {
        // Another rule set has a limit of its own.
        args.rules.is_none().then(|| number("natural_limit")?.try_into().ok()).flatten()
    });
    args.rules = args.rules.or_else(|| kept.get("rules")?.as_str()?.parse().ok());
    if args.tables.is_empty() {
        let folders = kept.get("tables").and_then(Value::as_array).into_iter().flatten();
        args.tables = folders.filter_map(|folder| folder.as_str().map(PathBuf::from)).collect();
    }
    args
}

/// The conditions of the first review of a file; nothing if it is no journal of reviews.
fn first_conditions(path: &Path) -> Option<Map<String, Value>> {
    #[derive(Deserialize)]
    struct Head {
        conditions: Map<String, Value>,
    }
    let mut line = Vec::new();
    // Opening a pipe would wait for its writer.
    let file = path.is_file().then(|| File::open(path).ok())??;
    BufReader::new(file.take(MAX_FIRST_LINE)).read_until(b'\n', &mut line).ok()?;
    if !line.starts_with(LINE_PREFIX) {
        return None;
    }
    Some(serde_json::from_slice::<Head>(&line).ok()?.conditions)
}

/// A line to write.
#[derive(Serialize)]
struct JournalLine<'a> {
    conditions: &'a Map<String, Value>,
    file: &'a str,
    game: usize,
    #[serde(flatten)]
    review: SearchScores<'a>,
}

/// What tells a line that was read.
#[derive(Deserialize)]
struct LineHead {
    conditions: Map<String, Value>,
    start: String,
    moves: Vec<MoveHead>,
}

#[derive(Deserialize)]
struct MoveHead {
    #[serde(rename = "move")]
    mv: String,
}

/// Where the line of a game begins, and its length: by the hash of the game.
type LineIndex = HashMap<u64, (u64, usize)>;

/// The journal, with the place of each game's line.
pub struct ReviewJournal {
    journal: Journal,
    conditions: Map<String, Value>,
    lines: LineIndex,
}

impl ReviewJournal {
    /// Opens or creates the journal.
    pub fn open(path: &Path, args: &ReviewArgs) -> Result<ReviewJournal, CliError> {
        let conditions = conditions(args);
        let mut lines = LineIndex::new();
        let what = (LINE_PREFIX, phrase!("reviews"));
        let journal = Journal::open(path, what, args.journal_start(), |LinePlace { begin, .. }, line| {
            let head: LineHead = serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
            LineFault::check_conditions(&head.conditions, &conditions)?;
            let key = game_hash(&head.start, head.moves.into_iter().map(|played| played.mv));
            lines.insert(key, (begin, line.len()));
            Ok(())
        })?;
        if journal.is_anew {
            lines.clear();
        }
        Ok(ReviewJournal { journal, conditions, lines })
    }

    /// The line of a game, if there is one.
    pub fn kept(&mut self, game: &Game) -> Result<Option<Vec<u8>>, CliError> {
        let place = self.lines.get(&hash_of(game));
        Ok(place.map(|&(begin, length)| self.journal.line(begin, length)).transpose()?)
    }

    /// Adds a review, unless an equal game was reviewed at the same time.
    pub fn append(&mut self, place: &GamePlace, review: &Review) -> Result<(), CliError> {
        let key = hash_of(&review.game);
        if self.lines.contains_key(&key) {
            return Ok(());
        }
        let line = JournalLine {
            conditions: &self.conditions,
            file: &place.file,
            game: place.number,
            review: SearchScores::of(review),
        };
        let line = json_line(&line);
        self.lines.insert(key, (self.journal.append(&line)?, line.len()));
        Ok(())
    }
}

fn hash_of(game: &Game) -> u64 {
    game_hash(&game.start().fen(), game.moves().map(|mv| mv.to_string()))
}

/// A game's first position and moves as a number. That the line is really about the game is checked where it is used.
fn game_hash(start: &str, moves: impl Iterator<Item = String>) -> u64 {
    let mut hasher = DefaultHasher::new();
    start.hash(&mut hasher);
    moves.for_each(|mv| mv.hash(&mut hasher));
    hasher.finish()
}
