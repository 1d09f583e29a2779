//! A game of the library: what the list shows of it, and the game itself as PGN. On the disk it is one line: the summary
//! as JSON, a tabulator, and the PGN as a JSON string, so that the index is read without the games. The files are segments of some
//! games each, one line a game. A segment is written whole or not at all.

use crate::game_tree::GameTree;
use chuhe_study::book::opening_names::{self, OpeningName};
use chuhe_study::game::game_record::HELPED;
use chuhe_support::files::{Folder, Parsed, State, StateError, StateFile, StateNotes, visible_name};
use chuhe_support::language::Language;
use chuhe_support::lock::Lock;
use chuhe_support::with_values;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Mutex;
use xiangqi_record::{Game, Notation, RecordFile, pgn};

/// The number of a folder; 0 stands for none, and no number is given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, crate::TS)]
#[serde(transparent)]
#[ts(type = "number")]
pub struct FolderId(pub u32);

impl FolderId {
    pub fn is_none(&self) -> bool {
        *self == FolderId::default()
    }
}

/// The longest name in a summary, in letters; the game has the whole one.
pub const MAX_NAME: usize = 60;

/// The number of a game: the time when it came, in digits, and a counter. Later games have higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, crate::TS)]
#[ts(type = "string")]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, crate::TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "GameSource")]
pub enum Source {
    /// It was played here.
    Played,
    /// It was in a file that was opened.
    Opened,
    /// It was analysed, and the user has kept it.
    Kept,
}

with_values! {
    /// What the list shows of a game.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, crate::TS)]
    pub struct GameSummary {
        pub id: GameId = GameId(0),
        pub source: Source = source,
        /// The name that the user has given it, or nothing.
        pub name: String = String::new(),
        /// The folder that the user has put it into.
        #[serde(default, skip_serializing_if = "FolderId::is_none")]
        #[ts(as = "Option<FolderId>", optional)]
        pub folder: FolderId = FolderId::default(),
        /// The file that it was in.
        pub file: String = shortened(file.trim()),
        pub red: String = tag("Red"),
        pub black: String = tag("Black"),
        pub event: String = event.unwrap_or_default(),
        /// The strength of the engine, such as `level 3`.
        pub level: String = if source == Source::Played { tag("Strength") } else { String::new() },
        /// The user had hints or took moves back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
        pub helped: bool = source == Source::Played && game.tag(HELPED).is_some(),
        pub result: String = game.result.token().to_string(),
        pub date: String = tag("Date"),
        /// The moves of the main line.
        pub moves: usize = game.main_line_nodes().count(),
        /// Kept by its English name, shown in the language of the page.
        #[serde(serialize_with = "serialize_opening", deserialize_with = "deserialize_opening")]
        #[ts(type = "string | null")]
        pub opening: Option<OpeningName> = opening_names::name_of_game(&position),
        /// The last position as a FEN, and the last move.
        pub end: String = position.fen(),
        pub last: String = position.last_move().map(|mv| mv.to_string()).unwrap_or_default(),
    }
    /// The summary of a game without a number.
    fn of(game: &Game, source: Source, file: &str) {
        let tag = |name: &str| {
            let value = game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "????.??.??"));
            shortened(value.unwrap_or_default())
        };
        let position = game.position_at(game.last());
        let event = ["Title", "Event"].into_iter().map(tag).find(|value| !value.is_empty());
    }
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
        StoredGame { about: GameSummary::of(game, source, file), pgn: pgn::write(game, Notation::Iccs) }
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

/// The folder of the segments.
const FOLDER: &str = "library";
/// How their names end.
const SUFFIX: &str = ".games";
/// A segment of this size takes no more games.
const SEGMENT_BYTES: usize = 64 << 10;
/// The size limit of a segment that is read: one game may be large.
const MAX_SEGMENT_BYTES: u64 = 32 << 20;
/// The archive of `chuhe play`, how much of it was taken over, and its size limit.
const ARCHIVE: &str = "games.pgn";
const ARCHIVED: &str = "library/archived";
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// Where earlier versions kept analysed games.
const ANALYSED: &str = "analysed";

/// How much of the archive was taken over.
#[derive(Clone, Copy, Default)]
struct Archived(usize);

impl State for Archived {
    const MAX_BYTES: u64 = 64;

    fn parse(bytes: &[u8]) -> Parsed<Archived> {
        let length = str::from_utf8(bytes).ok().and_then(|text| text.trim().parse().ok());
        length.map_or(Parsed::Nothing, |length| Parsed::Whole(Archived(length)))
    }

