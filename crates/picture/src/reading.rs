//! From a picture to a reading: candidates of the grid, the network, the reading of the whole.

use crate::consistent_board::{ConsistentBoard, Costs, State, piece, square_of};
use crate::grid::{Candidate, Grid, Slanted, candidates, disc_candidates, distinct};
use crate::network::{JUNK, Network, Seen};
use crate::parallax::{Corners, corners_of_tops, steps};
use crate::pixels::{FILES, POINTS, Pixels, RANKS, STEP, Scaled, reduce};
use crate::sides::divisions;
use xiangqi::{Color, Piece, PieceKind, Setup, Square, worded_error, words};

// These numbers were chosen by eye, with pictures at hand that were read right and wrong; no run gave them.

/// The longer side of the picture in which grids are looked for.
const SEARCH_SIDE: usize = 800;
const SMALL_SIDE: usize = 400;
/// Candidates of the grid that the network looks at.
const CANDIDATES: usize = 8;
/// Of those that are seen aslant, so many are looked at as they are beside those of the tops of their pieces.
const AS_THEY_ARE: usize = CANDIDATES / 2;
/// Of one kind of candidates, so many are looked at as a whole beside the first.
const LOOKS: usize = 3;
/// A margin below this is a doubt.
const DOUBT: f32 = 1.9;
/// If it costs less than this more to have the other side below, that is a doubt about the whole board.
const SIDE_DOUBT: f32 = 3.0;
/// More doubts than this are worth a look at other grids.
const FEW_DOUBTS: usize = 4;
/// A grid that costs less than this is taken without looking at others.
const CLEAR: f32 = 14.0;
/// What a grid's lines are worth against what its pieces cost.
const LINES: f32 = 20.0;
/// What it costs that black is below, which is rare.
const TURNED: f32 = 2.0;
/// What it costs that a board does not stand upright.
const SLANTED: f32 = 10.0;
/// What the points and the pieces of a board cost at most, and the part of it that speaks against points of a board.
const TOO_DEAR: f32 = 80.0;
const TOO_STRANGE: f32 = 12.0;
/// The steps of one axis of a board against those of the other.
const RATIOS: (f32, f32) = (0.88, 1.14);
/// What the points and the pieces of a board that is proposed cost at most.
const TOO_DEAR_TO_PROPOSE: f32 = 200.0;
/// The area in square pixels that a board has between corners that are given: nobody sees what stands on a smaller one.
const SMALLEST_BOARD: f32 = 500.0;
/// A board that is not upright has so many times more pieces than doubts, or it is only proposed. Where its points are
/// surely those of a board fewer pieces do: stones of other games are doubtful on each point.
const SURE_PIECES: f32 = 5.0;
const PIECES_OF_BOARD: f32 = 1.2;
/// Beside a grid so many pieces are worth a look whether it is off by a line, so many times.
const PIECES_BESIDE: usize = 2;
const MOST_MOVES: usize = 2;
/// Two boards share less than this.
const APART: f32 = 0.1;

/// What is known of a picture beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The outer points of the board in pixels, if they are known: top left, top right, bottom right, bottom left.
    pub corners: Option<[(f32, f32); 4]>,
    /// Whether black is below; if it is not said, the pieces tell.
    pub turned: Option<bool>,
}

/// What a picture shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The pieces; red is to move, as a picture does not tell.
    pub setup: Setup,
    /// The outer points of the board in pixels: top left, top right, bottom right, bottom left.
    pub corners: [(f32, f32); 4],
    /// Black is below.
    pub turned: bool,
    /// It may be the other side that is below: then every piece is another one, on another point.
    pub turned_doubtful: bool,
    /// Points that may be something else.
    pub doubts: Vec<Doubt>,
    /// What no game has.
    pub unusual: Vec<Unusual>,
    /// There is another board, which is smaller.
    pub other_board: bool,
}

/// A point that may be something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// The point.
    pub square: Square,
    /// What it is read as.
    pub read: Option<Piece>,
    /// What it may be instead.
    pub other: Option<Piece>,
    /// The chances of both, from 0 to 1.
    pub chances: [f32; 2],
}

/// Something that no game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusual {
    /// So many of a piece; 0 for a king that is missing.
    Count(Piece, usize),
    /// A piece where it can never stand.
    Place(Piece, Square),
}

