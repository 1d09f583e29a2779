//! A file of many tactics in little room, and the one in the program.
//!
//! ```text
//! CHUHETAC  version u16  CRC-32 of the rest  count u32  length u16  names of the themes  coded tactics
//! ```
//!
//! The tactics are in the order of their difficulty and coded bit by bit (see `range_coder`): what stands on each point as the
//! side to move sees it, the moves by their places among the legal ones, the themes, and how much more difficult each is
//! than the one before. That is about fourteen bytes for each.

use super::range_coder::{BitCoder, Decoder, Encoder, Probability};
use super::tactic::{MAX_STEPS, Tactic, bare_fen};
use super::twins::{Board, board};
use crate::motifs::Motif;
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use std::collections::HashSet;
#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;
use thiserror::Error;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square};

const MAGIC: &[u8; 8] = b"CHUHETAC";
const VERSION: u16 = 1;
/// Bytes that the checksum does not cover, and those before the names of the themes.
const HEADER_SIZE: usize = 14;
const COUNTS_SIZE: usize = 6;
/// The fewest bytes of a tactic: one that differs from all others takes more.
const LEAST_SIZE: usize = 1;
/// The most tactics of a file.
pub const MAX_TACTICS: usize = 100_000;

/// Why bytes are not a file of tactics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CollectionError {
    #[error("{}", tr!("no file of tactics"))]
    Foreign,
    #[error("{}", tr!("written by a newer version of Chuhe"))]
    Newer,
    #[error("{}", tr!("damaged"))]
    Damaged,
    #[error("{}", tr!("line {line}: no tactic", line = _0))]
    Line(usize),
    #[error("{}", tr!("no tactics in it"))]
    Empty,
}

/// The tactics of the program.
#[cfg(not(target_family = "wasm"))]
pub fn embedded() -> &'static [Tactic] {
    static EMBEDDED: OnceLock<Vec<Tactic>> = OnceLock::new();
    EMBEDDED.get_or_init(|| read(include_bytes!("own.tactics")).unwrap_or_default())
}

/// The tactics of a file: such a one, or one with a line of JSON for each, as `chuhe tactics` writes it.
pub fn read_file(bytes: &[u8]) -> Result<Vec<Tactic>, CollectionError> {
    if bytes.starts_with(MAGIC) {
        return read(bytes);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| CollectionError::Foreign)?;
    let mut tactics = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Tactic>(line) {
            Ok(tactic) if tactic.is_sound() && tactics.len() < MAX_TACTICS => tactics.push(tactic),
            _ if index == 0 => return Err(CollectionError::Foreign),
            _ => return Err(CollectionError::Line(index + 1)),
        }
    }
    if tactics.is_empty() { Err(CollectionError::Empty) } else { Ok(tactics) }
}

/// The file of these tactics; those that are no good are left out, and those that are there twice.
pub fn write(tactics: &[Tactic]) -> Vec<u8> {
    let mut sound: Vec<&Tactic> = tactics.iter().filter(|tactic| tactic.is_sound()).collect();
    let mut seen = HashSet::new();
    sound.retain(|tactic| seen.insert((&tactic.fen, &tactic.moves)));
    sound.truncate(MAX_TACTICS);
    sound.order_by_key(|tactic| tactic.difficulty);
    let names: Vec<Motif> = Motif::all().filter(|motif| sound.iter().any(|it| it.themes.contains(motif))).collect();
    let text = names.iter().map(|motif| motif.name()).collect::<Vec<_>>().join(" ");
    let mut rest = (sound.len() as u32).to_le_bytes().to_vec();
    rest.extend_from_slice(&(text.len() as u16).to_le_bytes());
    rest.extend_from_slice(text.as_bytes());
    let (mut model, mut encoder) = (Model::new(names), Encoder::new());
    for tactic in &sound {
        _ = model.code(&mut encoder, Some(tactic));
    }
    rest.extend(encoder.finish());
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&rest).to_le_bytes());
    bytes.extend(rest);
    bytes
}

