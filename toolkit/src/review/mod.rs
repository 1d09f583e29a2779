//! A game looked through by the engine: where it turned, what would have been better, and how the two sides played.
//!
//! * `game_analysis` searches every position, backwards, so that what comes later is remembered when it is needed;
//! * `assessment` turns scores into chances, by which moves are weighed; `opening` knows what an opening is called;
//! * `judging` says of each move what it cost and what it missed, `summary` of each side how it played;
//! * `phrases` says all that in Chinese and English; `table` on a terminal, `annotations` as a game with comments, `json` for
//!   scripts, `page` for a browser.

mod annotations;
mod assessment;
mod game_analysis;
mod json;
mod judging;
mod page;
mod phrases;
mod summary;
mod text;

pub use annotations::annotate;
pub use assessment::{Assessment, expected_score};
pub use game_analysis::{AnalysedPosition, AnalysisLimits, AnalysisObserver, GameAnalysis, analyse_game, final_score};
pub use json::{ReviewDocument, ScorePoint, document, json, round_to};
pub use judging::{MoveEvent, MoveQuality, ReviewedMove};
pub use page::{GENERATOR_META as PAGE_MARK, page};
pub use phrases::{default_notation, percent, score_text};
pub use summary::SideSummary;
pub use text::table;

use crate::book::opening_names::{self, OpeningName};
use crate::record::Game;
use chuhe_engine::language::Language;
use chuhe_engine::rules::Rules;
use chuhe_engine::types::Color;

/// A game with all that was found.
pub struct Review {
    pub game: Game,
    /// By whose law it was judged.
    pub rules: Rules,
    /// The positions, the beginning first; of an interrupted review the first ones are missing.
    pub positions: Vec<Option<AnalysedPosition>>,
    pub moves: Vec<ReviewedMove>,
    /// The opening, if it has a name.
    pub opening: Option<OpeningInfo>,
    /// How the sides played.
    sides: [SideSummary; 2],
    /// The moves that decided it, by number in the list, in their order.
    pub decisive: Vec<usize>,
}

impl Review {
    /// Weighs what was found about a game.
    pub fn of(game: Game, rules: Rules, study: GameAnalysis) -> Review {
        let opening = of_game(&game);
        let moves = judging::judge_moves(&game, &rules, &study, opening.as_ref());
        let sides = Color::ALL.map(|color| SideSummary::of(color, &moves));
        let decisive = summary::decisive_moves(&moves);
        Review { game, rules, positions: study.positions, moves, opening, sides, decisive }
    }

    /// How a side played.
    pub fn side(&self, color: Color) -> &SideSummary {
        &self.sides[color]
    }

    /// Whether every position was searched.
    pub fn is_complete(&self) -> bool {
        self.positions.iter().all(Option::is_some)
    }

    /// The name of a player, if the game says it.
    pub fn player(&self, color: Color) -> Option<&str> {
        let names = if color == Color::Red { ["Red", "White"] } else { ["Black", "Black"] };
        names.iter().find_map(|name| self.game.tag(name)).map(str::trim).filter(|name| !matches!(*name, "" | "?"))
    }
}

/// A name in both languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningInfo {
    /// As Chinese players say it.
    pub chinese: &'static str,
    /// The same for the world.
    pub english: &'static str,
    /// Where the game left it.
    pub exit: OpeningExit,
}

impl OpeningInfo {
    /// What the reader calls it.
    pub fn name(&self) -> &'static str {
        if Language::current() == Language::CHINESE { self.chinese } else { self.english }
    }
}

/// The first move that no longer belongs to an opening with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningExit {
    /// The moves before it.
    pub plies: usize,
}

/// The name of the latest position of a game that has one.
pub fn of_game(game: &Game) -> Option<OpeningInfo> {
    let mut position = game.start().clone();
    let mut found = None;
    for (index, node) in game.main_line_nodes().enumerate() {
        position.make_unchecked(node.mv());
        if let Some(OpeningName { chinese, english }) = opening_names::name_of_position(&position) {
            found = Some(OpeningInfo { chinese, english, exit: OpeningExit { plies: index + 1 } });
        }
    }
    found
}
