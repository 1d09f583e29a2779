//! PGN with xiangqi extensions: tags, moves in any notation with comments and variations, results, several games per
//! file.
//!
//! ```
//! use xiangqi_record::{Notation, pgn};
//!
//! let games = pgn::read("1. H2-E2 h9g7 1-0\n\n[Event \"another\"]\n\n1. 兵七进一 *\n");
//! let [Ok(first), Ok(second)] = &games[..] else { panic!("two games") };
//! assert_eq!(second.tag("Event"), Some("another"));
//! assert!(pgn::write(first, Notation::Wxf).ends_with("1. C2.5 H8+7 1-0\n\n"));
//! ```

use super::game::{Game, GameCursor, GameResult, NodeId};
use super::movetext::{Movetext, UnknownWords};
use super::notation::{self, Notation};
use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use super::tokenizer::{self, TokenKind, Tokenizer};
use std::borrow::Cow;
use std::fmt::Write;
use xiangqi::{Color, Position, fen::START_FEN};

/// The maximum width of a line of moves.
const LINE_WIDTH: usize = 100;
/// Tags that are generated from the game.
const GENERATED_TAGS: [&str; 3] = ["result", "fen", "format"];

/// Writes a game as PGN, with an empty line at the end. The tags `Result`, `FEN` and `Format` are generated from the
/// game, not taken from its tags.
pub fn write(game: &Game, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let own = |name: &str| GENERATED_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
    // XQWizard warns of a record without it.
    if !game.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("Game")) {
        tag("Game", "Chinese Chess");
    }
    for (name, value) in game.tags.iter().filter(|(name, _)| !own(name)) {
        tag(name, value);
    }
    tag("Result", game.result.token());
    if game.start().fen() != START_FEN {
        tag("FEN", &game.start().fen());
    }
    tag("Format", &notation.to_string());
    text.push('\n');
    let mut lines = LineWriter { text, column: 0 };
    write_moves(game, notation, &mut lines);
    lines.push_word(game.result.token());
    lines.text.push_str("\n\n");
    lines.text
}

/// The work stack of the writer.
enum WriteTask {
    /// A move and what follows it; also its alternatives if it is the first child.
    Move(NodeId),
    /// The same in round brackets.
    Variation(NodeId),
    Close,
}

fn write_moves(game: &Game, notation: Notation, lines: &mut LineWriter) {
    let mut cursor = GameCursor::new(game);
    let next = |id: NodeId| game[id].children().first().map(|&id| WriteTask::Move(id));
    lines.comment(&game[NodeId::ROOT].comment);
    let mut tasks = Vec::from_iter(next(NodeId::ROOT));
    // A black move gets a number unless it directly follows red's.
    let mut follows = false;
    while let Some(task) = tasks.pop() {
        let (id, bracket) = match task {
            WriteTask::Move(id) => (id, ""),
            WriteTask::Variation(id) => (id, "("),
            WriteTask::Close => {
                lines.append(")");
                follows = false;
                continue;
            }
        };
        let Some(mv) = game[id].mv() else { continue };
        cursor.go_to(game, game[id].parent());
        let position = cursor.position();
        let number = position.game_ply() / 2 + 1;
        let text = notation::format(position, mv, notation);
        match position.side() {
            Color::Red => lines.push_word(&format!("{bracket}{number}.")),
            Color::Black if !follows || !bracket.is_empty() => lines.push_word(&format!("{bracket}{number}...")),
            Color::Black => {}
        }
        lines.push_word(&text);
        game[id].marks.iter().for_each(|mark| lines.push_word(&mark.to_string()));
        lines.comment(&game[id].comment);
        follows = true;
        tasks.extend(next(id));
        if bracket.is_empty() {
            for &other in game[game[id].parent()].children().iter().skip(1).rev() {
                tasks.push(WriteTask::Close);
                tasks.push(WriteTask::Variation(other));
            }
        }
    }
}

struct LineWriter {
    text: String,
    column: usize,
}

impl LineWriter {
    fn push_word(&mut self, word: &str) {
        let width = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 {
            let breaks = self.column + 1 + width > LINE_WIDTH;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.append(word);
    }

    fn append(&mut self, word: &str) {
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + word.chars().count(),
        };
    }

    /// Writes a comment in curly brackets, for which PGN has no escape. Empty lines are dropped, and lines that look
    /// like a tag are indented, since either could be read as the start of the next game.
    fn comment(&mut self, text: &str) {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).enumerate();
        let lines: Vec<Cow<str>> = lines
            .map(|(index, line)| match index {
                1.. if tokenizer::looks_like_tag(line.trim_start()) => Cow::Owned(format!(" {line}")),
                _ => Cow::Borrowed(line),
            })
            .collect();
        if !lines.is_empty() {
            self.push_word(&format!("{{{}}}", lines.join("\n").replace('{', "(").replace('}', ")")));
        }
    }
}

