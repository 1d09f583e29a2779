//! The evaluation in words and numbers: the same terms, a row each.

use super::pair::FULL_PHASE;
use super::{Accumulator, Pair, Tally, WEIGHTS, evaluate_fully, features, terms};
use crate::board::Position;
use crate::types::{Color, PieceKind, Score};
use std::fmt;

/// One term, for both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermRow {
    /// Its name.
    pub name: &'static str,
    /// What red gets.
    pub red: Pair,
    /// What black gets.
    pub black: Pair,
}

/// A position's evaluation, term by term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The terms.
    pub rows: Vec<TermRow>,
    /// 0 to `FULL_PHASE`.
    pub phase: i32,
    /// How much of the advantage counts, in 64ths.
    pub winning_chances: i32,
    /// The evaluation from red's side.
    pub total: Score,
}

/// Sums each side's weights apart.
struct Sides([Pair; 2]);

impl Tally for Sides {
    fn add(&mut self, feature: usize, color: Color, count: i32) {
        self.0[color] += WEIGHTS[feature] * count;
    }
}

fn row(name: &'static str, count: impl FnOnce(&mut Sides)) -> TermRow {
    let mut sides = Sides([Pair::ZERO; 2]);
    count(&mut sides);
    TermRow { name, red: sides.0[0], black: sides.0[1] }
}

/// A row of piece-square values.
fn squares(position: &Position, name: &'static str, kinds: &[PieceKind]) -> TermRow {
    row(name, |sides| {
        for color in Color::ALL {
            for &kind in kinds {
                for &square in position.squares(color, kind) {
                    sides.add(features::square_feature(kind, square, color), color, 1);
                }
            }
        }
    })
}

/// Explains the evaluation of a position.
pub fn explain(position: &Position) -> Explanation {
    use PieceKind::*;
    let mut pressure = [0; 2];
    let rows = vec![
        squares(position, "kings", &[King]),
        squares(position, "advisors, bishops", &[Advisor, Bishop]),
        squares(position, "horses", &[Horse]),
        squares(position, "rooks", &[Rook]),
        squares(position, "cannons", &[Cannon]),
        squares(position, "pawns", &[Pawn]),
        row("mobility, threats", |sides| {
            pressure = Color::ALL.map(|color| terms::activity(position, color, sides));
        }),
        row("material balance", |sides| terms::material_balance(position, sides)),
        row("rook files", |sides| terms::rooks(position, sides)),
        row("pawn structure", |sides| terms::pawns(position, sides)),
        row("king attack", |sides| {
            Color::ALL.into_iter().for_each(|color| terms::king_attack(pressure[color], color, sides));
        }),
        row("lines to the king", |sides| {
            Color::ALL.into_iter().for_each(|color| terms::king_lines(position, color, sides));
        }),
        row("tempo", |sides| terms::tempo(position, sides)),
    ];
    let score = evaluate_fully(position);
    let total = if position.side() == Color::Red { score } else { -score };
    let winner = if total > 0 { Color::Red } else { Color::Black };
    Explanation {
        rows,
        phase: Accumulator::of(position).phase().min(FULL_PHASE),
        winning_chances: terms::winning_chances(position, winner),
        total,
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "-".repeat(62);
        writeln!(f, "{:<19}|{:^13}|{:^13}|{:^13}", "term", "red", "black", "difference")?;
        writeln!(
            f,
            "{:<19}|{:>6}{:>6} |{:>6}{:>6} |{:>6}{:>6}",
            "", "mid", "end", "mid", "end", "mid", "end"
        )?;
        writeln!(f, "{rule}")?;
        let mut sum = (Pair::ZERO, Pair::ZERO);
        for row in &self.rows {
            write_row(f, row.name, row.red, row.black)?;
            sum = (sum.0 + row.red, sum.1 + row.black);
        }
        writeln!(f, "{rule}")?;
        write_row(f, "sum", sum.0, sum.1)?;
        writeln!(f, "phase {} of {FULL_PHASE}, winning chances {} of 64", self.phase, self.winning_chances)?;
        write!(f, "evaluation {:+} for red", self.total)
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, red: Pair, black: Pair) -> fmt::Result {
    let difference = red - black;
    writeln!(
        f,
        "{name:<19}|{:>6}{:>6} |{:>6}{:>6} |{:>+6}{:>+6}",
        red.middlegame(),
        red.endgame(),
        black.middlegame(),
        black.endgame(),
        difference.middlegame(),
        difference.endgame(),
    )
}
