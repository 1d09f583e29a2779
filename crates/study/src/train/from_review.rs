//! Cards from the mistakes of a reviewed game.

use super::card::{Card, CardGame, CardId, CardKind};
use crate::motifs::{Motif, motifs};
use crate::review::{Review, ReviewedMove, phases};
use chuhe_support::small_sort::SmallSort;
use std::collections::HashSet;
use xiangqi::{Color, Position};

/// A move that loses this much of the expected result is a mistake for a card.
pub const LEAST_LOSS: f64 = 0.10;
/// Something must be at stake: before the mistake the side is not lost, and after it not still won.
const LOST_CHANCE: f64 = 0.10;
const WON_CHANCE: f64 = 0.90;
/// So many moves of a line are kept.
const MAX_LINE: usize = 12;

/// Whether a move is worth a card.
pub fn is_mistake(reviewed: &ReviewedMove, least_loss: f64) -> bool {
    let (Some(before), Some(after)) = (reviewed.before, reviewed.after) else { return false };
    reviewed.loss().is_some_and(|loss| loss >= least_loss) && before.chance >= LOST_CHANCE && after.chance < WON_CHANCE
}

/// The cards of the moves of these sides that are wanted and have a better line, each position once.
pub fn cards_of_review(
    review: &Review,
    sides: &[Color],
    origin: &CardGame,
    at: i64,
    is_wanted: impl Fn(&ReviewedMove) -> bool,
) -> Vec<Card> {
    let start = review.game.start();
    let fen = (start.fen() != Position::start().fen()).then(|| start.fen().into_boxed_str());
    let phases = phases(&review.game);
    let (mut cards, mut known) = (Vec::new(), HashSet::new());
    for (index, reviewed, position) in review.moves_in_positions() {
        let id = CardId::of(&position);
        let is_chosen = sides.contains(&reviewed.side) && !reviewed.better_line.is_empty() && is_wanted(reviewed);
        if let (true, Some(before)) = (is_chosen && known.insert(id), reviewed.before) {
            let after = review.positions.get(index + 1).and_then(Option::as_ref);
            let line = |moves: &[_]| moves.iter().take(MAX_LINE).copied().collect();
            cards.push(Card {
                fen: fen.clone(),
                rules: review.rules.set,
                played: Some(reviewed.mv),
                piece: Some(position.moved_piece(reviewed.mv).kind()),
                chance: rounded(before.chance),
                lost: rounded(reviewed.loss().unwrap_or_default()),
                line: line(&reviewed.better_line),
                refutation: after.map(|after| line(&after.line)).unwrap_or_default(),
                game: origin.clone(),
                phase: phases.get(index).copied(),
                opening: review.opening.map(|opening| opening.name.english.into()),
                reasons: reviewed.reasons.clone(),
                added: at,
                ..Card::new(
                    CardKind::Mistake,
                    &position,
                    review.moves[..index].iter().map(|before| before.mv).collect(),
                )
            });
        }
    }
    cards
}

/// The mistakes of a person in many games, each position once.
#[derive(Default)]
pub struct MistakeCards {
    cards: Vec<Card>,
    known: HashSet<CardId>,
}

impl MistakeCards {
    /// Adds those of these sides of a game.
    pub fn add(&mut self, review: &Review, sides: &[Color], at: i64) {
        let is_wanted = |reviewed: &ReviewedMove| is_mistake(reviewed, LEAST_LOSS);
        let cards = cards_of_review(review, sides, &CardGame::of(&review.game), at, is_wanted);
        self.cards.extend(cards.into_iter().filter(|card| self.known.insert(card.id)));
    }

    /// In the order of their games.
    pub fn all(&self) -> &[Card] {
        &self.cards
    }

    /// The costliest first.
    pub fn costliest(&self) -> Vec<&Card> {
        self.chosen(&MistakeChoice::default())
    }

    /// Those that are wanted, in the order that is.
    pub fn chosen(&self, choice: &MistakeChoice) -> Vec<&Card> {
        let has_theme = |card: &&Card| {
            let shown = card.position().map(|position| motifs(&position, &card.line)).unwrap_or_default();
            choice.themes.is_empty() || shown.iter().any(|theme| choice.themes.contains(theme))
        };
        let mut cards: Vec<&Card> = self.cards.iter().filter(has_theme).collect();
        cards.order_by(|card, other| other.lost.total_cmp(&card.lost));
        if choice.newest {
            // Dates are written with points or hyphens; an unknown one is the oldest.
            let date = |card: &Card| card.game.date.replace('.', "-").replace('?', " ");
            cards.order_by(|card, other| date(other).cmp(&date(card)));
        }
        cards.truncate(choice.count.unwrap_or(usize::MAX));
        cards
    }
}

/// Which mistakes become exercises.
#[derive(Clone, Debug, Default)]
pub struct MistakeChoice {
    /// Those whose best line shows one of these; all if there is none.
    pub themes: Vec<Motif>,
    /// Those of the latest games first, not the costliest.
    pub newest: bool,
    /// So many of them.
    pub count: Option<usize>,
}

fn rounded(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}
