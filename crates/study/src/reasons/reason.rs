//! Reasons why a move was a mistake, as data.

use crate::motifs::{MatingPattern, Motif};
use crate::reader::{NamedVerdict, default_notation, line_names, move_name, side_name};
use chuhe_support::language::{Language, Phrase, phrase, tr};
use chuhe_support::messages::short_name;
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Move, PieceKind, Position, RuleSet, Rules, Square};
use xiangqi_record::notation::{self, Notation};

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

phrased! {
    /// How a piece attacks the palace of a king at home.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum PalaceAttack {
        /// 空头炮: a cannon stands on the king's file, with nothing between them.
        HollowCannon = phrase!("has nothing between it and the king (hollow cannon)");
        /// 沉底炮: a cannon stands on the king's rank, with nothing but one or two guards between them.
        BottomCannon = phrase!("attacks along the back rank (bottom cannon)");
        /// 卧槽马: a horse stands before the bishop's home point.
        PalcornerHorse = phrase!("attacks the palace from its side (palcorner horse)");
        /// 挂角马: a horse stands on a front corner of the palace.
        CornerHorse = phrase!("attacks the palace from its corner (corner horse)");
        /// 兵入九宫: a pawn has entered the palace, wherever the king is.
        PawnInPalace = phrase!("is in the palace");
    }
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

phrased! {
    /// What a move has done so that a piece can be taken at once.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OwnFault {
        /// It has become the screen of a cannon.
        GivesScreen = phrase!("it gives a cannon its screen");
        /// It has left the line of a rook or cannon, or the leg of a horse.
        LeavesLine = phrase!("it opens the line");
        /// It protects the piece no more.
        LeavesPiece = phrase!("it protects that piece no more");
        /// It went to where it is taken.
        MovesIntoCapture = phrase!("it can be taken there");
    }
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

// The sentences of reasons, in the current language. Each names its move: the one that was played, or the better one.

/// The most moves that a sentence shows of a line.
const MAX_LINE_MOVES: usize = 7;

impl Reason {
    /// The sentence, about a move that was played in this position.
    pub fn sentence(&self, position: &Position, played: Move) -> String {
        let mut start = position.clone();
        if self.follows_played_move() && start.play(played).is_err() {
            return String::new();
        }
        // The side that gains by the line.
        let side = if self.follows_played_move() { !position.side() } else { position.side() };
        let side = side_name(side);
        let played = move_name(position, played);
        match self {
            Reason::AllowsMate(ProvenMate { moves, line, pattern }) => {
                let line = moves_text(&start, line);
                match pattern {
                    Some(pattern) => {
                        let pattern = pattern.phrase();
                        tr!(
                            "After {played} {side} mates in {moves} ({pattern}): {line}.",
                            played,
                            side,
                            moves,
                            pattern,
                            line
                        )
                    }
                    None => tr!("After {played} {side} mates in {moves}: {line}.", played, side, moves, line),
                }
            }
            Reason::MissesMate(ProvenMate { moves, line, pattern }) => {
                let line = moves_text(&start, line);
                match pattern {
                    Some(pattern) => {
                        let pattern = pattern.phrase();
                        tr!("A mate in {moves} was there ({pattern}): {line}.", moves, pattern, line)
                    }
                    None => tr!("A mate in {moves} was there: {line}.", moves, line),
                }
            }
            Reason::EndsByRule { rules, reply } => rule_sentence(&played, &start, Rules::new(*rules), *reply),
            Reason::ThrowsAwayWin { lost: false } => {
                tr!("By the endgame tables the position was won; after {played} it is a draw.", played)
            }
            Reason::ThrowsAwayWin { lost: true } => {
                tr!("By the endgame tables the position was won; after {played} it is lost.", played)
            }
            Reason::ThrowsAwayDraw => {
                tr!("By the endgame tables the position was a draw; after {played} it is lost.", played)
            }
            Reason::LosesPiece(gain) => loss_sentence(&played, &start, gain),
            Reason::MissesPiece(gain) => missed_gain_sentence(&start, gain),
            Reason::AllowsThreat(threat) => allowed_threat_sentence(&played, side, &start, threat),
            Reason::MissesThreat(threat) => missed_threat_sentence(&start, threat),
            Reason::AllowsBind(bind) => allowed_bind_sentence(&played, &start, bind),
            Reason::MissesBind(bind) => missed_bind_sentence(&start, bind),
            Reason::MissesFreeing(ProvenBind { square, line, .. }) => {
                let piece = piece_name(&start, *square);
                tr!("Better is {best}, which frees {piece}.", best = first_move(&start, line), piece)
            }
            Reason::AllowsAttack(ProvenAttack { attack, square, line }) => {
                let piece = piece_name(&start.after(line), *square);
                let line = moves_text(&start, line);
                tr!("After {played} {line} {piece} {attacks}.", played, line, piece, attacks = attack.phrase())
            }
            Reason::MissesAttack(ProvenAttack { attack, square, line }) => {
                let piece = piece_name(&start.after(line), *square);
                let best = first_move(&start, line);
                tr!("Better is {best}, after which {piece} {attacks}.", best, piece, attacks = attack.phrase())
            }
            Reason::AllowsCrossing { line } => {
                tr!("After {played} a pawn crosses the river: {line}.", played, line = moves_text(&start, line))
            }
            Reason::MissesCrossing { line } => {
                tr!("Better is {best}, which brings a pawn across the river.", best = first_move(&start, line))
            }
        }
    }
}

