//! Benchmarks of the board: move generation, make and unmake, check detection, SEE, FEN, and the repetition rules.
//!
//! Each figure is for one pass over the same few positions; `cargo bench -p chuhe-benches -- see` runs the benchmarks
//! whose names contain "see".

// `criterion_group!` generates a public function without documentation.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use xiangqi::{Move, MoveList, Position, RuleSet, Rules};

/// The start position, a quiet and a sharp middlegame, an endgame, and two positions in check.
const POSITIONS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7",
    "r1bakab1r/9/2n3n2/p1p5p/4C4/2c6/P1P1P1P1P/4R4/9/1NBAKABN1 b - - 0 1",
    "4kab2/4a4/4b4/9/2p1C4/4C1P2/9/3AB4/4A4/2BK1c3 b - - 0 1",
    "r1bakab1r/9/2n1c1n2/p1p5p/4C4/9/P1P1P1P1P/4R4/9/1NBAKABN1 b - - 0 1",
    "3k5/3R5/9/3C5/9/9/9/9/4A4/3AK4 b - - 0 1",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a position")).collect()
}

/// The positions with their legal moves.
fn positions_and_moves() -> Vec<(Position, Vec<Move>)> {
    positions()
        .into_iter()
        .map(|position| {
            let moves = position.legal_moves().into_iter().collect();
            (position, moves)
        })
        .collect()
}

fn generation(bench: &mut Criterion) {
    let positions = positions();
    let mut group = bench.benchmark_group("generate");
    let mut run = |name: &str, generate: fn(&Position, &mut MoveList)| {
        let mut list = MoveList::new();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    list.clear();
                    generate(black_box(position), &mut list);
                    black_box(&list);
                }
            })
        });
    };
    run("legal", Position::generate_legal);
    run("captures", Position::generate_captures);
    run("quiets", Position::generate_quiets);
    run("quiet checks", Position::generate_quiet_checks);
    run("evasions", |position, list| {
        if position.in_check() {
            position.generate_evasions(list);
        }
    });
    group.finish();
    bench.bench_function("count legal", |bencher| {
        bencher.iter(|| positions.iter().map(|position| black_box(position).count_legal()).sum::<u64>())
    });
    bench.bench_function("perft 3", |bencher| bencher.iter(|| positions[0].clone().perft(3)));
}

fn making(bench: &mut Criterion) {
    let mut all = positions_and_moves();
    bench.bench_function("make and unmake", |bencher| {
        bencher.iter(|| {
            for (position, moves) in &mut all {
                for &mv in moves.iter() {
                    position.play_unchecked(black_box(mv));
                    position.undo();
                }
            }
        })
    });
}

/// Benchmarks a predicate on every legal move of every position.
fn ask(bench: &mut Criterion, name: &str, question: fn(&Position, Move) -> bool) {
    let all = positions_and_moves();
    bench.bench_function(name, |bencher| {
        bencher.iter(|| {
            let yes = |position: &Position, moves: &[Move]| {
                moves.iter().filter(|&&mv| question(position, black_box(mv))).count()
            };
            all.iter().map(|(position, moves)| yes(position, moves)).sum::<usize>()
        })
    });
}

fn judging(bench: &mut Criterion) {
    ask(bench, "gives check", Position::gives_check);
    ask(bench, "is pseudo-legal", Position::is_pseudo_legal);
    ask(bench, "is legal", Position::is_legal);
    ask(bench, "see", |position, mv| position.see_ge(mv, 0));
}

fn fen(bench: &mut Criterion) {
    let positions = positions();
    bench.bench_function("fen read", |bencher| {
        bencher.iter(|| POSITIONS.iter().filter(|fen| Position::from_fen(black_box(fen)).is_ok()).count())
    });
    bench.bench_function("fen write", |bencher| {
        bencher.iter(|| positions.iter().map(|position| black_box(position).fen().len()).sum::<usize>())
    });
}

/// Games that end with the third repetition of the cycles in the rule book's figures.
fn cycles() -> Vec<Position> {
    let table = include_str!("../crates/xiangqi/tests/data/cxa_cases.tsv");
    let played = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut position = Position::from_fen(fields[1]).expect("a position");
        let moves = fields[2..3].iter().chain([&fields[3]; 3]).flat_map(|moves| moves.split_whitespace());
        moves.for_each(|mv| position.play_unchecked(mv.parse().expect("a move")));
        position
    };
    table.lines().skip(1).map(played).collect()
}

/// Benchmarks the verdicts on all figures under each rule set.
fn repetitions(bench: &mut Criterion) {
    let cycles = cycles();
    let mut group = bench.benchmark_group("judge figures");
    for set in [RuleSet::Asian, RuleSet::League, RuleSet::Computer, RuleSet::Cxa, RuleSet::Tiantian] {
        let rules = Rules { natural_limit: 0, ..Rules::new(set) };
        group.bench_function(set.to_string(), |bencher| {
            bencher.iter(|| cycles.iter().filter(|cycle| rules.judge(black_box(cycle)).ending.is_some()).count())
        });
    }
    group.finish();
}

criterion_group!(board, generation, making, judging, fen, repetitions);
criterion_main!(board);
