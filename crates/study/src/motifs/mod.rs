//! The motifs that a line of moves shows: forks, pins, discovered attacks and the like. Reviews name by them why a piece was
//! lost, tactics have them for themes.
//!
//! A motif is told by the geometry of the line alone, without a search: each is defined at its detector, and each needs that
//! the line goes on as the motif promises (a forked piece is taken, a sacrifice is regained). Whether the line is forced is
//! for others to prove.
//!
//! * `mating_patterns` names mates by their final position;
//! * `line` holds the positions of a line, follows its pieces, and knows lines, screens and captures that gain;
//! * here: the detectors.

mod line;
mod mating_patterns;

pub(crate) use line::{frees, gains, gains_on, majors, passed, pieces_between, played, value_on};
pub use mating_patterns::MatingPattern;

use chuhe_support::language::{Phrase, phrase};
use chuhe_support::small_sort::SmallSort;
use line::{Line, WORTHWHILE, between, checkers, is_between, is_contested};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xiangqi::engine::piece_value;
use xiangqi::{Move, MoveList, PieceKind, Position, Square};

/// Defines the motifs but those that are mates with a name: each with its name for programs and the one for players.
macro_rules! motifs {
    ($($(#[$doc:meta])* $motif:ident = $name:literal, $phrase:expr;)*) => {
        /// What a line shows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Motif {
            /// The line mates, and the final position has this name.
            Pattern(MatingPattern),
            $($(#[$doc])* $motif,)*
        }

        impl Motif {
            /// All motifs, the most telling ones first.
            pub fn all() -> impl Iterator<Item = Motif> {
                // A mate by double check is a double check.
                let patterns = MatingPattern::ALL.into_iter().filter(|pattern| *pattern != MatingPattern::DoubleCheck);
                patterns.map(Motif::Pattern).chain([$(Motif::$motif),*])
            }

            /// The name for programs, such as `discovered-check` and `iron-bolt`.
            pub fn name(self) -> &'static str {
                match self {
                    Motif::Pattern(pattern) => pattern.name(),
                    $(Motif::$motif => $name,)*
                }
            }

            /// The name for players.
            pub fn phrase(self) -> Phrase {
                match self {
                    Motif::Pattern(pattern) => pattern.phrase(),
                    $(Motif::$motif => $phrase,)*
                }
            }
        }
    };
}

// In the order of `all`.
motifs! {
    /// 弃子: a rook, a horse or a cannon is given, and it is not taken back at once.
    Sacrifice = "sacrifice", phrase!("sacrifice");
    /// 双将: two pieces check.
    DoubleCheck = "double-check", phrase!("double check");
    /// 抽将: a piece leaves a line, and the piece behind it checks.
    DiscoveredCheck = "discovered-check", phrase!("discovered check");
    /// 捉双: one piece attacks two, or checks and attacks one.
    Fork = "fork", phrase!("fork");
    /// 困子: a piece is attacked and has no safe move.
    TrappedPiece = "trapped-piece", phrase!("trapped piece");
    /// 牵制: a piece may not move, because its king stands behind.
    Pin = "pin", phrase!("pin");
    /// 闪击: a piece moves away, and another one attacks.
    DiscoveredAttack = "discovered-attack", phrase!("discovered attack");
    /// 串打: a piece leaves the line, and the piece behind it is taken.
    Skewer = "skewer", phrase!("skewer");
    /// 去根: the piece that protects another is taken first.
    RemovedDefender = "removed-defender", phrase!("defender taken away");
    /// 引离: the piece that protects another is made to take elsewhere.
    Deflection = "deflection", phrase!("deflection");
    /// 打通: an exchange draws a piece out of a line.
    OpenedLine = "opened-line", phrase!("opened line");
    /// 炮架: a piece becomes the screen of a cannon.
    CannonScreen = "cannon-screen", phrase!("cannon screen");
    /// 防守: a threat is met.
    Defence = "defence", phrase!("defence");
    /// 静着: the first move neither takes nor checks, and wins.
    QuietMove = "quiet-move", phrase!("quiet move");
    /// 吃无根子: an unprotected piece is taken at once.
    HangingPiece = "hanging-piece", phrase!("unprotected piece");
    /// 将死: the line mates.
    Mate = "mate", phrase!("mate");
}

impl Motif {
    /// The motif of this name.
    pub fn from_name(name: &str) -> Option<Motif> {
        Motif::all().find(|motif| motif.name() == name)
    }

    /// How telling it is: 0 is the most.
    fn rank(self) -> usize {
        Motif::all().position(|motif| motif == self).unwrap_or(usize::MAX)
    }
}

impl Serialize for Motif {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Motif {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Motif, D::Error> {
        let name = String::deserialize(from)?;
        Motif::from_name(&name).ok_or_else(|| D::Error::custom("no motif"))
    }
}

/// A motif with its place in the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub motif: Motif,
    /// The index of the move that shows it.
    pub ply: usize,
    /// The squares of the pieces that it is about, in the position after that move: those that are attacked, trapped, pinned,
    /// given or left without a defender; may be empty.
    pub squares: Vec<Square>,
}

/// The motifs of a line, the most telling first, each once. The side to move at the start solves: its are the moves 0, 2, 4 …
/// of the line. A line with an illegal move counts up to it; a line of the variant with promotions shows nothing.
pub fn motifs(start: &Position, line: &[Move]) -> Vec<Motif> {
    let mut found: Vec<Motif> = find_motifs(start, line).into_iter().map(|finding| finding.motif).collect();
    found.dedup();
    found
}

/// The motifs of a line with their places, the most telling first; a motif may occur at several moves.
pub fn find_motifs(start: &Position, line: &[Move]) -> Vec<Finding> {
    let Some(line) = Line::new(start, line) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(motif) = mate(&line) {
        found.push(Finding { motif, ply: line.len() - 1, squares: Vec::new() });
    }
    found.extend(find(&line));
    found.order_by_key(|finding| (finding.motif.rank(), finding.ply));
    found
}

/// The name of the mate at the end of a line.
fn mate(line: &Line) -> Option<Motif> {
    if !line.mates {
        return None;
    }
    Some(match MatingPattern::of(line.last()) {
        Some(MatingPattern::DoubleCheck) | None => Motif::Mate,
        Some(pattern) => Motif::Pattern(pattern),
    })
}

// The motifs of a line: what a move of the solver attacks, what is given and taken, what meets a threat. Each is defined at
// its detector, which tells the squares that it is about.

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
