//! PGN of the family: tags, moves in any notation with comments and variations, a result, one game behind the other.

use super::fault::{Fault, Flaw, Place, Reading};
use super::game::{Game, GameResult, NodeId, Walker};
use super::movetext::{Sheet, Words};
use super::notation::{self, Notation};
use super::tokens::{self, Kind, Token, Tokens};
use chuhe_engine::board::{Position, START_FEN};
use chuhe_engine::types::Color;
use std::borrow::Cow;
use std::fmt::Write;

/// Where lines of moves are broken.
const WIDTH: usize = 100;
/// The tags that are written by what the game is, whatever its tags say.
const OWN_TAGS: [&str; 3] = ["result", "fen", "format"];

/// The game as text that ends with an empty line. The tags `Result`, `FEN` and `Format` are written by what the game
/// holds, whatever its tags say.
pub fn write(game: &Game, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let own = |name: &str| OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
    for (name, value) in game.tags.iter().filter(|(name, _)| !own(name)) {
        tag(name, value);
    }
    tag("Result", game.result.token());
    if game.start().fen() != START_FEN {
        tag("FEN", &game.start().fen());
    }
    tag("Format", &notation.to_string());
    text.push('\n');
    let mut lines = Lines { text, column: 0 };
    write_moves(game, notation, &mut lines);
    lines.word(game.result.token());
    lines.text.push_str("\n\n");
    lines.text
}

/// What is still to be written.
enum Task {
    /// A move and what follows it; with the alternatives to it if it is the first of them.
    Move(NodeId),
    /// The same in round brackets.
    Variation(NodeId),
    Close,
}

fn write_moves(game: &Game, notation: Notation, lines: &mut Lines) {
    let mut walker = Walker::new(game);
    let next = |id: NodeId| game[id].children().first().map(|&id| Task::Move(id));
    lines.comment(&game[NodeId::ROOT].comment);
    let mut tasks = Vec::from_iter(next(NodeId::ROOT));
    // Black's moves have a number where they do not stand behind Red's.
    let mut follows = false;
    while let Some(task) = tasks.pop() {
        let (id, bracket) = match task {
            Task::Move(id) => (id, ""),
            Task::Variation(id) => (id, "("),
            Task::Close => {
                lines.attach(")");
                follows = false;
                continue;
            }
        };
        walker.go_to(game, game[id].parent());
        let position = walker.position();
        let number = position.game_ply() / 2 + 1;
        let text = notation::write(position, game[id].mv(), notation);
        match position.side() {
            Color::Red => lines.word(&format!("{bracket}{number}.")),
            Color::Black if !follows || !bracket.is_empty() => lines.word(&format!("{bracket}{number}...")),
            Color::Black => {}
        }
        lines.word(&text);
        game[id].marks.iter().for_each(|mark| lines.word(&mark.to_string()));
        lines.comment(&game[id].comment);
        follows = true;
        tasks.extend(next(id));
        if bracket.is_empty() {
            for &other in game[game[id].parent()].children().iter().skip(1).rev() {
                tasks.push(Task::Close);
                tasks.push(Task::Variation(other));
            }
        }
    }
}

struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 {
            let breaks = self.column + 1 + width > WIDTH;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.attach(word);
    }

    fn attach(&mut self, word: &str) {
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + word.chars().count(),
        };
    }

    /// A comment in curly brackets, for which PGN has no escape. An empty line in it would look like the end of a game,
    /// and one that looks like a tag would be taken for the beginning of the next.
    fn comment(&mut self, text: &str) {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).enumerate();
        let lines: Vec<Cow<str>> = lines
            .map(|(index, line)| match index {
                1.. if tokens::begins_like_tag(line.trim_start()) => Cow::Owned(format!(" {line}")),
                _ => Cow::Borrowed(line),
            })
            .collect();
        if !lines.is_empty() {
            self.word(&format!("{{{}}}", lines.join("\n").replace('{', "(").replace('}', ")")));
        }
    }
}

