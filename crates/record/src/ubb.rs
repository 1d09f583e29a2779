//! DhtmlXQ text ("UBB"), used by forums and web pages: `[DhtmlXQ_key]value[/DhtmlXQ_key]`. Surrounding page content is
//! skipped.
//!
//! ```
//! let page = "<html>[DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]</html>";
//! let game = xiangqi_record::ubb::games(page).next().expect("a game")?.game;
//! assert_eq!((game.tag("Red"), game.main_line().count()), (Some("甲"), 2));
//! # Ok::<(), xiangqi_record::RecordError>(())
//! ```

use crate::game::{Game, GameCursor, GameResult, NodeId};
use crate::movetext::normalize_comment;
use crate::output_format::{self, PieceCountError};
use crate::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use xiangqi::{Color, Move, Position, Square};

/// The prefix of every mark.
const MARKER_PREFIX: &str = "[DhtmlXQ";

/// Keys and the tags they map to. If two keys map to one tag, the first is written.
const TAGS: [(&str, &str); 27] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("group", "Group"),
    ("class", "Class"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("redtime", "RedTime"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("blacktime", "BlackTime"),
    ("red", "Red"),
    ("black", "Black"),
    ("timerule", "TimeRule"),
    ("open", "Opening"),
    ("type", "Type"),
    ("gametype", "GameType"),
    ("endtype", "Termination"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("owner", "Owner"),
    ("refer", "Source"),
];

/// A value and its line number.
#[derive(Clone, Copy)]
struct TaggedValue<'a> {
    text: &'a str,
    line: usize,
}

/// The marks of a game, in order.
type GameValues<'a> = Vec<(&'a str, TaggedValue<'a>)>;

/// The games of a text, read one after the other.
pub fn games(text: &str) -> impl Iterator<Item = Result<ParsedGame, RecordError>> + '_ {
    split_games(text).into_iter().zip(1..).map(|(marks, number)| UbbReader::read(&marks, number))
}

/// Splits the marks of a text into games. A game begins with an enclosing mark, or with moves or a board if the current
/// game already has them.
fn split_games(text: &str) -> Vec<GameValues<'_>> {
    let mut games: Vec<GameValues> = Vec::new();
    let mut marks = GameValues::new();
    let (mut at, mut line, mut counted) = (0, 1, 0);
    while let Some(found) = text[at..].find(MARKER_PREFIX) {
        let begin = at + found;
        line += text[counted..begin].bytes().filter(|&byte| byte == b'\n').count();
        counted = begin;
        at = begin + MARKER_PREFIX.len();
        let Some(end) = text[at..].find(']') else { break };
        let name = &text[at..at + end];
        at += end + 1;
        let Some(key) = name.strip_prefix('_') else {
            // `[DhtmlXQ]` or a variant of it.
            games.push(std::mem::take(&mut marks));
            continue;
        };
        // Some pages close a value by another name, or not at all.
        let mut marks_ahead = text[at..].match_indices("DhtmlXQ").map(|(ahead, _)| &text[at..at + ahead]);
        let value = marks_ahead.find_map(|before| before.strip_suffix("[/").or_else(|| before.strip_suffix('[')));
        let length = value.map_or(text.len() - at, str::len);
        let value = TaggedValue { text: &text[at..at + length], line };
        at += length;
        let again = |(other, _): &(&str, TaggedValue)| *other == key;
        if ["movelist", "binit"].contains(&key) && marks.iter().any(again) {
            games.push(std::mem::take(&mut marks));
        }
        marks.push((key, value));
    }
    games.push(marks);
    // A board or a name alone is not a game.
    games.retain(|marks| marks.iter().any(|(key, _)| ["movelist", "binit", "fen"].contains(key)));
    games
}

/// The nodes of a line.
struct MoveLine {
    /// The ply of its first move.
    first_ply: usize,
    /// The node before the first move, followed by the nodes of its moves.
    nodes: Vec<NodeId>,
}

