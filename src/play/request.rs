//! What a person may type.

use chuhe_engine::language::{Language, Phrase, phrase, tr};
use chuhe_toolkit::game::Seat;
use chuhe_toolkit::player::Strength;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    Nothing,
    /// Play this, if it is a move.
    Move(String),
    Undo,
    /// What would the engine play?
    Hint,
    /// What is the position worth?
    Eval,
    /// Turn the board round.
    Flip,
    /// Agree to a draw?
    Draw,
    Resign,
    /// Write the game to a file; without a name to the last one.
    Save(Option<PathBuf>),
    /// Begin another game, in this seat or the same.
    New(Option<Seat>),
    /// Play this strong; nothing: how strong is it?
    Level(Option<Strength>),
    /// Which moves are there?
    Moves,
    Game,
    /// Show the board again.
    Board,
    /// What do the clocks say?
    Clock,
    /// What can be typed?
    Help,
    Quit,
}

/// A request that is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RequestError {
    #[error("{}", tr!("new: expected red, black or both, not '{text}'", text = _0))]
    Seat(String),
    #[error("{}", tr!("{text}: {cause}", text = _0, cause = _1))]
    Level(String, chuhe_toolkit::player::StrengthError),
}

/// A command: what it is called, what Chinese players may call it, and what it does.
pub struct Command {
    /// Its names; the first is the one that is shown.
    pub names: &'static [&'static str],
    /// What may stand behind it.
    pub more: Option<Phrase>,
    pub does: Phrase,
}

impl Command {
    /// Its first name in the language of the reader, and the first in the other one.
    pub fn names_of_reader(&self) -> [&'static str; 2] {
        let [english, chinese, ..] = self.names else { return [self.names[0]; 2] };
        if Language::of_reader() == Language::CHINESE { [chinese, english] } else { [english, chinese] }
    }
}

/// All commands, in the order in which they are shown.
pub const COMMANDS: &[Command] = &[
    Command {
        names: &["undo", "悔棋", "u"],
        more: None,
        does: phrase!("take your last move back, and the answer to it"),
    },
    Command { names: &["hint", "提示"], more: None, does: phrase!("what the engine would play") },
    Command { names: &["moves", "着法"], more: None, does: phrase!("all legal moves") },
    Command {
        names: &["eval", "评估"],
        more: None,
        does: phrase!("what the position is worth, piece by piece"),
    },
    Command {
        names: &["draw", "提和", "求和"], more: None, does: phrase!("offer a draw, or accept one")
    },
    Command { names: &["resign", "认输"], more: None, does: phrase!("give up") },
    Command { names: &["board", "棋盘", "d"], more: None, does: phrase!("show the board again") },
    Command { names: &["flip", "翻转"], more: None, does: phrase!("turn the board round") },
    Command {
        names: &["game", "棋谱"],
        more: None,
        does: phrase!("the moves so far, and the position as FEN"),
    },
    Command { names: &["clock", "时间"], more: None, does: phrase!("how much time is left") },
    Command {
        names: &["level", "级别"],
        more: Some(phrase!("[1-20]")),
        does: phrase!("how strong the engine plays; also `elo 1500`, `time 5` (seconds a move)"),
    },
    Command {
        names: &["save", "保存"],
        more: Some(phrase!("[FILE]")),
        does: phrase!("write the game down, in the format of the name: .pgn, .xqf, .ubb or .fen"),
    },
    Command {
        names: &["new", "新局"],
        more: Some(phrase!("[red|black|both]")),
        does: phrase!("begin another game"),
    },
    Command { names: &["help", "帮助", "?"], more: None, does: phrase!("this list") },
    Command { names: &["quit", "退出", "q", "exit"], more: None, does: phrase!("leave; the game is kept") },
];

/// Reads a line. Whatever is no command is taken for a move.
pub fn parse(line: &str) -> Result<Request, RequestError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (lower, rest) = (word.to_lowercase(), rest.trim());
    let name = COMMANDS
        .iter()
        .find(|command| command.names.contains(&lower.as_str()))
        .map(|command| command.names[0]);
    let strength = |text: String| {
        let strength = text.to_lowercase().parse().map_err(|error| RequestError::Level(lower.clone(), error));
        strength.map(|strength| Request::Level(Some(strength)))
    };
    Ok(match name {
        None if line.is_empty() => Request::Nothing,
        None if matches!(lower.as_str(), "elo" | "time") => return strength(format!("{lower} {rest}")),
        None => Request::Move(line.split_whitespace().collect::<Vec<_>>().concat()),
        Some("level") if rest.is_empty() => Request::Level(None),
        Some("level") if rest.starts_with(|letter: char| letter.is_ascii_digit()) => {
            return strength(format!("level {rest}"));
        }
        Some("level") => return strength(rest.to_string()),
        Some("new") if rest.is_empty() => Request::New(None),
        Some("new") => {
            let shown =
                || RequestError::Seat(rest.chars().filter(|sign| !sign.is_control()).take(16).collect());
            Request::New(Some(Seat::of(rest).ok_or_else(shown)?))
        }
        Some("save") => Request::Save(Some(rest).filter(|name| !name.is_empty()).map(PathBuf::from)),
        Some("undo") => Request::Undo,
        Some("hint") => Request::Hint,
        Some("moves") => Request::Moves,
        Some("eval") => Request::Eval,
        Some("draw") => Request::Draw,
        Some("resign") => Request::Resign,
        Some("board") => Request::Board,
        Some("flip") => Request::Flip,
        Some("game") => Request::Game,
        Some("clock") => Request::Clock,
        Some("help") => Request::Help,
        Some(_) => Request::Quit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_name_of_a_command_is_one() {
        for command in COMMANDS {
            let first = parse(command.names[0]).expect("a command");
            for name in command.names {
                let request = parse(&format!(" {} ", name.to_uppercase())).expect("a command");
                assert_eq!(request, first, "{name}");
                assert!(!matches!(request, Request::Move(_)), "{name}");
            }
        }
    }

    #[test]
    fn what_stands_behind_a_command_is_read() {
        assert_eq!(parse("new black"), Ok(Request::New(Some(Seat::Black))));
        assert_eq!(parse("new blue"), Err(RequestError::Seat("blue".to_string())));
        assert_eq!(parse("level 12"), Ok(Request::Level(Some(Strength::Level(12)))));
        assert_eq!(parse("level elo 1500"), Ok(Request::Level(Some(Strength::Elo(1500)))));
        assert_eq!(parse("time 2"), Ok(Request::Level(Some(Strength::Time(Duration::from_secs(2))))));
        assert!(matches!(parse("level 99"), Err(RequestError::Level(..))));
        assert_eq!(parse("save my game.pgn"), Ok(Request::Save(Some(PathBuf::from("my game.pgn")))));
        assert_eq!(parse("炮二 平五"), Ok(Request::Move("炮二平五".to_string())));
        assert_eq!(parse("  "), Ok(Request::Nothing));
    }
}
