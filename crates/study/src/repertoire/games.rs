//! What games say of openings: what was played in many of them, a repertoire of those of one player, what is missing in it,
//! and what the engine thinks of moves.

use super::{MAX_LINE, Repertoire, RepertoireError};
use crate::book::{Book, MirrorKey, ProbeError, weight_percent};
use crate::explorer::{GameFacts, MoveTally, Tally};
use crate::review::expected_score;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_support::small_sort::SmallSort;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, Position};
use xiangqi_record::Game;

/// The moves of the first plies of games, by positions. Other orders of moves and mirror images are joined.
pub struct OpeningCounts {
    plies: usize,
    games: usize,
    /// In the orientation of the mirror key.
    positions: HashMap<Key, Vec<(Move, Tally)>>,
}

impl OpeningCounts {
    /// Counts so many plies of each game.
    pub fn new(plies: usize) -> OpeningCounts {
        OpeningCounts { plies, games: 0, positions: HashMap::new() }
    }

    /// How many games were counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Counts a game; one without moves, or that does not begin in the start position, is left out. A move counts once for
    /// a game.
    pub fn add(&mut self, game: &Game) -> bool {
        if game.start().key() != Position::start().key() || game.moves().next().is_none() {
            return false;
        }
        self.games += 1;
        let GameFacts { result, date, .. } = GameFacts::of(game);
        let (mut position, mut seen) = (Position::start(), HashSet::new());
        for mv in game.moves().take(self.plies) {
            let key = MirrorKey::of(&position);
            let stored = if key.mirrored { mv.mirror() } else { mv };
            if seen.insert((key.key, key.to_book_move(mv))) {
                let moves = self.positions.entry(key.key).or_default();
                let place = moves.iter().position(|(known, _)| *known == stored).unwrap_or_else(|| {
                    moves.push((stored, Tally::default()));
                    moves.len() - 1
                });
                moves[place].1.add(result, date);
            }
            position.play_unchecked(mv);
        }
        true
    }

    /// The moves of a position, the most played one first. In a position that is its own mirror image a move counts with its
    /// mirror image, and is told as it was played more often.
    pub fn at(&self, position: &Position) -> Vec<MoveTally> {
        let key = MirrorKey::of(position);
        let stored = self.positions.get(&key.key).map(Vec::as_slice).unwrap_or_default();
        let mut moves: Vec<MoveTally> = stored
            .iter()
            .map(|&(mv, tally)| MoveTally { mv: if key.mirrored { mv.mirror() } else { mv }, tally })
            .collect();
        sort(&mut moves);
        if key.symmetric {
            let mut joined: Vec<MoveTally> = Vec::new();
            for entry in moves {
                match joined.iter_mut().find(|known| known.mv == entry.mv.mirror()) {
                    Some(known) => known.tally.merge(entry.tally),
                    None => joined.push(entry),
                }
            }
            moves = joined;
            sort(&mut moves);
        }
        moves
    }

    /// The games with a move.
    pub fn of_move(&self, position: &Position, mv: Move) -> Tally {
        let key = MirrorKey::of(position);
        let same = |entry: &MoveTally| key.to_book_move(entry.mv) == key.to_book_move(mv);
        self.at(position).into_iter().find(same).map(|entry| entry.tally).unwrap_or_default()
    }
}

/// The most played one first; of two the one that comes later on the board, which is the usual 炮二平五 of the two.
fn sort(moves: &mut [MoveTally]) {
    moves.order_by_key(|entry| (Reverse(entry.tally.games), Reverse(entry.mv.to_string())));
}

/// What a move is worth that was played in these games: their number times the score, to which a win and a loss are added. What
/// was played most and lost least comes out first.
pub fn worth(tally: &Tally, side: Color) -> f64 {
    let decided = (tally.red + tally.draws + tally.black) as f64;
    let won = if side == Color::Red { tally.red } else { tally.black } as f64;
    tally.games as f64 * (won + tally.draws as f64 / 2.0 + 1.0) / (decided + 2.0)
}

impl Repertoire {
    /// The repertoire of the player who had this colour in all these games: in each position the move that is worth most,
    /// against each answer that has such a move. Both were played in so many games at least.
    pub fn of_games(colour: Color, counts: &OpeningCounts, least_games: u64) -> Result<Repertoire, RepertoireError> {
        Repertoire::new(colour).with_games(counts, least_games)
    }

    /// The same, where this repertoire has no move yet: what it has stays, and is gone on from.
    pub fn with_games(self, counts: &OpeningCounts, least_games: u64) -> Result<Repertoire, RepertoireError> {
        let mut making = Making { made: self, counts, least_games, seen: HashSet::new() };
        making.go_on(&mut Position::start(), 0)?;
        Ok(making.made)
    }
}

struct Making<'a> {
    made: Repertoire,
    counts: &'a OpeningCounts,
    least_games: u64,
    seen: HashSet<Key>,
}

