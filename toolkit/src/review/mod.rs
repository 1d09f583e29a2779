//! A game looked through by the engine: where it turned, what would have been better, and how the two sides played.
//!
//! * `study` searches every position, backwards, so that what comes later is remembered when it is needed;
//! * `chance` turns scores into chances, by which moves are weighed; `opening` knows what an opening is called;
//! * `judging` says of each move what it cost and what it missed, `summary` of each side how it played;
//! * `words` says all that in Chinese and English; `table` on a terminal, `notes` as a game with comments, `json` for
//!   scripts, `page` for a browser.

mod chance;
mod json;
mod judging;
mod notes;
mod opening;
mod page;
mod study;
mod summary;
mod text;
mod words;

pub use chance::{Standing, chance};
pub use json::{Document, Point, document, json, rounded};
pub use judging::{Event, Mark, Reviewed};
pub use notes::noted;
pub use opening::{Left, Opening};
pub use page::{MARK as PAGE_MARK, page};
pub use study::{Measure, Observer, Studied, Study, final_score, study};
pub use summary::Side;
pub use text::table;
pub use words::{percent, score_text, usual_notation};

use crate::record::Game;
use chuhe_engine::rules::Rules;
use chuhe_engine::types::Color;

/// A game with all that was found.
pub struct Review {
    pub game: Game,
    /// By whose law it was judged.
    pub rules: Rules,
    /// The positions, the beginning first; of an interrupted review the first ones are missing.
    pub positions: Vec<Option<Studied>>,
    pub moves: Vec<Reviewed>,
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// How the sides played.
    sides: [Side; 2],
    /// The moves that decided it, by number in the list, in their order.
    pub decisive: Vec<usize>,
}

impl Review {
    /// Weighs what was found about a game.
    pub fn of(game: Game, rules: Rules, study: Study) -> Review {
        let opening = opening::of_game(&game);
        let moves = judging::judge(&game, &rules, &study, opening.as_ref());
        let sides = Color::ALL.map(|color| Side::of(color, &moves));
        let decisive = summary::decisive(&moves);
        Review { game, rules, positions: study.positions, moves, opening, sides, decisive }
    }

    /// How a side played.
    pub fn side(&self, color: Color) -> &Side {
        &self.sides[color]
    }

    /// Whether every position was searched.
    pub fn is_complete(&self) -> bool {
        self.positions.iter().all(Option::is_some)
    }

    /// The name of a player, if the game says it.
    pub fn player(&self, color: Color) -> Option<&str> {
        let names = if color == Color::Red { ["Red", "White"] } else { ["Black", "Black"] };
        names
            .iter()
            .find_map(|name| self.game.tag(name))
            .map(str::trim)
            .filter(|name| !matches!(*name, "" | "?"))
    }
}
