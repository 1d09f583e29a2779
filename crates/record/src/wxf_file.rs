//! The file format of the World Xiangqi Federation and of PlayOK: header lines that begin with an upper-case keyword,
//! and moves between `START{` and `}PNG_END`.

use super::game::GameResult;
use super::movetext::{Movetext, UnknownWords};
use super::notation::Notation;
use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use super::tokenizer::Tokenizer;
use xiangqi::Position;

/// Keywords and the tags they map to.
const TAGS: [(&str, &str); 12] = [
    ("GAME", "Title"),
    ("EVENT", "Event"),
    ("SITE", "Site"),
    ("PLACE", "Site"),
    ("DATE", "Date"),
    ("ROUND", "Round"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("TIME", "TimeRule"),
    ("OPENING", "Opening"),
    ("AUTHOR", "Author"),
    ("COMMENTATOR", "Annotator"),
];
/// The fields after a player's name, separated by semicolons.
const PLAYER_FIELDS: [&str; 2] = ["Elo", "Team"];

/// Whether a text has this format.
pub(crate) fn is_wxf(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("START{"))
        || text.lines().take(5).any(|line| line.trim_start().starts_with("FORMAT "))
}

/// The games of a text, read one after the other.
pub fn games(text: &str) -> impl Iterator<Item = Result<ParsedGame, RecordError>> + '_ {
    let mut lines = text.split_inclusive('\n').zip(1..);
    let mut head = Header::default();
    let (mut at, mut number, mut last_line) = (0, 0, 1);
    std::iter::from_fn(move || {
        for (whole, line) in lines.by_ref() {
            let begin = at;
            at += whole.len();
            last_line = line + 1;
            let inside = head.body.is_some();
            if let Some(rest) = whole.trim_start().strip_prefix("START{").filter(|_| !inside) {
                head.body = Some((begin + whole.len() - rest.len(), line));
            } else if !inside {
                head.read_line(whole.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}'), line);
            }
            if let (Some((from, first)), Some(end)) = (head.body, whole.find("}END")) {
                let body = &text[from..(begin + end).max(from)];
                number += 1;
                return Some(std::mem::take(&mut head).read(body, first, number));
            }
        }
        let rest = std::mem::take(&mut head);
        number += 1;
        match rest.body {
            Some((from, first)) => Some(rest.read(&text[from..], first, number).map(|mut parsed| {
                parsed.errors.push(RecordError {
                    game: number,
                    location: Location::Line(first),
                    kind: RecordErrorKind::OpenMoves,
                    ends_main_line: false,
                });
                parsed
            })),
            None if rest.fen.is_some() || !rest.tags.is_empty() => Some(rest.read("", last_line, number)),
            None => None,
        }
    })
}

/// The header of a game.
#[derive(Default)]
struct Header {
    tags: Vec<(String, String)>,
    fen: Option<(String, usize)>,
    result: GameResult,
    /// What the head says of the moves.
    notation: Option<Notation>,
    /// The line number of a piece list.
    setup: Option<usize>,
    /// The offset and line number at which the moves begin.
    body: Option<(usize, usize)>,
}

impl Header {
    fn read_line(&mut self, line: &str, number: usize) {
        let (word, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = value.trim();
        match word {
            "FEN" => self.fen = Some((value.to_string(), number)),
            "FORMAT" => self.notation = value.parse().ok(),
            "RESULT" => self.result = GameResult::from_words(value).unwrap_or_default(),
            _ if word.starts_with("SETUP") => self.setup = Some(number),
            _ => {
                let tag = TAGS.iter().find(|(name, _)| *name == word).map(|(_, tag)| *tag);
                let Some(tag) = tag.filter(|_| !value.is_empty()) else { return };
                let mut parts = value.split(';').map(str::trim);
                let is_player = ["Red", "Black"].contains(&tag);
                let first = if is_player { parts.next().unwrap_or_default() } else { value };
                self.tags.push((tag.to_string(), first.to_string()));
                for part in parts.filter(|part| is_player && !part.is_empty()) {
                    let is_number = part.chars().all(|letter| letter.is_ascii_digit());
                    let kind = PLAYER_FIELDS[usize::from(!is_number)];
                    self.tags.push((format!("{tag}{kind}"), part.to_string()));
                }
            }
        }
    }

    fn read(self, body: &str, line: usize, number: usize) -> Result<ParsedGame, RecordError> {
        let fatal = |line, kind| RecordError::fatal(number, Location::Line(line), kind);
        let start = match (&self.fen, self.setup) {
            (Some((fen, line)), _) => {
                Position::from_fen(fen).map_err(|source| fatal(*line, RecordErrorKind::from(source)))?
            }
            (None, Some(line)) => return Err(fatal(line, RecordErrorKind::PieceList)),
            (None, None) => Position::start(),
        };
        let mut movetext = Movetext::default();
        let mut tokens = Tokenizer::new(body, line);
        while let Some((before, token)) = tokens.next_from() {
            movetext.push(&token.kind, before, &tokens);
        }
        let mut parsed = movetext.read(body, &start, number, UnknownWords::EndLine, self.notation);
        parsed.game.tags = self.tags;
        parsed.game.result = self.result;
        Ok(parsed)
    }
}
