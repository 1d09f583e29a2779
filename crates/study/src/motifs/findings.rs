//! The motifs of a line: what a move of the solver attacks, what is given and taken, what meets a threat. Each is defined at
//! its detector, which tells the squares that it is about.

use super::line::{
    Line, WORTHWHILE, between, checkers, frees, gains, gains_on, is_between, is_contested, majors, passed,
    pieces_between, value_on,
};
use super::{Finding, Motif};
use xiangqi::{Move, MoveList, PieceKind, Position, Square, engine::piece_value};

/// The detectors of what a move of the solver shows.
type Detector = fn(&Line, usize) -> Option<Vec<Square>>;
const DETECTORS: [(Motif, Detector); 13] = [
    (Motif::DoubleCheck, double_check),
    (Motif::DiscoveredCheck, discovered_check),
    (Motif::Fork, fork),
    (Motif::TrappedPiece, trapped),
    (Motif::Pin, pin),
    (Motif::DiscoveredAttack, discovered_attack),
    (Motif::Skewer, skewer),
    (Motif::CannonScreen, screen),
    (Motif::Sacrifice, sacrifice),
    (Motif::RemovedDefender, removed_defender),
    (Motif::Deflection, deflection),
    (Motif::OpenedLine, opened_line),
    (Motif::HangingPiece, hanging_piece),
];

/// The motifs of the solver's moves, and of the first one whether it meets a threat or makes one.
pub fn find(line: &Line) -> Vec<Finding> {
    let mut found = Vec::new();
    for ply in (0..line.len()).step_by(2) {
        for (motif, detect) in DETECTORS {
            // Where two pieces check, one of them was discovered.
            let is_known = |other: &Finding| motif == Motif::DiscoveredCheck && other.motif == Motif::DoubleCheck;
            let squares = detect(line, ply).filter(|_| !found.iter().any(|other| is_known(other) && other.ply == ply));
            found.extend(squares.map(|squares| Finding { motif, ply, squares }));
        }
    }
    if is_defence(line) {
        found.push(Finding { motif: Motif::Defence, ply: 0, squares: Vec::new() });
    } else if is_quiet(line) {
        found.push(Finding { motif: Motif::QuietMove, ply: 0, squares: Vec::new() });
    }
    found
}

/// What a trapped piece costs at least, wherever it goes.
const TRAPPED: i32 = 150;

/// Two pieces or more check, and the line wins.
fn double_check(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let squares: Vec<Square> = checkers(line.after(ply), line.solver()).collect();
    (squares.len() > 1 && line.wins_from(ply, WORTHWHILE)).then_some(squares)
}

/// The only checker is another piece, whose line or leg the move has freed, and the line wins.
fn discovered_check(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, after) = (line.moves[ply], line.after(ply));
    let squares: Vec<Square> = checkers(after, line.solver()).collect();
    let [checker] = squares[..] else { return None };
    let king = after.king(after.side());
    let is_discovered = checker != mv.to() && frees(after, checker, king, mv.from());
    (is_discovered && line.wins_from(ply, WORTHWHILE)).then_some(squares)
}

/// The piece that has moved attacks two rooks, horses or cannons, or the king and one, each with a gain that was not there
/// before; it cannot be taken at no loss; and it takes one of them, unless the line ends.
fn fork(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (forker, after) = (line.moves[ply].to(), line.after(ply));
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
    (is_taken || line.ends_with(ply)).then_some(targets)
}