/// The moves of a line, with an ellipsis where it is cut.
fn moves_text(start: &Position, line: &[Move]) -> String {
    let mut moves = line_names(start, line.iter().take(MAX_LINE_MOVES));
    if line.len() > MAX_LINE_MOVES {
        moves.push(String::from("…"));
    }
    moves.join(" ")
}

/// The first move of a line.
fn first_move(start: &Position, line: &[Move]) -> String {
    moves_text(start, line.get(..1).unwrap_or_default())
}

fn rule_sentence(played: &str, after: &Position, rules: Rules, reply: Option<Move>) -> String {
    let mut position = after.clone();
    let verdict = |position: &Position| NamedVerdict::new(rules.judge(position), position).sentence(default_notation());
    match reply {
        Some(reply) => {
            let mv = move_name(after, reply);
            position.play_unchecked(reply);
            let verdict = verdict(&position);
            tr!("After {played} {reply} the rules decide: {verdict}.", played, reply = mv, verdict)
        }
        None => tr!("After {played} the rules decide: {verdict}.", played, verdict = verdict(&position)),
    }
}

fn loss_sentence(played: &str, start: &Position, gain: &ProvenGain) -> String {
    let (line, how) = (moves_text(start, &gain.line), how_text(gain.how));
    let piece = |square: Square| piece_name(start, square);
    match gain.prize {
        Prize::Piece { square, partly: false, .. } => {
            tr!("{played} loses {piece}{how}: {line}.", played, piece = piece(square), how, line)
        }
        Prize::Piece { square, partly: true, .. } => {
            tr!("{played} loses {piece} for less{how}: {line}.", played, piece = piece(square), how, line)
        }
        Prize::OneOf { squares: [one, other] } => {
            let (piece, other) = (piece(one), piece(other));
            tr!("{played} loses {piece} or {other}{how}: {line}.", played, piece, other, how, line)
        }
        Prize::AtLeast { piece } => {
            tr!("{played} loses {worth} at least{how}: {line}.", played, worth = worth(piece), how, line)
        }
    }
}

fn missed_gain_sentence(start: &Position, gain: &ProvenGain) -> String {
    let (best, how) = (first_move(start, &gain.line), how_text(gain.how));
    let line = if gain.line.len() > 1 { tr!(": {line}", line = moves_text(start, &gain.line)) } else { String::new() };
    let piece = |square: Square| piece_name(start, square);
    match gain.prize {
        Prize::Piece { square, partly: false, .. } => {
            tr!("Better is {best}, which wins {piece}{how}{line}.", best, piece = piece(square), how, line)
        }
        Prize::Piece { square, partly: true, .. } => {
            tr!("Better is {best}, which wins {piece} for less{how}{line}.", best, piece = piece(square), how, line)
        }
        Prize::OneOf { squares: [one, other] } => {
            let (piece, other) = (piece(one), piece(other));
            tr!("Better is {best}, which wins {piece} or {other}{how}{line}.", best, piece, other, how, line)
        }
        Prize::AtLeast { piece } => {
            tr!("Better is {best}, which wins {worth} at least{how}{line}.", best, worth = worth(piece), how, line)
        }
    }
}

