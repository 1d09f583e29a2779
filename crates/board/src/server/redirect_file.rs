//! The file that the browser is started with. It leads to the page with the one-time key, which would stand in the
//! command line of the browser otherwise, where every user of the machine can read it.

use chuhe_study::game::saved_games::state_folder;
use chuhe_support::files::make_folder;
use maud::{DOCTYPE, html};
use rand::Rng;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the names of such files begin and end.
const NAME: (&str, &str) = ("open-", ".html");
/// After this time a file that was left behind by a program that was killed is removed.
const MAX_AGE: Duration = Duration::from_secs(3600);

/// A file that only this user can read; it is removed when it is dropped.
pub struct RedirectFile(PathBuf);

impl RedirectFile {
    /// Creates a file that leads to this address, in the folder of the saved games, or else in that of temporary files.
    pub fn create(address: &str) -> io::Result<RedirectFile> {
        let folder = state_folder().filter(|folder| make_folder(folder).is_ok());
        match folder.map(|folder| RedirectFile::create_in(&folder, address)) {
            Some(Ok(file)) => Ok(file),
            _ => RedirectFile::create_in(&std::env::temp_dir(), address),
        }
    }

    /// The same in this folder.
    pub fn create_in(folder: &Path, address: &str) -> io::Result<RedirectFile> {
        remove_old(folder);
        let path = folder.join(format!("{}{:016x}{}", NAME.0, rand::rng().next_u64(), NAME.1));
        // A file or a link of this name that somebody else has put there is an error.
        let mut options = OpenOptions::new();
        let mut file = make_private(options.write(true).create_new(true)).open(&path)?;
        let redirect = RedirectFile(path);
        file.write_all(page(address).as_bytes())?;
        Ok(redirect)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn page(address: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html {
            head {
                meta charset="utf-8";
                meta name="referrer" content="no-referrer";
                meta http-equiv="refresh" content=(format!("0;url={address}"));
                title { "楚河 Chuhe" }
            }
            body { a href=(address) { "楚河 Chuhe" } }
        }
    };
    page.into_string()
}

/// Removes the files that programs which were killed have left behind.
fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_one = name.to_str().is_some_and(|name| name.starts_with(NAME.0) && name.ends_with(NAME.1));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_one && name.len() == NAME.0.len() + 16 + NAME.1.len() && age().is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn make_private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

/// Files of a user are private to that user on these systems.
#[cfg(not(unix))]
fn make_private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
