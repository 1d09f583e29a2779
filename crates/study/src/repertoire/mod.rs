//! An opening repertoire: the moves that a person wants to play with one colour, and the answers that they are for.
//!
//! * [`Repertoire`] is a graph of positions: other orders of moves and mirror images are joined. It says where a game leaves it.
//! * [`OpeningCounts`] counts what was played in many games; a repertoire is made of those of one player, and answers are
//!   found that come often and have no move.
//! * It becomes a game with variations, for PGN and XQF, and is made of one.

mod games;

pub use games::{Gap, GapOptions, MoveJudgement, OpeningCounts, judge_choices, worth};

use crate::book::{MirrorKey, is_legal};
use chuhe_support::language::tr;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameCursor, NodeId};

/// The most plies of a line, and the most positions of a repertoire that have moves.
pub const MAX_LINE: usize = 80;
pub const MAX_POSITIONS: usize = 20_000;

/// A repertoire takes no more moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("a repertoire has at most {count} positions", count = MAX_POSITIONS))]
pub struct RepertoireError;

/// The moves for one colour. In a position of the person the first one is the main move; in one of the other side they are
/// the answers that the repertoire has something against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repertoire {
    colour: Color,
    /// By the mirror key, in its orientation. Of a position that is its own mirror image the moves are as they were added.
    positions: BTreeMap<Key, Vec<Move>>,
}

/// A position of a repertoire, as a walk meets it.
pub struct Place<'a> {
    /// The moves from the start position.
    pub line: &'a [Move],
    /// With its history.
    pub position: &'a Position,
    /// The moves of the repertoire.
    pub moves: &'a [Move],
    /// The walk was here before, by another order of moves: nothing follows.
    pub is_known: bool,
}

/// Turns a move of the position into the orientation of its key, and back.
fn turned(key: MirrorKey, mv: Move) -> Move {
    if key.mirrored { mv.mirror() } else { mv }
}

/// Whether two moves lead to the same position or to mirror images.
fn is_same(key: MirrorKey, one: Move, other: Move) -> bool {
    one == other || key.symmetric && one == other.mirror()
}

impl Repertoire {
    pub fn new(colour: Color) -> Repertoire {
        Repertoire { colour, positions: BTreeMap::new() }
    }

    /// A repertoire with these moves by mirror keys, as [`Repertoire::stored`] gives them.
    pub fn from_stored(colour: Color, stored: impl IntoIterator<Item = (Key, Vec<Move>)>) -> Repertoire {
        let positions = stored.into_iter().filter(|(_, moves)| !moves.is_empty()).collect();
        Repertoire { colour, positions }
    }

    /// The moves by mirror keys.
    pub fn stored(&self) -> &BTreeMap<Key, Vec<Move>> {
        &self.positions
    }

    pub fn colour(&self) -> Color {
        self.colour
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// How many moves it has, those of both sides.
    pub fn len(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    /// Whether it is the person who moves in a position.
    pub fn is_mine(&self, position: &Position) -> bool {
        position.side() == self.colour
    }

    /// The moves of a position, the main one first.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let key = MirrorKey::of(position);
        let stored = self.positions.get(&key.key).map(Vec::as_slice).unwrap_or_default();
        stored.iter().map(|&mv| turned(key, mv)).filter(|&mv| is_legal(position, mv)).collect()
    }

    /// Whether it has a move, or its mirror image in a position that is its own.
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        let key = MirrorKey::of(position);
        self.moves(position).iter().any(|&known| is_same(key, known, mv))
    }

    /// Adds a legal move behind those that are there; returns whether it is new.
    pub fn add_move(&mut self, position: &Position, mv: Move) -> Result<bool, RepertoireError> {
        if self.has(position, mv) {
            return Ok(false);
        }
        let key = MirrorKey::of(position);
        if self.positions.len() >= MAX_POSITIONS && !self.positions.contains_key(&key.key) {
            return Err(RepertoireError);
        }
        self.positions.entry(key.key).or_default().push(turned(key, mv));
        Ok(true)
    }

    /// Adds the legal moves of a line from the start position; returns how many are new.
    pub fn add_line(&mut self, line: &[Move]) -> Result<usize, RepertoireError> {
        let (mut position, mut count) = (Position::start(), 0);
        for &mv in line.iter().take(MAX_LINE) {
            if !is_legal(&position, mv) {
                break;
            }
            count += usize::from(self.add_move(&position, mv)?);
            position.play_unchecked(mv);
        }
        Ok(count)
    }

