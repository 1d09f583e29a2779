//! The rules of the Chinese association: the figures of its rule book, and properties of all of them.

use super::game::{Cycle, exchanged, outcome};
use chuhe_testing::sample_count;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use xiangqi::{Ending, Move, Position, RuleSet, Rules};

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
