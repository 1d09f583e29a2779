//! A composition as it is given, and what a check says of it. Reports are plain data: they are written into journals and read
//! back.

use serde::{Deserialize, Serialize};
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult};

/// A composition to check. The side to move is the attacker.
#[derive(Clone)]
pub struct Composition {
    pub title: String,
    /// The tags of its record, which are kept.
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// The stated solution, as far as it goes.
    pub stated: Vec<Move>,
    pub claim: Claim,
}

impl Composition {
    /// A position without a stated solution.
    pub fn new(start: &Position) -> Composition {
        Composition {
            title: String::new(),
            tags: Vec::new(),
            start: start.clone(),
            stated: Vec::new(),
            claim: Claim::None,
        }
    }

    /// The composition of a record: its main line is the solution, its result the claim.
    pub fn of_game(game: &Game) -> Composition {
        let title = ["Title", "Event"].iter().filter_map(|name| game.tag(name)).map(str::trim);
        let title = title.filter(|title| !matches!(*title, "" | "?")).map(String::from).next();
        let winner = match game.result {
            GameResult::RedWins => Some(Some(Color::Red)),
            GameResult::BlackWins => Some(Some(Color::Black)),
            GameResult::Draw => Some(None),
            GameResult::Unknown => None,
        };
        let claim = winner.map_or(Claim::None, |winner| match winner {
            None => Claim::Draw,
            Some(color) if color == game.start().side() => Claim::Win,
            Some(_) => Claim::Loss,
        });
        Composition {
            title: title.unwrap_or_default(),
            tags: game.tags.clone(),
            start: game.start().clone(),
            stated: game.moves().collect(),
            claim,
        }
    }

    /// The moves of the attacker until mate in the stated solution, if it goes so far.
    pub fn stated_moves(&self) -> Option<u32> {
        let mut position = self.start.clone();
        for &mv in &self.stated {
            position.play(mv).ok()?;
        }
        let mates = self.stated.len() % 2 == 1 && !position.has_legal_move();
        mates.then(|| (self.stated.len() as u32).div_ceil(2))
    }
}

/// The verdict of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Soundness {
    /// The win is proven, and the first move is the only one that wins as fast; so are the later moves of the attacker
    /// on the main lines.
    Sound,
    /// The win and the only first move are proven, but there are duals later.
    Duals,
    /// Another first move wins as fast.
    Cooked,
    /// There is a shorter solution than the stated one.
    Shorter,
    /// The solution or the claim is refuted.
    Refuted,
    /// The tables know the result that was claimed, but no distance, so there is no line to check.
    Known,
    /// Something that matters was not settled.
    Unsettled,
}

impl Soundness {
    /// Whether the composition has a flaw.
    pub fn is_flawed(self) -> bool {
        matches!(self, Soundness::Cooked | Soundness::Shorter | Soundness::Refuted)
    }
}

/// The result that a composition promises to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// Nothing is stated, so it is taken for a win.
    #[default]
    None,
    Win,
    Draw,
    Loss,
}

/// The kind of a composition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompositionKind {
    /// 连照: every move of the solution gives check.
    SeriesOfChecks,
    /// 宽紧: checks alone do not win as fast; there are quiet moves.
    QuietAndChecks,
    /// 例胜: a technical ending that the tables know to be won.
    KnownWin,
    /// 例和: a technical ending that the tables know to be drawn.
    KnownDraw,
}

/// A proven win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// Moves of the attacker until mate.
    pub moves: u32,
    /// It is proven that there is no shorter mate.
    pub shortest: bool,
    pub key: Move,
}

/// A move of the attacker that does what the solution does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OtherMove {
    #[serde(rename = "move")]
    pub mv: Move,
    /// Moves of the attacker until mate, this one counted.
    pub moves: u32,
}

