//! The cards of a repertoire: one for each position of the person.

use super::graph::Repertoire;
use crate::book::opening_names;
use crate::train::{Card, CardGame, CardKind};
use xiangqi::{Move, Position, RuleSet};

/// So many moves of a line are kept.
const MAX_KEPT: usize = 12;

/// The cards of all positions in which the repertoire has a move, each once. Of new cards the latest are asked first: the
/// earlier in the lines, the later they are made.
pub fn cards_of(repertoire: &Repertoire, at: i64) -> Vec<Card> {
    let mut cards = Vec::new();
    repertoire.walk(&mut |place| {
        if repertoire.is_mine(place.position) && !place.is_known && !place.moves.is_empty() {
            let line = repertoire.main_line(place.position);
            cards.push(card(place.position, place.line, &line, at - cards.len() as i64));
        }
    });
    cards
}

fn card(position: &Position, moves: &[Move], line: &[Move], added: i64) -> Card {
    let name = opening_names::name_of_game(position);
    let title = name.map(|name| format!("{} {}", name.chinese, name.english)).unwrap_or_default();
    Card {
        id: CardKind::Opening.id_of(position),
        kind: CardKind::Opening,
        deck: String::new(),
        fen: None,
        moves: moves.to_vec(),
        rules: RuleSet::default(),
        side: position.side(),
        played: None,
        piece: None,
        chance: 0.5,
        lost: 0.0,
        line: line.iter().take(MAX_KEPT).copied().collect(),
        refutation: Vec::new(),
        game: CardGame { title, ..CardGame::default() },
        phase: None,
        opening: name.map(|name| name.english.into()),
        reasons: Vec::new(),
        added,
    }
}
