//! The moves of a game as text: numbers, moves in any notation, marks, comments, variations in round brackets.
//!
//! PGN is made of it, and so are the texts that people paste. What stands in round brackets is a variation if its first
//! word is a move there, and a remark if not. A word that is no move ends the line it stands in, not the game around it.

use super::RankBase;
use super::error::{Location, ParsedGame, RecordError, RecordErrorKind};
use super::game::{Game, GameCursor, Nag, NodeId};
use super::notation::{self, NotationError};
use super::tokenizer::{self, Token, TokenKind};
use chuhe_engine::board::Position;
use chuhe_engine::language::{Phrase, phrase, tr};
use chuhe_engine::types::Move;

/// The moves of a game, cut into tokens but not yet understood.
#[derive(Default)]
pub struct Movetext<'a> {
    tokens: Vec<Token<'a>>,
    depth: usize,
    has_words: bool,
}

/// What becomes of words that are no moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownWords {
    /// They end the line.
    EndLine,
    /// They are remarks, unless they look like moves: people paste all sorts of things.
    Comment,
}

impl<'a> Movetext<'a> {
    /// Adds the next token; tags are none of its business.
    pub fn push(&mut self, token: Token<'a>) {
        match token.kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            TokenKind::Word(_) => self.has_words = true,
            TokenKind::Tag(..) | TokenKind::Comment { .. } => {}
        }
        self.tokens.push(token);
    }

    /// Whether a variation is open: what looks like a result there is none.
    pub fn in_variation(&self) -> bool {
        self.depth > 0
    }

    /// Whether there is anything yet but comments.
    pub fn has_words(&self) -> bool {
        self.has_words
    }

    /// Plays what it says from this position. `text` is what it was cut from, `number` that of the game in its file.
    pub fn read(&self, text: &str, start: &Position, number: usize, words: UnknownWords) -> ParsedGame {
        let read = |ranks| MovetextParser::new(&self.tokens, text, start, number, (ranks, words)).read();
        // A rank 0 or a rank 10 proves how they are counted; without a proof what is legal to the end is right.
        let likely = read(RankBase::Zero);
        if likely.errors.is_empty() {
            return likely;
        }
        let other = read(RankBase::One);
        let sound = |reading: &ParsedGame| {
            let breaks = reading.errors.iter().any(|fault| fault.ends_main_line);
            (!breaks, reading.game.main_line_nodes().count(), std::cmp::Reverse(reading.errors.len()))
        };
        if sound(&other) > sound(&likely) { other } else { likely }
    }
}

/// A line that was left for a variation.
struct OpenVariation {
    at: NodeId,
    skipping: bool,
}

/// Reads a sheet once.
struct MovetextParser<'s, 'a> {
    tokens: &'s [Token<'a>],
    text: &'a str,
    /// For each bracket that opens, the one that closes it.
    matching_brackets: Vec<Option<usize>>,
    number: usize,
    ranks: RankBase,
    words: UnknownWords,
    game: Game,
    walker: GameCursor,
    faults: Vec<RecordError>,
    open_variations: Vec<OpenVariation>,
    /// A word of this line was no move: what follows means nothing.
    skipping: bool,
    /// The number of a move has been read, and what follows it ought to be one.
    awaits_move: bool,
    /// Words that may have been meant as moves stand before this one, and that has been said.
    warned: bool,
    /// What was said in a variation before its first move; nothing outside of that place.
    pending_comment: Option<String>,
}

