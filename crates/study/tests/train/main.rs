//! Tests of training: cards, their schedule, their file, two devices, what is printed.

mod cards;
mod endings;
mod files;

use crate::support::{after, moves};
use chuhe_study::train::{Answer, AnswerRating, Card, CardGame, CardKind, Deck, DeviceId, Event};

/// Noon of the first day of the tests, in seconds since 1970.
const NOON: i64 = 20_000 * 86_400 + 43_200;
const DAY: i64 = 86_400;

/// A card after these moves of the usual start; the best move and the one that was played follow.
fn card(before: &str, best: &str, played: &str) -> Card {
    Card {
        played: moves(played).first().copied(),
        chance: 0.55,
        lost: 0.25,
        line: moves(best),
        game: CardGame { title: "甲 – 乙".to_string(), date: "2026.11.20".to_string(), ..CardGame::default() },
        added: NOON,
        ..Card::new(CardKind::Mistake, &after(before), moves(before))
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
