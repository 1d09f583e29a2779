//! Reads DhtmlXQ text, with whatever a page puts around it.

use super::{MARK, TAGS};
use crate::record::fault::{Fault, Flaw, Place, Reading};
use crate::record::game::{Game, GameResult, NodeId, Walker};
use crate::record::grid::Grid;
use crate::record::movetext::tidy;
use chuhe_engine::board::Position;
use chuhe_engine::language::{phrase, tr};
use chuhe_engine::types::{Color, Move, Square};
use std::collections::BTreeMap;

/// A value and the line in which it begins.
#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    line: usize,
}

/// The marks of one game, in their order.
type Marks<'a> = Vec<(&'a str, Value<'a>)>;

/// Reads the games of a text.
pub fn read(text: &str) -> Vec<Result<Reading, Fault>> {
    let games = cut(text);
    games.into_iter().enumerate().map(|(index, marks)| Reader::read(&marks, index + 1)).collect()
}

/// The marks of the games of a text. A game begins with a mark around it all, or with moves or a board where the one
/// before has them already.
fn cut(text: &str) -> Vec<Marks<'_>> {
    let mut games: Vec<Marks> = Vec::new();
    let mut marks = Marks::new();
    let (mut at, mut line, mut counted) = (0, 1, 0);
    while let Some(found) = text[at..].find(MARK) {
        let begin = at + found;
        line += text[counted..begin].bytes().filter(|&byte| byte == b'\n').count();
        counted = begin;
        at = begin + MARK.len();
        let Some(end) = text[at..].find(']') else { break };
        let name = &text[at..at + end];
        at += end + 1;
        let Some(key) = name.strip_prefix('_') else {
            // `[DhtmlXQ]` or one of its sisters.
            games.push(std::mem::take(&mut marks));
            continue;
        };
        // Some close a value by another name, or not at all.
        let mut marks_ahead = text[at..].match_indices("DhtmlXQ").map(|(ahead, _)| &text[at..at + ahead]);
        let value =
            marks_ahead.find_map(|before| before.strip_suffix("[/").or_else(|| before.strip_suffix('[')));
        let length = value.map_or(text.len() - at, str::len);
        let value = Value { text: &text[at..at + length], line };
        at += length;
        let again = |(other, _): &(&str, Value)| *other == key;
        if ["movelist", "binit"].contains(&key) && marks.iter().any(again) {
            games.push(std::mem::take(&mut marks));
        }
        marks.push((key, value));
    }
    games.push(marks);
    // A board or a name alone is no game.
    games.retain(|marks| marks.iter().any(|(key, _)| ["movelist", "binit", "fen"].contains(key)));
    games
}

/// A move of a line: where it leads to, or nowhere for a fault.
struct Line {
    /// The ply of its first move.
    first: usize,
    /// The place before its first move, and then those behind each of them.
    places: Vec<NodeId>,
}

struct Reader {
    number: usize,
    game: Game,
    walker: Walker,
    faults: Vec<Fault>,
    lines: BTreeMap<usize, Line>,
}

impl Reader {
    fn read(marks: &Marks, number: usize) -> Result<Reading, Fault> {
        let value = |name: &str| {
            let found = marks.iter().find(|(key, value)| *key == name && !value.text.trim().is_empty());
            found.map(|(_, value)| *value)
        };
        let movelist = value("movelist").unwrap_or(Value { text: "", line: 1 });
        let (start, line) = match (value("fen"), value("binit")) {
            (Some(fen), _) => (Position::from_fen(fen.text).map_err(Flaw::from), fen.line),
            (None, Some(board)) => (read_board(board.text, movelist.text), board.line),
            (None, None) => (Ok(Position::start()), 1),
        };
        let fault = |flaw| Fault { game: number, place: Place::Line(line), flaw, breaks_off: true };
        let game = Game::new(&start.map_err(fault)?);
        let walker = Walker::new(&game);
        let mut reader = Reader { number, game, walker, faults: Vec::new(), lines: BTreeMap::new() };
        reader.play(0, 1, NodeId::ROOT, movelist);
        reader.variations(marks);
        reader.comments(marks);
        reader.tags(marks);
        reader.faults.sort_by_key(|fault| fault.place);
        Ok(Reading { game: reader.game, faults: reader.faults })
    }

    fn fault(&mut self, line: usize, flaw: Flaw, breaks_off: bool) {
        self.faults.push(Fault { game: self.number, place: Place::Line(line), flaw, breaks_off });
    }

    /// Plays a line whose first move has this ply.
    fn play(&mut self, name: usize, first: usize, from: NodeId, value: Value) {
        self.walker.go_to(&self.game, from);
        let mut places = vec![from];
        let text: Vec<char> = value.text.chars().filter(|letter| !letter.is_whitespace()).collect();
        for digits in text.chunks(4) {
            let number = self.walker.position().game_ply() as usize / 2 + 1;
            let flaw = match read_move(digits).map(|mv| self.walker.play(&mut self.game, mv)) {
                Some(Ok(id)) => {
                    places.push(id);
                    continue;
                }
                Some(Err(source)) => Flaw::Move { number, source },
                None => Flaw::Expected {
                    expected: phrase!("four digits a move, columns from 0 to 8 and rows from 0 to 9"),
                    found: tr!("'{text}'", text = digits.iter().collect::<String>().escape_debug()),
                },
            };
            self.fault(value.line, flaw, name == 0);
            break;
        }
        self.lines.insert(name, Line { first, places });
    }

