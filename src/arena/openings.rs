//! Where games begin: random openings that the engine itself finds balanced. Those from files are read next door.
//!
//! Openings from a file: a position (FEN or EPD) or moves on each line, games in PGN, or an opening book.

use super::engine::in_process;
use chuhe_engine::board::{Position, piece_value};
use chuhe_engine::files::{At, FileError};
use chuhe_engine::language::tr;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::{Control, HashSizeError, Limits, NoReporter, Options, Searcher};
use chuhe_engine::types::score::hundredths;
use chuhe_engine::types::{Color, Move, PieceKind};
use chuhe_toolkit::book::{self, BookOpenError, ProbeError};
use chuhe_toolkit::record::{PositionSpec, PositionSpecError, RankBase, RecordError, decode, pgn};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::path::Path;
use thiserror::Error;

/// Nodes that the engine spends on judging a random opening.
const BALANCE_NODES: u64 = 500;
/// Material difference that is none: a horse for a cannon.
const MAX_MATERIAL_DIFFERENCE: i32 = 20;
/// Random openings tried before the most balanced of them is taken.
const MAX_TRIES: u32 = 500;

/// The beginning of a game: a position and the moves already made in it.
#[derive(Clone)]
pub struct Opening {
    /// Where the record begins.
    pub start: Position,
    /// Moves from there, legal ones.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position after the moves.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.make_unchecked(mv);
        }
        position
    }
}

/// How random openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpeningSettings {
    /// How many different ones; they are used in turn.
    pub count: usize,
    /// Somebody wanted so many; otherwise there are as many as needed.
    pub limited: bool,
    /// Random moves in each.
    pub plies: u32,
    /// The same seed makes the same openings.
    pub seed: u64,
    /// The largest score, for either side, of a balanced one.
    pub max_score: i32,
}

/// Makes random openings one by one, each from its own number, so that they need not be kept nor made in order.
pub struct RandomOpeningGenerator {
    settings: RandomOpeningSettings,
    searcher: Searcher,
    /// The last one, which both games of a pair ask for.
    last: Option<(usize, Opening)>,
}

impl RandomOpeningGenerator {
    /// A maker with a small searcher of its own.
    pub fn new(how: RandomOpeningSettings, rules: Rules) -> Result<RandomOpeningGenerator, HashSizeError> {
        let searcher = Searcher::new(Options { rules, ..Options::default() }, 1)?;
        Ok(RandomOpeningGenerator { settings: how, searcher, last: None })
    }

    /// The opening of this number.
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
        // What the searcher remembers of other openings must not change this one.
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

    /// How far from equal a position is: by material and the static evaluation first, which cost nothing beside the
    /// short search that those must pass who look balanced.
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
        let glance = hundredths(self.searcher.evaluate(position)).abs();
        if glance > bound {
            return glance;
        }
        let limits = Limits::nodes(BALANCE_NODES);
        let outcome = self.searcher.search(position, &limits, &Control::new(false), &mut NoReporter);
        hundredths(outcome.score).abs()
    }
}

fn material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL.into_iter().map(|kind| position.count(color, kind) as i32 * piece_value(kind)).sum()
}

/// Random legal moves from the start position; `None` if the game ended on the way.
pub fn random_opening(plies: u32, random: &mut StdRng) -> Option<Opening> {
    let start = Position::start();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let list = position.legal_moves();
        if list.is_empty() {
            return None;
        }
        let mv = list[random.random_range(0..list.len())].mv;
        position.make_unchecked(mv);
        moves.push(mv);
    }
    position.has_legal_move().then_some(Opening { start, moves })
}

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// A line holds no position, or a move that is none.
    #[error("{}", tr!("{file}, line {line}: {source}", file, line, source))]
    Line {
        file: String,
        /// The line, from 1.
        line: usize,
        source: PositionSpecError,
    },
    /// A game is none.
    #[error(transparent)]
    Game(#[from] FileError<RecordError>),
    /// A book is none.
    #[error(transparent)]
    Book(#[from] BookOpenError),
    /// A book does not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// There is nothing in it, or all its games are over before they begin.
    #[error("{}", tr!("{file}: no opening in it", file = _0))]
    Empty(String),
}

/// Reads a file of any of the three kinds. Of games in PGN the first `plies` moves are taken. Openings in which
/// the game is over already are left out.
pub fn read_openings(path: &Path, plies: usize, rules: Rules) -> Result<Vec<Opening>, OpeningError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).at(path)?;
    let text = decode(&bytes);
    let mut openings =
        if text.lines().any(looks_like_pgn) { read_games(&text, plies, path)? } else { read_lines(&text, &file)? };
    openings.retain(|opening| rules.judge(&opening.position()).ending.is_none());
    if openings.is_empty() { Err(OpeningError::Empty(file)) } else { Ok(openings) }
}

/// The most positions of a book that games begin from.
const MAX_BOOK_POSITIONS: usize = 20_000;

/// The positions that a book leads to in so many plies.
pub fn openings_from_book(path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let lines = book::leaf_lines(&*book::open_book(path)?, plies, MAX_BOOK_POSITIONS)?;
    if lines.is_empty() {
        return Err(OpeningError::Empty(path.display().to_string()));
    }
    Ok(lines.into_iter().map(|moves| Opening { start: Position::start(), moves }).collect())
}

/// Whether a line can only be one of a game in PGN: a tag, or moves with their number.
fn looks_like_pgn(line: &str) -> bool {
    let line = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
    line.starts_with('[') || line.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、']))
}

fn read_games(text: &str, plies: usize, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    pgn::read(text)
        .into_iter()
        .map(|game| {
            let record = game.at(path)?;
            let moves = record.main_line_nodes().take(plies).map(|node| node.mv()).collect();
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
