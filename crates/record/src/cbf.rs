//! CBF, the XML format of 象棋桥.

use super::game::{GameResult, TreeBuilder, TreeEntry};
use super::movetext::normalize_comment;
use super::record_error::{FilePart, Location, ParsedGame, RecordError, RecordErrorKind};
use super::ubb::square;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use xiangqi::{Move, Position, fen::START_FEN};

/// The root element.
pub(crate) const ROOT_ELEMENT: &str = "ChineseChessRecord";
/// Elements of the head and the tags they map to.
const TAGS: [(&str, &str); 14] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeRule"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("Commentator", "Annotator"),
    ("Author", "Author"),
];

/// An element of the head or of the move list.
#[derive(Default)]
struct Element {
    name: String,
    value: String,
    branch: bool,
    end: bool,
    text: String,
    line: usize,
}

/// Reads the game of a text.
pub fn read(text: &str) -> Result<ParsedGame, RecordError> {
    let mut reader = Reader::from_str(text);
    let mut head: Vec<Element> = Vec::new();
    let mut moves: Vec<Element> = Vec::new();
    let mut open: Option<Element> = None;
    let mut broken = None;
    let (mut line, mut counted) = (1, 0);
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).unwrap_or(text.len()).min(text.len());
        line += text.as_bytes()[counted..at].iter().filter(|&&byte| byte == b'\n').count();
        counted = at;
        let mut close = |element: Option<Element>| {
            let Some(element) = element else { return };
            if element.name == "Move" { moves.push(element) } else { head.push(element) }
        };
        match event {
            Ok(Event::Start(start)) => open = Some(element(&start, line)),
            Ok(Event::Empty(start)) => close(Some(element(&start, line))),
            Ok(Event::End(_)) => close(open.take()),
            Ok(Event::Text(piece)) => append_text(&mut open, &piece),
            Ok(Event::CData(piece)) => append_text(&mut open, &piece),
            Ok(Event::GeneralRef(name)) => {
                let letter = name.resolve_char_ref().ok().flatten().map(String::from);
                let letter = letter.or_else(|| xml_entity(&name));
                append_text(&mut open, &letter.unwrap_or_default());
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                broken = Some((line, error.to_string()));
                break;
            }
        }
    }
    build_game(&head, &moves, broken)
}

fn append_text(open: &mut Option<Element>, text: &str) {
    open.iter_mut().for_each(|element| element.text.push_str(text));
}

/// Resolves a predefined XML entity.
fn xml_entity(name: &str) -> Option<String> {
    quick_xml::escape::resolve_predefined_entity(name).map(str::to_string)
}

fn element(start: &BytesStart, line: usize) -> Element {
    let mut element = Element { line, ..Element::default() };
    element.name = start.local_name().as_ref().to_string();
    for attribute in start.attributes().with_checks(false).flatten() {
        let value = attribute.value.into_owned();
        match attribute.key.as_ref() {
            "value" => element.value = value,
            "branch" => element.branch = value == "1",
            "end" => element.end = value == "1",
            _ => {}
        }
    }
    element
}

fn build_game(head: &[Element], moves: &[Element], broken: Option<(usize, String)>) -> Result<ParsedGame, RecordError> {
    let fatal = |line, kind| RecordError::fatal(1, Location::Line(line), kind);
    let field = |name: &str| head.iter().find(|element| element.name == name && !element.text.trim().is_empty());
    let (fen, line) = field("FEN").map_or((START_FEN, 1), |fen| (fen.text.trim(), fen.line));
    let start = Position::from_fen(fen).map_err(|source| fatal(line, source.into()))?;
    let mut builder = TreeBuilder::new(&start, 1);
    for element in moves {
        if builder.is_complete() {
            break;
        }
        let place = Location::Line(element.line);
        builder.push(
            place,
            TreeEntry {
                mv: read_move(&element.value),
                comment: normalize_comment(&element.text).into_owned(),
                has_child: !element.end,
                has_sibling: element.branch,
            },
        );
    }
    let last = moves.last().map_or(1, |element| element.line);
    match broken {
        Some((line, found)) => builder.record_error(Location::Line(line), RecordErrorKind::Xml(found)),
        None if !builder.is_complete() => {
            builder.record_error(Location::Line(last), RecordErrorKind::UnexpectedEnd(FilePart::Moves))
        }
        None => {}
    }
    let mut parsed = builder.finish();
    for (name, tag) in TAGS {
        if let Some(element) = field(name) {
            parsed.game.tags.push((tag.to_string(), element.text.trim().to_string()));
        }
    }
    parsed.game.result = field("RecordResult").map(|result| read_result(result.text.trim())).unwrap_or_default();
    Ok(parsed)
}

/// A result as a number, as in the program's other formats, or in words.
fn read_result(text: &str) -> GameResult {
    let numbered = text.parse().ok().and_then(|number: usize| GameResult::ALL.get(number).copied());
    numbered.or_else(|| GameResult::from_words(text)).unwrap_or_default()
}

/// `77-47`: columns from the left, rows from the top.
fn read_move(value: &str) -> Option<Move> {
    let [a, b, '-', c, d] = value.trim().chars().collect::<Vec<_>>()[..] else { return None };
    Some(Move::new(square(a, b)?, square(c, d)?))
}
