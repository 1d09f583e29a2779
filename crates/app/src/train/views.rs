//! What pages are sent of exercises. A question holds nothing that tells its answer.

use crate::game_session::{Choices, texts};
use chuhe_study::book::opening_names;
use chuhe_study::reader::move_name;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::{
    Card, CardEdit, CardGame, CardId, CardKind, CardState, DeckGuard, Event, MistakeCount, MonthOfPlay, Pattern,
    what_became_better,
};
use chuhe_support::language::{Message, message};
use chuhe_support::messages::Localize;
use chuhe_support::{date, with_values};
use serde::Serialize;
use xiangqi::{Color, Move, Position, RuleSet, Rules};

/// The longest name of a deck or a player, in letters.
pub const MAX_NAME: usize = 60;

/// The first letters of a text.
pub fn shortened(text: &str, letters: usize) -> String {
    text.chars().filter(|&letter| letter == '\n' || !letter.is_control()).take(letters).collect()
}

/// The name of a deck, as it is kept.
pub fn deck_name(text: &str) -> String {
    shortened(text.trim(), MAX_NAME)
}

/// The move of a request.
pub fn parse_move(text: &str) -> Result<Move, Message> {
    text.parse().map_err(Message::from_value)
}

/// A move with its names.
#[derive(Clone, Serialize, crate::TS)]
pub struct NamedMove {
    iccs: String,
    name: String,
}

impl NamedMove {
    pub fn of(position: &Position, mv: Move) -> NamedMove {
        NamedMove { iccs: mv.to_string(), name: move_name(position, mv) }
    }
}

/// The moves of a line with their names.
pub fn named_line(position: &Position, moves: &[Move]) -> Vec<NamedMove> {
    let mut position = position.clone();
    let name = |&mv: &Move| {
        let named = NamedMove::of(&position, mv);
        position.play(mv).ok()?;
        Some(named)
    };
    moves.iter().map_while(name).collect()
}

with_values! {
    /// What a question and the list tell of a card.
    #[derive(Serialize, crate::TS)]
    pub struct CardView {
        id: String = card.id.to_string(),
        #[ts(type = "CardKind")]
        kind: CardKind = card.kind,
        deck: String = state.deck().to_string(),
        fen: String = card.start().map(|start| start.fen()).unwrap_or_default(),
        moves: Vec<String> = texts(&card.moves),
        #[ts(type = "Side")]
        side: Color = card.side,
        move_number: u32 = card.move_number(),
        player: Option<String> = card.player().map(str::to_string),
        played: Option<NamedMove> = position.as_ref().and_then(|position| Some(NamedMove::of(position, card.played?))),
        /// The name of the opening whose move is asked for.
        opening: Option<String> = opening.map(|name| name.localized().to_string()),
        lost: f64 = card.lost,
        flagged: bool = state.is_flagged(),
        note: String = state.note().to_string(),
        answers: usize = state.own_answers().count(),
    }
    fn of(card: &Card, state: &CardState) {
        let position = card.position();
        let opening = position.as_ref().filter(|_| card.kind == CardKind::Opening);
        let opening = opening.and_then(opening_names::name_of_game);
    }
}

/// The game of a card, or nothing for an opening.
fn title(card: &Card) -> String {
    if card.kind == CardKind::Opening { String::new() } else { card.game.title.clone() }
}

with_values! {
    #[derive(Serialize, crate::TS)]
    pub struct TrainQuestion {
        /// The player is told unless the person is.
        #[serde(flatten)]
        card: CardView = view,
        ply: usize = card.moves.len(),
        game: GameView = GameView {
            id: Some(game.id.clone()).filter(|id| !id.is_empty()),
            title: title(card),
            date: game.date.clone(),
        },
        number: usize = place[0],
        count: usize = place[1],
        #[serde(flatten)]
        choices: Choices = Choices::of(&position, &Rules::new(card.rules)),
    }
    /// The question of a card, unless its position is damaged.
    pub fn of(card: &Card, state: &CardState, me: Option<&[String]>, place: [usize; 2]) -> Option<Self> as Some {
        let position = card.position()?;
        let is_me = |name: &String| me.is_none_or(|me| PlayerNames::new(me).unwrap_or_default().include(name));
        let mut view = CardView::of(card, state);
        view.player = view.player.filter(|name| !is_me(name));
        let game = &card.game;
    }
}

