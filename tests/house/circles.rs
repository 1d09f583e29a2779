//! Arrows between files: what each says of others in its paths, and that they never go in circles.
//!
//! Paths are read wherever they stand, at the head of a file or in its code: `super::Name`, `crate::room::file::Name`,
//! `file::Name` of a child, with lists in braces over as many lines as they take. A name that a `mod.rs` only passes on
//! leads to the file where it comes from.

use super::rooms::{files, source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The names from the root of the crate down to a module or to something in one.
type Names = Vec<String>;

/// A source file as far as it matters here.
struct Module {
    file: PathBuf,
    /// Everything that it names in other files, passed on or used.
    used: BTreeSet<Names>,
    /// Names that it passes on, and what they are.
    passed_on: BTreeMap<String, Names>,
}

type Modules = BTreeMap<Names, Module>;

/// The names of the module in this file.
fn names_of(root: &Path, file: &Path) -> Names {
    let inside = file.strip_prefix(root).expect("below the root").with_extension("");
    let mut names: Names = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|name| ["mod", "lib"].contains(&name.as_str())) {
        names.pop();
    }
    names
}

/// The code without comments, texts, and tests that stand in it.
fn bare(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = code.split("#[cfg(test)]\npub mod ").next().unwrap_or_default();
    let mut bare = String::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        // Every other piece between quotes is a text.
        for (index, piece) in line.split('"').enumerate() {
            bare.push_str(if index % 2 == 0 { piece } else { " " });
        }
        bare.push('\n');
    }
    bare
}

/// Words, and the signs that hold paths together.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut inside = false;
    for letter in code.chars() {
        let is_word = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if is_word && inside => last.push(letter),
            Some(last) if letter == ':' && last == ":" => last.push(letter),
            _ if letter.is_whitespace() => {}
            _ => tokens.push(letter.to_string()),
        }
        inside = is_word;
    }
    tokens
}

/// Reads the paths that begin at this token, below these names, and says where the next thing begins.
fn paths(tokens: &[String], mut at: usize, below: &[String], found: &mut Vec<(Names, String)>) -> usize {
    let mut names = below.to_vec();
    loop {
        let Some(token) = tokens.get(at) else { return at };
        at += 1;
        if token == "{" {
            while tokens.get(at).is_some_and(|token| token != "}") {
                at = paths(tokens, at, &names, found);
                at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
            }
            return at + 1;
        }
        if token != "self" || names.is_empty() {
            names.push(token.clone());
        }
        if tokens.get(at).is_none_or(|token| token != "::") {
            break;
        }
        at += 1;
    }
    let mut known_as = names.last().cloned().unwrap_or_default();
    if tokens.get(at).is_some_and(|token| token == "as") {
        known_as = tokens.get(at + 1).cloned().unwrap_or_default();
        at += 2;
    }
    found.push((names, known_as));
    at
}

/// A path as it is written, from the root of the crate; `None` if it leads out of the crate.
fn absolute(path: &[String], own: &[String], modules: &BTreeSet<Names>) -> Option<Names> {
    let first = path.first()?;
    let rest = path.iter().skip(1);
    if first == "crate" {
        return Some(rest.cloned().collect());
    }
    if first == "super" {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let base = own.len().checked_sub(ups)?;
        return Some(own[..base].iter().chain(&path[ups..]).cloned().collect());
    }
    let names =
        if first == "self" { own.iter().chain(rest).cloned().collect() } else { [own, path].concat() };
    let child = names[..=own.len().min(names.len() - 1)].to_vec();
    (first == "self" || modules.contains(&child)).then_some(names)
}

/// Reads a file.
fn module(file: &Path, text: &str, own: &[String], modules: &BTreeSet<Names>) -> Module {
    let tokens = tokens(&bare(text));
    let (mut used, mut passed_on) = (BTreeSet::new(), BTreeMap::new());
    let mut imported: Vec<(Names, String)> = Vec::new();
    let mut words = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || tokens[at - 1] != "::";
        if tokens[at] == "mod" {
            at += 2;
        } else if tokens[at] == "use" && begins {
            let mut found = Vec::new();
            at = paths(&tokens, at + 1, &[], &mut found);
            let ours =
                found.into_iter().filter_map(|(path, name)| Some((absolute(&path, own, modules)?, name)));
            imported.extend(ours);
        } else if begins && tokens.get(at + 1).is_some_and(|token| token == "::") {
            let mut found = Vec::new();
            let _ = paths(&tokens, at, &[], &mut found);
            used.extend(found.iter().filter_map(|(path, _)| absolute(path, own, modules)));
            words.insert(tokens[at].clone());
            at += 1;
        } else {
            words.insert(tokens[at].clone());
            at += 1;
        }
    }
    for (path, name) in imported {
        // What is not spoken of again is passed on only.
        if words.contains(&name) || name == "_" || name == "*" {
            used.insert(path.clone());
        }
        passed_on.insert(name, path);
    }
    Module { file: file.to_path_buf(), used, passed_on }
}

