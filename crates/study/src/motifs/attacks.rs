//! What a move of the solver attacks: two pieces, a piece behind another, a piece that cannot go away.

use super::geometry::{
    WORTHWHILE, between, checkers, frees, gains, gains_on, is_between, is_contested, majors, pieces_between, value_on,
};
use super::line::{Line, passed};
use super::{Finding, Motif};
use xiangqi::{Move, MoveList, PieceKind, Position, Square};

/// What a trapped piece costs at least, wherever it goes.
const TRAPPED: i32 = 150;

/// The motifs of the solver's move at this index.
pub fn find(line: &Line, ply: usize) -> Vec<Finding> {
    let motifs = [double_check, discovered_check, fork, trapped, pin, discovered_attack, skewer, screen];
    let mut found: Vec<Finding> = motifs.iter().filter_map(|motif| motif(line, ply)).collect();
    // Two pieces check: one of them was discovered.
    if found.iter().any(|finding| finding.motif == Motif::DoubleCheck) {
        found.retain(|finding| finding.motif != Motif::DiscoveredCheck);
    }
    found
}

fn finding(motif: Motif, ply: usize, squares: Vec<Square>) -> Option<Finding> {
    Some(Finding { motif, ply, squares })
}

/// Two pieces or more check, and the line wins.
fn double_check(line: &Line, ply: usize) -> Option<Finding> {
    let squares: Vec<Square> = checkers(line.after(ply), line.solver()).collect();
    (squares.len() > 1 && line.wins_from(ply, WORTHWHILE)).then_some(Finding {
        motif: Motif::DoubleCheck,
        ply,
        squares,
    })
}

/// The only checker is another piece, whose line or leg the move has freed, and the line wins.
fn discovered_check(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, after) = (line.moves()[ply], line.after(ply));
    let squares: Vec<Square> = checkers(after, line.solver()).collect();
    let [checker] = squares[..] else { return None };
    let king = after.king(after.side());
    let is_discovered = checker != mv.to() && frees(after, checker, king, mv.from());
    (is_discovered && line.wins_from(ply, WORTHWHILE)).then_some(Finding {
        motif: Motif::DiscoveredCheck,
        ply,
        squares,
    })
}

/// The piece that has moved attacks two rooks, horses or cannons, or the king and one, each with a gain that was not there
/// before; it cannot be taken at no loss; and it takes one of them, unless the line ends.
fn fork(line: &Line, ply: usize) -> Option<Finding> {
    let (forker, after) = (line.moves()[ply].to(), line.after(ply));
    let them = after.side();
    let is_new = |&target: &Square| !gains_on(line.before(ply), target, WORTHWHILE);
    let mut targets: Vec<Square> = majors(after, them)
        .into_iter()
        .filter(|&target| after.reaches(forker, target) && is_new(&target))
        .filter(|&target| line.threatens(ply, forker, target, WORTHWHILE))
        .collect();
    let checks = after.king_attackers(them).contains(forker);
    if targets.is_empty() || targets.len() + usize::from(checks) < 2 || is_contested(after, forker) {
        return None;
    }
    let is_taken = targets.iter().any(|&target| line.capture_by(forker, target, ply).is_some());
    if checks {
        targets.insert(0, after.king(them));
    }
    (is_taken || line.ends_with(ply)).then_some(Finding { motif: Motif::Fork, ply, squares: targets })
}

/// A rook, horse or cannon is attacked, is lost wherever it goes and whatever else is moved; it could not be taken before;
/// and it is taken, unless the line ends.
fn trapped(line: &Line, ply: usize) -> Option<Finding> {
    let after = line.after(ply);
    if after.in_check() {
        return None;
    }
    let threat = passed(after);
    let is_attacked = |&square: &Square| gains_on(&threat, square, WORTHWHILE);
    let is_old = |square: Square| gains_on(line.before(ply), square, WORTHWHILE);
    let is_shown = |square: Square| line.capture_of(square, ply).is_some() || line.ends_with(ply);
    let pieces = majors(after, after.side()).into_iter().filter(is_attacked);
    let mut candidates = pieces.filter(|&square| !is_old(square) && is_shown(square));
    candidates.find(|&square| is_lost(after, square)).and_then(|square| finding(Motif::TrappedPiece, ply, vec![square]))
}

/// Whether the side to move loses the piece on this square by every move. It must have a place to go to, and not be pinned.
fn is_lost(position: &Position, square: Square) -> bool {
    let moves = position.legal_moves();
    let mut own = MoveList::new();
    position.generate_from(square, &mut own);
    if own.is_empty() || !own.iter().any(|mv| moves.contains(mv)) {
        return false;
    }
    let mut next = position.clone();
    moves.into_iter().all(|mv| {
        let taken = value_on(position, mv.to());
        let now = if mv.from() == square { mv.to() } else { square };
        next.play_unchecked(mv);
        let is_lost = gains_on(&next, now, taken + TRAPPED);
        next.undo();
        is_lost
    })
}

/// A piece of the other side may not move because of its king: it may not take the piece that has moved, which else would be
/// lost, and the line wins; or it was attacked, could not go away, and is taken.
fn pin(line: &Line, ply: usize) -> Option<Finding> {
    immune(line, ply).or_else(|| pinned_piece_taken(line, ply))
}