#[derive(Serialize, crate::TS)]
#[ts(rename = "CardGame")]
struct GameView {
    id: Option<String>,
    title: String,
    date: String,
}

with_values! {
    /// A card in the list.
    #[derive(Serialize, crate::TS)]
    pub struct TrainCard {
        #[serde(flatten)]
        card: CardView = CardView::of(card, state),
        title: String = title(card),
        date: String = card.game.date.clone(),
        due: Option<String> = state.due().map(|day| day.to_string()),
    }
    pub fn of(card: &Card, state: &CardState);

    #[derive(Serialize, crate::TS)]
    pub struct TrainPattern {
        mistakes: usize = pattern.all.count,
        lost: f64 = pattern.all.lost,
        games: usize = pattern.games,
        phases: Vec<PatternEntry> = entries(&pattern.phases, |phase| phase.phrase().to_string()),
        openings: Vec<PatternEntry> = entries(&pattern.openings, |&opening| opening.localized().to_string()),
        pieces: Vec<PatternEntry> = entries(&pattern.pieces, |&kind| kind.localized()),
        reasons: Vec<PatternEntry> = entries(&pattern.causes, |cause| cause.to_string()),
        months: Vec<PatternEntry> = entries(&pattern.months, String::clone),
        answers: Vec<AnswerDay> = pattern
            .days
            .iter()
            .map(|(day, [right, wrong])| AnswerDay { day: day.to_string(), right: *right, wrong: *wrong })
            .collect(),
        right: Option<f64> = pattern.right_share(),
        /// The months of the person's games, and what has become better.
        #[ts(type = "MonthOfPlay[]")]
        play: Vec<MonthOfPlay> = play,
        better: Vec<String> = better,
        /// The numbers of the week in tactics.
        tactics: Option<String> = tactics,
    }
    pub fn of(pattern: &Pattern, play: Vec<MonthOfPlay>, tactics: Option<String>) {
        let better = what_became_better(&play);
    }
}

#[derive(Serialize, crate::TS)]
struct PatternEntry {
    key: String,
    count: usize,
    lost: f64,
}

#[derive(Serialize, crate::TS)]
struct AnswerDay {
    day: String,
    right: usize,
    wrong: usize,
}

fn entries<K>(counts: &[(K, MistakeCount)], name: impl Fn(&K) -> String) -> Vec<PatternEntry> {
    counts.iter().map(|(key, count)| PatternEntry { key: name(key), count: count.count, lost: count.lost }).collect()
}

/// The answer to the id of a card that is not there.
pub fn no_card() -> Message {
    message!("This exercise is not in the deck any more.")
}

/// A card of a position that no game has, after these moves from a start position.
pub fn plain_card(
    kind: CardKind,
    position: &Position,
    start: &Position,
    moves: Vec<Move>,
    rules: RuleSet,
    title: String,
) -> Card {
    Card {
        fen: Some(start.fen().into_boxed_str()),
        rules,
        chance: 0.0,
        game: CardGame { title, ..CardGame::default() },
        added: date::unix_seconds(),
        ..Card::new(kind, position, moves)
    }
}

/// Puts a card into the deck, or brings back the one that was dropped; nothing if it is there.
pub fn bring_card(deck: &DeckGuard, card: Card) -> Option<Event> {
    if !deck.get().has_known(card.id) {
        return Some(Event::Card(Box::new(card)));
    }
    deck.get().get(card.id).is_none().then(|| drop_card(deck, card.id, false))
}

pub fn drop_card(deck: &DeckGuard, id: CardId, is_dropped: bool) -> Event {
    let edit = CardEdit { dropped: Some(is_dropped), ..CardEdit::default() };
    deck.get().edit(id, edit, date::unix_seconds(), deck.device())
}
