//! Playing strength: levels, the skill of the searcher, and the corresponding Elo numbers.

use chuhe_support::language::{Language, Phrase, phrase, tr};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The lowest Elo number that can be set; skill 0.
pub const MIN_ELO: i64 = 1000;
/// Full strength; skill 20.
pub const MAX_ELO: i64 = 3500;

/// Skill and the corresponding Elo number, as measured in `docs/levels.md`.
const SKILL_ELO_TABLE: [(f32, i64); 9] = [
    (0.0, MIN_ELO),
    (2.0, 1450),
    (4.0, 1690),
    (6.0, 1910),
    (8.0, 2160),
    (10.0, 2460),
    (12.0, 2780),
    (14.0, 3070),
    (20.0, MAX_ELO),
];

/// The level of full strength.
pub const MAX_LEVEL: u8 = 20;
/// The Elo numbers that can be set.
const ELO_RANGE: RangeInclusive<u16> = MIN_ELO as u16..=MAX_ELO as u16;
/// The default time per move at full strength.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(3);
/// The maximum time per move in seconds.
const MAX_MOVE_SECONDS: f64 = 86_400.0;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    /// From 1 for beginners to 20 for full strength.
    Level(u8),
    /// An approximate Elo number.
    Elo(u16),
    /// Full strength with this time per move.
    Time(Duration),
}

impl Default for Strength {
    fn default() -> Strength {
        Strength::Level(8)
    }
}

impl Strength {
    /// The `skill` option of the searcher.
    pub fn skill(self) -> f32 {
        match self {
            Strength::Level(level) => level.into(),
            Strength::Elo(elo) => skill_of_elo(elo.into()),
            Strength::Time(_) => MAX_LEVEL.into(),
        }
    }

    /// The class of human player that roughly corresponds to this strength, derived from Elo among engines.
    pub fn class(self) -> Phrase {
        match self.skill() {
            skill if skill < 2.0 => phrase!("a beginner"),
            skill if skill < 5.0 => phrase!("a casual player"),
            skill if skill < 8.0 => phrase!("a good club player"),
            skill if skill < 10.0 => phrase!("a strong club player"),
            skill if skill < 14.0 => phrase!("a master"),
            skill if skill < 20.0 => phrase!("stronger than masters"),
            _ => phrase!("all it can"),
        }
    }

    /// The Elo number among engines that corresponds to this strength; the one of full strength depends on the machine.
    pub fn elo(self) -> Option<i64> {
        match self {
            Strength::Level(MAX_LEVEL) | Strength::Time(_) => None,
            Strength::Level(level) => Some(elo_of_skill(level.into())),
            Strength::Elo(elo) => Some(elo.into()),
        }
    }

    /// The words that make this strength, as they are typed, in the language of the user.
    pub fn describe(self) -> String {
        match self {
            Strength::Level(level) => tr!("level {level}", level),
            Strength::Elo(elo) => tr!("elo {elo}", elo),
            Strength::Time(time) => tr!("time {seconds}", seconds = time.as_secs_f64()),
        }
    }

    /// The strength as a person says it.
    pub fn in_words(self) -> String {
        match self {
            Strength::Level(level) => tr!("level {level}", level),
            Strength::Elo(elo) => tr!("Elo {elo}", elo),
            Strength::Time(time) => tr!("{seconds} seconds a move", seconds = time.as_secs_f64()),
        }
    }

    /// The time per move in a game without a clock; `None` where only the skill limits the search.
    pub fn move_time(self) -> Option<Duration> {
        match self {
            Strength::Time(time) => Some(time),
            _ if self.skill() >= MAX_LEVEL.into() => Some(DEFAULT_MOVE_TIME),
            _ => None,
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Language::ENGLISH.with(|| self.describe()))
    }
}

/// A text that is not a strength.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("expected level 1 to 20, elo 1000 to 3500, or time and the seconds for a move"))]
pub struct StrengthError;

impl FromStr for Strength {
    type Err = StrengthError;

    fn from_str(text: &str) -> Result<Strength, StrengthError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let strength = match words[..] {
            ["level", level] => level.parse().ok().filter(|level| (1..=MAX_LEVEL).contains(level)).map(Strength::Level),
            ["elo", elo] => elo.parse().ok().filter(|elo| ELO_RANGE.contains(elo)).map(Strength::Elo),
            ["time", seconds] => parse_seconds(seconds).map(Strength::Time),
            _ => None,
        };
        strength.ok_or(StrengthError)
    }
}

/// The skill for an Elo number, interpolated.
pub fn skill_of_elo(elo: i64) -> f32 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = SKILL_ELO_TABLE.iter().position(|&(_, rung)| rung >= elo).unwrap_or(SKILL_ELO_TABLE.len() - 1).max(1);
    let ((low, from), (high, to)) = (SKILL_ELO_TABLE[above - 1], SKILL_ELO_TABLE[above]);
    low + (high - low) * (elo - from) as f32 / (to - from) as f32
}

/// The Elo number of a skill, interpolated and rounded to ten.
fn elo_of_skill(skill: f32) -> i64 {
    let above = SKILL_ELO_TABLE.iter().position(|&(rung, _)| rung >= skill).unwrap_or(SKILL_ELO_TABLE.len() - 1).max(1);
    let ((low, from), (high, to)) = (SKILL_ELO_TABLE[above - 1], SKILL_ELO_TABLE[above]);
    let elo = from as f32 + (to - from) as f32 * (skill - low) / (high - low);
    10 * (elo / 10.0).round() as i64
}

fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (seconds > 0.0 && seconds <= MAX_MOVE_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_an_elo_number_of_its_own() {
        let numbers: Vec<Option<i64>> = (1..=MAX_LEVEL).map(|level| Strength::Level(level).elo()).collect();
        assert_eq!((numbers[1], numbers[2], numbers[7], numbers[19]), (Some(1450), Some(1570), Some(2160), None));
        assert!(numbers[..19].is_sorted_by(|one, next| one < next), "{numbers:?}");
        let number = f64::from(skill_of_elo(1570));
        assert!((number - 3.0).abs() < 0.1, "{number}");
    }

    #[test]
    fn strength_parses_levels_elo_and_time() {
        for text in ["level 1", "level 20", "elo 1000", "elo 1850", "time 0.25", "time 30"] {
            assert_eq!(text.parse::<Strength>().map(|strength| strength.to_string()), Ok(text.to_string()));
        }
        for text in ["", "level", "level 0", "level 21", "elo 999", "time 0", "time nan", "time -1", "time 1e9", "20"] {
            assert_eq!(text.parse::<Strength>(), Err(StrengthError), "{text}");
        }
    }

    #[test]
    fn skill_increases_with_elo() {
        let skills: Vec<f32> = (MIN_ELO..=MAX_ELO).step_by(50).map(skill_of_elo).collect();
        assert!(skills.is_sorted_by(|weaker, stronger| weaker < stronger), "{skills:?}");
        assert_eq!((skills[0], skills[skills.len() - 1]), (0.0, 20.0));
        assert_eq!((skill_of_elo(0), skill_of_elo(9999)), (0.0, 20.0));
    }

    #[test]
    fn move_time_limits_only_full_strength() {
        assert_eq!(Strength::Level(19).move_time(), None);
        assert_eq!(Strength::Elo(3499).move_time(), None);
        assert_eq!(Strength::Level(20).move_time(), Some(DEFAULT_MOVE_TIME));
        assert_eq!(Strength::Elo(3500).move_time(), Some(DEFAULT_MOVE_TIME));
        assert!(Strength::Elo(1000).skill() < Strength::Level(1).skill());
    }
}
