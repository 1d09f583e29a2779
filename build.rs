//! Finds out which commit is built, so that two builds can be told apart. Where there is no git, or no checkout, the
//! version says less and nothing fails.

use std::path::Path;
use std::process::Command;

/// What the program is made of.
const SOURCES: [&str; 6] = ["src", "engine", "toolkit", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let told = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    };
    println!("cargo::rustc-env=CHUHE_VERSION={told}");
}

/// The commit that is checked out here, and whether the sources differ from it.
fn commit() -> Option<String> {
    // A copy of the sources may lie in the checkout of something else.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(".").canonicalize().ok()? {
        return None;
    }
    // These change with every commit and every change of branch.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let changes = git(&[&["status", "--porcelain", "--"], &SOURCES[..]].concat())?;
    Some(if changes.is_empty() { commit } else { format!("{commit}, modified") })
}

/// What git answers, if it is there and knows.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
