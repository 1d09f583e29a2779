//! The moves of books: the trait of all books, the key that a position shares with its mirror image, a book in memory that can
//! be modified, and one that is built from games: the moves played in each position and their results.

use chuhe_engine::score::Score;
use chuhe_support::language::{Phrase, phrase};
use chuhe_support::small_sort::SmallSort;
use rand::RngExt;
use std::collections::{BTreeMap, HashMap, HashSet};
use thiserror::Error;
use xiangqi::zobrist::{Key, piece_key};
use xiangqi::{Color, Move, Piece, Position};
use xiangqi_record::{Game, GameResult};

/// Results of games from the view of the side that made a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl GameCounts {
    /// The total number of games.
    pub fn count(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// The sum of two counts.
    pub fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// A move of a book with its data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// The relative frequency among the moves; 0 = known, but not to be played.
    pub weight: u32,
    /// The score for the mover, in hundredths of a minor piece, if known.
    pub score: Option<Score>,
    /// The results of games with this move, if the book counts them.
    pub games: GameCounts,
}

/// The share of a move among these moves in percent.
pub fn weight_percent(entry: &BookMove, moves: &[BookMove]) -> f64 {
    let sum: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    100.0 * f64::from(entry.weight) / (sum as f64).max(1.0)
}

/// A book that can no longer be read.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ProbeError(pub String);

/// An opening book.
pub trait Book: Send + Sync {
    /// The stored moves of a position. They may be illegal because of key collisions or damaged files.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError>;

    /// The legal moves, sorted by descending weight. Empty if the position is unknown.
    fn moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let mut moves = self.raw_moves(position)?;
        moves.retain(|entry| is_legal(position, entry.mv));
        moves.order_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        Ok(moves)
    }

    /// The number of entries (one per move), as far as known; shows how much a traversal missed.
    fn entries(&self) -> u64;

    /// A short description of the format.
    fn kind(&self) -> Phrase;
}

/// Whether a book move is legal.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}

/// The key and orientation of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MirrorKey {
    /// The smaller of the keys of the position and its mirror image.
    pub key: Key,
    /// The book holds the mirror image.
    pub mirrored: bool,
    /// The position is its own mirror image.
    pub symmetric: bool,
}

impl MirrorKey {
    /// The mirror key of a position.
    pub fn of(position: &Position) -> MirrorKey {
        let (key, image) = (position.key(), mirror_key(position));
        MirrorKey { key: key.min(image), mirrored: image < key, symmetric: image == key }
    }

    /// Converts a move of the position to the book's orientation. In a symmetric position, the smaller of a move and
    /// its mirror image is stored.
    pub fn to_book_move(self, mv: Move) -> Move {
        if self.symmetric {
            mv.min(mv.mirror())
        } else if self.mirrored {
            mv.mirror()
        } else {
            mv
        }
    }

    /// The moves of the position for a stored move: two in a symmetric position.
    pub fn from_book_move(self, mv: Move) -> impl Iterator<Item = Move> {
        let first = if self.mirrored { mv.mirror() } else { mv };
        let second = (self.symmetric && mv.mirror() != mv).then(|| mv.mirror());
        std::iter::once(first).chain(second)
    }
}

/// The key of the mirror image.
fn mirror_key(position: &Position) -> Key {
    // The side-to-move part of the key is the same in both.
    let exchange = |key: Key, color: Color| {
        position.pieces(color).fold(key, |key, (kind, square)| {
            let piece = Piece::new(color, kind);
            key ^ piece_key(piece, square) ^ piece_key(piece, square.mirror())
        })
    };
    exchange(exchange(position.key(), Color::Red), Color::Black)
}

/// The entry of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BookEntry {
    /// The relative frequency among the moves; 0 = known, but not to be played.
    pub weight: u16,
    /// The score for the mover, in hundredths of a minor piece.
    pub score: Option<i16>,
    /// The results of games with this move.
    pub games: GameCounts,
}

impl BookEntry {
    /// Clamps a score to the range that can be stored.
    pub fn clamp_score(score: Score) -> i16 {
        score.clamp(-30_000, 30_000) as i16
    }
}

/// The moves of each position, in the orientation of its mirror key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryBook {
    /// By the mirror key.
    pub positions: BTreeMap<Key, BTreeMap<Move, BookEntry>>,
}

impl MemoryBook {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The entry of a move, created if absent.
    pub fn entry(&mut self, position: &Position, mv: Move) -> &mut BookEntry {
        let folded = MirrorKey::of(position);
        self.positions.entry(folded.key).or_default().entry(folded.to_book_move(mv)).or_default()
    }

