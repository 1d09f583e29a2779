//! An explanation of the network's evaluation for users: the board with the value of each piece, the score of each
//! output bucket, and the total.

use super::accumulator::{forward, full_refresh};
use super::architecture::{OutputBuckets, feature_index, piece_index};
use super::network::Network;
use super::{EvalMode, evaluate, has_winning_material, simd};
use crate::score::{self, Score};
use std::sync::Arc;
use xiangqi::words::{Value, Words};
use xiangqi::{Color, Piece, PieceKind, Position, Square, worded, words};

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
    accumulators: [Vec<i16>; 2],
}

impl ExplainContext<'_> {
    /// The output of a bucket for these accumulators, from red's side.
    fn output_for_red(&self, bucket: usize, accumulators: &[Vec<i16>; 2]) -> Score {
        let side = self.position.side();
        let output = forward(self.network, bucket, &accumulators[side as usize], &accumulators[!side as usize]);
        score::from_red(output, side)
    }

    /// The accumulators without the piece on this square.
    fn accumulators_without(&self, piece: Piece, square: Square) -> [Vec<i16>; 2] {
        let mut accumulators = self.accumulators.clone();
        for color in Color::ALL {
            let king_bucket = self.network.architecture.king_buckets.king_bucket(self.position.king(color), color);
            let feature = feature_index(color, king_bucket.mirrored, piece_index(piece), square.dense());
            if let Some(feature) = feature {
                simd::sub_feature(
                    &mut accumulators[color as usize],
                    self.network.feature_row(king_bucket.bucket.into(), feature),
                );
            }
        }
        accumulators
    }
}

/// Explains the evaluation of a position by a network.
pub fn explain(network: &Arc<Network>, position: &Position) -> Explanation {
    let accumulators = Color::ALL.map(|color| full_refresh(network, position, color));
    let context = ExplainContext { network, position, accumulators };
    let buckets = network.architecture.output_buckets;
    let bucket = buckets.for_position(position);
    let output = context.output_for_red(bucket, &context.accumulators);
    let pieces: Vec<(Square, Piece)> =
        Square::all().filter_map(|square| Some((square, position.piece_at(square)?))).collect();
    let attackers: usize = Color::ALL.map(|color| position.major_count(color)).iter().sum();
    let value = |square, piece: Piece| {
        let kind = piece.kind();
        let attackers_left = attackers - usize::from(kind.is_major());
        let bucket = buckets.select(pieces.len() - 1, attackers_left);
        let without = || context.output_for_red(bucket, &context.accumulators_without(piece, square));
        (kind != PieceKind::King).then(|| output - without())
    };
    Explanation {
        network: network.description.clone(),
        pieces: pieces.iter().map(|&(square, piece)| (square, piece, value(square, piece))).collect(),
        output_scores: (0..buckets.count())
            .map(|bucket| context.output_for_red(bucket, &context.accumulators))
            .collect(),
        output_buckets: buckets,
        output_bucket: bucket,
        has_winning_material: has_winning_material(position, if output > 0 { Color::Red } else { Color::Black }),
        total: score::from_red(evaluate(&EvalMode::Network(Arc::clone(network)), position), position.side()),
    }
}

impl Explanation {
    /// The board, with the value of each piece under it.
    pub fn board(&self) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            let mut letters = rank.to_string() + " ";
            let mut values = String::from("  ");
            for file in 0..9 {
                let square = Square::new(file, rank);
                let found = self.pieces.iter().find(|(other, ..)| *other == square);
                letters += &format!("{:^6}", found.map_or('.', |(_, piece, _)| piece.letter()));
                let value = found.and_then(|&(.., value)| value).map(|value| format!("{value:+}"));
                values += &format!("{:^6}", value.unwrap_or_default());
            }
            text += &format!("{letters}\n{values}\n");
        }
        ('a'..='i').fold(text + "  ", |text, file| text + &format!("{file:^6}"))
    }

    /// The score of each output bucket in a row, that of the selected one in brackets.
    pub fn bucket_scores(&self) -> String {
        let shown = |(index, score)| {
            if index == self.output_bucket { format!(" [{score:+}]") } else { format!(" {score:+}") }
        };
        self.output_scores.iter().enumerate().map(shown).collect()
    }
}

worded!(Explanation, |explanation| {
    let scores = explanation.bucket_scores();
    let scores = scores.trim_start();
    let heads = match explanation.output_buckets {
        OutputBuckets::One => words!("heads, one for all positions: {scores}", scores),
        OutputBuckets::Pieces => words!("heads, by the number of pieces on the board: {scores}", scores),
        OutputBuckets::Attackers => {
            words!("heads, by the number of rooks, horses and cannons on the board: {scores}", scores)
        }
    };
    let values = words!("Under each piece: what red would lose without it (+) or win (-); a horse is about 400.");
    let network = words!("network {description}", description = &explanation.network);
    let total = words!("evaluation {score} for red", score = format!("{:+}", explanation.total));
    let note = (!explanation.has_winning_material).then(|| words!("insufficient material: worth nothing"));
    let lines = [values, heads].into_iter().chain(note).chain([network, total]);
    let lines = Words::joined("{one}\n{other}", lines).map_or(Value::from(""), Value::from);
    words!("{board}\n\n{lines}", board = explanation.board(), lines)
});
