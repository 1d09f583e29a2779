//! Converts a game to a PGN record and back.

use super::{Clocks, GameEnd, LiveGame, NotedMove, Seat};
use chuhe_support::date;
use chuhe_support::language::{Language, Phrase, phrase, tr};
use std::time::Duration;
use xiangqi::{Color, RuleSet, Rules};
use xiangqi_record::{GameResult, NodeId, move_times};

/// The value of the `Recorder` tag that identifies games of `chuhe play`.
pub const RECORDER: &str = "Chuhe play";

/// The record of a game. Tags of a record that was read are kept.
pub fn to_record(game: &LiveGame) -> xiangqi_record::Game {
    let name = |color: Color| match game.seat {
        _ if game.seat.includes(color) => "Player".to_string(),
        _ => format!("Chuhe {}, {}", env!("CARGO_PKG_VERSION"), game.strength),
    };
    let moves = game.moves().iter().map(|ply| ply.mv);
    let mut record = xiangqi_record::Game::from_moves(game.start(), moves).expect("only legal moves are played");
    let places: Vec<NodeId> = record.main_line().collect();
    for (place, ply) in places.into_iter().zip(game.moves()) {
        record[place].set_marked_comment(&ply.comment);
    }
    record.result = game.result();
    record.tags = game.tags.clone();
    let mut tag = |name: &str, value: String| record.set_tag(name, value);
    tag("Game", "Chinese Chess".to_string());
    tag("Recorder", RECORDER.to_string());
    if !game.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("Date")) {
        tag("Date", date::today());
    }
    for color in Color::ALL {
        let role = if color == Color::Red { "Red" } else { "Black" };
        // Player names from the record are kept.
        if !has_players_name(game, role) {
            tag(role, name(color));
        }
    }
    tag("Seat", game.seat.name().to_string());
    tag("Strength", game.strength.to_string());
    tag("Rules", game.rules.set.to_string());
    tag("NaturalLimit", game.rules.natural_limit.to_string());
    if let Some(clocks) = &game.clocks {
        tag("TimeControl", clocks.control.to_string());
        let left = Color::ALL.map(|color| clocks.of(color).left().as_secs_f64());
        tag("TimeLeft", format!("{} {}", left[0], left[1]));
    }
    match game.end() {
        Some(closing) => tag("Termination", termination_text(closing)),
        None => record.tags.retain(|(name, _)| !name.eq_ignore_ascii_case("Termination")),
    }
    let times: Vec<_> = record.main_line().zip(game.times()).filter_map(|(id, time)| Some((id, time?))).collect();
    move_times::note(&mut record, &times);
    record
}

/// Leaves the version out of the program's name: names in XQF have fifteen bytes.
pub fn shorten_own_names(record: &mut xiangqi_record::Game, game: &LiveGame) {
    for role in ["Red", "Black"] {
        if record.tag(role).is_some_and(|name| name.starts_with("Chuhe ")) {
            record.set_tag(role, format!("Chuhe {}", game.strength));
        }
    }
}

/// Whether a record that was read names another player than this game would.
fn has_players_name(game: &LiveGame, role: &str) -> bool {
    let roles = [role, if role == "Red" { "White" } else { role }];
    let named = game.tags.iter().filter(|(tag, _)| roles.iter().any(|role| tag.eq_ignore_ascii_case(role)));
    let is_ours = |name: &str| name == "Player" || name.starts_with("Chuhe ") || matches!(name, "" | "?");
    named.map(|(_, name)| name.trim()).any(|name| !is_ours(name))
}

fn termination_text(closing: &GameEnd) -> String {
    match closing {
        // Records are in English, for other programs.
        GameEnd::Ruled(verdict) => verdict.reason.to_string(),
        GameEnd::Resigned(color) => format!("{color} resigns"),
        GameEnd::Agreed => "draw by agreement".to_string(),
        GameEnd::OutOfTime(color) => format!("the time of {color} is over"),
        GameEnd::Recorded(_) => "as recorded".to_string(),
    }
}

/// The comment of a move with the signs of its marks, without the time of the move, which the game has. What a clock shows
/// stays.
fn comment(node: &xiangqi_record::GameNode) -> String {
    let whole = node.marked_comment();
    let (text, commands) = move_times::divide(&whole);
    if commands.contains("[%emt") && !commands.contains("[%clk") { text } else { whole }
}

