//! Pieces that were lost, or could have been won: a search for a gain of material, which tries every reply.
//!
//! The side that wins is given few moves: those of the engine's line, captures and checks. The other side is given all
//! its moves. So what is proven holds whatever the other side replies. At the end of each line the gain must stand: the
//! winner has a move after which captures, and a check with captures behind it, win nothing back.

use super::Case;
use super::reason::{How, OwnFault, Prize, ProvenGain};
use crate::motifs::{Motif, find_motifs, frees, gains, passed, pieces_between, value_on};
use chuhe_engine::search::Control;
use xiangqi::{Move, PieceKind, Position, Square, engine::piece_value};

/// Plies of the winner's line after his first move.
const DEPTHS: [u32; 5] = [0, 2, 4, 6, 8];
/// A line is shown up to this length where it does not come to the capture.
const SHOWN_PLIES: usize = 5;
/// The longest way to the capture that is shown.
const MAX_SHOWN_PLIES: usize = 9;

/// The piece that the move loses and the best move does not.
pub fn lost(case: &Case) -> Option<ProvenGain> {
    let taken = value_on(case.position, case.played.to());
    let taken_by_best = value_on(case.position, case.best[0].to());
    let gain = first_level(case, &case.after, case.refutation, taken, |level, depth| {
        let mut search = GainSearch::new(&case.avoided, case);
        // The answer to the mistake may win the same after the best move.
        let hints: Vec<Move> = case.best[1..].iter().chain(case.refutation).take(1).copied().collect();
        let same = search.wins(level + taken_by_best, depth + 1, &hints);
        let answer = case.refutation.get(..1).unwrap_or_default();
        matches!(same, Ok(false)) && matches!(search.wins(level + taken_by_best, depth + 1, answer), Ok(false))
    })?;
    Some(ProvenGain { how: own_fault(case, &gain).or_else(|| motif(&case.after, &gain)), ..gain })
}

/// The piece that the best move wins and the move that was played does not.
pub fn missed(case: &Case) -> Option<ProvenGain> {
    let taken = value_on(case.position, case.played.to());
    let gain = first_level(case, case.position, case.best, 0, |level, depth| {
        let mut search = GainSearch::new(&case.after, case);
        // Two plies more, because the move may only have put it off.
        matches!(search.keeps(level - taken, depth + 2, &[]), Ok(false))
    })?;
    Some(ProvenGain { how: motif(case.position, &gain), ..gain })
}

/// The greatest gain of the side to move that is proven to begin with the first move of this line, and that `is_due` to
/// the mistake. The other side has gained so much before.
fn first_level(
    case: &Case,
    root: &Position,
    line: &[Move],
    before: i32,
    is_due: impl Fn(i32, u32) -> bool,
) -> Option<ProvenGain> {
    let &first = line.first()?;
    let most = most_gained(root, line) - before;
    for (level, kind) in LEVELS.into_iter().filter(|(level, _)| *level <= most) {
        let need = level + before;
        for depth in DEPTHS {
            let mut search = GainSearch::new(root, case).with_ideas(line);
            match search.proves_first(first, need, depth, line) {
                Ok(true) => {
                    let prize = search.prize(first, need, depth, line, kind).ok()?;
                    let line = shown_line(root, line, &prize);
                    return is_due(level, depth).then_some(ProvenGain { prize, line, how: None });
                }
                Ok(false) => {}
                Err(Spent) => break,
            }
        }
    }
    None
}

/// The most that the side to move is ahead after one of its own moves of a line, or after the answer to it.
fn most_gained(root: &Position, line: &[Move]) -> i32 {
    let mut position = root.clone();
    let (mut balance, mut most) = (0, 0);
    for (index, &mv) in line.iter().enumerate() {
        let value = value_on(&position, mv.to());
        if position.play(mv).is_err() {
            break;
        }
        balance += if index % 2 == 0 { value } else { -value };
        most = most.max(balance);
    }
    most
}

