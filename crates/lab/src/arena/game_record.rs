//! Arena games as PGN: writes tags and move comments and parses them again.
//!
//! The conditions of a game (engines, time control, openings, referee) are tags, too. Games played under different
//! conditions are never counted together.

use super::engine::EngineInfo;
use super::game::{EndCause, GameOutcome, PlayedMove};
use super::openings::Opening;
use super::spec::{
    Budget, EngineSource, EngineSpec, InProcessSpec, ProgramSpec, RefereeSpec, TimeControl, TournamentFormat,
};
use super::standings::{ClockUsage, FinishedGame, Schedule, ScheduledGame, TournamentInfo};
use super::tournament::{Openings, Tournament};
use chuhe_engine::score::{self, Score};
use chuhe_study::book::opening_names;
use chuhe_support::date;
use chuhe_support::language::{Language, Phrase, tr};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::{Game, GameCursor, GameResult, Notation, decode, pgn};

/// Value of the `Recorder` tag, which identifies games of the arena.
pub const RECORDER: &str = "Chuhe arena";

/// Whether a file with these first bytes begins with a game of the arena.
pub fn begins_as_record(head: &[u8]) -> bool {
    let first = pgn::games(&decode(head)).next();
    first.is_some_and(|parsed| parsed.is_ok_and(|parsed| parsed.game.tag("Recorder") == Some(RECORDER)))
}

/// The comment of an opening move.
const BOOK_COMMENT: &str = "book";

/// Data of the tournament that is written with each game.
pub struct GameRecorder {
    /// The name of the tournament.
    pub event: String,
    pub roster: TournamentInfo,
    pub conditions: Conditions,
    /// The budget of each engine.
    pub budgets: Vec<Budget>,
    /// The notation of moves.
    pub notation: Notation,
}

impl GameRecorder {
    /// The PGN of a game. Its tags are those of xiangqi PGN (Red and Black, `Game` first) and those that chess programs
    /// expect (White, Site, Variant, TimeControl).
    pub fn record(&self, scheduled: &ScheduledGame, played: &GameOutcome) -> Game {
        let name = |engine: usize| self.roster.names[engine].as_str();
        let round = (scheduled.number + 1).to_string();
        // Records are always in English.
        let termination = Language::ENGLISH.with(|| played.to_string());
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: &str| tags.push((name.to_string(), value.to_string()));
        tag("Game", "Chinese Chess");
        tag("Recorder", RECORDER);
        tag("Event", &self.event);
        tag("Site", "?");
        tag("Date", &date::today());
        tag("Round", &round);
        tag("White", name(scheduled.red));
        tag("Red", name(scheduled.red));
        tag("Black", name(scheduled.black));
        tag("Variant", "xiangqi");
        if let Some(name) = opening_name(played) {
            tag("Opening", name.chinese);
        }
        let budgets = [scheduled.red, scheduled.black].map(|engine| time_control(self.budgets[engine]));
        match budgets {
            [red, black] if red == black => tag("TimeControl", &red),
            [red, black] => {
                tag("WhiteTimeControl", &red);
                tag("BlackTimeControl", &black);
            }
        }
        tag("Termination", &termination);
        if let EndCause::Fault(fault) = &played.cause {
            tag("Fault", fault.kind().0);
        }
        tags.extend(self.conditions.tags(scheduled));
        let mut game = Game::new(&played.start);
        let mut cursor = GameCursor::new(&game);
        for ply in &played.plies {
            // The referee accepts only legal moves.
            let Ok(id) = cursor.play(&mut game, ply.mv) else { break };
            game[id].comment = comment(ply);
        }
        game.tags = tags;
        game.result = GameResult::from_winner(played.winner);
        game
    }
}

/// The name of the opening, if the game began from the start position.
fn opening_name(played: &GameOutcome) -> Option<opening_names::OpeningName> {
    let mut position = played.start.clone();
    played.plies.iter().take(opening_names::MAX_NAMED_PLY).for_each(|ply| position.play_unchecked(ply.mv));
    opening_names::name_of_game(&position)
}

/// The round number of a game, from 1.
pub fn round(record: &Game) -> Option<usize> {
    record.tag("Round")?.parse().ok().filter(|&round| round > 0)
}

/// The result of a recorded game; `None` if it has no result.
pub fn finished_game(record: &Game, scheduled: ScheduledGame) -> Option<FinishedGame> {
    let winner = match record.result {
        GameResult::RedWins => Some(Color::Red),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw => None,
        GameResult::Unknown => return None,
    };
    let fault = record.tag("Fault").zip(winner).map(|(kind, winner)| (!winner, kind.to_string()));
    let clock_usage = Color::ALL.map(|side| clock_usage(record, side));
    Some(FinishedGame { scheduled, winner, fault, clock_usage })
}

