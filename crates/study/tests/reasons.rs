//! Tests of the reasons of mistakes.

use crate::support::{moves, placed, played_out};
use chuhe_engine::search::Control;
use chuhe_engine::{ProbeResult, Tablebase};
use chuhe_study::motifs::Motif;
use chuhe_study::reasons::{
    Bind, How, Mistake, OwnFault, PalaceAttack, Prize, ProvenGain, Reason, ReasonLimits, Threat, find_reasons,
};
use chuhe_support::language::Language;
use std::sync::Arc;
use xiangqi::{Color, Move, Piece, PieceKind, Position, RuleSet, Rules, Setup, Square};

// Reasons where nothing is lost yet: threats, bound pieces, crossings; how a piece was lost; and what comes near.

/// The reasons of a move that is played instead of the best one, and is answered so.
fn reasons(position: &Position, played: &str, best: &str, refutation: &str) -> Vec<Reason> {
    let (best, refutation) = (moves(best), moves(refutation));
    let rules = Rules::default();
    let mistake = Mistake { position, played: moves(played)[0], best: &best, refutation: &refutation, rules };
    find_reasons(&mistake, None, &ReasonLimits::default(), &Arc::new(Control::new(false)))
}

/// The reasons, and their sentences in English and in Chinese.
fn told(text: &str, played: &str, best: &str, refutation: &str) -> (Vec<Reason>, Vec<[String; 2]>) {
    Language::CHINESE.install(|| crate::CHINESE.to_vec());
    let position = placed(text);
    let found = reasons(&position, played, best, refutation);
    let sentence = |reason: &Reason, language: Language| language.with(|| reason.sentence(&position, moves(played)[0]));
    let both = |reason: &Reason| [sentence(reason, Language::ENGLISH), sentence(reason, Language::CHINESE)];
    let sentences = found.iter().map(both).collect();
    (found, sentences)
}

#[test]
fn an_answer_that_threatens_a_piece_is_told() {
    let pieces = "Kd0 Pa3 Pi3 Ce6 kf9 nb9";
    let (found, sentences) = told(pieces, "a3a4", "e6e2", "b9c7");
    let [Reason::AllowsThreat(threat)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(threat.threat, Threat::Piece { piece: PieceKind::Cannon, .. }), "{threat:?}");
    assert_eq!(sentences[0][0], "After P9+1 H2+3 Black threatens the cannon on file 5.");
    assert_eq!(sentences[0][1], "走兵九进一 马２进３后，黑方要吃炮五。");
    // A protected cannon is not worth a horse; another best move allows the same; a better one is not asked for.
    assert_eq!(told("Kd0 Pa3 Pi3 Pe5 Ce6 kf9 nb9", "a3a4", "e6e2", "b9c7").0, []);
    assert_eq!(told(pieces, "a3a4", "i3i4", "b9c7").0, []);
    assert_eq!(told(pieces, "a3a4", "e6e2", "f9f8").0, [], "the answer threatens nothing");
}

#[test]
fn an_answer_that_threatens_a_mate_is_told() {
    let fen = "3ak4/4a4/9/9/p3NR2p/9/P7P/9/6r2/3K5 b";
    let (found, sentences) = told(fen, "i5i4", "g1g0", "d0e0");
    assert!(matches!(&found[..], [Reason::AllowsThreat(_)]), "{found:?}");
    assert_eq!(sentences[0][0], "After P9+1 K6.5 Red threatens a mate in 1.");
}

#[test]
fn a_threat_that_was_missed_is_told() {
    let pieces = "Kd0 Pa3 Nb0 Nh0 kf9 ce3";
    let (found, sentences) = told(pieces, "a3a4", "b0c2", "");
    assert!(matches!(&found[..], [Reason::MissesThreat(_)]), "{found:?}");
    assert_eq!(sentences[0], ["Better is H8+7, which threatens the cannon on file 5.", "应走马八进七，要吃炮５。"]);
    // The move that was played threatens the same; the cannon is protected.
    assert_eq!(told(pieces, "h0g2", "b0c2", "").0, []);
    assert_eq!(told("Kd0 Pa3 Nb0 Nh0 kf9 ce3 re9", "a3a4", "b0c2", "").0, []);
}