/// Something that a check has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "finding")]
pub enum Finding {
    /// There is no mate at all, in any number of moves.
    NoMate,
    /// The tables say that the position is drawn.
    DrawnByTable,
    /// The tables say that the position is lost for the side to move, or the other side mates in so many moves.
    Lost { moves: Option<u32> },
    /// A draw or a loss was claimed, but the side to move mates.
    ClaimRefuted,
    /// The shortest mate is shorter than the stated line.
    Shorter { stated: u32, moves: u32 },
    /// It was not settled whether there is a shorter mate than the stated line.
    ShorterOpen { stated: u32, ruled_out: u32 },
    /// The stated line fails: after this ply of it, counted from 0, there is no mate in as many moves as are left.
    StatedMoveFails { ply: u32 },
    /// The stated line is not proven from this ply on.
    StatedMoveOpen { ply: u32 },
    /// Another first move mates as fast.
    Cook(OtherMove),
    /// Not settled: these first moves may mate as fast.
    CooksOpen { moves: Vec<Move> },
    /// By the tables so many of the first moves win.
    TableWins { moves: Vec<Move> },
}

/// A move of the tree of solution and defences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TreeMove {
    /// The move before it; none after the first position.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<u32>,
    #[serde(rename = "move")]
    pub mv: Move,
    /// Plies until mate after this move; at most so many if not `exact`.
    pub plies: u32,
    pub exact: bool,
    /// On a main line: no defence before it holds out longer.
    pub main: bool,
    /// The position after it is reached by that other move of the tree, too, which has the continuation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub same_as: Option<u32>,
    /// The continuation was left out, because the tree is large enough or the time was up.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cut: bool,
    /// Of a move of the attacker: others that mate as fast.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub duals: Vec<OtherMove>,
    /// Of a move of the attacker on a main line: moves of which it was not settled whether they mate as fast.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub open_duals: Vec<Move>,
}

/// Everything that a check says of a composition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckReport {
    /// Its number in the file, from 1.
    pub number: usize,
    pub title: String,
    /// The tags of the record.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<(String, String)>,
    pub fen: String,
    /// The stated solution: the main line of the record.
    pub stated: Vec<Move>,
    pub claim: Claim,
    pub soundness: Soundness,
    pub kind: Option<CompositionKind>,
    pub solution: Option<Solution>,
    /// There is no mate in so many moves.
    pub ruled_out: u32,
    pub findings: Vec<Finding>,
    pub tree: Vec<TreeMove>,
    /// Positions searched.
    pub nodes: u64,
    /// False if it was interrupted.
    pub finished: bool,
}

impl CheckReport {
    /// The children of a move of the tree, or of the first position.
    pub fn children(&self, parent: Option<u32>) -> impl Iterator<Item = u32> + '_ {
        (0..self.tree.len() as u32).filter(move |&index| self.tree[index as usize].parent == parent)
    }

    /// The moves from the first position to this one of the tree.
    pub fn line_to(&self, index: u32) -> Vec<Move> {
        let back = std::iter::successors(Some(index), |&index| self.tree[index as usize].parent);
        let mut line: Vec<Move> = back.map(|index| self.tree[index as usize].mv).collect();
        line.reverse();
        line
    }

    /// The first main line.
    pub fn main_line(&self) -> Vec<u32> {
        let next = |parent| self.children(parent).find(|&index| self.tree[index as usize].main);
        std::iter::successors(next(None), |&index| next(Some(index))).collect()
    }

    /// The same report with the first main line as its tree: the solution against the longest defence.
    pub fn with_main_line_alone(&self) -> CheckReport {
        let line = self.main_line().into_iter().enumerate().map(|(place, index)| TreeMove {
            parent: (place as u32).checked_sub(1),
            same_as: None,
            ..self.tree[index as usize].clone()
        });
        CheckReport { tree: line.collect(), ..self.clone() }
    }

    /// Whether this move of the tree mates.
    pub fn is_mate(&self, index: u32) -> bool {
        self.tree[index as usize].plies == 0
    }
}
