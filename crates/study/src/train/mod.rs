//! Training on one's own mistakes: cards, their answers, and when they are due.
//!
//! * A `card` is a position in which the person erred; it is made of a reviewed game, and judges a move that was tried.
//! * An `event` is a card, an answer or a change. A `deck` follows from the set of its events; `file` keeps them, takes in
//!   those of another device, and gives them away. An event says on which day its card is due.
//! * `endings` are played out against a perfect defence, `rulings` ask who loses by repetition.
//! * `pattern` counts where the mistakes are made, and says how strong the person is in tactics; `sheet` prints exercises.

mod card;
mod deck;
pub mod endings;
mod event;
mod file;
mod pattern;
pub mod rulings;
mod sheet;

pub use card::{
    Card, CardGame, CardId, CardKind, LEAST_LOSS, MistakeCards, MistakeChoice, RIGHT_LOSS, Trial, TrialError,
    cards_of_review, is_mistake, judge, reasons_text,
};
pub use deck::{CardFilter, CardState, Deck, OpeningLines, TodaysCards, in_order, opening_cards};
pub use event::{
    Answer, AnswerRating, CardEdit, Day, DeviceId, EditStamp, EndingPass, Event, OpeningMoves, ReviewedGame,
    TacticAnswer, TacticRun, TriedMove,
};
pub use file::{DeckError, DeckFile, DeckGuard, ImportCount};
pub use pattern::{
    LEAST_MOVES, MistakeCount, MonthOfPlay, Pattern, RatedGame, Rating, month_of, months_of_play, what_became_better,
};
pub use sheet::{ExerciseSheet, MAX_EXERCISES, PerPage, SHEET_MARK};

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
