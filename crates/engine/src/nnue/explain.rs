//! An explanation of the network's evaluation for users: the board with the value of each piece, the score of each
//! output bucket, and the total.

use super::accumulator::{forward, full_refresh};
use super::architecture::{OutputBuckets, feature_index, piece_index};
use super::network::Network;
use super::{EvalMode, evaluate, has_winning_material};
use crate::score::Score;
use chuhe_base::language::tr;
use std::fmt;
use std::sync::Arc;
use xiangqi::{Color, Piece, PieceKind, Position, Square};

/// The evaluation of a position in parts, with scores from red's side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The description of the network.
    pub network: String,
    /// Each piece with the score lost without it; none for kings.
    pub pieces: Vec<(Square, Piece, Option<Score>)>,
    /// The score of each output bucket.
    pub output_scores: Vec<Score>,
    /// The kind of output buckets.
    pub output_buckets: OutputBuckets,
    /// The selected output bucket.
    pub output_bucket: usize,
    /// Whether the better side has material left to win with; otherwise the evaluation is 0.
    pub has_winning_material: bool,
    /// The evaluation.
    pub total: Score,
}

/// A position with its accumulators, for evaluations without single pieces.
struct ExplainContext<'a> {
    network: &'a Network,
    position: &'a Position,
    sums: [Vec<i16>; 2],
}

impl ExplainContext<'_> {
    /// The score of an output bucket for these accumulators, from red's side.
    fn forward_for_red(&self, head: usize, sums: &[Vec<i16>; 2]) -> Score {
        let side = self.position.side();
        let score = forward(self.network, head, &sums[side as usize], &sums[!side as usize]);
        if side == Color::Red { score } else { -score }
    }

    /// The accumulators without the piece on this square.
    fn accumulators_without(&self, piece: Piece, square: Square) -> [Vec<i16>; 2] {
        let mut sums = self.sums.clone();
        for color in Color::ALL {
            let view = self.network.architecture.king_buckets.king_bucket(self.position.king(color), color);
            let row = feature_index(color, view.mirrored, piece_index(piece), square.dense());
            if let Some(row) = row {
                let weights = self.network.feature_row(view.bucket.into(), row);
                sums[color as usize].iter_mut().zip(weights).for_each(|(sum, weight)| *sum -= weight);
            }
        }
        sums
    }
}

/// Explains the evaluation of a position by a network.
pub fn explain(network: &Arc<Network>, position: &Position) -> Explanation {
    let view =
        ExplainContext { network, position, sums: Color::ALL.map(|color| full_refresh(network, position, color)) };
    let layout = network.architecture;
    let head = layout.output_buckets.for_position(position);
    let whole = view.forward_for_red(head, &view.sums);
    let on_board: Vec<(Square, Piece)> =
        Square::all().filter_map(|square| Some((square, position.piece_at(square)?))).collect();
    let attackers: usize = Color::ALL.map(|color| position.major_count(color)).iter().sum();
    let worth = |square, piece: Piece| {
        let kind = piece.kind();
        (kind != PieceKind::King).then(|| {
            let left = attackers - usize::from(kind.is_major());
            whole
                - view.forward_for_red(
                    layout.output_buckets.select(on_board.len() - 1, left),
                    &view.accumulators_without(piece, square),
                )
        })
    };
    let score = evaluate(&EvalMode::Network(Arc::clone(network)), position);
    let total = if position.side() == Color::Red { score } else { -score };
    Explanation {
        network: network.description.clone(),
        pieces: on_board.iter().map(|&(square, piece)| (square, piece, worth(square, piece))).collect(),
        output_scores: (0..layout.output_buckets.count()).map(|head| view.forward_for_red(head, &view.sums)).collect(),
        output_buckets: layout.output_buckets,
        output_bucket: head,
        has_winning_material: has_winning_material(position, if whole > 0 { Color::Red } else { Color::Black }),
        total,
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            for line in 0..2 {
                write!(f, "{} ", if line == 0 { char::from(b'0' + rank) } else { ' ' })?;
                for file in 0..9 {
                    let square = Square::new(file, rank);
                    let there = self.pieces.iter().find(|piece| piece.0 == square);
                    match (there, line) {
                        (Some((_, piece, _)), 0) => write!(f, "{:^6}", piece.letter())?,
                        (None, 0) => write!(f, "{:^6}", '.')?,
                        (Some((_, _, Some(worth))), _) => write!(f, "{:^6}", format!("{worth:+}"))?,
                        _ => write!(f, "{:6}", "")?,
                    }
                }
                writeln!(f)?;
            }
        }
        write!(f, "  ")?;
        ('a'..='i').try_for_each(|file| write!(f, "{file:^6}"))?;
        let below = tr!("Under each piece: what red would lose without it (+) or win (-); a horse is about 400.");
        write!(f, "\n\n{below}\n")?;
        f.write_str(&match self.output_buckets {
            OutputBuckets::One => tr!("heads, one for all positions:"),
            OutputBuckets::Pieces => tr!("heads, by the number of pieces on the board:"),
            OutputBuckets::Attackers => {
                tr!("heads, by the number of rooks, horses and cannons on the board:")
            }
        })?;
        for (index, score) in self.output_scores.iter().enumerate() {
            if index == self.output_bucket { write!(f, " [{score:+}]")? } else { write!(f, " {score:+}")? }
        }
        writeln!(f)?;
        if !self.has_winning_material {
            writeln!(f, "{}", tr!("insufficient material: worth nothing"))?;
        }
        writeln!(f, "{}", tr!("network {name}", name = self.network))?;
        f.write_str(&tr!("evaluation {score} for red", score = format_args!("{:+}", self.total)))
    }
}