    /// Plays the variations; the line that one leaves may be told after it.
    fn variations(&mut self, marks: &Marks) {
        let numbers = |key: &str| -> Option<[usize; 3]> {
            let numbers = key.strip_prefix("move_")?.split('_').map(|number| number.parse().ok());
            numbers.collect::<Option<Vec<usize>>>()?.try_into().ok()
        };
        let mut leaving: BTreeMap<usize, Vec<(usize, usize, Value)>> = BTreeMap::new();
        for (key, value) in marks {
            if let Some([line, ply, name]) = numbers(key) {
                leaving.entry(line).or_default().push((ply, name, *value));
            }
        }
        // Each with those that leave it, from the end of its line back: so the board goes every way once, there and back.
        let mut backwards = |line: usize| {
            let mut variations = leaving.remove(&line).unwrap_or_default();
            // The last is taken first; of those that leave at one ply that is the first in the text.
            variations.reverse();
            variations.sort_by_key(|&(ply, ..)| ply);
            variations.into_iter().map(move |variation| (line, variation))
        };
        let mut pending = Vec::from_iter(backwards(0));
        while let Some((line, (ply, name, value))) = pending.pop() {
            let from = &self.lines[&line];
            let place = ply.checked_sub(from.first).and_then(|index| from.places.get(index)).copied();
            match place.filter(|_| !self.lines.contains_key(&name)) {
                Some(place) => {
                    self.play(name, ply, place, value);
                    pending.extend(backwards(name));
                }
                None => {
                    let found = tr!("line {name} at ply {ply} of line {line}", name, ply, line);
                    let expected = phrase!("a new line at a ply of one that is there");
                    self.fault(value.line, Flaw::Expected { expected, found }, false);
                }
            }
        }
        for (line, lost) in leaving {
            for (_, name, value) in lost {
                let found = tr!("line {name}, which leaves line {line}", name, line);
                self.fault(
                    value.line,
                    Flaw::Expected { expected: phrase!("a line that is there"), found },
                    false,
                );
            }
        }
    }

    /// `comment3` is behind the third ply of the game, `comment2_5` behind the fifth in the second line.
    fn comments(&mut self, marks: &Marks) {
        for (key, value) in marks {
            let Some(name) = key.strip_prefix("comment") else { continue };
            let (line, ply) = name.split_once('_').unwrap_or(("0", name));
            let (Ok(line), Ok(ply)) = (line.parse::<usize>(), ply.parse::<usize>()) else { continue };
            let found = self.lines.get(&line).and_then(|line| {
                let index = ply.checked_add(1)?.checked_sub(line.first)?;
                // What stands behind the move before a variation belongs to the line it leaves.
                line.places.get(index).filter(|_| index > 0 || line.first == 1).copied()
            });
            if let Some(place) = found {
                self.game[place].set_marked_comment(&unescape(value.text));
            }
        }
    }

    fn tags(&mut self, marks: &Marks) {
        for (name, tag) in TAGS {
            let found = marks.iter().find(|(key, value)| *key == name && !value.text.trim().is_empty());
            if let Some((_, value)) = found.filter(|_| self.game.tag(tag).is_none()) {
                self.game.set_tag(tag, unescape(value.text).replace('\n', " "));
            }
        }
        let result = marks.iter().find(|(key, _)| *key == "result");
        self.game.result = result.and_then(|(_, value)| GameResult::of_words(value.text)).unwrap_or_default();
    }
}

/// The square of a column from the left and a row from the top.
fn square(column: char, row: char) -> Option<Square> {
    let (column, row) = (column.to_digit(10)? as u8, row.to_digit(10)? as u8);
    (column < Square::FILES).then(|| Square::new(column, 9 - row))
}

fn read_move(digits: &[char]) -> Option<Move> {
    let [a, b, c, d] = *digits else { return None };
    Some(Move::new(square(a, b)?, square(c, d)?))
}

/// The board of 64 digits; whose piece moves first is to move.
fn read_board(text: &str, movelist: &str) -> Result<Position, Flaw> {
    let digits: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if digits.len() != 64 || digits.iter().any(|digit| !digit.is_ascii_digit()) {
        let found = tr!("{count} letters", count = digits.len());
        return Err(Flaw::Expected { expected: phrase!("64 digits, two for each of 32 pieces"), found });
    }
    // Pieces that are not there stand on 99, which is no square.
    let grid = Grid::of_slots(digits.chunks(2).map(|pair| square(pair[0], pair[1])));
    let first: Vec<char> = movelist.chars().filter(|letter| !letter.is_whitespace()).take(4).collect();
    let mover = read_move(&first).and_then(|mv| grid.side_on(mv.from()));
    Ok(grid.position(mover.unwrap_or(Color::Red))?)
}

/// A comment or a name: `||` ends a line, `\u` and four digits are a letter.
fn unescape(text: &str) -> String {
    tidy(&text.split("||").map(unescape_line).collect::<Vec<_>>().join("\n"))
}

fn unescape_line(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        let code = rest.get(at + 2..at + 6).and_then(|code| u32::from_str_radix(code, 16).ok());
        plain.push_str(&rest[..at]);
        match code.and_then(char::from_u32) {
            Some(letter) => {
                plain.push(letter);
                rest = &rest[at + 6..];
            }
            None => {
                plain.push_str("\\u");
                rest = &rest[at + 2..];
            }
        }
    }
    plain + rest
}
