//! The rules of the Chinese association: the figures of its rule book, and properties of all of them.

use super::endings::{Cycle, exchanged, outcome};
use chuhe_testing::sample_count;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use xiangqi::{Color, Ending, Move, Piece, Position, RuleSet, Rules, Setup, Square};

const TABLES: [&str; 2] = [include_str!("../data/cxa_cases.tsv"), include_str!("../data/cxa_more.tsv")];

struct Figure {
    name: &'static str,
    cycle: Cycle,
    verdict: &'static str,
    /// The nature of each move of the cycle.
    natures: Vec<&'static str>,
}

fn figures() -> Vec<Figure> {
    TABLES
        .into_iter()
        .flat_map(|table| {
            let mut lines = table.lines();
            assert_eq!(lines.next(), Some("figure\tfen\tmoves_before\tcycle\tcxa\tnatures"));
            lines
        })
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let verdict = match fields[4] {
                "red-loses" => "w-loses",
                "black-loses" => "b-loses",
                other => other,
            };
            let cycle = Cycle::new(fields[1], fields[2], fields[3]);
            Figure { name: fields[0], cycle, verdict, natures: fields[5].split('/').collect() }
        })
        .collect()
}

fn wrong(image: impl Fn(&Cycle) -> Cycle, expect: impl Fn(&'static str) -> &'static str) -> Vec<String> {
    figures()
        .into_iter()
        .filter_map(|figure| {
            let verdict = image(&figure.cycle).verdict(RuleSet::Cxa);
            let expected = expect(figure.verdict);
            (outcome(&verdict) != expected).then(|| format!("figure {}: not {expected}, but {verdict}", figure.name))
        })
        .collect()
}

#[test]
fn every_figure_is_judged_as_printed() {
    assert_eq!(figures().len(), 60);
    assert_eq!(wrong(Cycle::clone, |expected| expected), Vec::<String>::new());
}

/// A random quiet move of each side, and both back.
fn round_from(mut position: Position, rng: &mut StdRng) -> Option<Cycle> {
    let fen = position.fen();
    let mut there = Vec::new();
    for _ in 0..2 {
        let quiet: Vec<Move> =
            position.legal_moves().into_iter().filter(|mv| position.piece_at(mv.to()).is_none()).collect();
        let &mv = quiet.choose(rng)?;
        position.play_unchecked(mv);
        there.push(mv);
    }
    let back = there.iter().map(|mv| Move::new(mv.to(), mv.from())).collect::<Vec<_>>();
    let legal = back.iter().all(|&mv| position.play(mv).is_ok());
    (legal && position.repetition_distance() == Some(4)).then(|| Cycle {
        fen,
        before: Vec::new(),
        moves: [there, back].concat(),
    })
}

#[test]
fn cxa_verdicts_are_equal_for_images_of_the_figures() {
    assert_eq!(wrong(Cycle::mirrored, |expected| expected), Vec::<String>::new());
    assert_eq!(wrong(Cycle::color_flipped, exchanged), Vec::<String>::new());
    assert_eq!(wrong(|cycle| cycle.color_flipped().mirrored(), exchanged), Vec::<String>::new());
}

#[test]
fn cxa_verdicts_do_not_depend_on_the_start_of_the_cycle() {
    for plies in 1..4 {
        assert_eq!(wrong(|cycle| cycle.rotated(plies), |expected| expected), Vec::<String>::new());
    }
}

/// The judge may differ where the book calls a move idle although it makes a threat that does not change the verdict,
/// or the reverse; but these cases are few.
#[test]
fn cxa_natures_agree_with_the_book() {
    let (mut agreed, mut all) = (0, 0);
    for figure in figures() {
        let rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };
        let position = figure.cycle.played(RuleSet::Cxa.repetition_count() - 1);
        for (deed, nature) in rules.explain(&position).iter().zip(&figure.natures) {
            let told = deed.nature.as_ref().map(ToString::to_string).unwrap_or_default();
            let expected = if *nature == "exch" { "idle" } else { nature };
            all += 1;
            agreed += usize::from(told.starts_with(expected));
        }
    }
    assert_eq!(all, 244);
    assert!(agreed >= 242, "only {agreed} of {all}");
}

#[test]
fn cxa_judges_after_three_rounds() {
    for figure in figures() {
        let rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };
        assert_eq!(outcome(&rules.judge(&figure.cycle.played(2))), "ongoing", "figure {}", figure.name);
    }
}

