//! Making and unmaking moves: incremental state equals recomputed state, and unmaking restores everything.

use super::generation::{by_plain_rules, sorted};
use super::samples::{positions, random_game, random_move, scattered, sharp};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashMap;
use xiangqi::engine::BoardObserver;
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square};

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

// The history of a position: repetitions, counters, earlier keys.

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv: Move = text.parse().expect("a move");
        position.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn occurrence_count_starts_at_the_last_capture() {
    let mut position = Position::start();
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (None, 1));
    play(&mut position, "h0g2 h9g7 g2h0 g7h9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (Some(4), 2));
    play(&mut position, "h0g2 h9g7 g2h0 g7h9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (Some(4), 3));
    play(&mut position, "b2b9");
    assert_eq!((position.repetition_distance(), position.occurrence_count()), (None, 1));
    assert_eq!(position.plies_since_capture(), 0);
}

#[test]
fn repetition_distance_finds_long_cycles() {
    let mut position = Position::start();
    play(&mut position, "a0a1 a9a8 a1d1 a8d8 d1a1 d8a8 a1a0 a8a9");
    assert_eq!(position.repetition_distance(), Some(8));
    assert_eq!(position.key_before(8), Some(position.key()));
    assert_eq!(position.key_before(0), Some(position.key()));
    assert_eq!(position.key_before(9), None);
}

#[test]
fn move_before_tells_move_and_check() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/5K3 w").expect("a position");
    play(&mut position, "a1d1 d9e9 f0f1");
    let remembered = |plies| position.move_before(plies).map(|(mv, check)| (mv.to_string(), check));
    assert_eq!(remembered(0), Some(("f0f1".into(), false)));
    assert_eq!(remembered(1), Some(("d9e9".into(), false)));
    assert_eq!(remembered(2), Some(("a1d1".into(), true)));
    assert_eq!(remembered(3), None);
}

#[test]
fn key_includes_the_side_to_move() {
    let red = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 w").expect("a position");
    let black = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 b").expect("a position");
    assert_ne!(red.key(), black.key());
}

#[test]
fn counters_continue_from_the_fen() {
    let mut position = Position::from_fen("4k4/9/9/9/9/4p4/9/9/9/4K4 b - - 118 40").expect("a position");
    assert_eq!((position.plies_since_capture(), position.game_ply()), (118, 79));
    play(&mut position, "e9e8 e0e1 e8e9");
    assert_eq!(position.fen(), "4k4/9/9/9/9/4p4/9/9/4K4/9 w - - 121 42");
    // An earlier repetition does not reach back before the history.
    assert_eq!(position.repetition_distance(), None);
}

#[test]
fn counters_saturate_in_long_games() {
    let mut position = Position::from_fen("4k4/9/9/9/9/4p4/9/9/9/4K4 w - - 65530 65530").expect("a position");
    for _ in 0..20_000 {
        play(&mut position, "e0e1 e9e8 e1e0 e8e9");
    }
    assert_eq!(position.plies_since_capture(), usize::from(u16::MAX));
    assert_eq!(position.repetition_distance(), Some(4));
    let reread = Position::from_fen(&position.fen()).expect("what is written can be read");
    assert_eq!(reread.key(), position.key());
}

// The mirrored and the color-flipped position have equal properties.

/// Whether each legal move gives check, and its SEE at several thresholds.
fn move_properties(position: &Position) -> HashMap<Move, (bool, Vec<bool>)> {
    let thresholds = [-300, -100, 0, 1, 100, 300];
    let properties = |mv| {
        let exchange = thresholds.map(|threshold| position.see_ge(mv, threshold)).to_vec();
        (mv, (position.gives_check(mv), exchange))
    };
    position.legal_moves().into_iter().map(properties).collect()
}

fn compare(position: &Position, image: &Position, map: impl Fn(Move) -> Move) {
    let expected: HashMap<_, _> = move_properties(position).into_iter().map(|(mv, it)| (map(mv), it)).collect();
    assert_eq!(move_properties(image), expected, "{} and {}", position.fen(), image.fen());
    assert!(image.is_consistent());
    assert_eq!(image.checker_count(), position.checker_count());
    assert_eq!(image.pinned().len(), position.pinned().len());
    for mv in (0..=u16::MAX).step_by(7).filter_map(Move::from_bits) {
        assert_eq!(position.is_pseudo_legal(mv), image.is_pseudo_legal(map(mv)), "{mv}");
    }
}