#[test]
fn pieces_that_an_answer_binds_are_told() {
    let fen = "1rb1kab2/4a4/4c1c2/p1p1n1p2/4r2np/2P3P2/P3PC2P/2N1BC2N/4A4/R1B1KA1R1 w";
    let (found, sentences) = told(fen, "h0h3", "a0a1 g7h7", "g7h7 i2g1");
    let [Reason::AllowsBind(bind)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((bind.piece, bind.bind), (PieceKind::Rook, Bind::Unsafe));
    assert_eq!(sentences[0][0], "After R2+3 C7.8 the rook on file 2 has no safe move.");
    let fen = "2bak1C2/4a4/cr4n2/p3p3p/2p3P2/9/2P1P3c/4B1C2/4A4/2R1K1BN1 w";
    let (found, sentences) = told(fen, "g2g1", "g2i2 g7h9", "i3i0 c3c4");
    assert!(matches!(&found[..], [Reason::AllowsBind(bind)] if bind.bind == Bind::Pinned), "{found:?}");
    assert_eq!(sentences[0][1], "走后炮退一 炮９进３后，马二被牵制。");
    // An answer elsewhere binds nothing.
    let (found, _) = told(fen, "g2g1", "g2i2 g7h9", "i6i5");
    assert!(!found.iter().any(|reason| matches!(reason, Reason::AllowsBind(_))), "{found:?}");
}

#[test]
fn a_piece_that_the_move_itself_blocks_is_told_without_an_answer() {
    // The rook stands before its own horse.
    let fen = "2b1kab2/4aC3/1rn1c1c2/p1p1p1p2/7np/2P6/P3P1P1P/2N2C3/1R7/2BAKABN1 w";
    let (found, sentences) = told(fen, "b1h1", "b1b7 e7b7", "b7b5 f8h8");
    assert!(matches!(&found[..], [Reason::AllowsBind(bind)] if bind.line.is_empty()), "{found:?}");
    assert_eq!(sentences[0], ["After R8.2 the horse on file 2 cannot move.", "走车八平二后，马二动弹不得。"]);
}

#[test]
fn pieces_that_the_best_move_binds_or_frees_are_told() {
    let fen = "1rbakab1r/7Rn/n2Cc4/p1p1p1p1p/9/9/P1c1P3P/C3B1N2/9/RN1AKAB2 b";
    let (found, sentences) = told(fen, "b9b3", "b9b1 d0e1", "b0d1 c3c5");
    assert!(matches!(&found[..], [Reason::MissesBind(_)]), "{found:?}");
    assert_eq!(sentences[0][0], "Better is R2+8, after which the rook on file 9 has no safe move.");
    let fen = "3rkab2/4a4/2n1bc3/pRn1p1NR1/2p5P/4P1p1r/P1P1C1P2/2N5C/9/2BA1KB2 b";
    let (found, sentences) = told(fen, "d9d2", "c5c4 c3c4", "c0e2 g4f4");
    assert!(matches!(&found[..], [Reason::AllowsThreat(_), Reason::MissesFreeing(_)]), "{found:?}");
    assert_eq!(sentences[1], ["Better is P3+1, which frees the front horse on file 3.", "应走卒３进１，活通前马。"]);
}

#[test]
fn a_pawn_that_crosses_is_told_unless_it_can_be_taken() {
    let pieces = "Kd0 Pc4 Pg4 Na0 kf9 pg5 ni9";
    let (found, sentences) = told(pieces, "a0b2", "c4c5", "");
    assert!(matches!(&found[..], [Reason::MissesCrossing { .. }]), "{found:?}");
    assert_eq!(sentences[0][0], "Better is P7+1, which brings a pawn across the river.");
    assert_eq!(told("Kd0 Pc4 Pg4 Na0 kf9 pg5 ni9 rc9", "a0b2", "c4c5", "").0, []);
}

#[test]
fn what_the_move_has_left_behind_is_told() {
    let cases = [
        ("Kd0 Rh2 Pg5 kf9 ch9", "g5h5", "g5g6", "h9h2", OwnFault::GivesScreen),
        ("Kd0 Nc3 Ce4 Pi3 kf9 ra4", "c3a2", "i3i4", "a4e4", OwnFault::LeavesPiece),
        ("Kd0 Rc0 Pc3 Nc4 Ce4 Pi3 kf9 ra4", "c4b6", "i3i4", "a4e4", OwnFault::LeavesLine),
        ("Kd0 Re2 Pi3 kf9 na4", "e2b2", "i3i4", "a4b2", OwnFault::MovesIntoCapture),
    ];
    for (pieces, played, best, answer, fault) in cases {
        let found = reasons(&placed(pieces), played, best, answer);
        assert_eq!(lost(&found).and_then(|gain| gain.how), Some(How::Fault(fault)), "{pieces}: {found:?}");
    }
    // The rook could be taken before.
    let found = reasons(&placed("Kd0 Rh2 Pg5 kf9 ch9 ph3"), "g5g6", "h2i2", "h9h2");
    assert!(lost(&found).is_some_and(|gain| gain.how.is_none()), "{found:?}");
}

fn lost(reasons: &[Reason]) -> Option<&ProvenGain> {
    reasons.iter().find_map(|reason| match reason {
        Reason::LosesPiece(gain) => Some(gain),
        _ => None,
    })
}

#[test]
fn a_fork_is_told_as_how_a_piece_is_won() {
    let pieces = "Ke0 Be2 Nc5 Pa3 ke9 rb6";
    let (found, sentences) = told(pieces, "a3a4", "c5d7 e9e8 d7b6", "");
    let [Reason::MissesPiece(gain)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(gain.prize, Prize::Piece { piece: PieceKind::Rook, .. }), "{gain:?}");
    assert_eq!(gain.how, Some(How::Motif(Motif::Fork)));
    assert_eq!(sentences[0][0], "Better is H7+6, which wins the rook on file 2 (fork): H7+6 K5+1 H6-8.");
    assert_eq!(sentences[0][1], "应走马七进六，可得车２（捉双）：马七进六 将５进１ 马六退八。");
    let text = serde_json::to_string(&found).expect("json");
    assert_eq!(serde_json::from_str::<Vec<Reason>>(&text).expect("reasons"), found);
}

#[test]
fn pieces_that_come_to_attack_the_palace_are_told_unless_they_can_be_taken_or_come_later() {
    use PalaceAttack::{BottomCannon, CornerHorse, HollowCannon, PalcornerHorse, PawnInPalace};
    // What is played, the best move, and what makes it impossible afterwards.
    let cases = [
        ("Cb3 Pa3 rh5", "b3e3", "h5e5", HollowCannon),
        ("Cb2 Pa3 rh5", "b2b9", "h5b5", BottomCannon),
        ("Nb6 Pa3 rh7", "b6c8", "h7b7", PalcornerHorse),
        ("Nb6 Pa3 rh6", "b6d7", "h6c6", CornerHorse),
        ("Pc7 Pa3 rh8", "c7d7", "h8d8", PawnInPalace),
    ];
    for (pieces, best, answer, attack) in cases {
        let text = format!("Kd0 Nd1 Bc0 {pieces} ke9 ad9 af9 bc9 bg9");
        let (found, _) = told(&text, "a3a4", best, answer);
        let is_told = |found: &[Reason]| matches!(found, [.., Reason::MissesAttack(told)] if told.attack == attack);
        assert!(is_told(&found), "{text}: {found:?}");
        let (later, _) = told(&text, "a3a4", best, "g9i7");
        assert!(!is_told(&later), "{text}, which can come a move later: {later:?}");
        let (exiled, _) = told(&text.replace("ke9 ad9", "ke8 ad9"), "a3a4", best, answer);
        let needs_home = attack != PawnInPalace;
        assert!(!(needs_home && is_told(&exiled)), "{text} with the king away from home: {exiled:?}");
    }
}

#[test]
fn an_answer_that_attacks_the_palace_is_told() {
    let fen = "3ak4/4an3/4b4/C5p1p/4p4/P1PC4P/6P2/4BN2c/9/1cBAK4 w";
    let (found, sentences) = told(fen, "d4d5", "a6a9 e7c9 e2g4 i2i0", "i2e2 f2g4");
    let [Reason::AllowsAttack(attack)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(attack.attack, PalaceAttack::HollowCannon);
    assert_eq!(
        sentences[0],
        [
            "After C6+1 C9.5 the cannon on file 5 has nothing between it and the king (hollow cannon).",
            "走炮六进一 炮９平５后，炮５成空头炮。"
        ]
    );
    let text = serde_json::to_string(&found).expect("json");
    assert_eq!(serde_json::from_str::<Vec<Reason>>(&text).expect("reasons"), found);
}

// Reasons from proofs, compared with brute force, and what is no reason.

/// Problems of mate: moves, position, the only first move.
const PROBLEMS: &str = include_str!("../../engine/tests/data/mates.txt");

fn reasons_of(position: &Position, played: Move, best: &[Move], refutation: &[Move]) -> Vec<Reason> {
    let mistake = Mistake { position, played, best, refutation, rules: Rules::default() };
    let control = Arc::new(Control::new(false));
    find_reasons(&mistake, Some(&Tablebase::built_in()), &ReasonLimits::default(), &control)
}

/// The reasons of a move, given as texts.
fn told_of(fen: &str, played: &str, best: &str, refutation: &str) -> (Position, Vec<Reason>) {
    let position = Position::from_fen(fen).expect("a position");
    let found = reasons_of(&position, moves(played)[0], &moves(best), &moves(refutation));
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
        for reason in reasons_of(&position, played, &[best], &[]) {
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
        let found = reasons_of(&before, played, &[avoids], &[]);
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
            let found = reasons_of(&before, played, &[as_bad], &[]);
            assert!(!found.iter().any(|reason| matches!(reason, Reason::AllowsMate(_))), "{before} {played} {as_bad}");
        }
    }
    assert!(told >= 10 && silent * 4 <= told, "{told}, {silent}");
}

/// A rook attacks the cannon on c2.
const HANGING: &str = "4k4/9/9/9/9/2r6/9/2C6/4A4/3AK1B2 w";

#[test]
fn a_piece_that_hangs_is_lost() {
    let (position, found) = told_of(HANGING, "g0i2", "c2d2 e9e8", "c4c2 i2g0");
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
    let (_, found) = told_of(HANGING, "g0i2", "e1d2", "c4c2");
    assert_eq!(found, []);
    let (_, found) = told_of(HANGING, "g0i2", "g0i2", "c4c2");
    assert_eq!(found, [], "the move is the best one");
}

#[test]
fn a_protected_piece_is_not_lost() {
    let (_, found) = told_of("4k4/9/9/9/9/2r6/P8/2C6/N3A4/3AK1B2 w", "g0i2", "c2d2", "c4c2 a1c2");
    assert_eq!(found, []);
}

#[test]
fn a_piece_that_is_won_back_by_a_discovered_attack_is_told_with_its_line() {
    // The bishop may take the rook on e2; then the horse takes the other rook, since e4 is free.
    let fen = "2bak4/4a4/3Rb1n2/6p1p/p1p6/4rnP1P/P8/B3C4/4A4/4KABN1 w";
    let (_, found) = told_of(fen, "d7d5", "d7d6 f4e2 g0e2 e4e2", "e4e2 d5d4 f4e6 d4d9 e8d9");
    let [Reason::LosesPiece(gain)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(gain.prize, Prize::Piece { piece: PieceKind::Cannon, .. }), "{gain:?}");
    assert_eq!(gain.line, moves("e4e2 d5d4 f4e6 d4d9 e8d9"));
}

#[test]
fn a_piece_that_could_be_taken_was_missed() {
    let fen = "2bakab2/c1Rc5/3n5/5np1p/9/2P1C1P2/P2rP3P/4B1N2/4A4/2BAK4 w";
    let (position, found) = told_of(fen, "e4e6", "c8a8 f6e4", "f6h5 c8c7");
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
    assert_eq!(reasons_of(&position, bad, &[best], &[])[0], Reason::ThrowsAwayWin { lost: false });
}

#[test]
fn repetitions_are_decided_by_the_judge() {
    // Red checks with every move; the last one makes the position stand for the third time.
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w").expect("a position");
    for mv in moves("e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9") {
        position.play(mv).expect("legal");
    }
    let (played, best) = (moves("e1d1")[0], moves("f0f1"));
    let found = reasons_of(&position, played, &best, &[]);
    let Some(Reason::EndsByRule { rules: RuleSet::Asian, .. }) = found.first() else { panic!("{found:?}") };
    let sentence = Language::ENGLISH.with(|| found[0].sentence(&position, played));
    assert!(sentence.contains("Black wins: perpetual check"), "{sentence}");
    assert_eq!(position.side(), Color::Red);
}
