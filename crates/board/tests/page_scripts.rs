//! The scripts of the page by their folders: the core knows no place, no place knows another, and circles are few and small.

use chuhe_board::BoardPage;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const MAX_CIRCLES: usize = 3;
const MAX_FILES_OF_CIRCLE: usize = 4;

/// The scripts of every page: the path from the folder of the page, and the paths that it imports.
fn imports() -> BTreeMap<String, Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
    let mut scripts = BTreeMap::new();
    for folder in ["", "core", "play", "two_players", "analyse", "review", "games", "train"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
            let name = entry.file_name().into_string().expect("a name");
            if name.ends_with(".js") {
                let source = fs::read_to_string(entry.path()).expect("a script");
                let paths = source.lines().filter_map(|line| line.rsplit_once(" from \"")?.1.strip_suffix("\";"));
                let from = |path: &str| match path.split_once("../") {
                    Some((_, path)) => path.to_string(),
                    None => format!("{folder}/{}", path.trim_start_matches("./")).trim_matches('/').to_string(),
                };
                scripts.insert(from(&name), paths.map(from).collect());
            }
        }
    }
    scripts
}

fn place_of(path: &str) -> &str {
    path.split_once('/').map_or("", |(place, _)| place)
}

#[test]
fn page_scripts_import_their_own_place_and_the_core() {
    let scripts = imports();
    assert!(scripts.len() > 40, "{scripts:?}");
    for (script, imported) in scripts.iter().filter(|(script, _)| !place_of(script).is_empty()) {
        for path in imported.iter().filter(|path| scripts.contains_key(*path)) {
            let place = place_of(path);
            assert!(place == "core" || place == place_of(script), "{script} imports {path}");
        }
    }
}

#[test]
fn page_scripts_have_few_and_small_circles() {
    let scripts = imports();
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for script in scripts.keys() {
        let (mut found, mut open) = (BTreeSet::new(), vec![script.as_str()]);
        while let Some(next) = open.pop() {
            let fresh = scripts.get(next).into_iter().flatten().filter(|path| found.insert(path.as_str()));
            open.extend(fresh.map(String::as_str));
        }
        reached.insert(script, found);
    }
    let circle = |of: &str| -> Vec<&str> {
        reached[of].iter().filter(|path| reached.get(*path).is_some_and(|back| back.contains(of))).copied().collect()
    };
    let circles: BTreeSet<Vec<&str>> = scripts.keys().map(|of| circle(of)).filter(|circle| circle.len() > 1).collect();
    let is_small = circles.iter().all(|circle| circle.len() <= MAX_FILES_OF_CIRCLE);
    assert!(circles.len() <= MAX_CIRCLES && is_small, "{circles:#?}");
}

#[test]
fn page_has_all_its_scripts_under_names_of_their_own() {
    let names: Vec<String> =
        imports().into_keys().map(|path| path.rsplit('/').next().unwrap_or_default().to_string()).collect();
    let page = BoardPage::new();
    for name in &names {
        assert!(page.module(name).is_some(), "{name} is not served");
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
    }
}
