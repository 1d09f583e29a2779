//! Why a move was a mistake: at most two reasons, each from a proof, as data and in words. Without a proof there is none.
//!
//! * `mates`: the other side mates now, or a mate was missed, by the mate solver;
//! * `material`: a piece is lost, or could be won, by a search of captures and checks against every reply (`gain_search`);
//!   `how` says how, by the motifs of the line or by what the move has left behind;
//! * `threats`: what the answer or the best move threatens, by the same searches after a pass;
//! * `binds`: pieces that cannot move, and pawns that cross the river;
//! * `palace`: pieces that come to attack the palace;
//! * `verdicts`: the endgame tables, and the judge of repetitions;
//! * `phrases` holds the sentences.
//!
//! A reason is about the move that was played: what would have happened after the best move as well is none.

mod binds;
mod faults_and_motifs;
mod gain_search;
mod material;
mod mates;
mod palace;
mod phrases;
mod threats;
mod verdicts;

pub use faults_and_motifs::{How, OwnFault};

use crate::motifs::MatingPattern;
use chuhe_engine::Tablebase;
use chuhe_engine::search::Control;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use xiangqi::{Color, Move, PieceKind, Position, RuleSet, Rules, Square};

/// The most reasons of one move.
const MAX_REASONS: usize = 2;

/// A move that lost much, with what a search found.
#[derive(Clone, Copy, Debug)]
pub struct Mistake<'a> {
    /// The position before the move, with its history, which the rules of repetition need.
    pub position: &'a Position,
    /// The move.
    pub played: Move,
    /// The best move and its line.
    pub best: &'a [Move],
    /// The best answers to the move: a line of the other side that begins after it; may be empty.
    pub refutation: &'a [Move],
    /// The rules of the game.
    pub rules: Rules,
}

/// How much work the proofs may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReasonLimits {
    /// Nodes of the mate solver for each question.
    pub mate_nodes: u64,
    /// Nodes of the search of captures and checks for each question.
    pub material_nodes: u64,
}

impl Default for ReasonLimits {
    fn default() -> ReasonLimits {
        ReasonLimits { mate_nodes: 60_000, material_nodes: 60_000 }
    }
}

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

/// The reasons of a mistake, the gravest first.
pub fn find_reasons(
    mistake: &Mistake,
    tables: Option<&Tablebase>,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Vec<Reason> {
    find_with_mates(mistake, KnownMates::default(), tables, limits, control)
}

/// The plies of mates that a search has found: in the position after the move, and in the one before.
#[derive(Clone, Copy, Default)]
pub(crate) struct KnownMates {
    pub after: Option<u32>,
    pub before: Option<u32>,
}

/// The same, where a search has found mates before.
pub(crate) fn find_with_mates(
    mistake: &Mistake,
    known: KnownMates,
    tables: Option<&Tablebase>,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Vec<Reason> {
    // The proofs know nothing of the variant in which advisors and bishops become pawns.
    if mistake.position.promotion() || mistake.best.first().is_none_or(|&best| best == mistake.played) {
        return Vec::new();
    }
    let mut after = mistake.position.clone();
    if after.play(mistake.played).is_err() {
        return Vec::new();
    }
    let mut reasons: Vec<Reason> = verdicts::by_rule(mistake, &after).into_iter().collect();
    reasons.extend(verdicts::by_tables(mistake, &after, tables));
    let is_over = matches!(reasons.first(), Some(Reason::EndsByRule { reply: None, .. }));
    let allowed = if is_over { None } else { mates::allowed(mistake, &after, known.after, limits, control) };
    let is_mated = allowed.is_some();
    if let Some(mate) = allowed {
        reasons.insert(0, Reason::AllowsMate(mate));
    }
    let missed = mates::missed(mistake, known.before, limits, control);
    let has_mate = missed.is_some();
    reasons.extend(missed.map(Reason::MissesMate));
    if reasons.len() < MAX_REASONS && !is_mated && !is_over {
        let how = |gain: &ProvenGain| {
            faults_and_motifs::own_fault(mistake, &after, gain).or_else(|| faults_and_motifs::motif(&after, gain))
        };
        let lost = material::lost(mistake, &after, limits, control);
        reasons.extend(lost.map(|gain| Reason::LosesPiece(ProvenGain { how: how(&gain), ..gain })));
    }
    if reasons.len() < MAX_REASONS && !has_mate {
        let how = |gain: &ProvenGain| faults_and_motifs::motif(mistake.position, gain);
        let missed = material::missed(mistake, &after, limits, control);
        reasons.extend(missed.map(|gain| Reason::MissesPiece(ProvenGain { how: how(&gain), ..gain })));
    }
    if reasons.is_empty() && !control.stopped() {
        reasons.extend(allowed_plan(mistake, &after, limits, control));
        reasons.extend(missed_plan(mistake, &after, limits, control));
    }
    reasons.truncate(MAX_REASONS);
    if control.stopped() { Vec::new() } else { reasons }
}

/// What the answer does, where nothing is lost yet.
fn allowed_plan(mistake: &Mistake, after: &Position, limits: &ReasonLimits, control: &Arc<Control>) -> Option<Reason> {
    let bind = || binds::allowed(mistake, after);
    if let Some(threat) = threats::allowed(mistake, after, limits, control) {
        // An attacked piece without a safe move says more.
        let is_same =
            |bind: &ProvenBind| matches!(threat.threat, Threat::Piece { square, .. } if square == bind.square);
        return Some(bind().filter(is_same).map_or(Reason::AllowsThreat(threat), Reason::AllowsBind));
    }
    let crossing = || binds::allowed_crossing(mistake, after).map(|mv| Reason::AllowsCrossing { line: vec![mv] });
    let attack = || palace::allowed(mistake, after).map(Reason::AllowsAttack);
    bind().map(Reason::AllowsBind).or_else(attack).or_else(crossing)
}

/// What the best move does, where it wins nothing yet.
fn missed_plan(mistake: &Mistake, after: &Position, limits: &ReasonLimits, control: &Arc<Control>) -> Option<Reason> {
    let crossing = || binds::missed_crossing(mistake).map(|mv| Reason::MissesCrossing { line: vec![mv] });
    threats::missed(mistake, after, limits, control)
        .map(Reason::MissesThreat)
        .or_else(|| binds::missed(mistake, after).map(Reason::MissesBind))
        .or_else(|| binds::missed_freeing(mistake, after).map(Reason::MissesFreeing))
        .or_else(|| palace::missed(mistake, after).map(Reason::MissesAttack))
        .or_else(crossing)
}

/// The side that gains by the line of a reason.
fn gainer(position: &Position, reason: &Reason) -> Color {
    if reason.follows_played_move() { !position.side() } else { position.side() }
}