/// A rook, horse or cannon is attacked, is lost wherever it goes and whatever else is moved; it could not be taken before;
/// and it is taken, unless the line ends.
fn trapped(line: &Line, ply: usize) -> Option<Vec<Square>> {
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
    candidates.find(|&square| is_lost(after, square)).map(|square| vec![square])
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
fn pin(line: &Line, ply: usize) -> Option<Vec<Square>> {
    immune(line, ply).or_else(|| pinned_piece_taken(line, ply))
}

/// The move puts a piece, or takes one, where only a pinned piece could take it.
fn immune(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (to, after) = (line.moves[ply].to(), line.after(ply));
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
    Some(vec![square])
}

/// A rook, horse or cannon that is pinned after this move, and attacked, has no legal move, and is taken at the next one.
fn pinned_piece_taken(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (after, next) = (line.after(ply), ply + 2);
    let capture = *line.moves.get(next)?;
    let (square, them) = (capture.to(), after.side());
    let is_there = line.follow(square, ply, next) == Some(square) && majors(after, them).contains(&square);
    if !is_there || after.in_check() || !after.pinned_of(them).contains(square) {
        return None;
    }
    let mut own = MoveList::new();
    after.generate_from(square, &mut own);
    let is_held = !own.is_empty() && own.iter().all(|&mv: &Move| !after.is_legal(mv));
    let is_attacked = gains(&passed(after), capture, WORTHWHILE) && gains(line.before(next), capture, WORTHWHILE);
    (is_held && is_attacked).then(|| vec![square])
}

/// The move frees the line of another rook or cannon, or the leg of a horse, which attacks a rook, horse or cannon and takes
/// it, unless the line ends.
fn discovered_attack(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, before, after) = (line.moves[ply], line.before(ply), line.after(ply));
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
        .map(|(_, target)| vec![target])
}

/// A rook or a cannon attacks a piece, or checks; it leaves the line; and the piece behind it is taken along the line.
fn skewer(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (by, after) = (line.moves[ply].to(), line.after(ply));
    let (&reply, &capture) = (line.moves.get(ply + 1)?, line.moves.get(ply + 2)?);
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
    (attacks && takes).then(|| vec![front, behind])
}

/// The piece that has moved stands alone between an own cannon and a rook, horse or cannon, which the cannon could not take
/// before, and takes, unless the line ends; or the cannon checks over it, and the line wins.
fn screen(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, before, after) = (line.moves[ply], line.before(ply), line.after(ply));
    let them = after.side();
    let king = after.king(them);
    let cannons = after.squares(line.solver(), PieceKind::Cannon).iter().copied().filter(|&cannon| cannon != mv.to());
    let is_screen = |cannon: Square, target: Square| {
        between(cannon, target).any(|square| square == mv.to()) && pieces_between(after, cannon, target) == [mv.to()]
    };
    for cannon in cannons {
        if is_screen(cannon, king) && line.wins_from(ply, WORTHWHILE) {
            return Some(vec![king]);
        }
        let is_target = |&target: &Square| {
            is_screen(cannon, target)
                && !before.reaches(cannon, target)
                && !gains_on(before, target, WORTHWHILE)
                && line.threatens(ply, cannon, target, WORTHWHILE)
                && (line.ends_with(ply) || line.capture_by(cannon, target, ply).is_some())
        };
        if let Some(target) = majors(after, them).into_iter().find(is_target) {
            return Some(vec![target]);
        }
    }
    None
}

/// What a sacrifice gives at least.
const GIVEN: i32 = 250;

/// The reply takes the rook, horse or cannon that has moved, or one that could not be taken before; the solver is behind
/// after it, and still behind after the next move, unless that mates; and the line mates or gives nothing in the end.
fn sacrifice(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, &reply) = (line.moves[ply], line.moves.get(ply + 1)?);
    let taken = line.after(ply).piece_at(reply.to()).filter(|piece| piece.kind().is_major())?;
    let is_behind = |ply: usize| line.balance_after(ply) <= -GIVEN;
    let stays_behind = ply + 2 < line.len() && (is_behind(ply + 2) || line.mates && ply + 3 == line.len());
    if piece_value(taken.kind()) < GIVEN || !is_behind(ply + 1) || !stays_behind {
        return None;
    }
    let before = line.before(ply);
    let hung = reply.to() != mv.to() && (before.in_check() || gains_on(&passed(before), reply.to(), 1));
    let is_regained = line.mates || line.gain() >= 0;
    (!hung && is_regained).then(|| vec![reply.to()])
}

