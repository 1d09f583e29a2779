//! Reasons from proofs, compared with brute force, and what is no reason.

use crate::support::{moves, played_out};
use chuhe_engine::search::Control;
use chuhe_engine::{ProbeResult, Tablebase};
use chuhe_study::reasons::{Mistake, Prize, Reason, ReasonLimits, find_reasons};
use chuhe_support::language::Language;
use std::sync::Arc;
use xiangqi::{Color, Move, Piece, PieceKind, Position, RuleSet, Rules, Setup, Square};

/// Problems of mate: moves, position, the only first move.
const PROBLEMS: &str = include_str!("../../../engine/tests/data/mates.txt");

fn reasons(position: &Position, played: Move, best: &[Move], refutation: &[Move]) -> Vec<Reason> {
    let mistake = Mistake { position, played, best, refutation, rules: Rules::default() };
    let control = Arc::new(Control::new(false));
    find_reasons(&mistake, Some(&Tablebase::built_in()), &ReasonLimits::default(), &control)
}

/// The reasons of a move, given as texts.
fn told(fen: &str, played: &str, best: &str, refutation: &str) -> (Position, Vec<Reason>) {
    let position = Position::from_fen(fen).expect("a position");
    let found = reasons(&position, moves(played)[0], &moves(best), &moves(refutation));
    (position, found)
}

/// Whether the side to move mates within so many moves, by trying everything.
fn mates_within(position: &mut Position, count: u32) -> bool {
    let all: Vec<Move> = position.legal_moves().to_vec();
    all.into_iter().any(|mv| {
        position.play_unchecked(mv);
        let replies: Vec<Move> = position.legal_moves().to_vec();
        let mates = (replies.is_empty() || count > 1)
            && replies.into_iter().all(|reply| {
                position.play_unchecked(reply);
                let mates = mates_within(position, count - 1);
                position.undo();
                mates
            });
        position.undo();
        mates
    })
}

fn short_problems() -> impl Iterator<Item = (u32, Position)> {
    PROBLEMS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut fields = line.split(';');
            let count: u32 = fields.next()?.parse().ok()?;
            let position = Position::from_fen(fields.next()?).ok()?;
            (count <= 2).then_some((count, position))
        })
        .take(40)
}

#[test]
fn mates_that_were_missed_are_found_and_end_in_mate() {
    let (mut asked, mut told) = (0, 0);
    for (count, position) in short_problems() {
        let legal: Vec<Move> = position.legal_moves().to_vec();
        let keeps = |mv: &Move| {
            let after = played_out(&position, &[*mv]);
            let replies = after.legal_moves();
            replies.iter().copied().all(|reply| mates_within(&mut played_out(&after, &[reply]), 2))
        };
        let Some(&played) = legal.iter().find(|mv| !keeps(mv)) else { continue };
        let best = legal.iter().copied().find(|&mv| mv != played).expect("another move");
        asked += 1;
        for reason in reasons(&position, played, &[best], &[]) {
            let Reason::MissesMate(mate) = reason else { continue };
            assert_eq!(mate.moves, count, "{position}");
            let last = played_out(&position, &mate.line);
            assert!(!last.has_legal_move() && last.side() != position.side(), "{position} {:?}", mate.line);
            assert!(mate.pattern.is_none_or(|pattern| pattern.holds(&last)), "{position}");
            told += 1;
        }
    }
    // After the others there is a mate that is a little longer.
    assert!(asked > 25 && told * 3 >= asked * 2, "{told} of {asked}");
}

#[test]
fn mates_that_a_move_allows_are_told_if_the_best_move_avoids_them() {
    let (mut told, mut silent) = (0, 0);
    for (count, mated) in short_problems() {
        // The defender may have come to the mate by any quiet move, which is taken back.
        let defender = !mated.side();
        let mut setup = Setup::from(&mated);
        setup.side = defender;
        let is_mobile = |(kind, _): &(PieceKind, _)| matches!(kind, PieceKind::Rook | PieceKind::Cannon);
        let Some((_, from)) = mated.pieces(defender).find(is_mobile) else { continue };
        let before = Square::all().find_map(|square| {
            let mut earlier = setup.clone();
            let rook = earlier.remove(from)?;
            if earlier.piece_at(square).is_some() {
                return None;
            }
            earlier.place(rook, square);
            let earlier = Position::try_from(earlier).ok()?;
            let back = Move::new(square, from);
            earlier.clone().play(back).is_ok().then_some((earlier, back))
        });
        let Some((before, played)) = before else { continue };
        let mut others = before.legal_moves();
        others.retain(|mv| mv != played);
        let mated_after = |mv: Move| mates_within(&mut played_out(&before, &[mv]), 3);
        let Some(avoids) = others.iter().copied().find(|&mv| !mated_after(mv)) else { continue };
        let found = reasons(&before, played, &[avoids], &[]);
        match found.first() {
            Some(Reason::AllowsMate(mate)) => {
                assert!(mate.moves <= count, "{before} {played}");
                let last = played_out(&played_out(&before, &[played]), &mate.line);
                assert!(!last.has_legal_move() && last.side() == before.side(), "{before} {played}");
                told += 1;
            }
            _ => silent += 1,
        }
        // If the other move lets the mate happen as well, it is no reason.
        if let Some(as_bad) = others.iter().copied().find(|&mv| mated_after(mv)) {
            let found = reasons(&before, played, &[as_bad], &[]);
            assert!(!found.iter().any(|reason| matches!(reason, Reason::AllowsMate(_))), "{before} {played} {as_bad}");
        }
    }
    assert!(told >= 10 && silent * 4 <= told, "{told}, {silent}");
}

