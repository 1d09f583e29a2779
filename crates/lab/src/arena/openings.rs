//! Openings of tournament games: random openings that a short search finds balanced, and openings from a file (one FEN,
//! EPD or move list per line, PGN games, or an opening book).

use super::engine::in_process;
use chuhe_engine::score::hundredths;
use chuhe_engine::search::{Control, HashSizeError, Limits, NoReporter, Options, Searcher};
use chuhe_study::book::{self, BookOpenError, ProbeError};
use chuhe_support::files::{At, FileError, MAX_INPUT_SIZE, read_input};
use chuhe_support::language::tr;
use chuhe_support::messages::{Localize, Localized};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::path::Path;
use thiserror::Error;
use xiangqi::{Color, Move, PieceKind, Position, Rules, engine::piece_value};
use xiangqi_record::{PositionSpec, PositionSpecError, RankBase, RecordError, decode, pgn};

/// Nodes of the search that checks a random opening for balance.
const BALANCE_NODES: u64 = 500;
/// Material differences up to this count as equal: a horse for a cannon.
const MAX_MATERIAL_DIFFERENCE: i32 = 20;
/// Random openings tried before the most balanced one is used.
const MAX_TRIES: u32 = 500;

/// An opening: a start position and moves from it.
#[derive(Clone)]
pub struct Opening {
    /// The first position of the game record.
    pub start: Position,
    /// Legal moves from there.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position after the moves.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.play_unchecked(mv);
        }
        position
    }
}

/// Settings of the random openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpeningSettings {
    /// Number of different openings; they are used in turn.
    pub count: usize,
    /// True if the user gave the count; otherwise there are as many as needed.
    pub limited: bool,
    /// Random plies in each opening.
    pub plies: u32,
    /// The same seed gives the same openings.
    pub seed: u64,
    /// The largest absolute score of a balanced opening.
    pub max_score: i32,
}

/// Generates random openings, each from its own number, so they need not be stored or generated in order.
pub struct RandomOpeningGenerator {
    settings: RandomOpeningSettings,
    searcher: Searcher,
    /// The last opening, which both games of a pair use.
    last: Option<(usize, Opening)>,
}

impl RandomOpeningGenerator {
    /// Creates a generator with its own small searcher.
    pub fn new(how: RandomOpeningSettings, rules: Rules) -> Result<RandomOpeningGenerator, HashSizeError> {
        let searcher = Searcher::new(Options { rules, ..Options::default() }, 1)?;
        Ok(RandomOpeningGenerator { settings: how, searcher, last: None })
    }

    pub fn opening(&mut self, index: usize) -> Opening {
        if let Some((_, opening)) = self.last.as_ref().filter(|(last, _)| *last == index) {
            return opening.clone();
        }
        let opening = self.generate(index);
        self.last = Some((index, opening.clone()));
        opening
    }

    fn generate(&mut self, index: usize) -> Opening {
        let number = (index % self.settings.count.max(1)) as u64;
        let mut random = StdRng::seed_from_u64(self.settings.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // The opening must not depend on the searcher's state from other openings.
        self.searcher.new_game();
        let mut best: Option<(i32, Opening)> = None;
        for _ in 0..MAX_TRIES {
            let Some(opening) = random_opening(self.settings.plies, &mut random) else { continue };
            let imbalance = self.imbalance(&opening.position());
            if imbalance <= self.settings.max_score {
                return opening;
            }
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, opening));
            }
        }
        best.map_or_else(|| Opening { start: Position::start(), moves: Vec::new() }, |(_, opening)| opening)
    }

    /// The absolute score of a position. Material and static evaluation reject most positions before the short search.
    fn imbalance(&mut self, position: &Position) -> i32 {
        let bound = self.settings.max_score;
        if bound == i32::MAX {
            return 0;
        }
        let difference = (material(position, Color::Red) - material(position, Color::Black)).abs();
        if difference > MAX_MATERIAL_DIFFERENCE {
            return difference.max(bound + 1);
        }
        let _held = in_process::set_constants(&BTreeMap::new());
        let static_score = hundredths(self.searcher.evaluate(position)).abs();
        if static_score > bound {
            return static_score;
        }
        let limits = Limits::nodes(BALANCE_NODES);
        let outcome = self.searcher.search(position, &limits, &Control::new(false), &mut NoReporter);
        hundredths(outcome.score).abs()
    }
}