#[test]
fn mirrored_position_has_mirrored_moves() {
    for position in positions(5_000, 30).into_iter().chain(sharp()) {
        compare(&position, &position.mirrored(), Move::mirror);
        assert_eq!(position.mirrored().mirrored().key(), position.key());
    }
}

#[test]
fn color_flipped_position_has_flipped_moves() {
    for position in positions(5_000, 31).into_iter().chain(sharp()) {
        let image = position.color_flipped();
        assert_eq!(image.side(), !position.side());
        compare(&position, &image, Move::flip);
        assert_eq!(image.color_flipped().key(), position.key());
    }
}

#[test]
fn images_of_squares_are_squares() {
    for square in xiangqi::Square::all() {
        assert_eq!((square.mirror().file(), square.mirror().rank()), (8 - square.file(), square.rank()));
        assert_eq!((square.flip().file(), square.flip().rank()), (square.file(), 9 - square.rank()));
    }
}

// The promotion variant, in which advisors and bishops on their back rank may turn into pawns.

fn variant(fen: &str) -> Position {
    Position::from_fen_variant(fen, true).expect("a position of the variant")
}

fn promotions(position: &Position) -> Vec<String> {
    let legal = position.legal_moves();
    let mut names: Vec<String> =
        legal.into_iter().filter(|mv| mv.from() == mv.to()).map(|mv| mv.from().to_string()).collect();
    names.sort();
    names
}

#[test]
fn promotion_legal_moves_equal_the_plain_rules() {
    let mut rng = StdRng::seed_from_u64(50);
    let mut seen = 0;
    for _ in 0..400 {
        let start = scattered(&mut rng, true);
        random_game(&mut rng, start, 8, |position| {
            assert_eq!(sorted(position.legal_moves().into_iter()), by_plain_rules(position), "{}", position.fen());
            assert_eq!(position.count_legal() as usize, position.legal_moves().len());
            seen += promotions(position).len();
        });
    }
    assert!(seen > 300, "only {seen} promotions");
}

#[test]
fn promotion_needs_home_rank_few_pawns_and_no_check() {
    assert_eq!(promotions(&variant("3k5/9/9/9/9/9/9/9/9/2BAKAB2 w")), ["c0", "d0", "f0", "g0"]);
    assert_eq!(promotions(&variant("4k4/9/9/9/9/9/P1P1P1P1P/9/9/2BAKAB2 w")), [""; 0]);
    assert_eq!(promotions(&variant("4k4/9/9/9/9/9/P1P1P1P2/9/4A4/2B1KAB2 w")), ["c0", "f0", "g0"]);
    // The rook on e5 gives check.
    assert_eq!(promotions(&variant("3k5/9/9/9/4r4/9/9/9/9/2BAKAB2 w")), [""; 0]);
    assert_eq!(promotions(&variant("2bakab2/9/9/9/9/9/9/9/9/3K5 b")), ["c9", "d9", "f9", "g9"]);
}

#[test]
fn promotion_is_illegal_in_the_standard_game() {
    let fen = "3k5/9/9/9/9/9/9/9/9/2BAKAB2 w";
    assert_eq!(promotions(&Position::from_fen(fen).expect("a position")), [""; 0]);
    let mut position = Position::start();
    assert!(position.play("d0d0".parse().expect("a move")).is_err());
}

#[test]
fn promotion_replaces_the_piece_by_a_pawn() {
    let mut position = variant("3k5/9/9/9/9/9/9/9/9/2BAKAB2 w - - 7 30");
    position.play("d0d0".parse().expect("a move")).expect("a promotion");
    assert_eq!(position.count(Color::Red, PieceKind::Pawn), 1);
    assert_eq!(position.count(Color::Red, PieceKind::Advisor), 1);
    assert_eq!(position.plies_since_capture(), 0, "it cannot be taken back, like a capture");
    assert_eq!(position.fen(), "3k5/9/9/9/9/9/9/9/9/2BPKAB2 b - - 0 30");
    // The new pawn stands where the standard game has no pawns.
    assert!(Position::from_fen(&position.fen()).is_err());
    assert_eq!(variant(&position.fen()).key(), position.key());
    let pawn = "d0".parse::<Square>().expect("a square");
    assert_eq!(position.piece_at(pawn), Some(Piece::new(Color::Red, PieceKind::Pawn)));
}
