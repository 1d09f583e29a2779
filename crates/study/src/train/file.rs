//! The file of a deck: a header, then an event a line. Lines are added, each whole or not at all; one that a killed program
//! has left torn is cut off. A file of a newer version is left alone. One program writes it, as it does the games; others
//! read.

use super::card::CardId;
use super::deck::Deck;
use super::event::{CardEdit, DeviceId, Event, Header};
use chuhe_support::files::Folder;
use chuhe_support::language::{reason, tr};
use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The file in the state folder.
const FILE: &str = "train.jsonl";
/// What its header says.
const KIND: &str = "train";
const FORMAT: u32 = 1;
/// How it begins.
const BEGIN: &[u8] = b"{\"chuhe\":\"train\",";
/// The size limit of a file, and the most cards.
const MAX_BYTES: u64 = 256 << 20;
const MAX_CARDS: usize = 50_000;
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
    #[error("{}", tr!("Another program of Chuhe keeps the exercises: nothing can be changed here until it ends."))]
    InUse,
    #[error("{}", tr!("There are {count} exercises already: drop some first.", count = _0))]
    Full(usize),
}

/// What an import has brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportCount {
    /// New cards and answers.
    pub cards: usize,
    pub answers: usize,
    /// Lines that were there already.
    pub known: usize,
    /// Lines that are no good.
    pub bad: usize,
}

/// The deck of the person, with its file.
pub struct DeckFile {
    folder: Folder,
    state: Mutex<FileState>,
    /// Whether this program may write.
    is_writable: AtomicBool,
}

#[derive(Default)]
struct FileState {
    is_loaded: bool,
    deck: Deck,
    device: DeviceId,
    /// The bytes of the whole lines; 0 if there is no file yet.
    length: u64,
    /// How many lines they are.
    lines: usize,
    /// Why it is neither read nor written.
    refusal: Option<DeckError>,
}

/// The deck, as long as it is looked at.
pub struct DeckGuard<'a> {
    file: &'a DeckFile,
    state: MutexGuard<'a, FileState>,
}

impl DeckFile {
    /// The deck in this folder; nothing is read before it is needed.
    pub fn new(folder: Folder, is_writable: bool) -> DeckFile {
        DeckFile { folder, state: Mutex::default(), is_writable: AtomicBool::new(is_writable) }
    }

    /// From now on this program may write. What was read before is read again.
    pub fn allow_writing(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_loaded = false;
        self.is_writable.store(true, Ordering::Relaxed);
    }

    pub fn is_writable(&self) -> bool {
        self.is_writable.load(Ordering::Relaxed)
    }

