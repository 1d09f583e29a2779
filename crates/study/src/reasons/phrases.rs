//! The sentences of reasons, in the current language.

use super::{Prize, ProvenGain, ProvenMate, Reason, gainer};
use crate::named_verdict::NamedVerdict;
use crate::review::{default_notation, side_name};
use chuhe_support::language::{Phrase, phrase, tr};
use xiangqi::{Move, PieceKind, Position, Rules, Square};
use xiangqi_record::notation::{self, Notation};

/// The most moves that a sentence shows of a line.
const MAX_LINE_MOVES: usize = 7;

impl Reason {
    /// The sentence, about a move that was played in this position.
    pub fn sentence(&self, position: &Position, played: Move) -> String {
        let mut start = position.clone();
        if self.follows_played_move() && start.play(played).is_err() {
            return String::new();
        }
        let side = side_name(gainer(position, self));
        match self {
            Reason::AllowsMate(ProvenMate { moves, line, pattern }) => {
                let line = moves_text(&start, line);
                match pattern {
                    Some(pattern) => {
                        let pattern = pattern.phrase();
                        tr!("After this {side} mates in {moves} ({pattern}): {line}.", side, moves, pattern, line)
                    }
                    None => tr!("After this {side} mates in {moves}: {line}.", side, moves, line),
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
            Reason::EndsByRule { rules, reply } => rule_sentence(&start, Rules::new(*rules), *reply),
            Reason::ThrowsAwayWin { lost: false } => tr!("By the endgame tables this was won, and is a draw now."),
            Reason::ThrowsAwayWin { lost: true } => tr!("By the endgame tables this was won, and is lost now."),
            Reason::ThrowsAwayDraw => tr!("By the endgame tables this was a draw, and is lost now."),
            Reason::LosesPiece(gain) => loss_sentence(&start, gain),
            Reason::MissesPiece(gain) => missed_gain_sentence(&start, gain),
        }
    }
}

/// The moves of a line, with an ellipsis where it is cut.
fn moves_text(start: &Position, line: &[Move]) -> String {
    let mut moves = notation::format_line(start, line.iter().take(MAX_LINE_MOVES), default_notation());
    if line.len() > MAX_LINE_MOVES {
        moves.push(String::from("…"));
    }
    moves.join(" ")
}

fn rule_sentence(after: &Position, rules: Rules, reply: Option<Move>) -> String {
    let mut position = after.clone();
    let verdict = |position: &Position| NamedVerdict::new(rules.judge(position), position).sentence(default_notation());
    match reply {
        Some(reply) => {
            let mv = notation::format(after, reply, default_notation());
            position.play_unchecked(reply);
            tr!("After {reply} the rules decide: {verdict}.", reply = mv, verdict = verdict(&position))
        }
        None => tr!("The rules decide: {verdict}.", verdict = verdict(&position)),
    }
}

fn loss_sentence(start: &Position, ProvenGain { prize, line }: &ProvenGain) -> String {
    let line = moves_text(start, line);
    let piece = |square: Square| piece_name(start, square);
    match *prize {
        Prize::Piece { square, partly: false, .. } => {
            tr!("This loses {piece}: {line}.", piece = piece(square), line)
        }
        Prize::Piece { square, partly: true, .. } => {
            tr!("This loses {piece} for less: {line}.", piece = piece(square), line)
        }
        Prize::OneOf { squares: [one, other] } => {
            tr!("This loses {piece} or {other}: {line}.", piece = piece(one), other = piece(other), line)
        }
        Prize::AtLeast { piece } => tr!("This loses {worth} at least: {line}.", worth = worth(piece), line),
    }
}

fn missed_gain_sentence(start: &Position, ProvenGain { prize, line }: &ProvenGain) -> String {
    let line = moves_text(start, line);
    let piece = |square: Square| piece_name(start, square);
    match *prize {
        Prize::Piece { square, partly: false, .. } => {
            tr!("The best move wins {piece}: {line}.", piece = piece(square), line)
        }
        Prize::Piece { square, partly: true, .. } => {
            tr!("The best move wins {piece} for less: {line}.", piece = piece(square), line)
        }
        Prize::OneOf { squares: [one, other] } => {
            tr!("The best move wins {piece} or {other}: {line}.", piece = piece(one), other = piece(other), line)
        }
        Prize::AtLeast { piece } => tr!("The best move wins {worth} at least: {line}.", worth = worth(piece), line),
    }
}

/// A piece within a sentence: `the horse on e5`, `马八`.
fn piece_name(position: &Position, square: Square) -> String {
    let Some(piece) = position.piece_at(square) else { return square.to_string() };
    if default_notation() != Notation::Chinese {
        return format!("the {} on {square}", piece.kind());
    }
    // The notation is that of the side to move, which cannot be the other one while there is a check.
    let name = if piece.color() != position.side() && position.in_check() {
        None
    } else {
        notation::piece_name(position, square, Notation::Chinese)
    };
    name.unwrap_or_else(|| piece.character().to_string())
}

/// How much is lost at least.
fn worth(kind: PieceKind) -> Phrase {
    match kind {
        PieceKind::Rook => phrase!("a rook"),
        PieceKind::Horse | PieceKind::Cannon => phrase!("a horse or a cannon"),
        _ => phrase!("a pawn or a guard"),
    }
}
