//! Reasons why a move was a mistake, as data.

use crate::motifs::{MatingPattern, Motif};
use serde::{Deserialize, Serialize};
use xiangqi::{Move, PieceKind, RuleSet, Square};

/// A reason why a move was a mistake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// The other side mates now.
    AllowsMate(ProvenMate),
    /// By the rules the game is lost or drawn now, or after this answer.
    EndsByRule {
        /// The rules.
        rules: RuleSet,
        /// The answer after which the judge decides; none if he decides at once.
        reply: Option<Move>,
    },
    /// By the endgame tables, a won position is won no more.
    ThrowsAwayWin {
        /// It is even lost.
        lost: bool,
    },
    /// By the endgame tables, a drawn position is lost.
    ThrowsAwayDraw,
    /// The mover had a mate and has none that is about as short.
    MissesMate(ProvenMate),
    /// A piece is lost.
    LosesPiece(ProvenGain),
    /// A piece could have been won.
    MissesPiece(ProvenGain),
    /// The answer makes a threat that the best move does not allow.
    AllowsThreat(ProvenThreat),
    /// The best move makes a threat, and the move that was played none as great.
    MissesThreat(ProvenThreat),
    /// After the answer a piece of the mover cannot move.
    AllowsBind(ProvenBind),
    /// After the best move a piece of the other side cannot move.
    MissesBind(ProvenBind),
    /// The best move frees a piece of the mover that cannot move.
    MissesFreeing(ProvenBind),
    /// The answer brings a piece to attack the palace, which the best move does not allow.
    AllowsAttack(ProvenAttack),
    /// The best move brings a piece to attack the palace.
    MissesAttack(ProvenAttack),
    /// The answer brings a pawn over the river, which the best move does not allow.
    AllowsCrossing {
        /// The move of the pawn.
        line: Vec<Move>,
    },
    /// The best move brings a pawn over the river.
    MissesCrossing {
        /// The move of the pawn.
        line: Vec<Move>,
    },
}

/// A threat: what the side that moves last in the line does if the other side passes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenThreat {
    /// What is threatened.
    #[serde(flatten)]
    pub threat: Threat,
    /// The move that makes it.
    pub line: Vec<Move>,
}

/// What is threatened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "threat", rename_all = "kebab-case")]
pub enum Threat {
    /// A mate by checks.
    Mate {
        /// The moves of the mating side, at most.
        moves: u32,
    },
    /// The piece on this square is taken, whatever the reply.
    Piece {
        /// Its kind.
        piece: PieceKind,
        /// Its square after the line.
        square: Square,
        /// Something is won back for it, but less.
        partly: bool,
    },
}

/// Why a piece cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bind {
    /// Its king stands behind it.
    Pinned,
    /// Other pieces stand in its ways.
    Blocked,
    /// It is lost wherever it goes.
    Unsafe,
}

/// A rook, horse or cannon that cannot move, or is lost wherever it goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenBind {
    /// Its kind.
    pub piece: PieceKind,
    /// Its square after the line.
    pub square: Square,
    /// What holds it.
    pub bind: Bind,
    /// The move that binds or frees it.
    pub line: Vec<Move>,
}

/// How a piece attacks the palace of a king at home.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PalaceAttack {
    /// 空头炮: a cannon stands on the king's file, with nothing between them.
    HollowCannon,
    /// 沉底炮: a cannon stands on the king's rank, with nothing but one or two guards between them.
    BottomCannon,
    /// 卧槽马: a horse stands before the bishop's home point.
    PalcornerHorse,
    /// 挂角马: a horse stands on a front corner of the palace.
    CornerHorse,
    /// 兵入九宫: a pawn has entered the palace, wherever the king is.
    PawnInPalace,
}

/// A piece that comes to attack the palace and cannot be taken there at no loss.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenAttack {
    /// How it attacks.
    pub attack: PalaceAttack,
    /// Its square after the line.
    pub square: Square,
    /// The move that brings it about.
    pub line: Vec<Move>,
}

/// A mate that the solver proved against every defence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenMate {
    /// The moves of the mating side, at most.
    pub moves: u32,
    /// A line to the mate with a longest defence.
    pub line: Vec<Move>,
    /// The name of the final position, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<MatingPattern>,
}

/// A gain of material that was proven against every reply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenGain {
    /// What is won.
    pub prize: Prize,
    /// The line of the side that wins it, up to the capture where it goes so far.
    pub line: Vec<Move>,
    /// By what, where that has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
}

/// What a side wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Prize {
    /// The piece on this square, whatever the reply.
    Piece {
        /// Its kind.
        piece: PieceKind,
        /// Its square when the line begins.
        square: Square,
        /// Something is won back for it, but less.
        partly: bool,
    },
    /// One of two pieces, by the reply.
    OneOf {
        /// The squares of the two when the line begins.
        squares: [Square; 2],
    },
    /// At least so much, which piece depends on the reply.
    AtLeast {
        /// A rook, a horse (for a rook, a horse or a cannon), or a pawn for less.
        piece: PieceKind,
    },
}

impl Prize {
    /// The squares of the pieces of which one is won, when the line begins.
    pub(super) fn squares(&self) -> Vec<Square> {
        match *self {
            Prize::Piece { square, .. } => vec![square],
            Prize::OneOf { squares } => squares.to_vec(),
            Prize::AtLeast { .. } => Vec::new(),
        }
    }
}

/// How a piece is lost or won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum How {
    /// By what the move that was played has done itself.
    Fault(OwnFault),
    /// By a motif of the line.
    Motif(Motif),
}

/// What a move has done so that a piece can be taken at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnFault {
    /// It has become the screen of a cannon.
    GivesScreen,
    /// It has left the line of a rook or cannon, or the leg of a horse.
    LeavesLine,
    /// It protects the piece no more.
    LeavesPiece,
    /// It went to where it is taken.
    MovesIntoCapture,
}

impl Reason {
    /// Whether the line of this reason begins after the move that was played, not in its place.
    pub fn follows_played_move(&self) -> bool {
        !matches!(
            self,
            Reason::MissesMate(_)
                | Reason::MissesPiece(_)
                | Reason::MissesThreat(_)
                | Reason::MissesBind(_)
                | Reason::MissesFreeing(_)
                | Reason::MissesAttack(_)
                | Reason::MissesCrossing { .. }
        )
    }

    /// The moves that show it; may be empty.
    pub fn line(&self) -> &[Move] {
        match self {
            Reason::AllowsMate(mate) | Reason::MissesMate(mate) => &mate.line,
            Reason::LosesPiece(gain) | Reason::MissesPiece(gain) => &gain.line,
            Reason::AllowsThreat(threat) | Reason::MissesThreat(threat) => &threat.line,
            Reason::AllowsBind(bind) | Reason::MissesBind(bind) | Reason::MissesFreeing(bind) => &bind.line,
            Reason::AllowsAttack(attack) | Reason::MissesAttack(attack) => &attack.line,
            Reason::AllowsCrossing { line } | Reason::MissesCrossing { line } => line,
            Reason::EndsByRule { reply, .. } => reply.as_slice(),
            Reason::ThrowsAwayWin { .. } | Reason::ThrowsAwayDraw => &[],
        }
    }
}
