//! What holds for the motifs of every line: names, order, symmetry.

use chuhe_study::motifs::{Motif, find_motifs, motifs};
use std::collections::{BTreeMap, HashSet};
use xiangqi::{Move, Position};

/// Problems of mate: moves, position, the only first move.
const PROBLEMS: &str = include_str!("../../../engine/tests/data/mates.txt");

/// Short mates as lines, found by trying everything, the checks first.
fn mating_lines() -> Vec<(Position, Vec<Move>)> {
    let problems = PROBLEMS.lines().filter(|line| !line.starts_with('#'));
    let lines = problems.filter_map(|problem| {
        let mut fields = problem.split(';');
        let count: u32 = fields.next()?.parse().ok()?;
        let position = Position::from_fen(fields.next()?).ok().filter(|_| count <= 2)?;
        let line = mate(&mut position.clone(), count)?;
        Some((position, line))
    });
    lines.take(150).collect()
}

/// A mate within so many moves, with a defence that takes something where there is one.
fn mate(position: &mut Position, count: u32) -> Option<Vec<Move>> {
    let moves: Vec<Move> = position.legal_moves().to_vec();
    for mv in moves.into_iter().filter(|&mv| position.gives_check(mv)).collect::<Vec<_>>() {
        position.play_unchecked(mv);
        let mut replies: Vec<Move> = position.legal_moves().to_vec();
        replies.sort_by_key(|reply| position.piece_at(reply.to()).is_none());
        let mut line = vec![mv];
        let mates = (count > 1 || replies.is_empty())
            && replies.into_iter().all(|reply| {
                position.play_unchecked(reply);
                let rest = mate(position, count - 1);
                position.undo();
                if let (Some(rest), 1) = (&rest, line.len()) {
                    line.push(reply);
                    line.extend(rest);
                }
                rest.is_some()
            });
        position.undo();
        if mates {
            return Some(line);
        }
    }
    None
}

#[test]
fn names_of_motifs_are_theirs_alone_and_are_read_again() {
    let names: HashSet<&str> = Motif::all().map(Motif::name).collect();
    assert_eq!(names.len(), Motif::all().count());
    for motif in Motif::all() {
        assert_eq!(Motif::from_name(motif.name()), Some(motif));
        let text = serde_json::to_string(&motif).expect("json");
        assert_eq!(text, format!("\"{}\"", motif.name()));
        assert_eq!(serde_json::from_str::<Motif>(&text).expect("a motif"), motif);
    }
    assert_eq!(Motif::from_name("frok"), None);
}

#[test]
fn mates_end_with_their_name_and_some_are_sacrifices() {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (start, line) in mating_lines() {
        let found = motifs(&start, &line);
        let is_mate = |motif: &Motif| matches!(motif, Motif::Mate | Motif::Pattern(_));
        assert_eq!(found.iter().filter(|motif| is_mate(motif)).count(), 1, "{start} {line:?} {found:?}");
        assert!(found.len() == found.iter().collect::<HashSet<_>>().len(), "{found:?}");
        found.iter().for_each(|motif| *counts.entry(motif.name()).or_default() += 1);
        // Without its last move the line mates no more.
        assert!(!motifs(&start, &line[..line.len() - 1]).iter().any(is_mate));
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or_default();
    assert!(count("mate") > 0 && count("sacrifice") > 0 && count("iron-bolt") > 0, "{counts:?}");
}

#[test]
fn motifs_do_not_depend_on_side_and_wing() {
    let names = |start: &Position, line: &[Move]| -> Vec<(Motif, usize)> {
        find_motifs(start, line).into_iter().map(|finding| (finding.motif, finding.ply)).collect()
    };
    for (start, line) in mating_lines() {
        let found = names(&start, &line);
        let mirrored: Vec<Move> = line.iter().map(|mv| mv.mirror()).collect();
        assert_eq!(names(&start.mirrored(), &mirrored), found, "{start} {line:?}");
        let flipped: Vec<Move> = line.iter().map(|mv| mv.flip()).collect();
        assert_eq!(names(&start.color_flipped(), &flipped), found, "{start} {line:?}");
    }
}

#[test]
fn lines_that_are_no_lines_show_nothing() {
    let start = Position::start();
    assert_eq!(motifs(&start, &[]), []);
    let illegal: Move = "a0a9".parse().expect("a move");
    assert_eq!(motifs(&start, &[illegal]), []);
    let first: Move = "h2e2".parse().expect("a move");
    assert_eq!(motifs(&start, &[first, illegal, illegal]), motifs(&start, &[first]));
}
