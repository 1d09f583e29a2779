//! Finds the commit that is built, so that two builds can be told apart. Without git or a checkout the version names no
//! commit, and the build succeeds.

#[path = "build/windows_resource.rs"]
mod windows_resource;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of the program.
const SOURCES: [&str; 7] = ["src", "crates", "build.rs", "build", "packaging/chuhe.ico", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let full_version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    };
    println!("cargo::rustc-env=CHUHE_VERSION={full_version}");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        link_windows_resource(version, &full_version);
    }
}

/// Links the icon and the version into the program, where the linker takes the object file.
fn link_windows_resource(version: &str, full_version: &str) {
    let texts = [
        ("CompanyName", "the Chuhe authors"),
        ("FileDescription", "Chuhe 楚河"),
        ("FileVersion", full_version),
        ("InternalName", "chuhe"),
        ("LegalCopyright", "MIT license"),
        ("OriginalFilename", "chuhe.exe"),
        ("ProductName", "Chuhe 楚河"),
        ("ProductVersion", full_version),
    ];
    let icon = std::fs::read("packaging/chuhe.ico").expect("the icon is in the sources");
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let Some(object) = windows_resource::object_file(&architecture, &icon, version, &texts) else { return };
    let path = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("resource.o");
    std::fs::write(&path, object).expect("the folder for what is built can be written");
    println!("cargo::rustc-link-arg-bins={}", path.display());
}

/// The commit that is checked out, and whether the sources differ from it.
fn commit() -> Option<String> {
    // A copy of the sources may lie in the checkout of another project.
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

/// The output of a git command, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
