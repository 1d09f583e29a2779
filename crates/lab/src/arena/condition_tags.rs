//! The conditions of a game (engines, time control, openings, referee) as PGN tags. Games played under different
//! conditions are never counted together.

use super::engine::EngineInfo;
use super::schedule::{Schedule, ScheduledGame};
use super::spec::{EngineSource, EngineSpec, InProcessSpec, ProgramSpec, RefereeSpec, TournamentFormat};
use super::tournament::{Openings, Tournament};
use chuhe_support::language::{Phrase, tr};
use std::path::Path;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::Game;

/// An engine may give itself a name of any length.
const MAX_TAG_LETTERS: usize = 1000;
/// Tags shared by all games of a tournament.
const SHARED_TAGS: [&str; 3] = ["Tournament", "Openings", "Referee"];
/// What the format of a tournament without swapped colours ends with.
const FIXED_COLOURS: &str = ", colours fixed";
/// Tags of the two engines.
const PLAYER_TAGS: [(&str, Color); 2] = [("RedEngine", Color::Red), ("BlackEngine", Color::Black)];

/// Why a game does not belong to a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// A tag of its conditions is missing.
    #[error("{}", tr!("its conditions are missing (no tag {tag})", tag = _0))]
    Missing(&'static str),
    /// A tag has another value.
    #[error("{}", tr!("it was played under other conditions: {tag} was '{there}' and is '{here}'", tag, there, here))]
    Different {
        tag: &'static str,
        /// The value in the record.
        there: String,
        /// The expected value.
        here: String,
    },
    /// Its round, players, result or opening do not match.
    #[error("{0}")]
    Place(Phrase),
}

/// What must be the same for games to be counted together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// The values of the shared tags.
    shared: [String; 3],
    /// Each engine's program, settings and budget; `None` where not known yet.
    engines: Vec<Option<String>>,
}

impl Conditions {
    /// The conditions of a tournament with these started engines.
    pub fn of(tournament: &Tournament, infos: &[&EngineInfo]) -> Conditions {
        let budget = |engine: &EngineSpec| engine.budget.unwrap_or(tournament.budget);
        let engines = tournament
            .engines
            .iter()
            .zip(infos)
            .map(|(engine, info)| {
                let settings = match &engine.driver {
                    EngineSource::Program(program) => program_settings(program),
                    EngineSource::InProcess(inner) => inner_settings(inner),
                };
                Some(tag_text(&format!("{}; {}; {settings}", info.id, budget(engine))))
            })
            .collect();
        let format = format(tournament.format, tournament.engines.len(), tournament.swap_colours);
        let shared = [format, openings(&tournament.openings), referee(&tournament.referee)];
        Conditions { shared: shared.map(|text| tag_text(&text)), engines }
    }

    /// Reads the shared conditions from the tags of a record.
    pub fn from_record(record: &Game) -> Result<Conditions, PlacementError> {
        let tag = |name| record.tag(name).map(str::to_string).ok_or(PlacementError::Missing(name));
        Ok(Conditions {
            shared: [tag(SHARED_TAGS[0])?, tag(SHARED_TAGS[1])?, tag(SHARED_TAGS[2])?],
            engines: Vec::new(),
        })
    }

    /// A schedule of the tournament with so many games of each pairing, and the number of engines, if the tag can be
    /// parsed.
    pub fn schedule(&self, games: impl Fn(usize) -> usize) -> Option<(Schedule, usize)> {
        let title = self.shared[0].strip_suffix(FIXED_COLOURS);
        let (name, engines) = title.unwrap_or(&self.shared[0]).split_once(" of ")?;
        let format = [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet]
            .into_iter()
            .find(|format| format_title(*format) == name)?;
        let engines = engines.parse().ok().filter(|&engines| (2..=1000).contains(&engines))?;
        let pairings = Schedule::new(format, engines, 2).pairings().len();
        Some((Schedule::new(format, engines, games(pairings)).with_swapped_colours(title.is_none()), engines))
    }

    /// The condition tags of a game.
    pub fn tags(&self, scheduled: &ScheduledGame) -> Vec<(String, String)> {
        let shared = SHARED_TAGS.iter().zip(&self.shared).map(|(tag, value)| (tag.to_string(), value.clone()));
        let player = |(tag, side): &(&str, Color)| {
            let value = self.engines.get(scheduled.engine(*side)).cloned().flatten();
            (tag.to_string(), value.unwrap_or_default())
        };
        shared.chain(PLAYER_TAGS.iter().map(player)).collect()
    }