    /// The deck as it is now. What another program may have written is read again.
    pub fn deck(&self) -> DeckGuard<'_> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_writable = self.is_writable();
        if !state.is_loaded || !is_writable {
            *state = self.load();
            if is_writable {
                self.tidy(&mut state);
            }
        }
        DeckGuard { file: self, state }
    }

    fn load(&self) -> FileState {
        let mut state = FileState { is_loaded: true, device: new_device(), ..FileState::default() };
        match self.folder.read(FILE, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => state.refusal = Some(DeckError::Unreadable(Arc::new(error))),
            Ok(bytes) => match Lines::of(&bytes, FILE) {
                Ok(lines) => {
                    state.device = lines.header.device;
                    (state.length, state.lines) = (lines.length, lines.events.len() + lines.bad);
                    lines.events.into_iter().for_each(|event| _ = state.deck.apply(event));
                }
                // Nothing of it is whole.
                Err(_) if !bytes.contains(&b'\n') && (BEGIN.starts_with(&bytes) || bytes.starts_with(BEGIN)) => {}
                Err(error) => state.refusal = Some(error),
            },
        }
        state
    }

    /// Writes a file anew that has many lines which tell nothing any more. If that fails, it stays.
    fn tidy(&self, state: &mut FileState) {
        if state.refusal.is_some() || state.length == 0 {
            return;
        }
        if state.lines > MAX_WASTE.1 && state.lines > MAX_WASTE.0 * state.deck.events().count() + MAX_WASTE.1 {
            let text = text(state.device, state.deck.events());
            if self.folder.replace(FILE, text.as_bytes()).is_ok() {
                state.length = text.len() as u64;
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
    pub fn refusal(&self) -> Option<&DeckError> {
        if self.file.is_writable() {
            self.state.refusal.as_ref()
        } else {
            Some(self.state.refusal.as_ref().unwrap_or(&DeckError::InUse))
        }
    }

    /// Adds events, all of them or none; a program that is killed meanwhile may leave the first of them. Those that tell nothing new are left out; returns how many there were.
    pub fn add(&mut self, events: Vec<Event>) -> Result<usize, DeckError> {
        self.check_writable()?;
        let mut lines = HashSet::new();
        let is_fresh = |event: &Event| self.state.deck.is_news(event) && lines.insert(line(event));
        let fresh: Vec<Event> = events.into_iter().filter(is_fresh).collect();
        let cards = fresh.iter().filter(|event| matches!(event, Event::Card(_))).count();
        if cards > 0 && self.state.deck.len() + cards > MAX_CARDS {
            return Err(DeckError::Full(self.state.deck.len()));
        }
        if fresh.is_empty() {
            return Ok(0);
        }
        let state = &mut *self.state;
        let folder = &self.file.folder;
        if state.length == 0 {
            let text = text(state.device, fresh.iter().cloned());
            folder.replace(FILE, text.as_bytes()).map_err(not_saved)?;
            state.length = text.len() as u64;
        } else {
            let lines: String = fresh.iter().map(line).collect();
            folder.append(FILE, state.length, lines.as_bytes()).map_err(not_saved)?;
            state.length += lines.len() as u64;
        }
        Ok(fresh.into_iter().filter(|event| state.deck.apply(event.clone())).count())
    }

    fn check_writable(&mut self) -> Result<(), DeckError> {
        if !self.file.is_writable() {
            return Err(DeckError::InUse);
        }
        // It is tried again with the next change.
        if self.state.refusal.is_some() {
            *self.state = self.file.load();
        }
        self.state.refusal.clone().map_or(Ok(()), Err)
    }

    /// Takes in a file of another device of the person, or, into a deck of this name, one of somebody else.
    pub fn import(&mut self, bytes: &[u8], name: &str, deck: Option<&str>) -> Result<ImportCount, DeckError> {
        self.check_writable()?;
        let lines = Lines::of(bytes, name)?;
        let mut count = ImportCount { bad: lines.bad, ..ImportCount::default() };
        let mut fresh = Vec::new();
        for event in lines.events {
            let Some(event) = imported(event, deck, &self.state.deck) else { continue };
            if let Event::Card(card) = &event
                && !card.is_sound()
            {
                count.bad += 1;
            } else if !self.state.deck.is_news(&event) {
                count.known += 1;
            } else {
                fresh.push(event);
            }
        }
        count.cards = fresh
            .iter()
            .filter(|event| matches!(event, Event::Card(card) if !self.state.deck.has_known(card.id)))
            .count();
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
            Event::Edit { card, .. } => is_in(card),
            Event::Game(_) | Event::Ending(_) => deck.is_none() && has_answers,
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
        Event::Game(_) | Event::Ending(_) => None,
    }
}

/// The lines of a file.
struct Lines {
    header: Header,
    events: Vec<Event>,
    /// Lines that are no events, and the bytes up to the end of the last whole line.
    bad: usize,
    length: u64,
}

impl Lines {
    fn of(bytes: &[u8], name: &str) -> Result<Lines, DeckError> {
        let foreign = || DeckError::Foreign(name.to_string());
        let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes[..length].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let header: Header = lines.next().and_then(|line| serde_json::from_slice(line).ok()).ok_or_else(foreign)?;
        if header.chuhe != KIND {
            return Err(foreign());
        }
        if header.format > FORMAT {
            return Err(DeckError::Newer(name.to_string()));
        }
        let (mut events, mut bad) = (Vec::new(), 0);
        for line in lines {
            match serde_json::from_slice(line) {
                Ok(event) => events.push(event),
                Err(_) => bad += 1,
            }
        }
        Ok(Lines { header, events, bad, length: length as u64 })
    }
}

fn header_line(device: DeviceId) -> String {
    let header = Header { chuhe: KIND.to_string(), format: FORMAT, device };
    serde_json::to_string(&header).unwrap_or_default() + "\n"
}

fn line(event: &Event) -> String {
    serde_json::to_string(event).unwrap_or_default() + "\n"
}

fn text(device: DeviceId, events: impl Iterator<Item = Event>) -> String {
    header_line(device) + &events.map(|event| line(&event)).collect::<String>()
}

fn not_saved(error: io::Error) -> DeckError {
    DeckError::NotSaved(Arc::new(error))
}

fn new_device() -> DeviceId {
    DeviceId(rand::random())
}
