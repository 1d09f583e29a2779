//! The Chinese association's rules, tried on rounds that no book has: what must not change a verdict, and what must not
//! change whether material is won.

use super::cxa::rounds;
use super::game::Cycle;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use xiangqi::{Color, Move, Piece, Position, RuleSet, Rules, Setup, Square};

const CXA: Rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };

/// How often something was tried, and how often it came out wrong.
#[derive(Default, Debug, Clone)]
struct Tally {
    tried: usize,
    violations: Vec<String>,
}

impl Tally {
    fn count(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.tried += 1;
        if !holds {
            self.violations.push(what());
        }
    }
}

/// What is tried.
#[derive(Default, Debug, Clone)]
struct Tallies {
    /// A piece far from everything changes no verdict.
    far_piece: Tally,
    /// A protector more never makes a gain.
    protector: Tally,
    /// An attacker more never unmakes one.
    attacker: Tally,
    /// A far piece that waits is idle.
    waiting: Tally,
}

/// The board with another letter on this square, 1 for none, to be moved by the same side.
fn with_letter(fen: &str, square: Square, letter: char) -> Option<Position> {
    let mut setup = Setup::from(&Position::from_fen(fen).ok()?);
    match Piece::from_letter(letter) {
        Some(piece) => setup.place(piece, square),
        None => setup.remove(square),
    };
    Position::try_from(setup).ok()
}

fn with_piece(fen: &str, square: Square, letter: char) -> Option<Position> {
    let is_free = Position::from_fen(fen).ok()?.piece_at(square).is_none();
    if is_free { with_letter(fen, square, letter) } else { None }
}

/// Who reaches what, whether there is something or not; what the piece on one square reaches is left out.
fn reaches_of_others(position: &Position, left_out: Square) -> Vec<(Square, Square)> {
    let mut all = Vec::new();
    for color in Color::ALL {
        for (_, from) in position.pieces(color).filter(|&(_, from)| from != left_out) {
            all.extend(Square::all().filter(|&to| to != left_out && position.reaches(from, to)).map(|to| (from, to)));
        }
    }
    all
}

/// Whether the piece on this square is out of everything: nobody reaches it, it reaches nobody, and whoever else reaches
/// what would do so without it.
fn is_out_of_play(with: &Position, without: &Position, square: Square) -> bool {
    let pieces = || Color::ALL.into_iter().flat_map(|color| with.pieces(color)).map(|(_, at)| at);
    let meets = pieces().any(|at| at != square && (with.reaches(at, square) || with.reaches(square, at)));
    let passed = Square::all().any(|to| to == square && pieces().any(|at| at != square && without.reaches(at, to)));
    !meets && !passed && reaches_of_others(with, square) == reaches_of_others(without, square)
}

fn boards(cycle: &Cycle) -> Vec<Position> {
    let mut position = Position::from_fen(&cycle.fen).unwrap();
    let step = |&mv: &Move| {
        let before = Position::from_fen(&position.fen()).unwrap();
        position.play(mv).unwrap();
        before
    };
    cycle.moves.iter().map(step).collect()
}

/// Whether this piece reaches no palace, and nobody by its next move.
fn is_far(position: &Position, square: Square) -> bool {
    let letter = position.piece_at(square).map_or('1', Piece::letter);
    let is_palace = |at: Square| (3..6).contains(&at.file()) && !(3..7).contains(&at.rank());
    let pieces = || Color::ALL.into_iter().flat_map(|color| position.pieces(color)).map(|(_, at)| at);
    Square::all().filter(|&to| to != square && position.reaches(square, to)).all(|to| {
        let Some(bare) = with_letter(&position.fen(), square, '1') else { return false };
        let Some(next) = with_piece(&bare.fen(), to, letter) else { return false };
        !is_palace(to) && pieces().all(|at| at == square || !next.reaches(to, at))
    })
}

/// The same round with a pawn on this square, if it is out of play throughout.
fn with_far_pawn(cycle: &Cycle, square: Square, letter: char) -> Option<Cycle> {
    for board in boards(cycle) {
        // A screen on the line of a king is not far, and only a pawn at home is nobody's prey.
        let is_home = |rank: u8| if letter == 'P' { rank < 5 } else { rank > 4 };
        if !is_home(square.rank()) {
            return None;
        }
        if is_on_line_of_king(&board, square) {
            return None;
        }
        let with = with_piece(&board.fen(), square, letter)?;
        if !is_out_of_play(&with, &board, square) {
            return None;
        }
    }
    let fen = with_piece(&cycle.fen, square, letter)?.fen();
    Some(Cycle { fen, ..cycle.clone() })
}

fn gains(position: &Position) -> Vec<Square> {
    CXA.captures_with_gain(position).iter().map(|mv| mv.to()).collect()
}

