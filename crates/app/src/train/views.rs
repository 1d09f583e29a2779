//! What pages are sent of exercises. A question holds nothing that tells its answer.

use chuhe_study::book::opening_names;
use chuhe_study::reader::move_name;
use chuhe_study::reasons::Reason;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::{
    Card, CardKind, CardState, MistakeCount, MonthOfPlay, Pattern, reasons_text, what_became_better,
};
use chuhe_support::language::{Message, Phrase, tr};
use chuhe_support::messages::Localize;
use serde::Serialize;
use xiangqi::{Color, Move, Position, Rules};

/// The move of a request.
pub fn parse_move(text: &str) -> Result<Move, Message> {
    text.parse().map_err(Message::from_value)
}

/// A move with its names.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// Reasons why a move is a mistake; nothing without a proof.
pub fn reasons_of_move(reasons: &[Reason], position: &Position, played: Move) -> Option<String> {
    reasons_text(reasons, position, played).filter(|text| !text.is_empty())
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainQuestion"))]
pub struct QuestionView {
    id: String,
    #[cfg_attr(feature = "typescript", ts(type = "CardKind"))]
    kind: CardKind,
    deck: String,
    fen: String,
    moves: Vec<String>,
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    side: Color,
    ply: usize,
    move_number: u32,
    /// Who played it, unless the person did.
    player: Option<String>,
    played: Option<NamedMove>,
    /// The name of the opening whose move is asked for.
    opening: Option<String>,
    lost: f64,
    game: GameView,
    flagged: bool,
    note: String,
    answers: usize,
    number: usize,
    count: usize,
    legal: Vec<String>,
    check: Option<String>,
    forbidden: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CardGame"))]
struct GameView {
    id: Option<String>,
    title: String,
    date: String,
}

impl QuestionView {
    /// The question of a card, unless its position is damaged.
    pub fn of(
        card: &Card,
        state: &CardState,
        me: Option<&[String]>,
        [number, count]: [usize; 2],
    ) -> Option<QuestionView> {
        let position = card.position()?;
        let is_me = |name: &str| me.is_none_or(|me| PlayerNames::new(me).unwrap_or_default().include(name));
        let (game, is_opening) = (&card.game, card.kind == CardKind::Opening);
        Some(QuestionView {
            id: card.id.to_string(),
            kind: card.kind,
            deck: state.deck().to_string(),
            fen: card.start()?.fen(),
            moves: texts(&card.moves),
            side: card.side,
            ply: card.moves.len(),
            move_number: card.move_number(),
            player: card.player().filter(|name| !is_me(name)).map(str::to_string),
            played: card.played.map(|mv| NamedMove::of(&position, mv)),
            opening: opening_names::name_of_game(&position)
                .filter(|_| is_opening)
                .map(|name| name.localized().to_string()),
            lost: card.lost,
            game: GameView {
                id: Some(game.id.clone()).filter(|id| !id.is_empty()),
                title: Some(game.title.clone()).filter(|_| !is_opening).unwrap_or_default(),
                date: game.date.clone(),
            },
            flagged: state.is_flagged(),
            note: state.note().to_string(),
            answers: state.own_answers().count(),
            number,
            count,
            legal: position.legal_moves().into_iter().map(|mv| mv.to_string()).collect(),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
            forbidden: texts(&Rules::new(card.rules).losing_moves(&position)),
        })
    }
}

/// A card in the list.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainCard"))]
pub struct CardRow {
    id: String,
    #[cfg_attr(feature = "typescript", ts(type = "CardKind"))]
    kind: CardKind,
    deck: String,
    /// The game, or else the opening.
    title: String,
    opening: Option<String>,
    date: String,
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    side: Color,
    player: Option<String>,
    move_number: u32,
    played: Option<NamedMove>,
    lost: f64,
    due: Option<String>,
    answers: usize,
    flagged: bool,
    note: String,
    fen: String,
    moves: Vec<String>,
}

impl CardRow {
    pub fn of(card: &Card, state: &CardState) -> CardRow {
        let position = card.position();
        let is_opening = card.kind == CardKind::Opening;
        let opening = position.as_ref().filter(|_| is_opening).and_then(opening_names::name_of_game);
        CardRow {
            id: card.id.to_string(),
            kind: card.kind,
            deck: state.deck().to_string(),
            title: if is_opening { String::new() } else { card.game.title.clone() },
            opening: opening.map(|name| name.localized().to_string()),
            date: card.game.date.clone(),
            side: card.side,
            player: card.player().map(str::to_string),
            move_number: card.move_number(),
            played: position.as_ref().and_then(|position| Some(NamedMove::of(position, card.played?))),
            lost: card.lost,
            due: state.due().map(|day| day.to_string()),
            answers: state.own_answers().count(),
            flagged: state.is_flagged(),
            note: state.note().to_string(),
            fen: card.start().map(|start| start.fen()).unwrap_or_default(),
            moves: texts(&card.moves),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainPattern"))]
pub struct PatternView {
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
    play: Vec<MonthView>,
    better: Vec<String>,
    /// The numbers of the week in tactics.
    tactics: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct MonthView {
    month: String,
    games: usize,
    accuracy: Option<f64>,
    causes: Vec<(String, usize)>,
}

impl MonthView {
    fn of(month: &MonthOfPlay) -> MonthView {
        let cause = |(cause, count): &(Phrase, usize)| (cause.to_string(), *count);
        MonthView {
            month: month.month.clone(),
            games: month.games,
            accuracy: month.accuracy,
            causes: month.causes.iter().map(cause).collect(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct PatternEntry {
    key: String,
    count: usize,
    lost: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct AnswerDay {
    day: String,
    right: usize,
    wrong: usize,
}

impl PatternView {
    pub fn of(pattern: &Pattern, months: &[MonthOfPlay], tactics: Option<String>) -> PatternView {
        PatternView {
            play: months.iter().map(MonthView::of).collect(),
            better: what_became_better(months),
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
    Message::of(|| tr!("This exercise is not in the deck any more."))
}
