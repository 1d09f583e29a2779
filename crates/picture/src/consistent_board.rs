//! The consistent reading of all points: counts and places decide what single points leave open.

use crate::network::{CLASSES, EMPTY, JUNK, Seen};
use crate::pixels::{FILES, POINTS, RANKS};
use xiangqi::{Color, PieceKind};

/// What can stand on a point: nothing, or a kind of red (1 to 7) or of black (8 to 14).
pub(crate) const STATES: usize = 15;
pub(crate) type State = usize;

/// The side and the kind of a state that is a piece.
pub(crate) fn piece(state: State) -> Option<(usize, PieceKind)> {
    (state > 0).then(|| ((state - 1) / 7, PieceKind::ALL[(state - 1) % 7]))
}

const MOST: [i32; 7] = [1, 2, 2, 2, 2, 2, 5];
/// What one piece too many costs.
const EXTRA: [f32; 7] = [6.0, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5];
/// What a missing king costs.
const NO_KING: f32 = 6.0;
/// What a piece costs that stands where it never goes.
const ELSEWHERE: [f32; 7] = [5.0, 3.5, 3.5, 0.0, 0.0, 0.0, 3.5];
/// The network is surer than it should be of what it has not seen.
const TEMPERATURE: f32 = 1.25;
/// States that cost more than the best by this are not looked at.
const HOPELESS: f32 = 14.0;

/// A reading of all points, and its cost.
#[derive(Clone, Debug)]
pub(crate) struct ConsistentBoard {
    pub(crate) states: Vec<State>,
    pub(crate) cost: f32,
    /// Black is below.
    pub(crate) turned: bool,
}

/// For each point what each state costs: the negative logarithm of its chance.
pub(crate) struct Costs {
    points: Vec<[f32; STATES]>,
    turned: bool,
}

impl Costs {
    pub(crate) fn new(seen: &[Seen], black: &[f32], turned: bool) -> Costs {
        let points = seen
            .iter()
            .zip(black)
            .enumerate()
            .map(|(i, (s, &black))| {
                let top = s.classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let mut chances: [f32; CLASSES] = s.classes.map(|c| ((c - top) / TEMPERATURE).exp());
                // What is no point of a board is most like an empty one.
                chances[EMPTY] += 0.3 * chances[JUNK];
                let sum: f32 = chances[..JUNK].iter().sum();
                let mut cost = [0.0; STATES];
                cost[0] = -(chances[EMPTY] / sum).max(1e-6).ln();
                let of_black = (1.0 / (1.0 + (-black).exp())).clamp(1e-3, 1.0 - 1e-3);
                for kind in 0..7 {
                    let kind_cost = -(chances[kind] / sum).max(1e-6).ln();
                    cost[1 + kind] = kind_cost - (1.0 - of_black).ln() + place_cost(kind, Color::Red, i, turned);
                    cost[8 + kind] = kind_cost - of_black.ln() + place_cost(kind, Color::Black, i, turned);
                }
                cost
            })
            .collect();
        Costs { points, turned }
    }

    /// The cheapest reading, from the cheapest state of each point by single changes and exchanges.
    pub(crate) fn read(&self) -> ConsistentBoard {
        let states =
            self.points.iter().map(|c| (0..STATES).min_by(|&a, &b| c[a].total_cmp(&c[b])).unwrap_or(0)).collect();
        let mut counts = [0i32; STATES];
        let states: Vec<State> = states;
        states.iter().for_each(|&s| counts[s] += 1);
        let mut reading = Reading { costs: self, states, counts, fixed: None };
        reading.improve(60);
        ConsistentBoard { cost: reading.total(), states: reading.states, turned: self.turned }
    }

    /// What it costs more to read another state on a point, with the rest read anew.
    pub(crate) fn margins(&self, board: &ConsistentBoard, point: usize) -> Vec<(State, f32)> {
        let own = &self.points[point];
        let now = own[board.states[point]];
        let least = own.iter().copied().fold(f32::INFINITY, f32::min).min(now);
        let mut counts = [0i32; STATES];
        board.states.iter().for_each(|&s| counts[s] += 1);
        let base = Reading { costs: self, states: board.states.clone(), counts, fixed: None }.total();
        (0..STATES)
            .filter(|&s| s != board.states[point] && own[s] < least + HOPELESS)
            .map(|s| {
                let mut reading = Reading { costs: self, states: board.states.clone(), counts, fixed: Some(point) };
                reading.set(point, s);
                if own[s] - now < 8.0 {
                    reading.improve(3);
                }
                (s, reading.total() - base)
            })
            .collect()
    }
}

/// A reading in the making.
struct Reading<'a> {
    costs: &'a Costs,
    states: Vec<State>,
    counts: [i32; STATES],
    fixed: Option<usize>,
}

impl Reading<'_> {
    fn set(&mut self, point: usize, state: State) {
        self.counts[self.states[point]] -= 1;
        self.counts[state] += 1;
        self.states[point] = state;
    }

    fn total(&self) -> f32 {
        self.states.iter().zip(&self.costs.points).map(|(&s, c)| c[s]).sum::<f32>() + counts_cost(&self.counts)
    }

    /// The cheapest change again and again.
    fn improve(&mut self, times: usize) {
        for _ in 0..times {
            let mut best = (-1e-3, 0, 0, None);
            let base = counts_cost(&self.counts);
            for point in (0..POINTS).filter(|&p| Some(p) != self.fixed) {
                let (own, now) = (&self.costs.points[point], self.states[point]);
                for state in (0..STATES).filter(|&s| s != now && own[s] - own[now] < HOPELESS) {
                    let mut counts = self.counts;
                    counts[now] -= 1;
                    counts[state] += 1;
                    let change = own[state] - own[now] + counts_cost(&counts) - base;
                    if change < best.0 {
                        best = (change, point, state, None);
                    }
                }
                for other in (point + 1..POINTS).filter(|&p| Some(p) != self.fixed && now != 0 && self.states[p] != 0) {
                    let (theirs, then) = (&self.costs.points[other], self.states[other]);
                    let change = own[then] + theirs[now] - own[now] - theirs[then];
                    if change < best.0 {
                        best = (change, point, then, Some((other, now)));
                    }
                }
            }
            let (change, point, state, other) = best;
            if change >= -1e-3 {
                return;
            }
            self.set(point, state);
            if let Some((other, state)) = other {
                self.set(other, state);
            }
        }
    }
}

fn counts_cost(counts: &[i32; STATES]) -> f32 {
    (0..14)
        .map(|i| {
            let kind = i % 7;
            let extra = (counts[1 + i] - MOST[kind]).max(0) as f32 * EXTRA[kind];
            let missing = if kind == 0 && counts[1 + i] == 0 { NO_KING } else { 0.0 };
            extra + missing
        })
        .sum()
}

fn place_cost(kind: usize, color: Color, point: usize, turned: bool) -> f32 {
    let (file, rank) = square_of(point, turned);
    let rank = if color == Color::Red { rank } else { RANKS as u8 - 1 - rank };
    if PieceKind::ALL[kind].can_stand(file, rank) { 0.0 } else { ELSEWHERE[kind] }
}

/// The file and the rank from red's side of a point of the picture.
pub(crate) fn square_of(point: usize, turned: bool) -> (u8, u8) {
    let (row, column) = ((point / FILES) as u8, (point % FILES) as u8);
    if turned { (FILES as u8 - 1 - column, row) } else { (column, RANKS as u8 - 1 - row) }
}