/// The length of the complete games at the beginning of a file. It works on bytes, since a truncated file may end
/// inside a character; GBK and UTF-8 never contain a line end inside a character.
pub fn complete_games_length(bytes: &[u8]) -> usize {
    let ends_game = |index: usize| {
        let before = &bytes[..index];
        let word = before.rsplit(|byte| matches!(byte, b'\n' | b' ')).next().unwrap_or_default();
        GameResult::ALL.iter().any(|result| result.token().as_bytes() == word)
    };
    let end_of_last = |blank_line: &[u8]| {
        let blank_lines = bytes.windows(blank_line.len()).enumerate().filter(|(_, found)| *found == blank_line);
        blank_lines.map(|(index, _)| index).rfind(|&index| ends_game(index)).map_or(0, |index| index + blank_line.len())
    };
    end_of_last(b"\n\n").max(end_of_last(b"\r\n\r\n"))
}

/// Whether these bytes may be what a crash leaves behind the complete games of a file that grows by one game at a time:
/// the beginning of a game with this head, white space, or the zero bytes that some file systems leave.
pub fn is_torn_game(bytes: &[u8], head: &str) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| !matches!(byte, 0 | b'\r')).collect();
    let text = text.trim_ascii_start();
    text.starts_with(head.as_bytes()) || head.as_bytes().starts_with(text)
}

/// Reads the games of a text one by one, each as far as it is valid; an invalid start position is an error. Text
/// between the result of a game and the next game is skipped.
#[derive(Clone, Debug)]
pub struct GameReader<'a> {
    text: &'a str,
    tokens: Tokenizer<'a>,
    /// The last game ended before a tag, which belongs to the next one.
    is_at_tag: bool,
    /// The number of games read so far.
    count: usize,
}

/// The games of a text.
pub fn games(text: &str) -> GameReader<'_> {
    GameReader { text, tokens: Tokenizer::new(text, 1), is_at_tag: false, count: 0 }
}

/// Reads the games of a text whose main lines must be valid. An invalid game yields an error; reading continues with
/// the next one.
pub fn read(text: &str) -> Vec<Result<Game, RecordError>> {
    games(text).map(|game| game.and_then(ParsedGame::into_game_with_main_line)).collect()
}

#[derive(Default)]
struct RawGame<'a> {
    /// Its tags with their line numbers.
    tags: Vec<(String, String, usize)>,
    movetext: Movetext<'a>,
    result: Option<GameResult>,
}

impl<'a> Iterator for GameReader<'a> {
    type Item = Result<ParsedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut raw = RawGame::default();
        let mut between = self.count > 0 && !self.is_at_tag;
        let mut is_numbered = false;
        while let Some((before, token)) = self.tokens.next_from() {
            let begins = begins_game(&token.kind);
            between &= !begins;
            match token.kind {
                _ if between => {}
                // A text before the tags of the first game is no game.
                TokenKind::Tag(..)
                    if self.count == 0 && raw.tags.is_empty() && !is_numbered && raw.holds_no_move(self.text) =>
                {
                    raw = RawGame::default();
                    self.tokens = before;
                }
                TokenKind::Tag(..) if raw.movetext.has_words() => {
                    self.tokens = before;
                    break;
                }
                TokenKind::Tag(name, value) => raw.tags.push((name.to_string(), value, token.line)),
                TokenKind::Word(word) if !raw.movetext.in_variation() => {
                    raw.result = GameResult::from_token(word);
                    if raw.result.is_some() {
                        break;
                    }
                    raw.movetext.push(&token.kind, before, &self.tokens);
                }
                _ => raw.movetext.push(&token.kind, before, &self.tokens),
            }
            is_numbered |= begins;
        }
        self.is_at_tag = raw.result.is_none();
        let is_one = !raw.tags.is_empty() || raw.movetext.has_words() || raw.result.is_some();
        is_one.then(|| {
            self.count += 1;
            raw.read(self.text, self.count).map(ParsedGame::sanitized)
        })
    }
}

/// Whether a token can begin a game: a tag, or the number of a first move.
fn begins_game(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Tag(..) => true,
        TokenKind::Word(word) => word.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、', '…'])),
        TokenKind::Comment { .. } | TokenKind::Open | TokenKind::Close => false,
    }
}

impl RawGame<'_> {
    /// Whether there are words, but no first move.
    fn holds_no_move(&self, text: &str) -> bool {
        let read = || self.movetext.read(text, &Position::start(), 1, UnknownWords::Comment, None);
        self.movetext.has_words() && read().game.main_line_nodes().next().is_none()
    }

    fn read(self, text: &str, number: usize) -> Result<ParsedGame, RecordError> {
        let tag = |name: &str| self.tags.iter().find(|(tag, ..)| tag.eq_ignore_ascii_case(name));
        let fatal = |line: usize, kind: RecordErrorKind| RecordError::fatal(number, Location::Line(line), kind);
        let start = match tag("FEN") {
            Some((_, fen, line)) => Position::from_fen(fen).map_err(|kind| fatal(*line, kind.into()))?,
            None => Position::start(),
        };
        let notation = tag("Format").and_then(|(_, name, _)| name.trim().parse().ok());
        let mut parsed = self.movetext.read(text, &start, number, UnknownWords::EndLine, notation);
        let tagged = tag("Result").and_then(|(_, value, _)| GameResult::from_words(value));
        parsed.game.result = self.result.or(tagged).unwrap_or_default();
        parsed.game.tags = self.tags.into_iter().map(|(name, value, _)| (name, value)).collect();
        Ok(parsed)
    }
}
