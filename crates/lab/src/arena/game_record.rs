//! Arena games as PGN: writes tags and move comments and parses them again.

use super::condition_tags::Conditions;
use super::game::{EndCause, GameOutcome, PlayedMove};
use super::openings::Opening;
use super::schedule::ScheduledGame;
use super::spec::{Budget, TimeControl};
use super::standings::{ClockUsage, FinishedGame, TournamentInfo};
use chuhe_engine::score::{self, Score};
use chuhe_study::book::opening_names;
use chuhe_support::date;
use chuhe_support::language::Language;
use std::time::Duration;
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
#[derive(Clone)]
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
