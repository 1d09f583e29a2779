//! Movetext: move numbers, moves in any notation, marks, comments, and variations in round brackets.
//!
//! Used by PGN and by pasted texts. Round brackets hold a variation if their first word is a legal move, otherwise a
//! comment. An invalid move ends its line, but not the surrounding lines.

use super::game::{Game, GameCursor, Nag, NodeId};
use super::move_words::{looks_like_move, split_prose, without_number};
use super::notation::{self, LetterEvidence, Letters, Notation};
use super::rank_base::RankBase;
use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use super::tokenizer::{self, Token, TokenKind, Tokenizer};
use std::borrow::Cow;
use xiangqi::{Move, Position};

/// A longer game is cut, so that no file takes memory without bound. The longest games that are played have a few hundred
/// moves.
const MAX_PLIES: usize = 100_000;

/// A game with more moves, those of its variations counted, is cut for the same reason: each takes twenty times the room
/// that it takes in the file.
const MAX_NODES: usize = 1 << 19;

/// So many errors beside the main line are kept of a game.
const MAX_ERRORS: usize = 1000;

/// The part of a text that holds a game's moves, not yet interpreted. Its tokens are not kept but read again.
#[derive(Default)]
pub struct Movetext<'a> {
    /// Before the first token.
    start: Option<Tokenizer<'a>>,
    /// Behind the last one.
    end: usize,
    depth: usize,
    has_words: bool,
    letters: LetterEvidence,
}

/// How words that are not moves are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownWords {
    /// They end the line.
    EndLine,
    /// They are comments, unless they look like moves.
    Comment,
}

impl<'a> Movetext<'a> {
    /// Adds a token, with the tokenizer before and behind it; tags are ignored.
    pub fn push(&mut self, token: &TokenKind, before: Tokenizer<'a>, behind: &Tokenizer<'a>) {
        match token {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            TokenKind::Word(word) => {
                self.has_words = true;
                split_prose(word).for_each(|part| self.letters.add(part));
            }
            TokenKind::Tag(..) | TokenKind::Comment { .. } => {}
        }
        self.start.get_or_insert(before);
        self.end = behind.position();
    }

    /// Whether a variation is open; a result token inside one is not the result of the game.
    pub fn in_variation(&self) -> bool {
        self.depth > 0
    }

    /// Whether there is anything other than comments.
    pub fn has_words(&self) -> bool {
        self.has_words
    }

    /// Plays the moves from this position. `text` is the source of the tokens, `number` that of the game in its file;
    /// `notation` is what the file says of its moves.
    pub fn read(
        &self,
        text: &str,
        start: &Position,
        number: usize,
        words: UnknownWords,
        notation: Option<Notation>,
    ) -> ParsedGame {
        let read = |letters| self.read_letters(text, start, number, (letters, words));
        match notation {
            Some(Notation::Wxf) => read(Letters::Wxf),
            Some(Notation::Vietnamese) => read(Letters::Vietnamese),
            _ => self.letters.read(read, soundness, |one, other| one.game.has_moves_of(&other.game)),
        }
    }

    fn read_letters(
        &self,
        text: &str,
        start: &Position,
        number: usize,
        (letters, words): (Letters, UnknownWords),
    ) -> ParsedGame {
        let tokens = Tokens { next: self.start.clone().unwrap_or_else(|| Tokenizer::new("", 1)), end: self.end };
        let read = |ranks| MovetextParser::new(tokens.clone(), text, start, number, (ranks, letters, words)).read();
        // A rank 0 or 10 proves the rank base; otherwise the one that is legal to the end is used.
        let zero_based = read(RankBase::Zero);
        if !zero_based.errors.iter().any(depends_on_rank_base) {
            return zero_based;
        }
        let one_based = read(RankBase::One);
        if soundness(&one_based) > soundness(&zero_based) { one_based } else { zero_based }
    }
}

/// How well a game could be read.
fn soundness(parsed: &ParsedGame) -> impl Ord + use<> {
    let breaks = parsed.errors.iter().any(|error| error.ends_main_line);
    (!breaks, parsed.game.main_line_nodes().count(), std::cmp::Reverse(parsed.errors.len()))
}

/// Whether moves with other ranks may not have this error.
fn depends_on_rank_base(error: &RecordError) -> bool {
    use RecordErrorKind::{Move, NotAMove, Notation};
    matches!(error.kind, Notation { .. } | Move { .. } | NotAMove(_))
}

/// The tokens of a game's moves.
#[derive(Clone)]
struct Tokens<'a> {
    next: Tokenizer<'a>,
    end: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if self.next.position() >= self.end { None } else { self.next.next() }
    }
}

