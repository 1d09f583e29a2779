//! Making and unmaking moves: incremental state equals recomputed state, and unmaking restores everything.

use super::samples::{positions, random_game, random_move, scattered, sharp};
use rand::SeedableRng;
use rand::rngs::StdRng;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square, engine::BoardObserver, zobrist::Key};

/// The visible state of a position, including the order of its lists.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot {
    fen: String,
    key: Key,
    moves: Vec<Move>,
    pieces: Vec<(PieceKind, Square)>,
    checkers: usize,
    pinned: Vec<Square>,
    last: (Option<Move>, Option<Piece>),
    repetition: Option<usize>,
    history: usize,
}

impl Snapshot {
    fn of(position: &Position) -> Snapshot {
        Snapshot {
            fen: position.fen(),
            key: position.key(),
            moves: position.legal_moves().into_iter().collect(),
            pieces: Color::ALL.into_iter().flat_map(|color| position.pieces(color)).collect(),
            checkers: position.checker_count(),
            pinned: position.pinned().iter().collect(),
            last: (position.last_move(), position.last_captured()),
            repetition: position.repetition_distance(),
            history: position.history_len(),
        }
    }
}

/// Makes and unmakes every move, and checks the state after each.
fn try_every_move(position: &mut Position) {
    let before = Snapshot::of(position);
    for &mv in &before.moves {
        position.play_unchecked(mv);
        assert!(position.is_consistent(), "after {mv}: {}", position.fen());
        let fresh = Position::from_fen_variant(&position.fen(), position.promotion()).expect("a legal move");
        assert_eq!(position.key(), fresh.key(), "key after {mv}: {}", position.fen());
        position.undo();
        assert!(position.is_consistent(), "after taking back {mv}: {}", position.fen());
        assert_eq!(Snapshot::of(position), before, "after taking back {mv}");
    }
}

#[test]
fn unmake_restores_the_position() {
    for mut position in positions(1_000, 20).into_iter().chain(sharp()) {
        try_every_move(&mut position);
    }
}

#[test]
fn unmake_restores_the_position_in_the_promotion_variant() {
    let mut rng = StdRng::seed_from_u64(21);
    for _ in 0..200 {
        let start = scattered(&mut rng, true);
        random_game(&mut rng, start, 5, try_every_move);
    }
}

#[test]
fn unmake_restores_whole_games() {
    let mut rng = StdRng::seed_from_u64(22);
    for game in 0..300 {
        let mut position = if game % 2 == 0 { Position::start() } else { scattered(&mut rng, false) };
        let mut snapshots = Vec::new();
        while let Some(mv) = random_move(&mut rng, &position).filter(|_| snapshots.len() < 300) {
            snapshots.push(Snapshot::of(&position));
            position.play_unchecked(mv);
            assert!(position.is_consistent());
        }
        while let Some(snapshot) = snapshots.pop() {
            position.undo();
            assert_eq!(Snapshot::of(&position), snapshot);
        }
        assert_eq!(position.history_len(), 0);
    }
}

/// An observer that keeps its own mailbox.
#[derive(Clone, PartialEq, Debug)]
struct Witness {
    board: Vec<Option<Piece>>,
    begun: usize,
}

impl Witness {
    fn of(position: &Position, begun: usize) -> Witness {
        Witness { board: Square::all().map(|square| position.piece_at(square)).collect(), begun }
    }
}

impl BoardObserver for Witness {
    fn begin(&mut self) {
        self.begun += 1;
    }
    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.board[square.dense()].take(), Some(piece));
    }
    fn added(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.board[square.dense()].replace(piece), None);
    }
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.added(piece, to);
    }
}

#[test]
fn observer_receives_every_change() {
    let mut rng = StdRng::seed_from_u64(23);
    for promotion in [false, true] {
        for _ in 0..50 {
            let mut position = scattered(&mut rng, promotion);
            let mut witness = Witness::of(&position, 0);
            for ply in 1..=40 {
                let Some(mv) = random_move(&mut rng, &position) else { break };
                position.play_unchecked_observed(mv, &mut witness);
                assert_eq!(witness, Witness::of(&position, ply));
            }
        }
    }
}

#[test]
fn null_move_passes_the_turn_and_is_restored() {
    for mut position in positions(500, 24).into_iter().filter(|position| !position.in_check()) {
        let before = Snapshot::of(&position);
        position.play_null();
        assert_eq!(position.side() == Color::Red, before.fen.contains(" b "));
        assert_ne!(position.key(), before.key);
        assert!(position.is_consistent());
        assert_eq!(position.repetition_distance(), None);
        position.undo();
        assert_eq!(Snapshot::of(&position), before);
    }
}
