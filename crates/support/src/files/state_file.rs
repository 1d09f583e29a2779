//! Files in which the program keeps what it remembers from run to run. Each is read as a whole and written as a whole. One
//! that is damaged is kept under another name before it is replaced; one of a newer version, and one that cannot be read
//! for another reason, are never written.

use super::Folder;
use crate::date;
use crate::language::{Message, reason, tr};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use thiserror::Error;

/// The field of a file in JSON that has the number of its format.
pub const FORMAT_FIELD: &str = "format";
/// What comes between the name of a file that is damaged and the time when it was found so.
const DAMAGED: &str = ".damaged-";
/// The most copies of a file that were found in the same second.
const MAX_COPIES: usize = 100;

/// What a file holds. For what is kept as JSON there is [`JsonState`].
pub trait State: Clone + Default {
    /// The size limit of a file.
    const MAX_BYTES: u64;

    /// What these bytes say.
    fn parse(bytes: &[u8]) -> Parsed<Self>;

    /// The file, or nothing if there is to be none.
    fn to_bytes(&self) -> io::Result<Option<Vec<u8>>>;
}

/// What was found in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parsed<T> {
    Whole(T),
    /// The rest is damaged.
    Part(T),
    /// A newer version has written it, and this is what can be read.
    Newer(T),
    /// It is damaged.
    Nothing,
}

/// What a file in JSON holds: the fields of an object, beside which the file has the number of its format.
pub trait JsonState: Serialize + DeserializeOwned + Clone + Default {
    /// Incremented when older versions could not read a file any more.
    const FORMAT: u32;
    const MAX_BYTES: u64;

    /// False if the fields do not fit together: then the file is damaged.
    fn is_sound(&self) -> bool {
        true
    }
}

impl<T: JsonState> State for T {
    const MAX_BYTES: u64 = T::MAX_BYTES;

    fn parse(bytes: &[u8]) -> Parsed<T> {
        let Ok(Value::Object(mut fields)) = serde_json::from_slice(bytes) else { return Parsed::Nothing };
        // Files of earlier versions may have no number.
        let format = fields.remove(FORMAT_FIELD).map(|format| format.as_u64());
        let read = serde_json::from_value::<T>(Value::Object(fields.clone())).ok().filter(T::is_sound);
        if format.flatten().is_some_and(|format| format > u64::from(T::FORMAT)) {
            return Parsed::Newer(read.unwrap_or_default());
        }
        let Some(state) = read else { return Parsed::Nothing };
        // What this version would not write again is not to be lost.
        let again = serde_json::to_value(&state).unwrap_or_default();
        let is_whole = format != Some(None) && holds(&again, &Value::Object(fields));
        if is_whole { Parsed::Whole(state) } else { Parsed::Part(state) }
    }

    fn to_bytes(&self) -> io::Result<Option<Vec<u8>>> {
        let Value::Object(fields) = serde_json::to_value(self)? else { return Err(ErrorKind::InvalidData.into()) };
        let mut file = Map::from_iter([(FORMAT_FIELD.to_string(), T::FORMAT.into())]);
        file.extend(fields);
        let mut bytes = serde_json::to_vec(&file)?;
        bytes.push(b'\n');
        Ok(Some(bytes))
    }
}

/// Whether a value has all that another one says.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(name, value)| holds(whole.get(name).unwrap_or(&Value::Null), value))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(whole, part)| holds(whole, part))
        }
        _ => whole == part,
    }
}

/// Why a change was not kept.
#[derive(Clone, Debug, Error)]
pub enum StateError {
    #[error("{}", tr!("{file} was written by a newer version of Chuhe: nothing of it can be changed here.", file = _0))]
    Newer(String),
    #[error("{}", tr!("{file} cannot be read: {error}. Nothing of it was changed.", file = _0, error = reason(_1)))]
    Unreadable(String, Arc<io::Error>),
    #[error("{}", tr!("{file} could not be saved: {error}. Nothing of it was changed.", file = _0, error = reason(_1)))]
    NotSaved(String, Arc<io::Error>),
}

impl From<StateError> for Message {
    fn from(error: StateError) -> Message {
        Message::from_error(error)
    }
}

/// What a person should know of a file.
#[derive(Clone, Debug)]
pub enum StateNote {
    /// It was damaged, and is kept under this name.
    KeptAside {
        file: String,
        copy: String,
    },
    /// It is damaged, and was not kept under another name: by a program that may not write, or because of an error.
    Damaged {
        file: String,
        error: Option<Arc<io::Error>>,
    },
    Newer {
        file: String,
    },
    Unreadable {
        file: String,
        error: Arc<io::Error>,
    },
}

