//! A composition as it is given, and what a check says of it. Reports are plain data: they are written into journals and read
//! back.

use crate::reader::move_in;
use chuhe_support::language::{phrase, tr};
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Move, Piece, PieceKind, Position};
use xiangqi_record::notation::Notation;
use xiangqi_record::{Game, GameResult};

with_values! {
    /// A composition to check. The side to move is the attacker.
    #[derive(Clone, Default)]
    pub struct Composition {
        pub title: String = title.unwrap_or_default(),
        /// The tags of its record, which are kept.
        pub tags: Vec<(String, String)> = game.tags.clone(),
        pub start: Position = game.start().clone(),
        /// The stated solution, as far as it goes.
        pub stated: Vec<Move> = game.moves().collect(),
        pub claim: Claim = claim,
    }
    /// The composition of a record: its main line is the solution, its result the claim.
    pub fn of_game(game: &Game) {
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
    }
}

impl Composition {
    /// A position without a stated solution.
    pub fn new(start: &Position) -> Composition {
        Composition { start: start.clone(), ..Composition::default() }
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

phrased! {
    /// The verdict of a check.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Soundness {
        /// The win is proven, and the first move is the only one that wins as fast; so are the later moves of the attacker
        /// on the main lines.
        Sound = phrase!("sound");
        /// The win and the only first move are proven, but there are duals later.
        Duals = phrase!("sound, with duals later on");
        /// Another first move wins as fast.
        Cooked = phrase!("cooked: the first move is not the only one");
        /// There is a shorter solution than the stated one.
        Shorter = phrase!("shorter than stated");
        /// The solution or the claim is refuted.
        Refuted = phrase!("refuted");
        /// The tables know the result that was claimed, but no distance, so there is no line to check.
        Known = phrase!("known to the endgame tables");
        /// Something that matters was not settled.
        #[default]
        Unsettled = phrase!("not settled");
    }
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

phrased! {
    /// The kind of a composition.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CompositionKind {
        /// 连照: every move of the solution gives check.
        SeriesOfChecks = phrase!("a series of checks");
        /// 宽紧: checks alone do not win as fast; there are quiet moves.
        QuietAndChecks = phrase!("checks and quiet moves");
        /// 例胜: a technical ending that the tables know to be won.
        KnownWin = phrase!("a technical win");
        /// 例和: a technical ending that the tables know to be drawn.
        KnownDraw = phrase!("a technical draw");
    }
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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

// The result of a check in words, in the current language; and the point of a move, as far as the board shows it: what it
// takes, whether it checks, what it gives up or threatens.

/// The position of a report.
pub(super) fn start_of(report: &CheckReport) -> Option<Position> {
    Position::from_fen(&report.fen).ok()
}

/// Its title, or its number.
pub fn title(report: &CheckReport) -> String {
    let number = report.number;
    match report.title.as_str() {
        "" => tr!("Problem {number}", number),
        title => format!("{number}. {title}"),
    }
}

/// What is proven of the win, in a sentence.
pub fn proven(report: &CheckReport, notation: Notation) -> String {
    let ruled_out = report.ruled_out;
    match report.solution {
        Some(Solution { moves, shortest, key }) => {
            let key = write_after(report, &[], key, notation);
            if shortest {
                tr!("Mate in {moves} by {key}, proven; there is no shorter one.", moves, key)
            } else {
                tr!(
                    "Mate in {moves} by {key}, proven; none in {ruled_out}, between them not settled.",
                    moves,
                    key,
                    ruled_out
                )
            }
        }
        None if ruled_out > 0 => tr!("No win is proven; there is no mate in {ruled_out}.", ruled_out),
        None => tr!("No win is proven."),
    }
}

/// All sentences about a report, without the moves of the tree: what is proven, the kind, and what was found.
pub fn sentences(report: &CheckReport, notation: Notation) -> Vec<String> {
    let mut sentences = vec![proven(report, notation)];
    sentences.extend(report.kind.map(|kind| tr!("Kind: {kind}.", kind = kind.phrase())));
    sentences.extend(report.findings.iter().map(|finding| finding_text(report, finding, notation)));
    let found_all =
        !report.findings.iter().any(|finding| matches!(finding, Finding::Cook(_) | Finding::CooksOpen { .. }));
    if report.solution.is_some() && found_all {
        sentences.push(tr!("No other first move mates as fast."));
    }
    let with_duals = report.tree.iter().filter(|mv| mv.plies > 0 && !mv.duals.is_empty()).count();
    let open = report.tree.iter().filter(|mv| !mv.open_duals.is_empty()).count();
    if with_duals > 0 {
        sentences.push(tr!("Moves of the main lines that have duals: {count}.", count = with_duals));
    }
    if open > 0 {
        sentences.push(tr!("Moves of the main lines whose duals were not settled: {count}.", count = open));
    }
    if report.tree.iter().any(|mv| mv.cut) {
        sentences.push(tr!("The tree is not complete: some continuations are left out."));
    }
    if !report.finished {
        sentences.push(tr!("The check was interrupted."));
    }
    sentences
}

fn finding_text(report: &CheckReport, finding: &Finding, notation: Notation) -> String {
    let list = |moves: &[Move]| {
        let words: Vec<String> = moves.iter().map(|&mv| write_after(report, &[], mv, notation)).collect();
        words.join(" ")
    };
    let stated_move = |ply: u32| {
        let (line, rest) = report.stated.split_at((ply as usize).min(report.stated.len()));
        rest.first().map(|&mv| numbered(ply, &write_after(report, line, mv, notation))).unwrap_or_default()
    };
    match finding {
        Finding::NoMate => tr!("There is no mate at all, in any number of moves."),
        Finding::DrawnByTable => tr!("The endgame tables say: a draw."),
        Finding::Lost { moves: None } => tr!("The endgame tables say: the side to move loses."),
        Finding::Lost { moves: Some(0) } => tr!("The side to move has lost already."),
        Finding::Lost { moves: Some(moves) } => {
            tr!("The side to move is mated in at most {moves}.", moves)
        }
        Finding::ClaimRefuted => match report.claim {
            Claim::Draw => tr!("A draw was claimed, but the side to move wins."),
            _ => tr!("A loss was claimed, but the side to move wins."),
        },
        Finding::Shorter { stated, moves } => {
            tr!("The stated solution takes {stated} moves, but there is a mate in {moves}.", stated, moves)
        }
        Finding::ShorterOpen { stated, ruled_out } => tr!(
            "It was not settled whether there is a mate in fewer than the stated {stated} moves; there is none in {ruled_out}.",
            stated,
            ruled_out
        ),
        Finding::StatedMoveFails { ply } => {
            tr!(
                "The stated solution fails: after {mv} there is no mate in as many moves as are left.",
                mv = stated_move(*ply)
            )
        }
        Finding::StatedMoveOpen { ply } => {
            tr!("The stated solution is not proven from {mv} on.", mv = stated_move(*ply))
        }
        Finding::Cook(OtherMove { mv, moves }) => {
            tr!("{mv} mates as well, in {moves}.", mv = write_after(report, &[], *mv, notation), moves)
        }
        Finding::CooksOpen { moves } => {
            tr!("Not settled whether these first moves mate as fast: {moves}.", moves = list(moves))
        }
        Finding::TableWins { moves } => {
            tr!("By the endgame tables, which know no distance, these first moves win: {moves}.", moves = list(moves))
        }
    }
}

/// `3. move`, or `3… move` for the second side.
pub(super) fn numbered(ply: u32, mv: &str) -> String {
    let number = ply / 2 + 1;
    if ply.is_multiple_of(2) { format!("{number}. {mv}") } else { format!("{number}… {mv}") }
}

/// A move after a line from the first position, as text; a number where the line cannot be played.
pub(super) fn write_after(report: &CheckReport, line: &[Move], mv: Move, notation: Notation) -> String {
    let position = start_of(report).and_then(|mut position| {
        line.iter().try_for_each(|&mv| position.play(mv)).ok()?;
        position.clone().play(mv).ok()?;
        Some(position)
    });
    position.map_or_else(|| mv.to_string(), |position| move_in(&position, mv, notation))
}

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovePoint {
    Mates,
    /// It leaves the other side without a move, which loses.
    Stalemates,
    DoubleCheck,
    Checks,
    /// A check from the piece that did not move.
    DiscoversCheck,
    Takes(PieceKind),
    /// The piece that moved can be taken with gain.
    Offers(PieceKind),
    /// It answers a check by a piece between.
    Interposes,
    /// It answers a check by moving the king.
    MovesKing,
    /// It takes the piece that gives check.
    TakesChecker,
    /// Without an answer it mates by this move.
    Threatens(Move),
    /// A mate in one move was threatened, and now it is not.
    Parries,
}

/// What a legal move of the attacker does.
pub fn points_of_attack(before: &Position, mv: Move) -> Vec<MovePoint> {
    let after = before.after(&[mv]);
    let mut points = Vec::new();
    if !after.has_legal_move() {
        return vec![if after.in_check() { MovePoint::Mates } else { MovePoint::Stalemates }];
    }
    let taken = before.piece_at(mv.to()).map(Piece::kind);
    points.extend(taken.map(MovePoint::Takes));
    match after.checkers() {
        _ if after.checker_count() > 1 => points.push(MovePoint::DoubleCheck),
        checkers if after.in_check() && !checkers.contains(mv.to()) => points.push(MovePoint::DiscoversCheck),
        _ if after.in_check() => points.push(MovePoint::Checks),
        _ => points.extend(mate_threat(&after).map(MovePoint::Threatens)),
    }
    // A pawn or a guard is no sacrifice to speak of.
    let mover = Some(before.moved_piece(mv).kind()).filter(|kind| kind.is_major());
    points.extend(mover.filter(|_| is_offered(&after, mv)).map(MovePoint::Offers));
    points
}

/// What a legal move of the defender does.
pub fn points_of_defence(before: &Position, mv: Move) -> Vec<MovePoint> {
    let after = before.after(&[mv]);
    let is_king = before.moved_piece(mv).kind() == PieceKind::King;
    let taken = before.piece_at(mv.to()).map(Piece::kind);
    let mut points = Vec::new();
    if before.in_check() {
        points.push(match taken {
            Some(_) if before.checkers().contains(mv.to()) => MovePoint::TakesChecker,
            Some(kind) => MovePoint::Takes(kind),
            None if is_king => MovePoint::MovesKing,
            None => MovePoint::Interposes,
        });
    } else {
        points.extend(taken.map(MovePoint::Takes));
        let mut threatened = before.clone();
        threatened.play_null();
        if mate_in_one(&threatened).is_some() && mate_in_one(&after).is_none() {
            points.push(MovePoint::Parries);
        }
    }
    if after.in_check() {
        points.push(MovePoint::Checks);
    }
    points
}

/// Whether the piece that has just moved can be taken with gain by a legal move.
fn is_offered(after: &Position, mv: Move) -> bool {
    after.legal_moves().into_iter().any(|reply| reply.to() == mv.to() && after.see_ge(reply, 1))
}

/// The mate that the side which has just moved threatens; the other one is not in check.
fn mate_threat(after: &Position) -> Option<Move> {
    let mut passed = after.clone();
    passed.play_null();
    mate_in_one(&passed)
}

/// A move that mates at once.
fn mate_in_one(position: &Position) -> Option<Move> {
    let mates = |&mv: &Move| !position.after(&[mv]).has_legal_move();
    position.legal_moves().into_iter().find(mates)
}

impl MovePoint {
    /// The point in words; `write` writes a threatened move.
    pub fn text(self, write: impl Fn(Move) -> String) -> String {
        match self {
            MovePoint::Mates => tr!("mate"),
            MovePoint::Stalemates => tr!("stalemate, which wins"),
            MovePoint::DoubleCheck => tr!("double check"),
            MovePoint::Checks => tr!("check"),
            MovePoint::DiscoversCheck => tr!("discovered check"),
            MovePoint::Takes(kind) => tr!("takes the {piece}", piece = kind.localized()),
            MovePoint::Offers(kind) => tr!("offers the {piece}", piece = kind.localized()),
            MovePoint::Interposes => tr!("interposes"),
            MovePoint::MovesKing => tr!("the king steps aside"),
            MovePoint::TakesChecker => tr!("takes the checking piece"),
            MovePoint::Threatens(mv) => tr!("threatens {threat}", threat = write(mv)),
            MovePoint::Parries => tr!("parries the threat"),
        }
    }
}
