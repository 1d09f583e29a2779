//! What the network thinks of a position, for people: the board with the worth of each piece to it, what each head
//! says, and the total.

use super::accumulator::{fresh_sums, points};
use super::layout::{Heads, piece_number, row_of};
use super::network::Network;
use super::{Knowledge, can_win, evaluate};
use crate::board::Position;
use crate::language::tr;
use crate::types::{Color, Piece, PieceKind, Score, Square};
use std::fmt;
use std::sync::Arc;

/// A position as the network sees it. Scores are seen from red.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub network: String,
    /// Each piece with what the network would take off the score without it; nothing for kings.
    pub pieces: Vec<(Square, Piece, Option<Score>)>,
    /// What each head says.
    pub heads: Vec<Score>,
    /// What chooses among them.
    pub choice: Heads,
    /// The head that answers.
    pub head: usize,
    /// Whether the side that the network prefers has anything left to win with; otherwise the evaluation is nought.
    pub can_win: bool,
    pub total: Score,
}

/// A network's view of a position that can be changed piece by piece.
struct View<'a> {
    network: &'a Network,
    position: &'a Position,
    sums: [Vec<i16>; 2],
}

impl View<'_> {
    /// What a head says of these sums, from red.
    fn ask(&self, head: usize, sums: &[Vec<i16>; 2]) -> Score {
        let side = self.position.side();
        let score = points(self.network, head, &sums[side as usize], &sums[!side as usize]);
        if side == Color::Red { score } else { -score }
    }

    /// The sums without the piece on this square.
    fn without(&self, piece: Piece, square: Square) -> [Vec<i16>; 2] {
        let mut sums = self.sums.clone();
        for color in Color::ALL {
            let view = self.network.layout.kings.view(self.position.king(color), color);
            let row = row_of(color, view.mirrored, piece_number(piece), square.dense());
            if let Some(row) = row {
                let weights = self.network.row(view.bucket.into(), row);
                sums[color as usize].iter_mut().zip(weights).for_each(|(sum, weight)| *sum -= weight);
            }
        }
        sums
    }
}

/// Explains what a network makes of a position.
pub fn explain(network: &Arc<Network>, position: &Position) -> Explanation {
    let view = View { network, position, sums: Color::ALL.map(|color| fresh_sums(network, position, color)) };
    let layout = network.layout;
    let head = layout.heads.of_position(position);
    let whole = view.ask(head, &view.sums);
    let on_board: Vec<(Square, Piece)> = Square::all()
        .map(|square| (square, position.piece_at(square)))
        .filter(|(_, piece)| piece.is_piece())
        .collect();
    let attackers: usize = Color::ALL.map(|color| position.majors(color)).iter().sum();
    let worth = |square, piece: Piece| {
        let kind = piece.kind_unchecked();
        (kind != PieceKind::King).then(|| {
            let left = attackers - usize::from(kind.is_major());
            whole - view.ask(layout.heads.choose(on_board.len() - 1, left), &view.without(piece, square))
        })
    };
    let score = evaluate(&Knowledge::Network(Arc::clone(network)), position);
    let total = if position.side() == Color::Red { score } else { -score };
    Explanation {
        network: network.description.clone(),
        pieces: on_board.iter().map(|&(square, piece)| (square, piece, worth(square, piece))).collect(),
        heads: (0..layout.heads.count()).map(|head| view.ask(head, &view.sums)).collect(),
        choice: layout.heads,
        head,
        can_win: can_win(position, if whole > 0 { Color::Red } else { Color::Black }),
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
        let below =
            tr!("Under each piece: what red would lose without it (+) or win (-); a horse is about 400.");
        write!(f, "\n\n{below}\n")?;
        f.write_str(&match self.choice {
            Heads::One => tr!("heads, one for all positions:"),
            Heads::Pieces => tr!("heads, by the number of pieces on the board:"),
            Heads::Attackers => tr!("heads, by the number of rooks, horses and cannons on the board:"),
        })?;
        for (index, score) in self.heads.iter().enumerate() {
            if index == self.head { write!(f, " [{score:+}]")? } else { write!(f, " {score:+}")? }
        }
        writeln!(f)?;
        if !self.can_win {
            writeln!(f, "{}", tr!("what is left cannot win: worth nothing"))?;
        }
        writeln!(f, "{}", tr!("network {name}", name = self.network))?;
        f.write_str(&tr!("evaluation {score} for red", score = format_args!("{:+}", self.total)))
    }
}
