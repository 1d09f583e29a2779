//! Which games a question is about.

use super::game_facts::{GameDate, GameFacts};
use crate::review::PlayerNames;
use xiangqi::Color;
use xiangqi_record::GameResult;

/// Which games count. Without a wish all do.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// A player who took part.
    pub player: Option<PlayerNames>,
    /// The side of that player; without a player it says nothing.
    pub colour: Option<Color>,
    pub since: Option<GameDate>,
    pub until: Option<GameDate>,
    /// Any of these results; empty = all.
    pub results: Vec<GameResult>,
    /// A part of the path of the file.
    pub source: Option<String>,
}

impl GameFilter {
    /// Whether all games count.
    pub fn is_empty(&self) -> bool {
        self.player.is_none()
            && self.since.is_none()
            && self.until.is_none()
            && self.results.is_empty()
            && self.source.is_none()
    }

    /// Whether a game of this file counts.
    pub fn includes(&self, game: &GameFacts, source: &str) -> bool {
        let is_player = |color, name: &str| self.may_be(color) && self.is_named(name);
        self.includes_result(game.result, game.date)
            && (self.player.is_none() || is_player(Color::Red, &game.red) || is_player(Color::Black, &game.black))
            && self.includes_source(source)
    }

    pub(super) fn includes_result(&self, result: GameResult, date: GameDate) -> bool {
        (self.results.is_empty() || self.results.contains(&result))
            && self.since.is_none_or(|since| date.may_be_since(since))
            && self.until.is_none_or(|until| date.may_be_until(until))
    }

    pub(super) fn includes_source(&self, source: &str) -> bool {
        self.source.as_deref().is_none_or(|wanted| source.contains(wanted))
    }

    /// Whether the player may have had this side.
    pub(super) fn may_be(&self, color: Color) -> bool {
        self.colour.is_none_or(|wanted| wanted == color)
    }

    /// Whether this is a name of the player.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.player.as_ref().is_none_or(|player| !name.is_empty() && player.include(name))
    }
}