    fn to_bytes(&self) -> io::Result<Option<Vec<u8>>> {
        Ok((self.0 > 0).then(|| format!("{}\n", self.0).into_bytes()))
    }
}

pub struct Segments {
    folder: Folder,
    /// The size of each segment.
    sizes: Mutex<BTreeMap<u32, usize>>,
    /// The segments that were written since somebody asked.
    written: Mutex<HashSet<u32>>,
}

impl Segments {
    pub fn new(folder: Folder) -> Segments {
        Segments { folder, sizes: Mutex::default(), written: Mutex::default() }
    }

    /// The numbers of the segments.
    pub fn numbers(&self) -> Vec<u32> {
        self.sizes.locked().keys().copied().collect()
    }

    /// The segments that were written since this was asked last.
    pub fn take_written(&self) -> HashSet<u32> {
        std::mem::take(&mut *self.written.locked())
    }

    /// The bytes of all segments.
    pub fn bytes(&self) -> usize {
        self.sizes.locked().values().sum()
    }

    /// Reads all games.
    pub fn load(&self, mut found: impl FnMut(u32, StoredGame)) {
        let mut sizes = BTreeMap::new();
        for name in self.folder.names_in(FOLDER) {
            let Some(segment) = name.strip_suffix(SUFFIX).and_then(|number| number.parse().ok()) else { continue };
            let lines = match self.read(segment) {
                Ok(lines) => lines,
                // It is not written to, either.
                Err(error) => {
                    log::warn!("{}: {error}", self.folder.path(&file(segment)).display());
                    sizes.insert(segment, SEGMENT_BYTES);
                    continue;
                }
            };
            sizes.insert(segment, lines.iter().map(|line| line.len() + 1).sum());
            lines.iter().filter_map(|line| StoredGame::from_line(line)).for_each(|game| found(segment, game));
        }
        *self.sizes.locked() = sizes;
    }

    /// The lines of a segment.
    pub fn read(&self, segment: u32) -> io::Result<Vec<String>> {
        let bytes = self.folder.read(&file(segment), MAX_SEGMENT_BYTES)?;
        Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
    }

    /// Writes a segment; one without games is removed.
    fn write(&self, segment: u32, lines: &[String]) -> io::Result<()> {
        self.written.locked().insert(segment);
        if lines.is_empty() {
            self.folder.remove(&file(segment))?;
            self.sizes.locked().remove(&segment);
            return Ok(());
        }
        let text = lines.join("\n") + "\n";
        if let Err(error) = self.folder.replace(&file(segment), text.as_bytes()) {
            // It may be in its place, and only its name not be on the disk yet.
            let there = self.folder.read(&file(segment), MAX_SEGMENT_BYTES);
            there.ok().filter(|there| there == text.as_bytes()).ok_or(error)?;
        }
        self.sizes.locked().insert(segment, text.len());
        Ok(())
    }

    /// Adds lines, all of them or none; returns the segment of each.
    pub fn add(&self, lines: &[String]) -> io::Result<Vec<u32>> {
        let last = self.sizes.locked().last_key_value().map(|(&segment, &size)| (segment, size));
        if let ([line], Some((segment, size))) = (lines, last)
            && size + line.len() < SEGMENT_BYTES
        {
            let mut there = self.read(segment)?;
            there.push(line.clone());
            return self.write(segment, &there).map(|()| vec![segment]);
        }
        let (first, mut places) = (last.map_or(1, |(segment, _)| segment + 1), Vec::new());
        let (mut segment, mut begin, mut size) = (first, 0, 0);
        for end in 1..=lines.len() {
            size += lines[end - 1].len();
            places.push(segment);
            if size < SEGMENT_BYTES && end < lines.len() {
                continue;
            }
            if let Err(error) = self.write(segment, &lines[begin..end]) {
                (first..segment).for_each(|written| drop(self.write(written, &[])));
                return Err(error);
            }
            (segment, begin, size) = (segment + 1, end, 0);
        }
        Ok(places)
    }