/// No board was found in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NoBoard {
    /// Where it may be, for a person to put right: its outer points in pixels, from the top left clockwise. Nothing where
    /// nothing looks like a board, and between corners that were given.
    pub proposed: Option<[(f32, f32); 4]>,
}

worded_error!(NoBoard, |_board| words!("no xiangqi board found in the picture"));

/// A grid, what the network sees on it, and the cheapest reading of that.
struct Looked {
    grid: Grid,
    seen: Vec<Seen>,
    consistent: Consistent,
    /// How surely some points are none of a board.
    junk: f32,
    /// What its points and pieces cost.
    pieces: f32,
    /// The same, less what its lines are worth.
    cost: f32,
}

impl Looked {
    /// Without pieces there is no position.
    fn has_pieces(&self) -> bool {
        self.seen.iter().filter(|seen| seen.is_piece()).count() >= 2
    }

    fn is_board(&self) -> bool {
        self.has_pieces() && self.pieces < TOO_DEAR && self.junk < TOO_STRANGE
    }

    /// Whether its pieces are so clear that no other grid is worth a look.
    fn is_clear(&self) -> bool {
        self.pieces < CLEAR
    }

    /// Whether it is a board of which little is doubtful.
    fn is_settled(&self, reading: &Reading) -> bool {
        self.is_sound(reading) && reading.doubts.len() <= FEW_DOUBTS
    }

    /// Whether it is a board and no stones of other games, of which more is doubtful than stands there.
    fn is_sound(&self, reading: &Reading) -> bool {
        self.is_board() && reading.sure_pieces() >= 0
    }
}

/// Reads a picture: finds the board and names what stands on its points. Between corners that are given there is none if they
/// do not go round a board clockwise, or are far outside the picture.
pub fn read(pixels: &Pixels, options: &Options) -> Result<Reading, NoBoard> {
    let reader = Reader { network: Network::load(), turned: options.turned };
    let Some(corners) = options.corners else { return reader.read_whole(pixels) };
    if !could_be_corners(pixels, &corners) {
        return Err(NoBoard { proposed: None });
    }
    Ok(reader.read_between(pixels, corners, true))
}

/// Whether a board can be between these corners: they go round it clockwise, and are in the picture or not far outside.
fn could_be_corners(pixels: &Pixels, corners: &[(f32, f32); 4]) -> bool {
    let is_near = |at: f32, side: usize| (-(side as f32)..=2.0 * side as f32).contains(&at);
    let are_near = corners.iter().all(|&(x, y)| is_near(x, pixels.width()) && is_near(y, pixels.height()));
    let turns_right = |index: usize| {
        let [a, b, c] = [0, 1, 2].map(|ahead| corners[(index + ahead) % 4]);
        (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0) > 0.0
    };
    are_near && (0..4).all(turns_right) && Grid::Corners(*corners).area() >= SMALLEST_BOARD
}

impl Reading {
    /// Whether a board that is not upright, or that is nearly so, has so many times more pieces than doubts.
    fn is_sure(&self, times: f32) -> bool {
        let pieces = self.setup.pieces().count();
        // What no game has speaks against the grid.
        pieces >= 2 && (self.doubts.len() + 2 * self.unusual.len()) as f32 * times <= pieces as f32
    }

    /// How many more pieces there are than doubts.
    fn sure_pieces(&self) -> isize {
        self.setup.pieces().count() as isize - self.doubts.len() as isize
    }
}

/// The pieces of a board, and what is doubtful.
fn named(looked: &Looked) -> Reading {
    let Consistent { costs, board, margin, .. } = &looked.consistent;
    let mut setup = Setup::empty();
    let mut doubts = Vec::new();
    for (point, &state) in board.states.iter().enumerate() {
        let square = square(point, board.turned);
        if let Some(piece) = as_piece(state) {
            setup.place(piece, square);
        }
        let margins = costs.margins(board, point);
        let Some(&(other, margin)) = margins.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        if margin < DOUBT {
            let sum: f32 = 1.0 + margins.iter().map(|m| (-m.1).exp()).sum::<f32>();
            let chances = [1.0 / sum, (-margin).exp() / sum];
            doubts.push(Doubt { square, read: as_piece(state), other: as_piece(other), chances });
        }
    }
    let unusual = unusual(&setup);
    let corners = looked.grid.corners();
    let turned_doubtful = *margin < SIDE_DOUBT;
    Reading { setup, corners, turned: board.turned, turned_doubtful, doubts, unusual, other_board: false }
}