/// The tactics of a file.
pub fn read(bytes: &[u8]) -> Result<Vec<Tactic>, CollectionError> {
    use CollectionError as E;
    let (head, rest) = bytes.split_at_checked(HEADER_SIZE).filter(|_| bytes.starts_with(MAGIC)).ok_or(E::Foreign)?;
    match u16::from_le_bytes([head[8], head[9]]) {
        VERSION => {}
        0 => return Err(E::Damaged),
        _ => return Err(E::Newer),
    }
    if crc32fast::hash(rest).to_le_bytes() != head[10..] {
        return Err(E::Damaged);
    }
    let (counts, rest) = rest.split_at_checked(COUNTS_SIZE).ok_or(E::Damaged)?;
    let count = u32::from_le_bytes([counts[0], counts[1], counts[2], counts[3]]) as usize;
    let length = usize::from(u16::from_le_bytes([counts[4], counts[5]]));
    let (text, code) = rest.split_at_checked(length).ok_or(E::Damaged)?;
    // The coder cannot hold more in so many bytes.
    if count > MAX_TACTICS.min(code.len() / LEAST_SIZE) {
        return Err(E::Damaged);
    }
    if count == 0 {
        return Err(E::Empty);
    }
    let text = std::str::from_utf8(text).map_err(|_| E::Damaged)?;
    let mut themes = Vec::new();
    for name in text.split_whitespace() {
        let theme = Motif::from_name(name).ok_or(E::Newer)?;
        if themes.contains(&theme) {
            return Err(E::Damaged);
        }
        themes.push(theme);
    }
    let (mut model, mut decoder) = (Model::new(themes), Decoder::new(code));
    (0..count).map(|_| model.code(&mut decoder, None).ok_or(E::Damaged)).collect()
}

/// What is expected of the next tactic.
struct Model {
    side: Probability,
    points: Vec<[Probability; 16]>,
    steps: [Probability; MAX_STEPS],
    themes: Vec<(Motif, Probability)>,
    more_difficult: Vec<Probability>,
    difficulty: usize,
}

/// Differences of difficulty have so many bits.
const DIFFICULTY_BITS: u32 = 12;

impl Model {
    fn new(themes: Vec<Motif>) -> Model {
        Model {
            side: Probability::default(),
            points: vec![[Probability::default(); 16]; 90],
            steps: [Probability::default(); MAX_STEPS],
            themes: themes.into_iter().map(|motif| (motif, Probability::default())).collect(),
            more_difficult: vec![Probability::default(); 1 << DIFFICULTY_BITS],
            difficulty: 0,
        }
    }

    /// Writes this tactic, or reads one; nothing if that makes no sense.
    fn code(&mut self, coder: &mut impl BitCoder, known: Option<&Tactic>) -> Option<Tactic> {
        let start = known.and_then(Tactic::position);
        let is_black = start.as_ref().is_some_and(|start| start.side() == Color::Black);
        let side = if coder.bit(&mut self.side, is_black) { Color::Black } else { Color::Red };
        let mut points: Board = start.as_ref().map_or([0; 90], |start| board(start, false));
        for (point, probabilities) in points.iter_mut().zip(&mut self.points) {
            *point = coder.number(probabilities, 4, usize::from(*point)) as u8;
        }
        let start = position_of(&points, side)?;
        let steps = known.map_or(0, |known| known.moves.len() / 2);
        let steps = coder.number(&mut self.steps, 3, steps);
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for index in 0..=2 * steps {
            let mut legal: Vec<Move> = position.legal_moves().to_vec();
            legal.order();
            let wanted = known.and_then(|known| legal.iter().position(|mv| *mv == known.moves[index]));
            let &mv = legal.get(coder.choice(legal.len(), wanted.unwrap_or_default()))?;
            moves.push(mv);
            position.play_unchecked(mv);
        }
        let mut themes = Vec::new();
        for (motif, probability) in &mut self.themes {
            if coder.bit(probability, known.is_some_and(|known| known.themes.contains(motif))) {
                themes.push(*motif);
            }
        }
        let more = known.map_or(0, |known| usize::from(known.difficulty).saturating_sub(self.difficulty));
        self.difficulty += coder.number(&mut self.more_difficult, DIFFICULTY_BITS, more);
        let difficulty = u16::try_from(self.difficulty).ok()?;
        Some(Tactic { fen: bare_fen(&start), moves, themes, difficulty }).filter(Tactic::is_on_the_scale)
    }
}

/// The position with these pieces, if it is one.
fn position_of(points: &Board, side: Color) -> Option<Position> {
    let mut fen = String::new();
    for rank in (0..Square::RANKS).rev() {
        for file in 0..Square::FILES {
            let seen = Square::new(file, rank);
            let point = points[if side == Color::Red { seen } else { seen.flip() }.dense()];
            let Some(number) = point.checked_sub(1) else {
                fen.push('1');
                continue;
            };
            if number > 13 {
                return None;
            }
            let color = if number < 7 { side } else { !side };
            fen.push(Piece::new(color, PieceKind::ALL[usize::from(number % 7)]).letter());
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    Position::from_fen(&format!("{fen} {} - - 0 1", if side == Color::Red { 'w' } else { 'b' })).ok()
}
