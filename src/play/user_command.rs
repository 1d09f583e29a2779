//! The commands of `chuhe play`.

use chuhe_study::game::Seat;
use chuhe_study::player::Strength;
use chuhe_support::language::{Language, Phrase, phrase, tr};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

#[derive(Clone, PartialEq, Debug)]
pub enum UserCommand {
    Nothing,
    /// Play this, if it is a move.
    Move(String),
    Undo,
    /// Show what the engine would play.
    Hint,
    /// Show the evaluation of the position.
    Eval,
    /// Turn the board round.
    Flip,
    /// Offer a draw.
    Draw,
    Resign,
    /// Write the game to a file; without a name to the last one.
    Save(Option<PathBuf>),
    /// Begin another game, on this side or the same.
    New(Option<Seat>),
    /// Set the strength; without a value, show it.
    Level(Option<Strength>),
    /// List the legal moves.
    Moves,
    Game,
    /// Look through the game, with this time for each position.
    Review(Option<Duration>),
    /// Show the board again.
    Board,
    /// Show the clocks.
    Clock,
    /// List the commands.
    Help,
    Quit,
}

/// Why a line is not a valid command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UserCommandError {
    #[error("{}", tr!("new: expected red, black or both, not '{text}'", text = _0))]
    Seat(String),
    #[error("{}", tr!("review: expected seconds for each position, not '{text}'", text = _0))]
    Seconds(String),
    #[error("{}", tr!("{text}: {cause}", text = _0, cause = _1))]
    Level(String, chuhe_study::player::StrengthError),
}

/// A command: its names, in English and Chinese, and its description.
pub struct CommandHelp {
    /// Its names: the English and the Chinese one that are shown, others, and the one in traditional characters, if it differs.
    pub names: &'static [&'static str],
    /// The argument it takes, if any.
    pub argument: Option<Phrase>,
    pub description: Phrase,
    /// What it is without an argument.
    plain: UserCommand,
}

const fn command(names: &'static [&'static str], plain: UserCommand, description: Phrase) -> CommandHelp {
    CommandHelp { names, argument: None, description, plain }
}

impl CommandHelp {
    const fn with(mut self, argument: Phrase) -> CommandHelp {
        self.argument = Some(argument);
        self
    }

    /// Its first name in the reader's language, and the first in the other one.
    pub fn names_for_reader(&self) -> [&'static str; 2] {
        let [english, simplified, ..] = self.names else { return [self.names[0]; 2] };
        let mut in_characters = self.names.iter().filter(|name| !name.is_ascii());
        let is_traditional = Language::current() == Language::TRADITIONAL;
        let chinese = if is_traditional { in_characters.next_back().unwrap_or(simplified) } else { simplified };
        if Language::current().is_chinese() { [chinese, english] } else { [english, chinese] }
    }
}

/// All commands, in the order of the help.
pub static COMMANDS: &[CommandHelp] = &[
    command(&["undo", "悔棋", "u"], UserCommand::Undo, phrase!("take your last move back, and the answer to it")),
    command(&["hint", "提示"], UserCommand::Hint, phrase!("what the engine would play")),
    command(&["moves", "着法", "著法"], UserCommand::Moves, phrase!("all legal moves")),
    command(&["eval", "评估", "評估"], UserCommand::Eval, phrase!("the static evaluation, piece by piece")),
    command(&["draw", "提和", "求和"], UserCommand::Draw, phrase!("offer a draw, or accept one")),
    command(&["resign", "认输", "認輸"], UserCommand::Resign, phrase!("give up")),
    command(&["board", "棋盘", "d", "棋盤"], UserCommand::Board, phrase!("show the board again")),
    command(&["flip", "翻转", "翻轉"], UserCommand::Flip, phrase!("turn the board round")),
    command(&["game", "棋谱", "棋譜"], UserCommand::Game, phrase!("the moves so far, and the position as FEN")),
    command(
        &["review", "复盘", "復盤", "覆盤"],
        UserCommand::Review(None),
        phrase!("where the game turned, and what was better"),
    )
    .with(phrase!("[SECONDS]")),
    command(&["clock", "时间", "時間"], UserCommand::Clock, phrase!("how much time is left")),
    command(
        &["level", "级别", "級別", "等級"],
        UserCommand::Level(None),
        phrase!("how strong the engine plays; also `elo 1500`, `time 5` (seconds a move)"),
    )
    .with(phrase!("[1-20]")),
    command(
        &["save", "保存", "儲存"],
        UserCommand::Save(None),
        phrase!("write the game down, in the format of the name: .pgn, .xqf, .ubb or .fen"),
    )
    .with(phrase!("[FILE]")),
    command(&["new", "新局"], UserCommand::New(None), phrase!("begin another game")).with(phrase!("[red|black|both]")),
    command(&["help", "帮助", "?", "說明"], UserCommand::Help, phrase!("this list")),
    command(&["quit", "退出", "q", "exit", "離開"], UserCommand::Quit, phrase!("quit; the game is saved")),
];