impl StateNote {
    /// Whether it is told once.
    pub fn is_over(&self) -> bool {
        matches!(self, StateNote::KeptAside { .. })
    }
}

impl std::fmt::Display for StateNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            StateNote::KeptAside { file, copy } => {
                tr!("{file} was damaged: it is kept as {copy}, and what could be read of it is used.", file, copy)
            }
            StateNote::Damaged { file, error: None } => tr!("{file} is damaged. It is not changed.", file),
            StateNote::Damaged { file, error: Some(error) } => {
                let error = reason(error);
                tr!("{file} is damaged, and no copy of it could be made: {error}. It is not changed.", file, error)
            }
            StateNote::Newer { file } => {
                tr!(
                    "{file} was written by a newer version of Chuhe: it is read as far as possible, and not changed.",
                    file
                )
            }
            StateNote::Unreadable { file, error } => {
                tr!("{file} cannot be read: {error}. It is not changed.", file, error = reason(error))
            }
        })
    }
}

/// What a person should know of several files. A page that is opened again is not told again of what is over.
#[derive(Debug, Default)]
pub struct StateNotes(pub Vec<StateNote>);

impl StateNotes {
    pub fn add<T: State>(&mut self, file: &mut StateFile<T>) {
        self.0.extend(file.take_note());
    }
}

/// A file of state, with what it holds. It is written by one program at a time; what another one has written meanwhile is
/// read before it is changed.
#[derive(Debug)]
pub struct StateFile<T> {
    /// Where it is; `None` for what is forgotten at the end of the program.
    place: Option<(Folder, String)>,
    state: T,
    /// What was read or written last; `None` if there was no file.
    bytes: Option<Vec<u8>>,
    condition: Condition,
    note: Option<StateNote>,
}

#[derive(Clone, Debug)]
enum Condition {
    Usual,
    /// A copy must be made before it is written.
    Damaged,
    Newer,
    Unreadable(Arc<io::Error>),
}

impl<T: Default> Default for StateFile<T> {
    /// What is forgotten at the end of the program.
    fn default() -> StateFile<T> {
        StateFile { place: None, state: T::default(), bytes: None, condition: Condition::Usual, note: None }
    }
}

impl<T: State> StateFile<T> {
    /// Reads a file. One that is damaged is kept under another name.
    pub fn open(folder: &Folder, name: &str) -> StateFile<T> {
        let mut file = StateFile::open_to_read(folder, name);
        if matches!(file.condition, Condition::Damaged) {
            let _lock = file.lock();
            // If it cannot be done, the note says so, and it is tried again before the file is written.
            let _ = file.keep_aside();
        }
        file
    }

    /// The same for a program that may not write.
    pub fn open_to_read(folder: &Folder, name: &str) -> StateFile<T> {
        let mut file = StateFile { place: Some((folder.clone(), name.to_string())), ..StateFile::default() };
        file.read();
        file
    }

    /// What it holds.
    pub fn get(&self) -> &T {
        &self.state
    }

    /// What a person should know of it; of what is over only once.
    pub fn take_note(&mut self) -> Option<StateNote> {
        self.note.take_if(|note| note.is_over()).or_else(|| self.note.clone())
    }

    /// Changes what it holds, and writes the file unless that changes nothing. After an error it holds what is on the disk.
    pub fn change<R, E: From<StateError>>(&mut self, change: impl FnOnce(&mut T) -> Result<R, E>) -> Result<R, E> {
        let _lock = self.lock().map_err(|error| self.not_saved(error))?;
        self.read_again();
        match &self.condition {
            Condition::Newer => return Err(StateError::Newer(self.shown()).into()),
            Condition::Unreadable(error) => return Err(StateError::Unreadable(self.shown(), error.clone()).into()),
            Condition::Damaged => self.keep_aside().map_err(|error| self.not_saved(error))?,
            Condition::Usual => {}
        }
        let mut state = self.state.clone();
        let result = change(&mut state)?;
        if let Err(error) = self.write(state) {
            self.read();
            return Err(self.not_saved(error).into());
        }
        Ok(result)
    }

    /// The same for a change that cannot fail by itself.
    pub fn set<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> Result<R, StateError> {
        self.change(|state| Ok(change(state)))
    }

    fn write(&mut self, state: T) -> io::Result<()> {
        let bytes = state.to_bytes()?;
        if let Some((folder, name)) = self.place.as_ref().filter(|_| bytes != self.bytes) {
            match &bytes {
                Some(bytes) if bytes.len() as u64 > T::MAX_BYTES => return Err(ErrorKind::FileTooLarge.into()),
                Some(bytes) => folder.replace(name, bytes)?,
                None => folder.remove(name)?,
            }
        }
        (self.state, self.bytes) = (state, bytes);
        Ok(())
    }