/// What reads a picture: the network, and whether black is below if that is known.
struct Reader {
    network: Network,
    turned: Option<bool>,
}

impl Reader {
    fn read_whole(&self, pixels: &Pixels) -> Result<Reading, NoBoard> {
        let Some((looked, other_board)) = self.find(pixels) else { return Err(NoBoard { proposed: None }) };
        let proposed = (looked.has_pieces() && looked.pieces < TOO_DEAR_TO_PROPOSE).then(|| looked.grid.corners());
        let is_upright = matches!(looked.grid, Grid::Straight { .. });
        let upright = is_upright.then(|| named(&looked)).map(|reading| Reading { other_board, ..reading });
        if let Some(reading) = &upright
            && looked.is_settled(reading)
        {
            return Ok(reading.clone());
        }
        let sound = upright.filter(|reading| looked.is_sound(reading));
        // A photograph from above has lines that are all but level.
        let may_see_tops = is_upright || !looked.is_clear();
        let between = self.read_between(pixels, looked.grid.corners(), may_see_tops);
        // Nothing better is known, and no piece speaks against the grid.
        let is_only_answer = sound.is_none() && looked.is_board() && between.unusual.is_empty();
        let is_answer = between.is_sure(SURE_PIECES) || is_only_answer && between.is_sure(PIECES_OF_BOARD);
        let between = is_answer.then_some(Reading { other_board, ..between });
        match (sound, between) {
            (Some(sound), Some(between)) if between.doubts.len() >= sound.doubts.len() => Ok(sound),
            (sound, between) => between.or(sound).ok_or(NoBoard { proposed }),
        }
    }

    /// Reads the board between corners; `may_see_tops`: or between those of the tops of its pieces, if these show more.
    fn read_between(&self, pixels: &Pixels, corners: Corners, may_see_tops: bool) -> Reading {
        // No more pixels than the network sees, or each look takes long.
        let [across, down] = steps(&corners);
        let longest = across.0.hypot(across.1).max(down.0.hypot(down.1));
        let side = pixels.width().max(pixels.height());
        let reduced = reduce(
            pixels,
            ((side as f32 * 2.0 * STEP as f32 / longest.max(1.0)) as usize).clamp(SEARCH_SIDE.min(side), side),
        );
        let (fx, fy) = (reduced.width as f32 / pixels.width() as f32, reduced.height as f32 / pixels.height() as f32);
        let small = corners.map(|(x, y)| (x * fx, y * fy));
        let pixels = reduced.pixels();
        let look = |small: Corners| {
            let grid = Grid::Corners(small);
            self.judged(grid, &grid.board(&pixels))
        };
        let between = |looked: &Looked| Reading { corners, ..named(looked) };
        let given = between(&look(small));
        if !may_see_tops {
            return given;
        }
        let Some(tops) = corners_of_tops(&pixels, small) else { return given };
        let mut tops = look(tops);
        self.move_to_all_pieces(&pixels, &mut tops);
        let of_tops = between(&tops);
        if of_tops.sure_pieces() > given.sure_pieces() { of_tops } else { given }
    }