    /// Checks that a recorded game was played under these conditions. Unknown engine conditions are taken from the
    /// record.
    pub fn check(&mut self, record: &Game, scheduled: &ScheduledGame) -> Result<(), PlacementError> {
        let equal = |tag: &'static str, here: &str| match record.tag(tag) {
            None => Err(PlacementError::Missing(tag)),
            Some(there) if there == here => Ok(()),
            Some(there) => Err(PlacementError::Different { tag, there: there.to_string(), here: here.to_string() }),
        };
        SHARED_TAGS.iter().zip(&self.shared).try_for_each(|(tag, here)| equal(tag, here))?;
        for (tag, side) in PLAYER_TAGS {
            let engine = scheduled.engine(side);
            if self.engines.len() <= engine {
                self.engines.resize(engine + 1, None);
            }
            let told = record.tag(tag).ok_or(PlacementError::Missing(tag))?;
            let here = self.engines[engine].get_or_insert_with(|| told.to_string());
            equal(tag, here)?;
        }
        Ok(())
    }
}

fn format_title(format: TournamentFormat) -> &'static str {
    match format {
        TournamentFormat::RoundRobin => "round robin",
        TournamentFormat::Gauntlet => "gauntlet",
    }
}

fn format(format: TournamentFormat, engines: usize, swap_colours: bool) -> String {
    format!("{} of {engines}{}", format_title(format), if swap_colours { "" } else { FIXED_COLOURS })
}

/// The file name of the program without its folder, which differs between machines, with arguments and options.
fn program_settings(program: &ProgramSpec) -> String {
    let path = Path::new(&program.command);
    let mut words = vec![path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()];
    words.extend(program.arguments.iter().cloned());
    let mut text = words.join(" ");
    for (name, value) in &program.options {
        text.push_str(&format!("; {name}={value}"));
    }
    text
}

fn inner_settings(inner: &InProcessSpec) -> String {
    let default = InProcessSpec::default().options;
    let options = &inner.options;
    let mut text = format!("hash_mb={}", inner.hash_mb);
    let mut add = |key: &str, changed: bool, value: String| {
        if changed {
            text.push_str(&format!("; {key}={value}"));
        }
    };
    add("threads", options.threads != default.threads, options.threads.to_string());
    add("overhead_ms", options.overhead != default.overhead, options.overhead.as_millis().to_string());
    add("pruning", options.pruning != default.pruning, format!("{:?}", options.pruning));
    add("knowledge", options.knowledge != default.knowledge, format!("{:?}", options.knowledge));
    add("style", options.style != default.style, format!("{:?}", options.style));
    add("randomness", options.randomness != default.randomness, options.randomness.to_string());
    add("skill", options.skill != default.skill, options.skill.to_string());
    add("idle", options.idle != default.idle, options.idle.to_string());
    for (constant, value) in &inner.tune {
        add(constant, true, value.to_string());
    }
    text
}

fn openings(openings: &Openings) -> String {
    match openings {
        Openings::Random(how) => {
            let mut text = format!("{} random moves, balance {}, seed {}", how.plies, how.max_score, how.seed);
            // Without a limit there are as many openings as pairs; the count is left out so that a tournament can be
            // extended.
            if how.limited {
                text.push_str(&format!(", {} of them in turn", how.count));
            }
            text
        }
        Openings::Listed(list) => {
            let mut fingerprint: u64 = 0xcbf2_9ce4_8422_2325;
            for opening in list {
                let moves = opening.moves.iter().map(|mv| mv.to_string());
                for byte in std::iter::once(opening.start.fen()).chain(moves).flat_map(String::into_bytes) {
                    fingerprint = (fingerprint ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
            format!("{} listed in this order, fingerprint {fingerprint:016x}", list.len())
        }
    }
}

fn referee(referee: &RefereeSpec) -> String {
    let forbidden = if referee.forbid_losing_moves { "forbidden" } else { "allowed" };
    let mut text = format!(
        "rules {}, natural limit {}; losing moves {forbidden}; margin {} ms; patience {} s",
        referee.rules.set,
        referee.rules.natural_limit,
        referee.time_margin.as_millis(),
        referee.move_timeout.as_secs()
    );
    if referee.ponder {
        text.push_str("; engines ponder");
    }
    if let Some(rule) = referee.draw {
        text.push_str(&format!("; draw from={},moves={},score={}", rule.from_move, rule.moves, rule.score));
    }
    if let Some(rule) = referee.resign {
        text.push_str(&format!("; resign moves={},score={}", rule.moves, rule.score));
    }
    if referee.max_moves > 0 {
        text.push_str(&format!("; at most {} moves", referee.max_moves));
    }
    text
}

/// The text as it reads back from a PGN tag.
fn tag_text(text: &str) -> String {
    let text: String = text.chars().take(MAX_TAG_LETTERS).collect();
    text.replace(|letter: char| letter.is_control(), " ").trim().to_string()
}
