//! Positions of an ending: random, quiet, and of a wished difficulty.

use chuhe_engine::tablebase::{Material, ProbeResult, Tablebase};
use chuhe_support::small_sort::SmallSort;
use rand::RngExt;
use rand::rngs::StdRng;
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Piece, PieceKind, Position, Setup, Square};

/// So many placements are tried for a position, and so many positions are compared.
const MAX_PLACEMENTS: usize = 6_000;
const COMPARED: usize = 24;
/// The levels of difficulty.
const LEVELS: usize = 3;

/// The side that the person takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingSide {
    /// With the attacker, who is red, from a won position.
    Attack,
    /// Against him, from a drawn one.
    Defend,
}

impl EndingSide {
    pub const ALL: [EndingSide; 2] = [EndingSide::Attack, EndingSide::Defend];

    /// The colour of the person.
    pub fn color(self) -> Color {
        match self {
            EndingSide::Attack => Color::Red,
            EndingSide::Defend => Color::Black,
        }
    }
}

/// Whether a position is quiet: no side is in check or can take.
pub fn is_quiet(position: &Position) -> bool {
    let takes = |position: &Position| position.legal_moves().into_iter().any(|mv| position.piece_at(mv.to()).is_some());
    if position.in_check() || takes(position) {
        return false;
    }
    let mut passed = position.clone();
    passed.play_null();
    !takes(&passed)
}

/// A quiet position of this material, with the attacker as red; nothing if the pieces fell badly.
fn random_position(material: Material, mover: Color, random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::empty();
    setup.side = mover;
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            let can_stand = |square: &Square| kind.can_stand(square.file(), square.rank_for(color));
            let squares: Vec<Square> = Square::all().filter(can_stand).collect();
            for _ in 0..material.side(color).count(kind) {
                let square = squares[random.random_range(0..squares.len())];
                if setup.place(Piece::new(color, kind), square).is_some() {
                    return None;
                }
            }
        }
    }
    Position::try_from(setup).ok().filter(|position| position.has_legal_move() && is_quiet(position))
}

/// The share of so many quiet positions that the attacker wins who is to move; `None` without a table, or if hardly any
/// position is quiet.
pub fn share_won(material: Material, tables: &Tablebase, count: usize, random: &mut StdRng) -> Option<f64> {
    let (mut won, mut seen) = (0, 0);
    for _ in 0..count.max(MAX_PLACEMENTS) * 10 {
        let Some(position) = random_position(material, Color::Red, random) else { continue };
        won += usize::from(matches!(tables.probe(&position)?, ProbeResult::Win(_)));
        seen += 1;
        if seen == count {
            return Some(won as f64 / count as f64);
        }
    }
    None
}

/// A position in which this side, to move, wins as the attacker or holds as the defender. The higher the level, from 1
/// to 3, the fewer of its moves keep that. `None` if there is no such position, or it is too rare to be found.
pub fn draw_start(
    material: Material,
    side: EndingSide,
    level: u8,
    tables: &Tablebase,
    random: &mut StdRng,
) -> Option<Position> {
    let mut found: Vec<(f64, Position)> = Vec::new();
    for _ in 0..MAX_PLACEMENTS {
        let Some(position) = random_position(material, side.color(), random) else { continue };
        let is_wanted = matches!(
            (side, tables.probe(&position)?),
            (EndingSide::Attack, ProbeResult::Win(_)) | (EndingSide::Defend, ProbeResult::Draw)
        );
        if is_wanted {
            found.push((kept_share(&position, tables), position));
            if found.len() == COMPARED {
                break;
            }
        }
    }
    // The easiest first.
    found.order_by(|one, other| other.0.total_cmp(&one.0));
    let level = usize::from(level).clamp(1, LEVELS);
    let (from, to) = (found.len() * (level - 1) / LEVELS, (found.len() * level).div_ceil(LEVELS));
    let chosen = random.random_range(from..to.max(from + 1));
    (!found.is_empty()).then(|| found.swap_remove(chosen).1)
}

/// The worth of a table's result for the side to move.
pub(super) fn worth(result: ProbeResult) -> i32 {
    match result {
        ProbeResult::Win(_) => 1,
        ProbeResult::Loss(_) => -1,
        ProbeResult::Draw | ProbeResult::Doubtful => 0,
    }
}

/// The share of the legal moves that keep the result of a position, by the tables.
pub(super) fn kept_share(position: &Position, tables: &Tablebase) -> f64 {
    let legal = position.legal_moves();
    let best = tables.probe(position).map_or(0, worth);
    let mut next = position.clone();
    let kept = legal.iter().copied().filter(|&mv| {
        next.play_unchecked(mv);
        let after = tables.probe(&next).map_or(0, worth);
        next.undo();
        -after >= best
    });
    kept.count() as f64 / legal.len().max(1) as f64
}