    /// Makes a move the main one, if it is there.
    pub fn set_main(&mut self, position: &Position, mv: Move) {
        let key = MirrorKey::of(position);
        if let Some(moves) = self.positions.get_mut(&key.key)
            && let Some(place) = moves.iter().position(|&known| is_same(key, turned(key, known), mv))
        {
            moves[..=place].rotate_right(1);
        }
    }

    /// Takes a move out, with all that was reached by it alone; returns whether it was there.
    pub fn remove_move(&mut self, position: &Position, mv: Move) -> bool {
        let key = MirrorKey::of(position);
        let Some(moves) = self.positions.get_mut(&key.key) else { return false };
        let before = moves.len();
        moves.retain(|&known| !is_same(key, turned(key, known), mv));
        let is_removed = moves.len() < before;
        if is_removed {
            self.drop_unreachable();
        }
        is_removed
    }

    fn drop_unreachable(&mut self) {
        let mut reached = HashSet::new();
        self.walk(&mut |place| _ = reached.insert(MirrorKey::of(place.position).key));
        self.positions.retain(|key, moves| reached.contains(key) && !moves.is_empty());
    }

    /// Visits all positions from the start on, each line to its end before the next one; also those at the ends of lines,
    /// which have no moves. A position that is reached by another order of moves is visited again, but not gone on from.
    pub fn walk(&self, visit: &mut dyn FnMut(&Place)) {
        let (mut line, mut seen) = (Vec::new(), HashSet::new());
        self.walk_from(&mut Position::start(), &mut line, &mut seen, visit);
    }

    fn walk_from(
        &self,
        position: &mut Position,
        line: &mut Vec<Move>,
        seen: &mut HashSet<Key>,
        visit: &mut dyn FnMut(&Place),
    ) {
        let is_known = !seen.insert(MirrorKey::of(position).key);
        let moves = if line.len() < MAX_LINE { self.moves(position) } else { Vec::new() };
        visit(&Place { line, position, moves: &moves, is_known });
        if is_known {
            return;
        }
        for mv in moves {
            position.play_unchecked(mv);
            line.push(mv);
            self.walk_from(position, line, seen, visit);
            line.pop();
            position.undo();
        }
    }

    /// What follows a position if both sides play the first moves.
    pub fn main_line(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while line.len() < MAX_LINE {
            let Some(&mv) = self.moves(&position).first() else { break };
            position.play_unchecked(mv);
            line.push(mv);
        }
        line
    }

    /// How many positions have a move of the person.
    pub fn own_positions(&self) -> usize {
        self.own_positions_from(&Position::start())
    }

    /// The same of the positions from this one on.
    pub fn own_positions_from(&self, position: &Position) -> usize {
        let mut count = 0;
        self.walk_from(&mut position.clone(), &mut Vec::new(), &mut HashSet::new(), &mut |place| {
            count += usize::from(self.is_mine(place.position) && !place.moves.is_empty() && !place.is_known);
        });
        count
    }
}

/// How a game leaves a repertoire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// It ends before the repertoire does.
    Never,
    /// The repertoire has no moves in the position.
    End,
    /// The person plays another move.
    Mine,
    /// The other side plays an answer that the repertoire does not have.
    Other,
}

/// A game beside a repertoire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    pub departure: Departure,
    /// The plies before the last position that the repertoire knows.
    pub plies: usize,
    /// The move of the game there.
    pub played: Option<Move>,
    /// The moves of the repertoire there.
    pub wanted: Vec<Move>,
    /// The position there, with its history.
    pub position: Position,
}

