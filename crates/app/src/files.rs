//! Games and pictures as bytes that the browser uploads or downloads. No file is opened or written here.

use super::analysis::PositionQuery;
use super::game_tree::GameTree;
use super::library::Library;
use super::library::record::{GameId, GameSummary, Source, StoredGame};
use super::save_store::SaveStore;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use base64::write::EncoderWriter;
use chuhe_support::files::safe_file_name;
use chuhe_support::language::{Message, message};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;
use xiangqi::{Move, Position};
use xiangqi_draw::{ArrowKind, BoardColours, BoardPicture, BoardStyle, Coordinates, PieceSet, animation};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, RecordFile};

/// The maximum number of errors told of a file.
const MAX_ERRORS: usize = 10;
/// The width of a PNG in pixels.
const PNG_WIDTH: u32 = 960;
/// The maximum number of arrows of a picture.
const MAX_ARROWS: usize = 64;
/// An animated picture: its width, and the moves that it shows.
const ANIMATION_WIDTH: u32 = 480;
const ANIMATED_MOVES: usize = 10;

/// The games of an upload, which are in the list now.
#[derive(Serialize, crate::TS)]
pub struct UploadedGames {
    format: String,
    /// The first game.
    tree: GameTree,
    /// The numbers of the games, that of the first one first; empty if they could not be kept.
    ids: Vec<GameId>,
    /// What is wrong with the games or with the list.
    #[ts(type = "string[]")]
    errors: Vec<Message>,
}

impl UploadedGames {
    /// Reads the games of a file in base64, and puts them into the list.
    pub fn read(library: &Library, bytes: &str, name: &str) -> Result<UploadedGames, Message> {
        let nothing = || message!("There is no game in it that is known here.");
        let source = RecordFile::read(BASE64.decode(bytes).map_err(|_| nothing())?);
        let (mut games, mut errors, mut tree, mut first_error) = (Vec::new(), Vec::new(), None, None);
        for reading in source.games() {
            match reading {
                Ok(reading) => {
                    errors.extend(reading.errors.into_iter().take(MAX_ERRORS - errors.len()).map(Message::from_value));
                    if tree.is_none() {
                        tree = Some(GameTree::of(&reading.game)?);
                    }
                    games.push(StoredGame::new(&reading.game, Source::Opened, name));
                }
                Err(error) => first_error = first_error.or(Some(Message::from_value(error))),
            }
        }
        let tree = tree.ok_or_else(|| first_error.clone().unwrap_or_else(nothing))?;
        errors.extend(first_error);
        // A position without a move is opened, but not kept.
        if let [game] = &games[..]
            && game.about.moves == 0
        {
            games.clear();
        }
        let ids = library.add(games).unwrap_or_else(|error| {
            errors.insert(0, error);
            Vec::new()
        });
        Ok(UploadedGames { format: source.format().to_string(), tree, ids, errors })
    }
}

/// A file for the browser to save. Its bytes are written while they are sent, in base64.
pub struct FileDownload {
    name: String,
    content_type: &'static str,
    content: FileContent,
}

enum FileContent {
    Bytes(Vec<u8>),
    Games(GamesFile),
}

/// What a page is sent of a file before its bytes.
#[derive(Serialize)]
struct FileHead<'a> {
    name: &'a str,
    content_type: &'static str,
}

impl FileDownload {
    pub fn new(name: &str, content_type: &'static str, bytes: Vec<u8>) -> FileDownload {
        FileDownload { name: name.to_string(), content_type, content: FileContent::Bytes(bytes) }
    }

    /// A game to be saved.
    pub fn of_game(game: &Game, format: &str) -> Result<FileDownload, Message> {
        let target: OutputFormat = format.parse().map_err(Message::from_value)?;
        let bytes = target.write(game, Notation::Iccs, Encoding::Utf8).map_err(Message::from_value)?;
        Ok(FileDownload::new(&format!("{}.{target}", file_name(game)), BYTES, bytes))
    }

