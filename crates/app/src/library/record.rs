//! A game of the library: what the list shows of it, and the game itself as PGN. On the disk it is one line: the summary
//! as JSON, a tabulator, and the PGN as a JSON string, so that the index is read without the games.

use chuhe_study::book::opening_names::{self, OpeningName};
use chuhe_support::files::visible_name;
use chuhe_support::language::Language;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xiangqi_record::{Game, Notation, pgn};

/// The number of a folder; 0 stands for none, and no number is given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
pub struct FolderId(pub u32);

impl FolderId {
    pub fn is_none(&self) -> bool {
        *self == FolderId::default()
    }
}

/// The longest name in a summary, in letters; the game has the whole one.
pub const MAX_NAME: usize = 60;

/// The number of a game: the time when it came, in digits, and a counter. Later games have higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct GameId(pub u64);

impl GameId {
    /// The highest number that can be written.
    pub const LAST: GameId = GameId(99_999_999_999_999_999);

    /// The number in this text, as pages and files write it.
    pub fn parse(text: &str) -> Option<GameId> {
        let is_id = text.len() == 17 && text.bytes().all(|byte| byte.is_ascii_digit());
        Some(GameId(text.parse().ok().filter(|_| is_id)?))
    }

    /// The day when the game came: `2026.11.23`.
    fn day(self) -> String {
        let digits = self.to_string();
        format!("{}.{}.{}", &digits[..4], &digits[4..6], &digits[6..8])
    }
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:017}", self.0)
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GameId, D::Error> {
        // A text that is none stands for a game that is not there.
        Ok(GameId::parse(&String::deserialize(from)?).unwrap_or(GameId(0)))
    }
}

/// Where a game comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GameSource"))]
pub enum Source {
    /// It was played here.
    Played,
    /// It was in a file that was opened.
    Opened,
    /// It was analysed, and the user has kept it.
    Kept,
}

/// What the list shows of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameSummary {
    pub id: GameId,
    pub source: Source,
    /// The name that the user has given it, or nothing.
    pub name: String,
    /// The folder that the user has put it into.
    #[serde(default, skip_serializing_if = "FolderId::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<FolderId>", optional))]
    pub folder: FolderId,
    /// The file that it was in.
    pub file: String,
    pub red: String,
    pub black: String,
    pub event: String,
    /// The strength of the engine, such as `level 3`.
    pub level: String,
    pub result: String,
    pub date: String,
    /// The moves of the main line.
    pub moves: usize,
    /// Kept by its English name, shown in the language of the page.
    #[serde(serialize_with = "serialize_opening", deserialize_with = "deserialize_opening")]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub opening: Option<OpeningName>,
    /// The last position as a FEN, and the last move.
    pub end: String,
    pub last: String,
}

fn serialize_opening<S: Serializer>(opening: &Option<OpeningName>, serializer: S) -> Result<S::Ok, S::Error> {
    opening.map(OpeningName::localized).serialize(serializer)
}

/// Games of earlier versions have the names of two languages.
fn deserialize_opening<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OpeningName>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Name(String),
        Pair { en: String },
    }
    let kept = Option::<Kept>::deserialize(deserializer)?;
    Ok(kept.and_then(|(Kept::Name(english) | Kept::Pair { en: english })| OpeningName::with_english(&english)))
}

/// A game that is to be put into the library.
pub struct StoredGame {
    pub about: GameSummary,
    pub pgn: String,
}

impl StoredGame {
    /// The game without a number: the library gives it one.
    pub fn new(game: &Game, source: Source, file: &str) -> StoredGame {
        let tag = |name: &str| {
            let value = game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "????.??.??"));
            shortened(value.unwrap_or_default())
        };
        let position = game.position_at(game.last());
        let event = ["Title", "Event"].into_iter().map(tag).find(|value| !value.is_empty());
        let about = GameSummary {
            id: GameId(0),
            source,
            name: String::new(),
            folder: FolderId::default(),
            file: shortened(file.trim()),
            red: tag("Red"),
            black: tag("Black"),
            event: event.unwrap_or_default(),
            level: if source == Source::Played { tag("Strength") } else { String::new() },
            result: game.result.token().to_string(),
            date: tag("Date"),
            moves: game.main_line_nodes().count(),
            opening: opening_names::name_of_game(&position),
            end: position.fen(),
            last: position.last_move().map(|mv| mv.to_string()).unwrap_or_default(),
        };
        StoredGame { about, pgn: pgn::write(game, Notation::Iccs) }
    }

    /// The line of the game in a file.
    pub fn line(&self) -> String {
        let about = Language::ENGLISH.with(|| serde_json::to_string(&self.about));
        let pgn = serde_json::to_string(&self.pgn);
        format!("{}\t{}", about.unwrap_or_default(), pgn.unwrap_or_default())
    }

    /// The game of a line.
    pub fn from_line(line: &str) -> Option<StoredGame> {
        let (about, pgn) = line.split_once('\t')?;
        Some(StoredGame { about: serde_json::from_str(about).ok()?, pgn: serde_json::from_str(pgn).ok()? })
    }

    /// The game itself.
    pub fn game(&self) -> Option<Game> {
        pgn::read(&self.pgn).into_iter().next()?.ok()
    }
}

impl GameSummary {
    /// Gives it its number; a game without a date gets the day on which it came.
    pub fn number(&mut self, id: GameId) {
        self.id = id;
        if self.date.is_empty() {
            self.date = id.day();
        }
    }
}

/// The first letters of a text.
pub fn shortened(text: &str) -> String {
    visible_name(text).trim().chars().take(MAX_NAME).collect()
}