    fn not_saved(&self, error: io::Error) -> StateError {
        StateError::NotSaved(self.shown(), Arc::new(error))
    }

    /// The file in messages.
    fn shown(&self) -> String {
        self.place.as_ref().map(|(folder, name)| folder.path(name).display().to_string()).unwrap_or_default()
    }

    /// Keeps other programs from writing meanwhile, where there are any.
    fn lock(&self) -> io::Result<Option<File>> {
        self.place.as_ref().map_or(Ok(None), |(folder, _)| folder.lock())
    }

    fn bytes_there(&self) -> io::Result<Option<Vec<u8>>> {
        let Some((folder, name)) = &self.place else { return Ok(self.bytes.clone()) };
        match folder.read(name, T::MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Reads what another program may have written. What could not be read before is tried again.
    fn read_again(&mut self) {
        let is_known = self.bytes_there().is_ok_and(|bytes| bytes == self.bytes);
        if !is_known || matches!(self.condition, Condition::Unreadable(_)) {
            self.read();
        }
    }

    fn read(&mut self) {
        if self.place.is_none() {
            return;
        }
        let file = self.shown();
        let there = self.bytes_there();
        self.bytes = there.as_ref().ok().cloned().flatten();
        (self.state, self.condition) = match there.map(|bytes| bytes.map(|bytes| T::parse(&bytes))) {
            Ok(None) => (T::default(), Condition::Usual),
            Ok(Some(Parsed::Whole(state))) => (state, Condition::Usual),
            Ok(Some(Parsed::Part(state))) => (state, Condition::Damaged),
            Ok(Some(Parsed::Nothing)) => (T::default(), Condition::Damaged),
            Ok(Some(Parsed::Newer(state))) => (state, Condition::Newer),
            Err(error) => (T::default(), Condition::Unreadable(Arc::new(error))),
        };
        let note = match &self.condition {
            // What was said of an earlier damage is still to be told.
            Condition::Usual => self.note.take_if(|note| note.is_over()),
            Condition::Damaged => Some(StateNote::Damaged { file, error: None }),
            Condition::Newer => Some(StateNote::Newer { file }),
            Condition::Unreadable(error) => Some(StateNote::Unreadable { file, error: error.clone() }),
        };
        self.note = note;
        if let Some(note) = &self.note {
            log::warn!("{note}");
        }
    }

    /// Makes a copy of the file that is damaged, and puts what could be read of it into its place.
    fn keep_aside(&mut self) -> io::Result<()> {
        let Some((folder, name)) = self.place.clone() else { return Ok(()) };
        let kept = (|| {
            let copy = copy_aside(&folder, &name, self.bytes.as_deref().unwrap_or_default(), T::MAX_BYTES)?;
            self.write(self.state.clone())?;
            Ok(copy)
        })();
        let file = self.shown();
        let (note, outcome) = match kept {
            Ok(copy) => {
                self.condition = Condition::Usual;
                (StateNote::KeptAside { file, copy }, Ok(()))
            }
            Err(error) => {
                let error: Arc<io::Error> = Arc::new(error);
                (StateNote::Damaged { file, error: Some(Arc::clone(&error)) }, Err(error.kind().into()))
            }
        };
        self.note = Some(note);
        outcome
    }
}

/// Keeps what a damaged file holds under a name that says when it was found, and returns that name. If there is such a copy
/// already, no other is made.
pub fn copy_aside(folder: &Folder, name: &str, bytes: &[u8], limit: u64) -> io::Result<String> {
    let (within, base) = name.rsplit_once('/').map_or(("", name), |(within, base)| (within, base));
    let path = |base: &str| if within.is_empty() { base.to_string() } else { format!("{within}/{base}") };
    let copies = folder.names_in(within).into_iter().filter(|other| {
        let copied = other.strip_prefix(base).and_then(|rest| rest.strip_prefix(DAMAGED));
        copied.is_some_and(|time| !time.is_empty())
    });
    for copy in copies.map(|copy| path(&copy)) {
        if folder.read(&copy, limit).is_ok_and(|there| there == bytes) {
            return Ok(copy);
        }
    }
    // 2026-11-29T08:20:00Z, without what a file system may refuse.
    let time = date::now().to_string().replace(':', "").replace('T', "-");
    let first = format!("{name}{DAMAGED}{}", time.trim_end_matches('Z'));
    let numbered = (2..MAX_COPIES).map(|number| format!("{first}-{number}"));
    let copy = std::iter::once(first.clone()).chain(numbered).find(|copy| !folder.has(copy));
    let copy = copy.ok_or(ErrorKind::AlreadyExists)?;
    folder.replace(&copy, bytes)?;
    Ok(copy)
}
