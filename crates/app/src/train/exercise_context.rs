//! What stands beside an exercise: the moves of its game around the question, its curve, and earlier answers.

use super::Train;
use super::views::{NamedMove, named_line, no_card};
use crate::library::record::GameId;
use chuhe_study::review::Review;
use chuhe_study::train::{Answer, Card, CardId};
use chuhe_support::language::Message;
use serde::Serialize;
use xiangqi::Move;
use xiangqi_record::Game;

/// The plies before and after the question.
const BEFORE: usize = 8;
const AFTER: usize = 8;

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExerciseContext {
    /// The plies of the game before the first of the moves.
    from: usize,
    moves: Vec<NamedMove>,
    /// Red's chance after each ply, from the beginning; nothing if no review of the game is kept.
    curve: Vec<f64>,
    answers: Vec<EarlierAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct EarlierAnswer {
    day: String,
    right: bool,
    /// The move that was tried, once the question is answered.
    tried: Option<NamedMove>,
}

impl Train {
    /// What stands beside a card. Before it is answered nothing is told of what came after its position.
    pub fn context(&self, id: CardId, is_answered: bool) -> Result<ExerciseContext, Message> {
        let (card, answers) = {
            let deck = self.store.deck().deck();
            let (card, state) = deck.get().get(id).ok_or_else(no_card)?;
            let position = card.position().filter(|_| is_answered);
            let tried = |answer: &Answer| {
                let (position, mv) = (position.as_ref()?, state.tried(answer)?);
                position.is_legal(mv).then(|| NamedMove::of(position, mv))
            };
            let answer = |answer: &Answer| {
                let right = answer.rating.is_right();
                EarlierAnswer { day: answer.day().to_string(), right, tried: tried(answer) }
            };
            (card.clone(), state.own_answers().map(answer).collect())
        };
        let start = card.start().ok_or_else(no_card)?;
        let ply = card.moves.len();
        let game = self.game_of(&card);
        let mut moves = card.moves.clone();
        if is_answered {
            moves.extend(card.played);
            if let Some(game) = &game {
                moves = game.moves().take(ply + AFTER).collect();
            }
        }
        let told = if is_answered { usize::MAX } else { ply + 1 };
        let review = game.and_then(|game| self.store.library().reviews().of_game(&game).ok().flatten());
        let curve = review.map_or_else(Vec::new, |(_, review)| curve(&review, told));
        let from = ply.saturating_sub(BEFORE);
        Ok(ExerciseContext { from, moves: named_line(&start, &moves).split_off(from), curve, answers })
    }

    /// The game of a card, if it is in the list and has the moves before the question still.
    fn game_of(&self, card: &Card) -> Option<Game> {
        let (game, _) = self.store.library().get(GameId::parse(&card.game.id)?).ok()?;
        let own: Vec<Move> = game.moves().take(card.moves.len()).collect();
        (own == card.moves && game.start().fen() == card.start()?.fen()).then_some(game)
    }
}

/// Red's chances, as long as they are known.
fn curve(review: &Review, most: usize) -> Vec<f64> {
    let chances = review.positions.iter().map_while(Option::as_ref);
    let red = chances.map(|position| position.standing.from_red(position.side).chance);
    red.take(most).map(|chance| (chance * 1000.0).round() / 1000.0).collect()
}