struct UbbReader {
    number: usize,
    game: Game,
    cursor: GameCursor,
    errors: Vec<RecordError>,
    lines: BTreeMap<usize, MoveLine>,
}

impl UbbReader {
    fn read(marks: &GameValues, number: usize) -> Result<ParsedGame, RecordError> {
        let value = |name: &str| {
            let found = marks.iter().find(|(key, value)| *key == name && !value.text.trim().is_empty());
            found.map(|(_, value)| *value)
        };
        let movelist = value("movelist").unwrap_or(TaggedValue { text: "", line: 1 });
        let (start, line) = match (value("fen"), value("binit")) {
            (Some(fen), _) => (Position::from_fen(fen.text).map_err(RecordErrorKind::from), fen.line),
            (None, Some(board)) => (read_board(board.text, movelist.text), board.line),
            (None, None) => (Ok(Position::start()), 1),
        };
        let fatal = |kind| RecordError::fatal(number, Location::Line(line), kind);
        let game = Game::new(&start.map_err(fatal)?);
        let cursor = GameCursor::new(&game);
        let mut reader = UbbReader { number, game, cursor, errors: Vec::new(), lines: BTreeMap::new() };
        reader.play_line(0, 1, NodeId::ROOT, movelist);
        reader.variations(marks);
        reader.comments(marks);
        reader.tags(marks);
        reader.errors.sort_by_key(|error| error.location);
        Ok(ParsedGame { game: reader.game, errors: reader.errors })
    }

    fn record_error(&mut self, line: usize, kind: RecordErrorKind, ends_main_line: bool) {
        self.errors.push(RecordError { game: self.number, location: Location::Line(line), kind, ends_main_line });
    }

    /// Plays a line whose first move has this ply.
    fn play_line(&mut self, name: usize, first: usize, from: NodeId, value: TaggedValue) {
        self.cursor.go_to(&self.game, from);
        let mut places = vec![from];
        let text: Vec<char> = value.text.chars().filter(|letter| !letter.is_whitespace()).collect();
        for digits in text.chunks(4) {
            let number = self.cursor.position().game_ply() as usize / 2 + 1;
            let kind = match read_move(digits).map(|mv| self.cursor.play(&mut self.game, mv)) {
                Some(Ok(id)) => {
                    places.push(id);
                    continue;
                }
                Some(Err(source)) => RecordErrorKind::Move { number, source },
                None => RecordErrorKind::MoveDigits(digits.iter().collect::<String>().escape_debug().to_string()),
            };
            self.record_error(value.line, kind, name == 0);
            break;
        }
        self.lines.insert(name, MoveLine { first_ply: first, nodes: places });
    }

    /// Plays the variations; a parent line may come after its child in the text.
    fn variations(&mut self, marks: &GameValues) {
        let numbers = |key: &str| -> Option<[usize; 3]> {
            let numbers = key.strip_prefix("move_")?.split('_').map(|number| number.parse().ok());
            numbers.collect::<Option<Vec<usize>>>()?.try_into().ok()
        };
        let mut leaving: BTreeMap<usize, Vec<(usize, usize, TaggedValue)>> = BTreeMap::new();
        for (key, value) in marks {
            if let Some([line, ply, name]) = numbers(key) {
                leaving.entry(line).or_default().push((ply, name, *value));
            }
        }
        // Variations are processed per line from its end backwards, so that the cursor traverses each line only once.
        let mut backwards = |line: usize| {
            let mut variations = leaving.remove(&line).unwrap_or_default();
            // The last one is taken first; of those at one ply that is the first in the text.
            variations.reverse();
            variations.sort_by_key(|&(ply, ..)| ply);
            variations.into_iter().map(move |variation| (line, variation))
        };
        let mut pending = Vec::from_iter(backwards(0));
        while let Some((line, (ply, name, value))) = pending.pop() {
            let from = &self.lines[&line];
            let place = ply.checked_sub(from.first_ply).and_then(|index| from.nodes.get(index)).copied();
            match place.filter(|_| !self.lines.contains_key(&name)) {
                Some(place) => {
                    self.play_line(name, ply, place, value);
                    pending.extend(backwards(name));
                }
                None => {
                    let kind = RecordErrorKind::VariationPlace { line: name, ply, parent: line };
                    self.record_error(value.line, kind, false);
                }
            }
        }
        for (line, lost) in leaving {
            for (_, name, value) in lost {
                self.record_error(value.line, RecordErrorKind::VariationParent { line: name, parent: line }, false);
            }
        }
    }

