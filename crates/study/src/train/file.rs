//! The file of a deck: a header, then an event a line. Lines are added, each whole or not at all; one that a killed program
//! has left torn is cut off. A file of a newer version is left alone. One program writes it, as it does the games; others
//! read.

use super::card::CardId;
use super::deck::Deck;
use super::event::{CardEdit, DeviceId, Event, Header};
use crate::game::saved_games::{SavedGamesError, WriteAccess};
use chuhe_support::date;
use chuhe_support::files::{Folder, JsonLines, json_line};
use chuhe_support::language::{reason, tr};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The file in the state folder.
const FILE: &str = "train.jsonl";
/// What its header says.
const KIND: &str = "train";
const FORMAT: u32 = 1;
/// How it begins.
const BEGIN: &[u8] = b"{\"chuhe\":\"train\",";
/// A header that was not written to its end is shorter.
const MAX_HEADER: usize = 256;
/// The size limit of a file, and the most cards.
const MAX_BYTES: u64 = 256 << 20;
const MAX_CARDS: usize = 50_000;
/// The most answers to cards, and changes of them, that wait for their cards.
const MAX_WAITING: usize = 100_000;
/// Changes by a clock that is further ahead, in seconds, are not taken in: they would win over all that come later.
const MAX_AHEAD: i64 = 86_400;
/// A file is written anew when it has this many times as many lines as are needed, and so many more.
const MAX_WASTE: (usize, usize) = (2, 1000);

/// Why a deck was not read or changed.
#[derive(Clone, Debug, Error)]
pub enum DeckError {
    #[error("{}", tr!("{name} was written by a newer version of Chuhe: it is left as it is.", name = _0))]
    Newer(String),
    #[error("{}", tr!("{name} is no file of exercises of Chuhe.", name = _0))]
    Foreign(String),
    #[error("{}", tr!("The exercises cannot be read: {error}.", error = reason(_0)))]
    Unreadable(Arc<io::Error>),
    #[error("{}", tr!("The exercises could not be saved: {error}. Nothing of it was changed.", error = reason(_0)))]
    NotSaved(Arc<io::Error>),
    #[error("{}", not_writable(_0))]
    NotWritable(Arc<SavedGamesError>),
    #[error("{}", tr!("There are {count} exercises already: drop some first.", count = _0))]
    Full(usize),
    #[error("{}", tr!("The file of exercises is too large: nothing can be added to it."))]
    TooLarge,
}

fn not_writable(why: &SavedGamesError) -> String {
    match why {
        SavedGamesError::InUse => {
            tr!("Another program of Chuhe keeps the exercises: nothing can be changed here until it ends.")
        }
        error => tr!("The exercises cannot be changed: {error}.", error),
    }
}

/// What an import has brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ImportCount {
    /// New cards and answers.
    pub cards: usize,
    pub answers: usize,
    /// Lines that were there already.
    pub known: usize,
    /// Lines that are no good: no events, changes from the future, and answers to more unknown cards than are kept.
    pub bad: usize,
}

/// The deck of the person, with its file.
pub struct DeckFile {
    folder: Folder,
    state: Mutex<FileState>,
    access: Arc<WriteAccess>,
}

struct FileState {
    is_loaded: bool,
    log: JsonLines,
    deck: Deck,
    device: DeviceId,
    /// How many lines the file has.
    lines: usize,
    /// Those of kinds that a newer version may know.
    unknown: Vec<String>,
    /// Why it is neither read nor written.
    refusal: Option<DeckError>,
}

impl FileState {
    fn new(folder: &Folder) -> FileState {
        let log = JsonLines::in_folder(folder.clone(), FILE, MAX_BYTES);
        let (is_loaded, deck, lines, unknown, refusal) = Default::default();
        FileState { is_loaded, log, deck, device: new_device(), lines, unknown, refusal }
    }
}

/// The deck, as long as it is looked at.
pub struct DeckGuard<'a> {
    file: &'a DeckFile,
    state: MutexGuard<'a, FileState>,
}

impl DeckFile {
    /// The deck in this folder; nothing is read before it is needed.
    pub fn new(folder: Folder, access: Arc<WriteAccess>) -> DeckFile {
        let state = Mutex::new(FileState::new(&folder));
        DeckFile { folder, state, access }
    }

    pub fn is_writable(&self) -> bool {
        self.access.is_granted()
    }

