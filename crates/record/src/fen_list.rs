//! Position lists: one FEN or `startpos` per line, optionally followed by moves.
//!
//! ```
//! let game = xiangqi_record::fen_list::read("startpos moves h2e2 h9g7\n").remove(0)?.game;
//! assert_eq!(game.main_line().count(), 2);
//! # Ok::<(), xiangqi_record::RecordError>(())
//! ```

use super::game::{Game, GameCursor};
use super::notation::{self, LetterEvidence};
use super::position_spec::split_line;
use super::rank_base::RankBase;
use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use xiangqi::{Position, fen::START_FEN};

/// Reads one game per line. Empty lines and comment lines (`#`, `;`, `%`) are skipped.
pub fn read(text: &str) -> Vec<Result<ParsedGame, RecordError>> {
    games(text).collect()
}

/// Reads the same games one by one.
pub fn games(text: &str) -> impl Iterator<Item = Result<ParsedGame, RecordError>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_matches(is_separator)));
    let games = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';', '%']));
    games.enumerate().map(|(index, (line, text))| read_line(text, line, index + 1))
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{FEFF}'
}

/// Whether a line begins with a FEN: nine slashes between ten ranks.
pub(crate) fn looks_like_fen(line: &str) -> bool {
    let line = line.trim_matches(is_separator);
    let board = line.strip_prefix("fen ").unwrap_or(line).split_whitespace().next().unwrap_or_default();
    ["startpos", "position "].iter().any(|word| line.starts_with(word)) || board.matches('/').count() == 9
}

fn read_line(text: &str, line: usize, number: usize) -> Result<ParsedGame, RecordError> {
    let (fen, moves) = split_line(text);
    let fatal = |kind| RecordError::fatal(number, Location::Line(line), kind);
    let fen = fen.as_deref().unwrap_or(START_FEN);
    let start = Position::from_fen(fen).map_err(|kind| fatal(kind.into()))?;
    let read_words = |ranks, letters| {
        let mut game = Game::new(&start);
        let mut cursor = GameCursor::new(&game);
        for word in moves.clone() {
            let number = cursor.position().game_ply() as usize / 2 + 1;
            let played = notation::parse_word(cursor.position(), word, ranks, letters)
                .map_err(|source| RecordErrorKind::Notation { number, source })
                .and_then(|mv| cursor.play(&mut game, mv).map_err(|source| RecordErrorKind::Move { number, source }));
            if let Err(kind) = played {
                return ParsedGame { game, errors: vec![fatal(kind)] };
            }
        }
        ParsedGame { game, errors: Vec::new() }
    };
    let plies = |parsed: &ParsedGame| parsed.game.main_line_nodes().count();
    let read = |letters| {
        let [zero_based, one_based] = RankBase::ALL.map(|ranks| read_words(ranks, letters));
        if plies(&one_based) > plies(&zero_based) { one_based } else { zero_based }
    };
    Ok(LetterEvidence::of(moves.clone()).read(read, plies, |one, other| one.game.has_moves_of(&other.game)))
}

/// Writes the start position and the main line on one line.
pub fn write(game: &Game) -> String {
    let mut line = game.start().fen();
    if game.main_line_nodes().next().is_some() {
        line.push_str(" moves");
    }
    for mv in game.moves() {
        line.push_str(&format!(" {mv}"));
    }
    line.push('\n');
    line
}
