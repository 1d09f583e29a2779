//! Splits the text of a game into tags, comments, variation brackets and words.

/// A token and its place.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub kind: TokenKind<'a>,
    /// The offset of its first byte.
    pub position: usize,
    /// Its line, from 1.
    pub line: usize,
}

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// A comment in curly brackets.
    Comment {
        /// The text between the brackets.
        text: &'a str,
        /// The closing bracket is present.
        closed: bool,
    },
    Open,
    Close,
    /// Anything else up to the next blank: a move, a number, both, a mark, a result.
    Word(&'a str),
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub struct Tokenizer<'a> {
    text: &'a str,
    position: usize,
    line: usize,
    /// Only tags precede this on the line.
    tags_only: bool,
    /// The cached end of the current line: a line may hold a million tokens and is measured only once.
    line_end: Option<usize>,
    /// No square bracket closes before this offset.
    no_bracket_before: usize,
}

impl<'a> Tokenizer<'a> {
    /// Starts with a text whose first line has this number.
    pub fn new(text: &'a str, line: usize) -> Tokenizer<'a> {
        Tokenizer { text, position: 0, line, tags_only: true, line_end: None, no_bracket_before: 0 }
    }

    /// The next token, and the tokenizer before it, to read it again.
    pub fn next_from(&mut self) -> Option<(Tokenizer<'a>, Token<'a>)> {
        let before = self.clone();
        self.next().map(|token| (before, token))
    }

    /// The rest of the text.
    fn remaining(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// The rest of the current line.
    fn rest_of_line(&mut self) -> &'a str {
        let end = match self.line_end.filter(|&end| self.position <= end) {
            Some(end) => end,
            None => self.remaining().find('\n').map_or(self.text.len(), |found| self.position + found),
        };
        self.line_end = Some(end);
        &self.text[self.position..end]
    }

    /// Advances by this number of bytes.
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

    /// Skips square brackets after a move, which are not a tag; a bracket without a partner is skipped alone.
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

    /// The offset of the next token, or of the blanks before it.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Reads `[Name "value"]`, or `[Name value]` without the quotes. If there is no tag, returns `None` and skips
    /// nothing.
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
                // Only quotes and backslashes are escaped; a backslash before other characters is literal, as in
                // Windows paths.
                '\\' if quoted[index + 1..].starts_with(['"', '\\']) => {
                    read.extend(letters.next().map(|(_, letter)| letter));
                }
                '"' if quoted[index + 1..].trim_start().starts_with(']') => {
                    // The rest of the line may hold another tag.
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

    /// Reads a comment in curly brackets. An unclosed one does not extend over the games that follow.
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
        let ends = |letter: char| matches!(letter, '{' | '}' | '(' | ')' | ';' | '[') || letter.is_whitespace();
        let end = rest.find(ends).unwrap_or(rest.len());
        // No line ends in it.
        self.position += end;
        TokenKind::Word(&rest[..end])
    }
}

impl<'a> Iterator for Tokenizer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            // Concatenated files have byte-order marks in the middle.
            let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
            let rest = self.remaining();
            if !rest.starts_with(|letter: char| letter.is_ascii_graphic()) {
                self.skip(rest.len() - rest.trim_start_matches(is_blank).len());
            }
            let (at, line, tags_only) = (self.position, self.line, self.tags_only);
            let found = |kind| Some(Token { kind, position: at, line });
            match self.remaining().chars().next()? {
                '[' if tags_only => match self.tag() {
                    Some(tag) => return found(tag),
                    // Other square brackets at the beginning of a line: a heading or a site name.
                    None => self.skip_line(),
                },
                // The PGN escape for other programs.
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
                        // After a move, a bracket is not a tag.
                        '[' => {
                            self.skip_bracket();
                            continue;
                        }
                        '(' | ')' => {
                            self.position += 1;
                            if letter == '(' { TokenKind::Open } else { TokenKind::Close }
                        }
                        _ => self.word(),
                    });
                }
            }
        }
    }
}

/// Whether the text begins with a complete tag line: `[Name "value"]`.
pub fn begins_with_tag(text: &str) -> bool {
    if !text.starts_with('[') {
        return false;
    }
    let line = text.lines().next().unwrap_or_default();
    line.trim_end().strip_suffix("\"]").is_some_and(looks_like_tag)
}

/// Whether a text begins like a tag. Comment lines that do are written with a blank before them, since the rest of the
/// line may complete a tag.
pub fn looks_like_tag(text: &str) -> bool {
    let name = text.strip_prefix('[').and_then(|text| text.split_once(" \"")).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
}
