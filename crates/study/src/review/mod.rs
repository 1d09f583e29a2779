//! Reviews a game: turning points, better moves, and how well both sides played.
//!
//! * `analysis` searches every position, the last one first, and converts scores to expected results, the unit of all losses;
//! * `judging` has the review, judges each move, and summarises each side;
//! * `several` summarises the reviews of many games, and shows them together;
//! * `phrases` holds the texts, and tells a reviewed game in a few sentences; the output is written by `text` for terminals and as a game with comments, `json` for scripts,
//!   which also builds a review again from what was kept of it, and `page` for browsers.

mod analysis;
mod json;
mod judging;
mod page;
mod phrases;
mod several;
mod text;

pub use crate::reader::default_notation;
pub(crate) use analysis::cut_at_game_end;
pub use analysis::{AnalysedPosition, Assessment, GameAnalysis, analyse_game, expected_score, final_score};
pub use json::{KeptReview, ReviewDocument, ScorePoint, SearchScores, json, round_to};
pub use judging::{MoveEvent, MoveQuality, OpeningInfo, Review, ReviewedMove, SideSummary, move_loss, player_of};
pub use page::{GENERATOR_META as PAGE_MARK, page};
pub use phrases::{percent, player_name, score_text, side_name};
pub use several::{
    CostlyMove, GamePlace, GamesPage, GamesSummary, Phase, PlayTally, PlayerNames, PlayerNamesError, RecurringNames,
    phases,
};
pub use text::{annotate, table};