impl<'s, 'a> MovetextParser<'s, 'a> {
    fn new(
        tokens: &'s [Token<'a>],
        text: &'a str,
        start: &Position,
        number: usize,
        (ranks, words): (RankBase, UnknownWords),
    ) -> MovetextParser<'s, 'a> {
        let game = Game::new(start);
        MovetextParser {
            tokens,
            text,
            matching_brackets: matching_brackets(tokens),
            number,
            ranks,
            words,
            walker: GameCursor::new(&game),
            game,
            faults: Vec::new(),
            open_variations: Vec::new(),
            skipping: false,
            awaits_move: false,
            warned: false,
            pending_comment: None,
        }
    }

    fn read(mut self) -> ParsedGame {
        let mut index = 0;
        while let Some(token) = self.tokens.get(index) {
            index += 1;
            match &token.kind {
                TokenKind::Tag(..) => {}
                TokenKind::Open => index = self.open_variation(index - 1),
                TokenKind::Close => self.close_variation(),
                _ if self.skipping => {}
                TokenKind::Comment { text, closed } => {
                    self.add_comment(&unescape_tag_lines(text));
                    if !closed {
                        self.record_error(token.line, false, unclosed_bracket(Phrase("'}'")));
                    }
                }
                TokenKind::Word(word) if self.words == UnknownWords::Comment => {
                    // Commas and strokes between moves: clouds and people do that.
                    let parts = word.split([',', '，', '|', '、']).map(|part| part.trim_start_matches("pv:"));
                    parts.for_each(|part| self.read_prose_part(part, token.line));
                }
                TokenKind::Word(word) => self.read_word(word, token.line),
            }
        }
        ParsedGame { game: self.game, errors: self.faults }
    }

    fn record_error(&mut self, line: usize, breaks_off: bool, flaw: RecordErrorKind) {
        self.faults.push(RecordError {
            game: self.number,
            location: Location::Line(line),
            kind: flaw,
            ends_main_line: breaks_off,
        });
    }

    /// A part of a word of prose.
    fn read_prose_part(&mut self, part: &str, line: usize) {
        if !self.skipping {
            self.read_word(part, line);
        }
    }

    /// A move with its number and its marks, or one of these alone.
    fn read_word(&mut self, word: &str, line: usize) {
        let whole = word;
        let word = without_number(whole);
        let awaits_move = self.awaits_move || word.len() < whole.len();
        self.awaits_move = awaits_move && word.is_empty();
        if let Some(nag) = word.strip_prefix('$') {
            nag.parse().into_iter().for_each(|nag| self.add_nag(Nag(nag)));
            return;
        }
        let bare = word.trim_end_matches(['!', '?']);
        if bare.chars().any(char::is_alphanumeric) {
            match self.move_of(bare) {
                Ok(mv) => self.play(mv, line),
                Err(_) if self.is_remark(bare, awaits_move) => return self.read_prose(word, line),
                Err(source) => {
                    let number = self.move_number();
                    self.abandon_line(line, RecordErrorKind::Notation { number, source });
                }
            }
        }
        Nag::from_sign(&word[bare.len()..]).into_iter().for_each(|nag| self.add_nag(nag));
    }

    /// Whether a word that is no move says something about one: in prose, unless it looks like a move, or stands where
    /// there must be one.
    fn is_remark(&self, word: &str, awaits_move: bool) -> bool {
        self.words == UnknownWords::Comment && !looks_like_move(word) && !(awaits_move && word.is_ascii())
    }

    /// A word between moves that is none. In Chinese people comment so; other words may have been meant as moves.
    fn read_prose(&mut self, word: &str, line: usize) {
        if word.is_ascii() && self.walker.at() != NodeId::ROOT && !self.warned {
            self.warned = true;
            let found = tr!("'{text}'", text = word.chars().take(16).collect::<String>());
            self.record_error(line, false, RecordErrorKind::Expected { expected: phrase!("a move"), found });
        }
        self.add_comment(word);
    }

    fn move_of(&self, word: &str) -> Result<Move, NotationError> {
        notation::read_with_rank_base(self.walker.position(), word.trim_end_matches('#'), self.ranks)
    }

    /// The number of the full move that is looked for.
    fn move_number(&self) -> usize {
        self.walker.position().game_ply() as usize / 2 + 1
    }

    fn play(&mut self, mv: Move, line: usize) {
        let number = self.move_number();
        match self.walker.play(&mut self.game, mv) {
            Ok(id) => {
                self.warned = false;
                if let Some(foreword) = self.pending_comment.take() {
                    self.game[id].comment = foreword;
                }
            }
            Err(source) => self.abandon_line(line, RecordErrorKind::Move { number, source }),
        }
    }

    /// The line ends here for a fault.
    fn abandon_line(&mut self, line: usize, flaw: RecordErrorKind) {
        self.skipping = true;
        self.record_error(line, self.open_variations.is_empty(), flaw);
    }

    fn add_nag(&mut self, nag: Nag) {
        let at = self.walker.at();
        if !self.skipping && at != NodeId::ROOT && self.pending_comment.is_none() {
            self.game[at].marks.push(nag);
        }
    }

    fn add_comment(&mut self, text: &str) {
        let text = normalize_comment(text);
        match &mut self.pending_comment {
            Some(foreword) => foreword.push_str(&text),
            None => {
                let at = self.walker.at();
                self.game[at].append_comment(&text);
            }
        }
    }

    /// What the bracket of this index opens; tells with which token to go on.
    fn open_variation(&mut self, index: usize) -> usize {
        let close = self.matching_brackets[index];
        let at = self.walker.at();
        self.open_variations.push(OpenVariation { at, skipping: self.skipping });
        if self.skipping {
            return index + 1;
        }
        if close.is_none() {
            self.record_error(self.tokens[index].line, false, unclosed_bracket(Phrase("')'")));
        }
        // An alternative to nothing is none.
        let is_behind_a_move = at != NodeId::ROOT && self.pending_comment.is_none();
        if is_behind_a_move {
            self.walker.go_to(&self.game, self.game[at].parent());
        }
        match self.first_move(index + 1, close) {
            Some(Ok(_)) if is_behind_a_move => {
                self.pending_comment = Some(String::new());
                return index + 1;
            }
            Some(Err((line, flaw))) if is_behind_a_move => self.record_error(line, false, flaw),
            _ => {}
        }
        // A remark in round brackets.
        self.walker.go_to(&self.game, at);
        match close {
            Some(close) => {
                self.open_variations.pop();
                self.add_comment(&self.text[self.tokens[index].position + 1..self.tokens[close].position]);
                close + 1
            }
            None => {
                self.skipping = true;
                index + 1
            }
        }
    }

    /// The first move of a variation that begins with this token: what it is, or what is wrong with it. Words without
    /// a number before them may be a remark.
    fn first_move(&self, from: usize, close: Option<usize>) -> Option<Result<Move, (usize, RecordErrorKind)>> {
        let mut numbered = false;
        for token in &self.tokens[from..close.unwrap_or(self.tokens.len())] {
            let word = match token.kind {
                TokenKind::Word(word) => word,
                TokenKind::Comment { .. } | TokenKind::Tag(..) => continue,
                TokenKind::Open | TokenKind::Close => return None,
            };
            let bare = without_number(word).trim_end_matches(['!', '?']);
            numbered |= bare.len() < word.len();
            if !bare.is_empty() {
                let number = self.move_number();
                let fail = |source| (token.line, RecordErrorKind::Notation { number, source });
                let read = self.move_of(bare).map_err(fail);
                return (read.is_ok() || numbered).then_some(read);
            }
        }
        None
    }

    fn close_variation(&mut self) {
        if let Some(left) = self.open_variations.pop() {
            self.walker.go_to(&self.game, left.at);
            self.skipping = left.skipping;
            self.pending_comment = None;
        }
    }
}

