//! Cuts the text of a game into tags, comments, brackets of variations and words.

/// A piece of text and where it stands.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub kind: TokenKind<'a>,
    /// Its first byte in the text.
    pub position: usize,
    /// Its line, from 1.
    pub line: usize,
}

/// What a piece of text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// What stands in curly brackets; `closed` if they are.
    Comment {
        /// The text between them.
        text: &'a str,
        /// There is a closing one.
        closed: bool,
    },
    Open,
    Close,
    /// Anything else up to the next blank: a move, a number, both, a mark, a result.
    Word(&'a str),
}

/// Cuts a text into tokens.
pub struct Tokenizer<'a> {
    text: &'a str,
    position: usize,
    line: usize,
    /// Nothing but tags stands before this on its line.
    tags_only: bool,
    /// Where the line ends in which `at` was when somebody asked: a line may hold a million tokens, and is measured once.
    line_end: Option<usize>,
    /// Up to here no square bracket closes.
    no_bracket_before: usize,
}

impl<'a> Tokenizer<'a> {
    /// Begins with a text whose first line has this number.
    pub fn new(text: &'a str, line: usize) -> Tokenizer<'a> {
        Tokenizer { text, position: 0, line, tags_only: true, line_end: None, no_bracket_before: 0 }
    }

    /// What has not been cut yet.
    fn remaining(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// What has not been cut yet of this line.
    fn rest_of_line(&mut self) -> &'a str {
        let end = match self.line_end.filter(|&end| self.position <= end) {
            Some(end) => end,
            None => self.remaining().find('\n').map_or(self.text.len(), |found| self.position + found),
        };
        self.line_end = Some(end);
        &self.text[self.position..end]
    }

    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let skipped = &self.text[self.position..self.position + bytes];
        let lines = skipped.bytes().filter(|&byte| byte == b'\n').count();
        self.line += lines;
        self.tags_only |= lines > 0;
        self.position += bytes;
        skipped
    }

    fn skip_line(&mut self) {
        let line = self.rest_of_line();
        self.skip(line.len());
    }

    /// Passes over square brackets that are no tag, as they stand behind a move; a bracket alone is a sign like others.
    fn skip_bracket(&mut self) {
        let length = if self.position < self.no_bracket_before {
            None
        } else {
            let line = self.rest_of_line();
            if !line.contains(']') {
                self.no_bracket_before = self.position + line.len();
            }
            line.find(']')
        };
        self.skip(length.map_or(1, |end| end + 1));
    }

    /// `[Name "value"]`, or `[Name value]`: then without the quotes. Otherwise nothing, and nothing is skipped.
    fn tag(&mut self) -> Option<TokenKind<'a>> {
        let line = self.rest_of_line();
        let (name, value) = line[1..].trim_start().split_once(char::is_whitespace)?;
        if !name.starts_with(char::is_alphabetic) {
            return None;
        }
        let value = value.trim_start();
        let Some(quoted) = value.strip_prefix('"') else {
            let value = value.trim_end().strip_suffix(']')?.trim().to_string();
            self.skip(line.len());
            return Some(TokenKind::Tag(name, value));
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
                    self.skip(bracket);
                    return Some(TokenKind::Tag(name, read));
                }
                letter => read.push(letter),
            }
        }
        None
    }

    /// A comment in curly brackets. Whoever forgot to close it did not mean the games that follow.
    fn comment(&mut self) -> TokenKind<'a> {
        let rest = self.remaining();
        let mut at = 0;
        while let Some(found) = rest[at..].find(['}', '\n']) {
            at += found + 1;
            if rest[..at].ends_with('}') {
                self.skip(at);
                return TokenKind::Comment { text: &rest[1..at - 1], closed: true };
            }
            if begins_with_tag(&rest[at..]) {
                self.skip(at);
                return TokenKind::Comment { text: &rest[1..at], closed: false };
            }
        }
        self.skip(rest.len());
        TokenKind::Comment { text: &rest[1..], closed: false }
    }

    fn word(&mut self) -> TokenKind<'a> {
        let rest = self.remaining();
        let ends = |letter: char| letter.is_whitespace() || "{}();[".contains(letter);
        let end = rest.find(ends).unwrap_or(rest.len());
        TokenKind::Word(self.skip(end))
    }
}

impl<'a> Iterator for Tokenizer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            // Files that were put together have byte-order marks in the middle.
            let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
            let rest = self.remaining();
            self.skip(rest.len() - rest.trim_start_matches(is_blank).len());
            let (at, line, tags_only) = (self.position, self.line, self.tags_only);
            let found = |kind| Some(Token { kind, position: at, line });
            match self.remaining().chars().next()? {
                '[' if tags_only => match self.tag() {
                    Some(tag) => return found(tag),
                    // Something else in square brackets at the beginning of a line: a heading, a site.
                    None => self.skip_line(),
                },
                // An escape for other programs.
                '%' if tags_only => self.skip_line(),
                ';' => {
                    self.tags_only = false;
                    self.skip_line();
                }
                letter => {
                    self.tags_only = false;
                    return found(match letter {
                        '{' => self.comment(),
                        '}' => {
                            self.skip(1);
                            continue;
                        }
                        // No tag, for it stands behind a move.
                        '[' => {
                            self.skip_bracket();
                            continue;
                        }
                        '(' | ')' => {
                            self.skip(1);
                            if letter == '(' { TokenKind::Open } else { TokenKind::Close }
                        }
                        _ => self.word(),
                    });
                }
            }
        }
    }
}

/// Whether the line with which a text begins is a tag beyond doubt: `[Name "value"]`.
pub fn begins_with_tag(text: &str) -> bool {
    if !text.starts_with('[') {
        return false;
    }
    let line = text.lines().next().unwrap_or_default();
    line.trim_end().strip_suffix("\"]").is_some_and(looks_like_tag)
}

/// Whether a text begins as a tag does. Whoever writes a comment with such a line in it puts a blank before it: what follows
/// in the same line may make a tag of it.
pub fn looks_like_tag(text: &str) -> bool {
    let name = text.strip_prefix('[').and_then(|text| text.split_once(" \"")).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
}