/// The move puts a piece, or takes one, where only a pinned piece could take it.
fn immune(line: &Line, ply: usize) -> Option<Finding> {
    let (to, after) = (line.moves()[ply].to(), line.after(ply));
    let others_check = checkers(after, line.solver()).any(|checker| checker != to);
    if others_check || !line.wins_from(ply, WORTHWHILE) || is_contested(after, to) {
        return None;
    }
    let them = after.side();
    let would_take = |&from: &Square| {
        let mv = Move::new(from, to);
        from != after.king(them)
            && after.pinned_of(them).contains(from)
            && after.is_pseudo_legal(mv)
            && !after.is_legal(mv)
            && after.see_ge(mv, TRAPPED)
    };
    let square = after.attackers_to(to, them).iter().find(would_take)?;
    finding(Motif::Pin, ply, vec![square])
}

/// A rook, horse or cannon that is pinned after this move, and attacked, has no legal move, and is taken at the next one.
fn pinned_piece_taken(line: &Line, ply: usize) -> Option<Finding> {
    let (after, next) = (line.after(ply), ply + 2);
    let capture = *line.moves().get(next)?;
    let (square, them) = (capture.to(), after.side());
    let is_there = line.follow(square, ply, next) == Some(square) && majors(after, them).contains(&square);
    if !is_there || after.in_check() || !after.pinned_of(them).contains(square) {
        return None;
    }
    let mut own = MoveList::new();
    after.generate_from(square, &mut own);
    let is_held = !own.is_empty() && own.iter().all(|&mv: &Move| !after.is_legal(mv));
    let is_attacked = gains(&passed(after), capture, WORTHWHILE) && gains(line.before(next), capture, WORTHWHILE);
    (is_held && is_attacked).then_some(Finding { motif: Motif::Pin, ply, squares: vec![square] })
}

/// The move frees the line of another rook or cannon, or the leg of a horse, which attacks a rook, horse or cannon and takes
/// it, unless the line ends.
fn discovered_attack(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, before, after) = (line.moves()[ply], line.before(ply), line.after(ply));
    let targets = majors(after, after.side());
    let attackers = majors(after, line.solver()).into_iter().filter(|&by| by != mv.to());
    let pairs = attackers.flat_map(|by| targets.iter().map(move |&target| (by, target)));
    let mut discovered = pairs.filter(|&(by, target)| {
        frees(after, by, target, mv.from())
            && after.reaches(by, target)
            && !before.reaches(by, target)
            && !gains_on(before, target, WORTHWHILE)
            && line.threatens(ply, by, target, WORTHWHILE)
    });
    discovered
        .find(|&(by, target)| line.ends_with(ply) || line.capture_by(by, target, ply).is_some())
        .and_then(|(_, target)| finding(Motif::DiscoveredAttack, ply, vec![target]))
}

/// A rook or a cannon attacks a piece, or checks; it leaves the line; and the piece behind it is taken along the line.
fn skewer(line: &Line, ply: usize) -> Option<Finding> {
    let (by, after) = (line.moves()[ply].to(), line.after(ply));
    let (&reply, &capture) = (line.moves().get(ply + 1)?, line.moves().get(ply + 2)?);
    let (front, behind, them) = (reply.from(), capture.to(), after.side());
    let is_slider = matches!(after.piece_at(by)?.kind(), PieceKind::Rook | PieceKind::Cannon);
    let is_key = after.piece_at(behind).is_some_and(|piece| piece.color() == them && piece.kind().is_major());
    let is_line = is_between(front, by, behind) && !is_between(reply.to(), by, behind) && reply.to() != behind;
    if !is_slider || !is_key || !is_line || capture.from() != by || after.reaches(by, behind) {
        return None;
    }
    let attacks = if front == after.king(them) {
        after.king_attackers(them).contains(by)
    } else {
        after.reaches(by, front) && !after.in_check() && gains(&passed(after), Move::new(by, front), WORTHWHILE)
    };
    let takes = gains(line.before(ply + 2), capture, WORTHWHILE);
    (attacks && takes).then_some(Finding { motif: Motif::Skewer, ply, squares: vec![front, behind] })
}

/// The piece that has moved stands alone between an own cannon and a rook, horse or cannon, which the cannon could not take
/// before, and takes, unless the line ends; or the cannon checks over it, and the line wins.
fn screen(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, before, after) = (line.moves()[ply], line.before(ply), line.after(ply));
    let them = after.side();
    let king = after.king(them);
    let cannons = after.squares(line.solver(), PieceKind::Cannon).iter().copied().filter(|&cannon| cannon != mv.to());
    let is_screen = |cannon: Square, target: Square| {
        between(cannon, target).any(|square| square == mv.to()) && pieces_between(after, cannon, target) == [mv.to()]
    };
    for cannon in cannons {
        if is_screen(cannon, king) && line.wins_from(ply, WORTHWHILE) {
            return finding(Motif::CannonScreen, ply, vec![king]);
        }
        let is_target = |&target: &Square| {
            is_screen(cannon, target)
                && !before.reaches(cannon, target)
                && !gains_on(before, target, WORTHWHILE)
                && line.threatens(ply, cannon, target, WORTHWHILE)
                && (line.ends_with(ply) || line.capture_by(cannon, target, ply).is_some())
        };
        if let Some(target) = majors(after, them).into_iter().find(is_target) {
            return finding(Motif::CannonScreen, ply, vec![target]);
        }
    }
    None
}
