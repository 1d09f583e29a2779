//! A search for a gain of material, which tries every reply.
//!
//! The side that wins is given few moves: those of the engine's line, captures and checks. The other side is given all
//! its moves. So what is proven holds whatever the other side replies. At the end of each line the gain must stand: the
//! winner has a move after which captures, and a check with captures behind it, win nothing back.

use super::{Prize, ReasonLimits};
use crate::motifs::value_on;
use chuhe_engine::search::Control;
use std::sync::Arc;
use xiangqi::{Move, PieceKind, Position, Square, engine::piece_value};

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
    pub fn new(root: &Position, limits: &ReasonLimits, control: &'a Arc<Control>) -> GainSearch<'a> {
        GainSearch { position: root.clone(), nodes: limits.material_nodes, control, ideas: Vec::new() }
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