fn material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL.into_iter().map(|kind| position.count(color, kind) as i32 * piece_value(kind)).sum()
}

/// Plays random legal moves from the start position; `None` if the game ends before `plies`.
pub fn random_opening(plies: u32, random: &mut StdRng) -> Option<Opening> {
    let start = Position::start();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let list = position.legal_moves();
        if list.is_empty() {
            return None;
        }
        let mv = list[random.random_range(0..list.len())];
        position.play_unchecked(mv);
        moves.push(mv);
    }
    position.has_legal_move().then_some(Opening { start, moves })
}

/// Why openings cannot be read from a file.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// A line holds an invalid position or move.
    #[error("{}", tr!("{file}, line {line}: {source}", file, line, source = source.localized()))]
    Line {
        file: String,
        /// The line number, from 1.
        line: usize,
        source: PositionSpecError,
    },
    /// A PGN game is invalid.
    #[error(transparent)]
    Game(#[from] FileError<Localized<RecordError>>),
    /// The book cannot be opened.
    #[error(transparent)]
    Book(#[from] BookOpenError),
    /// The book cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The file has no opening in which the game is not over.
    #[error("{}", tr!("{file}: no opening in it", file = _0))]
    Empty(String),
}

/// Reads openings from a PGN file or from lines. Of PGN games the first `plies` moves are used. Openings in which the
/// game is already over are skipped.
pub fn read_openings(path: &Path, plies: usize, rules: Rules) -> Result<Vec<Opening>, OpeningError> {
    let file = path.display().to_string();
    let read = |text: &str| match text.lines().any(looks_like_pgn) {
        true => read_games(text, plies, path),
        false => read_lines(text, &file),
    };
    // The last line or game of the beginning is cut.
    let is_wanted = |head: &[u8]| {
        let text = decode(head);
        let end = text.rfind("\n\n").or_else(|| text.rfind('\n')).unwrap_or(0);
        end > 0 && read(&text[..end]).is_ok()
    };
    let mut openings = read(&decode(&read_input(path, MAX_INPUT_SIZE, is_wanted).at(path)?))?;
    openings.retain(|opening| rules.judge(&opening.position()).ending.is_none());
    if openings.is_empty() { Err(OpeningError::Empty(file)) } else { Ok(openings) }
}

/// Maximum number of openings taken from a book.
const MAX_BOOK_POSITIONS: usize = 20_000;

/// All book lines of this many plies.
pub fn openings_from_book(path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let lines = book::leaf_lines(&*book::open_book(path)?, plies, MAX_BOOK_POSITIONS)?;
    if lines.is_empty() {
        return Err(OpeningError::Empty(path.display().to_string()));
    }
    Ok(lines.into_iter().map(|moves| Opening { start: Position::start(), moves }).collect())
}

/// Whether a line can only belong to a PGN game: a tag, or numbered moves.
fn looks_like_pgn(line: &str) -> bool {
    let line = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
    line.starts_with('[') || line.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、']))
}

fn read_games(text: &str, plies: usize, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    pgn::read(text)
        .into_iter()
        .map(|game| {
            let record = game.map_err(Localized).at(path)?;
            let moves = record.moves().take(plies).collect();
            Ok(Opening { start: record.start().clone(), moves })
        })
        .collect()
}

fn read_lines(text: &str, file: &str) -> Result<Vec<Opening>, OpeningError> {
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            (index + 1, line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}'))
        })
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';', '%']))
        .map(|(line, content)| read_line(content, line, file))
        .collect()
}

fn read_line(content: &str, line: usize, file: &str) -> Result<Opening, OpeningError> {
    let setup = PositionSpec::parse_line(content);
    let read = || {
        let start = setup.start_position(false)?;
        let moves = setup.play_moves(&mut start.clone(), RankBase::Zero)?;
        Ok(Opening { start, moves })
    };
    read().map_err(|source| OpeningError::Line { file: file.to_string(), line, source })
}