/// Tries all of it on one round.
fn try_round(cycle: &Cycle, rng: &mut StdRng, tallies: &mut Tallies) {
    let squares: Vec<Square> = Square::all().collect();
    let verdict = cycle.verdict(RuleSet::Cxa).ending;
    let far = (0..12).find_map(|_| {
        let letter = *['P', 'p'].choose(rng)?;
        with_far_pawn(cycle, *squares.choose(rng)?, letter)
    });
    if let Some(far) = far {
        let now = far.verdict(RuleSet::Cxa).ending;
        tallies.far_piece.count(now == verdict, || format!("{far:?}: {now:?}, was {verdict:?}"));
    }
    let start = Position::from_fen(&cycle.fen).unwrap();
    if start.in_check() {
        return;
    }
    let (us, before) = (start.side(), gains(&start));
    for _ in 0..8 {
        let square = *squares.choose(rng).unwrap();
        let kind = *['r', 'n', 'c'].choose(rng).unwrap();
        let is_ours = rng.random_bool(0.5);
        let letter = if is_ours == (us == Color::Red) { kind.to_ascii_uppercase() } else { kind };
        let Some(with) = with_piece(&start.fen(), square, letter).filter(|with| !with.in_check()) else { continue };
        // It takes part in one thing only: no check, no pin, no line shut or opened for others, and nobody meets it.
        let mut other = Position::from_fen(&with.fen()).unwrap();
        other.play_null();
        let quiet = !other.in_check() && with.king_attackers(us).iter().next().is_none();
        if !quiet || reaches_of_others(&with, square) != reaches_of_others(&start, square) {
            continue;
        }
        let met = Color::ALL
            .into_iter()
            .flat_map(|color| with.pieces(color))
            .filter(|&(_, at)| at != square && (with.reaches(at, square) || with.reaches(square, at)));
        let met: Vec<Square> = met.map(|(_, at)| at).collect();
        let [only] = met[..] else { continue };
        if with.piece_at(only).is_some_and(|piece| piece.color() == us)
            || !with.reaches(square, only)
            || with.reaches(only, square)
        {
            continue;
        }
        if with.king(!us) == only {
            continue;
        }
        let (had, has) = (before.contains(&only), gains(&with).contains(&only));
        if is_ours {
            tallies.attacker.count(!had || has, || format!("{} + {letter} on {square}: {only} no more", start.fen()));
        } else {
            tallies.protector.count(had || !has, || format!("{} + {letter} on {square}: {only} now", start.fen()));
        }
    }
    waiting_moves(cycle, tallies);
}

/// Whether a square lies on the file or rank of a king, where a piece may be a screen or a leg of a mate.
fn is_on_line_of_king(position: &Position, square: Square) -> bool {
    Color::ALL
        .into_iter()
        .map(|color| position.king(color))
        .any(|king| king.file() == square.file() || king.rank() == square.rank())
}

/// Moves of the round by a piece that is out of play before and after.
fn waiting_moves(cycle: &Cycle, tallies: &mut Tallies) {
    let mut deeds = None;
    for (index, board) in boards(cycle).iter().enumerate() {
        let mv = cycle.moves[index];
        let mut after = Position::from_fen(&board.fen()).unwrap();
        after.play(mv).unwrap();
        let (Some(bare), Some(bare_after)) =
            (with_letter(&board.fen(), mv.from(), '1'), with_letter(&after.fen(), mv.to(), '1'))
        else {
            continue;
        };
        if board.in_check()
            || !is_out_of_play(board, &bare, mv.from())
            || !is_out_of_play(&after, &bare_after, mv.to())
            || !is_far(board, mv.from())
            || !is_far(&after, mv.to())
            || [mv.from(), mv.to()].into_iter().any(|square| is_on_line_of_king(board, square))
        {
            continue;
        }
        let deeds = deeds.get_or_insert_with(|| CXA.explain(&cycle.played(RuleSet::Cxa.repetition_count() - 1)));
        let told = deeds[index].nature.as_ref().map(ToString::to_string).unwrap_or_default();
        tallies.waiting.count(told.starts_with("idle"), || format!("{cycle:?} {mv}: {told}"));
    }
}

#[test]
fn pieces_that_do_not_matter_change_nothing() {
    let mut rng = StdRng::seed_from_u64(23);
    let mut tallies = Tallies::default();
    for cycle in rounds(1500, 23) {
        try_round(&cycle, &mut rng, &mut tallies);
    }
    let Tallies { far_piece, protector, attacker, waiting } = &tallies;
    let named = [("far piece", far_piece), ("protector", protector), ("attacker", attacker), ("waiting", waiting)];
    for (name, tally) in named {
        assert!(tally.tried >= 20, "{name}: tried only {} times", tally.tried);
        // One in a thousand, and one more for chance.
        assert!(tally.violations.len() <= 1 + tally.tried / 1000, "{name}: {tally:#?}");
    }
}
