//! Reviews a game: turning points, better moves, and how well both sides played.
//!
//! * `analysis` searches every position, the last one first, and converts scores to expected results, the unit of all losses;
//! * `judging` has the review, judges each move, and summarises each side;
//! * `phrases` holds the texts, and tells a reviewed game in a few sentences; the output is written by `text` for terminals and as a
//!   game with comments, `json` for scripts, which also builds a review again from what was kept of it, and `page` for browsers.

mod analysis;
mod json;
mod judging;
mod page;
mod phrases;
mod text;

pub use crate::player_names::{PlayerNames, PlayerNamesError, player_of};
pub use crate::reader::{default_notation, side_name};
pub(crate) use analysis::cut_at_game_end;
pub use analysis::{AnalysedPosition, Assessment, GameAnalysis, analyse_game, expected_score, final_score};
pub use json::{KeptReview, ReviewDocument, ScorePoint, SearchScores, json, round_to};
pub use judging::{MoveEvent, MoveQuality, OpeningInfo, Phase, Review, ReviewedMove, SideSummary, move_loss, phases};
pub use page::{GENERATOR_META as PAGE_MARK, page};
pub(crate) use page::{quality_class, result};
pub(crate) use phrases::{join_sentences, line_moves, remarks};
pub use phrases::{percent, player_name, score_text};
pub(crate) use text::{MAX_WIDTH, WIDE_LAYOUT_WIDTH};
pub use text::{annotate, table};