/// The clock usage of a side of a recorded game, if it had a clock.
fn clock_usage(record: &Game, side: Color) -> Option<ClockUsage> {
    let own = if side == Color::Red { "WhiteTimeControl" } else { "BlackTimeControl" };
    let control = record.tag(own).or(record.tag("TimeControl"))?;
    // A fixed time per move is written as a time control of one move.
    let control: TimeControl = control.parse().ok()?;
    if control.moves == Some(1) {
        return None;
    }
    let first = usize::from(record.start().side() != side);
    let notes = record.main_line_nodes().skip(first).step_by(2).filter_map(|node| parse_comment(&node.comment));
    Some(ClockUsage::new(control, notes.map(|note| Duration::from_secs_f64(note.seconds.max(0.0)))))
}

/// Whether a recorded game begins with this opening. A game lost by a fault before its first move does, too.
pub fn has_opening(record: &Game, opening: &Opening) -> bool {
    let mut played = record.main_line_nodes();
    record.start().fen() == opening.start.fen()
        && opening.moves.iter().all(|&mv| played.next().is_some_and(|node| node.mv() == Some(mv)))
}

/// The opening of a recorded game: its start position and the moves with the comment `book`.
pub fn recorded_opening(record: &Game) -> Opening {
    let moves =
        record.main_line_nodes().take_while(|node| node.comment == BOOK_COMMENT).filter_map(|node| node.mv()).collect();
    Opening { start: record.start().clone(), moves }
}

/// The PGN time control, such as `40/60+0.5`; `-` for nodes and depth.
fn time_control(budget: Budget) -> String {
    match budget {
        Budget::Clock(control) => {
            let moves = control.moves.map_or(String::new(), |moves| format!("{moves}/"));
            let increment = control.increment.as_secs_f64();
            let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            format!("{moves}{}{increment}", control.base.as_secs_f64())
        }
        Budget::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
        Budget::Nodes(_) | Budget::Depth(_) => "-".to_string(),
    }
}

/// `+0.35/12 1.25s`: score in minor pieces, depth, time.
fn comment(ply: &PlayedMove) -> String {
    let Some(engine_score) = ply.engine_score else { return BOOK_COMMENT.to_string() };
    let score = engine_score.score.map_or("?".to_string(), format_score);
    format!("{score}/{} {}s", engine_score.depth, seconds(ply.spent))
}

/// A parsed move comment.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveComment {
    /// Score, depth and time as shown to the user.
    pub shown: String,
    /// The engine's score.
    pub score: Option<Score>,
    pub depth: u32,
    pub seconds: f64,
}

/// Parses a move comment; `None` for opening moves.
pub fn parse_comment(comment: &str) -> Option<MoveComment> {
    let (score, rest) = comment.split_once('/')?;
    let (depth, time) = rest.split_once(' ')?;
    let (depth, seconds) = (depth.parse().ok()?, time.strip_suffix('s')?.parse().ok()?);
    let shown = format!("{score}, depth {depth}, {seconds} s");
    Some(MoveComment { shown, score: parse_score(score), depth, seconds })
}

/// Parses the output of `format_score`: `+0.35`, `-M3`.
fn parse_score(text: &str) -> Option<Score> {
    if let Some((sign, moves)) = text.split_once('M') {
        let plies = moves.parse::<usize>().ok().filter(|moves| (1..=60).contains(moves))? * 2;
        return Some(if sign == "-" { score::mated_in(plies) } else { score::mate_in(plies - 1) });
    }
    let pieces: f64 = text.parse().ok()?;
    (pieces.abs() < 280.0).then(|| (pieces * 100.0).round() as Score)
}

fn format_score(score: Score) -> String {
    match score::mate_plies(score) {
        Some(plies) => {
            format!("{}M{}", if plies > 0 { '+' } else { '-' }, score::plies_to_moves(plies.abs()))
        }
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_comment_roundtrips() {
        let engine_score = crate::arena::engine::EngineScore { score: Some(35), depth: 12, nodes: 9 };
        let mv = "h2e2".parse().expect("a move");
        let ply = PlayedMove { mv, engine_score: Some(engine_score), spent: Duration::from_millis(1250) };
        let note = parse_comment(&comment(&ply)).expect("a note");
        assert_eq!((note.shown.as_str(), note.depth, note.seconds), ("+0.35, depth 12, 1.25 s", 12, 1.25));
        assert_eq!(note.score, Some(35));
        assert_eq!(super::parse_comment(BOOK_COMMENT), None);
    }

    #[test]
    fn score_roundtrips_as_decimal_or_mate_in_moves() {
        assert_eq!(format_score(35), "+0.35");
        assert_eq!(format_score(-120), "-1.20");
        assert_eq!(format_score(score::mate_in(1)), "+M1");
        assert_eq!(format_score(score::mate_in(5)), "+M3");
        assert_eq!(format_score(score::mated_in(2)), "-M1");
        for score in [0, 35, -120, score::mate_in(1), score::mate_in(5), score::mated_in(2)] {
            assert_eq!(parse_score(&format_score(score)), Some(score));
        }
        assert_eq!(parse_score("?"), None);
    }
}
