//! Tests of training: cards, their schedule, their file, two devices, what is printed.

mod cards;
mod endings;
mod files;
mod merge;
mod schedule;
mod trials;

use chuhe_study::train::{Answer, AnswerRating, Card, CardGame, CardId, CardKind, Deck, DeviceId, Event};
use xiangqi::{Color, Move, Position};

/// Noon of the first day of the tests, in seconds since 1970.
const NOON: i64 = 20_000 * 86_400 + 43_200;
const DAY: i64 = 86_400;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// A card after these moves of the usual start; the best move and the one that was played follow.
fn card(before: &str, best: &str, played: &str) -> Card {
    let mut position = Position::start();
    moves(before).into_iter().for_each(|mv| position.play(mv).expect("a legal move"));
    Card {
        id: CardId::of(&position),
        kind: CardKind::Mistake,
        deck: String::new(),
        fen: None,
        moves: moves(before),
        rules: xiangqi::RuleSet::default(),
        side: position.side(),
        played: moves(played).first().copied(),
        piece: None,
        chance: 0.55,
        lost: 0.25,
        line: moves(best),
        refutation: Vec::new(),
        game: CardGame { title: "甲 – 乙".to_string(), date: "2026.11.20".to_string(), ..CardGame::default() },
        phase: None,
        opening: None,
        reasons: Vec::new(),
        added: NOON,
    }
}

/// The first question: the opponent has moved a pawn.
fn first_card() -> Card {
    card("h2e2 g6g5", "h0g2 h9g7", "e2e6")
}

fn answer(at: i64, rating: AnswerRating) -> Answer {
    Answer { at, offset: 0, device: DeviceId(1), rating, by: None }
}

/// The deck of these events.
fn deck(events: impl IntoIterator<Item = Event>) -> Deck {
    let mut deck = Deck::default();
    events.into_iter().for_each(|event| _ = deck.apply(event));
    deck
}

#[test]
fn sides_of_cards_are_those_that_move() {
    assert_eq!((first_card().side, card("h2e2", "h9g7", "a9a8").side), (Color::Red, Color::Black));
}
