//! Defences, which meet a threat, and quiet moves, which make one.

use super::geometry::{WORTHWHILE, gains, majors, value_on};
use super::line::{Line, passed};
use super::{Finding, Motif};
use xiangqi::{Move, Position};

/// The motifs of the first move.
pub fn find(line: &Line) -> Option<Finding> {
    let motif = if is_defence(line) {
        Motif::Defence
    } else if is_quiet(line) {
        Motif::QuietMove
    } else {
        return None;
    };
    Some(Finding { motif, ply: 0, squares: Vec::new() })
}

/// The first move leaves no mate in one and no gain of a rook, horse or cannon that the other side had before, and the line
/// wins nothing. Out of check there must be a choice.
fn is_defence(line: &Line) -> bool {
    let start = line.before(0);
    if line.wins_from(0, WORTHWHILE) || value_on(start, line.moves()[0].to()) >= WORTHWHILE {
        return false;
    }
    let was_threatened = if start.in_check() { start.legal_moves().len() > 1 } else { has_threat(&passed(start)) };
    was_threatened && !has_threat(line.after(0))
}

/// The side to move has a mate in one, or wins a rook, horse or cannon.
fn has_threat(position: &Position) -> bool {
    let wins = |mv: &Move| gains(position, *mv, WORTHWHILE);
    let moves = position.legal_moves();
    let targets = majors(position, !position.side());
    moves.iter().filter(|mv| targets.contains(&mv.to())).any(wins) || moves.iter().any(|&mv| mates(position, mv))
}

fn mates(position: &Position, mv: Move) -> bool {
    position.gives_check(mv) && !position.after(&[mv]).has_legal_move()
}

/// The first move neither takes nor checks nor leaves a check, and the line mates or wins a piece.
fn is_quiet(line: &Line) -> bool {
    let (start, mv) = (line.before(0), line.moves()[0]);
    let is_plain = start.piece_at(mv.to()).is_none() && !start.in_check() && !line.after(0).in_check();
    is_plain && line.len() > 1 && line.wins_from(0, WORTHWHILE)
}