    /// The grid that the pieces agree with best, and whether there is another board.
    fn find(&self, pixels: &Pixels) -> Option<(Looked, bool)> {
        let reduced = reduce(pixels, SEARCH_SIDE);
        let small = reduce(&reduced.pixels(), SMALL_SIDE);
        let in_picture = |from: &Scaled, found: Vec<Candidate>| -> Vec<Candidate> {
            let (fx, fy) = (pixels.width() as f32 / from.width as f32, pixels.height() as f32 / from.height as f32);
            found.into_iter().map(|c| Candidate { grid: c.grid.times(fx, fy), ..c }).collect()
        };
        let mut all = in_picture(&reduced, candidates(&reduced, CANDIDATES, RATIOS));
        all.extend(in_picture(&small, candidates(&small, CANDIDATES / 2, RATIOS)));
        let lines = distinct(all, CANDIDATES);
        let mut looked: Vec<Looked> = Vec::new();
        self.look_at_likeliest(pixels, &lines, LINES, &mut looked);
        if !looked.iter().any(Looked::is_clear) {
            let discs = in_picture(&small, disc_candidates(&small, CANDIDATES / 2));
            self.look_at_likeliest(pixels, &discs, 0.0, &mut looked);
        }
        let best = looked.iter().min_by(|a, b| a.cost.total_cmp(&b.cost));
        if !best.is_some_and(|best| best.is_settled(&named(best))) {
            let reduced = reduced.pixels();
            let (slanted, upright) = (Slanted::new(&reduced), looked.len());
            let askew = slanted.askew(CANDIDATES / 2, RATIOS);
            self.look_at_likeliest(&reduced, &askew, LINES, &mut looked);
            if !looked.iter().any(Looked::is_clear) {
                let aslant = slanted.seen_aslant(CANDIDATES);
                let on_tops = |candidate: &Candidate| {
                    let grid = Grid::Corners(corners_of_tops(&reduced, candidate.grid.corners())?);
                    Some(Candidate { grid, ..*candidate })
                };
                let mut both: Vec<Candidate> = aslant.iter().filter_map(on_tops).collect();
                both.extend(aslant.iter().take(AS_THEY_ARE));
                self.look_at_likeliest(&reduced, &both, LINES, &mut looked);
            }
            let best = looked[upright..].iter_mut().min_by(|a, b| a.cost.total_cmp(&b.cost));
            if let Some(best) = best.filter(|best| !best.is_clear()) {
                self.move_to_all_pieces(&reduced, best);
            }
            let (fx, fy) =
                (pixels.width() as f32 / reduced.width() as f32, pixels.height() as f32 / reduced.height() as f32);
            looked[upright..].iter_mut().for_each(|found| found.grid = found.grid.times(fx, fy));
        }
        // Boards mostly stand upright: one that does not must be read far better.
        let cost = |looked: &Looked| match looked.grid {
            Grid::Straight { .. } => looked.cost,
            Grid::Corners(_) => looked.cost + SLANTED,
        };
        looked.sort_unstable_by(|a, b| cost(a).total_cmp(&cost(b)));
        let mut looked = looked.into_iter();
        let best = looked.next()?;
        // Two boards: the larger.
        let others: Vec<Looked> = looked.filter(|l| l.is_board() && l.grid.overlap(&best.grid) < APART).collect();
        let several = !others.is_empty();
        let largest = others.into_iter().max_by(|a, b| a.grid.area().total_cmp(&b.grid.area()));
        match largest {
            Some(other) if other.grid.area() > best.grid.area() => Some((other, several)),
            _ => Some((best, several)),
        }
    }

    /// Looks at the first of some grids, and, unless its board is clear, at those of the others that some of their points
    /// recommend. After a clear board of these only at others beside it.
    fn look_at_likeliest(&self, pixels: &Pixels, candidates: &[Candidate], weight: f32, looked: &mut Vec<Looked>) {
        // What was looked at before may be in a picture of another size.
        let before = looked.len();
        let is_worth_it = |candidate: &Candidate, looked: &[Looked]| {
            looked[before..].iter().all(|l| !l.is_clear() || l.grid.overlap(&candidate.grid) < APART)
        };
        let look = |candidate: &Candidate, board: &Scaled, looked: &mut Vec<Looked>| {
            let mut found = self.judged(candidate.grid, board);
            found.cost = found.pieces - candidate.score * weight;
            looked.push(found);
        };
        let Some((first, others)) = candidates.split_first() else { return };
        look(first, &first.grid.board(pixels), looked);
        let some_points: Vec<usize> = (0..POINTS).step_by(5).collect();
        let glance = |candidate: &&Candidate| {
            let board = candidate.grid.board(pixels);
            let seen = self.network.see_points(&board, board.colour(), &some_points);
            // The other points may be better.
            let least = seen.iter().map(junk_cost).sum::<f32>() * 5.0 * 0.5 - candidate.score * weight;
            (least, board)
        };
        let others = others.iter().filter(|candidate| is_worth_it(candidate, looked)).map(|c| (c, glance(&c)));
        let mut others: Vec<_> = others.collect();
        others.sort_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
        for (candidate, (least, board)) in others.into_iter().take(LOOKS) {
            let best = looked.iter().map(|l| l.cost).fold(f32::INFINITY, f32::min);
            if least <= best && is_worth_it(candidate, looked) {
                look(candidate, &board, looked);
            }
        }
    }