/// The file that a path leads to, if it is one of these.
fn target<'a>(path: &[String], modules: &'a Modules, steps: usize) -> Option<&'a Module> {
    let known = (0..=path.len()).rev().find(|&length| modules.contains_key(&path[..length]))?;
    let module = &modules[&path[..known]];
    match path.get(known).and_then(|name| module.passed_on.get(name)) {
        Some(elsewhere) if steps > 0 => {
            let rest = path.iter().skip(known + 1);
            let longer: Names = elsewhere.iter().chain(rest).cloned().collect();
            target(&longer, modules, steps - 1)
        }
        _ => Some(module),
    }
}

/// All arrows from file to file.
fn arrows(root: &Path, texts: &[(PathBuf, String)]) -> BTreeSet<(PathBuf, PathBuf)> {
    let names: BTreeSet<Names> = texts.iter().map(|(file, _)| names_of(root, file)).collect();
    let read = |(file, text): &(PathBuf, String)| {
        let own = names_of(root, file);
        (own.clone(), module(file, text, &own, &names))
    };
    let modules: Modules = texts.iter().map(read).collect();
    let of = |from: &Module| -> Vec<(PathBuf, PathBuf)> {
        let to = from.used.iter().filter_map(|path| target(path, &modules, 8));
        to.map(|to| (from.file.clone(), to.file.clone())).filter(|(from, to)| from != to).collect()
    };
    modules.values().flat_map(of).collect()
}

/// The arrows that are part of a circle.
fn circles(arrows: &BTreeSet<(PathBuf, PathBuf)>) -> Vec<(PathBuf, PathBuf)> {
    let mut next: BTreeMap<&PathBuf, Vec<&PathBuf>> = BTreeMap::new();
    arrows.iter().for_each(|(from, to)| next.entry(from).or_default().push(to));
    let reached = |from: &PathBuf| {
        let (mut seen, mut left) = (BTreeSet::new(), next.get(from).cloned().unwrap_or_default());
        while let Some(here) = left.pop() {
            if seen.insert(here.clone()) {
                left.extend(next.get(here).into_iter().flatten());
            }
        }
        seen
    };
    let from_each: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        next.keys().map(|&from| (from, reached(from))).collect();
    let returns =
        |(from, to): &&(PathBuf, PathBuf)| from_each.get(to).is_some_and(|reached| reached.contains(from));
    arrows.iter().filter(returns).cloned().collect()
}

#[test]
fn files_do_not_go_in_circles() {
    let texts: Vec<(PathBuf, String)> =
        files(&source()).into_iter().filter(|(file, _)| !file.ends_with("main.rs")).collect();
    let mut arrows = arrows(&source(), &texts);
    assert!(arrows.len() > 1000, "the arrows are read: {}", arrows.len());
    // Two halves of one thing, as `docs/architecture.md` says.
    arrows.remove(&(source().join("board/checks.rs"), source().join("board/position.rs")));
    let found = circles(&arrows);
    assert!(found.is_empty(), "in circles: {found:#?}");
}

#[test]
fn circles_are_seen_however_they_are_written() {
    let seen = |files: &[(&str, &str)]| {
        let texts: Vec<(PathBuf, String)> =
            files.iter().map(|(file, text)| (Path::new("/src").join(file), text.to_string())).collect();
        !circles(&arrows(Path::new("/src"), &texts)).is_empty()
    };
    let parent = "mod child;\npub struct Name;\npub fn run() {\n    child::run();\n}\n";
    for child in [
        "use super::Name;\nfn f(_: Name) {}",
        "use super::{\n    Name,\n};\nfn f(_: Name) {}",
        "use crate::room::Name as Other;\nfn f(_: Other) {}",
        "use crate::{\n    room::{self, Name},\n    other::Thing,\n};\nfn f(_: Name) {}",
        "fn f(_: crate::room::Name) {}",
        "fn f(_: Vec<super::Name>) {}",
    ] {
        assert!(seen(&[("room/mod.rs", parent), ("room/child.rs", child)]), "{child}");
    }
    // A name that is passed on belongs to the file where it comes from.
    let facade = "mod one;\nmod two;\npub use one::{Name, f};\npub fn g() {\n    two::g();\n}\n";
    let two = "use super::Name;\npub fn g(_: Name) {}";
    assert!(!seen(&[("room/mod.rs", facade), ("room/one.rs", "pub struct Name;"), ("room/two.rs", two)]));
    let one = "pub struct Name;\npub fn f() {\n    super::two::g(Name);\n}";
    assert!(seen(&[("room/mod.rs", facade), ("room/one.rs", one), ("room/two.rs", two)]));
    // Neither comments, nor texts, nor tests are arrows.
    let quiet = "// super::Name\nconst TEXT: &str = \"super::Name\";\n#[cfg(test)]\nmod tests {\n    use super::super::Name;\n}\n";
    assert!(!seen(&[("room/mod.rs", parent), ("room/child.rs", quiet)]));
}