/// How many bytes of written records are whole: everything up to the end of the last game that is. Of bytes, not of
/// text: what a sudden end leaves may stop inside a character, and neither GBK nor UTF-8 hides a line end in one.
pub fn whole_length(bytes: &[u8]) -> usize {
    let ends_game = |index: usize| {
        let before = &bytes[..index];
        let word = before.rsplit(|byte| matches!(byte, b'\n' | b' ')).next().unwrap_or_default();
        GameResult::ALL.iter().any(|result| result.token().as_bytes() == word)
    };
    let blank_lines = bytes.windows(2).enumerate().filter(|(_, pair)| pair == b"\n\n");
    blank_lines.map(|(index, _)| index).rfind(|&index| ends_game(index)).map_or(0, |index| index + 2)
}

/// Reads all games of a text one by one, each as far as it is sound; one without a position to begin with is an error.
/// What stands between the result of a game and the next one (a line of signs, advertising) is passed over.
pub struct Games<'a> {
    text: &'a str,
    tokens: Tokens<'a>,
    /// A token that was cut but belongs to the next game.
    next: Option<Token<'a>>,
    /// How many games were read.
    count: usize,
}

/// The games of a text.
pub fn games(text: &str) -> Games<'_> {
    Games { text, tokens: Tokens::new(text, 1), next: None, count: 0 }
}

/// Reads all games of a text whose main lines must be sound. A game that cannot be read is an error; the next one is
/// tried.
pub fn read(text: &str) -> Vec<Result<Game, Fault>> {
    games(text).map(|game| game.and_then(Reading::whole)).collect()
}

#[derive(Default)]
struct Sketch<'a> {
    /// Its tags, with the lines they stand in.
    tags: Vec<(String, String, usize)>,
    sheet: Sheet<'a>,
    result: Option<GameResult>,
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<Reading, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut sketch = Sketch::default();
        let mut between = self.count > 0 && self.next.is_none();
        while let Some(token) = self.next.take().or_else(|| self.tokens.next()) {
            between &= !begins_game(&token.kind);
            match token.kind {
                _ if between => {}
                Kind::Tag(..) if sketch.sheet.has_words() => {
                    self.next = Some(token);
                    break;
                }
                Kind::Tag(name, value) => sketch.tags.push((name.to_string(), value, token.line)),
                Kind::Word(word) if !sketch.sheet.in_variation() => {
                    sketch.result = GameResult::of_token(word);
                    if sketch.result.is_some() {
                        break;
                    }
                    sketch.sheet.take(token);
                }
                _ => sketch.sheet.take(token),
            }
        }
        let is_one = !sketch.tags.is_empty() || sketch.sheet.has_words() || sketch.result.is_some();
        is_one.then(|| {
            self.count += 1;
            sketch.read(self.text, self.count).map(Reading::printable)
        })
    }
}

/// Whether another game can begin with this: a tag, or the number of a first move.
fn begins_game(kind: &Kind) -> bool {
    match kind {
        Kind::Tag(..) => true,
        Kind::Word(word) => {
            word.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、', '…']))
        }
        Kind::Comment { .. } | Kind::Open | Kind::Close => false,
    }
}

impl Sketch<'_> {
    fn read(self, text: &str, number: usize) -> Result<Reading, Fault> {
        let tag = |name: &str| self.tags.iter().find(|(tag, ..)| tag.eq_ignore_ascii_case(name));
        let fault = |line: usize, flaw: Flaw| Fault {
            game: number,
            place: Place::Line(line),
            flaw,
            breaks_off: true,
        };
        let start = match tag("FEN") {
            Some((_, fen, line)) => Position::from_fen(fen).map_err(|flaw| fault(*line, flaw.into()))?,
            None => Position::start(),
        };
        let mut reading = self.sheet.read(text, &start, number, Words::Moves);
        let told = tag("Result").and_then(|(_, value, _)| GameResult::of_words(value));
        reading.game.result = self.result.or(told).unwrap_or_default();
        reading.game.tags = self.tags.into_iter().map(|(name, value, _)| (name, value)).collect();
        Ok(reading)
    }
}
