//! PGN of the family: tags, moves in one of three notations, comments.

use super::notation::{self, Notation, NotationError};
use crate::board::{FenError, Position, START_FEN};
use crate::types::Move;
use std::fmt::Write;
use thiserror::Error;

/// The tokens that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// Where lines of moves are broken.
const WIDTH: usize = 100;

/// A move of a record and what was noted with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move.
    pub mv: Move,
    /// The comment behind it, without brackets; empty if there is none.
    pub comment: String,
}

/// A recorded game.
#[derive(Clone)]
pub struct Record {
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The position at the beginning.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Entry>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// Why a game could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// Its FEN tag is no position.
    #[error("game {game}: {source}")]
    Fen {
        /// Which game, from 1.
        game: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// A move is none.
    #[error("game {game}, move {number}: {source}")]
    Move {
        /// Which game, from 1.
        game: usize,
        /// Which full move, from 1.
        number: usize,
        /// What is wrong with it.
        source: NotationError,
    },
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The record as text that ends with an empty line. The tags `Result`, `FEN` and `Format` are written by
    /// what the record holds, whatever the tags say.
    pub fn write(&self, notation: Notation) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        let own = ["result", "fen", "format"];
        for (name, value) in self.tags.iter().filter(|(name, _)| !own.contains(&name.to_lowercase().as_str()))
        {
            tag(name, value);
        }
        tag("Result", &self.result);
        if self.start.fen() != START_FEN {
            tag("FEN", &self.start.fen());
        }
        tag("Format", &notation.to_string());
        text.push('\n');
        self.write_moves(&mut text, notation);
        text
    }

    fn write_moves(&self, text: &mut String, notation: Notation) {
        let mut position = self.start.clone();
        let mut words: Vec<String> = Vec::new();
        for (index, entry) in self.moves.iter().enumerate() {
            let ply = position.game_ply() as usize;
            if ply.is_multiple_of(2) {
                words.push(format!("{}.", ply / 2 + 1));
            } else if index == 0 {
                words.push(format!("{}...", ply / 2 + 1));
            }
            words.push(notation::write(&position, entry.mv, notation));
            if !entry.comment.is_empty() {
                words.push(format!("{{{}}}", entry.comment.replace(['{', '}', '\n', '\r'], " ")));
            }
            position.make(entry.mv);
        }
        words.push(self.result.clone());
        let mut column = 0;
        for (index, word) in words.iter().enumerate() {
            let width = word.chars().count();
            if index > 0 {
                let breaks = column + 1 + width > WIDTH;
                text.push(if breaks { '\n' } else { ' ' });
                column = if breaks { 0 } else { column + 1 };
            }
            text.push_str(word);
            column += width;
        }
        text.push_str("\n\n");
    }
}

/// How many bytes of written records are whole: everything up to the end of the last game that is. Of bytes, not of
/// text: what a sudden end leaves may stop inside a character, and neither GBK nor UTF-8 hides a line end in one.
pub fn whole_length(bytes: &[u8]) -> usize {
    let ends_game = |index: usize| {
        let before = &bytes[..index];
        let word = before.rsplit(|byte| matches!(byte, b'\n' | b' ')).next().unwrap_or_default();
        RESULTS.iter().any(|result| result.as_bytes() == word)
    };
    let blank_lines = bytes.windows(2).enumerate().filter(|(_, pair)| pair == b"\n\n");
    blank_lines.map(|(index, _)| index).rfind(|&index| ends_game(index)).map_or(0, |index| index + 2)
}

/// Reads all games of a text. A game that cannot be read is an error; the next one is tried. What stands between the
/// result of a game and the next one (a line of signs, advertising) is passed over.
pub fn read(text: &str) -> Vec<Result<Record, PgnError>> {
    let mut games = Vec::new();
    let mut sheet = Sheet::default();
    let mut between = false;
    for token in (Tokens { rest: text }) {
        let number = games.len() + 1;
        between &= !begins_game(&token);
        match token {
            _ if between => {}
            Token::Tag(..) if sheet.begun => {
                games.push(std::mem::take(&mut sheet).read(number));
                sheet.take(token);
            }
            Token::Word(word) if RESULTS.contains(&word) => {
                sheet.result = word.to_string();
                games.push(std::mem::take(&mut sheet).read(number));
                between = true;
            }
            token => sheet.take(token),
        }
    }
    if sheet.begun || !sheet.tags.is_empty() {
        let number = games.len() + 1;
        games.push(sheet.read(number));
    }
    games
}

/// Whether another game can begin with this: a tag, or the number of a first move.
fn begins_game(token: &Token) -> bool {
    match token {
        Token::Tag(..) => true,
        Token::Word(word) => {
            word.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、', '…']))
        }
        Token::Comment(_) => false,
    }
}

/// A game's text, not yet understood.
#[derive(Default)]
struct Sheet {
    tags: Vec<(String, String)>,
    words: Vec<(String, String)>,
    result: String,
    /// The tags are over.
    begun: bool,
}

