//! Finds the commit that is built, so that two builds can be told apart. Without git or a checkout the version names no
//! commit, and the build succeeds.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of the program.
const SOURCES: [&str; 7] =
    ["src", "crates", "languages", "build.rs", "packaging/chuhe.ico", "Cargo.toml", "Cargo.lock"];

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
    pack_languages();
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        link_windows_resource(&full_version);
    }
    if is_for_this_machine() && glibc_version().is_some_and(|version| version >= (2, 36)) {
        // The places that the loader fills in, as bits: 0.7 MB less of the program. Older loaders cannot read them, and
        // linkers that cannot write them go on without.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Packs the tables of each language: 0.4 MB less of the program.
fn pack_languages() {
    let target = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names a folder"));
    // A module of WebAssembly writes no page, and has no command line.
    let is_wasm = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    let parts = ["published", "study", "hosts", "openings", "page", "program"];
    let parts = if is_wasm { &parts[..4] } else { &parts[..] };
    for language in ["chinese", "traditional", "vietnamese"] {
        let path = |part: &&str| Path::new("languages").join(language).join(format!("{part}.txt"));
        // The names of openings have their Chinese in a table of their own.
        let paths = parts.iter().map(path).filter(|path| path.exists());
        let text: String = paths.map(|path| std::fs::read_to_string(path).expect("a table")).collect();
        let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 10);
        std::fs::write(target.join(language), packed).expect("a folder that can be written");
    }
}

/// Whether the program is built for the machine that builds it, with the system's C library.
fn is_for_this_machine() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    variable("HOST") == variable("TARGET")
        && variable("CARGO_CFG_TARGET_ENV") == "gnu"
        && variable("CARGO_CFG_TARGET_OS") == "linux"
}

/// The version of the machine's GNU C library.
fn glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
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
