//! A folder in which the program keeps files of its own: on the disk, or in memory where there is no disk.

use super::open::wait_for_lock;
use super::{AppendFile, make_folder, open_regular_with, read_regular, remove, replace_regular};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file that is locked while a file of state is changed.
const LOCK: &str = "state.lock";

/// Such a folder. The names of files may contain `/`.
#[derive(Clone, Debug)]
pub enum Folder {
    Disk(PathBuf),
    Memory(Arc<MemoryFolder>),
}

impl From<PathBuf> for Folder {
    fn from(path: PathBuf) -> Folder {
        Folder::Disk(path)
    }
}

impl Folder {
    /// The path of a file; in memory its name.
    pub fn path(&self, name: &str) -> PathBuf {
        match self {
            Folder::Disk(folder) => folder.join(name),
            Folder::Memory(_) => PathBuf::from(name),
        }
    }

    /// Reads a file that is not larger than this.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        match self {
            Folder::Disk(_) => read_regular(&self.path(name), limit),
            Folder::Memory(memory) => memory.state().files.get(name).cloned().ok_or(ErrorKind::NotFound.into()),
        }
    }

    /// Writes a file, whole or not at all, and the folder if it is not there.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match self {
            Folder::Disk(_) => {
                let path = self.path(name);
                path.parent().map_or(Ok(()), make_folder)?;
                replace_regular(&path, bytes)
            }
            Folder::Memory(memory) => {
                memory.set(name, Some(bytes));
                Ok(())
            }
        }
    }

    /// Adds to a file that is there and begins with whole records of this length, whole or not at all; what stands behind
    /// them is cut off. Nobody else may write to it.
    pub fn append(&self, name: &str, length: u64, record: &[u8]) -> io::Result<()> {
        match self {
            Folder::Disk(_) => {
                let file = open_regular_with(fs::OpenOptions::new().read(true).write(true), &self.path(name))?;
                if file.metadata()?.len() < length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                AppendFile::new(file, length)?.append(record)
            }
            Folder::Memory(memory) => memory.append(name, length as usize, record),
        }
    }

    /// Keeps other programs from changing files of state until the lock is dropped. In memory there are none.
    pub fn lock(&self) -> io::Result<Option<fs::File>> {
        let Folder::Disk(folder) = self else { return Ok(None) };
        make_folder(folder)?;
        let file = open_regular_with(fs::OpenOptions::new().create(true).append(true), &self.path(LOCK))?;
        match wait_for_lock(&file) {
            Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
            // Some file systems have no locks.
            _ => Ok(Some(file)),
        }
    }

    /// Removes a file; one that is not there is no error.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match self {
            Folder::Disk(_) => remove(&self.path(name)),
            Folder::Memory(memory) => {
                memory.set(name, None);
                Ok(())
            }
        }
    }

    /// Whether there is something of this name.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Folder::Disk(_) => self.path(name).exists(),
            Folder::Memory(memory) => memory.state().files.contains_key(name),
        }
    }

    /// The names of what is in a folder within this one.
    pub fn names_in(&self, within: &str) -> Vec<String> {
        match self {
            Folder::Disk(_) => {
                let entries = fs::read_dir(self.path(within)).into_iter().flatten().flatten();
                entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
            Folder::Memory(memory) => {
                let is_in = |name: &&String| Path::new(name).parent() == Some(Path::new(within));
                let files = &memory.state().files;
                let names = files.keys().filter(is_in).filter_map(|name| Path::new(name).file_name()?.to_str());
                names.map(str::to_string).collect()
            }
        }
    }
}

/// Files in memory. Whoever keeps them elsewhere asks which have changed.
#[derive(Debug, Default)]
pub struct MemoryFolder(Mutex<MemoryState>);

#[derive(Debug, Default)]
struct MemoryState {
    files: BTreeMap<String, Vec<u8>>,
    changed: BTreeSet<String>,
}

impl MemoryFolder {
    /// The folder with these files, none of which counts as changed.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> MemoryFolder {
        MemoryFolder(Mutex::new(MemoryState { files, changed: BTreeSet::new() }))
    }

    /// The files that have changed since the last call, with their content; `None` stands for one that was removed.
    pub fn take_changes(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let mut state = self.state();
        let changed = std::mem::take(&mut state.changed);
        let with_file = |name: String| {
            let file = state.files.get(&name).cloned();
            (name, file)
        };
        changed.into_iter().map(with_file).collect()
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, name: &str, bytes: Option<&[u8]>) {
        let mut state = self.state();
        if state.files.get(name).map(Vec::as_slice) == bytes {
            return;
        }
        match bytes {
            Some(bytes) => state.files.insert(name.to_string(), bytes.to_vec()),
            None => state.files.remove(name),
        };
        state.changed.insert(name.to_string());
    }

    fn append(&self, name: &str, length: usize, record: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        let file = state.files.get_mut(name).ok_or(ErrorKind::NotFound)?;
        if file.len() < length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        file.truncate(length);
        file.extend_from_slice(record);
        state.changed.insert(name.to_string());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_folder_tells_each_change_once() {
        let memory = Arc::new(MemoryFolder::new(BTreeMap::from([("old".to_string(), vec![1])])));
        let folder = Folder::Memory(Arc::clone(&memory));
        assert_eq!((memory.take_changes().len(), folder.read("old", 10).ok()), (0, Some(vec![1])));
        folder.replace("old", &[1]).expect("written");
        assert_eq!(memory.take_changes().len(), 0, "as it was");
        folder.replace("in/new", &[2]).expect("written");
        folder.replace("in/new", &[3]).expect("written");
        folder.remove("old").expect("removed");
        let changes = BTreeMap::from([("in/new".to_string(), Some(vec![3])), ("old".to_string(), None)]);
        assert_eq!(memory.take_changes(), changes);
        assert_eq!(memory.take_changes().len(), 0);
        assert_eq!((folder.names_in("in"), folder.has("old")), (vec!["new".to_string()], false));
        assert_eq!(folder.read("old", 10).map_err(|error| error.kind()), Err(ErrorKind::NotFound));
    }

    #[test]
    fn disk_folder_keeps_files_in_folders_within() {
        let path = std::env::temp_dir().join(format!("chuhe-folder-{}", std::process::id()));
        let folder = Folder::from(path.clone());
        assert_eq!((folder.names_in("in").len(), folder.has("in/new")), (0, false));
        folder.replace("in/new", b"content").expect("written");
        assert_eq!((folder.names_in("in"), folder.has("in/new")), (vec!["new".to_string()], true));
        assert_eq!(folder.read("in/new", 10).ok().as_deref(), Some(&b"content"[..]));
        folder.append("in/new", 4, b"rapt").expect("added");
        assert_eq!(folder.read("in/new", 10).ok().as_deref(), Some(&b"contrapt"[..]), "the rest is cut off");
        assert!(folder.append("in/new", 9, b"ion").is_err() && folder.append("in/other", 0, b"x").is_err());
        folder.remove("in/new").expect("removed");
        assert!(!folder.has("in/new"));
        fs::remove_dir_all(path).expect("the folder is there");
    }
}