impl Sheet {
    fn take(&mut self, token: Token) {
        match token {
            Token::Tag(name, value) => self.tags.push((name.to_string(), value)),
            Token::Comment(text) => {
                if let Some((_, comment)) = self.words.last_mut() {
                    comment.push_str(text.trim());
                }
            }
            Token::Word(word) => {
                self.begun = true;
                let word = without_number(word).trim_end_matches(['!', '?', '#']);
                // `$4` and its like say what somebody thought of the move.
                if !word.is_empty() && !word.starts_with('$') {
                    self.words.push((word.to_string(), String::new()));
                }
            }
        }
    }

    fn read(self, game: usize) -> Result<Record, PgnError> {
        let tag = |name: &str| self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        let start = match tag("FEN") {
            Some((_, fen)) => Position::from_fen(fen).map_err(|source| PgnError::Fen { game, source })?,
            None => Position::start(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(self.words.len());
        for (word, comment) in self.words {
            let number = moves.len() / 2 + 1;
            let mv =
                notation::read(&position, &word).map_err(|source| PgnError::Move { game, number, source })?;
            position.make(mv);
            moves.push(Entry { mv, comment });
        }
        let result = match self.result.is_empty() {
            true => tag("Result").map_or("*", |(_, value)| value).to_string(),
            false => self.result,
        };
        Ok(Record { tags: self.tags, start, moves, result })
    }
}

/// A word without the move number that it begins with, be it `1.` or `1...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == word.len() {
        word
    } else {
        match rest.trim_start_matches(['.', '。', '、', '…']) {
            // A number without a point before a move is no number: `1-0` was a result, this is something else.
            after if after.len() == rest.len() && !rest.is_empty() => word,
            after => after,
        }
    }
}

enum Token<'a> {
    Tag(&'a str, String),
    Comment(&'a str),
    Word(&'a str),
}

/// Cuts a text into tags, comments and words.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            // Files that were put together have byte-order marks in the middle.
            self.rest =
                self.rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
            match self.rest.chars().next()? {
                '[' => {
                    if let Some(tag) = self.tag() {
                        return Some(tag);
                    }
                }
                '{' => return Some(Token::Comment(self.enclosed('{', '}'))),
                '(' => return Some(Token::Comment(self.enclosed('(', ')'))),
                ';' | '%' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                '}' | ')' => self.rest = &self.rest[1..],
                _ => {
                    let ends = |letter: char| letter.is_whitespace() || "{}();".contains(letter);
                    let end = self.rest.find(ends).unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    return Some(Token::Word(word));
                }
            }
        }
    }
}

impl<'a> Tokens<'a> {
    /// `[Name "value"]`, or whatever else is in square brackets up to the end of the line: then nothing.
    fn tag(&mut self) -> Option<Token<'a>> {
        let whole = self.rest;
        let end = whole.find('\n').unwrap_or(whole.len());
        let (line, rest) = whole.split_at(end);
        self.rest = rest;
        let (name, value) = line[1..].trim_start().split_once(char::is_whitespace)?;
        let value = value.trim_start();
        let Some(quoted) = value.strip_prefix('"') else {
            return Some(Token::Tag(name, value.trim_end().strip_suffix(']')?.trim().to_string()));
        };
        let mut read = String::new();
        let mut letters = quoted.char_indices();
        while let Some((index, letter)) = letters.next() {
            match letter {
                // Only what is written with it needs it; others write paths of Windows.
                '\\' if quoted[index + 1..].starts_with(['"', '\\']) => {
                    read.extend(letters.next().map(|(_, letter)| letter));
                }
                '"' if quoted[index + 1..].trim_start().starts_with(']') => {
                    // What follows on the same line may be another tag.
                    let behind = line.len() - quoted.len() + index + 1;
                    let bracket = line[behind..].find(']').map_or(0, |found| behind + found + 1);
                    self.rest = &whole[bracket..];
                    return Some(Token::Tag(name, read));
                }
                letter => read.push(letter),
            }
        }
        None
    }

    /// What is between these brackets, nested ones included, up to the end of the text if they are not closed. Inside
    /// round ones a comment in curly ones may hold any sign.
    fn enclosed(&mut self, open: char, close: char) -> &'a str {
        let (mut depth, mut comment) = (0, false);
        for (index, letter) in self.rest.char_indices() {
            match letter {
                '{' if open == '(' => comment = true,
                '}' if open == '(' => comment = false,
                _ if comment => {}
                letter if letter == open && (open == '(' || depth == 0) => depth += 1,
                letter if letter == close => {
                    depth -= 1;
                    if depth == 0 {
                        let inside = &self.rest[1..index];
                        self.rest = &self.rest[index + 1..];
                        return inside;
                    }
                }
                _ => {}
            }
        }
        // Whoever forgot to close them did not mean the games that follow.
        let end = self.rest.find("\n[").unwrap_or(self.rest.len());
        let inside = &self.rest[1..end];
        self.rest = &self.rest[end..];
        inside
    }
}