    /// `comment3` belongs to the third ply of the main line, `comment2_5` to the fifth ply of line 2.
    fn comments(&mut self, marks: &GameValues) {
        for (key, value) in marks {
            let Some(name) = key.strip_prefix("comment") else { continue };
            let (line, ply) = name.split_once('_').unwrap_or(("0", name));
            let (Ok(line), Ok(ply)) = (line.parse::<usize>(), ply.parse::<usize>()) else { continue };
            let found = self.lines.get(&line).and_then(|line| {
                let index = ply.checked_add(1)?.checked_sub(line.first_ply)?;
                // A comment at the move before a variation belongs to the parent line.
                line.nodes.get(index).filter(|_| index > 0 || line.first_ply == 1).copied()
            });
            if let Some(place) = found {
                self.game[place].set_marked_comment(&unescape(value.text));
            }
        }
    }

    fn tags(&mut self, marks: &GameValues) {
        for (name, tag) in TAGS {
            let found = marks.iter().find(|(key, value)| *key == name && !value.text.trim().is_empty());
            if let Some((_, value)) = found.filter(|_| self.game.tag(tag).is_none()) {
                self.game.set_tag(tag, unescape(value.text).replace('\n', " "));
            }
        }
        let result = marks.iter().find(|(key, _)| *key == "result");
        self.game.result = result.and_then(|(_, value)| GameResult::from_words(value.text)).unwrap_or_default();
    }
}

/// The square of a column from the left and a row from the top.
pub(crate) fn square(column: char, row: char) -> Option<Square> {
    Square::try_new(column.to_digit(10)? as u8, 9 - row.to_digit(10)? as u8)
}

fn read_move(digits: &[char]) -> Option<Move> {
    let [a, b, c, d] = *digits else { return None };
    Some(Move::new(square(a, b)?, square(c, d)?))
}

/// Reads the board of 64 digits; the first move tells the side to move.
fn read_board(text: &str, movelist: &str) -> Result<Position, RecordErrorKind> {
    let digits: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if digits.len() != 64 || digits.iter().any(|digit| !digit.is_ascii_digit()) {
        return Err(RecordErrorKind::BoardDigits(digits.len()));
    }
    // Absent pieces are on 99, which is not a square.
    let setup = output_format::read(digits.chunks(2).map(|pair| square(pair[0], pair[1])));
    let first: Vec<char> = movelist.chars().filter(|letter| !letter.is_whitespace()).take(4).collect();
    output_format::start(setup, read_move(&first), Color::Red)
}

