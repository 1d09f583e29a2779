//! Reviews a game: turning points, better moves, and how well both sides played.
//!
//! * `game_analysis` searches every position, the last one first;
//! * `assessment` converts scores to expected results, the unit of all losses;
//! * `judging` judges each move, `summary` each side;
//! * `several` summarises the reviews of many games, and shows them together; `kept` builds a review again from what was
//!   kept of it;
//! * `story` is a reviewed game in a few sentences.
//! * `phrases` holds the texts in Chinese and English; the output is written by `text` for terminals, `annotations` as
//!   a game with comments, `json` for scripts, and `page` for browsers.

mod annotations;
mod assessment;
mod game_analysis;
mod json;
mod judging;
mod kept;
mod page;
mod phrases;
mod several;
mod story;
mod summary;
mod text;

pub use crate::reader::default_notation;
pub use annotations::annotate;
pub use assessment::{Assessment, expected_score};
pub(crate) use game_analysis::cut_at_game_end;
pub use game_analysis::{AnalysedPosition, AnalysisLimits, AnalysisObserver, GameAnalysis, analyse_game, final_score};
pub use json::{ReviewDocument, ScorePoint, document, json, round_to};
pub use judging::{MoveEvent, MoveQuality, ReviewedMove, move_loss};
pub use kept::{KeptReview, SearchScores};
pub use page::{GENERATOR_META as PAGE_MARK, page};
pub use phrases::{percent, player_name, score_text, side_name};
pub use several::{
    CostlyMove, GamePlace, GamesPage, GamesSummary, Phase, PlayTally, PlayerNames, PlayerNamesError, RecurringNames,
    phases,
};
pub use summary::SideSummary;
pub use text::table;

use crate::book::opening_names::{self, OpeningName};
use crate::reasons::{KnownMates, Mistake, Reason, ReasonLimits, find_with_mates};
use chuhe_engine::Tablebase;
use chuhe_engine::score;
use chuhe_engine::search::Control;
use std::sync::Arc;
use xiangqi::{Color, Rules};
use xiangqi_record::Game;

/// The review of a game.
pub struct Review {
    pub game: Game,
    /// The rules of repetition used.
    pub rules: Rules,
    /// The positions in order; the first ones are missing if the review was interrupted.
    pub positions: Vec<Option<AnalysedPosition>>,
    pub moves: Vec<ReviewedMove>,
    /// The opening, if it has a name.
    pub opening: Option<OpeningInfo>,
    sides: [SideSummary; 2],
    /// The indices of the decisive moves, ascending.
    pub decisive: Vec<usize>,
}

impl Review {
    /// Builds the review from the analysis of a game.
    pub fn of(game: Game, rules: Rules, analysis: GameAnalysis) -> Review {
        let opening = OpeningInfo::of_game(&game);
        let moves = judging::judge_moves(&game, &rules, &analysis, opening.as_ref());
        let sides = Color::ALL.map(|color| SideSummary::of(color, &moves, &analysis.positions));
        let decisive = summary::decisive_moves(&moves);
        Review { game, rules, positions: analysis.positions, moves, opening, sides, decisive }
    }

    /// Looks for proofs why each mistake and blunder was one; false if the control has stopped it.
    pub fn find_reasons(&mut self, tables: Option<&Tablebase>, limits: &ReasonLimits, control: &Arc<Control>) -> bool {
        (0..self.moves.len()).for_each(|index| self.find_reasons_of(index, tables, limits, control));
        !control.stopped()
    }

    /// The same for the move of this index; once the control is stopped, there are none.
    pub fn find_reasons_of(
        &mut self,
        index: usize,
        tables: Option<&Tablebase>,
        limits: &ReasonLimits,
        control: &Arc<Control>,
    ) {
        let mark = self.moves[index].mark.filter(|_| !control.stopped());
        if matches!(mark, Some(MoveQuality::Mistake | MoveQuality::Blunder)) {
            self.moves[index].reasons = self.reasons_of(index, tables, limits, control);
        }
    }

    /// The reasons of a move; empty if it was the best one, or there is no proof.
    fn reasons_of(
        &self,
        index: usize,
        tables: Option<&Tablebase>,
        limits: &ReasonLimits,
        control: &Arc<Control>,
    ) -> Vec<Reason> {
        let reviewed = &self.moves[index];
        let mut position = self.game.start().clone();
        self.moves[..index].iter().for_each(|earlier| position.play_unchecked(earlier.mv));
        let refutation = self.positions.get(index + 1).and_then(Option::as_ref).map(|after| after.line.as_slice());
        let mistake = Mistake {
            position: &position,
            played: reviewed.mv,
            best: &reviewed.better_line,
            refutation: refutation.unwrap_or_default(),
            rules: self.rules,
        };
        let mate = |index: usize| {
            let score = self.positions.get(index)?.as_ref()?.standing.score;
            score::mate_plies(score).and_then(|plies| u32::try_from(plies).ok())
        };
        let known = KnownMates { after: mate(index + 1), before: mate(index) };
        find_with_mates(&mistake, known, tables, limits, control)
    }

    /// The summary of a side.
    pub fn side(&self, color: Color) -> &SideSummary {
        &self.sides[color]
    }

    /// The nodes of a searched position on average; accuracies of few nodes cannot be compared with those of many.
    pub fn mean_nodes(&self) -> u64 {
        let searched: Vec<u64> =
            self.positions.iter().flatten().map(|position| position.nodes).filter(|&nodes| nodes > 0).collect();
        searched.iter().sum::<u64>() / searched.len().max(1) as u64
    }

    /// Whether every position was searched.
    pub fn is_complete(&self) -> bool {
        self.positions.iter().all(Option::is_some)
    }

    /// The name of a player, if the game gives it.
    pub fn player(&self, color: Color) -> Option<&str> {
        player_of(&self.game, color)
    }
}

/// The name of a player of a game, if the game gives it.
pub fn player_of(game: &Game, color: Color) -> Option<&str> {
    let names = if color == Color::Red { ["Red", "White"] } else { ["Black", "Black"] };
    names.iter().find_map(|name| game.tag(name)).map(str::trim).filter(|name| !matches!(*name, "" | "?"))
}

/// The opening of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningInfo {
    pub chinese: &'static str,
    pub english: &'static str,
    /// The number of moves before the game left it.
    pub plies: usize,
}

impl OpeningInfo {
    /// The opening of a game: its latest named position.
    pub fn of_game(game: &Game) -> Option<OpeningInfo> {
        let mut position = game.start().clone();
        let mut found = None;
        for (index, mv) in game.moves().enumerate() {
            position.play_unchecked(mv);
            if let Some(OpeningName { chinese, english }) = opening_names::name_of_position(&position) {
                found = Some(OpeningInfo { chinese, english, plies: index + 1 });
            }
        }
        found
    }

    /// The name in the current language.
    pub fn name(&self) -> &'static str {
        OpeningName { chinese: self.chinese, english: self.english }.localized()
    }
}
