//! The journal of `chuhe review --out`: a review a line, in the order in which they were finished. The next run takes from it
//! what it has of its games, in whatever files they are now. A truncated last line is dropped; reviews made under other
//! conditions are never mixed with new ones.

use super::super::{ReviewArgs, ReviewError};
use crate::cli::journal::{self, ChangedCondition, changed_condition, is_torn_line};
use chuhe_study::review::{GamePlace, Review, SearchScores};
use chuhe_support::files::{AppendFile, At};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use xiangqi_record::Game;

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"conditions\":";
/// A longer line is no review.
const MAX_LINE_BYTES: u64 = 1 << 28;

/// What a review depends on besides the game.
#[derive(Serialize)]
struct ReviewConditions {
    generator: &'static str,
    nodes: Option<u64>,
    seconds: Option<f64>,
    depth: Option<u32>,
    hash: u32,
    rules: String,
    natural_limit: usize,
    tables: Vec<PathBuf>,
}

impl ReviewConditions {
    fn of(args: &ReviewArgs) -> ReviewConditions {
        let limits = args.limits(true);
        ReviewConditions {
            generator: concat!("Chuhe ", env!("CARGO_PKG_VERSION")),
            nodes: limits.nodes,
            seconds: args.time_per_move.map(|time| time.as_secs_f64()),
            depth: args.depth,
            hash: args.hash_mb(true),
            rules: args.rules.to_string(),
            natural_limit: args.rules().natural_limit,
            tables: args.tables().to_vec(),
        }
    }
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

pub struct Journal {
    path: PathBuf,
    file: AppendFile,
    conditions: Map<String, Value>,
    lines: LineIndex,
}

impl Journal {
    /// Opens or creates the journal.
    pub fn open(path: &Path, args: &ReviewArgs) -> Result<Journal, ReviewError> {
        let conditions = serde_json::to_value(ReviewConditions::of(args)).unwrap_or_default();
        let conditions = conditions.as_object().cloned().unwrap_or_default();
        let file = journal::open(path).at(path)?.ok_or_else(|| ReviewError::JournalInUse(path.to_path_buf()))?;
        // Even --force, which is also about the other files, takes no reviews away that can be gone on with.
        let (lines, length) = match kept_lines(&file, path, &conditions) {
            Err(ReviewError::ForeignJournal(_) | ReviewError::OtherConditions { .. }) if args.over.force => {
                (HashMap::new(), 0)
            }
            kept => kept?,
        };
        // Cut only now that the file is known to be a journal.
        let file = AppendFile::new(file, length).at(path)?;
        Ok(Journal { path: path.to_path_buf(), file, conditions, lines })
    }

    /// The line of a game, if there is one.
    pub fn kept(&mut self, game: &Game) -> Result<Option<Vec<u8>>, ReviewError> {
        let key = hash_of(game);
        let Some(&(begin, length)) = self.lines.get(&key) else { return Ok(None) };
        let mut line = vec![0; length];
        let mut file = self.file.file();
        file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut line)).at(&self.path)?;
        Ok(Some(line))
    }

    /// Adds a review, unless an equal game was reviewed at the same time.
    pub fn append(&mut self, place: &GamePlace, review: &Review) -> Result<(), ReviewError> {
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
        let line = serde_json::to_string(&line).map_err(io::Error::other)? + "\n";
        let begin = self.file.len();
        self.file.append_unsynced(line.as_bytes()).at(&self.path)?;
        self.lines.insert(key, (begin, line.len()));
        Ok(())
    }
}

/// The lines of a journal, and their length; the file is read line by line.
fn kept_lines(file: &File, path: &Path, conditions: &Map<String, Value>) -> Result<(LineIndex, u64), ReviewError> {
    let foreign = || ReviewError::ForeignJournal(path.to_path_buf());
    let mut reader = BufReader::new(file);
    let (mut lines, mut length, mut number) = (HashMap::new(), 0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).at(path)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number += 1;
        let head = serde_json::from_slice::<LineHead>(&line).ok().filter(|_| line.starts_with(LINE_PREFIX));
        let head = head.ok_or_else(foreign)?;
        if let Some(ChangedCondition { field, there, now }) = changed_condition(&head.conditions, conditions) {
            return Err(ReviewError::OtherConditions { file: path.to_path_buf(), line: number, field, there, now });
        }
        let key = game_hash(&head.start, head.moves.into_iter().map(|played| played.mv));
        lines.insert(key, (length, line.len()));
        length += line.len() as u64;
    }
    if is_torn_line(&line, LINE_PREFIX) { Ok((lines, length)) } else { Err(foreign()) }
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