/// The move takes a piece that protects a rook, horse or cannon, and one that has attacked that before takes it then, which
/// would have gained nothing.
fn removed_defender(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, before) = (line.moves[ply], line.before(ply));
    let them = !line.solver();
    before.piece_at(mv.to())?;
    let later = ply + 2;
    let capture = *line.moves.get(later)?;
    let target = capture.to();
    let is_protected = before.attackers_to(target, them).contains(mv.to());
    let stands = line.follow(target, ply, later) == Some(target) && majors(before, them).contains(&target);
    if mv.to() == target || !is_protected || !stands || gains_on(before, target, WORTHWHILE) {
        return None;
    }
    let has_attacked = capture.from() != mv.to() && before.reaches(capture.from(), target);
    let takes = has_attacked && gains(line.before(later), capture, WORTHWHILE);
    takes.then(|| vec![target])
}

/// The reply takes what has moved, with a piece that protects a rook, horse or cannon and does so no more; that is taken
/// then, which would have gained nothing before.
fn deflection(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, after) = (line.moves[ply], line.after(ply));
    let (&reply, &capture) = (line.moves.get(ply + 1)?, line.moves.get(ply + 2)?);
    let (target, them) = (capture.to(), after.side());
    if reply.to() != mv.to() || after.in_check() || target == reply.to() || !majors(after, them).contains(&target) {
        return None;
    }
    let next = line.before(ply + 2);
    let is_drawn_off = after.attackers_to(target, them).contains(reply.from())
        && reply.from() != target
        && !next.attackers_to(target, them).contains(reply.to());
    let was_safe = after.reaches(capture.from(), target) && !gains_on(&passed(after), target, WORTHWHILE);
    (is_drawn_off && was_safe && gains(next, capture, WORTHWHILE)).then(|| vec![target])
}

/// The reply takes back what the move has taken with, and leaves the line of a rook or cannon, which takes along it.
fn opened_line(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, after) = (line.moves[ply], line.after(ply));
    let (&reply, &capture) = (line.moves.get(ply + 1)?, line.moves.get(ply + 2)?);
    line.before(ply).piece_at(mv.to())?;
    let (by, target) = (capture.from(), capture.to());
    let is_slider = matches!(after.piece_at(by)?.kind(), PieceKind::Rook | PieceKind::Cannon);
    let is_opened = is_between(reply.from(), by, target) && !is_between(reply.to(), by, target);
    if reply.to() != mv.to() || target == reply.to() || !is_slider || !is_opened || after.reaches(by, target) {
        return None;
    }
    let is_major = majors(after, after.side()).contains(&target);
    (is_major && gains(line.before(ply + 2), capture, WORTHWHILE)).then(|| vec![target])
}

/// The first move takes a rook, horse or cannon that nothing protects.
fn hanging_piece(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (mv, before, after) = (line.moves[ply], line.before(ply), line.after(ply));
    let is_major = value_on(before, mv.to()) >= piece_value(PieceKind::Horse);
    let is_free = |from: Square| !after.is_legal(Move::new(from, mv.to()));
    let is_unprotected = after.attackers_to(mv.to(), after.side()).iter().all(is_free);
    let keeps = line.wins_from(ply, WORTHWHILE) || line.len() == 1;
    (ply == 0 && is_major && is_unprotected && keeps).then(|| vec![mv.to()])
}

/// The first move leaves no mate in one and no gain of a rook, horse or cannon that the other side had before, and the line
/// wins nothing. Out of check there must be a choice.
fn is_defence(line: &Line) -> bool {
    let start = line.before(0);
    if line.wins_from(0, WORTHWHILE) || value_on(start, line.moves[0].to()) >= WORTHWHILE {
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
    let (start, mv) = (line.before(0), line.moves[0]);
    let is_plain = start.piece_at(mv.to()).is_none() && !start.in_check() && !line.after(0).in_check();
    is_plain && line.len() > 1 && line.wins_from(0, WORTHWHILE)
}
