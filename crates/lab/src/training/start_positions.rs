//! Start positions of self-play games. Most come from a few random moves, some with pieces removed and some are random
//! endgames, so that the network also learns unbalanced and late positions.

use crate::arena::openings::random_opening;
use chuhe_engine::nnue::win_rate::{WIN_RATE, material_count};
use chuhe_engine::score::Score;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::{IteratorRandom, SliceRandom};
use xiangqi::{Color, Piece, PieceKind, Position, Setup, Square};

/// Number of random plies before a game begins.
const RANDOM_PLIES: std::ops::RangeInclusive<u32> = 5..=12;

/// A random start position; `None` if the game is over in it or it is invalid.
pub fn random_start(random: &mut StdRng) -> Option<Position> {
    // Most endgames and half of the positions with removed pieces are too unbalanced and are discarded later.
    let position = match random.random_range(0..20) {
        0..=3 => random_ending(random)?,
        4..=6 => remove_pieces(after_random_moves(random)?, random)?,
        _ => after_random_moves(random)?,
    };
    position.has_legal_move().then_some(position)
}

/// Maximum absolute score of a start position: the score at which three of four games are won with this material. More
/// unbalanced games are decided too often to be instructive.
pub fn max_start_score(position: &Position) -> Score {
    const WON: f64 = 0.75;
    let rate = WIN_RATE.at(material_count(position));
    (rate.half() + rate.spread() * (WON / (1.0 - WON)).ln()) as Score
}

fn after_random_moves(random: &mut StdRng) -> Option<Position> {
    let plies = random.random_range(RANDOM_PLIES);
    let opening = random_opening(plies, random)?;
    // Drops the game history.
    Position::from_fen(&opening.position().fen()).ok()
}

/// Removes up to three pieces.
fn remove_pieces(position: Position, random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::from(&position);
    for _ in 0..random.random_range(1..=3) {
        let (piece, square) = setup.pieces().choose(random)?;
        if piece.kind() != PieceKind::King {
            setup.remove(square);
        }
    }
    setup.plies_since_capture = 0;
    Position::try_from(setup).ok()
}

/// A random endgame: a few pieces of each side on squares allowed for them.
fn random_ending(random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        let guards = [PieceKind::Advisor, PieceKind::Bishop].map(|kind| (kind, random.random_range(0..=2)));
        let mut kinds = vec![PieceKind::King];
        for (kind, count) in guards {
            kinds.extend((0..count).map(|_| kind));
        }
        for _ in 0..random.random_range(0..=3) {
            kinds.push(*[PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon].get(random.random_range(0..3))?);
        }
        kinds.extend((0..random.random_range(0..=3)).map(|_| PieceKind::Pawn));
        for kind in kinds {
            let mut squares: Vec<Square> =
                Square::all().filter(|square| kind.can_stand(square.file(), square.rank_for(color))).collect();
            squares.shuffle(random);
            let free = squares.into_iter().find(|&square| setup.piece_at(square).is_none())?;
            setup.place(Piece::new(color, kind), free);
        }
    }
    setup.side = if random.random() { Color::Red } else { Color::Black };
    Position::try_from(setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn random_start_yields_every_kind_of_position() {
        let mut random = StdRng::seed_from_u64(1);
        let beginnings: Vec<Position> = (0..2000).filter_map(|_| random_start(&mut random)).collect();
        assert!(beginnings.iter().all(|position| position.history_len() == 0 && position.has_legal_move()));
        // Twelve plies capture few pieces; the middle range includes positions with removed pieces.
        let of_pieces = |range: std::ops::RangeInclusive<usize>| {
            beginnings
                .iter()
                .filter(|position| range.contains(&Color::ALL.map(|color| position.piece_count(color)).iter().sum()))
                .count()
        };
        let counts = [of_pieces(30..=32), of_pieces(23..=29), of_pieces(2..=22)];
        assert!(counts[0] > 1000 && counts[1] > 100 && counts[2] > 100, "{counts:?}");
    }

    #[test]
    fn max_start_score_wins_at_most_three_games_of_four() {
        let mut random = StdRng::seed_from_u64(2);
        for position in (0..500).filter_map(|_| random_start(&mut random)) {
            let [win, loss] = WIN_RATE.at(material_count(&position)).win_loss(max_start_score(&position).into());
            assert!((0.74..=0.75).contains(&win) && loss < 0.15, "{}: {win} {loss}", position.fen());
        }
    }
}
