//! What pages are sent of exercises. A question holds nothing that tells its answer.

use crate::game_session::{Choices, texts};
use chuhe_study::book::opening_names;
use chuhe_study::reader::move_name;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::{
    Card, CardEdit, CardGame, CardId, CardKind, CardState, DeckGuard, Event, MistakeCount, MonthOfPlay, Pattern,
    what_became_better,
};
use chuhe_support::date;
use chuhe_support::language::{Message, message};
use chuhe_support::messages::Localize;
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

/// What a question and the list tell of a card.
#[derive(Serialize, crate::TS)]
pub struct CardView {
    id: String,
    #[ts(type = "CardKind")]
    kind: CardKind,
    deck: String,
    fen: String,
    moves: Vec<String>,
    #[ts(type = "Side")]
    side: Color,
    move_number: u32,
    player: Option<String>,
    played: Option<NamedMove>,
    /// The name of the opening whose move is asked for.
    opening: Option<String>,
    lost: f64,
    flagged: bool,
    note: String,
    answers: usize,
}

impl CardView {
    fn of(card: &Card, state: &CardState) -> CardView {
        let position = card.position();
        let opening = position.as_ref().filter(|_| card.kind == CardKind::Opening);
        let opening = opening.and_then(opening_names::name_of_game);
        CardView {
            id: card.id.to_string(),
            kind: card.kind,
            deck: state.deck().to_string(),
            fen: card.start().map(|start| start.fen()).unwrap_or_default(),
            moves: texts(&card.moves),
            side: card.side,
            move_number: card.move_number(),
            player: card.player().map(str::to_string),
            played: position.as_ref().and_then(|position| Some(NamedMove::of(position, card.played?))),
            opening: opening.map(|name| name.localized().to_string()),
            lost: card.lost,
            flagged: state.is_flagged(),
            note: state.note().to_string(),
            answers: state.own_answers().count(),
        }
    }
}

/// The game of a card, or nothing for an opening.
fn title(card: &Card) -> String {
    if card.kind == CardKind::Opening { String::new() } else { card.game.title.clone() }
}

#[derive(Serialize, crate::TS)]
pub struct TrainQuestion {
    /// The player is told unless the person is.
    #[serde(flatten)]
    card: CardView,
    ply: usize,
    game: GameView,
    number: usize,
    count: usize,
    #[serde(flatten)]
    choices: Choices,
}

#[derive(Serialize, crate::TS)]
#[ts(rename = "CardGame")]
struct GameView {
    id: Option<String>,
    title: String,
    date: String,
}

impl TrainQuestion {
    /// The question of a card, unless its position is damaged.
    pub fn of(
        card: &Card,
        state: &CardState,
        me: Option<&[String]>,
        [number, count]: [usize; 2],
    ) -> Option<TrainQuestion> {
        let position = card.position()?;
        let is_me = |name: &String| me.is_none_or(|me| PlayerNames::new(me).unwrap_or_default().include(name));
        let mut view = CardView::of(card, state);
        view.player = view.player.filter(|name| !is_me(name));
        let game = &card.game;
        Some(TrainQuestion {
            card: view,
            ply: card.moves.len(),
            game: GameView {
                id: Some(game.id.clone()).filter(|id| !id.is_empty()),
                title: title(card),
                date: game.date.clone(),
            },
            number,
            count,
            choices: Choices::of(&position, &Rules::new(card.rules)),
        })
    }
}

/// A card in the list.
#[derive(Serialize, crate::TS)]
pub struct TrainCard {
    #[serde(flatten)]
    card: CardView,
    title: String,
    date: String,
    due: Option<String>,
}

impl TrainCard {
    pub fn of(card: &Card, state: &CardState) -> TrainCard {
        TrainCard {
            card: CardView::of(card, state),
            title: title(card),
            date: card.game.date.clone(),
            due: state.due().map(|day| day.to_string()),
        }
    }
}

#[derive(Serialize, crate::TS)]
pub struct TrainPattern {
    mistakes: usize,
    lost: f64,
    games: usize,
    phases: Vec<PatternEntry>,
    openings: Vec<PatternEntry>,
    pieces: Vec<PatternEntry>,
    reasons: Vec<PatternEntry>,
    months: Vec<PatternEntry>,
    answers: Vec<AnswerDay>,
    right: Option<f64>,
    /// The months of the person's games, and what has become better.
    #[ts(type = "MonthOfPlay[]")]
    play: Vec<MonthOfPlay>,
    better: Vec<String>,
    /// The numbers of the week in tactics.
    tactics: Option<String>,
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

impl TrainPattern {
    pub fn of(pattern: &Pattern, play: Vec<MonthOfPlay>, tactics: Option<String>) -> TrainPattern {
        TrainPattern {
            better: what_became_better(&play),
            play,
            mistakes: pattern.all.count,
            lost: pattern.all.lost,
            games: pattern.games,
            phases: entries(&pattern.phases, |phase| phase.name().to_string()),
            openings: entries(&pattern.openings, |&opening| opening.localized().to_string()),
            pieces: entries(&pattern.pieces, |&kind| kind.localized()),
            reasons: entries(&pattern.causes, |cause| cause.to_string()),
            months: entries(&pattern.months, String::clone),
            answers: pattern
                .days
                .iter()
                .map(|(day, [right, wrong])| AnswerDay { day: day.to_string(), right: *right, wrong: *wrong })
                .collect(),
            right: pattern.right_share(),
            tactics,
        }
    }
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