/// The most time for a position of a review.
const MAX_REVIEW_TIME: Duration = Duration::from_secs(3600);

/// The beginning of a text, without characters that control a terminal.
fn shown(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_control()).take(16).collect()
}

/// Parses a line. A line that is not a command is taken as a move.
pub fn parse(line: &str) -> Result<UserCommand, UserCommandError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (lower, rest) = (word.to_lowercase(), rest.trim());
    let command = COMMANDS.iter().find(|command| command.names.contains(&lower.as_str()));
    let strength = |text: String| {
        let strength = text.to_lowercase().parse().map_err(|error| UserCommandError::Level(lower.clone(), error));
        strength.map(|strength| UserCommand::Level(Some(strength)))
    };
    let Some(command) = command else {
        return match lower.as_str() {
            "" => Ok(UserCommand::Nothing),
            "elo" | "time" => strength(format!("{lower} {rest}")),
            _ => Ok(UserCommand::Move(line.split_whitespace().collect::<Vec<_>>().concat())),
        };
    };
    Ok(match &command.plain {
        plain if rest.is_empty() => plain.clone(),
        UserCommand::Level(_) if rest.starts_with(|letter: char| letter.is_ascii_digit()) => {
            return strength(format!("level {rest}"));
        }
        UserCommand::Level(_) => return strength(rest.to_string()),
        UserCommand::New(_) => UserCommand::New(Some(rest.parse().map_err(|_| UserCommandError::Seat(shown(rest)))?)),
        UserCommand::Save(_) => UserCommand::Save(Some(PathBuf::from(rest))),
        UserCommand::Review(_) => {
            let time = rest.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let time = time.filter(|time| (Duration::from_millis(1)..=MAX_REVIEW_TIME).contains(time));
            UserCommand::Review(Some(time.ok_or_else(|| UserCommandError::Seconds(shown(rest)))?))
        }
        plain => plain.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_names_parse() {
        for command in COMMANDS {
            let first = parse(command.names[0]).expect("a command");
            for name in command.names {
                let request = parse(&format!(" {} ", name.to_uppercase())).expect("a command");
                assert_eq!(request, first, "{name}");
                assert!(!matches!(request, UserCommand::Move(_)), "{name}");
            }
        }
    }

    #[test]
    fn command_arguments_parse() {
        assert_eq!(parse("new black"), Ok(UserCommand::New(Some(Seat::Black))));
        assert_eq!(parse("new blue"), Err(UserCommandError::Seat("blue".to_string())));
        assert_eq!(parse("level 12"), Ok(UserCommand::Level(Some(Strength::Level(12)))));
        assert_eq!(parse("level elo 1500"), Ok(UserCommand::Level(Some(Strength::Elo(1500)))));
        assert_eq!(parse("time 2"), Ok(UserCommand::Level(Some(Strength::Time(Duration::from_secs(2))))));
        assert!(matches!(parse("level 99"), Err(UserCommandError::Level(..))));
        assert_eq!(parse("复盘 0.5"), Ok(UserCommand::Review(Some(Duration::from_millis(500)))));
        assert_eq!(parse("review soon"), Err(UserCommandError::Seconds("soon".to_string())));
        assert!(parse("review -1").is_err() && parse("review nan").is_err() && parse("review 1e9").is_err());
        assert_eq!(parse("save my game.pgn"), Ok(UserCommand::Save(Some(PathBuf::from("my game.pgn")))));
        assert_eq!(parse("炮二 平五"), Ok(UserCommand::Move("炮二平五".to_string())));
        assert_eq!(parse("  "), Ok(UserCommand::Nothing));
    }
}
