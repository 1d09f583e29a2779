//! Training on one's own mistakes: cards, their answers, and when they are due.
//!
//! * A `card` is a position in which the person erred; `from_review` makes cards of a reviewed game.
//! * An `event` is a card, an answer or a change. A `deck` follows from the set of its events; `file` keeps them, takes in
//!   those of another device, and gives them away.
//! * `schedule` says on which day a card is due; `trial` judges a move that was tried.
//! * `endings` are played out against a perfect defence, `rulings` ask who loses by repetition.
//! * `rating` says how strong the person is in tactics.
//! * `pattern` counts where the mistakes are made; `sheet` prints exercises.

mod card;
mod deck;
pub mod endings;
mod event;
mod file;
mod from_review;
mod pattern;
mod rating;
pub mod rulings;
mod schedule;
mod sheet;
mod trial;

pub use card::{Card, CardGame, CardId, CardKind, reasons_text};
pub use deck::{CardFilter, CardState, Deck, OpeningLines, TodaysCards, in_order};
pub use event::{
    Answer, AnswerRating, CardEdit, Day, DeviceId, EditStamp, EndingPass, Event, OpeningMoves, ReviewedGame,
    TacticAnswer, TacticRun, TriedMove,
};
pub use file::{DeckError, DeckFile, DeckGuard, ImportCount};
pub use from_review::{LEAST_LOSS, MistakeCards, MistakeChoice, cards_of_review, is_mistake};
pub use pattern::{MistakeCount, MonthOfPlay, Pattern, month_of, months_of_play, what_became_better};
pub use rating::{LEAST_MOVES, RatedGame, Rating};
pub use sheet::{ExerciseSheet, MAX_EXERCISES, PerPage, SHEET_MARK};
pub use trial::{RIGHT_LOSS, Trial, TrialError, judge};

use xiangqi::Move;
use xiangqi_record::Game;

/// The hash of a game, by which it is known that it was reviewed: of its start and its moves, whatever its tags say.
pub fn game_hash(game: &Game) -> CardId {
    let [mut hash, prime]: [u64; 2] = [0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3];
    let start = game.start().key().to_le_bytes();
    let moves = game.moves().flat_map(|mv: Move| mv.to_string().into_bytes());
    for byte in start.into_iter().chain(moves) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(prime);
    }
    CardId(hash)
}