    /// Games of the list as one file. All of them must be there; what is wrong with one of them is told at the end of the file.
    pub fn of_games(store: &Arc<SaveStore>, ids: &[GameId], format: &str) -> Result<FileDownload, Message> {
        let target: OutputFormat = format.parse().map_err(Message::from_value)?;
        let places = store.library().places(ids)?;
        let (name, content_type) = match places[..] {
            [place] => (file_name_of(&store.library().read_beside(place, &mut None)?, target), BYTES),
            // This format has one game in a file.
            _ if target == OutputFormat::Xqf => ("chuhe-games.zip".to_string(), "application/zip"),
            _ => (format!("chuhe-games.{target}"), BYTES),
        };
        let games = GamesFile { store: Arc::clone(store), places, target };
        Ok(FileDownload { name, content_type, content: FileContent::Games(games) })
    }

    /// Writes the file as JSON: `{"name":…,"content_type":…,"bytes":…}`, with an error behind the bytes if there was one.
    pub fn write(self, to: &mut impl Write) -> io::Result<()> {
        let head = serde_json::to_string(&FileHead { name: &self.name, content_type: self.content_type })?;
        write!(to, "{},\"bytes\":\"", head.trim_end_matches('}'))?;
        let mut encoder = EncoderWriter::new(&mut *to, &BASE64);
        let outcome = match self.content {
            FileContent::Bytes(bytes) => encoder.write_all(&bytes).map(Ok),
            FileContent::Games(games) => games.write(&mut encoder),
        }?;
        encoder.finish()?;
        drop(encoder);
        match outcome {
            Ok(()) => to.write_all(b"\"}"),
            Err(error) => write!(to, "\",\"error\":{}}}", serde_json::to_string(&error)?),
        }
    }

    /// The same JSON as a text.
    pub fn json(self) -> String {
        let mut json = Vec::new();
        // To write to memory cannot fail.
        let _ = self.write(&mut json);
        String::from_utf8(json).unwrap_or_default()
    }
}

/// The games of a file that is written while it is sent.
struct GamesFile {
    store: Arc<SaveStore>,
    places: Vec<(GameId, u32)>,
    target: OutputFormat,
}

impl GamesFile {
    /// Writes game after game. The inner error is that of a game.
    fn write(self, to: &mut impl Write) -> io::Result<Result<(), Message>> {
        let mut archive = (self.places.len() > 1 && self.target == OutputFormat::Xqf).then(ZipWriter::default);
        let mut last = None;
        for place in self.places {
            let written = self.store.library().read_beside(place, &mut last).and_then(|game| {
                let bytes = self.target.write(&game.0, Notation::Iccs, Encoding::Utf8).map_err(Message::from_value)?;
                Ok((bytes, file_name_of(&game, self.target)))
            });
            match (written, &mut archive) {
                (Err(error), _) => return Ok(Err(error)),
                (Ok((bytes, name)), Some(archive)) => archive.add(to, &name, &bytes)?,
                (Ok((bytes, _)), None) => to.write_all(&bytes)?,
            }
        }
        archive.map_or(Ok(()), |archive| archive.finish(to)).map(Ok)
    }
}

const BYTES: &str = "application/octet-stream";

/// The name of the file of a game of the list.
fn file_name_of((game, about): &(Game, GameSummary), target: OutputFormat) -> String {
    let name = if about.name.is_empty() { file_name(game) } else { safe_file_name(&about.name, "game") };
    format!("{name}.{target}")
}

/// A name for the file of a game: players and date, as far as they are known.
fn file_name(game: &Game) -> String {
    let tag = |name: &str| game.tag(name).map(str::trim).filter(|value| !value.is_empty() && !value.contains('?'));
    let parts: Vec<&str> = ["Red", "Black", "Date"].into_iter().filter_map(tag).collect();
    safe_file_name(&parts.join("-"), "game")
}

/// A picture of the current board.
#[derive(Deserialize, crate::TS)]
pub struct PictureRequest {
    #[serde(flatten)]
    query: PositionQuery,
    flipped: bool,
    /// Moves to draw as arrows.
    arrows: Vec<String>,
    /// `svg`, `png`, or `apng` for the last moves as an animated picture.
    format: String,
    #[serde(default)]
    #[ts(type = "Record<string, string>")]
    style: StyleNames,
}

