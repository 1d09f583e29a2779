//! The result of a check in words, in the current language; and the point of a move, as far as the board shows it: what it
//! takes, whether it checks, what it gives up or threatens.

use super::report::{CheckReport, Claim, CompositionKind, Finding, OtherMove, Solution, Soundness};
use crate::reader::move_in;
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::messages::Localize;
use xiangqi::{Move, Piece, PieceKind, Position};
use xiangqi_record::notation::Notation;

impl Soundness {
    /// In a few words.
    pub fn phrase(self) -> Phrase {
        match self {
            Soundness::Sound => phrase!("sound"),
            Soundness::Duals => phrase!("sound, with duals later on"),
            Soundness::Cooked => phrase!("cooked: the first move is not the only one"),
            Soundness::Shorter => phrase!("shorter than stated"),
            Soundness::Refuted => phrase!("refuted"),
            Soundness::Known => phrase!("known to the endgame tables"),
            Soundness::Unsettled => phrase!("not settled"),
        }
    }
}

impl CompositionKind {
    /// Its name.
    pub fn phrase(self) -> Phrase {
        match self {
            CompositionKind::SeriesOfChecks => phrase!("a series of checks"),
            CompositionKind::QuietAndChecks => phrase!("checks and quiet moves"),
            CompositionKind::KnownWin => phrase!("a technical win"),
            CompositionKind::KnownDraw => phrase!("a technical draw"),
        }
    }
}

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
