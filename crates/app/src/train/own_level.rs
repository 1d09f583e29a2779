//! The strength of the person by the games against the engine on this board: their results, and the accuracy where a game was
//! reviewed.

use super::Train;
use chuhe_study::player::Strength;
use chuhe_study::train::{LEAST_MOVES, RatedGame, Rating};
use serde::Serialize;

/// How the names of the engine begin.
const ENGINE: &str = "Chuhe ";
/// The last games count.
const MOST_GAMES: usize = 60;
/// Where a person begins who was not asked, and the range of what is told.
const FIRST: u16 = 1450;
const RANGE: (f64, f64) = (1000.0, 3500.0);

/// The strength of the person among the levels.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnLevel {
    elo: u16,
    deviation: u16,
    games: usize,
}

impl Train {
    /// The strength of the person by the games so far, who began here.
    pub fn own_level(&self, first: Option<u16>) -> OwnLevel {
        let first = first.unwrap_or(FIRST);
        let mut games: Vec<RatedGame> = self.library().last_played(MOST_GAMES, |about, accuracies| {
            // What was played with help is no measure.
            let strength: Strength = about.level.parse().ok().filter(|_| !about.helped)?;
            let [is_red, is_black] = [&about.black, &about.red].map(|name| name.starts_with(ENGINE));
            let red = match about.result.as_str() {
                "1-0" => 1.0,
                "0-1" => 0.0,
                "1/2-1/2" => 0.5,
                _ => return None,
            };
            let (score, accuracy) = if is_red { (red, accuracies[0]) } else { (1.0 - red, accuracies[1]) };
            let accuracy = accuracy.filter(|_| about.moves >= 2 * LEAST_MOVES);
            (is_red != is_black).then_some(RatedGame { opponent: strength.elo()? as f64, score, accuracy })
        });
        // The latest comes first.
        games.reverse();
        let count = games.len();
        let rating = Rating::after_games(f64::from(first).clamp(RANGE.0, RANGE.1), games);
        let elo = 10.0 * (rating.number.clamp(RANGE.0, RANGE.1) / 10.0).round();
        OwnLevel { elo: elo as u16, deviation: rating.deviation.round() as u16, games: count }
    }
}