    /// Merges another book: game counts are added; weights and scores come from the book with more games in the
    /// position, or from this book if equal.
    pub fn merge(&mut self, other: &MemoryBook) {
        for (key, theirs) in &other.positions {
            let ours = self.positions.entry(*key).or_default();
            let games =
                |moves: &BTreeMap<Move, BookEntry>| moves.values().map(|entry| entry.games.count()).sum::<u64>();
            let theirs_count = ours.is_empty() || games(theirs) > games(ours);
            for (mv, entry) in theirs {
                let known = ours.contains_key(mv);
                let own = ours.entry(*mv).or_default();
                own.games = own.games.plus(entry.games);
                if theirs_count || !known {
                    own.weight = entry.weight;
                }
                own.score = if theirs_count { entry.score.or(own.score) } else { own.score.or(entry.score) };
            }
        }
    }
}

/// The book moves of the position itself. In a symmetric position an entry yields the move and its mirror image with
/// the same weight.
pub fn unfold_moves(folded: MirrorKey, page: impl Iterator<Item = (Move, BookEntry)>) -> Vec<BookMove> {
    page.flat_map(|(written, entry)| folded.from_book_move(written).map(move |mv| (mv, entry)))
        .map(|(mv, entry)| BookMove {
            mv,
            weight: entry.weight.into(),
            score: entry.score.map(Score::from),
            games: entry.games,
        })
        .collect()
}

impl Book for MemoryBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let folded = MirrorKey::of(position);
        let page = self.positions.get(&folded.key).into_iter().flatten();
        Ok(unfold_moves(folded, page.map(|(mv, entry)| (*mv, *entry))))
    }

    fn entries(&self) -> u64 {
        self.positions.values().map(|moves| moves.len() as u64).sum()
    }

    fn kind(&self) -> Phrase {
        phrase!("book in the making")
    }
}

/// Filters for games and moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameImporter {
    /// The number of plies taken from each game.
    pub plies: usize,
    /// Games with fewer plies are skipped.
    pub min_plies: usize,
    /// Accepted results; empty = any known result.
    pub results: Vec<GameResult>,
    /// The minimum rating of both players.
    pub min_rating: Option<u32>,
    /// Moves played less often are dropped.
    pub min_count: u64,
}

impl GameImporter {
    /// Adds a game to the book; returns false if the filter rejects it. Only games from the start position count as
    /// openings.
    pub fn add(&self, game: &Game, pages: &mut MemoryBook) -> bool {
        if !self.accepts(game) {
            return false;
        }
        let mut position = game.start().clone();
        let winner = match game.result {
            GameResult::RedWins => Some(Color::Red),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        };
        for mv in game.moves().take(self.plies) {
            let games = &mut pages.entry(&position, mv).games;
            let count = match winner {
                None => &mut games.drawn,
                Some(color) if color == position.side() => &mut games.won,
                Some(_) => &mut games.lost,
            };
            *count = count.saturating_add(1);
            position.play_unchecked(mv);
        }
        true
    }

    fn accepts(&self, game: &Game) -> bool {
        let known = game.result != GameResult::Unknown;
        let result = known && (self.results.is_empty() || self.results.contains(&game.result));
        let begins = game.start().key() == Position::start().key();
        let rated = |names: &[&str]| {
            let rating = names.iter().find_map(|name| game.tag(name)?.trim().parse::<u32>().ok());
            self.min_rating.is_none_or(|least| rating.is_some_and(|rating| rating >= least))
        };
        result
            && begins
            && game.main_line_nodes().count() >= self.min_plies.max(1)
            && rated(&["RedElo", "WhiteElo", "RedRating"])
            && rated(&["BlackElo", "BlackRating"])
    }

    /// Converts game counts to weights and drops rare moves. In each position the move with the most points gets the
    /// weight 1000: two points for a win, one for a draw; a move that only lost gets 0.
    pub fn finish_weights(&self, pages: &mut MemoryBook) {
        let points = |entry: &BookEntry| 2 * u64::from(entry.games.won) + u64::from(entry.games.drawn);
        let weigh = |moves: &mut BTreeMap<_, BookEntry>| {
            moves.retain(|_, entry| entry.games.count() >= self.min_count);
            let most = moves.values().map(points).max().unwrap_or(0).max(1);
            for entry in moves.values_mut() {
                let share = points(entry) * 1000 / most;
                entry.weight = if points(entry) == 0 { 0 } else { share.max(1) as u16 };
            }
        };
        pages.positions.values_mut().for_each(weigh);
        pages.positions.retain(|_, moves| !moves.is_empty());
    }
}

// Chooses among the moves of a book, and remembers the openings played, so that no game repeats while an unplayed one
// is left.
//
// A choice point is a game up to a position with a choice. The moves tried there and the choice points they led to
// show which moves are exhausted: those after which every line has already been played to the end of the book.

/// How much the choice of book moves varies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variety {
    /// In proportion to the weights.
    #[default]
    Medium,
    /// Always the move with the highest weight.
    None,
    /// In proportion to the squared weights.
    Small,
    /// In proportion to the square roots of the weights.
    Large,
}