    /// Changes games of a segment, all of them or none; returns those that are there, as they are then.
    pub fn edit(
        &self,
        segment: u32,
        ids: &HashSet<u64>,
        mut change: impl FnMut(&mut StoredGame),
    ) -> io::Result<Vec<StoredGame>> {
        let (mut lines, mut changed) = (self.read(segment)?, Vec::new());
        for line in lines.iter_mut().filter(|line| id_of(line).is_some_and(|id| ids.contains(&id.0))) {
            let Some(mut game) = StoredGame::from_line(line) else { continue };
            change(&mut game);
            *line = game.line();
            changed.push(game);
        }
        if !changed.is_empty() {
            self.write(segment, &lines)?;
        }
        Ok(changed)
    }

    /// Removes games; those removed are added to the list.
    pub fn remove(&self, segment: u32, ids: &HashSet<u64>, removed: &mut Vec<(GameId, String)>) -> io::Result<()> {
        let is_removed = |line: &String| id_of(line).filter(|id| ids.contains(&id.0));
        let (gone, left): (Vec<String>, Vec<String>) =
            self.read(segment)?.into_iter().partition(|line| is_removed(line).is_some());
        self.write(segment, &left)?;
        removed.extend(gone.into_iter().filter_map(|line| Some((id_of(&line)?, line))));
        Ok(())
    }

    /// The summaries of games, in this order; each segment is read once.
    pub fn summaries(&self, games: &[(GameId, u32)]) -> Vec<GameSummary> {
        let wanted: HashSet<u64> = games.iter().map(|(id, _)| id.0).collect();
        let segments: HashSet<u32> = games.iter().map(|&(_, segment)| segment).collect();
        let mut found = BTreeMap::new();
        for segment in segments {
            for line in self.read(segment).unwrap_or_default() {
                if let Some(id) = id_of(&line).filter(|id| wanted.contains(&id.0))
                    && let Some((about, _)) = line.split_once('\t')
                    && let Ok(about) = serde_json::from_str::<GameSummary>(about)
                {
                    found.insert(id, about);
                }
            }
        }
        games.iter().filter_map(|(id, _)| found.remove(id)).collect()
    }

    /// The game of this number among lines.
    pub fn game_in(lines: &[String], id: GameId) -> Option<StoredGame> {
        lines.iter().find(|line| id_of(line) == Some(id)).and_then(|line| StoredGame::from_line(line))
    }

    // ---- earlier versions, and `chuhe play` ----

    /// The analysed games that an earlier version has kept.
    pub fn analysed_games(&self) -> Vec<(GameId, StoredGame)> {
        let names = self.folder.names_in(ANALYSED);
        let game = |name: String| {
            let id = GameId::parse(name.strip_suffix(".json")?)?;
            let bytes = self.folder.read(&format!("{ANALYSED}/{name}"), MAX_SEGMENT_BYTES).ok()?;
            let game = serde_json::from_slice::<GameTree>(&bytes).ok()?.game().ok()?;
            Some((id, StoredGame::new(&game, Source::Kept, "")))
        };
        names.into_iter().filter_map(game).collect()
    }

    pub fn remove_analysed_game(&self, id: GameId) -> io::Result<()> {
        self.folder.remove(&format!("{ANALYSED}/{id}.json"))
    }

    /// The games of the archive that were not taken over yet, and its length.
    pub fn archived_games(&self) -> (Vec<StoredGame>, usize) {
        let archive = self.folder.read(ARCHIVE, MAX_ARCHIVE_BYTES).unwrap_or_default();
        let known = self.archived().min(archive.len());
        let file = RecordFile::read(&archive[known..]);
        let games = file.games().flatten().map(|reading| StoredGame::new(&reading.game, Source::Played, ""));
        (games.filter(|game| game.about.moves > 0).collect(), archive.len())
    }

    fn archived(&self) -> usize {
        StateFile::<Archived>::open_to_read(&self.folder, ARCHIVED).get().0
    }

    /// What the person should know of the file that says so.
    pub fn notes(&self, notes: &mut StateNotes) {
        notes.add(&mut StateFile::<Archived>::open(&self.folder, ARCHIVED));
    }

    /// Remembers how much of the archive was taken over.
    pub fn set_archived(&self, length: usize) -> Result<(), StateError> {
        StateFile::open(&self.folder, ARCHIVED).set(|archived| *archived = Archived(length))
    }
}

/// The file of a segment.
fn file(segment: u32) -> String {
    format!("{FOLDER}/{segment:06}{SUFFIX}")
}

/// The number of the game of a line, which begins with it.
fn id_of(line: &str) -> Option<GameId> {
    GameId::parse(line.strip_prefix("{\"id\":\"")?.get(..17)?)
}