/// The style of the board by names; an unknown name stands for the usual one.
#[derive(Deserialize, Default)]
#[serde(default)]
struct StyleNames {
    pieces: String,
    board: String,
    coordinates: String,
    octagons: String,
}

impl StyleNames {
    fn style(&self) -> BoardStyle {
        BoardStyle {
            pieces: PieceSet::by_name(&self.pieces).unwrap_or_default(),
            board: BoardColours::by_name(&self.board).unwrap_or_default(),
            coordinates: Coordinates::by_name(&self.coordinates).unwrap_or_default(),
            octagons: self.octagons == "on",
        }
    }
}

impl PictureRequest {
    pub fn draw(&self) -> Result<FileDownload, Message> {
        if self.format == "apng" {
            let positions = self.query.last_positions(ANIMATED_MOVES)?;
            let pictures: Vec<BoardPicture> = positions.iter().map(|position| self.picture(position)).collect();
            return Ok(FileDownload::new("moves.png", "image/apng", animation(&pictures, ANIMATION_WIDTH)));
        }
        if self.arrows.len() > MAX_ARROWS {
            return Err(message!("A picture has at most {count} arrows.", count = MAX_ARROWS));
        }
        let position = self.query.position()?;
        let arrows: Result<Vec<Move>, _> = self.arrows.iter().map(|text| text.parse()).collect();
        let arrows = arrows.map_err(Message::from_value)?.into_iter().map(|mv| (mv, ArrowKind::Best)).collect();
        let picture = BoardPicture { arrows, ..self.picture(&position) };
        Ok(match self.format.as_str() {
            "png" => FileDownload::new("board.png", "image/png", picture.png(PNG_WIDTH)),
            _ => FileDownload::new("board.svg", "image/svg+xml", picture.svg().into_bytes()),
        })
    }

    /// A position with its last move.
    fn picture<'a>(&self, position: &'a Position) -> BoardPicture<'a> {
        BoardPicture {
            last: position.last_move(),
            flipped: self.flipped,
            style: self.style.style(),
            ..BoardPicture::new(position)
        }
    }
}

/// An archive that is being written.
#[derive(Default)]
pub struct ZipWriter {
    directory: Vec<u8>,
    size: usize,
    /// The names so far, in small letters: some file systems make no difference.
    names: HashSet<String>,
    count: u16,
}

impl ZipWriter {
    /// Adds a file; a name that has come before gets a number.
    pub fn add(&mut self, to: &mut impl Write, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.count += 1;
        let mut unique = name.to_string();
        for number in usize::from(self.count).. {
            if self.names.insert(unique.to_lowercase()) {
                break;
            }
            unique = format!("{number}-{name}");
        }
        let entry = entry(&unique, bytes);
        let begin = [b"PK\x03\x04", &entry[..], unique.as_bytes()].concat();
        to.write_all(&begin)?;
        to.write_all(bytes)?;
        let offset = (self.size as u32).to_le_bytes();
        // No comment, the first disk, no attributes.
        let line = [b"PK\x01\x02\x14\0", &entry[..], &[0; 10], &offset, unique.as_bytes()].concat();
        self.directory.extend(line);
        self.size += begin.len() + bytes.len();
        Ok(())
    }

    /// Writes the list of the files, which is the end.
    pub fn finish(self, to: &mut impl Write) -> io::Result<()> {
        let [size, offset] = [self.directory.len(), self.size].map(|number| (number as u32).to_le_bytes());
        let count = self.count.to_le_bytes();
        to.write_all(&self.directory)?;
        to.write_all(&[b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &offset, &[0, 0]].concat())
    }
}

/// What stands of a file in both places: version, UTF-8 names, no compression, no time, checksum, sizes, lengths.
fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    const FIRST_DAY: [u8; 4] = [0, 0, 0x21, 0];
    let size = (bytes.len() as u32).to_le_bytes();
    let sum = checksum(bytes).to_le_bytes();
    let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
    [&[20, 0, 0, 8, 0, 0][..], &FIRST_DAY, &sum, &size, &size, &lengths].concat()
}

/// The CRC-32 of ZIP and PNG.
fn checksum(bytes: &[u8]) -> u32 {
    let add_bit = |sum: u32| if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum: u32, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| add_bit(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }
}