/// The line up to the capture of the prize.
fn shown_line(root: &Position, line: &[Move], prize: &Prize) -> Vec<Move> {
    let mut wanted = prize.squares();
    let mut position = root.clone();
    for (index, &mv) in line.iter().enumerate().take(MAX_SHOWN_PLIES) {
        // Where the capture alone does not show the gain, the line goes on.
        let is_plain = position.is_pseudo_legal(mv) && position.see_ge(mv, LEVELS[2].0);
        if position.play(mv).is_err() {
            break;
        }
        if index % 2 == 0 && wanted.contains(&mv.to()) && is_plain {
            return line[..=index].to_vec();
        }
        wanted.iter_mut().filter(|square| **square == mv.from()).for_each(|square| *square = mv.to());
    }
    line.iter().take(SHOWN_PLIES).copied().collect()
}

/// The motifs by which something is won; the others say nothing about how.
const MOTIFS: [Motif; 11] = [
    Motif::DoubleCheck,
    Motif::DiscoveredCheck,
    Motif::Fork,
    Motif::TrappedPiece,
    Motif::Pin,
    Motif::DiscoveredAttack,
    Motif::Skewer,
    Motif::RemovedDefender,
    Motif::Deflection,
    Motif::OpenedLine,
    Motif::CannonScreen,
];

/// What the move has done so that the first move of the line takes the piece, with a gain that was not there before.
fn own_fault(case: &Case, gain: &ProvenGain) -> Option<How> {
    let (before, played, &capture) = (case.position, case.played, gain.line.first()?);
    let after = &case.after;
    let (from, to) = (capture.from(), capture.to());
    after.piece_at(to)?;
    let is_prize = matches!(gain.prize, Prize::Piece { square, .. } if square == to);
    if !is_prize || before.in_check() || gains(&passed(before), capture, 1) {
        return None;
    }
    let is_cannon = after.piece_at(from)?.kind() == PieceKind::Cannon;
    let reached = before.reaches(from, to) && before.piece_at(to).is_some();
    let fault = if to == played.to() {
        OwnFault::MovesIntoCapture
    } else if is_cannon && pieces_between(after, from, to) == [played.to()] && !reached {
        OwnFault::GivesScreen
    } else if frees(after, from, to, played.from()) && !reached {
        OwnFault::LeavesLine
    } else if reached && protects(before, played.from(), to) && !protects(after, played.to(), to) {
        OwnFault::LeavesPiece
    } else {
        return None;
    };
    Some(How::Fault(fault))
}

/// The motif of a line by which its prize is won: the piece is among those that the motif is about, or it checks by two.
fn motif(root: &Position, gain: &ProvenGain) -> Option<How> {
    let prizes = gain.prize.squares();
    let is_about = |motif: Motif, ply: usize, squares: &[Square]| {
        let now = |&prize: &Square| gain.line[..=ply].iter().fold(prize, |at, mv| moved(at, *mv));
        matches!(motif, Motif::DoubleCheck | Motif::DiscoveredCheck) && ply == 0
            || prizes.iter().any(|prize| squares.contains(&now(prize)))
    };
    find_motifs(root, &gain.line)
        .into_iter()
        .find(|found| MOTIFS.contains(&found.motif) && is_about(found.motif, found.ply, &found.squares))
        .map(|found| How::Motif(found.motif))
}

fn moved(square: Square, mv: Move) -> Square {
    if square == mv.from() { mv.to() } else { square }
}

/// Whether the piece on a square protects its own piece on another.
fn protects(position: &Position, from: Square, target: Square) -> bool {
    position.piece_at(from).is_some_and(|piece| position.attackers_to(target, piece.color()).contains(from))
}

/// What must be gained for a rook, for a horse or a cannon, and for less; the values are those of exchanges.
pub const LEVELS: [(i32, PieceKind); 3] = [(830, PieceKind::Rook), (380, PieceKind::Horse), (100, PieceKind::Pawn)];
/// Plies of captures behind a line.
const QUIET_PLIES: u32 = 8;
/// Nodes between two looks at the control.
const CONTROL_INTERVAL: u64 = 1024;

/// The nodes are spent, or the search was stopped.
#[derive(Debug)]
pub struct Spent;

/// A search for a gain by the side to move at the root.
pub struct GainSearch<'a> {
    position: Position,
    nodes: u64,
    control: &'a Control,
    /// Moves of the winner that may be good at any time: those of the engine's line.
    ideas: Vec<Move>,
}

