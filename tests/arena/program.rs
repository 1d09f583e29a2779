//! Running `chuhe arena` as a user does, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program under test.
pub const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// A folder that goes when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-arena-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file of the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `chuhe arena` with these words, in this folder.
pub fn arena_in(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(CHUHE);
    command.arg("arena").args(words).current_dir(folder);
    command
}

/// Runs it to its end.
pub fn arena(folder: &Folder, words: &[&str]) -> Output {
    arena_in(&folder.0, words).output().expect("chuhe runs")
}

/// Its standard output, after it ended well.
pub fn report(folder: &Folder, words: &[&str]) -> String {
    let output = arena(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "chuhe arena {words:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Its complaint, after it ended badly.
pub fn complaint(folder: &Folder, words: &[&str]) -> String {
    let output = arena(folder, words);
    assert_eq!(output.status.code(), Some(2), "chuhe arena {words:?} should fail");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// An executable script.
#[cfg(unix)]
pub fn script(folder: &Folder, name: &str, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.write(name, format!("#!/bin/sh\n{body}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("an executable script");
    path.display().to_string()
}

/// An engine that greets as it should and does this when it is asked for a move.
#[cfg(unix)]
pub fn engine(folder: &Folder, name: &str, deed: &str) -> String {
    let body = format!(
        "while read -r word rest; do case \"$word\" in ucci) echo ucciok;; isready) echo readyok;; \
         quit) exit;; go) {deed};; esac; done"
    );
    script(folder, name, &body)
}

/// Waits until the process of this number is gone.
#[cfg(unix)]
pub fn ends(number: &str) {
    let begun = std::time::Instant::now();
    let lives = || Command::new("kill").args(["-0", number]).stderr(std::process::Stdio::null()).status();
    while lives().is_ok_and(|status| status.success()) {
        assert!(begun.elapsed().as_secs() < 30, "process {number} was left behind");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