impl Repertoire {
    /// Follows the main line of a game; nothing if it does not begin in the start position. Other orders of moves may leave
    /// and come back: the last position counts that the repertoire knows.
    pub fn follow(&self, game: &Game) -> Option<Followed> {
        if game.start().key() != Position::start().key() {
            return None;
        }
        let mut known = HashSet::new();
        self.walk(&mut |place| _ = known.insert(MirrorKey::of(place.position).key));
        let moves: Vec<Move> = game.moves().collect();
        let mut position = Position::start();
        let mut last = 0;
        for (ply, &mv) in moves.iter().enumerate() {
            position.play_unchecked(mv);
            if known.contains(&MirrorKey::of(&position).key) {
                last = ply + 1;
            }
        }
        while position.history_len() > last {
            position.undo();
        }
        let (played, wanted) = (moves.get(last).copied(), self.moves(&position));
        let departure = match played {
            None => Departure::Never,
            Some(_) if wanted.is_empty() => Departure::End,
            Some(_) if self.is_mine(&position) => Departure::Mine,
            Some(_) => Departure::Other,
        };
        Some(Followed { departure, plies: last, played, wanted, position })
    }
}

// A repertoire as a game with variations, for PGN and XQF, and games as a repertoire.

/// The tag that says what a game is, in a place that XQF has, too.
const TAG: &str = "Event";
/// What it says.
const NAMES: [(Color, &str); 2] = [(Color::Red, "Repertoire: red"), (Color::Black, "Repertoire: black")];

/// Why games are no repertoire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    #[error("{}", tr!("no line begins in the start position"))]
    NoLine,
    #[error(transparent)]
    Full(#[from] RepertoireError),
}

/// The colour of a repertoire in these games: as they say, or else that of the side that has fewer alternatives, or that has
/// the last word in more of the lines; nothing if that is not clear.
pub fn colour_of(games: &[Game]) -> Option<Color> {
    let told = games.iter().find_map(|game| {
        let event = game.tag(TAG)?.trim().to_lowercase();
        NAMES.into_iter().find(|(_, name)| name.to_lowercase() == event).map(|(colour, _)| colour)
    });
    if told.is_some() {
        return told;
    }
    let mut all = Repertoire::new(Color::Red);
    all.add_games(games).ok()?;
    // Alternatives of each side, and ends of lines where it is to move.
    let (mut alternatives, mut ends) = ([0, 0], [0, 0]);
    all.walk(&mut |place| {
        let side = place.position.side();
        alternatives[side] += place.moves.len().saturating_sub(1);
        ends[side] += usize::from(place.moves.is_empty());
    });
    let fewer = |counts: [usize; 2]| match counts[Color::Red].cmp(&counts[Color::Black]) {
        Ordering::Less => Some(Color::Red),
        Ordering::Greater => Some(Color::Black),
        Ordering::Equal => None,
    };
    fewer(alternatives).or_else(|| fewer(ends))
}

impl Repertoire {
    /// Adds all lines of games, with their variations; those that do not begin in the start position are left out. Returns how
    /// many moves are new.
    pub fn add_games(&mut self, games: &[Game]) -> Result<usize, RecordFault> {
        let (mut added, mut has_line) = (0, false);
        for game in games.iter().filter(|game| game.start().key() == Position::start().key()) {
            let mut cursor = GameCursor::new(game);
            // Each line to its end before the next one, as it is read.
            let mut open = vec![NodeId::ROOT];
            while let Some(id) = open.pop() {
                cursor.go_to(game, id);
                let node = &game[id];
                if node.ply() >= MAX_LINE {
                    continue;
                }
                for mv in node.children().iter().filter_map(|&child| game[child].mv()) {
                    has_line = true;
                    added += usize::from(self.add_move(cursor.position(), mv)?);
                }
                open.extend(node.children().iter().rev());
            }
        }
        if has_line { Ok(added) } else { Err(RecordFault::NoLine) }
    }

    /// The repertoire as a game with variations. A line ends where it comes to a position that is there already by another
    /// order of moves.
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(&Position::start());
        let name = NAMES.iter().find(|(colour, _)| *colour == self.colour()).map_or("", |(_, name)| name);
        game.set_tag(TAG, name);
        let mut cursor = GameCursor::new(&game);
        // The node of the last position at each ply.
        let mut nodes: HashMap<usize, NodeId> = HashMap::from([(0, NodeId::ROOT)]);
        self.walk(&mut |place| {
            let ply = place.line.len();
            if let (Some(&mv), Some(&parent)) = (place.line.last(), nodes.get(&ply.wrapping_sub(1))) {
                cursor.go_to(&game, parent);
                if let Ok(id) = cursor.play(&mut game, mv) {
                    nodes.insert(ply, id);
                }
            }
        });
        game
    }
}
