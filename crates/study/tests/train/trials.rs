//! Moves that are tried: judged by the card, by the rules and tables, and by a search.

use super::{card, first_card};
use crate::support::moves;
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::train::{Card, CardId, Trial, judge};
use std::sync::Arc;
use xiangqi::{Color, Position};

fn tried(card: &Card, mv: &str) -> Trial {
    let mut searcher = Searcher::new(Options::default(), 4).expect("memory");
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    let mv = moves(mv)[0];
    judge(card, mv, &mut searcher, 10_000, &Control::default()).expect("it can be judged").expect("nobody stops it")
}

/// A card from a position.
fn card_of(fen: &str, best: &str, played: &str) -> Card {
    let position = Position::from_fen(fen).expect("a position");
    let mut card = card("", "h2e2", "h2e2");
    card.fen = Some(fen.into());
    (card.id, card.side) = (CardId::of(&position), position.side());
    (card.line, card.played) = (moves(best), moves(played).first().copied());
    assert!(card.is_sound(), "{fen}");
    card
}

#[test]
fn stored_answers_count_at_once() {
    let card = first_card();
    let best = tried(&card, "h0g2");
    assert_eq!((best.is_right, best.is_best, best.lost, best.reply), (true, true, 0.0, moves("h9g7")));
    let played = tried(&card, "e2e6");
    assert_eq!((played.is_right, played.is_best, played.lost), (false, false, card.lost));
}

#[test]
fn any_move_that_loses_little_is_right() {
    // Another developing move is as good; the rook's pawn leaves the cannon en prise to nothing, but a cannon given away is wrong.
    let mut card = card("h2e2 h9g7", "h0g2", "e2e6");
    card.chance = 0.55;
    let other = tried(&card, "b0c2");
    assert!(other.is_right && !other.is_best && !other.reply.is_empty(), "{other:?}");
    let wrong = tried(&card, "b2b9");
    assert!(!wrong.is_right && wrong.lost > 0.1, "{wrong:?}");
    assert_eq!(wrong.reply.first(), moves("a9b9").first(), "{wrong:?}");
}

#[test]
fn tables_and_mates_are_exact() {
    // A pawn that reaches the palace wins, one that goes too far does not: the tables say what.
    let fen = "4k4/9/9/4P4/9/9/9/9/9/4K4 w";
    let position = Position::from_fen(fen).expect("a position");
    let tables = Tablebase::built_in();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv).expect("legal");
        let Some(result) = tables.probe(&after) else { continue };
        let mut card = card_of(fen, "e6e7", "");
        card.line.clear();
        let trial = tried(&card, &mv.to_string());
        let is_won = matches!(result, chuhe_engine::tablebase::ProbeResult::Loss(_));
        let was_won = matches!(tables.probe(&position), Some(chuhe_engine::tablebase::ProbeResult::Win(_)));
        assert!(was_won);
        assert_eq!((trial.is_right, trial.lost > 0.4), (is_won, !is_won), "{mv}: {trial:?}");
    }
    // Two rooks: mate at once, or a move later, is right; to give one away is not.
    let card = card_of("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", "a8a9", "");
    assert!(tried(&card, "b0b9").is_right);
    assert_eq!(tried(&card, "b0b9").reply, [], "the game is over");
    assert_eq!(card.side, Color::Red);
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let mut searcher = Searcher::new(Options::default(), 1).expect("memory");
    let mut judged =
        |card: &Card, mv: &str| judge(card, moves(mv)[0], &mut searcher, 100, &Control::default()).is_err();
    assert!(judged(&first_card(), "a0a9"), "an illegal move");
    let mut broken = first_card();
    broken.fen = Some("rubbish".into());
    assert!(judged(&broken, "h0g2"));
}