impl Variety {
    /// The weight of a move at this variety.
    fn scaled_weight(self, weight: u32) -> f64 {
        let weight = f64::from(weight);
        match self {
            Variety::Small => weight * weight,
            Variety::Large => weight.sqrt(),
            Variety::Medium | Variety::None => weight,
        }
    }
}

/// The moves that may be played: those with a weight, among the allowed ones (empty = all), that do not repeat an
/// earlier position.
pub fn playable_moves(position: &Position, moves: &[BookMove], allowed: &[Move]) -> Vec<BookMove> {
    let mut next = position.clone();
    let may = |entry: &&BookMove| {
        if entry.weight == 0 || !allowed.is_empty() && !allowed.contains(&entry.mv) {
            return false;
        }
        next.play_unchecked(entry.mv);
        let repeats = next.repetition_distance().is_some();
        next.undo();
        !repeats
    };
    moves.iter().filter(may).copied().collect()
}

/// Chooses a playable move. With any variety, an exhausted move is chosen only if all are exhausted.
pub fn choose_move(
    position: &Position,
    playable: &[BookMove],
    variety: Variety,
    memory: &mut OpeningHistory,
    random: &mut impl RngExt,
) -> Option<BookMove> {
    if variety == Variety::None {
        return playable.first().copied();
    }
    let options: Vec<Move> = playable.iter().map(|entry| entry.mv).collect();
    let fresh = memory.unplayed_moves(position, &options);
    let choice: Vec<&BookMove> = playable.iter().filter(|entry| fresh.contains(&entry.mv)).collect();
    let sum: f64 = choice.iter().map(|entry| variety.scaled_weight(entry.weight)).sum();
    let mut point = random.random::<f64>() * sum;
    for entry in &choice {
        point -= variety.scaled_weight(entry.weight);
        if point < 0.0 {
            return Some(**entry);
        }
    }
    choice.last().map(|entry| **entry)
}

/// The history is cleared beyond this number of choice points.
const MAX_CHOICE_POINTS: usize = 100_000;

/// The hash of a game up to a position.
type LineHash = u64;

/// A position with a choice.
#[derive(Default)]
struct ChoicePoint {
    options: Vec<Move>,
    /// For each move tried, the choice points it led to.
    tried: HashMap<Move, HashSet<LineHash>>,
    /// The book ends here.
    is_end: bool,
}

#[derive(Default)]
pub struct OpeningHistory {
    choice_points: HashMap<LineHash, ChoicePoint>,
}

impl OpeningHistory {
    /// The moves that are not exhausted; all moves if all are.
    pub fn unplayed_moves(&mut self, position: &Position, options: &[Move]) -> Vec<Move> {
        let (line, _) = self.visit(position);
        let choice_point = self.choice_points.entry(line).or_default();
        choice_point.options = options.to_vec();
        choice_point.is_end = options.is_empty();
        let choice_point = &self.choice_points[&line];
        let fresh: Vec<Move> = options.iter().copied().filter(|mv| !self.is_exhausted(choice_point, *mv)).collect();
        if fresh.is_empty() { options.to_vec() } else { fresh }
    }

    /// Records that the game left the book here, if it was in the book until now.
    pub fn leave_book(&mut self, position: &Position) {
        let (line, was_in_book) = self.visit(position);
        if was_in_book {
            self.choice_points.entry(line).or_default().is_end = true;
        }
    }

    /// Records the path from the last choice point, one or two plies ago, to this position. Returns the hash and
    /// whether there was such a point.
    fn visit(&mut self, position: &Position) -> (LineHash, bool) {
        if self.choice_points.len() > MAX_CHOICE_POINTS {
            self.choice_points.clear();
        }
        let plies = position.history_len();
        let mut lines = Vec::with_capacity(plies + 1);
        let mut line: LineHash = 0;
        for back in (0..=plies).rev() {
            line = mix_hash(line, position.key_before(back).unwrap_or_default());
            lines.push(line);
        }
        for back in 1..=plies.min(2) {
            if let Some(choice_point) = self.choice_points.get_mut(&lines[plies - back])
                && let Some((mv, _)) = position.move_before(back - 1)
            {
                choice_point.tried.entry(mv).or_default().insert(line);
                return (line, true);
            }
        }
        (line, false)
    }

    fn is_exhausted(&self, choice_point: &ChoicePoint, mv: Move) -> bool {
        let ends = |line: &LineHash| {
            self.choice_points.get(line).is_some_and(|next| {
                next.is_end || !next.options.is_empty() && next.options.iter().all(|&mv| self.is_exhausted(next, mv))
            })
        };
        choice_point.tried.get(&mv).is_some_and(|lines| lines.iter().all(ends))
    }
}

/// Mixes a key into a hash.
fn mix_hash(line: LineHash, key: Key) -> LineHash {
    let word = (line.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}