impl<'a> GainSearch<'a> {
    pub fn new(root: &Position, case: &'a Case) -> GainSearch<'a> {
        GainSearch { position: root.clone(), nodes: case.nodes, control: case.control, ideas: Vec::new() }
    }

    /// The same, with the winner's moves of this line tried everywhere.
    pub fn with_ideas(mut self, line: &[Move]) -> GainSearch<'a> {
        self.ideas = line.iter().step_by(2).copied().collect();
        self
    }

    fn count(&mut self) -> Result<(), Spent> {
        self.nodes = self.nodes.checked_sub(1).ok_or(Spent)?;
        if self.nodes.is_multiple_of(CONTROL_INTERVAL) {
            self.control.poll();
            if self.control.stopped() {
                return Err(Spent);
            }
        }
        Ok(())
    }

    /// Plays a move, asks, and takes it back.
    fn after<T>(&mut self, mv: Move, ask: impl FnOnce(&mut Self) -> Result<T, Spent>) -> Result<T, Spent> {
        self.position.play_unchecked(mv);
        let answer = ask(self);
        self.position.undo();
        answer
    }

    /// The legal moves, captures of the most valuable pieces first.
    fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.legal_moves().to_vec();
        moves.sort_by_key(|mv| -value_on(&self.position, mv.to()));
        moves
    }

    /// The winner's moves that are tried: the hint, captures, checks, and all moves out of check.
    fn tries(&self, hint: Option<&Move>) -> Vec<Move> {
        let is_free = !self.position.in_check();
        let mut moves = self.moves();
        moves.retain(|mv| {
            Some(mv) == hint
                || !is_free
                || self.ideas.contains(mv)
                || self.position.piece_at(mv.to()).is_some()
                || self.position.gives_check(*mv)
        });
        moves.sort_by_key(|mv| Some(mv) != hint);
        moves
    }

    /// The winner plays this move, and gains `need` by it and so many plies more.
    pub fn proves_first(&mut self, first: Move, need: i32, plies: u32, line: &[Move]) -> Result<bool, Spent> {
        if !self.position.legal_moves().contains(&first) {
            return Ok(false);
        }
        let value = value_on(&self.position, first.to());
        self.after(first, |search| search.keeps(need - value, plies, &line[1..]))
    }

    /// The winner to move gains `need`; he has moves at so many plies.
    pub fn wins(&mut self, need: i32, plies: u32, line: &[Move]) -> Result<bool, Spent> {
        Ok(self.winning_move(need, plies, line, &[])?.is_some())
    }

    /// How the winner to move gains `need`: by a move, or (`None` inside) because he has it already. Captures on these
    /// squares are tried first.
    pub fn winning_move(
        &mut self,
        need: i32,
        plies: u32,
        line: &[Move],
        first: &[Square],
    ) -> Result<Option<Option<Move>>, Spent> {
        self.count()?;
        if need <= 0 && self.holds(need)? {
            return Ok(Some(None));
        }
        if plies == 0 {
            return Ok(None);
        }
        let hint = line.first();
        let mut moves = self.tries(hint);
        moves.sort_by_key(|mv| !first.contains(&mv.to()));
        for mv in moves {
            let value = value_on(&self.position, mv.to());
            // The last move must take what is left to gain.
            if plies <= 1 && value < need {
                continue;
            }
            let rest = if hint == Some(&mv) { &line[1..] } else { &[] };
            if self.after(mv, |search| search.keeps(need - value, plies - 1, rest))? {
                return Ok(Some(Some(mv)));
            }
        }
        Ok(None)
    }

    /// Whatever the other side, to move, replies, the winner gains `need`.
    pub fn keeps(&mut self, need: i32, plies: u32, line: &[Move]) -> Result<bool, Spent> {
        self.count()?;
        // What even a pass avoids is not proven; it is tried first, because it shows that fastest.
        if !self.position.in_check() && !self.wins_if_passed(need, plies.saturating_sub(1))? {
            return Ok(false);
        }
        for reply in self.moves() {
            let value = value_on(&self.position, reply.to());
            let rest = if line.first() == Some(&reply) { &line[1..] } else { &[] };
            if !self.after(reply, |search| search.wins(need + value, plies.saturating_sub(1), rest))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The winner gains `need` if the other side, to move and not in check, passes.
    pub fn wins_if_passed(&mut self, need: i32, plies: u32) -> Result<bool, Spent> {
        self.position.play_null();
        let wins = self.wins(need, plies, &[]);
        self.position.undo();
        wins
    }

    /// The winner, to move, has a move after which the other side does not win back what is more than `need`.
    fn holds(&mut self, need: i32) -> Result<bool, Spent> {
        for mv in self.moves() {
            let value = value_on(&self.position, mv.to());
            let regained = self.after(mv, |search| search.regains(need - value, QUIET_PLIES, true))?;
            if !regained {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The other side, to move, brings the winner's gain below what is needed by captures, by answers to checks, or by
    /// one check first.
    fn regains(&mut self, need: i32, plies: u32, may_check: bool) -> Result<bool, Spent> {
        self.count()?;
        if need > 0 {
            return Ok(true);
        }
        if plies == 0 {
            return Ok(false);
        }
        let is_free = !self.position.in_check();
        for mv in self.moves() {
            let value = value_on(&self.position, mv.to());
            let is_check = may_check && is_free && value == 0 && self.position.gives_check(mv);
            if is_free && value == 0 && !is_check {
                continue;
            }
            let check_left = may_check && !is_check;
            if !self.after(mv, |search| search.retains(need + value, plies - 1, check_left))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The winner, to move, keeps what he has, by standing still, by a capture, or by an answer to a check.
    fn retains(&mut self, need: i32, plies: u32, may_check: bool) -> Result<bool, Spent> {
        self.count()?;
        let is_free = !self.position.in_check();
        if is_free && need <= 0 {
            return Ok(true);
        }
        for mv in self.moves() {
            let value = value_on(&self.position, mv.to());
            if is_free && value == 0 {
                break;
            }
            if !self.after(mv, |search| search.regains(need - value, plies.saturating_sub(1), may_check))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is won by a proof: the piece that the first move takes, or those that fall after each reply.
    pub fn prize(
        &mut self,
        first: Move,
        need: i32,
        plies: u32,
        line: &[Move],
        kind: PieceKind,
    ) -> Result<Prize, Spent> {
        let root = self.position.clone();
        let level = LEVELS.iter().find(|(_, of)| *of == kind).map_or(0, |(level, _)| *level);
        let piece = |square: Square| {
            let piece = root.piece_at(square).map_or(kind, |piece| piece.kind());
            Prize::Piece { piece, square, partly: piece_value(piece) >= level_above(level) }
        };
        let taken = value_on(&root, first.to());
        if taken >= level {
            // To take a piece of equal value that is taken back is an exchange, not a gain.
            let is_exchange = taken >= level_above(level) && value_on(&root, first.from()) >= taken;
            return Ok(if is_exchange { Prize::AtLeast { piece: kind } } else { piece(first.to()) });
        }
        let victims = self.after(first, |search| search.victims(need - taken, plies, &line[1..]))?;
        Ok(match *victims {
            [Some(square)] => piece(square),
            [Some(one), Some(other)] => Prize::OneOf { squares: [one, other] },
            _ => Prize::AtLeast { piece: kind },
        })
    }

    /// The squares of the pieces that the winner takes next, over all replies; `None` where that is no capture.
    fn victims(&mut self, need: i32, plies: u32, line: &[Move]) -> Result<Vec<Option<Square>>, Spent> {
        let mut victims: Vec<Option<Square>> = Vec::new();
        for reply in self.moves() {
            let value = value_on(&self.position, reply.to());
            let rest = if line.first() == Some(&reply) { &line[1..] } else { &[] };
            // A piece that moves is still the same.
            let now = |square: Square| if square == reply.from() { reply.to() } else { square };
            let known: Vec<Square> = victims.iter().flatten().map(|&square| now(square)).collect();
            let found = self.after(reply, |search| {
                let found = search.winning_move(need + value, plies.saturating_sub(1), rest, &known)?;
                Ok(found.flatten().filter(|mv| search.position.piece_at(mv.to()).is_some()))
            })?;
            let before = |square: Square| if square == reply.to() { reply.from() } else { square };
            let victim = found.map(|mv| before(mv.to()));
            if !victims.contains(&victim) {
                victims.push(victim);
            }
        }
        Ok(victims)
    }
}

/// From which value on a piece is worth more than what this level proves.
pub fn level_above(level: i32) -> i32 {
    LEVELS.iter().rev().map(|(above, _)| *above).find(|above| *above > level).unwrap_or(i32::MAX)
}
