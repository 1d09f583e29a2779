//! Finds the commit that is built, so that two builds can be told apart. Without git or a checkout the version names no
//! commit, and the build succeeds.

use std::path::Path;
use std::process::Command;

/// The sources of the program.
const SOURCES: [&str; 6] = ["src", "crates", "build.rs", "packaging/chuhe.ico", "Cargo.toml", "Cargo.lock"];

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
        link_windows_resource(&full_version);
    }
}

/// Links the icon and the version into the program. Without a resource compiler (`windres`, `rc` or `llvm-rc`), as where
/// the code is only checked, the program has neither.
fn link_windows_resource(full_version: &str) {
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
    let mut resource = winresource::WindowsResource::new();
    for (name, text) in texts {
        resource.set(name, text);
    }
    // US English, in which old programs look for the texts.
    resource.set_language(0x0409).set_icon("packaging/chuhe.ico");
    if let Err(error) = resource.compile_for("chuhe") {
        println!("cargo::warning=the program gets no icon and no version: {error}");
    }
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