/// Parses the tokens once, with a given rank base and notation of letters.
struct MovetextParser<'a> {
    tokens: Tokens<'a>,
    text: &'a str,
    number: usize,
    ranks: RankBase,
    letters: Letters,
    words: UnknownWords,
    game: Game,
    cursor: GameCursor,
    errors: Vec<RecordError>,
    /// Where the lines are interrupted by the variations that are open.
    open_variations: Vec<NodeId>,
    /// The brackets that are open in a part that is skipped.
    skipped_brackets: usize,
    /// The outermost variation, if it is open: its line, and the errors before it.
    outermost: (usize, usize),
    /// The line has ended with an invalid move; its other words are skipped.
    skipping: bool,
    /// A move number was read, so a move must follow.
    awaits_move: bool,
    /// A warning about words that may have been meant as moves has been recorded.
    warned: bool,
    /// The comment before the first move of a variation; `None` elsewhere.
    pending_comment: Option<String>,
}

impl<'a> MovetextParser<'a> {
    fn new(
        tokens: Tokens<'a>,
        text: &'a str,
        start: &Position,
        number: usize,
        (ranks, letters, words): (RankBase, Letters, UnknownWords),
    ) -> MovetextParser<'a> {
        let game = Game::new(start);
        MovetextParser {
            tokens,
            text,
            number,
            ranks,
            letters,
            words,
            cursor: GameCursor::new(&game),
            game,
            errors: Vec::new(),
            open_variations: Vec::new(),
            skipped_brackets: 0,
            outermost: (0, 0),
            skipping: false,
            awaits_move: false,
            warned: false,
            pending_comment: None,
        }
    }

    fn read(mut self) -> ParsedGame {
        while let Some(token) = self.tokens.next() {
            match token.kind {
                TokenKind::Tag(..) => {}
                TokenKind::Open if self.skipping => self.skipped_brackets += 1,
                TokenKind::Open => self.open_variation(&token),
                TokenKind::Close => self.close_variation(),
                _ if self.skipping => {}
                TokenKind::Comment { text, closed } => {
                    self.add_comment(&unescape_tag_lines(text));
                    if !closed {
                        self.record_error(token.line, false, RecordErrorKind::OpenComment);
                    }
                }
                TokenKind::Word(word) if self.words == UnknownWords::Comment => {
                    let parts = split_prose(word).map(|part| part.trim_start_matches("pv:"));
                    parts.for_each(|part| self.read_prose_part(part, token.line));
                }
                TokenKind::Word(word) => self.read_word(word, token.line),
            }
            if self.game.is_as_large_as(MAX_NODES) {
                self.record_error(token.line, true, RecordErrorKind::TooMany(MAX_NODES));
                self.open_variations.clear();
                break;
            }
        }
        if !self.open_variations.is_empty() {
            let (line, before) = self.outermost;
            let error = self.error(line, false, RecordErrorKind::OpenVariation);
            self.errors.insert(before, error);
        }
        ParsedGame { game: self.game, errors: self.errors }
    }

    fn error(&self, line: usize, ends_main_line: bool, kind: RecordErrorKind) -> RecordError {
        RecordError { game: self.number, location: Location::Line(line), kind, ends_main_line }
    }

    fn record_error(&mut self, line: usize, ends_main_line: bool, kind: RecordErrorKind) {
        if ends_main_line || self.errors.len() < MAX_ERRORS {
            let error = self.error(line, ends_main_line, kind);
            self.errors.push(error);
        }
    }

    /// Records that this word is no move, and why.
    fn record_no_move(&mut self, line: usize, ends_main_line: bool, word: &str) {
        if ends_main_line || self.errors.len() < MAX_ERRORS {
            let word = word.trim_end_matches('#');
            let source = notation::error_of(self.cursor.position(), word, self.ranks, self.letters);
            self.record_error(line, ends_main_line, RecordErrorKind::Notation { number: self.move_number(), source });
        }
    }

    /// Reads a part of a word in free text.
    fn read_prose_part(&mut self, part: &str, line: usize) {
        if !self.skipping {
            self.read_word(part, line);
        }
    }

    /// Reads a move with its number and marks, or only some of these.
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
                Some(mv) => self.play(mv, line),
                None if self.is_remark(bare, awaits_move) => return self.read_prose(word, line),
                None => {
                    self.skipping = true;
                    self.record_no_move(line, self.open_variations.is_empty(), bare);
                }
            }
        }
        Nag::from_sign(&word[bare.len()..]).into_iter().for_each(|nag| self.add_nag(nag));
    }

    /// Whether a word that is not a move is a comment: in free text, unless it looks like a move or stands where a move
    /// must follow.
    fn is_remark(&self, word: &str, awaits_move: bool) -> bool {
        self.words == UnknownWords::Comment && !looks_like_move(word) && !(awaits_move && word.is_ascii())
    }

    /// Handles a word between moves that is not a move. Chinese words are comments; ASCII words may have been meant as
    /// moves.
    fn read_prose(&mut self, word: &str, line: usize) {
        if word.is_ascii() && self.cursor.at() != NodeId::ROOT && !self.warned {
            self.warned = true;
            self.record_error(line, false, RecordErrorKind::NotAMove(word.chars().take(16).collect()));
        }
        self.add_comment(word);
    }

    fn move_of(&self, word: &str) -> Option<Move> {
        notation::find_move(self.cursor.position(), word.trim_end_matches('#'), self.ranks, self.letters)
    }

    /// The number of the next full move.
    fn move_number(&self) -> usize {
        self.cursor.position().game_ply() as usize / 2 + 1
    }

    fn play(&mut self, mv: Move, line: usize) {
        let number = self.move_number();
        if self.cursor.position().history_len() >= MAX_PLIES {
            self.abandon_line(line, RecordErrorKind::TooLong(MAX_PLIES));
            return;
        }
        match self.cursor.play(&mut self.game, mv) {
            Ok(id) => {
                self.warned = false;
                if let Some(comment) = self.pending_comment.take() {
                    self.game[id].comment = comment;
                }
            }
            Err(source) => self.abandon_line(line, RecordErrorKind::Move { number, source }),
        }
    }

    /// Ends the line with an error.
    fn abandon_line(&mut self, line: usize, kind: RecordErrorKind) {
        self.skipping = true;
        self.record_error(line, self.open_variations.is_empty(), kind);
    }

    fn add_nag(&mut self, nag: Nag) {
        let at = self.cursor.at();
        if !self.skipping && at != NodeId::ROOT && self.pending_comment.is_none() {
            self.game[at].marks.push(nag);
        }
    }

    fn add_comment(&mut self, text: &str) {
        let text = normalize_comment(text);
        match &mut self.pending_comment {
            Some(comment) => comment.push_str(&text),
            None => {
                let at = self.cursor.at();
                self.game[at].append_comment(&text);
            }
        }
    }

    /// Handles an opening bracket.
    fn open_variation(&mut self, bracket: &Token) {
        let at = self.cursor.at();
        if self.open_variations.is_empty() {
            self.outermost = (bracket.line, self.errors.len());
        }
        self.open_variations.push(at);
        // A variation needs a preceding move.
        if at != NodeId::ROOT && self.pending_comment.is_none() {
            self.cursor.go_to(&self.game, self.game[at].parent());
            match self.first_word() {
                Some(FirstWord::Move) => {
                    self.pending_comment = Some(String::new());
                    return;
                }
                Some(FirstWord::NoMove(word, line)) => self.record_no_move(line, false, word),
                None => {}
            }
            self.cursor.go_to(&self.game, at);
        }
        // A comment in round brackets.
        let mut depth = 0;
        let mut ahead = self.tokens.clone();
        while let Some(token) = ahead.next() {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => {
                    self.open_variations.pop();
                    self.add_comment(&self.text[bracket.position + 1..token.position]);
                    self.tokens = ahead;
                    return;
                }
                TokenKind::Close => depth -= 1,
                TokenKind::Tag(..) | TokenKind::Comment { .. } | TokenKind::Word(_) => {}
            }
        }
        self.skipping = true;
    }

    /// What a variation begins with that begins at the next token; `None` if its words are a comment.
    fn first_word(&self) -> Option<FirstWord<'a>> {
        let mut numbered = false;
        for token in self.tokens.clone() {
            let word = match token.kind {
                TokenKind::Word(word) => word,
                TokenKind::Comment { .. } | TokenKind::Tag(..) => continue,
                TokenKind::Open | TokenKind::Close => return None,
            };
            let bare = without_number(word).trim_end_matches(['!', '?']);
            numbered |= bare.len() < word.len();
            if !bare.is_empty() {
                return match self.move_of(bare) {
                    Some(_) => Some(FirstWord::Move),
                    None => numbered.then_some(FirstWord::NoMove(bare, token.line)),
                };
            }
        }
        None
    }

    fn close_variation(&mut self) {
        if self.skipped_brackets > 0 {
            self.skipped_brackets -= 1;
        } else if let Some(left) = self.open_variations.pop() {
            self.cursor.go_to(&self.game, left);
            self.skipping = false;
            self.pending_comment = None;
        }
    }
}

/// What a variation begins with.
enum FirstWord<'a> {
    Move,
    /// A word behind a number, and its line.
    NoMove(&'a str, usize),
}

/// A comment without trailing blanks in its lines.
pub fn normalize_comment(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Cow::Owned(lines.join("\n"))
}

/// Removes the blanks that guard comment lines which look like tags.
fn unescape_tag_lines(text: &str) -> Cow<'_, str> {
    if !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let is_guarded = |line: &str| line.starts_with(' ') && tokenizer::looks_like_tag(line.trim_start());
    Cow::Owned(text.split_inclusive('\n').map(|line| if is_guarded(line) { &line[1..] } else { line }).collect())
}