    /// What is seen on a grid, and what its points and pieces cost.
    fn judged(&self, grid: Grid, board: &Scaled) -> Looked {
        let seen = self.network.see(board, board.colour());
        let junk: f32 = seen.iter().map(junk_cost).sum();
        let consistent = consistent_board(board, &seen, self.turned);
        let pieces = junk + consistent.least;
        Looked { grid, seen, consistent, junk, pieces, cost: pieces }
    }

    /// Moves a grid by a line, and once more, where that shows pieces that it leaves out, and the whole is read better.
    fn move_to_all_pieces(&self, pixels: &Pixels, looked: &mut Looked) {
        for _ in 0..MOST_MOVES {
            let mut best: Option<Looked> = None;
            for (rows, files) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let grid = looked.grid.moved(rows as f32, files as f32);
                let board = grid.board(pixels);
                let is_new = |point: &usize| match (rows, files) {
                    (-1, _) => point / FILES == 0,
                    (1, _) => point / FILES == RANKS - 1,
                    (_, -1) => point.is_multiple_of(FILES),
                    _ => point % FILES == FILES - 1,
                };
                let points: Vec<usize> = (0..POINTS).filter(is_new).collect();
                let seen = self.network.see_points(&board, board.colour(), &points);
                if seen.iter().filter(|seen| seen.is_piece()).count() < PIECES_BESIDE {
                    continue;
                }
                let mut found = self.judged(grid, &board);
                found.cost = looked.cost + found.pieces - looked.pieces;
                if found.cost < best.as_ref().unwrap_or(looked).cost {
                    best = Some(found);
                }
            }
            let Some(best) = best else { return };
            *looked = best;
        }
    }
}

/// How surely this is no point of a board: the negative logarithm of the chance that it is one.
fn junk_cost(seen: &Seen) -> f32 {
    -(1.0 - seen.chances()[JUNK]).max(1e-4).ln()
}

/// The cheapest reading, what its points cost, and how much dearer it is to have the other side below.
struct Consistent {
    costs: Costs,
    board: ConsistentBoard,
    /// What the board costs the way that its pieces tell. A side that is known says nothing about the grid.
    least: f32,
    margin: f32,
}

/// The cheapest reading over the ways to divide the sides and, where no side is known, both ways to turn the board.
fn consistent_board(board: &Scaled, seen: &[Seen], turned: Option<bool>) -> Consistent {
    let divisions = divisions(board, seen);
    let cheapest = |turned: bool| {
        let read = divisions.iter().map(|division| {
            let costs = Costs::new(seen, &division.black, turned);
            let mut board = costs.read();
            board.cost += division.cost + if turned { TURNED } else { 0.0 };
            Consistent { costs, least: board.cost, board, margin: f32::INFINITY }
        });
        read.min_by(|a, b| a.board.cost.total_cmp(&b.board.cost)).expect("there is a way to divide the sides")
    };
    let (upright, upside_down) = (cheapest(false), cheapest(true));
    let least = upright.least.min(upside_down.least);
    let margin = turned.map_or((upright.least - upside_down.least).abs(), |_| f32::INFINITY);
    let is_turned = turned.unwrap_or(upside_down.least < upright.least);
    Consistent { least, margin, ..if is_turned { upside_down } else { upright } }
}

fn square(point: usize, turned: bool) -> Square {
    let (file, rank) = square_of(point, turned);
    Square::new(file, rank)
}

fn as_piece(state: State) -> Option<Piece> {
    piece(state).map(|(side, kind)| Piece::new(if side == 0 { Color::Red } else { Color::Black }, kind))
}

/// What no game has.
fn unusual(setup: &Setup) -> Vec<Unusual> {
    let mut found = Vec::new();
    for color in [Color::Red, Color::Black] {
        for kind in PieceKind::ALL {
            let piece = Piece::new(color, kind);
            let count = setup.pieces().filter(|(p, _)| *p == piece).count();
            let most = match kind {
                PieceKind::King => 1,
                PieceKind::Pawn => 5,
                _ => 2,
            };
            if count > most || kind == PieceKind::King && count == 0 {
                found.push(Unusual::Count(piece, count));
            }
        }
    }
    let elsewhere = setup.pieces().filter(|(p, s)| !p.kind().can_stand(s.file(), s.rank_for(p.color())));
    found.extend(elsewhere.map(|(piece, square)| Unusual::Place(piece, square)));
    found
}
