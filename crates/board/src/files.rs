//! Games and pictures as bytes that the browser uploads or downloads. No file is opened or written here.

use super::bilingual::Bilingual;
use super::game_tree::GameTree;
use super::position_query::PositionQuery;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_support::language::tr;
use serde::{Deserialize, Serialize};
use xiangqi::{Move, Position};
use xiangqi_draw::{ArrowKind, BoardColours, BoardPicture, BoardStyle, Coordinates, PieceSet, animation};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, RecordFile};

/// The maximum number of games listed of a file.
const MAX_TITLES: usize = 1000;
/// The maximum length of the name of a file, in letters.
const MAX_FILE_NAME: usize = 60;
/// The width of a PNG in pixels.
const PNG_WIDTH: u32 = 960;
/// The maximum number of arrows of a picture.
const MAX_ARROWS: usize = 64;
/// An animated picture: its width, and the moves that it shows.
const ANIMATION_WIDTH: u32 = 480;
const ANIMATED_MOVES: usize = 10;

/// A file that the user dropped, pasted or chose.
#[derive(Deserialize)]
pub struct FileUpload {
    /// Its bytes, in base64.
    bytes: String,
    /// The index of the game, from 0.
    index: usize,
}

/// A game read from an upload.
#[derive(Serialize)]
pub struct UploadedGame {
    format: String,
    titles: Vec<String>,
    tree: GameTree,
    /// The errors in the game.
    errors: Vec<Bilingual>,
}

impl FileUpload {
    pub fn read(&self) -> Result<UploadedGame, Bilingual> {
        let nothing = || Bilingual::of(|| tr!("There is no game in it that is known here."));
        let source = RecordFile::read(BASE64.decode(&self.bytes).map_err(|_| nothing())?);
        let mut titles = Vec::new();
        let mut chosen = None;
        for (index, reading) in source.games().take(MAX_TITLES).enumerate() {
            titles.push(reading.as_ref().map_or_else(ToString::to_string, |reading| title(&reading.game)));
            if index == self.index {
                chosen = Some(reading);
            }
        }
        let reading = chosen.ok_or_else(nothing)?.map_err(Bilingual::from_value)?;
        let errors = reading.errors.into_iter().map(Bilingual::from_value).collect();
        Ok(UploadedGame { format: source.format().to_string(), titles, tree: GameTree::of(&reading.game)?, errors })
    }
}

/// The title of a game in a list.
fn title(game: &Game) -> String {
    let tag = |name: &str| game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?"));
    let players = [tag("Red"), tag("Black")].map(|name| name.unwrap_or("?"));
    let rest = ["Title", "Event", "Date", "Opening"].into_iter().filter_map(tag);
    let about: Vec<&str> = rest.chain([game.result.token()]).collect();
    format!("{} – {} · {}", players[0], players[1], about.join(" · "))
}

/// A game to be saved.
#[derive(Deserialize)]
pub struct SaveRequest {
    format: String,
    tree: GameTree,
}

/// A file for the browser to save.
#[derive(Serialize)]
pub struct FileDownload {
    name: String,
    content_type: &'static str,
    /// In base64.
    bytes: String,
}

impl FileDownload {
    pub fn new(name: &str, content_type: &'static str, bytes: &[u8]) -> FileDownload {
        FileDownload { name: name.to_string(), content_type, bytes: BASE64.encode(bytes) }
    }
}

impl SaveRequest {
    pub fn write(&self) -> Result<FileDownload, Bilingual> {
        let target: OutputFormat = self.format.parse().map_err(Bilingual::from_value)?;
        let game = self.tree.game()?;
        let bytes = target.write(&game, Notation::Iccs, Encoding::Utf8).map_err(Bilingual::from_value)?;
        Ok(FileDownload::new(&format!("{}.{target}", file_name(&game)), "application/octet-stream", &bytes))
    }
}

/// A name for the file of a game: players and date, as far as they are known.
fn file_name(game: &Game) -> String {
    let tag = |name: &str| game.tag(name).map(str::trim).filter(|value| !value.is_empty() && !value.contains('?'));
    let parts: Vec<&str> = ["Red", "Black", "Date"].into_iter().filter_map(tag).collect();
    // What a file system may refuse is left out.
    let is_safe = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '.' | ' ' | '_');
    let name: String = parts.join("-").chars().filter(is_safe).take(MAX_FILE_NAME).collect();
    let name = name.trim_matches(|letter: char| !letter.is_alphanumeric());
    if name.is_empty() { "game".to_string() } else { name.to_string() }
}

/// A picture of the current board.
#[derive(Deserialize)]
pub struct PictureRequest {
    #[serde(flatten)]
    query: PositionQuery,
    flipped: bool,
    /// Moves to draw as arrows.
    arrows: Vec<String>,
    /// `svg`, `png`, or `apng` for the last moves as an animated picture.
    format: String,
    #[serde(default)]
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
    pub fn draw(&self) -> Result<FileDownload, Bilingual> {
        if self.format == "apng" {
            let positions = self.query.last_positions(ANIMATED_MOVES)?;
            let pictures: Vec<BoardPicture> = positions.iter().map(|position| self.picture(position)).collect();
            return Ok(FileDownload::new("moves.png", "image/apng", &animation(&pictures, ANIMATION_WIDTH)));
        }
        if self.arrows.len() > MAX_ARROWS {
            return Err(Bilingual::of(|| tr!("A picture has at most {count} arrows.", count = MAX_ARROWS)));
        }
        let position = self.query.position()?;
        let arrows: Result<Vec<Move>, _> = self.arrows.iter().map(|text| text.parse()).collect();
        let arrows = arrows.map_err(Bilingual::from_value)?.into_iter().map(|mv| (mv, ArrowKind::Best)).collect();
        let picture = BoardPicture { arrows, ..self.picture(&position) };
        Ok(match self.format.as_str() {
            "png" => FileDownload::new("board.png", "image/png", &picture.png(PNG_WIDTH)),
            _ => FileDownload::new("board.svg", "image/svg+xml", picture.svg().as_bytes()),
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