    /// The deck as it is now. What another program may have written is read again.
    pub fn deck(&self) -> DeckGuard<'_> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.is_loaded {
            *state = self.load();
            state.is_loaded = self.is_writable();
            if state.is_loaded {
                self.tidy(&mut state);
            }
        }
        DeckGuard { file: self, state }
    }

    fn load(&self) -> FileState {
        let mut state = FileState::new(&self.folder);
        let mut lines = Vec::new();
        let read = state.log.visit(u64::MAX, |_, line| {
            lines.push(line.to_vec());
            Ok::<(), Infallible>(())
        });
        let rest = match read {
            Ok(Ok(rest)) => rest,
            Err(error) => {
                state.refusal = Some(DeckError::Unreadable(Arc::new(error)));
                return state;
            }
        };
        if lines.is_empty() && is_torn_header(&rest) {
            return state;
        }
        match Lines::of(lines.iter().map(Vec::as_slice), FILE) {
            Ok(lines) => {
                (state.device, state.lines, state.unknown) = (lines.header.device, lines.count, lines.unknown);
                state.deck.apply_all(lines.events);
            }
            Err(error) => state.refusal = Some(error),
        }
        state
    }

    /// Writes a file anew that has many lines which tell nothing any more. If that fails, it stays.
    fn tidy(&self, state: &mut FileState) {
        if state.refusal.is_some() || state.log.is_empty() {
            return;
        }
        let needed = state.deck.events().count() + state.unknown.len();
        if state.lines > MAX_WASTE.0 * needed + MAX_WASTE.1 {
            let text = text(state.device, state.deck.events()) + &state.unknown.concat();
            if let Err(error) = state.log.compact(&text) {
                log::warn!("{FILE}: {error}");
            }
        }
    }
}

impl DeckGuard<'_> {
    /// The deck.
    pub fn get(&self) -> &Deck {
        &self.state.deck
    }

    /// The same, to compute dues for another day.
    pub fn get_mut(&mut self) -> &mut Deck {
        &mut self.state.deck
    }

    /// The device that writes.
    pub fn device(&self) -> DeviceId {
        self.state.device
    }

    /// Why nothing is read or written.
    pub fn refusal(&self) -> Option<DeckError> {
        self.state.refusal.clone().or_else(|| self.file.access.check().err().map(DeckError::NotWritable))
    }

    /// Adds events, all of them or none; a program that is killed meanwhile may leave the first of them. Those that tell
    /// nothing new are left out; returns how many there were.
    pub fn add(&mut self, events: Vec<Event>) -> Result<usize, DeckError> {
        self.check_writable()?;
        let (mut lines, mut text, mut cards) = (HashSet::new(), String::new(), 0);
        let mut is_fresh = |event: &Event| {
            let line = json_line(event);
            let is_fresh = self.state.deck.is_news(event) && !lines.contains(&line);
            if is_fresh {
                text.push_str(&line);
                cards += usize::from(matches!(event, Event::Card(card) if self.state.deck.get(card.id).is_none()));
                lines.insert(line);
            }
            is_fresh
        };
        let mut fresh = events;
        fresh.retain(&mut is_fresh);
        if fresh.is_empty() {
            return Ok(0);
        }
        let count = self.state.deck.cards().count();
        if cards > 0 && count + cards > MAX_CARDS {
            return Err(DeckError::Full(count));
        }
        let state = &mut *self.state;
        if state.log.is_empty() {
            text.insert_str(0, &header_line(state.device));
        }
        if state.log.len() + text.len() as u64 > MAX_BYTES {
            return Err(DeckError::TooLarge);
        }
        state.log.append(&text).map_err(not_saved)?;
        Ok(state.deck.apply_all(fresh))
    }

    fn check_writable(&mut self) -> Result<(), DeckError> {
        self.file.access.check().map_err(DeckError::NotWritable)?;
        // It is tried again with the next change.
        if self.state.refusal.is_some() {
            *self.state = self.file.load();
            self.state.is_loaded = true;
        }
        self.state.refusal.clone().map_or(Ok(()), Err)
    }

    /// Takes in a file of another device of the person, or, into a deck of this name, one of somebody else.
    pub fn import(&mut self, bytes: &[u8], name: &str, deck: Option<&str>) -> Result<ImportCount, DeckError> {
        self.check_writable()?;
        let lines = Lines::of(bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")), name)?;
        let latest = date::unix_seconds().saturating_add(MAX_AHEAD);
        let bad = lines.count - lines.events.len();
        let mut count = ImportCount { bad, ..ImportCount::default() };
        let known = &self.state.deck;
        let mut room = MAX_WAITING.saturating_sub(known.waiting());
        let cards: HashSet<CardId> = lines.events.iter().filter_map(Event::new_card).collect();
        let mut fresh = Vec::new();
        for event in lines.events {
            let Some(event) = imported(event, deck, known) else { continue };
            let is_sound = match &event {
                Event::Card(card) => card.is_sound(),
                change => change.stamp().is_none_or(|stamp| stamp.at <= latest),
            };
            // What belongs to no card waits for it.
            let waits = event.needs().is_some_and(|card| !known.has_known(card) && !cards.contains(&card));
            if is_sound && !known.is_news(&event) {
                count.known += 1;
            } else if !is_sound || waits && room == 0 {
                count.bad += 1;
            } else {
                room -= usize::from(waits);
                fresh.push(event);
            }
        }
        let is_new = |event: &&Event| event.new_card().is_some_and(|card| !known.has_known(card));
        count.cards = fresh.iter().filter(is_new).count();
        count.answers = fresh.iter().filter(|event| matches!(event, Event::Answer { .. })).count();
        self.add(fresh)?;
        Ok(count)
    }

    /// The file for another device: all, or a deck, with the answers of the person or without.
    pub fn export(&self, deck: Option<&str>, has_answers: bool) -> String {
        let is_in =
            |id: &CardId| deck.is_none_or(|deck| self.get().get(*id).is_some_and(|(_, state)| state.deck() == deck));
        let is_wanted = |event: &Event| match event {
            Event::Card(card) => is_in(&card.id),
            Event::Answer { card, answer } => has_answers && is_in(card) && (deck.is_none() || answer.by.is_none()),
            Event::Tried(tried) => has_answers && is_in(&tried.card),
            Event::Edit { card, .. } => is_in(card),
            Event::Opening(_) => deck.is_none(),
            Event::Game(_) | Event::Ending(_) | Event::Tactic(_) | Event::TacticRun(_) => deck.is_none() && has_answers,
        };
        text(self.device(), self.get().events().filter(is_wanted))
    }
}