/// The game of a record, with the settings stored in its tags.
pub fn from_record(record: xiangqi_record::Game) -> LiveGame {
    let noted = |node: &xiangqi_record::GameNode| Some(NotedMove { mv: node.mv()?, comment: comment(node) });
    let times = move_times::of_game(&record);
    let mut game = LiveGame::new(record.start().clone(), record.main_line_nodes().filter_map(noted).collect())
        .with_times(record.main_line().map(|id| times.of(id)));
    if let Some(seat) = record.tag("Seat").and_then(Seat::of) {
        game.seat = seat;
    }
    if let Some(strength) = record.tag("Strength").and_then(|text| text.parse().ok()) {
        game.strength = strength;
    }
    if let Some(set) = record.tag("Rules").and_then(|text| text.parse::<RuleSet>().ok()) {
        let limit = record.tag("NaturalLimit").and_then(|text| text.parse().ok());
        game.rules = Rules::with_limit(set, limit);
    }
    game.clocks = clocks(&record);
    game.tags = record.tags;
    game.apply_rules();
    if record.result != GameResult::Unknown && game.end().is_none() {
        game.finish(GameEnd::Recorded(record.result));
    }
    game
}

fn clocks(record: &xiangqi_record::Game) -> Option<Clocks> {
    record.tag("Recorder").filter(|&recorder| recorder == RECORDER)?;
    let control = record.tag("TimeControl")?.parse().ok()?;
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let left = record.tag("TimeLeft").and_then(|text| {
        let (red, black) = text.split_once(' ')?;
        Some([seconds(red)?, seconds(black)?])
    });
    Some(Clocks::new(control, left, record.main_line_nodes().count()))
}

// The tags of a game as people call them.

/// The tags of games that have names.
const TAGS: [Phrase; 17] = [
    phrase!("Event"),
    phrase!("Site"),
    phrase!("Date"),
    phrase!("Round"),
    phrase!("Red"),
    phrase!("White"),
    phrase!("Black"),
    phrase!("RedElo"),
    phrase!("BlackElo"),
    phrase!("RedTeam"),
    phrase!("BlackTeam"),
    phrase!("TimeControl"),
    phrase!("Termination"),
    phrase!("Opening"),
    phrase!("Annotator"),
    phrase!("Author"),
    phrase!("Title"),
];

/// The name of a tag for the user: in English the tag, in others what it says, with the tag itself.
pub fn tag_name(tag: &str) -> String {
    let known = TAGS.iter().find(|name| name.0.eq_ignore_ascii_case(tag));
    match known.filter(|_| Language::current() != Language::ENGLISH) {
        Some(name) => tr!("{name} ({tag})", name, tag),
        None => tag.to_string(),
    }
}

/// The names of several tags.
pub fn tag_names(tags: &[impl AsRef<str>]) -> String {
    tags.iter().map(|tag| tag_name(tag.as_ref())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Strength, TimeControl};
    use xiangqi::Position;
    use xiangqi_record::{Notation, pgn};

    #[test]
    fn game_survives_a_round_trip_through_its_record() {
        let start = "3ak4/9/9/9/9/9/9/9/4A4/r2AK3R w - - 50 60";
        let mut game = LiveGame::new(Position::from_fen(start).expect("a position"), Vec::new());
        let control = TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO, moves: None };
        game.seat = Seat::Black;
        game.strength = Strength::Time(Duration::from_millis(1500));
        game.rules = Rules::with_limit(RuleSet::League, Some(77));
        game.clocks = Some(Clocks::new(control, None, 0));
        game.tags.push(("Annotator".to_string(), "somebody".to_string()));
        game.play("i0i9".parse().expect("a move"), Duration::from_secs(2));
        let text = pgn::write(&to_record(&game), Notation::Chinese);
        let again = from_record(pgn::read(&text).remove(0).expect("a game"));
        assert_eq!(again.position().fen(), game.position().fen());
        assert_eq!((again.seat, again.strength, again.rules), (game.seat, game.strength, game.rules));
        assert_eq!((again.moves(), again.end()), (game.moves(), None));
        let left = |game: &LiveGame| game.clocks.as_ref().map(|clocks| clocks.of(Color::Red).left());
        assert_eq!((left(&again), left(&game)), (Some(Duration::from_secs(58)), Some(Duration::from_secs(58))));
        assert_eq!(again.times().collect::<Vec<_>>(), [Some(Duration::from_secs(2))]);
        assert_eq!(pgn::write(&to_record(&again), Notation::Chinese), text);
        assert!(text.contains("[Annotator \"somebody\"]") && text.contains("[Seat \"black\"]"), "{text}");
    }

    #[test]
    fn result_survives_a_round_trip_through_its_record() {
        let mut game = LiveGame::new(Position::start(), Vec::new());
        for closing in [GameEnd::Resigned(Color::Red), GameEnd::Agreed, GameEnd::OutOfTime(Color::Black)] {
            game.finish(closing);
            let text = pgn::write(&to_record(&game), Notation::Iccs);
            let again = from_record(pgn::read(&text).remove(0).expect("a game"));
            assert_eq!(again.result(), game.result());
        }
    }
}