fn unclosed_bracket(expected: Phrase) -> RecordErrorKind {
    RecordErrorKind::Expected { expected, found: tr!("none up to the end of the game") }
}

/// For each bracket that opens a variation, the one that closes it.
fn matching_brackets(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut closers = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(index),
            TokenKind::Close => open.pop().into_iter().for_each(|opener: usize| closers[opener] = Some(index)),
            TokenKind::Tag(..) | TokenKind::Comment { .. } | TokenKind::Word(_) => {}
        }
    }
    closers
}

/// The pieces in either script.
const PIECE_CHARACTERS: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒";

/// Whether this is a digit of a move.
pub fn is_numeral(letter: char) -> bool {
    "一二三四五六七八九".contains(letter) || matches!(letter, '1'..='9' | '１'..='９')
}

/// Whether somebody who reads no board would take this for a move.
fn looks_like_move(word: &str) -> bool {
    let letters = word.chars().count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let has_sign = |signs: &str| word.chars().skip(1).any(|letter| signs.contains(letter));
    // `炮二`: the rest of it was cut off.
    let begins_one = word.starts_with(|letter| PIECE_CHARACTERS.contains(letter))
        && letters <= 3
        && word.chars().nth(1).is_some_and(is_numeral);
    (2..=8).contains(&letters)
        && (has_sign("进進退平") || digits > 0 && has_sign(".=+-") || digits == 2 && word.len() <= 5 || begins_one)
}

/// A comment without what its file's line ends and margins put around its lines.
pub fn normalize_comment(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// A comment without the blanks that were put before lines of it which look like tags.
fn unescape_tag_lines(text: &str) -> String {
    let is_guarded = |line: &str| line.starts_with(' ') && tokenizer::looks_like_tag(line.trim_start());
    text.split_inclusive('\n').map(|line| if is_guarded(line) { &line[1..] } else { line }).collect()
}

/// A word without the move number that it begins with, be it `1.` or `1...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| matches!(letter, '0'..='9' | '０'..='９'));
    if rest.len() == word.len() {
        word
    } else {
        match rest.trim_start_matches(['.', '。', '、', '…', '．', ':', '：']) {
            // A number without a point before a move is no number: `1-0` was a result, this is something else.
            after if after.len() == rest.len() && !rest.is_empty() => word,
            after => after,
        }
    }
}