#[test]
fn cxa_explanation_shows_the_exchange() {
    let cycle = Cycle::new("5k3/9/9/9/9/3n5/9/9/9/R3K4 w", "", "a0a4 f9f8 a4a0 f8f9");
    let position = cycle.played(RuleSet::Cxa.repetition_count() - 1);
    let deeds = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) }.explain(&position);
    assert_eq!(deeds[0].to_string(), "chase, gains the horse on d4 (rook x horse)");
    assert_eq!([deeds[1].to_string(), deeds[2].to_string()], ["idle", "idle"]);
}

/// An offer of exchange is one of pieces of the same worth. What king and pawn attack, what steps out of check and what
/// can be had for nothing is none.
#[test]
fn cxa_labels_name_the_natures_of_near_cases() {
    let mut lines = include_str!("../data/cxa_labels.tsv").lines();
    assert_eq!(lines.next(), Some("position\tfen\tcycle\tnatures"));
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };
        let told = rules.explain(&Cycle::new(fields[1], "", fields[2]).played(RuleSet::Cxa.repetition_count() - 1));
        let told: Vec<String> = told.iter().take(4).map(ToString::to_string).collect();
        assert_eq!(told.join("/"), fields[3], "{}", fields[0]);
    }
}

#[test]
fn cxa_explanation_names_articles_of_the_association() {
    let cases = [
        // A king steps out of check.
        ("3nn4/4k4/2C2C3/9/3R5/9/9/9/9/5K3 w", "d5e5 e8d8 e5d5 d8e8", [None, Some("26.1.3"), None, Some("26.1.3")]),
        // A piece that nothing protects, and an exchange that is played out.
        ("5k3/9/9/9/9/3n5/9/9/9/R3K4 w", "a0a4 f9f8 a4a0 f8f9", [None, None, None, None]),
        (
            "2b1ka3/4a4/n1c1b1n2/p1r1p3p/6p2/5N1R1/P3P3P/2N1B2C1/4A4/2BAK4 w",
            "c2d4 c6c4 d4c2 c4c6",
            [Some("26.5"), None, None, Some("26.5")],
        ),
        // A king attacks by right; what else a move of it opens is a chase.
        ("3k5/4N4/9/9/9/9/9/9/9/5K3 b", "d9d8 f0f1 d8d9 f1f0", [Some("26.1"), None, None, None]),
        (
            "R1Nk1ab2/2rCa4/8n/p8/8p/P3Pp3/8P/5A3/R3K2c1/5nB2 w",
            "e1e0 c8c0 e0e1 c0c8",
            [Some("26.1.1"), None, Some("26.1.3"), None],
        ),
    ];
    for (fen, cycle, expected) in cases {
        let rules = Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) };
        let moves = rules.explain(&Cycle::new(fen, "", cycle).played(RuleSet::Cxa.repetition_count() - 1));
        let articles: Vec<_> = moves.iter().take(4).map(|explained| explained.article).collect();
        assert_eq!(articles, expected, "{fen}");
    }
}

/// Rounds of four moves to and fro, from positions of random games.
pub fn rounds(count: usize, seed: u64) -> Vec<Cycle> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        for _ in 0..rng.random_range(4..120) {
            let all: Vec<Move> = position.legal_moves().to_vec();
            let takes: Vec<Move> = all.iter().copied().filter(|mv| position.piece_at(mv.to()).is_some()).collect();
            let pool = if !takes.is_empty() && rng.random_bool(0.15) { &takes } else { &all };
            let Some(&mv) = pool.choose(&mut rng) else { break };
            position.play_unchecked(mv);
        }
        found.extend(round_from(position, &mut rng));
    }
    found
}

#[test]
fn cxa_verdicts_are_equal_for_images_and_starts_of_random_cycles() {
    let mut losses = 0;
    for cycle in rounds(sample_count(1000), 7) {
        let ending = cycle.verdict(RuleSet::Cxa).ending;
        losses += usize::from(ending != Some(Ending::Draw));
        assert_eq!(cycle.mirrored().verdict(RuleSet::Cxa).ending, ending, "{cycle:?}");
        let flipped = cycle.color_flipped().verdict(RuleSet::Cxa).ending;
        assert_eq!(flipped.map(Ending::flipped), ending, "{cycle:?}");
        for plies in 1..4 {
            assert_eq!(cycle.rotated(plies).verdict(RuleSet::Cxa).ending, ending, "{plies} later: {cycle:?}");
        }
    }
    assert!(losses > sample_count(20), "only {losses} random rounds were anybody's loss");
}

// The Chinese association's rules, tried on rounds that no book has: what must not change a verdict, and what must not
// change whether material is won.

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