/// How a piece is won, in parentheses.
fn how_text(how: Option<How>) -> String {
    let how = match how {
        None => return String::new(),
        Some(How::Motif(motif)) => motif.phrase(),
        Some(How::Fault(fault)) => fault.phrase(),
    };
    tr!(" ({how})", how)
}

fn allowed_threat_sentence(played: &str, side: Phrase, start: &Position, threat: &ProvenThreat) -> String {
    let line = moves_text(start, &threat.line);
    match threat.threat {
        Threat::Mate { moves } => {
            tr!("After {played} {line} {side} threatens a mate in {moves}.", played, line, side, moves)
        }
        Threat::Piece { square, .. } => {
            let piece = piece_name(&start.after(&threat.line), square);
            tr!("After {played} {line} {side} threatens {piece}.", played, line, side, piece)
        }
    }
}

fn missed_threat_sentence(start: &Position, threat: &ProvenThreat) -> String {
    let best = first_move(start, &threat.line);
    match threat.threat {
        Threat::Mate { moves } => tr!("Better is {best}, which threatens a mate in {moves}.", best, moves),
        Threat::Piece { square, .. } => {
            let piece = piece_name(&start.after(&threat.line), square);
            tr!("Better is {best}, which threatens {piece}.", best, piece)
        }
    }
}

fn allowed_bind_sentence(played: &str, start: &Position, bind: &ProvenBind) -> String {
    let line = std::iter::once(played.to_string()).chain(line_names(start, &bind.line));
    let line = line.collect::<Vec<_>>().join(" ");
    let piece = piece_name(&start.after(&bind.line), bind.square);
    match bind.bind {
        Bind::Pinned => tr!("After {line} {piece} is pinned.", line, piece),
        Bind::Blocked => tr!("After {line} {piece} cannot move.", line, piece),
        Bind::Unsafe => tr!("After {line} {piece} has no safe move.", line, piece),
    }
}

fn missed_bind_sentence(start: &Position, bind: &ProvenBind) -> String {
    let best = first_move(start, &bind.line);
    let piece = piece_name(&start.after(&bind.line), bind.square);
    match bind.bind {
        Bind::Pinned => tr!("Better is {best}, which pins {piece}.", best, piece),
        Bind::Blocked => tr!("Better is {best}, which blocks {piece}.", best, piece),
        Bind::Unsafe => tr!("Better is {best}, after which {piece} has no safe move.", best, piece),
    }
}

/// A piece within a sentence, as moves name it: `the horse on file 8`, `马八`.
fn piece_name(position: &Position, square: Square) -> String {
    let Some(piece) = position.piece_at(square) else { return square.to_string() };
    let way = default_notation();
    if Language::current() == Language::ENGLISH && way != Notation::Chinese {
        return english_name(position, square, piece.kind(), piece.color());
    }
    // The notation is that of the side to move, which cannot be the other one while there is a check.
    let name = if piece.color() != position.side() && position.in_check() {
        None
    } else {
        notation::piece_name(position, square, way)
    };
    name.map_or_else(|| short_name(piece), Language::in_script)
}

/// A piece with its file, counted from the right of its side, as in moves. Of two on a file it is the front or the rear one.
fn english_name(position: &Position, square: Square, kind: PieceKind, side: Color) -> String {
    let file = if side == Color::Red { Square::FILES - square.file() } else { square.file() + 1 };
    let others = position.squares(side, kind).iter().filter(|other| other.file() == square.file() && **other != square);
    let ranks: Vec<u8> = others.map(|other| other.rank_for(side)).collect();
    let place = match ranks[..] {
        [other] if square.rank_for(side) > other => "front ",
        [_] => "rear ",
        _ => "",
    };
    match kind {
        PieceKind::King => String::from("the king"),
        _ => format!("the {place}{kind} on file {file}"),
    }
}

/// How much is lost at least.
fn worth(kind: PieceKind) -> Phrase {
    match kind {
        PieceKind::Rook => phrase!("a rook"),
        PieceKind::Horse | PieceKind::Cannon => phrase!("a horse or a cannon"),
        _ => phrase!("a pawn or a guard"),
    }
}