impl Making<'_> {
    /// Adds what follows a position.
    fn go_on(&mut self, position: &mut Position, ply: usize) -> Result<(), RepertoireError> {
        if ply >= MAX_LINE || !self.seen.insert(MirrorKey::of(position).key) {
            return Ok(());
        }
        let mut moves = self.made.moves(position);
        if !self.made.is_mine(position) {
            let mut after = position.clone();
            for MoveTally { mv, .. } in self.often(position) {
                after.play_unchecked(mv);
                if !self.made.has(position, mv) && (self.best(&after).is_some() || !self.made.moves(&after).is_empty())
                {
                    moves.push(mv);
                }
                after.undo();
            }
        } else if moves.is_empty() {
            moves.extend(self.best(position));
        }
        for mv in moves {
            self.made.add_move(position, mv)?;
            position.play_unchecked(mv);
            self.go_on(position, ply + 1)?;
            position.undo();
        }
        Ok(())
    }

    /// The moves that were played often enough, the most played one first.
    fn often(&self, position: &Position) -> Vec<MoveTally> {
        let mut moves = self.counts.at(position);
        moves.retain(|entry| entry.tally.games >= self.least_games);
        moves
    }

    /// The move that is worth most; of equals the one that was played more often.
    fn best(&self, position: &Position) -> Option<Move> {
        let mut best: Option<(f64, Move)> = None;
        for MoveTally { mv, tally } in self.often(position) {
            let points = worth(&tally, self.made.colour());
            if best.is_none_or(|(most, _)| points > most) {
                best = Some((points, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}

/// Which answers count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GapOptions {
    /// An answer comes often if it came in this part of the games in its position, and in so many of them.
    pub least_share: f64,
    pub least_games: u64,
    /// Answers after so many plies do not count.
    pub plies: usize,
}

impl Default for GapOptions {
    fn default() -> GapOptions {
        GapOptions { least_share: 0.1, least_games: 2, plies: 24 }
    }
}

/// An answer that has no move against it.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// The moves from the start position, the answer last.
    pub line: Vec<Move>,
    /// In how many games it came, and in which part of those in its position.
    pub games: u64,
    pub share: f64,
    /// The part of the weight that a book gives it.
    pub book: f64,
    /// The repertoire has the answer, but nothing against it.
    pub is_listed: bool,
}

impl Repertoire {
    /// The gaps, the most frequent ones first.
    pub fn gaps(
        &self,
        counts: &OpeningCounts,
        book: Option<&dyn Book>,
        options: &GapOptions,
    ) -> Result<Vec<Gap>, ProbeError> {
        let (mut gaps, mut seen, mut fault) = (Vec::new(), HashSet::new(), None);
        self.walk(&mut |place| {
            if self.is_mine(place.position) || place.is_known || place.line.len() >= options.plies || fault.is_some() {
                return;
            }
            match self.answers(place.position, place.moves, counts, book) {
                Err(error) => fault = Some(error),
                Ok(answers) => {
                    let mut after = place.position.clone();
                    for gap in answers {
                        let Some(&answer) = gap.line.first() else { continue };
                        let is_often = gap.games >= options.least_games && gap.share >= options.least_share;
                        after.play_unchecked(answer);
                        let is_open = self.moves(&after).is_empty() && after.has_legal_move();
                        let is_wanted = is_often || gap.book >= options.least_share || gap.is_listed;
                        if is_open && is_wanted && seen.insert(MirrorKey::of(&after).key) {
                            let line = place.line.iter().copied().chain([answer]).collect();
                            gaps.push(Gap { line, ..gap });
                        }
                        after.undo();
                    }
                }
            }
        });
        // What no game has comes the more often the earlier it is.
        gaps.order_by_key(|gap: &Gap| (Reverse(gap.games), gap.line.len(), Reverse((1000.0 * gap.book) as u64)));
        fault.map_or(Ok(gaps), Err)
    }

    /// The answers of a position that games, the book or the repertoire have, each as a line of one move.
    fn answers(
        &self,
        position: &Position,
        listed: &[Move],
        counts: &OpeningCounts,
        book: Option<&dyn Book>,
    ) -> Result<Vec<Gap>, ProbeError> {
        let key = MirrorKey::of(position);
        let mut found: Vec<Gap> = Vec::new();
        let place = |found: &mut Vec<Gap>, mv: Move| {
            let known = found.iter().position(|gap| key.to_book_move(gap.line[0]) == key.to_book_move(mv));
            known.unwrap_or_else(|| {
                found.push(Gap { line: vec![mv], games: 0, share: 0.0, book: 0.0, is_listed: false });
                found.len() - 1
            })
        };
        for &mv in listed {
            let at = place(&mut found, mv);
            found[at].is_listed = true;
        }
        let played = counts.at(position);
        let all: u64 = played.iter().map(|entry| entry.tally.games).sum();
        for entry in &played {
            let at = place(&mut found, entry.mv);
            found[at].games += entry.tally.games;
            found[at].share = found[at].games as f64 / all as f64;
        }
        if let Some(book) = book {
            let moves = book.moves(position)?;
            for entry in &moves {
                let at = place(&mut found, entry.mv);
                found[at].book += weight_percent(entry, &moves) / 100.0;
            }
        }
        Ok(found)
    }
}

/// What is thought of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveJudgement {
    /// The expected result of who plays it, 0 to 1.
    pub chance: f64,
    /// What follows, from the reply on.
    pub reply: Vec<Move>,
}

/// Judges legal moves of a position with so many nodes each; nothing if that is stopped.
pub fn judge_choices(
    position: &Position,
    moves: &[Move],
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<Vec<MoveJudgement>> {
    let mut judge = |&mv: &Move| {
        let after = position.after(&[mv]);
        if !after.has_legal_move() {
            return Some(MoveJudgement { chance: 1.0, reply: Vec::new() });
        }
        let found = searcher.search(&after, &Limits::nodes(nodes), control, &mut NoReporter);
        let chance = 1.0 - expected_score(found.score, &after);
        (!control.stopped()).then_some(MoveJudgement { chance, reply: found.pv })
    };
    moves.iter().map(&mut judge).collect()
}