/// Decodes a comment or a name: `||` is a line break, `\u` and four digits a character.
fn unescape(text: &str) -> String {
    normalize_comment(&text.split("||").map(unescape_line).collect::<Vec<_>>().join("\n")).into_owned()
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

/// Whether there is a mark for a tag.
pub(crate) fn has_field(name: &str) -> bool {
    TAGS.iter().any(|(_, tag)| tag.eq_ignore_ascii_case(name))
}

/// Writes a game, with a line break at the end.
pub fn write(game: &Game) -> Result<String, PieceCountError> {
    let mut text = format!("{MARKER_PREFIX}]\n");
    let mut mark = |key: &str, value: &str| {
        let _ = writeln!(text, "{MARKER_PREFIX}_{key}]{value}[/DhtmlXQ_{key}]");
    };
    mark("ver", "www_dpxq_com");
    mark("init", "500,350");
    let mut written: Vec<&str> = Vec::new();
    for (key, tag) in TAGS {
        if let Some(value) = game.tag(tag).filter(|_| !written.contains(&tag)) {
            written.push(tag);
            mark(key, &escape(value));
        }
    }
    // Most pages show team and name in one field.
    for (key, name, team) in [("red", "Red", "RedTeam"), ("black", "Black", "BlackTeam")] {
        // A team alone would be read as a name.
        if let Some(name) = game.tag(name) {
            let words: Vec<&str> = game.tag(team).into_iter().chain([name]).collect();
            mark(key, &escape(&words.join(" ")));
        }
    }
    mark("result", game.result.chinese());
    // The board field holds no counters and, without moves, not the side to move.
    let fen = game.start().fen();
    let has_moves = !game[NodeId::ROOT].children().is_empty();
    let implied = has_moves || game.start().side() == Color::Red;
    if !implied || !fen.ends_with(" - - 0 1") {
        mark("fen", &fen);
    }
    let board: String = output_format::write(game.start())?
        .iter()
        .map(|square| square.map_or("99".to_string(), square_digits))
        .collect();
    mark("binit", &board);
    write_lines(game, &mut mark);
    let _ = writeln!(text, "[/DhtmlXQ]");
    Ok(text)
}

/// Writes the main line and the variations, each with its comments, numbered in order.
fn write_lines(game: &Game, mark: &mut impl FnMut(&str, &str)) {
    let comment = |key: String, id: NodeId, mark: &mut dyn FnMut(&str, &str)| {
        let comment = game[id].marked_comment();
        if !comment.is_empty() {
            mark(&key, &escape(&comment));
        }
    };
    comment("comment0".to_string(), NodeId::ROOT, mark);
    // The parent line of each line, and its first move.
    let mut lines: VecDeque<(usize, Option<NodeId>)> =
        VecDeque::from([(0, game[NodeId::ROOT].children().first().copied())]);
    let (mut name, mut last) = (0, 0);
    while let Some((left, first)) = lines.pop_front() {
        let line: Vec<NodeId> = std::iter::successors(first, |&id| game[id].children().first().copied()).collect();
        let digits = |mv: Move| square_digits(mv.from()) + &square_digits(mv.to());
        let moves: String = line.iter().filter_map(|&id| game[id].mv().map(digits)).collect();
        match first.filter(|_| name > 0) {
            Some(first) => mark(&format!("move_{left}_{}_{name}", game[first].ply()), &moves),
            None => mark("movelist", &moves),
        }
        for (index, &id) in line.iter().enumerate() {
            let ply = game[id].ply();
            let key = if name == 0 { format!("comment{ply}") } else { format!("comment{name}_{ply}") };
            comment(key, id, mark);
            // Alternatives to the first move of a variation belong to its parent line.
            if index > 0 || name == 0 {
                let others = game[game[id].parent()].children().iter().skip(1);
                lines.extend(others.map(|&other| (name, Some(other))));
            }
        }
        last += 1;
        name = last;
    }
}

/// Column from the left, row from the top.
fn square_digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

/// Escapes a value. Characters with a special meaning are written as code points.
fn escape(text: &str) -> String {
    let escaped = |line: &str| {
        let line = line.replace("\\u", "\\u005cu").replace("[/DhtmlXQ", "\\u005b/DhtmlXQ");
        let line = line.replace(MARKER_PREFIX, "\\u005bDhtmlXQ");
        // Two vertical bars are a line break, and one at either end could form such a pair.
        let ends_lines = line.contains("||") || line.starts_with('|') || line.ends_with('|');
        if ends_lines { line.replace('|', "\\u007c") } else { line }
    };
    text.lines().map(escaped).collect::<Vec<_>>().join("||")
}