/// A rook attacks the cannon on c2.
const HANGING: &str = "4k4/9/9/9/9/2r6/9/2C6/4A4/3AK1B2 w";

#[test]
fn a_piece_that_hangs_is_lost() {
    let (position, found) = told(HANGING, "g0i2", "c2d2 e9e8", "c4c2 i2g0");
    let [Reason::LosesPiece(gain)] = &found[..] else { panic!("{found:?}") };
    let cannon = "c2".parse().expect("a square");
    assert_eq!(gain.prize, Prize::Piece { piece: PieceKind::Cannon, square: cannon, partly: false }, "{position}");
    Language::CHINESE.install(|| crate::CHINESE.to_vec());
    let sentence = |language: Language| language.with(|| found[0].sentence(&position, moves("g0i2")[0]));
    assert_eq!(sentence(Language::ENGLISH), "E3+1 loses the cannon on file 7: R3+2.");
    assert_eq!(sentence(Language::CHINESE), "相三进一，炮七必失：车３进２。");
}

#[test]
fn a_piece_that_the_best_move_loses_as_well_is_no_reason() {
    let (_, found) = told(HANGING, "g0i2", "e1d2", "c4c2");
    assert_eq!(found, []);
    let (_, found) = told(HANGING, "g0i2", "g0i2", "c4c2");
    assert_eq!(found, [], "the move is the best one");
}

#[test]
fn a_protected_piece_is_not_lost() {
    let (_, found) = told("4k4/9/9/9/9/2r6/P8/2C6/N3A4/3AK1B2 w", "g0i2", "c2d2", "c4c2 a1c2");
    assert_eq!(found, []);
}

#[test]
fn a_piece_that_is_won_back_by_a_discovered_attack_is_told_with_its_line() {
    // The bishop may take the rook on e2; then the horse takes the other rook, since e4 is free.
    let fen = "2bak4/4a4/3Rb1n2/6p1p/p1p6/4rnP1P/P8/B3C4/4A4/4KABN1 w";
    let (_, found) = told(fen, "d7d5", "d7d6 f4e2 g0e2 e4e2", "e4e2 d5d4 f4e6 d4d9 e8d9");
    let [Reason::LosesPiece(gain)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(gain.prize, Prize::Piece { piece: PieceKind::Cannon, .. }), "{gain:?}");
    assert_eq!(gain.line, moves("e4e2 d5d4 f4e6 d4d9 e8d9"));
}

#[test]
fn a_piece_that_could_be_taken_was_missed() {
    let fen = "2bakab2/c1Rc5/3n5/5np1p/9/2P1C1P2/P2rP3P/4B1N2/4A4/2BAK4 w";
    let (position, found) = told(fen, "e4e6", "c8a8 f6e4", "f6h5 c8c7");
    let [Reason::MissesPiece(gain)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(gain.prize, Prize::Piece { piece: PieceKind::Cannon, partly: false, .. }), "{gain:?}");
    assert_eq!(gain.line, moves("c8a8"));
    assert!(!found[0].follows_played_move());
    let sentence = Language::ENGLISH.with(|| found[0].sentence(&position, moves("e4e6")[0]));
    assert_eq!(sentence, "Better is R7.9, which wins the cannon on file 1.");
}

#[test]
fn endings_that_are_thrown_away_are_told_by_the_tables() {
    let tables = Tablebase::built_in();
    let value = |position: &Position, mv: Move| tables.probe(&played_out(position, &[mv]));
    // King and pawn against king, with moves that win and others that do not.
    let mut found = None;
    for square in Square::all().filter(|square| square.rank() > 4 && !square.in_palace()) {
        let mut setup = Setup::from(&Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").expect("a position"));
        setup.place(Piece::new(Color::Red, PieceKind::Pawn), square);
        let Ok(position) = Position::try_from(setup) else { continue };
        let wins = |mv: &Move| matches!(value(&position, *mv), Some(ProbeResult::Loss(_)));
        let (good, bad): (Vec<Move>, Vec<Move>) = position.legal_moves().into_iter().partition(wins);
        if let (Some(&good), Some(&bad)) = (good.first(), bad.first()) {
            found = Some((position, good, bad));
        }
    }
    let (position, best, bad) = found.expect("such a position");
    assert_eq!(reasons(&position, bad, &[best], &[])[0], Reason::ThrowsAwayWin { lost: false });
}

#[test]
fn repetitions_are_decided_by_the_judge() {
    // Red checks with every move; the last one makes the position stand for the third time.
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w").expect("a position");
    for mv in moves("e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9") {
        position.play(mv).expect("legal");
    }
    let (played, best) = (moves("e1d1")[0], moves("f0f1"));
    let found = reasons(&position, played, &best, &[]);
    let Some(Reason::EndsByRule { rules: RuleSet::Asian, .. }) = found.first() else { panic!("{found:?}") };
    let sentence = Language::ENGLISH.with(|| found[0].sentence(&position, played));
    assert!(sentence.contains("Black wins: perpetual check"), "{sentence}");
    assert_eq!(position.side(), Color::Red);
}