/// An event of a file as it counts here. Of somebody else's file that are cards, their notes, and answers under the name of
/// the deck.
fn imported(event: Event, deck: Option<&str>, known: &Deck) -> Option<Event> {
    let Some(name) = deck else { return Some(event) };
    match event {
        Event::Card(mut card) => {
            // A position that is here stays where it is.
            if known.has_known(card.id) {
                return known.get(card.id).map(|(card, _)| Event::Card(Box::new(card.clone())));
            }
            card.deck = name.to_string();
            Some(Event::Card(card))
        }
        Event::Answer { card, mut answer } => {
            answer.by = Some(name.into());
            Some(Event::Answer { card, answer })
        }
        Event::Edit { card, stamp, edit } => {
            let note = edit.note.filter(|_| !known.has_known(card));
            note.map(|note| Event::Edit { card, stamp, edit: CardEdit { note: Some(note), ..CardEdit::default() } })
        }
        Event::Game(_) | Event::Ending(_) | Event::Tactic(_) | Event::TacticRun(_) => None,
        Event::Opening(_) | Event::Tried(_) => None,
    }
}

/// The lines of a file.
struct Lines {
    header: Header,
    events: Vec<Event>,
    /// Lines of kinds that a newer version may know.
    unknown: Vec<String>,
    /// How many lines there are.
    count: usize,
}

impl Lines {
    fn of<'a>(lines: impl Iterator<Item = &'a [u8]>, name: &str) -> Result<Lines, DeckError> {
        let foreign = || DeckError::Foreign(name.to_string());
        let mut lines = lines.map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
        let header: Header = lines.next().and_then(|line| serde_json::from_slice(line).ok()).ok_or_else(foreign)?;
        if header.chuhe != KIND {
            return Err(foreign());
        }
        if header.format > FORMAT {
            return Err(DeckError::Newer(name.to_string()));
        }
        let (mut events, mut unknown, mut count) = (Vec::new(), Vec::new(), 0);
        for line in lines {
            count += 1;
            match serde_json::from_slice::<Event>(line) {
                Ok(event) if event.can_be_followed() => events.push(event),
                Err(_) if is_unknown_kind(line) => unknown.push(String::from_utf8_lossy(line).into_owned() + "\n"),
                _ => {}
            }
        }
        Ok(Lines { header, events, unknown, count })
    }
}

/// Whether a line is an event of a kind that is not known here.
fn is_unknown_kind(line: &[u8]) -> bool {
    let kinds = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(line).unwrap_or_default();
    !kinds.is_empty() && kinds.keys().all(|kind| !Event::KINDS.contains(&kind.as_str()))
}

fn header_line(device: DeviceId) -> String {
    json_line(&Header { chuhe: KIND.to_string(), format: FORMAT, device })
}

fn text(device: DeviceId, events: impl Iterator<Item = Event>) -> String {
    header_line(device) + &events.map(|event| json_line(&event)).collect::<String>()
}

/// Whether this may be what a killed program has left of a header: nothing of the file is whole.
fn is_torn_header(bytes: &[u8]) -> bool {
    bytes.len() < MAX_HEADER && (BEGIN.starts_with(bytes) || bytes.starts_with(BEGIN))
}

fn not_saved(error: io::Error) -> DeckError {
    DeckError::NotSaved(Arc::new(error))
}

fn new_device() -> DeviceId {
    DeviceId(rand::random())
}
