//! A repertoire as a part of the deck: its lines as events, its positions as cards.

use crate::support::{after, moves};
use chuhe_study::repertoire::{Repertoire, cards_of};
use chuhe_study::train::{CardFilter, CardId, CardKind, Day, Deck, DeviceId, Event};
use xiangqi::{Color, Position};

fn red() -> Repertoire {
    let mut red = Repertoire::new(Color::Red);
    red.add_line(&moves("h2e2 h9g7 h0g2 i9h9 i0h0")).expect("room");
    red.add_line(&moves("h2e2 b7e7 h0g2 b9c7")).expect("room");
    red
}

#[test]
fn deck_has_the_lines_that_its_events_tell() {
    let (mut deck, device) = (Deck::default(), DeviceId(7));
    let change = |deck: &mut Deck, wanted: &Repertoire, at: i64| {
        let events = deck.openings().changes_to(wanted, at, device);
        let count = events.len();
        assert_eq!(deck.apply_all(events), count, "each change is news");
        assert_eq!(&deck.openings().repertoire(wanted.colour()), wanted);
        count
    };
    let mut wanted = red();
    assert_eq!(change(&mut deck, &wanted, 1000), 7);
    assert_eq!(change(&mut deck, &wanted, 1001), 0, "nothing has changed");
    let other = Repertoire::new(Color::Black);
    assert_eq!(change(&mut deck, &other, 1002), 0, "the colours have nothing to do with each other");
    assert!(wanted.remove_move(&after("h2e2"), moves("b7e7")[0]));
    // The clock has gone back; the change counts all the same.
    assert_eq!(change(&mut deck, &wanted, 10), 3);
    wanted.add_line(&moves("h2e2 b7e7 i0i1")).expect("room");
    assert_eq!(change(&mut deck, &wanted, 11), 2);
    let lines: Vec<String> = deck.events().map(|event| serde_json::to_string(&event).expect("JSON")).collect();
    let read: Vec<Event> = lines.iter().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let mut copy = Deck::default();
    copy.apply_all(read);
    assert_eq!(copy.openings().repertoire(Color::Red), wanted, "{lines:?}");
}

#[test]
fn cards_ask_each_own_position_once_in_the_order_of_the_lines() {
    let cards = cards_of(&red(), 500);
    let asked: Vec<(String, String)> = cards
        .iter()
        .map(|card| {
            let line: Vec<String> = card.moves.iter().map(ToString::to_string).collect();
            (line.join(" "), card.best().expect("a move").to_string())
        })
        .collect();
    let expected = [("", "h2e2"), ("h2e2 h9g7", "h0g2"), ("h2e2 h9g7 h0g2 i9h9", "i0h0"), ("h2e2 b7e7", "h0g2")];
    assert_eq!(asked, expected.map(|(line, mv)| (line.to_string(), mv.to_string())));
    assert!(cards.iter().all(|card| card.is_sound() && card.kind == CardKind::Opening && card.side == Color::Red));
    let (mut deck, ids) = (Deck::default(), cards.iter().map(|card| card.id).collect::<Vec<_>>());
    deck.apply_all(cards.into_iter().map(|card| Event::Card(Box::new(card))).collect());
    deck.set_today(Day::of(1000, 0));
    let filter = CardFilter { kind: Some(CardKind::Opening), ..CardFilter::default() };
    assert_eq!(deck.todays(filter).cards, ids);
    assert_ne!(ids[0], CardId::of(&Position::start()), "a mistake of the position is another card");
    assert_eq!(CardKind::Opening.id_of(&after("b2e2 b9c7")), ids[1], "the mirror image is the same card");
}
